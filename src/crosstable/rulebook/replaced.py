"""What a reform replaces: the rulebook's own values over some years."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeVar

from crosstable.rulebook.loader import rulebook
from crosstable.rulebook.reform import Reform
from crosstable.rulebook.timeline import Rule, Value, frozen, in_words

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Replaced:
    """A rule, what becomes of it, and what it says in those years: each value with the day from which it holds."""

    rule: str
    becomes: str
    instead_of: tuple[tuple[date, str], ...]
    since: date
    differs: bool  # from what is the rule anyway

    def instead_in_words(self) -> str:
        return "; ".join(f"from {since}: {words.removesuffix('.')}" for since, words in self.instead_of)


def replaced(reform: Reform, first: date, last: date) -> list[Replaced]:
    """Everything that a reform names, as it would be from one day to another, as written."""
    book = rulebook(reform.system)
    found = []
    for name, fields in reform.changes.items():
        rule, since = book.rules[name], reform.begins(name) or book.first
        days = max(since, first), last
        said = (reform.rule_says or {}).get(name)
        if said:
            found.append(_replaced(rule, fields, said, rule.plain_words, days, since))
            continue
        for field, value in fields.items():
            becomes = f"{field.replace('_', ' ')} {in_words(frozen(value))}"
            found.append(_replaced(rule, {field: value}, becomes, _shown(field), days, since))
    return found


def _shown(field: str) -> Callable[[Value], str]:
    return lambda value: in_words(value.fields[field]) if field in value.fields else "none"


def _replaced(
    rule: Rule,
    fields: Mapping[str, Any],
    becomes: str,
    shown: Callable[[Value], str],
    days: tuple[date, date],
    since: date,
) -> Replaced:
    steps = _steps(rule)
    differs = any(
        value is not None and value.fields.get(field) != frozen(wanted)
        for _, value in _between(steps, *days)
        for field, wanted in fields.items()
    )
    told = [(day, "no longer in force" if value is None else shown(value)) for day, value in steps]
    told = [step for place, step in enumerate(told) if not place or told[place - 1][1] != step[1]]
    return Replaced(rule.title, becomes, tuple(_between(told, *days)), since, differs)


def _steps(rule: Rule) -> list[tuple[date, Value | None]]:
    """Return what the rule says from which day on; None once it has ended."""
    found: list[tuple[date, Value | None]] = []
    for value in rule.written:
        found.append((value.since, value))
        if value.until is not None:
            found.append((value.until + timedelta(days=1), None))
    return found


def _between(steps: list[tuple[date, T]], first: date, last: date) -> list[tuple[date, T]]:
    ends = [day for day, _ in steps[1:]] + [date.max]
    return [step for step, end in zip(steps, ends, strict=True) if step[0] <= last and end > first]
