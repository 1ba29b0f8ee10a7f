"""Which pools a section is rated in: its mode, its time control and the rules in force decide (2025 footnote 1)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from crosstable.errors import UnknownPool, UnknownTimeControl
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.us_chess.pools import POOLS
from crosstable.systems.us_chess.time_controls import TimeControl, parse

MODES = {"otb": "over the board", "online": "online"}


def rated_in(rules: Rules, mode: str, time_control: str) -> tuple[str, ...]:
    """Return the pools that all rounds have in common, regular first. Two of them: the section is dual-rated."""
    controls = parse(time_control)
    rounds = [pools_of(rules, mode, control) for control in controls]
    common = tuple(key for key in rounds[0] if all(key in pools for pools in rounds))
    if not common:
        spellings = "; ".join(
            f"'{control.text}': {'+'.join(pools)}" for control, pools in zip(controls, rounds, strict=True)
        )
        raise UnknownPool(f"its rounds have no rating pool in common ({spellings})")
    return common


def dual_rated(rules: Rules, mode: str, time_control: str | None, pools: Sequence[str]) -> bool:
    """Return whether the time control is dual-rated, also where a match counts in one of its pools only (readings 39).

    `pools`: those that the section is rated in. They answer where there is no time control, as in a published
    crosstable.
    """
    try:
        return len(rated_in(rules, mode, time_control) if time_control else pools) == 2
    except (UnknownPool, UnknownTimeControl):
        return len(pools) == 2


def pools_of(rules: Rules, mode: str, control: TimeControl) -> tuple[str, ...]:
    """Return the pools of one time control, by mm + ss. Raises UnknownPool where there is none, or none yet."""
    ranges = _ranges(rules, mode)
    keys = tuple(
        key for key, bounds in ranges.items() if _reaches(bounds, control.total) and _within(bounds, control.total)
    )
    if not keys:
        raise UnknownPool(
            f"'{control.text}' (mm + ss = {control.total:g}) is not ratable {MODES[mode]} on {rules.date}"
        )
    for key in keys:
        if key not in rules["pools"]["pools"]:
            raise UnknownPool(f"{key} ratings do not exist on {rules.date}: they begin on {first_day(key)}")
    return keys


def paired_by(time_control: str | None, mode: str = "otb", day: date | None = None) -> str:
    """Return the pool whose ratings a director pairs by: the slowest that fits, and regular where nothing can be read.

    By the rules of `day`, or by today's. Unlike `rated_in` it always answers, also for what is too fast to rate.
    """
    book = rulebook("us_chess")
    ranges = _ranges(book.on(max(day or date.max, book.first)), mode)
    try:
        total = min(control.total for control in parse(time_control or ""))
    except UnknownTimeControl:
        total = math.inf
    slow_first = [pool.key for pool in POOLS if pool.mode == mode]
    return next((key for key in slow_first if key in ranges and _reaches(ranges[key], total)), slow_first[-1])


def first_day(key: str) -> str:
    """Return the day on which a pool began."""
    for value in rulebook("us_chess").rules["pools"].written:
        if key in value["pools"]:
            return str(value.since)
    raise UnknownPool(f"no US Chess pool '{key}'")


def _ranges(rules: Rules, mode: str) -> dict[str, Mapping[str, Any]]:
    """Return the time controls of a mode's pools, in the order of the pools."""
    rows = {row["pool"]: row for row in rules["time_controls"]["pools"]}
    return {pool.key: rows[pool.key] for pool in POOLS if pool.mode == mode and pool.key in rows}


def _reaches(bounds: Mapping[str, Any], total: float) -> bool:
    """Slow enough."""
    return bool(total >= bounds.get("from", 0) and total > bounds.get("above", -1))


def _within(bounds: Mapping[str, Any], total: float) -> bool:
    """Fast enough."""
    return bool(total <= bounds.get("through", math.inf) and total < bounds.get("below", math.inf))
