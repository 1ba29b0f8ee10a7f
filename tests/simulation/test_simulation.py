"""The parts of the generator: who comes, who meets whom, what comes out, and what a year does."""

from __future__ import annotations

import random

import pytest

from crosstable.simulation.pairing import NO_OPPONENT, QUAD, has_white, next_round
from crosstable.simulation.people import change_in_a_year
from crosstable.simulation.results import chance_of_draw, half_points
from crosstable.simulation.turnout import choose


def boards(points: list[float], met: dict[int, int] | None = None, *, halves: bool = True) -> list[tuple[int, int]]:
    """Seeds go down with the place; `met` names a player's only opponent so far."""
    order = list(range(len(points)))
    opponents = [[(met or {}).get(place, NO_OPPONENT)] for place in order]
    next_round(order, points, [-place for place in order], opponents, halves)
    return list(zip(order[::2], order[1::2], strict=False))


def test_pairings_are_by_score_groups() -> None:
    """Six players: two have two points, two have one, two have none."""
    points = [2.0, 2.0, 1.0, 1.0, 0.0, 0.0]
    assert boards(points) == [(0, 1), (2, 3), (4, 5)]
    assert boards(points, {0: 1, 1: 0})[0] == (0, 2)  # the first two have met
    assert boards([0.0] * 6) == [(0, 3), (1, 4), (2, 5)]  # the upper half meets the lower half
    assert boards([0.0] * 6, halves=False) == [(0, 1), (2, 3), (4, 5)]  # neighbours
    assert boards([0.0, 1.0, 0.0, 1.0, 0.0]) == [(1, 3), (0, 2)]  # and 4 has a bye


def test_those_who_have_met_everybody_meet_again() -> None:
    assert boards([0.0, 0.0], {0: 1, 1: 0}) == [(0, 1)]


def test_in_a_quad_everybody_meets_everybody() -> None:
    pairs = [pair for number in QUAD for pair in number]
    assert {frozenset(pair) for pair in pairs} == {frozenset((a, b)) for a in range(4) for b in range(a)}
    assert [sorted(place for pair in number for place in pair) for number in QUAD] == [[0, 1, 2, 3]] * 3


def test_who_had_white_less_often_has_it() -> None:
    assert has_white(1, 2, otherwise=False)
    assert not has_white(2, 1, otherwise=True)
    assert has_white(1, 1, otherwise=True)


def test_twice_the_weight_comes_first_twice_as_often() -> None:
    """Of two players with weights 2 and 1 the first is the one that comes in 2/3 of the events: 4,000 ± 4 × 36.5 of
    6,000.
    """
    rng, field, keys = random.Random(4), [0], [0.0]
    came = 0
    for _ in range(6000):
        assert choose(rng, [2.0, 1.0], field, keys) == 1
        came += field[0] == 0
    assert came == pytest.approx(4000, abs=4 * (6000 * 2 / 3 / 3) ** 0.5)


def test_nobody_comes_twice_and_a_small_pool_all_come() -> None:
    rng, field, keys = random.Random(4), [0] * 8, [0.0] * 8
    assert choose(rng, [1.0] * 30, field, keys) == 8
    assert len(set(field)) == 8
    assert choose(rng, [1.0] * 3, field, keys) == 3
    assert set(field[:3]) == {0, 1, 2}


def test_results_follow_the_expectation() -> None:
    """70 points and White's 30 are 100 points ahead: 1/(1 + 10^(-1/4)) = 0.640; draws 0.24 × 0.36 × 2 × 0.8 = 0.138."""
    rng = random.Random(1)
    found = [half_points(rng, 1570.0, 1500.0, 30.0) for _ in range(20_000)]
    assert sum(found) / 40_000 == pytest.approx(0.640, abs=4 * 0.45 / 20_000**0.5)
    assert found.count(1) / 20_000 == pytest.approx(0.138, abs=4 * 0.35 / 20_000**0.5)


def test_the_strong_draw_more_often() -> None:
    """Equals: 0.24 × 1/2 × 2 × 0.8 = 0.192, and × 1.4 = 0.336 above 1800."""
    assert chance_of_draw(0.5, 1500.0) == pytest.approx(0.192)
    assert chance_of_draw(0.5, 1900.0) == pytest.approx(0.336)


def test_what_a_year_does() -> None:
    """150 points at six, half of it half-way to twenty, nothing in between, and 8 lost a year after fifty."""
    assert [change_in_a_year(years) for years in (6, 13, 20, 35, 51)] == [150, 75, 0, 0, -8]
