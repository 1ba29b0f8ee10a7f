"""Glicko-Boost: the paper's example (tables 2 and 3), as far as the paper itself agrees with it.

Printed ratings are met to two points and deviations to 0.15, but for the player whose deviation is boosted: the printed
boost (120 becomes 153.1) follows from no reading of the text, so from there on we take it as printed.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import pytest

from crosstable.model import Game, Rating
from crosstable.replay import glicko as replay
from crosstable.systems.glicko_boost import SYSTEM, formulas
from crosstable.systems.glicko_boost.system import BoostGame, RatingAndDeviation, _update, rated_columns
from tests.replay.test_periods import random_history, rate_all

RULES = SYSTEM.rules(date(2020, 1, 1))
NAMES = "ABCDEFGH"
START = [
    RatingAndDeviation(*map(float, place))
    for place in ((2300, 140), (2295, 80), (2280, 150), (2265, 70), (2260, 90), (2255, 200), (2250, 50), (2075, 120))
]
#: White, Black, White's score
GAMES = [
    "AB0",
    "AE0",
    "AG1",
    "BC½",
    "BD1",
    "BF1",
    "CA1",
    "CG1",
    "CH½",
    "DC0",
    "DE0",
    "DG0",
    "EB½",
    "EF1",
    "EH0",
    "FA0",
    "FC0",
    "FD½",
    "GB0",
    "GE½",
    "GH0",
    "HA1",
    "HD1",
    "HF1",
]
TABLE_3 = {
    "first": (
        (2209, 104.3),
        (2344, 70.9),
        (2386, 107.5),
        (2205, 63.8),
        (2287, 77.7),
        (2051, 121.7),
        (2232, 47.5),
        (2280, 98.6),
    ),
    "second": (
        (2223, 103.3),
        (2338, 71.0),
        (2379, 107.0),
        (2209, 63.6),
        (2283, 77.4),
        (2075, 120.1),
        (2235, 47.4),
        (2265, 97.0),
    ),
    "third": (
        (2210, 104.5),
        (2344, 70.9),
        (2387, 107.8),
        (2205, 63.8),
        (2288, 77.8),
        (2053, 122.0),
        (2232, 47.5),
        (2353, 114.7),
    ),
    "final": (
        (2230, 103.4),
        (2338, 71.0),
        (2385, 107.2),
        (2211, 63.7),
        (2287, 77.5),
        (2082, 120.7),
        (2236, 47.5),
        (2330, 112.2),
    ),
}
LATER = (105.0, 73.3, 108.8, 66.3, 79.7, 122.0, 50.9, 113.7)


def schedule() -> list[list[BoostGame]]:
    found: list[list[BoostGame]] = [[] for _ in NAMES]
    for white, black, points in GAMES:
        score = {"0": 0.0, "½": 0.5, "1": 1.0}[points]
        found[NAMES.index(white)].append(BoostGame(NAMES.index(black), 30.0, score))
        found[NAMES.index(black)].append(BoostGame(NAMES.index(white), -30.0, 1 - score))
    return found


def assert_printed(found: list[RatingAndDeviation], column: str, points: float = 2.0) -> None:
    for name, place, (rating, deviation) in zip(NAMES, found, TABLE_3[column], strict=True):
        assert place.rating == pytest.approx(rating, abs=points), (column, name)
        assert place.deviation == pytest.approx(deviation, abs=0.15), (column, name)


def test_the_first_two_updates() -> None:
    columns = rated_columns(START, schedule(), RULES)
    assert_printed(columns.first, "first")
    assert_printed(columns.second, "second")


def test_only_the_player_who_scored_five_and_a_half_is_boosted() -> None:
    columns = rated_columns(START, schedule(), RULES)
    wider = [name for name, place, reset in zip(NAMES, START, columns.reset, strict=True) if reset > place.deviation]
    assert wider == ["H"]


def test_the_boosted_updates_from_the_printed_boost() -> None:
    again = [*START[:-1], RatingAndDeviation(2075.0, 153.1)]
    third = _update(again, schedule(), again)
    assert_printed(third, "third")
    assert_printed(_update(again, schedule(), third), "final", 2.5)  # H: 2327.8 for 2330


def test_the_printed_boost_by_the_formula() -> None:
    """153.1 = (1 + (Z - 1.96) 0.20139) 120 + 17.5 gives Z = 2.6055; and no boost up to the threshold."""
    boost = [RULES["boost"][name] for name in ("threshold", "factor", "points")]
    assert formulas.boosted(120.0, 2.6055, *boost) == pytest.approx(153.1, abs=0.05)
    assert formulas.boosted(120.0, 1.96, *boost) == 120.0


def test_the_printed_growth_with_time() -> None:
    alpha: Any = RULES["ageing"]["alpha"]
    for (rating, deviation), later in zip(TABLE_3["final"], LATER, strict=True):
        assert formulas.grown(deviation, rating, alpha, 1.0, 350.0) == pytest.approx(later, abs=0.1)


def test_white_expects_more() -> None:
    equal = Rating(1500, deviation=0.01)
    assert SYSTEM.expect(equal, equal, Game(1, 1, 2, "1-0")) == pytest.approx(1 / (1 + 10 ** (-30 / 400)), abs=1e-6)


@pytest.mark.parametrize("fast", [True, False])
def test_the_loop_is_the_same_as_rate(fast: bool) -> None:
    past = random_history(5)
    found = replay.replay(past, SYSTEM, colours=np.ones(past.games), fast=fast)
    for player, state in rate_all(SYSTEM, past).items():
        assert found.rating[player] == pytest.approx(state.rating, abs=1e-8)
        assert found.deviation[player] == pytest.approx(state.deviation, abs=1e-8)
