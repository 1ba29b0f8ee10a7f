"""Every sheet of `strangers_sheets` rates on the first try, with the scores that its players made."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.cli import main
from crosstable.formats import archive
from crosstable.formats.game_heads import head_of
from crosstable.formats.table_cells import Style, cell_of
from tests.formats.club_sheets import MORE
from tests.formats.strangers_sheets import NAMES_AS_HEADS, NAMES_SCORES, SCORES, TEXTS, books, open_document, workbook

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


@pytest.mark.parametrize("style", MORE)
def test_sheets_of_clubs_and_programs(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.txt"
    path.write_text(MORE[style])
    assert scores(path, SCORES, capsys) == SCORES


def test_colours_where_black_is_n() -> None:
    """`+ 4B`: Grace had the white pieces (blancs), and `= 2N` the black ones (noirs)."""
    (section,) = formats.read(MORE["French program"].encode()).event.sections
    assert {(game.round, game.white, game.black) for game in section.games if 1 in (game.white, game.black)} == {
        (1, 1, 4),
        (2, 2, 1),
        (3, 1, 3),
    }


def test_rounds_that_lines_number() -> None:
    for style in ("pairings of each round", "lines of results"):
        (section,) = formats.read(MORE[style].encode()).event.sections
        assert [game.round for game in section.games] == [1, 1, 2, 2, 3, 3]


def test_without_rounds_nobody_plays_twice_in_one() -> None:
    (section,) = formats.read(MORE["winners and losers"].encode()).event.sections
    seats = [(game.round, who) for game in section.games for who in (game.white, game.black)]
    assert len(seats) == len(set(seats))
    assert not section.colors


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
    head = head_of(["White", "Rtg", "Black", "Rtg", "Result"])
    assert head is not None
    assert head.places == {"white_rating": 1, "black_rating": 3, "white": 0, "black": 2, "result": 4}


@pytest.mark.parametrize(
    "titles",
    [
        "W rtg,B rtg",
        "W rating,B rating",
        "Wrtg,Brtg",
        "W. Rating,B. Rating",
        "White rtg,Black rtg",
        "Rating W,Rating B",
        "RatingW,RatingB",
        "R(W),R(B)",
        "Rtg (White),Rtg (Black)",
        "white_rating,black_rating",
        "White's Rating,Black's Rating",
        "White USCF,Black USCF",
        "White Regular,Black Regular",
        "USCF W,USCF B",
    ],
)
def test_ratings_of_white_and_black(titles: str) -> None:
    """As a workbook and as text: nobody is taken for a newcomer because of a head."""
    white, black = titles.split(",")
    rows = [["Rd", "White", white, "Black", black, "Result"], ["1", "Ann", "1850", "Bo", "1720P8", "1-0"]]
    text = "\n".join(",".join(row) for row in rows)
    for reading in (formats.read(text.encode()), formats.read(workbook(rows))):
        ratings = [player.ratings["OTBR"] for player in reading.event.sections[0].players]
        assert [(one.rating, one.games) for one in ratings] == [(1850, None), (1720, 8)]
        assert "column-ignored" not in {finding.code for finding in reading.findings}


@pytest.mark.parametrize("titles", ["WhiteElo,BlackElo", "W Elo,B Elo", "White Elo,Black Elo", "Elo,Elo"])
def test_elo_is_no_us_chess_rating_in_lists_tables_and_pgn(
    titles: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are kept as ELO, and the answer says what to type if they are US Chess ratings."""
    white, black = titles.split(",")
    path = tmp_path / "games.csv"
    path.write_text(f"Rd,White,{white},Black,{black},Result\n1,Ann,1850,Bo,1720,1-0\n")
    order = ["rate", str(path), "--json", "--date", "2025-08-02", "--time-control", "G/90;d5"]
    assert main(order) == 0
    captured = capsys.readouterr()
    assert "does not use ELO ratings" in captured.err
    assert "--ratings regular" in captured.err
    assert main([*order, "--ratings", "regular"]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [row["prior"] for row in rows] == [1850, 1720]


@pytest.mark.parametrize(
    "titles", ["W ID,B ID", "White USCF,Black USCF", "ID (W),ID (B)", "WhiteID,BlackID", "White #,Black #", "ID,ID"]
)
def test_ids_of_white_and_black(titles: str) -> None:
    white, black = titles.split(",")
    text = f"Rd,White,{white},Black,{black},Result\n1,Ann,12345678,Bo,12345679,1-0\n"
    (section,) = formats.read(text.encode()).event.sections
    assert [(player.name, player.id) for player in section.players] == [("Ann", "12345678"), ("Bo", "12345679")]


def test_ratings_where_nobody_has_a_colour() -> None:
    for text in (
        "Player 1,Rating 1,Player 2,Rating 2,Result\nAnn,1850,Bo,1720,1-0\n",
        "Winner,Winner Rtg,Loser,Loser Rtg\nAnn,1850,Bo,1720\n",
    ):
        (section,) = formats.read(text.encode()).event.sections
        assert [player.ratings["OTBR"].rating for player in section.players] == [1850, 1720]
        assert not section.colors


def test_columns_that_nobody_reads_are_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = "B #,White,W strength,Black,B strength,Result,Prize\n"
    path = tmp_path / "games.csv"
    path.write_text(f"Round 1\n{head}1,Ann,1850,Bo,1720,1-0,\nRound 2\n{head}1,Bo,1720,Ann,1850,1-0,\n")
    words = "these columns are not used: 'B #', 'W strength', 'B strength'."
    assert main(["check", str(path)]) == 0
    assert capsys.readouterr().out.count(words) == 1
    assert main(["rate", str(path), "--date", "2025-08-02", "--time-control", "G/90;d5"]) == 0
    assert capsys.readouterr().err.count(words) == 1


def test_lines_above_tables_name_the_event_and_its_sections() -> None:
    table = "Name,Rating,R1,R2\nAda,1500,W2,D2\nBo,1400,L1,D1\n"
    reading = formats.read(f'Fall Quads,"Akron, OH",11/8/2025\nQuad A\n{table}\nQuad B\n{table}'.encode())
    event = reading.event
    assert (event.name, event.city, event.state, str(event.start)) == ("Fall Quads", "Akron", "OH", "2025-11-08")
    assert [section.name for section in event.sections] == ["Quad A", "Quad B"]
    assert "line-ignored" not in {finding.code for finding in reading.findings}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "save it as .xlsx or .csv"),
        (b"%PDF-1.7\n%....", "save that as .xlsx or .csv"),
        (b"\x89PNG\r\n\x1a\n", "save that as .xlsx or .csv"),
        (archive.pack({"word/document.xml": b"<a/>", "[Content_Types].xml": b"<a/>"}), "save that as .xlsx or .csv"),
        (archive.pack({"Index/Document.iwa": b"\0", "preview.jpg": b"\xff"}), "Export To, CSV or Excel"),
    ],
    ids=["xls", "pdf", "picture", "docx", "numbers"],
)
def test_what_is_not_read_says_in_one_line_what_to_do(
    data: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results"
    path.write_bytes(data)
    assert main(["rate", str(path)]) == 1
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "[unknown-format]" in line]
    assert words in line


def test_a_list_of_games_in_an_open_document() -> None:
    """The million empty rows at its end are not there; a comment in a cell is not read."""
    head = ["White", "Black", "Result"]
    reading = formats.read(open_document([["Date", "8/2/2025"], head, ["Ann", "Bo", "1-0"], ["Bo", "Cy", 0.5]]))
    assert reading.format == "games-list"
    (section,) = reading.event.sections
    assert [(game.white, game.black, game.result) for game in section.games] == [(1, 2, "1-0"), (2, 3, "1/2-1/2")]


def test_a_bomb_of_rows_in_an_open_document_is_refused() -> None:
    bomb = open_document([["No.", "Name", "R1"], [1, "Ann", "W2"]])
    members = archive.unpack(bomb)
    row = b'<table:table-row table:number-rows-repeated="99999999"><table:table-cell office:value-type="string" '
    row += b'table:number-columns-repeated="99999999"><text:p>x</text:p></table:table-cell></table:table-row>'
    members["content.xml"] = members["content.xml"].replace(b"<table:table-row", row + b"<table:table-row", 1)
    (finding,) = formats.read(archive.pack(members)).findings
    assert finding.code == "over-limit"
