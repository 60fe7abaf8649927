"""``python -m prefxl`` is the command ``prefxl``."""

from prefxl.cli import main

if __name__ == "__main__":
    main()
