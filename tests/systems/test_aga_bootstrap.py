"""1996 report, chapter 6: seeded at one rating with a large variance, about 7 rounds of a Swiss recover ratings fairly
well.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))

from aga_bootstrap import agreement, recovered, simulated


def test_seven_rounds_recover_most_of_what_there_is_to_know() -> None:
    """Fairly well: over half of the variance between players, in each of three events.

    One round, won or lost, cannot.
    """
    for strength, games in simulated(players=64, events=3, spread=300, seed=1996):
        after = {rounds: agreement(strength, recovered(strength, games, rounds))[0] ** 2 for rounds in (1, 7)}
        assert after[1] < 0.5 < after[7]
