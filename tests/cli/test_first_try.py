"""A director with a file of their own: what was understood is said, findings are short, and answers come as files."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.model import Event, Finding, Level, Place
from crosstable.words.findings import grouped
from tests.desk_files import FILES

SHEET = """No,Name,ID,Rating,Rd 1,Rd 2,Rd 3
1,Ada Example,12345678,1500,W2,D3,
2,Bo Muller,12345679,1400,L1,,W3
3,Cy Zed,12345670,,,D1,L2
"""
GIVEN = ["--date", "8/2/2025..8/3/2025", "--time-control", "G/90;d5"]
PAGES = ["B-allrated-8", "D-many_unrated-7", "Q-some_unrated-9", "R-many_unrated-1"]


def test_what_was_understood_is_said(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--name", "Club night", "--city", "Dayton", "--state", "OH"]) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"{sheet}: Club night, 2025-08-02 to 2025-08-03, Dayton, OH\n")
    assert "3 players, 3 games, G/90;d5 (90 minutes and 5 seconds a move), rated in OTBR" in said
    assert "unrated in OTBR: Cy Zed from 750" in said  # 2025 §2.3: 750 without a birth date
    assert said.count(sheet) == 1


@pytest.mark.parametrize(
    ("option", "start"),
    [
        (["--adult", "12345670"], 1300),  # 2025 §2.3: an adult's 1300
        (["--adult", "zed"], 1300),
        # 2025 §2.3: 50 × age, and on 2025-08-03 an age of 5,479 days / 365.25 = 15.0007 years
        (["--born", "12345670=2010-08-03"], 50 * 5479 / 365.25),
    ],
)
def test_unrated_players_get_an_age(sheet: str, option: list[str], start: float, capsys) -> None:
    assert main(["rate", sheet, *GIVEN, *option, "--json"]) == 0
    row = next(row for row in json.loads(capsys.readouterr().out)["ratings"] if row["id"] == "12345670")
    assert row["initialized"]
    assert row["prior"] == pytest.approx(start)


def test_an_age_for_nobody_is_an_error(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--adult", "Zoe"]) == 1
    assert "[nobody-of-that-name]" in capsys.readouterr().err


def test_many_of_a_kind_are_one_line() -> None:
    many = [
        Finding(Level.WARNING, "missing-name", Place(section=1, players=(n,)), "no name.", "Add it.") for n in range(54)
    ]
    (line,) = grouped(many)
    assert str(line) == (
        "warning: 54 times: no name. section 1, player 0; section 1, player 1; section 1, player 2; and 51 more. "
        "Add it. [missing-name]"
    )


@pytest.mark.shared
@pytest.mark.parametrize("page", PAGES)
def test_published_pages_are_short_and_beside_ours(shared: Path, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = shared / "samples" / "crosstable-text" / f"{page}.txt"
    assert main(["rate", str(path), "--date", "2014-06-01"]) == 0
    captured = capsys.readouterr()
    assert len(captured.err.splitlines()) < 15
    assert "on the page" in captured.out


@pytest.mark.shared
def test_every_sample_rates_or_says_what_to_add(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted((shared / "samples" / "trf").iterdir()):
        status = main(["rate", str(path)])
        said = capsys.readouterr().err
        last = said.splitlines()[-1]
        dated = "no date" not in said.splitlines()[0]
        assert status == 0 or ("try again with" in last and ("--date" in last) is not dated), path.name


def test_csv_has_a_row_for_each_player(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "Section,No.,ID,Name,Score,Pool,Before,Games before,After,Games after"
    assert [row.split(",")[3] for row in rows] == ["Ada Example", "Bo Muller", "Cy Zed"]


def test_xlsx_and_html_are_files(sheet: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from openpyxl import load_workbook

    book, page = tmp_path / "out.xlsx", tmp_path / "out.html"
    assert main(["rate", sheet, *GIVEN, "--xlsx", str(book), "--html", str(page)]) == 0
    assert capsys.readouterr().out == ""
    rows = list(load_workbook(book).worksheets[0].iter_rows(values_only=True))
    assert [row[3] for row in rows] == ["Name", "Ada Example", "Bo Muller", "Cy Zed"]
    text = page.read_text(encoding="utf-8")
    assert "<details>" in text
    assert "beat #2 Bo Muller" in text.replace("Beat", "beat")
    assert "http" not in text  # nothing is fetched from elsewhere
    assert "src=" not in text


def test_each_row_adds_up_with_its_byes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Ann: a win and half a point; Cy: a bye, and one more in a round in which nobody played."""
    path, page = tmp_path / "sheet.csv", tmp_path / "out.html"
    path.write_text(
        "No,Name,Rating,Rd 1,Rd 2,Rd 3\n1,Ann,1850,W2,H,U\n2,Bo,1720,L1,W3,U\n3,Cy,1500,B,L2,B\n", encoding="utf-8"
    )
    assert main(["rate", str(path), *GIVEN]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "Ann", "W", "2", "H", "1.5"] in [row[:6] for row in rows]
    assert ["3", "Cy", "B", "L", "2", "B", "2.0"] in [row[:7] for row in rows]
    assert main(["rate", str(path), *GIVEN, "--html", str(page)]) == 0
    assert "<td>Cy</td><td>B</td><td>L 2</td><td>B</td><td>2</td>" in page.read_text(encoding="utf-8")


