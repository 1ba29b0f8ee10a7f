"""What `rate` writes: never over its own file, all events in one result, and every warning said."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from crosstable.cli import main

GIVEN = ["--date", "2025-03-15", "--time-control", "G/60;d5"]
TABLE = """No,Name,ID,Rating,Rd 1,Rd 2,Rd 3,Total
1,"Carter, Anna",12345678,1500,W2,D3,W4,2.5
2,"Carter, Bob",12345679,1400,L1,W4,L3,1.0
3,"Cole, Cy",12345680,1300,W4,D1,W2,2.5
4,"Dole, Di",12345681,1200,L3,L2,L1,0
"""


@pytest.fixture
def two(tmp_path: Path) -> tuple[str, str]:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text(TABLE)
    second.write_text(TABLE.replace("Carter, Bob", "Brown, Bob"))
    return str(first), str(second)


@pytest.mark.parametrize("option", ["--html", "--xlsx"])
def test_the_file_that_is_rated_is_never_overwritten(
    two: tuple[str, str], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rate", *two, *GIVEN, option, two[1]]) == 2
    assert "is the file to rate; choose another name" in capsys.readouterr().err
    assert Path(two[1]).read_text().startswith("No,Name")


def test_all_events_go_into_one_page_and_one_workbook(
    two: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, book = tmp_path / "two.html", tmp_path / "two.xlsx"
    assert main(["rate", *two, *GIVEN, "--html", str(page), "--xlsx", str(book)]) == 0
    text = page.read_text()
    assert "<h1>a.csv</h1>" in text
    assert "<h1>b.csv</h1>" in text
    assert {"Carter, Bob", "Brown, Bob"} == {
        str(sheet["D3"].value) for sheet in load_workbook(book).worksheets
    }  # the second player of each
    said = capsys.readouterr().err
    assert f"{page}: written, 2 events" in said
    assert f"{book}: written, 2 events" in said


def test_the_csv_of_two_files_has_one_head_and_names_the_event(
    two: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rate", *two, *GIVEN, "--csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0][:2] == ["Event", "Section"]
    assert {row[0] for row in rows[1:]} == {"a.csv", "b.csv"}
    assert len({len(row) for row in rows}) == 1


def test_a_name_for_the_csv_is_refused_with_the_reason(
    two: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["rate", two[0], *GIVEN, "--csv", "o.csv"])
    assert "--csv prints to standard output" in capsys.readouterr().err


def test_warnings_of_the_checks_are_said(two: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(two[0]).write_text(TABLE.replace("W4,2.5", "W4,2.0"))
    assert main(["rate", two[0], *GIVEN]) == 0
    assert "the total is 2, the rounds give 2.5" in capsys.readouterr().err


def test_players_are_found_by_their_name_either_way(two: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rate", two[0], *GIVEN, "--explain", "anna carter"]) == 0
    assert "Carter, Anna (no. 1" in capsys.readouterr().out
    assert main(["rate", two[0], *GIVEN, "--explain", "carter"]) == 1
    assert "Carter, Anna (12345678); Carter, Bob (12345679)" in capsys.readouterr().err
    assert main(["rate", two[0], *GIVEN, "--explain", ""]) == 2
