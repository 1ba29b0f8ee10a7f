"""A reform: some of a rulebook's numbers, other than they are, from a day on. Checked as strictly as the rulebook
itself.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from crosstable.errors import RulebookError
from crosstable.rulebook.loader import Rulebook, build, check_fields, read_files, rulebook, with_first_days
from crosstable.rulebook.timeline import Rule, Value, frozen

DOCUMENT = "reform"
_KEYS = {"title", "system", "from"}


@dataclass(frozen=True, slots=True)
class Reform:
    """Which fields of which rules change. `since` None: from the rulebook's first day on."""

    title: str
    system: str
    changes: Mapping[str, Mapping[str, Any]]  # rule → field → value
    since: date | None = None
    rule_since: Mapping[str, date] | None = None  # a rule that changes on another day
    rule_says: Mapping[str, str] | None = None  # what becomes of a rule, for people

    def begins(self, rule: str) -> date | None:
        return (self.rule_since or {}).get(rule, self.since)

    def apply(self) -> Rulebook:
        """Return the rulebook with the reform in it; unknown rules,
        fields and types are refused together with what there is.
        """
        index, files = read_files(self.system)
        index["document"] = {**index["document"], DOCUMENT: f"Reform: {self.title}"}
        if unknown := sorted(set(self.changes) - set(files)):
            raise RulebookError(f"no rule {', '.join(unknown)} in {self.system}: there are {', '.join(sorted(files))}")
        for rule, fields in self.changes.items():
            since = self.begins(rule) or index["first"]
            if since < index["first"]:
                raise RulebookError(f"{rule}: the rulebook of {self.system} begins on {index['first']}, not on {since}")
            known = files[rule]["fields"]
            if wrong := sorted(set(fields) - set(known)):
                raise RulebookError(f"{rule} has no {', '.join(wrong)}: it has {', '.join(sorted(known))}")
        book = build(self.system, index, files)
        changed = {rule: self._changed(book.rules[rule], files[rule]["fields"], book.first) for rule in self.changes}
        return replace(book, rules={**book.rules, **changed})

    def _changed(self, rule: Rule, types: Mapping[str, Any], first: date) -> Rule:
        """Return the rule's two timelines, each with the fields changed from the day on."""
        since, fields = self.begins(rule.name) or first, self.changes[rule.name]
        check_fields(f"{rule.name} from {since}", fields, {name: types[name] for name in fields})
        written, practised = (
            with_first_days(_from_day(timeline, since, frozen(fields), self.title))
            for timeline in (rule.written, rule.practised)
        )
        return replace(rule, written=written, practised=practised)


@lru_cache(maxsize=64)
def with_numbers(system: str, values: tuple[tuple[str, float], ...]) -> Rulebook:
    """Return the rulebook with some numbers changed on every day: (("ageing.c",
    20.0),) is field c of the rule ageing.
    """
    if not values:
        return rulebook(system)
    changes: dict[str, dict[str, float]] = {}
    for place, value in values:
        rule, field = place.split(".")
        changes.setdefault(rule, {})[field] = value
    return Reform("parameters", system, changes).apply()


def read_reform(path: Path) -> Reform:
    """Read a reform from a small TOML file: title, system, from, and a table for each rule that changes."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise RulebookError(f"{path}: cannot be read: {error}") from error
    rules = {name: dict(table) for name, table in raw.items() if isinstance(table, dict)}
    if unknown := sorted(set(raw) - set(rules) - _KEYS):
        raise RulebookError(
            f"{path.name}: unknown key {', '.join(unknown)}; known: {', '.join(sorted(_KEYS))} and rules"
        )
    if not rules:
        raise RulebookError(f"{path.name}: it changes nothing: add a table such as [bonus] with multiplier = 8")
    since = {rule: _day(path, table.pop("from")) for rule, table in rules.items() if "from" in table}
    says = {rule: str(table.pop("says")) for rule, table in rules.items() if "says" in table}
    reform = Reform(
        title=str(raw.get("title", path.stem)),
        system=str(raw.get("system", "us_chess")),
        changes=rules,
        since=_day(path, raw["from"]) if "from" in raw else None,
        rule_since=since,
        rule_says=says,
    )
    reform.apply()  # whatever is wrong with it is said now
    return reform


def _day(path: Path, value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise RulebookError(f"{path.name}: 'from' must be a day such as 2013-01-01, not {value!r}")


def _from_day(timeline: Sequence[Value], since: date, fields: Mapping[str, Any], title: str) -> Iterator[Value]:
    """Yield the values of a timeline with the fields changed from a day on;
    the one in force on that day is cut in two.
    """
    for place, value in enumerate(timeline):
        last = timeline[place + 1].since - timedelta(days=1) if place + 1 < len(timeline) else date.max
        last = min(last, value.until or last)
        if value.since < since:
            yield value if last < since else replace(value, until=None)
        if last >= since:
            first = max(value.since, since)
            changed = frozen({**value.fields, **fields})
            yield Value(first, value.until, DOCUMENT, title, "", changed, holds_since=first)
