"""Appendix A and section 5.2 of the 1996 report: the printed probabilities, and Delta from first principles."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.errors import CrosstableError
from crosstable.rulebook import rulebook
from crosstable.titles.chance import (
    chance_of_a_norm,
    delta,
    delta_schedule,
    norm_distribution,
    title_chance,
    title_chance_multinomial,
)


@pytest.mark.parametrize(("p", "printed", "digits"), [(0.5, 0.9102173, 7), (0.1, 0.009230212, 9), (0.32575115, 0.5, 7)])
def test_the_three_printed_examples(p: float, printed: float, digits: int) -> None:
    assert round(title_chance(p, 10), digits) == printed
    assert round(title_chance_multinomial(p, 10), digits) == printed


@given(st.floats(0, 1), st.integers(0, 60))
def test_the_multinomial_formula_is_the_convolution(p: float, events: int) -> None:
    assert title_chance_multinomial(p, events) == pytest.approx(title_chance(p, events), abs=1e-12)


def test_by_hand() -> None:
    """One event: the title needs five norms at once, p^5. Two: 1 - the ways to fewer than five, for p = 1/2.

    P(0..5) = 1/2, 1/4, 1/8, 1/16, 1/32, 1/32; sums below five of two events: 1/4 + 1/4 + 3/16 + 1/8 + 5/64 = 57/64.
    """
    assert norm_distribution(0.5) == [0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125]
    assert title_chance(0.5, 1) == 0.5**5
    assert title_chance(0.5, 2) == pytest.approx(1 - 57 / 64)
    assert title_chance(0.3, 0) == 0


def test_the_p_for_a_wanted_chance() -> None:
    assert round(chance_of_a_norm(0.5, 10), 7) == pytest.approx(0.3257512, abs=1e-7)  # printed 0.32575115
    assert title_chance(chance_of_a_norm(0.8, 6), 6) == pytest.approx(0.8, abs=1e-12)


@pytest.mark.clause("1996.delta")
def test_delta_from_first_principles_gives_the_printed_schedule() -> None:
    rule = rulebook("uscf_1996").rules["delta"].written[0]
    assert list(rule["per_root_game"]) == [0.227, 0.625, 0.910, 1.142, 1.343]
    recomputed = [round(value, 3) for value in delta_schedule(rule["chance_of_a_norm"], rule["spread"])]
    assert recomputed == [0.227, 0.625, 0.910, 1.142, 1.343]


@given(st.floats(0.01, 0.9), st.integers(1, 5))
def test_delta_is_exceeded_with_the_wanted_chance(p: float, norms: int) -> None:
    exceeded = 0.5 * math.erfc(delta(p, norms) / 0.5 / math.sqrt(2))
    assert exceeded == pytest.approx(p**norms, rel=1e-6)


def test_impossible_questions() -> None:
    for question in (
        lambda: title_chance(1.5, 10),
        lambda: title_chance(0.5, -1),
        lambda: chance_of_a_norm(1, 10),
        lambda: chance_of_a_norm(0.5, 0),
        lambda: delta(0, 1),
    ):
        with pytest.raises(CrosstableError):
            question()
