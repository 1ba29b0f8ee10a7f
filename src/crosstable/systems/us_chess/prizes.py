"""Floors by large cash prizes (§5)."""

from __future__ import annotations

import math

from crosstable.rulebook import Rules


def is_prize_floor(rules: Rules, level: float) -> bool:
    """Return whether a cash prize can set this floor: any 100-point level up to 2000 (2025 §5)."""
    rule = rules["prize_floor"]
    return bool(0 < level <= rule["highest"] and level % rule["step"] == 0)


def prize_floor(rules: Rules, dollars: float, under: float) -> float | None:
    """Return the floor that a prize in an under-`under` section or class sets, or None if it sets none.

    It is the first 100-point level that makes the player ineligible there, up to 2000; sections for higher players set
    none.
    """
    rule = rules["prize_floor"]
    enough = dollars >= rule["dollars"] if rule["inclusive"] else dollars > rule["dollars"]
    if not enough or under > rule["highest"]:
        return None
    return float(math.ceil(under / rule["step"]) * rule["step"])
