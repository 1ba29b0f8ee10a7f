"""TRF: columns, results, dates and the oddities that formats.md lists."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable import formats
from crosstable.formats import dates, trf_writing
from crosstable.formats.base import Reading
from crosstable.model import Event, Game, Player, Section
from crosstable.words.places import place_text

# columns: 1–3 code, 5–8 number, 10 sex, 11–13 title, 15–47 name, 49–52 rating, 54–56 federation, 58–68 id, 70–79 birth
HEAD = "012 Test Open\n042 2025/08/02\n052 2025/08/03\n122 G/60;d5\n"


def line(number: int, cells: str, name: str = "Player", points: str = "", rank: str = "") -> str:
    return f"001 {number:>4} m  g {name:<33} 2100 USA    12345678 2000/07/01 {points:>4} {rank:>4}  {cells}\n"


def read(text: str, encoding: str = "utf-8") -> Reading:
    return formats.read(text.encode(encoding))


def test_columns() -> None:
    reading = read(HEAD + line(1, "   2 w 1", points="1.0", rank="1") + line(2, "   1 b 0", points="0.0", rank="2"))
    assert reading.ok
    assert reading.draft is not None
    player = reading.draft.sections[0].players[0]
    assert (player.id, player.name, player.birth_date) == ("12345678", "Player", date(2000, 7, 1))
    assert player.fide is not None
    assert player.fide.rating == 2100
    assert player.notes == {"sex": "m", "title": "g", "federation": "USA", "rank": 1, "total": 1.0}
    assert reading.draft.sections[0].games == (Game(1, 1, 2, "1-0"),)
    assert reading.draft.sections[0].time_control == "G/60;d5"


@pytest.mark.parametrize(
    ("mine", "theirs", "result", "played"),
    [
        ("1", "0", "1-0", True),
        ("=", "=", "1/2-1/2", True),
        ("+", "-", "+/-", False),
        ("-", "-", "-/-", False),
        ("W", "L", "+/-", False),
        ("d", "d", "-/-", False),
    ],
)
def test_results(mine: str, theirs: str, result: str, played: bool) -> None:
    reading = read(HEAD + line(1, f"   2 w {mine}") + line(2, f"   1 b {theirs}"))
    assert reading.ok
    assert reading.draft is not None
    (game,) = reading.draft.sections[0].games
    assert (game.result, game.played) == (result, played)


@pytest.mark.parametrize(
    ("cell", "bye"),
    [
        ("0000 - H", "half"),
        ("0000 - F", "full"),
        ("0000 - U", "pairing"),
        ("0000 - =", "half"),
        ("     - +", "forfeit-win"),
        ("0000 - Z", None),
    ],
)
def test_byes(cell: str, bye: str | None) -> None:
    reading = read(HEAD + line(1, cell))
    assert reading.ok
    assert reading.draft is not None
    assert reading.draft.sections[0].players[0].notes.get("byes") == ({"1": bye} if bye else None)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_bom(end: str, bom: str) -> None:
    text = bom + (HEAD + line(1, "   2 w 1") + line(2, "   1 b 0")).replace("\n", end)
    assert read(text).ok


def test_latin_1_is_guessed_and_said() -> None:
    reading = read(HEAD + line(1, "   2 w 1", name="Müller") + line(2, "   1 b 0"), "latin-1")
    assert [f.code for f in reading.findings] == ["encoding-guessed"]
    assert reading.draft is not None
    assert reading.draft.sections[0].players[0].name == "Müller"


def test_columns_counted_in_bytes() -> None:
    """A program that pads UTF-8 names by bytes shifts the rest of the line."""
    shifted = line(1, "   2 w 1", name="Müller, Jörg").replace("Müller, Jörg  ", "Müller, Jörg")
    reading = read(HEAD + shifted + line(2, "   1 b 0"))
    assert reading.ok, reading.findings
    assert reading.draft is not None
    assert reading.draft.sections[0].players[0].name == "Müller, Jörg"


def test_cells_a_column_off_are_read_by_their_parts() -> None:
    reading = read(
        HEAD + line(1, "    2 w 1     3 b =") + line(2, "   1 b 0  0000 - U") + line(3, "0000 - U     1 w =")
    )
    assert reading.ok, reading.findings
    assert reading.draft is not None
    assert len(reading.draft.sections[0].games) == 2


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2010/09/24", date(2010, 9, 24)),
        ("24/09/2010", date(2010, 9, 24)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("May 29, 2020", date(2020, 5, 29)),
        ("11.25.02", date(2002, 11, 25)),
        ("20250802", date(2025, 8, 2)),
    ],
)
def test_dates_seen_in_real_files(text: str, day: date) -> None:
    assert dates.candidates(text)[0] == day


def test_an_ambiguous_date_is_settled_by_the_other() -> None:
    assert [days[0] for days in dates.span("24/09/2010", "02/10/2010")] == [date(2010, 9, 24), date(2010, 10, 2)]
    reading = read("012 A\n042 03/04/2020\n052 03/04/2020\n" + line(1, "0000 - U"))
    assert [f.code for f in reading.findings] == ["date-guessed", "date-guessed"]


def test_time_control_in_seconds() -> None:
    reading = read(HEAD.replace("122 G/60;d5", "222 40/6000+30:900+30") + line(1, "0000 - U"))
    assert reading.draft is not None
    assert reading.draft.sections[0].time_control == "40/100,SD/15;+30"


def test_lines_of_trf26_and_pairing_programs_come_back() -> None:
    extra = [
        "132 25/08/02",
        "142 5",
        "152 W",
        "162 W 1.0",
        "202 BH",
        "240 H 002    3",
        "XXR 5",
        "BBW 1.0",
        "013 Team   1   2",
        "DAT 0001 ID:USCF 1",
    ]
    reading = read(HEAD + "\n".join(extra) + "\n" + line(1, "0000 - U") + "### a comment\n")
    assert reading.ok, reading.findings
    assert reading.draft is not None
    assert reading.draft.notes["trf"] == extra
    again = formats.read(trf_writing.write(reading.draft).data)
    assert again.event == reading.draft


def test_us_chess_ratings_of_a_national_line() -> None:
    reading = read(HEAD + line(1, "0000 - U") + "USA    1      Player                            1950\n")
    assert reading.draft is not None
    assert reading.draft.sections[0].players[0].ratings["OTBR"].rating == 1950


def test_another_point_system_is_not_taken_for_a_wrong_total() -> None:
    reading = read(HEAD + "XXS WW=3.0\n" + line(1, "   2 w 1", points="3.0") + line(2, "   1 b 0", points="0.0"))
    assert reading.draft is not None
    assert "total" not in reading.draft.sections[0].players[0].notes


def test_a_pairing_without_result_is_named() -> None:
    reading = read(HEAD + line(1, "   2 w 1     3 b  ") + line(2, "   1 b 0  0000 - U") + line(3, "0000 - U     1 w  "))
    assert reading.draft is not None
    assert {f.code for f in reading.findings} == {"no-result"}
    assert len(reading.draft.sections[0].games) == 1


def test_several_sections_need_a_choice() -> None:
    sections = tuple(Section(n, f"S{n}", None, None, (Player(1, "1"),), ()) for n in (1, 2))
    event = Event("E", None, None, sections)
    with pytest.raises(formats.EventRejected):
        formats.write(event, "trf")
    assert "section (1)" in formats.write(event, "trf", section=2).losses


def test_a_fide_number_of_zero_is_none() -> None:
    """Two players with the number 0 are two players, not a re-entry."""
    reading = read(HEAD + (line(1, "   2 w 1") + line(2, "   1 b 0")).replace("12345678", "       0"))
    assert reading.draft is not None
    assert [player.id for player in reading.draft.sections[0].players] == ["", ""]


def test_a_ruler_above_the_players_is_no_error() -> None:
    """Swiss-Manager prints three lines to count columns by; other programs begin theirs with 0."""
    ruler = "         1         2         3         4         5\n" + "1234567890" * 9 + "\n"
    older = "0         1         2         3         4\n" + "0123456789" * 9 + "\n"
    names = "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1\n"
    reading = read(older + HEAD + ruler + names + line(1, "   2 w 1") + line(2, "   1 b 0"))
    assert not reading.findings
    assert reading.draft is not None
    assert reading.draft.name == "Test Open"
    assert not reading.draft.notes


def test_a_blank_before_another_cell_is_a_round_not_played() -> None:
    blank, dash = " " * 8, "     -  "
    cells = [("   2 w 1", blank, "   3 w 1"), ("   1 b 0", "   3 w 1", dash), (dash, "   2 b 0", "   1 b 0")]
    reading = read(HEAD + "".join(line(number, "  ".join(row)) for number, row in enumerate(cells, start=1)))
    assert not reading.findings
    assert reading.draft is not None
    assert [game.round for game in reading.draft.sections[0].games] == [1, 2, 3]
    assert not any(player.notes.get("byes") for player in reading.draft.sections[0].players)


def test_a_cell_left_out_at_the_end_is_named() -> None:
    rows = line(1, "   2 w 1     3 b 1") + line(2, "   1 b 0") + line(3, "0000 - U     1 w 0")
    (finding,) = read(HEAD + rows).findings
    assert (finding.code, "player 2, round 2" in place_text(finding.place)) == ("uneven-rounds", True)


@pytest.mark.parametrize(
    "words", ["092 All-Play-All", "092 Individual: Round-Robin", "192 FIDE_ROUNDROBIN", "092 Berger"]
)
def test_round_robins(words: str) -> None:
    event = read(f"{HEAD}{words}\n" + line(1, "   2 w 1") + line(2, "   1 b 0")).event
    assert event is not None
    assert event.sections[0].kind == "round-robin"


@pytest.mark.parametrize(
    ("words", "speed"),
    [("092 Individual: Swiss-System (Rapid)", "rapid"), ("192 FIDE_BLITZ", "blitz"), ("092 Swiss", None)],
)
def test_what_a_file_says_about_the_speed_is_kept(words: str, speed: str | None) -> None:
    """A foreign event counts only if it is a standard one (readings 40), and FIDE's files may have no time control."""
    event = read(f"{HEAD}{words}\n" + line(1, "   2 w 1") + line(2, "   1 b 0")).event
    assert event is not None
    assert event.sections[0].notes.get("speed") == speed


