"""Dated values: what a rule says, from which day, and the print behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from crosstable.errors import NoRulesOnDate, RulebookError

AS_WRITTEN = "as-written"
AS_PRACTISED = "as-practised"
PROFILES = (AS_WRITTEN, AS_PRACTISED)


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the law that can be kept or broken; tests name it by its id."""

    id: str
    document: str
    section: str
    says: str


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """What a rule says from a day on, with its source. Compared by identity: it stands once in its rule's timeline."""

    since: date
    until: date | None
    document: str
    section: str
    note: str
    fields: Mapping[str, Any]
    #: The first day of the same value: a later edition that prints it again does not begin it
    holds_since: date

    def __getitem__(self, field: str) -> Any:
        return self.fields[field]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's whole history, in both profiles."""

    name: str
    title: str
    says: str  # a sentence with {fields} in it
    written: tuple[Value, ...]
    practised: tuple[Value, ...]
    clauses: tuple[Clause, ...]
    plain: str = ""  # the same without its formula, where it has one

    def timeline(self, profile: str) -> tuple[Value, ...]:
        return self.practised if profile == AS_PRACTISED else self.written

    def on(self, day: date, profile: str = AS_WRITTEN) -> Value | None:
        """Return the value in force, or nothing once the rule has ended."""
        for value in reversed(self.timeline(profile)):
            if value.since <= day:
                return value if value.until is None or day <= value.until else None
        raise NoRulesOnDate(
            f"the rule '{self.name}' has no value on {day}; its first day is {self.timeline(profile)[0].since}"
        )

    def last_day(self, value: Value, profile: str = AS_WRITTEN) -> date | None:
        """Return the last day on which a value holds: its own, or the day before the next one. None: none is known."""
        later = [one.since for one in self.timeline(profile) if one.since > value.since]
        return value.until or (later[0] - timedelta(days=1) if later else None)

    def held(self, value: Value, profile: str = AS_WRITTEN) -> tuple[date, date | None]:
        """Return the first and the last day of what a value says, whichever editions print it."""
        same = [one for one in self.timeline(profile) if one.holds_since == value.holds_since]
        return value.holds_since, self.last_day(same[-1], profile)

    def words(self, value: Value) -> str:
        return self._filled(self.says, value)

    def plain_words(self, value: Value) -> str:
        """For someone who does not read formulas."""
        return self._filled(self.plain or self.says, value)

    def _filled(self, sentence: str, value: Value) -> str:
        return sentence.format(**{name: _Said(item) for name, item in value.fields.items()})


class _Said:
    """A field in a sentence: `{cap}`, and of a yes or no `{online:online too|not online}`."""

    def __init__(self, item: Any) -> None:
        self._item = item

    def __format__(self, spec: str) -> str:
        if not spec:
            return in_words(self._item)
        yes, _, no = spec.partition("|")
        return yes if self._item else no


def in_words(item: Any) -> str:
    """Return a value as `rules` prints it: lists and tables without TOML's brackets."""
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, Mapping) and {"add", "times"} <= item.keys():
        return _piece_in_words(item)
    if isinstance(item, Mapping):
        return " ".join(f"{key.replace('_', ' ')} {in_words(part)}" for key, part in item.items())
    if isinstance(item, tuple) and item and all(isinstance(part, Mapping) and "source" in part for part in item):
        return _sources_in_words(item)
    if isinstance(item, tuple):
        tables = any(isinstance(part, Mapping) for part in item)
        return ("; " if tables else ", ").join(in_words(part) for part in item)
    return f"{item:.10f}".rstrip("0").rstrip(".") if isinstance(item, float) else str(item)


def _sources_in_words(sources: Sequence[Mapping[str, Any]]) -> str:
    """ "for OTBR: FIDE, CFC, OTBQ from 4 games on (counts as 0 games); for OTBQ: …": in this order."""
    found: dict[str, list[str]] = {}
    for one in sources:
        least, most = one.get("min_games"), one.get("max_games")
        words = one["source"]
        words += f" on {least} to {most} games" if least and most else f" from {least} games on" if least else ""
        if "games" in one:
            own = ", at most its own" if one.get("at_most_own") else ""
            words += f" (counts as {one['games']} game{'' if one['games'] == 1 else 's'}{own})"
        found.setdefault(one["rating"], []).append(words)
    return "; ".join(f"for {rating}: {', '.join(parts)}" for rating, parts in found.items()) + "."


def _piece_in_words(piece: Mapping[str, Any]) -> str:
    """One piece of a conversion: "R up to 2000: −1073 + 1.5667 R"."""
    bound = (
        f"up to {piece['up_to']:g}: "
        if "up_to" in piece
        else f"below {piece['below']:g}: "
        if "below" in piece
        else "above: "
    )
    return f"{bound}{piece['add']:g} + {piece['times']:g} R"


def check_timeline(name: str, values: tuple[Value, ...]) -> None:
    """In order, no two values on one day, no day in between without one."""
    for earlier, later in pairwise(values):
        if later.since <= earlier.since:
            raise RulebookError(f"{name}: overlap: a value from {later.since} follows one from {earlier.since}")
        if earlier.until is not None and earlier.until >= later.since:
            raise RulebookError(
                f"{name}: overlap: the value until {earlier.until} runs into the one from {later.since}"
            )
        if earlier.until is not None and earlier.until < later.since - timedelta(days=1):
            raise RulebookError(f"{name}: gap: nothing between {earlier.until} and {later.since}")


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of one system in force on one day, with a hash of what they say."""

    system: str
    profile: str
    date: date
    values: Mapping[str, Value]
    hash: str

    def __getitem__(self, rule: str) -> Value:
        try:
            return self.values[rule]
        except KeyError:
            raise RulebookError(f"no rule '{rule}' is in force in {self.system} on {self.date}") from None

    def __contains__(self, rule: str) -> bool:
        return rule in self.values


def frozen(item: Any) -> Any:
    """Return lists as tuples and tables as read-only, so that the law cannot change at run time."""
    if isinstance(item, Mapping):
        return MappingProxyType({key: frozen(part) for key, part in item.items()})
    if isinstance(item, list | tuple):
        return tuple(frozen(part) for part in item)
    return item
