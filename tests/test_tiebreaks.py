"""Tie-breaks, worked out by hand on a section of five players and three rounds.

Round 1: 1 beat 2, 3 drew with 4, 5 had a full-point bye. Round 2: 1 beat 3, 5 beat 4, 2 had a half-point bye. Round 3:
1 drew with 5, 2 beat 3, 4 did not play.
"""

from __future__ import annotations

import pytest

from crosstable.tiebreaks import Round, direct_encounter, tie_breaks

SECTION = {
    1: [Round(1, 2), Round(1, 3), Round(0.5, 5)],
    2: [Round(0, 1), Round(0.5), Round(1, 3)],
    3: [Round(0.5, 4), Round(0, 1), Round(0, 2)],
    4: [Round(0.5, 3), Round(0, 5), Round(0)],
    5: [Round(1), Round(1, 4), Round(0.5, 1)],
}


# Scores with half a point for each unplayed round: 1: 2½. 2: 0 + ½ + 1 = 1½. 3: ½. 4: ½ + 0 + ½ = 1. 5: ½ + 1 + ½ = 2.
@pytest.mark.parametrize(
    ("number", "modified_median", "solkoff", "cumulative", "sonneborn_berger"),
    [
        # 1½ + ½ + 2 = 4, without the lowest ½ (a plus score): 3½; 1 + 2 + 2½; 1½ + ½ + ½ × 2
        (1, 3.5, 4, 5.5, 3),
        # 2½ + 0 + ½ = 3, an even score without 2½ and 0; 0 + ½ + 1½; ½
        (2, 0.5, 3, 2, 0.5),
        # 1 + 2½ + 1½ = 5, a minus score without 2½; ½ + ½ + ½; ½ × 1
        (3, 2.5, 5, 1.5, 0.5),
        # ½ + 2 + 0 = 2½, without 2; ½ + ½ + ½; ½ × ½
        (4, 0.5, 2.5, 1.5, 0.25),
        # 0 + 1 + 2½ = 3½, without 0; 1 + 2 + 2½, less 1 for the bye; 1 + ½ × 2½
        (5, 3.5, 3.5, 4.5, 2.25),
    ],
)
def test_tie_breaks(
    number: int, modified_median: float, solkoff: float, cumulative: float, sonneborn_berger: float
) -> None:
    assert tuple(tie_breaks(SECTION)[number]) == (modified_median, solkoff, cumulative, sonneborn_berger)


def test_direct_encounter_counts_the_games_among_those_who_are_tied() -> None:
    assert direct_encounter(SECTION, [1, 5]) == {1: 0.5, 5: 0.5}
    assert direct_encounter(SECTION, [2, 4]) == {2: None, 4: None}


def test_nine_rounds_leave_out_two_scores() -> None:
    """Nine opponents with 1 to 9 points, a plus score: 45 − 1 − 2 = 42."""
    section = {number: [Round(1, 10)] * number for number in range(1, 10)}
    section[10] = [Round(1, number) for number in range(1, 10)]
    assert tie_breaks(section)[10].modified_median == 42
