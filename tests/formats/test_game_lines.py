"""Games told line by line, as people paste them: each is read, or it is an error with its line and the form to
write.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from crosstable import formats
from crosstable.cli import main
from crosstable.model import Level, Section
from crosstable.words.places import place_text

CLUB_NIGHT = """Ada Ek 1-0 Bo Muller
Cy Zed 1-0 Di Oak

{line}
"""


def section_of(text: str) -> Section:
    reading = formats.read(text.encode())
    assert reading.draft is not None, reading.findings
    return reading.draft.sections[0]


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("Ada Ek draw Cy Zed", "1/2-1/2"),
        ("Ada Ek drew with Cy Zed", "1/2-1/2"),
        ("Ada Ek drawn with Cy Zed.", "1/2-1/2"),
        ("Ada Ek 1/2 Cy Zed", "1/2-1/2"),
        ("Ada Ek ½ Cy Zed", "1/2-1/2"),
        ("Ada Ek ½–½ Cy Zed", "1/2-1/2"),
        ("Ada Ek vs. Cy Zed: draw", "1/2-1/2"),
        ("Ada Ek 1 - 0 Cy Zed", "1-0"),
        ("Ada Ek beat Cy Zed", "1-0"),
        ("Ada Ek lost to Cy Zed", "0-1"),
        ("Ada Ek  0-1 Cy Zed", "0-1"),
        ("3. Ada Ek 1–0 Cy Zed", "1-0"),
        ("Round 2: Ada Ek 1-0 Cy Zed", "1-0"),
        ("Ada Ek 1-O Cy Zed", "1-0"),
        ("Ada Ek o-l Cy Zed", "0-1"),
        ("Ada Ek 1-0 Cy Zed (forfeit)", "+/-"),
    ],
)
def test_every_way_to_tell_a_game(line: str, result: str) -> None:
    section = section_of(CLUB_NIGHT.format(line=line))
    assert [player.name for player in section.players] == ["Ada Ek", "Bo Muller", "Cy Zed", "Di Oak"]
    last = section.games[-1]
    assert (len(section.games), last.white, last.black, last.result) == (3, 1, 3, result)


def test_letters_for_digits_are_said() -> None:
    (finding,) = formats.read(CLUB_NIGHT.format(line="Ada Ek 1-O Cy Zed").encode()).findings
    assert (finding.level, finding.code, place_text(finding.place)) == (Level.WARNING, "letters-in-score", "row 4")
    (listed,) = formats.read(b"White,Black,Result\nAda,Bo,1-0\nBo,Cy,O-1\n").findings
    assert (listed.code, place_text(listed.place)) == ("letters-in-score", "row 3")


@pytest.mark.parametrize("line", ["Ada Ek ?? Cy Zed", "Ada Ek, Cy Zed", "Eve New 2-0 Flo New", "Ada Ek vs Eve New"])
@pytest.mark.parametrize("first", [True, False])
def test_a_game_that_cannot_be_read_is_never_passed_over(line: str, first: bool) -> None:
    text = CLUB_NIGHT.format(line="Bo Muller 1-0 Di Oak\n" + line)
    row = 5
    if first:  # where the event's name may stand
        text, row = f"{line}\n{text.replace(line, '')}", 1
    (finding,) = formats.read(text.encode()).findings
    assert (finding.level, finding.code, finding.place.row) == (Level.ERROR, "invalid-line", row)
    assert "Ann Ames 1-0 Bo Bird" in finding.advice


@pytest.mark.parametrize("line", ["Ada Ek x Cy Zed", "Ada Ek 1-? Cy Zed", "Ek, Ada ? Zed, Cy"])
def test_two_players_without_a_result_are_named_with_their_round(line: str) -> None:
    reading = formats.read(f"Round 1\n{CLUB_NIGHT.format(line='Round 2')}{line}\nBo Muller 1-0 Di Oak\n".encode())
    (finding,) = reading.findings
    assert (finding.level, finding.code, place_text(finding.place)) == (
        Level.ERROR,
        "invalid-line",
        "row 6, round 2, game 1-3",
    )
    assert finding.message == f"{line!r} cannot be read as a game."
    assert reading.draft is not None
    assert [(one.round, one.white, one.black) for one in reading.draft.sections[0].games] == [
        (1, 1, 2),
        (1, 3, 4),
        (2, 2, 4),
    ]


def test_a_middle_initial_may_be_missing_where_only_one_can_be_meant() -> None:
    games = "Jan R Dale 1-0 Bo Muller\nCy Zed 1-0 Di Oak\n"
    (finding,) = formats.read(f"{games}Bo Muller x Jan Dale\n".encode()).findings
    assert (finding.place.round, finding.place.players) == (2, (2, 1))
    two = formats.read(f"{games}Jan S Dale 1-0 Di Oak\nBo Muller x Jan Dale\n".encode()).findings
    assert [one.message for one in two if one.code == "invalid-line"] == []
    assert [place_text(one.place) for one in two if one.code == "line-ignored"] == ["row 4"]


def test_a_name_is_one_player_whichever_half_stands_first() -> None:
    section = section_of(
        "Lewis Alvarez-Knight 1-0 Bo Muller\nAlvarez-Knight, Lewis  0-1 Cy Zed\nCy Zed 1-0 Muller, Bo\n"
    )
    assert [player.name for player in section.players] == ["Lewis Alvarez-Knight", "Bo Muller", "Cy Zed"]
    assert [(one.white, one.black) for one in section.games] == [(1, 2), (1, 3), (3, 2)]


def test_a_remark_is_passed_over_with_its_line() -> None:
    (finding,) = formats.read(CLUB_NIGHT.format(line="Thanks to everybody!").encode()).findings
    assert (finding.code, place_text(finding.place)) == ("line-ignored", "row 4")


def test_in_a_list_with_columns_too() -> None:
    text = b"White,Black,Result\nAda Ek,Bo Muller,1-0\nCy Zed,Ada Ek,0-1\nBo Muller and Cy Zed drew,,\n"
    (finding,) = formats.read(text).findings
    assert (finding.level, finding.code, place_text(finding.place)) == (
        Level.ERROR,
        "invalid-line",
        "row 4, round 3, game 2-3",
    )


def test_facts_above_two_games_do_not_hide_them() -> None:
    section = section_of("Thursday Blitz\nG/5 d0\nDayton, OH\n\nAda Ek 1-0 Bo Muller\nAda Ek 0-1 Cy Zed\n")
    assert (len(section.games), section.time_control) == (2, "G/5 d0")


def test_a_letter_around_two_games_names_the_lines_to_take_out(tmp_path: Path, capsys) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text(
        "Hi Olive,\nall went well.\nAda Ek 1-0 Bo Muller\nAda Ek 0-1 Cy Zed\nPizza.\nBye now!\nSee you.\n"
    )
    assert main(["rate", str(letter)]) == 1
    said = capsys.readouterr().err
    assert "line 2 'all went well.'" in said
    assert "Ann Ames 1-0 Bo Bird" in said


def test_names_one_letter_apart_may_be_one_person() -> None:
    text = "Pete Kowal 1-0 Ann Lee\nBo Muller 1-0 Pete Kowall\nAnn Lee 0-1 Ann Lea\nBo Muller 0-1 Ann Lee\n"
    (finding,) = formats.read(text.encode()).findings  # Ann Lee and Ann Lea met: they are two
    assert (finding.level, finding.code) == (Level.WARNING, "alike-names")
    assert finding.message == "Pete Kowal and Pete Kowall may be one person."


def test_an_unreadable_result_says_what_to_write_in_a_list_of_games() -> None:
    reading = formats.read(b"White,Black,Result\nAda,Bo,1-0\nBo,Cy,???\n")
    (finding,) = reading.findings
    assert (finding.code, place_text(finding.place), finding.advice) == (
        "unreadable-cell",
        "row 3, round 2, game 2-3",
        "Write 1-0, 0-1 or 1/2-1/2.",
    )


@pytest.mark.parametrize(
    ("line", "name", "days", "control"),
    [
        ("Monday Blitz, Dec 29 2025, G/5", "Monday Blitz", "2025-12-29 2025-12-29", "G/5"),
        ("Monday Blitz - December 29, 2025 - G/5;d2", "Monday Blitz", "2025-12-29 2025-12-29", "G/5;d2"),
        ("Quads | 12/27/2025 - 12/28/2025 | G/60", "Quads", "2025-12-27 2025-12-28", "G/60"),
        (
            "Winter Open, December 27-28, 2025, 40/90, SD/30;d5",
            "Winter Open",
            "2025-12-27 2025-12-28",
            "40/90, SD/30;d5",
        ),
        ("Dec 29 2025, G/5", "", "2025-12-29 2025-12-29", "G/5"),
        ("Club night, second floor, G/5", "Club night, second floor", "None None", "G/5"),
        ("Smith, Jones and Co Open", "Smith, Jones and Co Open", "None None", None),
    ],
)
def test_a_line_above_the_games_says_name_days_and_time_control(
    line: str, name: str, days: str, control: str | None
) -> None:
    event = formats.read(f"{line}\n\n{CLUB_NIGHT.format(line='Ada Ek 0-1 Cy Zed')}".encode()).draft
    assert event is not None
    assert (event.name, f"{event.start} {event.end}", event.sections[0].time_control) == (name, days, control)
    assert len(event.sections[0].games) == 3


def test_the_same_line_above_columns_held_apart_by_blanks() -> None:
    rows = "1  Ada Ek  30000001  1850  W2\n2  Bo Muller  30000002  1750  L1\n"
    event = formats.read(f"Monday Blitz, Dec 29 2025, G/5\n{rows}".encode()).draft
    assert event is not None
    assert (event.name, str(event.start), event.sections[0].time_control) == ("Monday Blitz", "2025-12-29", "G/5")


def test_days_alone_are_no_time_control() -> None:
    event = formats.read(f"12/27/2025 - 12/28/2025\n\n{CLUB_NIGHT.format(line='Ada Ek 0-1 Cy Zed')}".encode()).draft
    assert event is not None
    assert (str(event.start), str(event.end), event.sections[0].time_control) == ("2025-12-27", "2025-12-28", None)
