"""The two pictures of the README: ``python -m tests.drawing.pictures`` draws them again."""

from __future__ import annotations

import datetime
from pathlib import Path

import prefxl
from prefxl.drawing import draw_png

FOLDER = Path(__file__).parents[2] / "templates" / "pictures"


def samples():
    """Return the file names and their settlements: the first game of a season, and a game of three."""
    four = prefxl.settle(
        [20, 14, 18, 20],
        [10, 12, 5, 30],
        [[0, 24, 60, 15], [60, 0, 32, 48], [72, 56, 0, 26], [31, 42, 13, 0]],
        players=["Аня", "Борис", "Вера", "Григорий"],
    )
    three = prefxl.settle(
        [14, 26, 10],
        [38, 41, 28],
        [[0, 148, 10], [28, 0, 0], [46, 94, 0]],
        convention="leningrad",
        rounding="divisible",
        corrected=0,
        players=["Восток", "Юг", "Запад"],
    )
    return {"pulka-4.png": four, "pulka-3.png": three}


def draw(name):
    """Return the picture with this file name."""
    number = 1 + list(samples()).index(name)
    return draw_png(samples()[name], game=number, date=datetime.date(2026, 3, 1), dpi=100)


if __name__ == "__main__":
    for name in samples():
        (FOLDER / name).write_bytes(draw(name))
