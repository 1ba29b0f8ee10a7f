"""What a game between two true strengths ends with."""

from __future__ import annotations

from crosstable.simulation.rng import Rng
from crosstable.systems.elo.formulas import expected
from crosstable.systems.formula import formula

#: What the first move is worth, in points
WHITE = 30.0
#: Points that make a favourite's odds ten times as good
SCALE = 400.0
#: From this strength on players draw more often
SOLID = 1800.0


@formula
def chance_of_draw(chance: float, weaker: float) -> float:
    """How often a game is drawn: most often between equals, and among the strong."""
    return 0.24 * min(chance, 1 - chance) * 2 * (1.4 if weaker > SOLID else 0.8)


@formula
def half_points(rng: Rng, white: float, black: float, edge: float) -> int:
    """White's half points in a game; `edge` is what the first move is worth."""
    chance = expected(white - black + edge, SCALE, False)
    draw = chance_of_draw(chance, min(white, black))
    luck = rng.random()
    if luck < chance - draw / 2:
        return 2
    return 1 if luck < chance + draw / 2 else 0
