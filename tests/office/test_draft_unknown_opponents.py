"""A cell that names a number which no player has: it becomes one game with its mirror, never a second one."""

from __future__ import annotations

from director_desk import DORA, labels_of, look, press

from crosstable.office.reports import drafts, fixing

QUAD = """Event: Quad
Date: 2026-01-25
Time control: G/60;d5
No,Name,ID,Rating,Rd 1,Rd 2,Rd 3
1,Ann Alder,30000001,1500,W2,W3,L4
2,Bob Birch,30000002,1400,{cell},W4,W3
3,Cy Cedar,30000003,1300,W4,L1,L2
4,Di Dogwood,30000004,1200,L3,L2,W1
"""


def draft_of(cell: str) -> int:
    return drafts.start(DORA, QUAD.format(cell=cell).encode(), "quad.csv").id


def round_one(number: int) -> list[tuple[int, int, str]]:
    event = drafts.load(DORA, number).event
    assert event is not None
    return [(one.white, one.black, one.result) for one in event.sections[0].games if one.round == 1]


def test_one_message_and_the_opponent_whose_row_has_the_game(ready: str) -> None:
    """A quad has six games; the cell L9 made a seventh, which goes."""
    number = draft_of("L9")
    (shown,) = [one for one in look(number).all if one.must]
    assert (shown.code, labels_of(number, shown)[0]) == ("unknown-player", "The opponent was Alder")
    press(number, "unknown-player", "The opponent was Alder")
    assert round_one(number) == [(1, 2, "1-0"), (3, 4, "1-0")]
    assert [one.code for one in look(number).all if one.must or one.code == "two-games-in-round"] == []
    (line,) = fixing.lines(drafts.find(DORA, number))
    assert line.games == (7, 6)


def test_a_typed_opponent_merges_with_the_mirror_too(ready: str) -> None:
    number = draft_of("L9")
    press(number, "unknown-player", "Use this opponent", new="1")
    assert round_one(number) == [(1, 2, "1-0"), (3, 4, "1-0")]


def test_rows_that_do_not_agree_are_asked_who_won(ready: str) -> None:
    """Both rows say that they won: nothing flips without an answer, and the answer leaves six games."""
    number = draft_of("W9")
    (shown,) = [one for one in look(number).all if one.must]
    assert shown.code == "not-mirrored"
    press(number, "not-mirrored", "Birch won")
    assert round_one(number) == [(1, 2, "0-1"), (3, 4, "1-0")]
    assert [one.code for one in look(number).all if one.must] == []