def test_the_rounds_give_dates_that_are_missing() -> None:
    days = "132 " + " " * 87 + "25/08/02  25/08/09  25/08/16\n"
    rows = line(1, "   2 w 1") + line(2, "   1 b 0")
    alone, started = read("012 A\n" + days + rows).event, read("012 A\n042 2025/08/01\n" + days + rows).event
    assert alone is not None
    assert started is not None
    assert (alone.start, alone.end) == (date(2025, 8, 2), date(2025, 8, 16))
    assert (started.start, started.end) == (date(2025, 8, 1), date(2025, 8, 16))


@pytest.mark.parametrize(("days", "start"), [("10.09.13  11.03.12", date(2010, 9, 13)), ("", date(2013, 9, 10))])
def test_a_short_date_as_the_rounds_write_it(days: str, start: date) -> None:
    """10.09.13 begins with the year where the line of the rounds says the same, else with the day."""
    head = f"012 A\n042 10.09.13\n052 11.03.12\n132 {' ' * 87}{days}\n"
    event = read((head if days else "012 A\n042 10.09.13\n") + line(1, "   2 w 1") + line(2, "   1 b 0")).event
    assert event is not None
    assert event.start == start


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_blank_round_keeps_its_place_where_all_columns_are_one_off(shift: int) -> None:
    cells = [("   2 w 1", " " * 8, "   3 w 1"), ("   1 b 0", "   3 w 1", "0000 - Z"), (" " * 8, "   2 b 0", "   1 b 0")]
    lines = [line(number, "  ".join(row)) for number, row in enumerate(cells, start=1)]
    reading = read(
        HEAD + "".join(text[:85] + text[85 - shift :] if shift < 0 else text[:85] + " " + text[85:] for text in lines)
    )
    assert not reading.findings
    assert reading.draft is not None
    assert [(g.round, g.white, g.black) for g in reading.draft.sections[0].games] == [(1, 1, 2), (2, 2, 3), (3, 1, 3)]
