"""The command ``prefxl``: thin, every command loads what it needs when it runs."""

from prefxl.cli.app import main

__all__ = ["main"]
