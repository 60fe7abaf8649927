"""The drawn pulka: what stands on it, that it fits, and that its files are sound."""

from __future__ import annotations

import io
import struct
import zlib
from xml.etree import ElementTree

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prefxl
from prefxl.drawing import draw_png, draw_svg, draw_workbook, write_drawing
from prefxl.drawing.geometry import BOTTOM, CENTRE, LEFT, RIGHT, TOP, clip, fields
from prefxl.drawing.plan import plan
from prefxl.drawing.shapes import Outline, Oval, Text, fitted, width_of
from prefxl.drawing.words import Numbers
from prefxl.errors import OptionError
from tests.strategies import sheets

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Аня", "Константинопольская Александра-Елизавета", "Вера", "Григорий Щ.", "W" * 30)


def sample(players=4, **options):
    whists = [[0 if i == j else 10 * i + j for j in range(players)] for i in range(players)]
    pulya, gora = [20, 14, 18, 20, 7][:players], [10, 12, 5, 30, 8][:players]
    return prefxl.settle(pulya, gora, whists, players=NAMES[:players], **options)


def area(polygon):
    pairs = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def texts(settlement, lang="ru"):
    return [shape.text for shape in plan(settlement, lang) if isinstance(shape, Text)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_fields_fill_the_frame_and_do_not_overlap(players):
    assert sum(area(field.outline) for field in fields(players)) == pytest.approx((RIGHT - LEFT) * (BOTTOM - TOP))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_strips_and_cells_fill_a_field(players):
    for field in fields(players):
        cells = [outline for outline, _ in field.cells((0.0, 0.4), players - 1)]
        whole = [*cells, field.strip((0.4, 0.58)), field.strip((0.58, 1.0))]
        assert sum(area(outline) for outline in whole) == pytest.approx(area(field.outline))


def test_seats_go_clockwise_from_the_bottom():
    assert [field.side for field in fields(4)] == ["bottom", "left", "top", "right"]


def test_a_neighbours_cell_lies_on_the_neighbours_side():
    bottom = fields(4)[0].cells((0.0, 0.4), 3)
    assert [middle[0] > CENTRE[0] + 1 for _, middle in bottom] == [True, False, False]


def test_clipping_keeps_the_part_between_two_lines():
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    assert area(clip(square, 0, 1.0, 3.0)) == pytest.approx(8.0)


@given(sheets(), st.sampled_from(["exact", "debts", "balanced", "truncate"]))
@settings(max_examples=40)
def test_everything_fits_and_no_text_lies_on_another(sheet, rounding):
    done = prefxl.settle(sheet.pulya, sheet.gora, sheet.whists, rounding=rounding, players=NAMES[: sheet.players])
    boxes = []
    for shape in plan(done, "ru", game="Длинное название игры", date="2026-03-01"):
        if not isinstance(shape, Text):
            continue
        wide, high = width_of(shape.text, shape.size), shape.size * 0.8
        if shape.turn:
            wide, high = high, wide
        assert width_of(shape.text, shape.size) <= shape.room * 1.01
        x, y = shape.at
        x += {"start": wide / 2, "middle": 0, "end": -wide / 2}[shape.anchor]
        assert x - wide / 2 >= 0
        assert x + wide / 2 <= 297
        assert y - high / 2 >= 0
        assert y + high / 2 <= 210
        boxes.append((x - wide / 2, x + wide / 2, y - high / 2, y + high / 2, shape.text))
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            apart = one[1] <= other[0] or other[1] <= one[0] or one[3] <= other[2] or other[3] <= one[2]
            assert apart, (one, other)


@given(sheets(), st.sampled_from(prefxl.ROUNDINGS))
@settings(max_examples=40)
def test_balances_add_up_to_their_sum_and_with_the_gora_to_the_result(sheet, rounding):
    try:
        done = prefxl.settle(sheet.pulya, sheet.gora, sheet.whists, rounding=rounding)
    except prefxl.RulesError:
        return
    numbers = Numbers(done, "ru")
    for seat, result in enumerate(done.result_exact):
        assert sum(numbers.balances[seat]) == numbers.saldo[seat]
        written = [numbers.written_value(seat, o) - numbers.written_value(o, seat) for o in numbers.seats]
        assert written == numbers.balances[seat]
        if rounding != "balanced":
            assert numbers.saldo[seat] + done.final_gora[seat] == result


def test_every_step_stands_on_the_sheet():
    done = sample()
    shown = texts(done)
    numbers = Numbers(done, "ru")
    for seat in range(4):
        for value in (*numbers.goras(seat), numbers.text(done.pulya[seat])):
            assert value in shown
        for value in (done.final_gora[seat], numbers.saldo[seat], done.result_exact[seat]):
            assert numbers.text(value, sign=True) in shown


def test_old_gora_is_struck_out_and_the_last_stands():
    struck = [(shape.text, shape.struck) for shape in plan(sample(), "ru") if isinstance(shape, Text)]
    assert ("10", True) in struck
    assert ("8", True) in struck
    assert ("3", False) in struck


def test_balances_stand_in_ovals_sums_in_rectangles_results_in_rhombi():
    shapes = plan(sample(), "ru")
    kinds = [shape.kind for shape in shapes if isinstance(shape, Outline)]
    # one of each more in the legend, and the circle in the middle
    assert sum(isinstance(shape, Oval) for shape in shapes) == 12 + 2
    assert kinds.count("sum") == 4 + 1
    assert kinds.count("final-gora") == 4
    assert kinds.count("result") == 4 + 1


def test_a_corrected_gora_and_its_whists_stand_on_the_sheet():
    book = ([0] * 4, [4, 10, 21, 16], [[0, 2, 0, 0], [0, 0, 0, 0], [10, 50, 0, 0], [42, 78, 0, 0]])
    done = prefxl.settle(*book, convention="sochi", rounding="divisible-debts", players=list("СЗВЮ"))
    shown = texts(done)
    assert "42 + 3" not in shown
    assert "0 + 3" in shown
    assert Numbers(done, "ru").goras(2) == ["21", "17", "16"]
    assert "+38" in shown


def test_text_shrinks_before_it_is_cut():
    assert fitted(Text((0, 0), "Александра", 5.0, 30.0)).text == "Александра"
    assert fitted(Text((0, 0), "Александра", 5.0, 30.0)).size < 5.0
    assert fitted(Text((0, 0), "Александра", 5.0, 10.0)).text.endswith("…")


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("lang", ["ru", "en"])
def test_the_svg_is_sound_and_speaks_to_screen_readers(players, lang):
    done = sample(players)
    root = ElementTree.fromstring(draw_svg(done, lang=lang, game="7"))
    assert (root.get("width"), root.get("height"), root.get("role")) == ("297mm", "210mm", "img")
    told = root.find(f"{SVG}desc").text
    assert root.find(f"{SVG}title").text.startswith({"ru": "Пулька · игра 7", "en": "Pulka · game 7"}[lang])
    assert all(name in told for name in done.players)


def test_names_are_text_and_never_markup():
    done = prefxl.settle([0, 0], [1, 2], [[0, 3], [4, 0]], players=["<script>&\"'", "a\x00b\x0b\ud800]]>"])
    root = ElementTree.fromstring(draw_svg(done))
    assert not root.findall(f".//{SVG}script")
    assert "<script>&\"'" in "".join(root.itertext())


def test_the_png_is_the_svg_drawn():
    picture = draw_png(sample(), dpi=50)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    assert width == 585
    assert abs(height - 413) <= 1


def ink(picture):
    """Return how many bytes of the picture are not white: a rough measure of what is drawn."""
    data, at = b"", 8
    while at < len(picture):
        length = struct.unpack(">I", picture[at : at + 4])[0]
        if picture[at + 4 : at + 8] == b"IDAT":
            data += picture[at + 8 : at + 8 + length]
        at += length + 12
    return len(zlib.decompress(data)), len(data)


def test_cyrillic_letters_are_drawn_whatever_is_installed(monkeypatch):
    empty, named = (
        draw_png(prefxl.settle([0, 0], [1, 2], [[0, 3], [4, 0]], players=names), dpi=60)
        for names in ([" ", " "], ["Щукина", "Жаров"])
    )
    assert ink(named)[1] > ink(empty)[1] + 300


def test_a_picture_too_large_is_refused():
    with pytest.raises(OptionError, match="dpi must be 10 to 1200, not 5000"):
        draw_png(sample(), dpi=5000)


def cells(settlement, **options):
    book = openpyxl.load_workbook(io.BytesIO(draw_workbook(settlement, **options)))
    return book.active


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_worksheet_holds_every_number_as_a_number(players):
    done = sample(players)
    found = [cell.value for row in cells(done).iter_rows() for cell in row if cell.value is not None]
    numbers = [value for value in found if not isinstance(value, str)]
    for result, gora in zip(done.result_exact, done.final_gora, strict=True):
        assert float(result) in numbers
        assert float(gora) in numbers
    assert all(name in found for name in done.players)


def test_the_worksheet_prints_on_one_page():
    sheet = cells(sample())
    assert sheet.page_setup.orientation == "landscape"
    assert (sheet.page_setup.paperSize, sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) in [
        (9, 1, 1),
        (9, None, None),
    ]
    assert sheet.sheet_properties.pageSetUpPr.fitToPage


def test_struck_out_gora_is_struck_out_in_cells_too():
    struck = {(cell.value, bool(cell.font.strike)) for row in cells(sample()).iter_rows() for cell in row}
    assert {(12, True), (20, True), (15, False)} <= struck


def test_a_name_that_looks_like_a_formula_stays_text():
    done = prefxl.settle([0, 0], [1, 2], [[0, 3], [4, 0]], players=["=1+1", "@A1"])
    kinds = {
        cell.value: cell.data_type for row in cells(done).iter_rows() for cell in row if cell.value in ("=1+1", "@A1")
    }
    assert kinds == {"=1+1": "s", "@A1": "s"} or all(kind != "n" for kind in kinds.values())


def test_fractions_are_shown_as_fractions():
    done = prefxl.settle([0] * 3, [1, 2, 4], [[0] * 3] * 3, convention="sochi")
    formats = {cell.number_format for row in cells(done).iter_rows() for cell in row if isinstance(cell.value, float)}
    assert '"◇ +"# ?/?" ◇";"◇ −"# ?/?" ◇";"◇ "0" ◇"' in formats


@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG"), ("xlsx", b"PK")])
def test_the_ending_says_how_it_is_drawn(tmp_path, ending, begins):
    path = write_drawing(sample(), tmp_path / f"пулька.{ending}", game=7)
    assert path.read_bytes().startswith(begins)


def test_another_ending_is_told(tmp_path):
    with pytest.raises(OptionError, match=r"a pulka is drawn to \.svg, \.png, \.xlsx"):
        write_drawing(sample(), tmp_path / "pulka.bmp")


def test_the_settlement_draws_itself():
    assert sample().draw(lang="en") == draw_svg(sample(), lang="en")
