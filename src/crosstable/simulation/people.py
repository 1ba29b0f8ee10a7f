"""Draw ages, strengths and activity of made-up players, and how a year changes a strength."""

from __future__ import annotations

import random

from crosstable.systems.formula import formula

#: How many players are children
CHILDREN = 0.42
#: From this age on a player is an adult
ADULT = 18.0
WEAKEST, STRONGEST = 120.0, 2620.0
#: A child's gain in a year at six; it is gone at twenty. From fifty on people lose a little
LEARNING, GROWN, OLD, DECLINE = 150.0, 20.0, 50.0, 8.0
#: How much form wanders in a year
WANDER = 35.0
WEEKS_A_YEAR = 52


def draw_years(rng: random.Random, child: bool) -> float:
    """Draw an age: most children are about ten, most adults about forty."""
    return rng.triangular(6, ADULT, 10) if child else rng.triangular(ADULT, 88, 38)


def draw_strength(rng: random.Random, child: bool, years: float) -> float:
    """Draw how well a player plays on the first day; older children play better."""
    strength = rng.gauss(450 + 55 * years, 220) if child else rng.gauss(1500, 330)
    return min(max(strength, WEAKEST), STRONGEST)


def draw_activity(rng: random.Random) -> float:
    """Draw how often a player enters; a few play very much."""
    return rng.lognormvariate(0, 1.0)


@formula
def change_in_a_year(years: float) -> float:
    """Return a year's change of strength: children learn, the youngest fastest; the old decline."""
    learning = LEARNING * min(max((GROWN - years) / (GROWN - 6.0), 0.0), 1.0)
    return learning - (DECLINE if years > OLD else 0.0)
