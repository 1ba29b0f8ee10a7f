"""Another club's numbers, and what is said to follow from them."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.errors import RulebookError
from crosstable.model import Game, Rating
from crosstable.systems import system
from crosstable.systems.st_charles import SYSTEM, StCharles
from crosstable.systems.st_charles.numbers import consequences, numbers_of, with_numbers, wrong_numbers
from tests.systems.small_events import entrants, event, posts


def test_st_charles_has_the_document_s_numbers() -> None:
    assert numbers_of(SYSTEM) == {
        "start": 400,
        "at_risk": 21,
        "divisor": 25,
        "equal_within": 12,
        "least": 2,
        "most": 41,
        "floor": 300,
    }


def test_consequences_are_said_in_sentences() -> None:
    said = " ".join(consequences(SYSTEM))
    assert "A 100-point upset moves 25, and a win over a player 100 points lower 17." in said
    assert "the limit is reached 500 points apart" in said  # 21 + 500/25 = 41
    assert "5 losses to equals" in said  # 100 points at 21 each: after four the fifth reaches 300


def test_numbers_hold_from_their_day_on() -> None:
    own = [{"from": "2025-09-01", "at_risk": 10}, {"from": "2026-01-01", "at_risk": 30, "start": 1000}]
    club = with_numbers(SYSTEM, own, "Riverside")
    before, after = club.rules(date(2025, 12, 31)), club.rules(date(2026, 1, 1))
    assert (before["formula"]["at_risk"], before["start"]["rating"]) == (10, 400)
    assert (after["formula"]["at_risk"], after["start"]["rating"]) == (30, 1000)
    assert club.score(500, 600, 1.0, before)[0].post == 514  # 10 + 100/25
    assert club.score(500, 600, 1.0, after)[0].post == 534  # 30 + 4
    assert before.hash != after.hash
    assert club.status(4) == "tentative"


def test_equal_within_is_a_number_of_its_own() -> None:
    club = with_numbers(SYSTEM, [{"from": "2026-01-01", "equal_within": 20}])
    assert club.score(400, 420, 0.5)[0].post == 400
    assert club.score(400, 421, 0.5)[0].post == 401  # 21/25 = 0.84, nearest 1


@pytest.mark.parametrize("name", ["cxr", "harkness"])
def test_a_system_without_a_start_gets_the_club_s(name: str) -> None:
    chosen = system(name)
    assert isinstance(chosen, StCharles)
    club = with_numbers(chosen, [{"from": "2026-01-01", "start": 400}])
    assert club.name == name
    rated = club.rate(event(entrants("CLUB", [None, Rating(400)]), [Game(1, 1, 2, "1-0")]))
    at_risk = {"cxr": 21, "harkness": 16}[name]
    assert posts(rated.answers) == {1: 400 + at_risk, 2: 400 - at_risk}


def test_wrong_numbers_are_all_named() -> None:
    found = wrong_numbers({"from": "2026-01-01", "at_risk": 0, "luck": 7, "start": "many"})
    assert len(found) >= 3
    assert wrong_numbers({"floor": 500, "start": 400}) == ["floor 500 is more than start 400"]
    with pytest.raises(RulebookError, match="luck"):
        with_numbers(SYSTEM, [{"from": "2026-01-01", "luck": 7}])
