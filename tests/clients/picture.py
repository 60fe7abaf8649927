"""Draws the picture of the live form that the README shows: ``python -m tests.clients.picture``.

A real LibreOffice fills the shipped form in, prints it, and the page is cut to its content.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from prefxl.live.form_shape import FIRST, GORA, PLAYER, PULYA, WHISTS
from prefxl.live.plan import cell
from prefxl.live.worked import GORAS as GORAS_OF
from prefxl.live.worked import PLAYERS, PULYAS
from prefxl.live.worked import WHISTS as WHISTS_OF
from tests.clients.office import LibreOffice, to_pdf

TEMPLATES = Path(__file__).parents[2] / "templates"
TARGET = TEMPLATES / "pulka-4.png"
#: Dots an inch, and what is kept of the A4 page at that resolution.
RESOLUTION, KEPT = 100, ("-x", "40", "-y", "30", "-W", "770", "-H", "1010")


def main() -> None:
    """Write ``templates/pulka-4.png``."""
    typed: dict[str, object] = {"B4": "Дача, 29 ноября"}
    for seat, name in enumerate(PLAYERS):
        row = FIRST + seat
        typed |= {cell(row, PLAYER): name, cell(row, PULYA): PULYAS[seat], cell(row, GORA): GORAS_OF[seat]}
        whists = enumerate(WHISTS_OF[seat])
        typed |= {cell(row, WHISTS + other): written for other, written in whists if written is not None}
    with tempfile.TemporaryDirectory() as folder, LibreOffice(Path(folder) / "profile", locale="ru-RU") as office:
        book = office.open(TEMPLATES / "pulka-4.xlsx")
        office.write(book, "Пулька", typed)
        pdf = to_pdf(office, book, Path(folder) / "form.pdf")
        command = ["pdftoppm", "-r", str(RESOLUTION), *KEPT, "-f", "1", "-l", "1", "-singlefile", "-png", str(pdf)]
        subprocess.run([*command, str(TARGET.with_suffix(""))], check=True)


if __name__ == "__main__":
    main()
