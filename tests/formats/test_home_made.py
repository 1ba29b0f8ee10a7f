"""Spreadsheets as people make them: each rates on the first try."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.checks import gate
from crosstable.cli import main
from crosstable.words.places import place_text

#: What a director would type beside the file, where the file does not say it.
GIVEN = ("--date", "2025-08-02", "--time-control", "G/90;d5")
#: In every sheet player 1 beats 2 and draws with 3, and 2 beats 3: 1½, 1, ½.
SCORES = {1: 1.5, 2: 1.0, 3: 0.5}

SHEETS: dict[str, str] = {
    "bare numbers": (
        "No,Name,USCF,Rtg,1,2,3,Tot\n1,Ada,12345678,1500,W2,D3,H,2\n"
        "2,Bo,12345679,1400,L1,B,W3,2\n3,Cy,12345670,1300,B,D1,L2,1.5\n"
    ),
    "number signs": (
        "#,Player,Mem"
        " #,Pre,#1,#2,#3\n1,Ada,12345678,1500,W2,D3,\n2,Bo,12345679,1400,L1,,W3\n3,Cy,12345670,1300,,D1,L2\n"
    ),
    "games": (
        "Pair,Name,Member,Old Rating,Game 1,Game 2,Game"
        " 3\n1,Ada,12345678,1500,W2,D3,bye\n2,Bo,12345679,1400,L1,bye,W3\n3,Cy,12345670,1300,bye,D1,L2\n"
    ),
    "rnd": (
        "Num,Name,uscfid,Rating,Rnd 1,Rnd 2,Rnd 3\n1,Ada,12345678,1500,W 2,D 3,-H-\n2,Bo,12345679,1400,L 1,-B-,W"
        " 3\n3,Cy,12345670,1300,-B-,D 1,L 2\n"
    ),
    "no pairing numbers": (
        "Name,USCF ID,Rating,Rd1,Rd2,Rd3\nAda,12345678,1500,W2,D3,\nBo,12345679,1400,L1,,W3\nCy,12345670,1300,,D1,L2\n"
    ),
    "last and first name": (
        "No,Last Name,First"
        " Name,ID,Rating,R1,R2,R3\n1,Example,Ada,12345678,1500,W2,D3,\n"
        "2,Muller,Bo,12345679,1400,L1,,W3\n3,Zed,Cy,12345670,1300,,D1,L2\n"
    ),
    "signs for results": (
        "No;Name;ID;Rating;1;2;3\n1;Ada;12345678;1500;+2;=3;\n2;Bo;12345679;1400;-1;;+3\n3;Cy;12345670;1300;;=1;-2\n"
    ),
    "words for results": (
        "No,Name,ID,Rating,Round 1,Round 2,Round 3\n1,Ada,12345678,1500,Won 2,Draw 3,half bye\n2,Bo,12345679,1400,Lost"
        " 1,Full bye,Win 3\n3,Cy,12345670,1300,Bye,Draw 1,Loss 2\n"
    ),
    "colours": (
        "No,Name,ID,Rating,Rd 1,Rd 2,Rd"
        " 3\n1,Ada,12345678,1500,W2w,D3(b),\n2,Bo,12345679,1400,L1b,,W3w\n3,Cy,12345670,1300,,D1(w),L2b\n"
    ),
    "hyphens in cells": (
        "No,Name,ID,Rating,Rd 1,Rd 2,Rd"
        " 3\n1,Ada,12345678,1500,W-2,D-3,U\n2,Bo,12345679,1400,L-1,U,W-3\n3,Cy,12345670,1300,U,D-1,L-2\n"
    ),
    "quad of points": (
        "No,Name,ID,Rating,1,2,3,Total\n1,Ada,12345678,1500,X,1,½,1.5\n"
        "2,Bo,12345679,1400,0,X,1,1\n3,Cy,12345670,1300,½,0,X,0.5\n"
    ),
    "quad of points without diagonal": (
        "No,Name,ID,Rating,1,2,3\n1,Ada,12345678,1500,,1,0.5\n2,Bo,12345679,1400,0,,1\n3,Cy,12345670,1300,.5,0,\n"
    ),
    "tabs": (
        "No.\tName\tID\tRating\tRnd 1\tRnd 2\tRnd"
        " 3\n1\tAda\t12345678\t1500\tW2\tD3\t\n2\tBo\t12345679\t1400\tL1\t\tW3\n3\tCy\t12345670\t1300\t\tD1\tL2\n"
    ),
    "provisional and unrated": (
        "No,Name,ID,Rating,Rd 1,Rd 2,Rd"
        " 3\n1,Ada,12345678,1500P12,W2,D3,\n2,Bo,12345679,1400/8,L1,,W3\n3,Cy,12345670,unr,,D1,L2\n"
    ),
    "birth dates": (
        "No,Name,ID,Rating,DOB,Rd 1,Rd 2,Rd"
        " 3\n1,Ada,12345678,1500,5/31/1990,W2,D3,\n2,Bo,12345679,1400,,L1,,W3\n3,Cy,12345670,,7/20/2012,,D1,L2\n"
    ),
    "facts above": (
        "Riverside Quads\nDate: 8/2/2025\nTime control:"
        " G/90;d5\n\nNo,Name,ID,Rating,1,2,3\n"
        "1,Ada,12345678,1500,W2,D3,\n2,Bo,12345679,1400,L1,,W3\n3,Cy,12345670,1300,,D1,L2\n"
    ),
    "facts in cells": (
        'Tournament,Riverside Quads\nDates,"August 2-3, 2025"\nTC,90 30\n#,Name,US Chess ID,Rating,Rd. 1,Rd. 2,Rd.'
        " 3\n1,Ada,12345678,1500,W2,D3,\n2,Bo,12345679,1400,L1,,W3\n3,Cy,12345670,1300,,D1,L2\n"
    ),
    "a column nobody knows": (
        "No,Name,Grade,School,ID,Rating,Rd 1,Rd 2,Rd"
        " 3\n1,Ada,5,Oak,12345678,1500,W2,D3,\n2,Bo,6,Elm,12345679,1400,L1,,W3\n3,Cy,7,Ash,12345670,1300,,D1,L2\n"
    ),
    "games list by names": "Round,White,Black,Result\n1,Ada,Bo,1-0\n2,Ada,Cy,1/2-1/2\n3,Bo,Cy,1-0\n",
    "games list by ids": (
        "Rd;White ID;Black ID;Score\n1;12345678;12345679;1-0\n2;12345678;12345670;½-½\n3;12345679;12345670;1-0\n"
    ),
    "games list with ratings": (
        "White,White Rating,Black,Black"
        " Rating,Result\nAda,1500,Bo,1400,1\nAda,1500,Cy,1300,draw\nBo,1400,Cy,1300,white\n"
    ),
}


def workbook(rows: Sequence[Sequence[object]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


BOOKS: dict[str, list[list[object]]] = {
    "numbers as numbers": [
        ["No.", "Name", "USCF", "Rating", 1, 2, 3],
        [1, "Ada", 12345678, 1500, "W2", "D3", None],
        [2, "Bo", 12345679, 1400, "L1", None, "W3"],
        [3, "Cy", 12345670, 1300, None, "D1", "L2"],
    ],
    "a quad of numbers": [
        ["Riverside Quads", None, None, None, None, None, None],
        [],
        ["#", "Player", "ID", "Rtg", 1, 2, 3],
        [1, "Ada", 12345678, 1500, "x", 1, 0.5],
        [2, "Bo", 12345679, 1400, 0, "x", 1],
        [3, "Cy", 12345670, 1300, 0.5, 0, "x"],
    ],
    "a games list": [
        ["Round", "White", "Black", "Result"],
        [1, "Ada", "Bo", "1-0"],
        [2, "Ada", "Cy", "½-½"],
        [3, "Bo", "Cy", "1-0"],
    ],
}


def rated(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[int, float]:
    status = main(["rate", str(path), "--json", *GIVEN])
    captured = capsys.readouterr()
    assert status == 0, captured.err
    return {row["number"]: row["score"] for row in json.loads(captured.out)["ratings"]}


@pytest.mark.parametrize("style", SHEETS)
def test_text_sheets(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.csv"
    path.write_text(SHEETS[style], encoding="utf-8")
    assert rated(path, capsys) == SCORES


@pytest.mark.parametrize("style", BOOKS)
def test_workbooks(style: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(workbook(BOOKS[style]))
    assert rated(path, capsys) == SCORES


def test_there_are_twenty_of_them() -> None:
    assert len(SHEETS) + len(BOOKS) >= 20


PGN = """[Event "Club night"]
[Site "Dayton"]
[Date "2025.08.02"]
[Round "1"]
[White "Example, Ada"]
[Black "Muller, Bo"]
[Result "1-0"]
[TimeControl "5400+30"]

