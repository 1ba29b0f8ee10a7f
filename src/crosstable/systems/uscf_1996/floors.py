"""The floor of the 1996 motion, and floors that a committee lowers or abolishes by a schedule of its own.

The report promises a "gradual abolition of the rating floors" and prints no schedule. A schedule is dated
values of the rule `floor` (rulebook/uscf_1996/floor.toml): each may change `drop` or `lowest_peak`, or say `abolished`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crosstable.model import Rating
from crosstable.rulebook import Rulebook, Value, build

_DOCUMENT = "schedule"


def floor_of(rule: Value, peak: float | None) -> float:
    """Return the floor that a peak gives: 200 under the highest hundred strictly below it (readings 15);
    0 under 1600.
    """
    absolute = float(rule["absolute"])
    if peak is None or rule["abolished"] or peak < rule["lowest_peak"]:
        return absolute
    boundary = (math.ceil(peak / rule["step"]) - 1) * rule["step"]
    floor = boundary - rule["drop"]
    if floor < rule.fields.get("lowest_floor", absolute):
        return absolute
    return float(max(absolute, floor))


def peak_of(state: Rating | None, counts: bool) -> float | None:
    """Return the highest attained rating before the event: on record, or the present one if it counts."""
    if state is None:
        return None
    known = [value for value in (state.peak, state.rating if counts else None) if value is not None]
    return max(known, default=None)


def scheduled(book: Rulebook, steps: Sequence[Mapping[str, Any]], source: str = "the user's schedule") -> Rulebook:
    """Return the rulebook with another floor schedule. `steps`: `from` and what changes from that day on.

    >>> from datetime import date
    >>> from crosstable.rulebook import rulebook
    >>> steps = [{"from": date(1997, 1, 1), "drop": 300}, {"from": date(1998, 1, 1), "abolished": True}]
    >>> scheduled(rulebook("uscf_1996"), steps).on(date(1997, 6, 1))["floor"]["drop"]
    300
    """
    rule = book.rules["floor"]
    printed = [{"from": value.since, **value.fields} for value in rule.written]
    timeline = [entry for entry in printed if not steps or entry["from"] < steps[0]["from"]]
    for step in steps:
        before = timeline[-1] if timeline else {**printed[0], "from": book.first}
        timeline.append({**before, **step})
    raw = {
        "title": rule.title,
        "says": rule.says,
        "fields": {
            "drop": "number",
            "step": "number",
            "lowest_peak": "number",
            "lowest_floor": "number?",
            "absolute": "number",
            "abolished": "boolean",
            "provisional_peaks": "boolean",
        },
        "value": [{"document": _DOCUMENT, "section": source, **entry} for entry in timeline],
    }
    index = {"title": book.title, "first": book.first, "document": {_DOCUMENT: source}}
    changed = build(book.system, index, {"floor": raw}).rules["floor"]
    return replace(
        book,
        documents={**book.documents, _DOCUMENT: source},
        rules={**book.rules, "floor": replace(changed, clauses=rule.clauses)},
    )
