"""Had I drawn round 3: the event rated again with that result."""

from __future__ import annotations

from dataclasses import replace

import pytest

import crosstable
from crosstable.errors import CrosstableError
from crosstable.model import Event
from crosstable.systems.what_if import what_if

from .us_chess.builders import event, games, player, section

PLAYERS = [player(1, 1500.0), player(2, 1500.0), player(3, 1900.0)]
PLAYED = games((1, 2, "0-1"), (3, 1, "1-0"), (2, 3, "0-1"))


def match_of_equals() -> Event:
    return event(section([player(1, 1500.0), player(2, 1500.0)], games((1, 2, "0-1")), kind="match"))


def test_a_draw_between_equals_would_have_moved_nothing() -> None:
    (lost,) = (one for one in crosstable.rate(match_of_equals()).answers if one.number == 1)
    assert lost.post < 1500
    (drawn,) = what_if(match_of_equals(), crosstable.rate, 1, 1, {1: 0.5})
    assert drawn.post == pytest.approx(1500.0)


def test_it_is_the_event_with_that_result_also_for_black() -> None:
    other = games((1, 2, "0-1"), (3, 1, "0-1"), (2, 3, "0-1"))
    wanted = [one for one in crosstable.rate(event(section(PLAYERS, other))).answers if one.number == 1]
    assert list(what_if(event(section(PLAYERS, PLAYED)), crosstable.rate, 1, 1, {2: 1.0})) == wanted


def test_only_the_section_asked_about_changes() -> None:
    both = event(section(PLAYERS, PLAYED), section(PLAYERS, PLAYED, number=2))
    (second,) = what_if(both, crosstable.rate, 2, 1, {1: 1.0})
    before = {(one.section, one.number): one for one in crosstable.rate(both).answers}
    assert second.prior == before[2, 1].prior
    assert second.post > before[2, 1].post


def test_a_round_without_a_game_and_an_impossible_score_are_refused() -> None:
    with pytest.raises(CrosstableError, match="player 1 has no game in round 3"):
        what_if(event(section(PLAYERS, PLAYED)), crosstable.rate, 1, 1, {3: 0.5})
    with pytest.raises(CrosstableError, match=r"a score of 2 in round 1"):
        what_if(event(section(PLAYERS, PLAYED)), crosstable.rate, 1, 1, {1: 2})


def test_the_public_form_of_the_answer() -> None:
    """Nothing but the results differs, so the same numbers are hidden."""
    child = replace(PLAYERS[0], ratings={}, birth_date=section([], ()).start.replace(year=2015), adult=False)
    (found,) = what_if(event(section([child, *PLAYERS[1:]], PLAYED)), crosstable.public, 1, 1, {1: 0.5})
    assert found.prior is None
