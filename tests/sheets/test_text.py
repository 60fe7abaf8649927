"""Text files: encodings, separators, quotes, lines that fall apart."""

import os
import threading

import pytest

import prefxl.sheets as sheets
from prefxl.errors import FileError, FileRefusedError
from prefxl.sheets import fast
from prefxl.sheets.content import Content
from prefxl.sheets.encoding import encoding_of
from prefxl.sheets.layouts import Wanted
from prefxl.sheets.text import check_lines, find_separator
from tests.sheets.samples import FIRST, LONG, WIDE, changed, csv_bytes, noted, scores, told

LATIN = [
    ["game", "player", "pulya", "gora", "whists_1", "whists_2"],
    [1, "Аня", 10, 4, None, 20],
    [1, "Жопя", 12, 6, 40, None],
]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "cp1251", "cp866", "koi8-r", "mac-cyrillic", "utf-16", "utf-16-le", "utf-16-be", "utf-32"],
)
@pytest.mark.parametrize("rows", [LONG, LONG[:4], WIDE], ids=["long", "one game", "wide"])
def test_every_encoding_is_found(encoding, rows):
    games = sheets.read(csv_bytes(rows, encoding=encoding))
    assert scores(games)[0] == FIRST
    assert told(games) == []


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r", "mac-cyrillic"])
def test_the_encoding_is_found_from_names_alone(encoding):
    games = sheets.read(csv_bytes(LATIN, encoding=encoding))
    assert games.names(0) == ["Аня", "Жопя"]
    assert [finding.found for finding in games.findings] == [encoding]


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r", "mac-cyrillic"])
@pytest.mark.parametrize(
    "names",
    [["вова", "егор", "аня", "миша"], ["юля", "юра"], ["эдик", "боря", "коля"], ["паша", "хомяков"]],
    ids=" ".join,
)
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_the_encoding_is_found_from_names_in_any_case_under_latin_headings(encoding, names, case):
    rows = [LATIN[0], *([1, case(name), 10, 4, None, None] for name in names)]
    games = sheets.read(csv_bytes(rows, encoding=encoding))
    assert games.names(0) == [case(name) for name in names]


def test_utf_8_is_no_news():
    assert noted(sheets.read(csv_bytes(LONG, encoding="utf-8-sig"))) == []


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_every_separator_is_found(separator):
    assert scores(sheets.read(csv_bytes(LONG, separator)))[0] == FIRST


def test_a_declared_separator_is_followed_and_counts_as_a_line():
    games = sheets.read(b"sep=;\r\n" + csv_bytes(LONG))
    assert scores(games)[0] == FIRST
    assert games.cell(0, "pulya", 0)[2] == "D3"


def test_a_separator_in_titles_does_not_mislead():
    title = "Клуб, сезон, 2026, зима, весна\n".encode()
    assert scores(sheets.read(title + csv_bytes(LONG)))[0] == FIRST


def test_headings_decide_over_evenness():
    assert find_separator(["Игрок;Пуля;Гора;Висты на 1", "А;1,5;2,5;3,5"]) == ";"


def test_decimal_commas_between_semicolons():
    games = sheets.read(csv_bytes(changed(LONG, {(2, 4): "10,5", (2, 5): "4,5"})))
    assert scores(games)[0][2:4] == ([10.5, 12, 14], [4.5, 6, 8])


def test_a_decimal_comma_in_quotes_between_commas():
    games = sheets.read(csv_bytes(changed(LONG, {(2, 4): '"10,5"'}), ","))
    assert scores(games)[0][2] == [10.5, 12, 14]


def test_a_decimal_comma_between_commas_is_one_finding_on_its_line():
    games = sheets.read(csv_bytes(changed(LONG, {(3, 5): "6,5"}), ","))
    assert told(games) == [("broken-line", "A3")]
    assert list(games.game) == [2]


def test_the_line_of_an_earlier_report_gives_no_result():
    games = sheets.read("game,player,pool,gora\n1,Иванов,10,5,4\n1,Петров,9,5\n".encode())
    assert told(games)[-2:] == [("broken-line", "A2"), ("none-good", "")]


def test_fields_left_out_at_the_end_are_empty():
    lines = csv_bytes(LONG).decode().replace(";\r\n", "\r\n")
    games = sheets.read(lines.encode())
    assert (scores(games)[0], told(games)) == (FIRST, [])


def test_a_line_cut_short_is_found():
    games = sheets.read(csv_bytes(LONG)[:-8])
    assert told(games) == [("broken-line", "A8")]
    assert list(games.game) == [1]


