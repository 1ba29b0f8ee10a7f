"""The rulebook's numbers as rows of an array, one row for each stretch of days on which nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import date, timedelta
from functools import cache
from typing import Any

import numpy as np

from crosstable.errors import NoRulesOnDate
from crosstable.replay.history import Array
from crosstable.rulebook import AS_WRITTEN, Rulebook, rulebook
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients, names_of
from crosstable.systems.us_chess.deciding import decided_by_event_end, rules_by_section_end

RulesByDay = Callable[[date], Coefficients]


@dataclass(frozen=True, slots=True)
class RuleTable:
    """Rows of rules, in force from their `days` (ordinals, ascending) on."""

    days: Array
    rows: Array

    def in_force(self, days: Array) -> Array:
        """Which row applies on each of these days."""
        place = np.searchsorted(self.days, days, side="right") - 1
        if len(place) and place.min() < 0:
            early = date.fromordinal(int(days[np.argmin(place)]))
            raise NoRulesOnDate(
                f"section {int(np.argmin(place))}: no US Chess rules are in force on {early}: "
                f"the first day is {date.fromordinal(int(self.days[0]))}"
            )
        return place.astype(np.int32)


def deciding_days(sections: Array, profile: str) -> Array:
    """Return the day whose rules apply to each section (see systems.us_chess.deciding)."""
    days: Array = sections["event_end_day" if decided_by_event_end(profile) else "start_day"]
    return days


def rows_of_sections(table: RuleTable, sections: Array, profile: str) -> tuple[Array, Array]:
    """Rows of rules, and which of them each section is rated by."""
    return rows_by_days(table, deciding_days(sections, profile), sections["end_day"], profile)


def rows_by_days(table: RuleTable, days: Array, ends: Array, profile: str) -> tuple[Array, Array]:
    """Return the same from deciding days and the sections' ends: as practised some rules look at those."""
    by_day, own_end = table.in_force(days), rules_by_section_end(profile)
    if not own_end:
        return table.rows, by_day
    by_end = table.in_force(np.maximum(ends, table.days[0]))
    pairs, place = np.unique(np.stack([by_day, by_end], axis=1), axis=0, return_inverse=True)
    rows = table.rows[pairs[:, 0]].copy()
    for name in names_of(own_end):
        rows[name] = table.rows[name][pairs[:, 1]]
    return rows, place.reshape(-1).astype(np.int32)


@cache
def rules_in_force(profile: str = AS_WRITTEN) -> RuleTable:
    """Return the whole rulebook of a profile."""
    return reformed(profile, lambda rules: rules)


def reformed(profile: str, change: Callable[[Coefficients], Coefficients], book: Rulebook | None = None) -> RuleTable:
    """Return a rulebook of a profile with every row changed: a reform, as a parameter of a replay."""
    book = book or rulebook("us_chess")
    days = sorted({day for rule in book.rules.values() for day in _days_of_change(rule.timeline(profile))})
    days = [day for day in days if day >= book.first]
    return as_table({day: change(coefficients(book.on(day, profile))) for day in days})


def table_of(book: Rulebook, profile: str = AS_WRITTEN) -> RuleTable:
    """Return the rows of another rulebook than the actual one."""
    return reformed(profile, lambda rules: rules, book)


def rules_by_day(rules: RulesByDay, days: Array) -> RuleTable:
    """Return a table from a function of the day, asked once for every day that decides over a section."""
    return as_table({day: rules(day) for day in map(date.fromordinal, np.unique(days).tolist())})


def as_table(rules: dict[date, Coefficients]) -> RuleTable:
    """Rows in order of days; each is in force until the next begins."""
    ordered = sorted(rules)
    values = [tuple(getattr(rules[day], field.name) for field in fields(Coefficients)) for day in ordered]
    rows = np.array(values, _dtype()).view(np.recarray)
    return RuleTable(np.array([day.toordinal() for day in ordered], np.int32), rows)


def _days_of_change(timeline: Any) -> list[date]:
    ends = [value.until + timedelta(days=1) for value in timeline if value.until is not None]
    return [value.since for value in timeline] + ends


@cache
def _dtype() -> np.dtype[Any]:
    """Return the fields of Coefficients by the shape of their values; tuples become arrays inside the row."""
    book = rulebook("us_chess")
    sample = coefficients(book.on(book.first))
    columns = []
    for field in fields(Coefficients):
        value = np.array(getattr(sample, field.name))
        columns.append((field.name, _column(str(field.type), value), value.shape))
    return np.dtype(columns, align=True)


def _column(annotation: str, value: Array) -> type[np.generic]:
    if annotation == "bool":
        return np.bool_
    return np.float64 if annotation in ("float", "Numbers") or value.dtype.kind == "f" else np.int64
