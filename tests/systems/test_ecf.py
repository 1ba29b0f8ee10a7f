"""ECF: method K, method P and their passes, by arithmetic with FIDE's tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable.model import Answer, Event, Rating
from crosstable.systems import system

DAY = date(2024, 6, 1)
MAY = date(2024, 5, 1)


def rated(games: list[tuple[str, str, float]], born: date | None = None, **states: Rating) -> dict[str, Answer]:
    """Rate one event; `born` is the birth date of `a`."""
    event = Event.of("League", games, on=DAY, ratings={who: {"ECF": state} for who, state in states.items()})
    (section,) = event.sections
    people = tuple(replace(player, birth_date=born if player.id == "a" else None) for player in section.players)
    done = system("ecf").rate(replace(event, sections=(replace(section, players=people),)))
    return {answer.id: answer for answer in done.answers}


def full(rating: float, when: date = MAY) -> Rating:
    return Rating(rating, games=40, date=when)


def test_method_k() -> None:
    """A win of equals is 20 × 0.5 = 10, a junior's 20; a win against 100 more is 20 × (1 - 0.36) = 12.8 (table
    8.1b).
    """
    assert rated([("a", "b", 1.0)], a=full(1800), b=full(1800))["a"].post == 1810
    young = rated([("a", "b", 1.0)], born=date(2007, 1, 1), a=full(1800), b=full(1800))
    assert (young["a"].post, young["b"].post) == (1820, 1790)
    assert rated([("a", "b", 1.0)], born=date(2006, 1, 1), a=full(1800), b=full(1800))["a"].post == 1810
    assert rated([("a", "b", 1.0)], a=full(1800), b=full(1900))["a"].post == pytest.approx(1812.8)


def test_method_p_and_its_passes() -> None:
    """A new player beats 1700 and 1800, and draws with 1500 in fiction: the average is 1666.67, 2½ of 3 is 83 %, +273.

    Both opponents then meet 1939.67: 1700 - 1939.67 = -239.67 is 0.20 in table 8.1b, and 1800 - 1939.67 is 0.31.
    """
    found = rated([("new", "b", 1.0), ("new", "c", 1.0)], b=full(1700), c=full(1800))
    assert found["new"].values["first_estimate"] == pytest.approx(5000 / 3 + 273)
    assert (found["new"].published, found["new"].values["status"]) == (1940, "partial")
    assert found["b"].post == pytest.approx(1700 - 20 * 0.20)
    assert found["c"].post == pytest.approx(1800 - 20 * 0.31)


def test_two_newcomers_meet_as_the_first_pass_left_them() -> None:
    """x beats 1700: A = (1700 + 1500)/2 + 193 (75 %) = 1793. y loses to x alone: A = 1500, the fictional draw.

    Then B: x has 1700, 1500 (y) and 1500: 1566.67, 83 %, +273. y has 1793 and 1500: 1646.5, 25 %, -193.
    """
    found = rated([("x", "b", 1.0), ("x", "y", 1.0)], b=full(1700))
    assert found["x"].values["first_estimate"] == pytest.approx(4700 / 3 + 273)
    assert found["y"].values["first_estimate"] == pytest.approx(1646.5 - 193)


def test_ten_games_make_a_full_rating() -> None:
    """Nine saved draws with 1600 and one more: all draws, so the average of ten 1600s and 1500."""
    saved = ((1600.0, 0.5),) * 9
    partial = Rating(1590, games=9, date=MAY, pending=saved)
    done = rated([("a", "b", 0.5)], a=partial, b=full(1600))["a"]
    assert done.values["status"] == "full"
    assert done.values["first_estimate"] == pytest.approx(17500 / 11)
    assert (done.state.pending, done.state.games) == ((), 10)


def test_a_full_rating_ends_after_36_months() -> None:
    """Back after 37 months: one draw with the old rating is the fictional game, and a win against 1800 makes 75 %."""
    returned = rated([("a", "b", 1.0)], a=full(2000, date(2021, 5, 1)), b=full(1800))["a"]
    assert returned.values["first_estimate"] == pytest.approx((2000 + 1800) / 2 + 193)
    assert rated([("a", "b", 1.0)], a=full(2000, date(2021, 6, 1)), b=full(1800))["a"].values["status"] == "full"
