"""How old somebody is, how well they play and how often, and what a year does to their strength."""

from __future__ import annotations

import random

from crosstable.systems.formula import formula

#: How many players are children
CHILDREN = 0.42
#: From this age on nobody is a child
ADULT = 18.0
WEAKEST, STRONGEST = 120.0, 2620.0
#: A child's gain in a year at six; it is gone at twenty. From fifty on people lose a little
LEARNING, GROWN, OLD, DECLINE = 150.0, 20.0, 50.0, 8.0
#: How much form wanders in a year
WANDER = 35.0
WEEKS_A_YEAR = 52


def draw_years(dice: random.Random, child: bool) -> float:
    """Somebody's age: most children are about ten, most adults about forty."""
    return dice.triangular(6, ADULT, 10) if child else dice.triangular(ADULT, 88, 38)


def draw_strength(dice: random.Random, child: bool, years: float) -> float:
    """How well somebody plays on the first day; older children play better."""
    strength = dice.gauss(450 + 55 * years, 220) if child else dice.gauss(1500, 330)
    return min(max(strength, WEAKEST), STRONGEST)


def draw_activity(dice: random.Random) -> float:
    """How eagerly somebody enters; a few play very much."""
    return dice.lognormvariate(0, 1.0)


@formula
def change_in_a_year(years: float) -> float:
    """Children learn, quicker when small; the old decline."""
    learning = LEARNING * min(max((GROWN - years) / (GROWN - 6.0), 0.0), 1.0)
    return learning - (DECLINE if years > OLD else 0.0)