def test_empty_fields_beyond_the_heading_do_no_harm():
    data = csv_bytes(LONG).replace(b"\r\n", b";;\r\n") + b";;;;;;;;;;\r\n"
    assert scores(sheets.read(data))[0] == FIRST


@pytest.mark.parametrize("name", ['"Аня ""Кот"""', 'Аня "Кот"'])
def test_quotes_in_names(name):
    games = sheets.read(csv_bytes(changed(LONG, {(2, 3): name})))
    assert games.names(0)[0] == 'Аня "Кот"'


def test_a_remark_over_two_lines_keeps_the_lines_right():
    rows = [[*LONG[0], "Комментарий"], *([*row, None] for row in LONG[1:])]
    rows[1][-1] = '"дома\nу Пети"'
    games = sheets.read(csv_bytes(rows))
    assert games.own["Комментарий"].iloc[0] == "дома\nу Пети"
    assert games.cell(0, "pulya", 1)[2] == "D4"


def test_a_quote_nobody_closes_swallows_one_line_only():
    games = sheets.read(csv_bytes(changed(LONG, {(5, 2): '"05.01.2026'})))
    assert told(games)[0] == ("open-quote", "A5")
    assert 1 in list(games.game)


def test_only_line_feeds_end_lines():
    rows = [[*LONG[0], "Комментарий"], *([*row, "а\x0cб\u2028в"] for row in LONG[1:])]
    assert scores(sheets.read(csv_bytes(rows)))[0] == FIRST


def test_old_mac_line_ends():
    assert scores(sheets.read(csv_bytes(LONG).replace(b"\r\n", b"\r")))[0] == FIRST


@pytest.mark.parametrize("data", [b"", b" \r\n \r\n", b"\xef\xbb\xbf", b"\0" * 100])
def test_nothing_is_refused_as_empty(data):
    with pytest.raises(FileError, match="is empty"):
        sheets.read(data)


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(FileError, match="zero bytes"):
        sheets.read(bytes(range(1, 256)) * 3 + b"\0\0\0" + bytes(range(256)))


def test_a_line_without_end_is_refused():
    with pytest.raises(FileRefusedError, match="line 2 is longer than a megabyte"):
        check_lines(b"a;b\n" + b"x" * (3 << 20), "f.csv")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("least", [0, 1 << 20])
def test_a_spoilt_byte_costs_a_letter_and_not_the_file(monkeypatch, mark, least):
    monkeypatch.setattr(fast.read_fast, "__kwdefaults__", {"least": least})
    name = next(cell for cell in WIDE[1][2:] if isinstance(cell, str))
    data = mark + large().replace(name.encode(), name[:1].encode() + b"\xff" + name[2:].encode(), 1)
    games = sheets.read(data)
    assert len(games) == 399
    (finding,) = [one for one in games.findings if one.reason == "lost-letter"]
    assert (finding.cell, finding.severity) == ("A2", "warning")
    assert f"{name[:1]}\ufffd{name[2:]}" in finding.found
    assert noted(games) == []


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r", "mac-cyrillic"])
def test_an_old_encoding_is_not_taken_for_spoilt_utf_8(encoding):
    assert encoding_of(csv_bytes(LONG, encoding=encoding)) == encoding


def test_utf_16_without_a_mark():
    assert encoding_of("Игра;1;2\n".encode("utf-16-le")) == "utf-16-le"


def large(separator=";", encoding="utf-8", change=None):
    rows = [[*WIDE[0], "Стол"], *([number, *WIDE[1 + number % 2][1:], f"т{number % 3}"] for number in range(1, 400))]
    return csv_bytes(change(rows) if change else rows, separator, encoding)


def halves(rows):
    return [rows[0], *([*row[:5], "7,5", *row[6:]] for row in rows[1:])]


def ragged(rows):
    return [
        rows[0],
        *(
            [*row[:4], None, *row[5:7], None, *row[8:10], None, row[11], None, row[13], *[None] * 3, row[17]]
            for row in rows[1:]
        ),
    ]