1. e4 e5 2. Nf3 {[White "nobody"]} 1-0

[Event "Club night"]
[Site "Dayton"]
[Date "2025.08.03"]
[Round "2"]
[White "Zed, Cy"]
[Black "Example, Ada"]
[Result "1/2-1/2"]

1/2-1/2

[Event "Club night"]
[Site "Dayton"]
[Date "2025.08.03"]
[Round "3"]
[White "Muller, Bo"]
[Black "Zed, Cy"]
[Result "*"]

*
"""


def test_pgn_headers() -> None:
    reading = formats.read(PGN.encode())
    assert (reading.format, reading.ok) == ("pgn", True)
    event = reading.event
    assert (event.name, event.city, event.start, event.end) == (
        "Club night",
        "Dayton",
        date(2025, 8, 2),
        date(2025, 8, 3),
    )
    (section,) = event.sections
    assert section.time_control == "G/90;+30"
    assert [player.name for player in section.players] == ["Example, Ada", "Muller, Bo", "Zed, Cy"]
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [(1, 1, 2, "1-0"), (2, 3, 1, "1/2-1/2")]
    assert [finding.code for finding in reading.findings] == ["no-result"]


def test_a_table_in_which_nothing_is_played_is_an_error() -> None:
    for text in (
        "No,Name,Rating\n1,Ada,1500\n2,Bo,1400\n",
        "No,Name,Rnd 1\n1,Ada,\n2,Bo,BYE\n",
        "White,Black,Result\nAda,Bo,*\n",
    ):
        reading = formats.read(text.encode())
        assert "nothing-played" in [finding.code for finding in reading.findings if finding.level == "error"]


def test_a_games_list_with_a_wrong_result_names_the_row() -> None:
    reading = formats.read(b"White,Black,Result\nAda,Bo,1-0\nBo,Cy,2-0\n")
    assert [(f.code, place_text(f.place)) for f in reading.findings] == [
        ("unreadable-cell", "row 3, round 2, game 2-3")
    ]


@pytest.mark.parametrize(
    ("start", "end", "first", "last"),
    [
        ("11.09.26", "12.04.01", date(2011, 9, 26), date(2012, 4, 1)),  # only with the year first
        ("11.09.12", "13.09.12", date(2012, 9, 11), date(2012, 9, 13)),
    ],
)
def test_years_first_where_only_that_makes_sense(start: str, end: str, first: date, last: date) -> None:
    event = formats.read(f"Start,{start}\nEnd,{end}\n{SHEETS['rnd']}".encode()).event
    assert (event.start, event.end) == (first, last)


def test_the_elo_of_a_pgn_file_is_said_and_used_where_somebody_says_of_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "club.pgn"
    path.write_text(
        '[Event "Club"]\n[Date "2025.08.02"]\n[TimeControl "5400+5"]\n[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n'
        '[WhiteElo "1900"]\n[BlackElo "1800"]\n\n1-0\n'
    )
    assert main(["rate", str(path), "--json"]) == 0
    captured = capsys.readouterr()
    assert "does not use ELO ratings: Ada; Bo count as unrated" in captured.err
    assert "(--ratings regular)" in captured.err
    assert all(row["initialized"] for row in json.loads(captured.out)["ratings"])
    assert main(["rate", str(path), "--json", "--ratings", "regular"]) == 0
    captured = capsys.readouterr()
    assert [row["prior"] for row in json.loads(captured.out)["ratings"]] == [1900, 1800]
    assert "unused-ratings" not in captured.err


def test_byes_in_a_list_of_games_are_kept() -> None:
    """By a word in the opponent's place, by a word for the result, with the points in the word or beside it."""
    text = (
        "Round,White,Black,Result\n1,Ann,Bob,1-0\n1,Cy,BYE,1\n1,Dee,bye,½\n2,Bob,Cy,1/2-1/2\n2,Ann,half-point bye,\n"
        "2,Dee,,bye\n3,Ann,Cy,1-0\n3,Bye,Bob,0-1\n3,Dee,bye,0\n4,Eve,full point bye,\n"
    )
    reading = formats.read(text.encode(), "games.csv")
    (section,) = reading.event.sections
    byes = {player.name: player.notes.get("byes") for player in section.players}
    assert byes == {
        "Ann": {"2": "half"},
        "Bob": {"3": "full"},
        "Cy": {"1": "full"},
        "Dee": {"1": "half", "2": "full"},
        "Eve": {"4": "full"},
    }
    assert len(section.games) == 3
    assert section.notes["rounds"] == 4


