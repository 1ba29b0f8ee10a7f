"""Chessmetrics: lists by hand, and the equations of a bigger one by elimination."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

import crosstable as ct
from tests.estimators.some_games import some_games


def ratings(estimator: ct.Chessmetrics, games: list) -> dict[str, float]:
    return dict(estimator.fit(games).ratings.select("player", "rating").rows())


def test_two_players_by_hand() -> None:
    """One game won: R = (B + 425 + 4 B + 3 × 1500)/8 with B = 3000 - R, so 13 R = 15,000 + 4,925: 1500 + 425/13."""
    found = ratings(ct.Chessmetrics(), [("a", "b", 1)])
    assert found == pytest.approx({"a": 1500 + 425 / 13, "b": 1500 - 425 / 13})


def test_a_game_of_a_year_ago_counts_half() -> None:
    """Weights 1 - 11/24 and 1 for games 350 days apart (11 whole months); each of two pairs has one decided game.

    With weight w: R - 1500 = x solves (w + 7) x = w (425 - x) - 4 x.
    """
    found = ratings(ct.Chessmetrics(), [("2023-03-01", "a", "b", 1), ("2024-02-14", "c", "d", 1)])
    old = 1 - 11 / 24
    assert found["a"] - 1500 == pytest.approx(425 * old / (2 * old + 11))
    assert found["c"] - 1500 == pytest.approx(425 / 13)
    gone = ratings(ct.Chessmetrics(), [("2020-03-01", "a", "b", 1), ("2024-02-14", "c", "d", 1)])
    assert gone["a"] == gone["b"] == pytest.approx(1500)


def test_the_equations_by_elimination() -> None:
    """Every rating is the padded, weighted performance against the ratings of the same list."""
    rows = some_games(days=10)
    fitted = ct.Chessmetrics().fit(rows)
    place = {who: number for number, who in enumerate(fitted.games.players)}
    last = max(row[0] for row in rows)
    matrix, right = np.zeros((len(place), len(place))), np.zeros(len(place))
    for who, own in place.items():
        mine = [(place[b], s) if who == a else (place[a], 1 - s) for _, a, b, s in rows if who in (a, b)]
        weight = [1 - int((last - day).days / (365.25 / 12)) / 24 for day, a, b, _ in rows if who in (a, b)]
        total = sum(weight)
        matrix[own, own] += total + 7
        for (opponent, score), w in zip(mine, weight, strict=True):
            matrix[own, opponent] -= w + 4 * w / total
            right[own] += w * (score - 0.5) * 850
        right[own] += 3 * 1500
    assert fitted.state.rating == pytest.approx(np.linalg.solve(matrix, right), abs=1e-6)


def test_predictions_come_from_earlier_lists() -> None:
    games = [("2024-01-01", "a", "b", 1), ("2024-01-05", "a", "b", 1), ("2024-02-05", "a", "b", 0)]
    found = ct.Chessmetrics().fit(games).predictions
    assert found[:2].tolist() == [0.5, 0.5]  # the first list is 30 days later
    # two games of a month ago, weight 2 × 23/24: x = 425 w/(2 w + 11), and the difference 2 x over 850
    w = 2 * 23 / 24
    assert found[2] == pytest.approx(0.5 + w / (2 * w + 11))


def test_a_table_keeps_its_average_and_a_newcomer_has_it() -> None:
    fitted = ct.Chessmetrics(rating=1200).fit([(date(2024, 1, 1), "a", "b", 1), (date(2024, 1, 2), "c", "a", 1)])
    assert fitted.predict([("x", "y")]).tolist() == [0.5]
    gap = fitted.state.rating[0] - 1200
    assert fitted.predict([("a", "x")]) == pytest.approx([0.5 + gap / 850])
    with pytest.raises(ct.WrongValue, match="months: expected"):
        ct.Chessmetrics(months=0)