def text_ids(rows):
    return [rows[0], *([f"00{row[0]}", *row[1:]] for row in rows[1:])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1251", "utf-16"])
@pytest.mark.parametrize("change", [None, halves, ragged, text_ids])
def test_the_fast_reader_gives_the_same_games(monkeypatch, encoding, change):
    data = large(encoding=encoding, change=change)
    careful = sheets.read(data)
    assert fast.read_fast(Content(data), "", Wanted(), [], least=0) is not None
    monkeypatch.setattr(fast.read_fast, "__kwdefaults__", {"least": 0})
    quick = sheets.read(data)
    assert scores(quick) == scores(careful)
    assert quick.own.equals(careful.own)
    assert list(quick.date) == list(careful.date)
    assert [finding.record() for finding in quick.findings] == [finding.record() for finding in careful.findings]
    assert quick.cell(7, "whists", 0, 1) == careful.cell(7, "whists", 0, 1)
    assert (quick.rows == careful.rows).all()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.replace("\r\n77;", "\r\n\r\n77;"),
        lambda text: text.replace("\r\n77;", "\r\n77;5;"),
        lambda text: text + text.split("\r\n")[0] + "\r\n",
        lambda text: text.replace("т1", '"т\n1"'),
        lambda text: "Клуб\r\n\r\n" + text,
        lambda text: text.replace("\r\n78;", "\r\n;Итого\r\n78;"),
    ],
    ids=["blank line", "field too many", "heading below", "line feed in quotes", "title", "short line"],
)
def test_what_is_not_plain_is_read_as_carefully_as_ever(monkeypatch, spoil):
    data = spoil(large().decode()).encode()
    careful = sheets.read(data)
    monkeypatch.setattr(fast.read_fast, "__kwdefaults__", {"least": 0})
    quick = sheets.read(data)
    assert scores(quick) == scores(careful)
    assert [finding.record() for finding in quick.findings] == [finding.record() for finding in careful.findings]
    assert (quick.rows == careful.rows).all()


@pytest.mark.parametrize(("encoding", "change"), [("utf-8", None), ("utf-8-sig", halves), ("cp1251", text_ids)])
@pytest.mark.parametrize("end", ["", "\r\n\r\n", "\r\n;;;;\r\n", ' "quoted"'])
def test_a_large_file_is_read_from_the_disk_as_from_memory(tmp_path, monkeypatch, encoding, change, end):
    monkeypatch.setattr("prefxl.sheets.sources.LEAST", 0)
    monkeypatch.setattr(fast.read_fast, "__kwdefaults__", {"least": 0})
    path = tmp_path / "season.csv"
    path.write_bytes(large(encoding=encoding, change=change) + end.encode())
    there, here = sheets.read(path), sheets.read(path.read_bytes())
    assert len(there) == 399
    assert scores(there) == scores(here)
    assert [told(there), noted(there)] == [told(here), noted(here)]
    assert (there.rows == here.rows).all()


def test_more_empty_lines_at_the_end_than_are_looked_at_are_no_games(tmp_path, monkeypatch):
    monkeypatch.setattr("prefxl.sheets.sources.LEAST", 0)
    monkeypatch.setattr(fast.read_fast, "__kwdefaults__", {"least": 0})
    path = tmp_path / "season.csv"
    path.write_bytes(large() + b"\r\n" * 40_000)
    assert scores(sheets.read(path)) == scores(sheets.read(large()))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="optional: there are no named pipes here")
def test_a_pipe_is_read_once(tmp_path):
    path = tmp_path / "season.csv"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(large(),))
    writer.start()
    assert len(sheets.read(path)) == 399
    writer.join()


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r", "mac-cyrillic"])
@pytest.mark.parametrize("names", [("Гена", "Анна"), ("Илья", "Ольга"), ("Марина", "Дима"), ("Пётр", "Женя")])
def test_the_encoding_of_names_alone_is_known_by_their_letters(encoding, names):
    head = ["igra", "Igrok 1", "Igrok 2", "Pulya 1", "Pulya 2", "Gora 1", "Gora 2", "Visty 1-2", "Visty 2-1"]
    games = sheets.read(csv_bytes([head, [1, *names, 6, 8, 15, 0, 0, 62]], encoding=encoding))
    assert games.names(0) == list(names)


@pytest.mark.parametrize("encoding", ["cp1251", "cp866", "koi8-r", "mac-cyrillic"])
def test_the_encoding_of_hard_spaces_alone_is_known_by_the_numbers(encoding):
    head = ["game", "player_1", "player_2", "pulya_1", "pulya_2", "gora_1", "gora_2", "whists_1_2", "whists_2_1"]
    games = sheets.read(csv_bytes([head, [1, "Ann", "Bob", 6, 8, 15, 0, "1\u00a0084", 62]], encoding=encoding))
    assert (scores(games)[0][4], told(games)) == ([[0, 1084], [62, 0]], [])
