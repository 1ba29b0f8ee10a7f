"""Every sheet of `strangers_sheets` rates on the first try, with the scores that its players made."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.cli import main
from crosstable.formats.games import head_of
from crosstable.formats.table_cells import Style, cell_of
from tests.formats.strangers_sheets import NAMES_AS_HEADS, NAMES_SCORES, SCORES, TEXTS, books

BOOKS = books()


def scores(path: Path, names: dict[str, float], capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    """The score in rated games of each player, by the name that all spellings have."""
    status = main(["rate", str(path), "--json", "--date", "2025-08-02", "--time-control", "G/90;d5"])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    rows = json.loads(captured.out)["ratings"]
    return {name: row["score"] for row in rows for name in names if name in row["name"]}


@pytest.mark.parametrize("style", TEXTS)
def test_text_sheets(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, text = tmp_path / "sheet.csv", TEXTS[style]
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert scores(path, SCORES, capsys) == SCORES


@pytest.mark.parametrize("style", BOOKS)
def test_workbooks(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(BOOKS[style])
    assert scores(path, SCORES, capsys) == SCORES


def test_names_as_heads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(NAMES_AS_HEADS)
    assert scores(path, NAMES_SCORES, capsys) == NAMES_SCORES


def test_there_are_more_than_twenty() -> None:
    assert len(TEXTS) + len(BOOKS) > 20


def test_a_column_of_sections_makes_sections() -> None:
    text = TEXTS["a column for the section"]
    assert isinstance(text, str)
    open_, reserve = formats.read(text.encode()).event.sections
    assert (open_.name, len(open_.players), reserve.name, len(reserve.players)) == ("Open", 5, "Reserve", 2)


def test_without_white_and_black_nobody_has_a_colour() -> None:
    text = TEXTS["two players and a result"]
    assert isinstance(text, str)
    assert not formats.read(text.encode()).event.sections[0].colors


@pytest.mark.parametrize(
    "text",
    ["4", "W", "W 4 x", "W Nobody", "2 (4)", "bye bye", "4 w", "1 point", "Grace"],
)
def test_what_is_no_result_is_not_guessed(text: str) -> None:
    """An opponent without a result, a result without an opponent, a colour alone, names that nobody has."""
    with pytest.raises(ValueError, match=re.escape(text)):
        cell_of(text, Style(names={"ann": 4}))


def test_points_without_opponents_are_an_error() -> None:
    reading = formats.read(b"No,Name,Rating,Rd 1,Rd 2\n1,Ann,1500,1,0.5\n2,Bob,1400,0,0.5\n")
    assert "nothing-played" in {finding.code for finding in reading.findings}
    assert not reading.ok


def test_a_head_needs_both_sides() -> None:
    assert head_of(["White", "Result"]) is None
    assert head_of(["White", "Black"]) is None
    assert head_of(["White", "Rtg", "Black", "Rtg", "Result"]) == {
        "white_rating": 1, "black_rating": 3, "white": 0, "black": 2, "result": 4,
    }  # fmt: skip


def test_lines_above_tables_name_the_event_and_its_sections() -> None:
    table = "Name,Rating,R1,R2\nAda,1500,W2,D2\nBo,1400,L1,D1\n"
    reading = formats.read(f'Fall Quads,"Akron, OH",11/8/2025\nQuad A\n{table}\nQuad B\n{table}'.encode())
    event = reading.event
    assert (event.name, event.city, event.state, str(event.start)) == ("Fall Quads", "Akron", "OH", "2025-11-08")
    assert [section.name for section in event.sections] == ["Quad A", "Quad B"]
    assert "line-ignored" not in {finding.code for finding in reading.findings}
