"""Notes of ours as the two parts hold them: a text with its author, and a box with its size and place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prefxl.sheets.guard import UTF16, undeclared
from prefxl.workbook.package.cells import LONGEST_TEXT, text_element
from prefxl.workbook.package.coordinates import LAST_COLUMN, LAST_ROW, reference

#: Row, column, text.
Note = tuple[int, int, str]

_NEW_DRAWING = (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:x="urn:schemas-microsoft-com:office:excel"><o:shapelayout v:ext="edit">'
    '<o:idmap v:ext="edit" data="{block}"/></o:shapelayout></xml>'
)
#: What a box is; once a drawing.
SHAPE_TYPE = (
    b'<v:shapetype xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    b'id="_x0000_t202" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe">'
    b'<v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>'
)
# filled in with %, which takes half the time of format: there are thousands
_BOX = (
    '<v:shape xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:x="urn:schemas-microsoft-com:office:excel" id="_x0000_s%d" type="#_x0000_t202" '
    'style="position:absolute;margin-left:60pt;margin-top:2pt;width:%dpt;height:%dpt;z-index:1;'
    'visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/>'
    '<v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/>'
    '<v:textbox style="mso-direction-alt:auto;mso-fit-shape-to-text:t"/><x:ClientData ObjectType="Note">'
    "<x:MoveWithCells/><x:SizeWithCells/><x:Anchor>%s</x:Anchor><x:AutoFill>False</x:AutoFill>"
    "<x:Row>%d</x:Row><x:Column>%d</x:Column></x:ClientData></v:shape>"
)
# a box of Excel's usual font (Tahoma 9): points per character and per line, pixels per default column and row
_CHARACTER, _LINE, _COLUMN_PIXELS, _ROW_PIXELS = 5.2, 12.5, 64, 20
_NARROWEST, _WIDEST, _TALLEST = 96, 320, 400
_FONT = '<rPr><sz val="9"/><color indexed="81"/><rFont val="Tahoma"/><family val="2"/></rPr>'


# a root element that is its own end
_CLOSED = re.compile(rb"""(<([\w.-]+)(?:\s[^<>]*?)?)/>\s*$""")


def as_drawing(data: bytes) -> bytes:
    """Return a drawing as all of ours expect it: in UTF-8, and its root element with an end tag."""
    if data[:2] in UTF16:
        data = undeclared(data.decode(UTF16[data[:2]], "replace"))
    if data.count(b"<") - data.count(b"<?") - data.count(b"<!") == 1:
        return _CLOSED.sub(rb"\1></\2>", data)
    return data


def new_drawing(block: int) -> bytes:
    """Return a drawing without boxes, whose shapes are numbered in a block of ids."""
    return _NEW_DRAWING.format(block=block).encode()


def texts(notes: Iterable[Note], author: int, namespace: str) -> bytes:
    """Return the ``comment`` elements of notes, in a namespace of their own where one is given."""
    own = f' xmlns="{namespace}"' if namespace else ""
    between, end = f'" authorId="{author}"><text><r>{_FONT}', "</r></text></comment>"
    found = [
        f'<comment{own} ref="{reference(row, column)}{between}{text_element("", text)}{end}'
        for row, column, text in notes
    ]
    return "".join(found).encode()


def boxes(number: int, notes: Iterable[Note]) -> bytes:
    """Return the shapes of notes, numbered from ``number``."""
    return "".join([_box(at, *note) for at, note in enumerate(notes, number)]).encode()


def _box(number: int, row: int, column: int, text: str) -> str:
    sizes = list(map(len, text[:LONGEST_TEXT].split("\n")))
    longest = max(sizes)
    width = min(max(_NARROWEST, longest * _CHARACTER + 12), _WIDEST)
    per_line = max(int((width - 12) / _CHARACTER), 1)
    count = len(sizes) if longest <= per_line else sum(-(-max(size, 1) // per_line) for size in sizes)
    height = min(count * _LINE + 10, _TALLEST)
    return _BOX % (number, width, height, _anchor(row - 1, column - 1, width, height), row - 1, column - 1)


def _anchor(row: int, column: int, width: float, height: float) -> str:
    """Place a box beside its cell, told in default columns and rows; Excel moves it if they are wider."""
    across, rest_across = divmod(int(width * 4 / 3) + 15, _COLUMN_PIXELS)
    down, rest_down = divmod(int(height * 4 / 3) + 10, _ROW_PIXELS)
    top = min(max(row - 1, 0), LAST_ROW - down - 1)
    left = min(column + 1, LAST_COLUMN - across - 1)
    return f"{left}, 15, {top}, 10, {left + across}, {rest_across}, {top + down}, {rest_down}"
