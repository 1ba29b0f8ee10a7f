"""Whole-History Rating: every day as another implementation has it, and predictions that know earlier days only."""

from __future__ import annotations

import math

import numpy as np
import pytest

import crosstable as ct
from tests.estimators.some_games import some_games

#: Every player's days in Elo, and the deviation of the last one, for the decided games of six days, by
#: `whole-history-rating` 3.7.1 (w2 = 14, initial_prior_wins = 0.5, hessian_damping = 0, 3000 iterations)
DAYS = {
    "p00": ([-16.18306, -17.93318, -19.20513, -20.56238, -21.01578, -20.60834], 116.77579),
    "p01": ([30.95335, 30.85893], 161.25514),
    "p02": ([120.16197, 124.23462, 125.67361], 116.63804),
    "p03": ([-84.07962, -84.63419, -84.82227, -84.20899], 135.93154),
    "p04": ([-68.84107, -66.98845, -66.69311], 151.22936),
    "p05": ([90.35813, 87.71607, 87.10678], 147.88282),
    "p06": ([72.89843, 73.69071, 74.15622, 71.09210], 115.12805),
    "p07": ([131.62122, 132.66718, 135.36022], 139.77038),
    "p08": ([-169.55468, -169.96211], 173.20208),
    "p09": ([-112.23151], 186.88124),
}


def test_every_day_is_as_in_another_implementation() -> None:
    fitted = ct.WholeHistoryRating().fit([row for row in some_games(days=6) if row[3] != 0.5])
    found, points = fitted.state.extra, 400 / math.log(10)
    assert list(fitted.games.players) == list(DAYS)
    for number, (ratings, deviation) in enumerate(DAYS.values()):
        mine = slice(*found.days.day_start[number : number + 2])
        assert points * found.r[mine] == pytest.approx(ratings, abs=2e-4)
        assert points * math.sqrt(found.variance[number]) == pytest.approx(deviation, abs=1e-4)
    rows = {row["player"]: row for row in fitted.ratings.to_dicts()}
    assert rows["p07"]["rating"] == pytest.approx(1500 + 135.36022, abs=2e-4)
    assert rows["p07"]["deviation"] == pytest.approx(139.77038, abs=1e-4)


def test_one_game_by_hand() -> None:
    """One win between two newcomers: r is where 1 - p(2r) = p(r) - 1/2 (a game won and a virtual draw with 0)."""
    r = ct.WholeHistoryRating().fit([("2024-03-01", "a", "b", 1)]).state.extra.last[0]

    def chance(x: float) -> float:
        return 1 / (1 + math.exp(-x))

    assert 1 - chance(2 * r) == pytest.approx(chance(r) - 0.5, abs=1e-7)


def test_strengths_that_hardly_move_are_one_strength() -> None:
    """As w2 tends to 0 the model is Bradley–Terry with the same prior."""
    rows = some_games()
    slow = ct.WholeHistoryRating(w2=1e-6).fit(rows).state.extra
    one = ct.BradleyTerry(draws="half", prior=1).fit(rows).state.extra
    assert slow.last == pytest.approx(one.theta, abs=1e-3)


def test_predictions_do_not_change_with_later_results() -> None:
    rows = some_games()
    day = sorted({row[0] for row in rows})[4]
    turned = [(when, a, b, 1 - score if when >= day else score) for when, a, b, score in rows]
    earlier = np.array([row[0] <= day for row in rows])
    one, other = (ct.WholeHistoryRating(every=20).fit(table).predictions for table in (rows, turned))
    assert np.array_equal(one[earlier], other[earlier])
    assert not np.array_equal(one, other)


def test_events_of_one_day_do_not_predict_each_other() -> None:
    games = {
        "date": ["2024-03-01"] * 2 + ["2024-03-02"],
        "white": ["a", "a", "a"],
        "black": ["b", "b", "b"],
        "score": [1, 1, 1],
        "event": [1, 2, 3],
    }
    predictions = ct.WholeHistoryRating().fit(games, event="event").predictions
    assert predictions[:2].tolist() == [0.5, 0.5]
    assert predictions[2] > 0.6


def test_a_newcomer_is_expected_as_the_average() -> None:
    fitted = ct.WholeHistoryRating().fit([("a", "b", 1)])
    r = fitted.state.extra.last[0]
    assert fitted.predict([("a", "new"), ("x", "y")]) == pytest.approx([1 / (1 + math.exp(-r)), 0.5])
    with pytest.raises(ct.WrongValue, match="w2: expected"):
        ct.WholeHistoryRating(w2=0)
