"""Another club's numbers: which of St. Charles's a club may change, from which day on, and what follows from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from crosstable.errors import RulebookError
from crosstable.rulebook import Rules, build, rulebook
from crosstable.systems.st_charles.system import StCharles

#: A club's number → the rule and the field that it sets, and what it is, for people
NUMBERS: Mapping[str, tuple[str, str, str]] = {
    "start": ("start", "rating", "a newcomer's rating"),
    "at_risk": ("formula", "at_risk", "points at risk between equals"),
    "divisor": ("formula", "divisor", "rating points that count for one point"),
    "equal_within": ("formula", "equal_within", "so many points apart or fewer count as equal"),
    "least": ("limits", "least_for_winner", "a winner gains at least"),
    "most": ("limits", "most", "the largest change is"),
    "floor": ("floor", "rating", "the lowest rating is"),
}

_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "start": {"rating": "integer"},
    "formula": {
        "at_risk": "number",
        "divisor": "number",
        "rounding": "text",
        "equal_within": "number?",
        "largest_difference": "number?",
    },
    "limits": {"least_for_winner": "number", "most": "number"},
    "floor": {"rating": "number"},
    "status": {"stages": {"games": "integer", "status": "text"}},
    "settling": {"games": "integer", "mark": "text"},
}


def with_numbers(system: StCharles, own: Sequence[Mapping[str, Any]], title: str = "") -> StCharles:
    """Return the system with a club's own numbers: each of `own` is {"from": DAY, "at_risk": 20, …} and holds from
    its day on.

    What is not named stays as the system has it. A rule that the system lacks, such as a start, holds from the
    beginning.
    """
    if not own:
        return system
    book = system.book
    if problems := [problem for one in own for problem in wrong_numbers(one)]:
        raise RulebookError("; ".join(problems))
    content: dict[str, dict[str, Any]] = {
        name: _plain(value.fields) for name, value in book.on(date.max).values.items()
    }
    days = {rule: {book.first: dict(fields)} for rule, fields in content.items()}
    for one in sorted(own, key=lambda one: str(one["from"])):
        for name, number in one.items():
            if name != "from":
                rule, field, _ = NUMBERS[name]
                content.setdefault(rule, _others(rule))[field] = number
        for rule, fields in content.items():
            day = date.fromisoformat(str(one["from"])) if rule in days else book.first
            days.setdefault(rule, {})[day] = dict(fields)
    index = {"title": title or book.title, "first": book.first, "document": {"club": "The club's own numbers"}}
    return replace(system, book=build(book.system, index, {rule: _rule(rule, days[rule]) for rule in days}))


def _rule(name: str, days: Mapping[date, Mapping[str, Any]]) -> dict[str, Any]:
    source = {"document": "club", "section": "settings"}
    values = [{"from": day, **source, **fields} for day, fields in days.items()]
    return {"title": name, "says": name, "fields": _FIELDS[name], "value": values}


def _others(rule: str) -> dict[str, Any]:
    """Return the other fields of a rule that the system lacks: where only one is set, St.

    Charles's are taken for the others.
    """
    fields: dict[str, Any] = _plain(rulebook("st_charles").on(date.max)[rule].fields)
    return fields


def _plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {key: _plain(part) for key, part in item.items()}
    return [_plain(part) for part in item] if isinstance(item, tuple) else item


def wrong_numbers(own: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with a club's numbers, all of it."""
    known = {name: value for name, value in own.items() if name in NUMBERS}
    unknown = sorted(set(own) - set(NUMBERS) - {"from"})
    found = [f"{name!r} is not one of a club's numbers, which are {', '.join(NUMBERS)}" for name in unknown]
    found += [
        f"{name} {value!r}: give a number from {_least(name)} to 5000"
        for name, value in known.items()
        if isinstance(value, bool) or not isinstance(value, int | float) or not _least(name) <= value <= 5000
    ]
    if not isinstance(known.get("start", 0), int):
        found.append(f"start {known['start']!r}: give a whole number")
    if found:
        return found
    for low, high in (("floor", "start"), ("least", "at_risk"), ("at_risk", "most"), ("least", "most")):
        if low in known and high in known and known[low] > known[high]:
            found.append(f"{low} {known[low]:g} is more than {high} {known[high]:g}")
    return found


def _least(name: str) -> int:
    return 1 if name in ("at_risk", "divisor", "most") else 0


def numbers_of(system: StCharles, rules: Rules | None = None) -> dict[str, float]:
    """Return the numbers in force, under their names here; those that the system does not have are left out."""
    rules = rules or system.latest
    return {
        name: rules[rule][field]
        for name, (rule, field, _) in NUMBERS.items()
        if rule in rules and field in rules[rule].fields
    }


def consequences(system: StCharles, rules: Rules | None = None) -> list[str]:
    """Return what the numbers do, in sentences that a parent can check: "A 100-point upset moves 25 points"."""
    rules = rules or system.latest
    start = float(rules["start"]["rating"]) if "start" in rules else 1000.0
    base = start + 1000  # far from any floor
    even = system.score(base, base, 1.0, rules)[0].limited
    upset, favourite, draw = (
        system.score(base, base + gap, result, rules)[0].limited
        for gap, result in ((100, 1.0), (-100, 1.0), (100, 0.5))
    )
    said = [
        f"A win between equals moves {even:g} points.",
        f"A 100-point upset moves {upset:g}, and a win over a player 100 points lower {favourite:g}.",
        f"A draw with a player 100 points higher brings {draw:g}.",
    ]
    numbers = numbers_of(system, rules)
    if within := numbers.get("equal_within"):
        said.append(f"Children within {within:g} points count as equal: a draw between them changes nothing.")
    if (most := numbers.get("most", math.inf)) < math.inf:
        gap = (most - numbers["at_risk"]) * numbers["divisor"]
        said.append(f"No rating changes by more than {most:g}: the limit is reached {gap:g} points apart.")
    if "floor" in numbers and "start" in numbers:
        losses = math.ceil((numbers["start"] - numbers["floor"]) / numbers["at_risk"])
        said.append(f"A newcomer starts at {start:g} and can fall to {numbers['floor']:g}: {losses} losses to equals.")
    return said