def test_names_in_a_page_are_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / "sheet.csv", tmp_path / "out.html"
    path.write_text(SHEET.replace("Bo Muller", "<script>alert(1)</script>"))
    assert main(["rate", str(path), *GIVEN, "--html", str(page)]) == 0
    assert "<script>" not in page.read_text(encoding="utf-8")


def test_the_text_crosstable_has_the_new_ratings(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--json"]) == 0
    ada = json.loads(capsys.readouterr().out)["ratings"][0]
    assert main(["rate", sheet, *GIVEN, "--text"]) == 0
    out = capsys.readouterr().out
    assert f"12345678 / R: 1500   ->{ada['published']:>4}" in out


@pytest.mark.parametrize("who", ["12345679", "2", "Bo Muller", "mull", "BO"])
def test_explain_takes_a_name_or_part_of_one(sheet: str, who: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--explain", who]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Bo Muller (no. 2")
    assert "#1 Ada Example" in " ".join(out.split())


def test_explain_says_if_nobody_or_several_are_meant(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, *GIVEN, "--explain", "zoe"]) == 1
    assert "is not the ID, pairing number or name of a player" in capsys.readouterr().err
    assert main(["rate", sheet, *GIVEN, "--explain", "e"]) == 1
    assert "several players" in capsys.readouterr().err


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Stream:
        buffer = io.BytesIO(SHEET.encode())

    monkeypatch.setattr("sys.stdin", Stream)
    assert main(["rate", "-", *GIVEN, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["ratings"]) == 3


@pytest.mark.parametrize("text", ["2025-08-02", "8/2/2025", "Aug 2 2025", "August 2, 2025", "2 Aug 2025", "2.8.2025"])
def test_dates_as_people_type_them(sheet: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet, "--date", text, "--time-control", "G/90;d5"]) == 0
    assert "2025-08-02" in capsys.readouterr().err


def test_a_report_says_what_us_chess_will_ask_for(
    sheet: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["convert", sheet, str(tmp_path / "out.zip"), "--date", "2025-08-02", "--name", "Club night"]) == 0
    said = capsys.readouterr().err
    for option in ("--city", "--state", "--affiliate", "--chief-td", "--time-control"):
        assert option in said
    assert "--name" not in said
    full = ["--city", "Dayton", "--state", "OH", "--affiliate", "A6012345", "--chief-td", "12345678", *GIVEN]
    assert main(["convert", sheet, str(tmp_path / "out.zip"), "--name", "Club night", *full]) == 0
    assert "US Chess asks for" not in capsys.readouterr().err