QUADS = (
    "Quad 1,,,\nName,Rating,R1,Score\nOlivia Marsh,1912,W2,1\nPatrick Doyle,1840,L1,0\n,,,\n"
    "Quad 2,,,\nName,Rating,R1,Score\nAnn Lee,1400,W2,1\nBo Ray,1350,L1,0\n"
)


@pytest.mark.parametrize("system", ["us_chess", "elo"])
def test_number_1_of_two_sections_without_ids_are_two_people(system: str, tmp_path: Path, capsys) -> None:
    """The second section once began with the first one's new ratings: Ann Lee with Olivia Marsh's."""
    path = tmp_path / "quads.csv"
    path.write_text(QUADS)
    words = ["rate", str(path), "--date", "2025-09-06", "--time-control", "G/75;d5", "--system", system, "--json"]
    assert main([*words, *(["--ratings", "ELO"] if system == "elo" else [])]) == 0
    rows = json.loads(capsys.readouterr().out)["ratings"]
    assert [row["prior"] for row in rows] == [1912, 1840, 1400, 1350]


def test_sections_without_ids_are_replayed_as_two_fields() -> None:
    import crosstable as ct

    given = formats.Given(date(2025, 9, 6), date(2025, 9, 6), time_control="G/75;d5")
    reading = gate.counted(formats.read(QUADS.encode(), "quads.csv", given))
    for fitted in (ct.UsChess().fit([reading.event]), ct.Elo().fit([reading.event])):
        assert len(fitted.ratings) == 4


