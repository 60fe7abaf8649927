"""The command line as its users meet it: what is printed, written, refused, and the exit code."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import click
import openpyxl
import pytest
from click.testing import CliRunner

from prefxl.cli.app import COMMANDS, application

ROOT = Path(__file__).parents[2]
SHEETS = ROOT / "tests" / "cases" / "sheets"

BAD = """game;player_1;player_2;player_3;pulya_1;pulya_2;pulya_3;gora_1;gora_2;gora_3;whists_1_2
1;A;B;C;20;20;20;1;2;3;10
2;A;B;C;20;20;x;1;2;3;10
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def prefxl(*arguments, given=None):
    """Run the command; a traceback would be an exception, and fails the test."""
    done = CliRunner().invoke(application, [str(argument) for argument in arguments], input=given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def results(path):
    with open(path, encoding="utf-8-sig", newline="") as stream:
        return {(row["game"], row["player"]): row["result_exact"] for row in csv.DictReader(stream)}


@pytest.mark.parametrize("name", sorted(json.loads((SHEETS / "expected.json").read_text("utf-8"))))
@pytest.mark.parametrize("convention", ["rozaliev", "leningrad", "sochi"])
def test_every_sheet_settles_to_the_expected_results(name, convention):
    done = prefxl("settle", SHEETS / name, "--convention", convention, "-o", "out.csv", "--quiet")
    assert done.exit_code == 0, done.output
    expected = {
        (str(game["game"]), player): str(result)
        for game in json.loads((SHEETS / "expected.json").read_text("utf-8"))[name]
        for player, result in zip(game["players"], game[convention], strict=True)
    }
    assert results("out.csv") == expected


def test_a_csv_becomes_a_workbook_beside_it_and_nothing_is_written_over():
    shutil.copy(ROOT / "templates" / "season.csv", "season.csv")
    before = Path("season.csv").read_bytes()
    first = prefxl("settle", "season.csv")
    assert first.exit_code == 0
    assert "season-settled.xlsx" in first.output
    written = Path("season-settled.xlsx").read_bytes()
    again = prefxl("settle", "season.csv")
    assert again.exit_code == 2
    assert "--overwrite" in again.output
    assert Path("season-settled.xlsx").read_bytes() == written
    assert Path("season.csv").read_bytes() == before
    assert prefxl("settle", "season.csv", "--overwrite").exit_code == 0


def test_the_input_is_never_the_output():
    Path("bad.csv").write_text(BAD, "utf-8")
    done = prefxl("settle", "bad.csv", "-o", "bad.csv", "--overwrite")
    assert done.exit_code == 2
    assert Path("bad.csv").read_text("utf-8") == BAD


def test_a_bad_cell_costs_its_game_only_and_is_told_with_its_place():
    Path("bad.csv").write_text(BAD, "utf-8")
    done = prefxl("settle", "bad.csv", "-o", "out.csv", "--lang", "en")
    assert done.exit_code == 1
    assert "bad.csv!G3" in done.output
    assert {game for game, _ in results("out.csv")} == {"1"}


def test_strict_writes_nothing_where_a_person_should_look():
    Path("bad.csv").write_text(BAD, "utf-8")
    assert prefxl("settle", "bad.csv", "-o", "out.csv", "--strict").exit_code == 2
    assert not Path("out.csv").exists()


def test_a_file_that_is_not_there_is_one_sentence():
    done = prefxl("settle", "nothing.csv")
    assert done.exit_code == 2
    assert "nothing.csv" in done.output


def test_a_file_without_a_game_settles_to_exit_code_2_and_writes_nothing():
    Path("letter.txt").write_text("Привет!\nКак дела?\n", "utf-8")
    assert prefxl("settle", "letter.txt").exit_code == 2
    assert [path.name for path in Path().iterdir()] == ["letter.txt"]


@pytest.mark.parametrize(("lang", "said"), [("en", "nothing written"), ("ru", "ничего не записано")])
def test_a_season_of_which_nothing_could_be_settled_says_that_nothing_was_written_and_where_to_look(lang, said):
    Path("bad.csv").write_text("\n".join([*BAD.splitlines()[::2], ""]), "utf-8")
    done = prefxl("settle", "bad.csv", "--lang", lang, "-o", "out.xlsx")
    assert done.exit_code == 2
    assert said in done.output
    assert "prefxl check" in done.output
    assert [path.name for path in Path().iterdir()] == ["bad.csv"]


def test_several_files_are_one_season_and_one_of_them_may_be_broken():
    shutil.copy(SHEETS / "season-long-utf8bom.csv", "a.csv")
    shutil.copy(SHEETS / "season-wide-cp1251.csv", "b.csv")
    Path("c.xlsx").write_bytes(b"PK\x03\x04 no workbook at all")
    done = prefxl("settle", "a.csv", "b.csv", "c.xlsx", "-o", "out.csv")
    assert done.exit_code == 1
    assert len({game for game, _ in results("out.csv")}) == 85
    assert "c.xlsx" in done.output


def test_files_of_one_name_are_told_apart_by_their_folders():
    for year, game in (("2025", "1"), ("2026", "7")):
        Path(year).mkdir()
        Path(year, "may.csv").write_text(BAD.replace("\n1;", f"\n{game};").replace("\n2;", f"\n{game}0;"), "utf-8")
    done = prefxl("settle", "2025/may.csv", "2026/may.csv", "-o", "s.xlsx", "--lang", "en")
    assert "2025/may.csv!G3: error" in done.output
    assert "2026/may.csv!G3: error" in done.output
    rules = {row[0]: row[1] for row in openpyxl.load_workbook("s.xlsx")["Rules"].iter_rows(values_only=True)}
    assert rules["From"] == "2025/may.csv\n2026/may.csv"


def test_each_file_by_itself_with_no_season():
    for name in ("a.csv", "b.csv"):
        shutil.copy(SHEETS / "season-long-utf8bom.csv", name)
    assert prefxl("settle", "a.csv", "b.csv", "--no-season").exit_code == 0
    assert {path.name for path in Path().glob("*.xlsx")} == {"a-settled.xlsx", "b-settled.xlsx"}


def test_standard_input_is_read():
    done = prefxl("settle", "-", "-o", "out.csv", given=BAD.encode())
    assert done.exit_code == 1
    assert {game for game, _ in results("out.csv")} == {"1"}


def test_money_is_told_with_its_sign():
    done = prefxl("settle", ROOT / "templates" / "season.csv", "-o", "out.xlsx", "--stake", "0,5", "--currency", "₽")
    assert done.exit_code == 0
    assert "₽" in done.output


@pytest.mark.parametrize(
    ("option", "value"), [("--convention", "bridge"), ("--rounding", "up"), ("--stake", "x"), ("--target", "y")]
)
def test_an_option_that_means_nothing_is_one_sentence(option, value):
    done = prefxl("settle", ROOT / "templates" / "season.csv", "-o", "out.csv", option, value)
    assert done.exit_code == 2
    assert value in done.output
    assert not Path("out.csv").exists()


def test_whists_among_payments_in_money_are_called_so_and_no_minor_unit_is_lost():
    sheet = BAD.replace(";x;", ";20;").replace("whists_1_2", "whists_1_2;stake")
    Path("in.csv").write_text(sheet.replace("1;2;3;10", "1;2;3;10;0.0125", 1), "utf-8")
    printed = prefxl("settle", "in.csv", "--lang", "en", "--minor-units", "4").output
    assert "B → A: 0.1125\n" in printed
    assert "+0.25" in printed
    assert "B → A: 9 (whists)\n" in printed


def test_where_live_has_no_workbook_to_write_formulas_into_it_is_said():
    shutil.copy(ROOT / "templates" / "season.csv", "season.csv")
    assert "--live" in prefxl("settle", "season.csv", "--live", "--quiet").output
    done = prefxl("settle", "season-settled.xlsx", "--live", "--quiet")
    assert "--live" not in done.output


def test_check_prints_json_with_the_fixed_fields():
    Path("bad.csv").write_text(BAD, "utf-8")
    done = CliRunner().invoke(application, ["check", "bad.csv", "--json", "--lang", "en"])
    assert done.exit_code == 1
    errors = [finding for finding in json.loads(done.stdout) if finding["severity"] == "error"]
    assert list(errors[0]) == ["reason", "severity", "file", "sheet", "cell", "found", "expected", "message"]
    assert (errors[0]["reason"], errors[0]["cell"], errors[0]["found"]) == ("not-a-number", "G3", "x")


def test_check_prints_csv():
    Path("bad.csv").write_text(BAD, "utf-8")
    done = CliRunner().invoke(application, ["check", "bad.csv", "--format", "csv", "--quiet"])
    assert [row["cell"] for row in csv.DictReader(done.stdout.splitlines())] == ["G3"]


def test_explain_works_one_game_by_hand():
    done = prefxl("explain", SHEETS / "club.xlsx", "--game", "Янв-1")
    assert done.exit_code == 0
    assert "Амнистия" in done.output


def test_explain_asks_which_game():
    done = prefxl("explain", SHEETS / "club.xlsx")
    assert done.exit_code == 2
    assert "--game" in done.output


def test_standings_tell_share_best_worst_and_form():
    printed = prefxl("standings", ROOT / "templates" / "season.csv", "--lang", "en").output.splitlines()
    heading = next(at for at, line in enumerate(printed) if "rank" in line)
    assert printed[heading].split()[-4:] == ["share", "best", "worst", "form"]
    assert printed[heading + 2].split()[-4:] == ["60%", "+381", "−135", "▲▼▲▼▲"]


def test_standings_are_ranked_and_go_into_json():
    done = CliRunner().invoke(application, ["standings", str(SHEETS / "club.xlsx"), "--json"])
    data = json.loads(done.stdout)
    assert [row["rank"] for row in data["standings"]] == [1, 2, 3, 4, 5, 6]
    assert sum(row["sum"] for row in data["standings"]) == 0


def test_conventions_are_listed_in_both_languages():
    assert "Розалиев" in prefxl("conventions", "--lang", "ru").output
    assert "rozaliev" in prefxl("conventions", "--json").output


def test_a_template_is_written_and_settles():
    assert prefxl("template", "season.csv").exit_code == 0
    assert prefxl("settle", "season.csv").exit_code == 0


def options_of(command, path=()):
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from options_of(command.get_command(click.Context(command), name), (*path, name))
        return
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield " ".join(path), max(parameter.opts, key=len)


def test_every_command_and_option_is_in_the_readme():
    readme = (ROOT / "README.md").read_text("utf-8")
    missing = [f"prefxl {command}" for command in COMMANDS if f"prefxl {command}" not in readme]
    missing += sorted({option for _, option in options_of(application) if f"`{option}" not in readme})
    assert not missing


#: What the README calls commands by what they do.
TOGETHER = {
    "all": {*COMMANDS, "excel doctor", "excel install", "excel addin"} - {"excel"},
    "all that read": {"settle", "check", "explain", "compare", "standings"},
    "all that write": {"settle", "check", "explain", "compare", "template", "excel addin"},
}


def test_every_command_has_the_options_the_readme_says_it_has_and_no_other():
    having = {}
    for command, option in options_of(application):
        having.setdefault(option, set()).add(command)
    told, last = {}, set()
    for options, of in re.findall(r"^\| (`--[^|]*)\| ([^|]*?) \|", (ROOT / "README.md").read_text("utf-8"), re.M):
        last = last if of == "the same" else TOGETHER.get(of) or set(of.split(", "))
        told |= dict.fromkeys(re.findall(r"(--[a-z-]+)", options), last)
    for told_apart in ("--no-season", "--no-elo"):
        told.pop(told_apart, None)
    assert told == having


@pytest.mark.parametrize("name", ["bad.csv", "bad.xlsx"])
def test_a_marked_copy_has_the_bad_cell_tinted_and_noted_and_the_rest_as_it_was(name):
    rows = [line.split(";") for line in BAD.splitlines()]
    if name == "bad.csv":
        Path(name).write_text(BAD, "utf-8")
    else:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append([int(cell) if cell.isdecimal() else cell for cell in row])
        book.save(name)
    before = Path(name).read_bytes()
    assert prefxl("check", name, "-o", "marked.xlsx").exit_code == 1
    sheet = openpyxl.load_workbook("marked.xlsx").active
    assert [[str(cell.value) for cell in row] for row in sheet.iter_rows()] == rows
    assert sheet["G3"].fill.fgColor.rgb != sheet["G2"].fill.fgColor.rgb
    assert "x" in sheet["G3"].comment.text
    assert Path(name).read_bytes() == before


def test_a_marked_copy_has_the_ending_it_must_have():
    Path("bad.csv").write_text(BAD, "utf-8")
    done = prefxl("check", "bad.csv", "-o", "marked.csv")
    assert done.exit_code == 2
    assert ".xlsx" in done.output


def test_compare_shows_where_another_convention_names_another_winner():
    done = prefxl("compare", SHEETS / "club.xlsx")
    assert done.exit_code == 0
    first = next(line for line in done.output.splitlines() if "Фев-2" in line)
    assert "другой победитель" in first
    assert "+229" in first


def test_compare_with_every_rounding_goes_into_a_file():
    done = prefxl("compare", SHEETS / "club.xlsx", "--roundings", "-o", "compared.csv")
    assert done.exit_code == 0
    with open("compared.csv", encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert {row["game"] for row in rows[:3]} == {"Фев-2"}
    assert rows[0]["leningrad/balanced"]


def test_explain_draws_the_pulka(tmp_path):
    done = prefxl("explain", SHEETS / "club.xlsx", "-g", "Янв-1", "--svg", "a.svg", "--png", "a.png", "-o", "a.xlsx")
    assert done.exit_code == 0
    assert "Янв-1" in Path("a.svg").read_text("utf-8")
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")
    assert openpyxl.load_workbook("a.xlsx").active.max_row > 5
    assert prefxl("explain", SHEETS / "club.xlsx", "-g", "Янв-1", "--svg", "a.svg").exit_code == 2


def test_a_dry_run_does_not_mind_that_the_output_is_there():
    shutil.copy(SHEETS / "club.xlsx", "club.xlsx")
    Path("club-settled.xlsx").write_bytes(b"mine")
    done = prefxl("settle", "club.xlsx", "--dry-run")
    assert done.exit_code < 2
    assert Path("club-settled.xlsx").read_bytes() == b"mine"


def test_a_folder_in_place_of_a_file_is_said_in_a_sentence():
    done = prefxl("settle", ".", "--dry-run")
    assert done.exit_code == 2
    assert "Traceback" not in done.output
    assert "fault in prefxl" not in done.output


@pytest.mark.parametrize("given", [".", "games", "games/", "games/.."])
@pytest.mark.parametrize("command", ["settle", "check", "standings"])
def test_a_folder_is_named_and_what_to_give_in_its_place_is_said(command, given):
    Path("games").mkdir()
    name = "games" if given.startswith("games") and ".." not in given else Path.cwd().name
    done = prefxl(command, given, "--lang", "en")
    assert done.exit_code == 2
    assert f"{name} is a folder" in done.output
    assert f"{name}/*" in done.output
