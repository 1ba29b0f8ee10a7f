"""The performance rating of a crosstable, by arithmetic."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.systems.us_chess import coefficients_on
from crosstable.systems.us_chess.formulas import expected_score
from crosstable.systems.us_chess.performance import performance

RULES = coefficients_on(date(2025, 8, 2))


def test_half_the_points_against_equals_is_their_rating() -> None:
    assert performance(RULES, [1500.0] * 4, 2.0) == pytest.approx(1500.0)


def test_ten_points_of_eleven_is_400_above_equals() -> None:
    """1/(1 + 10^(-400/400)) = 10/11."""
    assert performance(RULES, [1500.0] * 11, 10.0) == pytest.approx(1900.0)
    assert performance(RULES, [1500.0] * 11, 1.0) == pytest.approx(1100.0)


def test_half_the_points_against_two_is_midway() -> None:
    """The curve is symmetric: what is expected above 50 % against 1400 is missing against 1800."""
    assert performance(RULES, [1400.0, 1800.0], 1.0) == pytest.approx(1600.0)


def test_all_won_or_lost_is_400_from_the_mean() -> None:
    assert performance(RULES, [1400.0, 1600.0, 1800.0], 3.0) == 2000.0
    assert performance(RULES, [1400.0, 1600.0, 1800.0], 0.0) == 1200.0


def test_without_games_there_is_none() -> None:
    assert math.isnan(performance(RULES, [], 0.0))


@given(st.lists(st.floats(100, 2900), min_size=1, max_size=12), st.data())
def test_the_expectancy_at_the_performance_is_the_score(opponents: list[float], data: st.DataObject) -> None:
    score = data.draw(st.integers(1, 2 * len(opponents) - 1)) / 2
    rating = performance(RULES, opponents, score)
    assert expected_score(RULES, rating, opponents, 0, len(opponents)) == pytest.approx(score, abs=1e-6)