SPREADSHEETS = {
    "weeks, draws as ½2, totals as 2½": (
        "Rank,Player,US Chess ID,Rating,Wk 1,Wk 2,Pts\n1,Ada Example,31000001,1912,W3,½2,1½\n"
        "2,Bo Muller,31000002,1840,½,½1,1\n3,Cy Zed,31000003,1700,L1,BYE,1\n"
    ),
    "ids behind the names, results in words": (
        "Player (ID),Rating (prov),Round 1 result,Round 2 result\nAda Example (31000001),1912,beat 3,drew 2\n"
        "Bo Muller [31000002],1840,half bye,drew 1\nCy Zed (31000003),1700,lost to 1,bye\n"
    ),
    "an e-mail": (
        "Results of Saturday\n\nRound 1\nAda Example beat Cy Zed\nBo Muller: half-point bye\n\nRound 2\n"
        "Ada Example drew with Bo Muller.\nCy Zed - bye\n"
    ),
    "pairings with ratings in brackets": (
        "Round 1,,,\nBd,White,Res,Black\n1,Ada Example (1912),1 - 0,Cy Zed (1700)\n,Bo Muller (1840),½ BYE,\n\n"
        "Round 2,,,\nBd,White,Res,Black\n1,Bo Muller (1840),½ - ½,Ada Example (1912)\n,Cy Zed (1700),BYE,\n"
    ),
    "a form's answers": (
        "Timestamp,Round #,White player,Black player,Who won?\n8/2/2025 19:04:11,1,Ada Example,Cy Zed,White\n"
        "8/2/2025 19:04:12,1,Bo Muller,bye,½\n8/2/2025 20:15:00,2,Bo Muller,Ada Example,Draw\n"
        "8/2/2025 20:15:00,2,Cy Zed,bye,\n"
    ),
    "Markdown": (
        "# Club Open\n\n| # | Name | Rating | R1 | R2 |\n|---|---|---|---|---|\n| 1 | Ada Example | 1912 | W3 | D2 |\n"
        "| 2 | Bo Muller | 1840 | H | D1 |\n| 3 | Cy Zed | 1700 | L1 | B |\n"
    ),
}


@pytest.mark.parametrize("text", SPREADSHEETS.values(), ids=SPREADSHEETS)
def test_one_event_in_more_styles(text: str) -> None:
    """Ada beats Cy and draws with Bo; Bo has half a point in round 1, Cy a bye in round 2."""
    reading = formats.read(text.encode(), "")
    (section,) = reading.event.sections
    names = {player.number: player.name.split()[0] for player in section.players}
    scored = {"1-0": 1, "1/2-1/2": 0.5, "0-1": 0}
    games = set()
    for game in section.games:
        one, other = (names[game.white], names[game.black])
        score = scored[game.result]
        games.add((game.round, one, other, score) if one < other else (game.round, other, one, 1 - score))
    assert games == {(1, "Ada", "Cy", 1), (2, "Ada", "Bo", 0.5)}
    byes = {player.name: player.notes.get("byes") for player in section.players}
    assert byes == {"Ada Example": None, "Bo Muller": {"1": "half"}, "Cy Zed": {"2": "full"}}
    assert {player.id for player in section.players} in ({""}, {"31000001", "31000002", "31000003"})


