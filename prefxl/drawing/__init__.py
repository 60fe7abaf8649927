"""The drawn pulka: one settled game as it stands on paper, as SVG, as PNG, and as a worksheet.

After the PrefCount help: in each player's field the pulya, the gora (its old value struck out, then
equalised and amnestied), the final gora in a rectangle, the balance with each neighbour in an oval,
their sum in a rectangle, and the result in a rhombus.
"""

from prefxl.drawing.file import write_drawing
from prefxl.drawing.png import draw_png
from prefxl.drawing.sheet import draw_sheet, draw_workbook
from prefxl.drawing.svg import draw_svg

__all__ = ["draw_png", "draw_sheet", "draw_svg", "draw_workbook", "write_drawing"]
