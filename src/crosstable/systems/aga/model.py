"""The rulebook's numbers for the game model and the seeding, as flat records that the compiled formulas can read
too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from crosstable.rulebook import Rules

#: What the game model takes from the rule of even games
EVEN_GAME = ("difference", "difference_komi", "spread", "spread_komi", "spread_komi_squared")
NO_STONES: Mapping[str, Any] = {"difference_komi": 0.0, "spread_komi": 0.0, "spreads": (0.0,)}


class GameModel(NamedTuple):
    difference: float
    difference_komi: float
    spread: float
    spread_komi: float
    spread_komi_squared: float
    handicap_komi: float
    handicap_spread_komi: float
    handicap_spreads: tuple[float, ...]  # from two stones on


class SeedRule(NamedTuple):
    """Ageing, self-promotion and a newcomer's sigma outside the spline."""

    per_day: float
    step: float
    reseed: float
    shift: float
    share: float
    variance: float
    power: float
    above_seed: float
    above: float
    below_seed: float
    below: float
    first_knot: float


def seed_rule(rules: Rules) -> SeedRule:
    """Return the deployed program's rules; the variants seed in their own way."""
    found = {**rules["newcomer"].fields, **rules["promotion"].fields, **rules["ageing"].fields}
    return SeedRule(**{name: float(found[name]) for name in SeedRule._fields})


def game_model(rules: Rules) -> GameModel:
    """Return the model of a game. A system without stones has no handicap games, and its checks let none through."""
    even = rules["even_game"]
    stones = rules["handicap_game"].fields if "handicap_game" in rules else NO_STONES
    return GameModel(
        **{name: float(even[name]) for name in EVEN_GAME},
        handicap_komi=float(stones["difference_komi"]),
        handicap_spread_komi=float(stones["spread_komi"]),
        handicap_spreads=tuple(float(spread) for spread in stones["spreads"]),
    )
