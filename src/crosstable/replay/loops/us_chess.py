"""What US Chess expects of games whose players' ratings are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crosstable.systems.formula import formula
from crosstable.systems.us_chess.formulas import winning_expectancy

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers


@formula
def expect(rules: Any, in_force: Integers, own: Floats, opponent: Floats, predictions: Floats) -> None:
    """Of each game with the row of rules in force; no rating changes."""
    for game in range(len(predictions)):
        predictions[game] = winning_expectancy(rules[in_force[game]], own[game], opponent[game])