def test_estimate_needs_no_games(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--opponents", "1700,1650,1580", "--score", "2", "--on", "8/2/2025", "--json"]
    assert main(["estimate", "--rating", "1643", *given]) == 0
    assumed = capsys.readouterr()
    assert "26 games" in assumed.err
    assert main(["estimate", "--rating", "1643", "--games", "26", *given]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(assumed.out)


def test_estimate_for_unrated_players(capsys: pytest.CaptureFixture[str]) -> None:
    # 2025 §4.1 with N' = 0: one win and one loss against 1500 and 1500 leave the performance at 1500
    assert main(["estimate", "--opponents", "1500,1500", "--score", "1", "--on", "2025-08-02", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["published"] == 1500
    assert "the start is 750" in captured.err
    assert main(["estimate", "--rating", "1500", "--opponents", "unr,1500", "--score", "1", "--on", "2025-08-02"]) == 0
    assert "unrated opponents count as 750" in capsys.readouterr().err


def test_a_time_control_that_contradicts_the_page_is_an_error_that_names_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = str(FILES / "open.txt")
    assert main(["rate", page, "--date", "2014-06-01", "--time-control", "G/5;d0"]) == 1
    assert "the page shows OTBR ratings, but 'G/5;d0' is OTBB" in capsys.readouterr().err


def test_a_missing_date_hides_no_missing_time_control(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", sheet]) == 1
    said = capsys.readouterr().err
    assert "[missing-date]" in said
    assert "error: section 1: the time control is missing. Enter it, for example G/60;d5." in said
    assert main(["rate", sheet, "--time-control", "G/6O;d5"]) == 1
    said = capsys.readouterr().err
    assert "[missing-date]" in said
    assert "[unreadable-time-control]" in said


def test_the_page_says_the_time_control_and_opens_its_derivations_on_paper(sheet: str, tmp_path: Path) -> None:
    out = tmp_path / "rated.html"
    assert main(["rate", sheet, *GIVEN, "--html", str(out)]) == 0
    page = out.read_text()
    about = "2025-08-02 to 2025-08-03, G/90;d5 (90 minutes and 5 seconds a move), rated in OTBR (Regular)"
    assert f"<p>{about}</p>" in page
    assert "@media print{details::details-content{content-visibility:visible" in page


def test_a_perfect_score_here_is_not_what_chooses_the_formula(sheet: str, capsys: pytest.CaptureFixture[str]) -> None:
    """2025 §4.1: the special formula is for who had 8 games or fewer before, or only wins or only losses."""
    assert main(["rate", sheet, *GIVEN, "--explain", "12345678"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The record before this event decides: 26 games, more than 8, and these earlier games were neither" in said
    assert "So it is the standard formula, whatever the score here." in said


@pytest.mark.parametrize("who", ["Cy Zed", "zed", "3"])
def test_who_has_no_id_can_be_named_where_an_age_is_asked_for(who: str, tmp_path: Path, capsys) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text("Name,Rating,Rd 1,Rd 2,Rd 3\nAda Example,1500,W2,D3,\nBo Muller,1400,L1,,W3\nCy Zed,,,D1,L2\n")
    assert main(["rate", str(path), *GIVEN]) == 0
    offer = "age unknown: Cy Zed; --born WHO=DATE or --adult WHO (id, number or name) gives another start"
    assert offer in capsys.readouterr().err
    assert main(["rate", str(path), *GIVEN, "--adult", who, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["ratings"][2]["prior"] == 1300  # 2025 §2.3: an adult's 1300


def test_players_that_an_office_names_by_id_are_told_by_name() -> None:
    event = Event.of("Club", games=[("30000001", "30000002", 1)], on="2025-08-02")
    (section,) = event.sections
    players = (replace(section.players[0], name="Lee, Ann"), section.players[1])
    event = replace(event, sections=(replace(section, players=players),))
    new = [Finding(Level.NOTICE, "new-player", Place(id=one.id), "not in the ledger yet.", "") for one in players]
    told = [line.text for line in grouped(new, event)]
    assert told == ["Ann Lee (30000001): not in the ledger yet.", "30000002 (30000002): not in the ledger yet."]


def test_an_explanation_does_not_keep_files_from_being_written(sheet: str, tmp_path: Path, capsys) -> None:
    page, book = tmp_path / "out.html", tmp_path / "out.xlsx"
    assert main(["rate", sheet, *GIVEN, "--explain", "Ada", "--html", str(page), "--xlsx", str(book), "--csv"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Ada Example (no. 1")
    assert "12345679,Bo Muller" in said or "Bo Muller,12345679" in said
    assert "Bo Muller" in page.read_text(encoding="utf-8")
    assert book.stat().st_size
    assert main(["rate", sheet, *GIVEN, "--explain", "Ada", "--text"]) == 0
    assert "BO MULLER" in capsys.readouterr().out.upper()
