"""Worksheets as bytes, such as Excel, LibreOffice and odd programs write them."""

from __future__ import annotations

from hypothesis import strategies as st

from prefxl.workbook.package.coordinates import column_letters

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

#: What may stand in a cell: the attributes behind its name, and its content ("" for an empty cell); P is the prefix.
CONTENTS = [
    ("", "<Pv>12</Pv>"),
    ("", "<Pv>-0.5</Pv>"),
    ("", "<Pv>1E-05</Pv>"),
    (' s="1"', "<Pv>7</Pv>"),
    (' t="s"', "<Pv>0</Pv>"),
    (' s="1" t="s"', "<Pv>0</Pv>"),
    (' t="b"', "<Pv>1</Pv>"),
    (' t="e"', "<Pv>#DIV/0!</Pv>"),
    (' s="1"', ""),
    ("", ""),
    (' t="inlineStr"', "<Pis><Pt>Аня-1 &amp; Co</Pt></Pis>"),
    (' t="inlineStr"', '<Pis><Pt xml:space="preserve"> Боря </Pt></Pis>'),
    (' t="inlineStr"', "<Pis><Pr><Pt>А</Pt></Pr><Pr><Pt>ня</Pt></Pr></Pis>"),
    ("", "<Pf>SUM(A1:B2)</Pf><Pv>3</Pv>"),
    (' t="str"', '<Pf aca="false">A1&amp;"x"</Pf><Pv>x</Pv>'),
    ("", '<Pf t="shared" si="0"/><Pv>3</Pv>'),
    ("", '<Pf t="shared" ref="B2:B9" si="0">A2</Pf><Pv>3</Pv>'),
    ("", "<Pv></Pv>"),
]
#: Start tags of rows behind their number.
ROWS = [
    "",
    ' spans="1:9"',
    ' spans="1:9" x14ac:dyDescent="0.25"',
    ' ht="15.75" customHeight="1"',
    ' s="1" customFormat="1"',
    ' customFormat="false" ht="12.8" hidden="false"',
]


@st.composite
def worksheets(draw, contents=CONTENTS, rows=ROWS):
    """Return (number, attributes, [(column, attributes, content)]) of the rows, and how they are written."""
    numbers = sorted(draw(st.sets(st.integers(1, 60), max_size=30)))
    # few kinds of rows, as in real sheets
    patterns = draw(st.lists(_row(contents, rows), min_size=1, max_size=4))
    return [(number, *draw(st.sampled_from(patterns))) for number in numbers], {
        "prefix": draw(st.sampled_from(["", "x:", "x1-s.2:"])),
        "gap": draw(st.sampled_from(["", "", "\n  "])),
        "empty": draw(st.sampled_from(["/>", "></P"])),
        "tail": draw(st.sampled_from(["", '<PpageMargins left="1"/>'])),
    }


@st.composite
def _row(draw, contents, rows):
    columns = sorted(draw(st.sets(st.integers(1, 30), max_size=6)))
    return draw(st.sampled_from(rows)), [(column, *draw(st.sampled_from(contents))) for column in columns]


def sheet_bytes(rows, options) -> bytes:
    """Return the part."""
    prefix, gap, empty = options["prefix"], options["gap"], options["empty"]
    text = ""
    for number, attributes, cells in rows:
        inside = ""
        for column, more, content in cells:
            end = f">{content}</Pc>" if content else empty if empty == "/>" else f"{empty}c>"
            inside += f'<Pc r="{column_letters(column)}{number}"{more}{end}'
        text += f'{gap}<Prow r="{number}"{attributes}' + (f">{inside}</Prow>" if cells else "/>")
    name = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    data = f"<PsheetData>{text}{gap}</PsheetData>" if text else "<PsheetData/>"
    start = f'<?xml version="1.0" encoding="UTF-8"?><Pworksheet {name}="{MAIN}" xmlns:x14ac="urn:x">'
    body = (start + data + options["tail"] + "</Pworksheet>").replace("<P", f"<{prefix}")
    return body.replace("</P", f"</{prefix}").encode()
