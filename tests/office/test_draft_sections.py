"""A result that the two rows of a game tell differently, in a file of several sections: it stands in its own, at its
row, with the buttons of a file of one section, and holds up nobody else."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from director_desk import DORA, IDS, labels_of, look, press
from openpyxl import Workbook

from crosstable.office.reports import drafts, fixing

FACTS = [["Event", "New Year Swiss"], ["Date", "2025-12-27"], ["Time control", "G/60;d5"]]
HEAD = ["No.", "Name", "ID", "Rnd 1", "Rnd 2"]
#: In the second both say that they have won the first round; everybody's number stands in the others too
TABLES = {
    "Open": [("Ann Ames", "W2", "H"), ("Bo Muller", "L1", "U")],
    "U1600": [("Cy Poe", "W2", "H"), ("Dee Orr", "W1", "U")],
    "Reserve": [("Eve Fox", "W2", "U"), ("Flo Hall", "L1", "H")],
}
PEOPLE = {name: id_ for id_, (name, *_) in zip(IDS, (row for rows in TABLES.values() for row in rows), strict=False)}


def rows_of(title: str) -> list[list[str]]:
    return [[str(no), name, PEOPLE[name], *cells] for no, (name, *cells) in enumerate(TABLES[title], start=1)]


def as_text(rows: list[list[str]]) -> bytes:
    return "\n".join(",".join(row) for row in rows).encode()


def under_titles() -> tuple[bytes, str]:
    """One head, and the title of each section alone in a row."""
    rows = [*FACTS, ["Open"], HEAD, *rows_of("Open")]
    return as_text([*rows, ["U1600"], *rows_of("U1600"), ["Reserve"], *rows_of("Reserve")]), "titles.csv"


def in_a_column() -> tuple[bytes, str]:
    rows = [[title, *row] for title in TABLES for row in rows_of(title)]
    return as_text([*FACTS, ["Section", *HEAD], *rows]), "column.csv"


def on_sheets() -> tuple[bytes, str]:
    book = Workbook()
    book.remove(book.worksheets[0])
    for title in TABLES:
        sheet = book.create_sheet(title)
        for row in [*FACTS, HEAD, *rows_of(title)]:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue(), "sheets.xlsx"


@pytest.fixture(params=[under_titles, in_a_column, on_sheets])
def draft(ready: str, request: pytest.FixtureRequest) -> int:
    made: Callable[[], tuple[bytes, str]] = request.param
    number = drafts.start(DORA, *made()).id
    event = drafts.load(DORA, number).event
    assert event is not None
    for section in event.sections:
        if section.time_control is None:  # under one head it stands above the first section only
            fixing.mend(DORA, number, "time-control", {"section": str(section.number), "time_control": "G/60;d5"})
    return number


def results(number: int, section: int) -> list[tuple[int, int, int, str]]:
    event = drafts.load(DORA, number).event
    assert event is not None
    return [(one.round, one.white, one.black, one.result) for one in event.sections[section - 1].games]


def test_it_stands_in_its_section_and_the_others_can_be_sent(draft: int) -> None:
    seen = look(draft)
    assert [one.code for one in seen.findings if one.must] == []
    assert [(part.name, part.must) for part in seen.parts] == [("Open", 0), ("U1600", 1), ("Reserve", 0)]
    assert [part.name for part in seen.ready] == ["Open", "Reserve"]
    (clash,) = (one for one in seen.parts[1].rows[0].findings if one.must)
    assert labels_of(draft, clash) == ["Poe won", "It was a draw", "Orr won", "Not played"]
    assert [(row.cells[0].bad, row.cells[0].typed) for row in seen.parts[1].rows] == [(True, "W2"), (True, "W1")]
    assert [cell.bad for part in (seen.parts[0], seen.parts[2]) for row in part.rows for cell in row.cells] == [
        False
    ] * 8


def test_one_press_says_who_won(draft: int) -> None:
    press(draft, "result-clash", "Orr won")
    assert [part.must for part in look(draft).parts] == [0, 0, 0]
    assert [results(draft, number) for number in (1, 2, 3)] == [
        [(1, 1, 2, "1-0")],
        [(1, 1, 2, "0-1")],
        [(1, 1, 2, "1-0")],
    ]


def test_not_played_is_no_game(draft: int) -> None:
    press(draft, "result-clash", "Not played")
    assert [part.must for part in look(draft).parts][0::2] == [0, 0]
    assert "result-clash" not in {one.code for one in look(draft).all}
    assert results(draft, 2) == []


def test_a_result_said_by_hand_settles_it(draft: int) -> None:
    """Also in the words of the form that no finding asks for; the same game of another section says nothing
    about it.
    """
    values = {"round": "1", "one": "1", "other": "2", "score": "drew"}
    fixing.mend(DORA, draft, "result", {**values, "section": "1"})
    assert [part.must for part in look(draft).parts] == [0, 1, 0]
    fixing.mend(DORA, draft, "result", {**values, "section": "2"})
    assert [part.must for part in look(draft).parts] == [0, 0, 0]


def test_a_row_that_is_nobodys_names_its_line_in_its_section(ready: str) -> None:
    """Without a number it is no player's; it holds up its own section only."""
    rows = [*FACTS, ["Section", *HEAD], *(["Open", *row] for row in rows_of("Open"))]
    lost = ["U1600", "?", "Gil Ives", IDS[6], "W1", ""]
    number = drafts.start(DORA, as_text([*rows, *(["U1600", *row] for row in rows_of("Reserve")), lost]), "lost.csv").id
    seen = look(number)
    assert [(part.name, [one.words for one in part.findings if one.must]) for part in seen.parts] == [
        ("Open", []),
        ("U1600", ["Row 9: 'U1600 ? Gil Ives 30000007 W1'."]),
    ]
    assert [part.name for part in seen.ready] == ["Open"]


def test_a_clash_whose_players_are_not_known_cannot_be_passed_over(ready: str) -> None:
    """A list in which each player has a line of one game, and both have won: to leave that out would rate the first
    line.
    """
    lines = ["Player,Opponent,Result", "Ann,Bo,won", "Bo,Ann,won", "Cy,Di,won", "Di,Cy,lost"]
    number = drafts.start(DORA, "\n".join(lines).encode(), "sides.csv").id
    (clash,) = (one for one in look(number).all if one.code == "result-clash")
    assert (clash.must, clash.fixes) == (True, ())
    assert clash.advice == "Correct whichever of the two is wrong."