def test_vegas_cells() -> None:
    text = (
        "Pos;NAME;Rtg;Pts;R1;R2\n1;ADA EXAMPLE;1912;1.5;+W3;=B2\n2;BO MULLER;1840;1.0;=BYE;=W1\n"
        "3;CY ZED;1700;1.0;-B1;+BYE\n4;DI RAY;1500;0;-BYE;-BYE\n"
    )
    (section,) = formats.read(text.encode(), "vega.csv").event.sections
    assert [(game.white, game.black, game.result) for game in section.games] == [(1, 3, "1-0"), (2, 1, "1/2-1/2")]
    assert [player.notes.get("byes") for player in section.players] == [None, {"1": "half"}, {"2": "full"}, None]


@pytest.mark.parametrize(
    "text",
    [
        "1\tOlivia Marsh\t1912\t1900\tW2\n2\tPatrick Doyle\t1840\t1850\tL1\n",  # two ratings: which one?
        "Board,Team A,Rating,Result,Team B,Rating\n1,Olivia Marsh,1912,1-0,Patrick Doyle,1840\n",
    ],
)
def test_a_table_whose_columns_nobody_names_says_what_to_add(text: str) -> None:
    (only,) = formats.read(text.encode(), "table.txt").findings
    assert only.message.startswith("no line names the columns of the table; it begins with '")
    assert only.advice.startswith("Name them: No., Name, ID, Rating, Rnd 1, Rnd 2")


@pytest.mark.parametrize(
    "table",
    [
        "No,Name,ID,Rating,Rnd 1\n1,Ada Ek,12345678,1612P,W2\n2,Bo Muller,12345679,1540,L1\n",
        "Ada Ek (1612P) 1-0 Bo Muller (1540)\nBo Muller 0-1 Ada Ek\n",
    ],
)
def test_a_time_control_counts_the_same_wherever_it_is_said(table: str, tmp_path: Path, capsys) -> None:
    """Blitz in the file or as an option: the one column of ratings is Blitz both times."""
    inside, outside = tmp_path / "inside.csv", tmp_path / "outside.csv"
    inside.write_text(f"TC: G/5\n{table}" if "1-0" in table else f"TC,G/5\n{table}")
    outside.write_text(table)
    options = ["--date", "2025-08-02", "--assume-games", "12"]
    assert main(["rate", str(inside), "--csv", *options]) == 0
    said = capsys.readouterr()
    assert "the file's ratings are taken for OTBB (Blitz)" in said.err
    assert main(["rate", str(outside), "--csv", "--time-control", "G/5", *options]) == 0
    again = capsys.readouterr()
    assert "1612" in again.out
    assert again.out == said.out
    assert "the file's ratings are taken for OTBB (Blitz)" in again.err


@pytest.mark.parametrize("row", [",,,TOTAL,9", "Total,,,,9", ",Totals,,W1,9", ",Average,1400,,1.5", ",,Avg.,W,1"])
@pytest.mark.parametrize("head", ["#,Student,Rating,R1,Pts", "Seed,Student,Rating,R1,Pts"])
def test_a_row_of_totals_is_no_player(row: str, head: str) -> None:
    reading = formats.read(f"{head}\n1,Ada Ek,1400,W2,1\n2,Bo Muller,1300,L1,0\n{row}\n".encode())
    assert len(reading.event.sections[0].players) == 2
    assert [finding.code for finding in reading.findings if place_text(finding.place) == "row 4"] == ["line-ignored"]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("Elm Street Scholastic\nSat 8/2/2025 at Elm St Library", "Elm Street Scholastic"),
        ("Saturday Blitz, 8/2/2025", "Saturday Blitz"),
        ("Saturday Blitz (2 Aug 2025)", "Saturday Blitz"),
        ("Report due 8/9/2025\nSaturday Blitz - 2025-08-02", "Report due 8/9/2025"),
    ],
)
def test_a_date_among_the_words_of_a_title(lines: str, name: str) -> None:
    players = "No,Name,ID,Rating,Rnd 1\n1,Ada Ek,12345678,1612,W2\n2,Bo Muller,12345679,1540,L1\n"
    for text in (players, "Ada Ek 1-0 Bo Muller\nBo Muller 1-0 Ada Ek\n"):
        event = formats.read(f"{lines}\n\n{text}".encode()).event
        assert (event.name, event.start, event.end) == (name, date(2025, 8, 2), date(2025, 8, 2))
