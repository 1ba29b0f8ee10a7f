"""Sheets that once failed rate on the first try, with every game counted; what stays open is said in one line."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from crosstable import formats
from crosstable.formats import crosstable, table_cells
from crosstable.formats.base import Reading
from crosstable.formats.table_cells import Style, cell_of, style_of
from crosstable.words.places import place_text
from tests.formats.first_try_sheets import SHEETS
from tests.formats.strangers_sheets import SCORES

#: As `strangers_sheets` has them; Noor is new.
RATINGS = {"Grace": 1850, "Tom": 1720, "Ben": 1604, "Maya": 1488}
#: Styles that hold no ratings.
UNRATED = ("player and opponent", "each game from both sides", "no head, games", "points without titles")


def scores(reading: Reading) -> dict[str, float]:
    """Points in games of the first section, by the name that is in every spelling."""
    section = reading.event.sections[0]
    half_points = {player.number: 0 for player in section.players}
    for game in section.games:
        for number in (game.white, game.black):
            half_points[number] += crosstable.game_points(game, number)
    names = {player.number: player.name for player in section.players}
    return {name: half_points[number] / 2 for number, text in names.items() for name in SCORES if name in text}


@pytest.mark.parametrize("style", SHEETS)
def test_every_game_counts(style: str) -> None:
    reading = formats.read(SHEETS[style].encode(), "sheet")
    assert [finding for finding in reading.findings if finding.level == "error"] == []
    assert scores(reading) == SCORES
    assert len(reading.event.sections[0].games) == 6
    rated = {
        name: rating.rating
        for player in reading.event.sections[0].players
        for name in RATINGS
        for rating in player.ratings.values()
        if name in player.name
    }
    assert rated == ({} if style in UNRATED else RATINGS)


def test_ids_beside_names_and_ratings() -> None:
    for style in ("name, rating and id in one cell", "no head, ids and totals", "SwissPerfect, tabs"):
        players = formats.read(SHEETS[style].encode()).event.sections[0].players
        assert [player.id for player in players] == [f"3000000{number}" for number in range(1, 6)]


def test_a_title_between_players_begins_a_section() -> None:
    for line, name in (("Reserve Section", "Reserve Section"), ("The little ones", "The little ones")):
        text = SHEETS["two sections under one head"].replace("Reserve Section", line)
        first, second = formats.read(text.encode()).event.sections
        assert (first.name, len(first.players), second.name, len(second.players)) == ("Open Section", 5, name, 2)


def test_what_a_table_without_a_head_was_read_as_is_said() -> None:
    reading = formats.read(SHEETS["no head, ids and totals"].encode())
    (said,) = [finding for finding in reading.findings if finding.code == "head-guessed"]
    assert said.message == "no line names the columns; read as No., Name, ID, Rating, Rnd 1, Rnd 2, Rnd 3, Total."


@pytest.mark.parametrize(
    "text",
    [
        "1,Ann Ames,Bo Bird,1850,W2\n2,Cy Cole,Di Dean,1720,L1\n",  # whose names?
        "1,Ann Ames,1850,1760,W2\n2,Bo Bird,1720,1700,L1\n",  # which ratings?
        "1,Ann Ames,1850\n2,Bo Bird,1720\n",  # no games
    ],
)
def test_a_table_without_a_head_that_has_two_readings_is_not_guessed(text: str) -> None:
    (only,) = formats.read(text.encode()).findings
    assert only.advice.startswith("Name them: No., Name, ID, Rating, Rnd 1, Rnd 2")


def test_rows_of_a_table_without_a_head_are_counted_as_the_file_has_them() -> None:
    text = SHEETS["no head, tabs"].replace("1850\tW4", "1850\tW3")
    wrong = [finding.place for finding in formats.read(text.encode()).findings if finding.level == "error"]
    assert any((place.row, place.player, place.round) == (1, 1, 1) for place in wrong)


def test_two_sides_of_a_game_that_do_not_fit_are_an_error() -> None:
    text = SHEETS["each game from both sides"]
    clash = formats.read(
        text.replace("1,Maya Lindqvist,Grace Whitfield,Loss", "1,Maya Lindqvist,Grace Whitfield,Draw").encode()
    )
    assert [(f.code, place_text(f.place)) for f in clash.findings if f.level == "error"] == [("result-clash", "row 2")]
    lacking = formats.read(text.replace("1,Maya Lindqvist,Grace Whitfield,Loss\n", "").encode())
    assert [(f.code, place_text(f.place)) for f in lacking.findings if f.level == "error"] == [
        ("not-mirrored", "row 2")
    ]


@pytest.mark.parametrize(
    ("text", "others", "found"),
    [
        ("W41", ("B2½",), ("W", 4, "w")),
        ("W41", ("L2", "W12"), ("W", 41, "")),
        ("1/2", ("½/3",), ("W", 2, "")),
        ("1/2", ("W3",), ("H", 0, "")),
        ("30:+", (), ("X", 30, "")),
        ("0:=", (), ("H", 0, "")),
        ("W4 (1488)", (), ("W", 4, "")),
        ("1 (1488)", (), ("W", 1488, "")),
        ("1-0 12", (), ("W", 12, "")),
        ("Smith 0-1", (), ("L", 7, "")),
        ("1⁄2", (), ("H", 0, "")),
    ],
)
def test_cells_that_depend_on_how_the_table_writes(
    text: str, others: Sequence[str], found: tuple[str, int, str]
) -> None:
    cell = cell_of(text, style_of([text, *others], {"smith": 7}))
    assert cell is not None
    assert (cell.outcome, cell.opponent, cell.color) == found


@pytest.mark.parametrize("text", ["W4 (B)x", "1-0", "vs Smith", "4:Q", "W (1488) W", "1-0 Nobody"])
def test_what_is_no_game_is_still_not_guessed(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        cell_of(text, Style(names={"smith": 7}))


def test_an_all_play_all_of_two_games_each() -> None:
    """½1 against Tom and 11 against Ben: 3½ of four for Grace; Tom ½0 and ½½, Ben 00 and ½½."""
    text = "No,Name,Rtg,1,2,3,Tot\n1,Grace,1850,XX,½1,11,3½\n2,Tom,1720,½0,XX,½½,1½\n3,Ben,1604,00,½½,XX,1\n"
    reading = formats.read(text.encode())
    assert reading.ok
    assert scores(reading) == {"Grace": 3.5, "Tom": 1.5, "Ben": 1.0}
    assert len(reading.event.sections[0].games) == 6


def workbook(sheets: Sequence[tuple[str, Sequence[Sequence[object]]]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


ROUNDS: list[list[list[object]]] = [
    [["Grace", "1-0", "Maya"], ["Tom", "½-½", "Ben"]],
    [["Tom", "½-½", "Grace"], ["Ben", "1-0", "Noor"]],
    [["Grace", "1-0", "Ben"], ["Maya", "1-0", "Noor"]],
]


def test_a_sheet_for_each_round() -> None:
    head = ["White", "Result", "Black"]
    reading = formats.read(workbook([(f"Rd {turn}", [head, *rows]) for turn, rows in enumerate(ROUNDS, start=1)]))
    assert scores(reading) == SCORES
    assert [game.round for game in reading.event.sections[0].games] == [1, 1, 2, 2, 3, 3]


def test_a_sheet_of_players_beside_the_games_and_one_that_nobody_reads() -> None:
    players = [
        ["Name", "USCF ID", "Rating"],
        *([name, 30000001 + at, rating] for at, (name, rating) in enumerate(RATINGS.items())),
    ]
    games = [
        ["Round", "White", "Result", "Black"],
        *([turn, *row] for turn, rows in enumerate(ROUNDS, start=1) for row in rows),
    ]
    reading = formats.read(workbook([("How to", [["Fill in the blue cells"]]), ("Players", players), ("Games", games)]))
    assert scores(reading) == SCORES
    known = {
        player.name: (player.id, *(r.rating for r in player.ratings.values()))
        for player in reading.event.sections[0].players
    }
    assert known["Grace"] == ("30000001", 1850)
    assert known["Noor"] == ("",)
    assert [(f.code, place_text(f.place)) for f in reading.findings] == [("sheet-ignored", "sheet How to")]


def test_sheets_are_sections_and_give_them_their_names() -> None:
    table = [["No.", "Name", "Rd 1"], [1, "Ann Ames", "W2"], [2, "Bo Bird", "L1"]]
    sections = formats.read(workbook([("Open", table), ("U1200", table), ("Sheet3", table)])).event.sections
    assert [section.name for section in sections] == ["Open", "U1200", ""]


def test_ratings_behind_names() -> None:
    assert table_cells.rated_name("Ann Ames (1850P12)") == ("Ann Ames", "1850P12")
    assert table_cells.rated_name("Ann Ames (Dayton)") == ("Ann Ames (Dayton)", "")
