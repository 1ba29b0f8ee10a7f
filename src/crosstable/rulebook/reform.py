"""A reform: some of a rulebook's numbers, other than they are, from a day on. Checked as strictly as the rulebook itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from crosstable.errors import RulebookError
from crosstable.rulebook.loader import Rulebook, build, read_files, rulebook

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
        """The rulebook with the reform in it; unknown rules, fields and types are refused together with what there is."""
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
            files[rule]["value"] = _changed(files[rule]["value"], fields, since, self.title)
        return build(self.system, index, files)


@lru_cache(maxsize=64)
def with_numbers(system: str, values: tuple[tuple[str, float], ...]) -> Rulebook:
    """The rulebook with some numbers changed on every day: (("ageing.c", 20.0),) is field c of the rule ageing."""
    if not values:
        return rulebook(system)
    changes: dict[str, dict[str, float]] = {}
    for place, value in values:
        rule, field = place.split(".")
        changes.setdefault(rule, {})[field] = value
    return Reform("parameters", system, changes).apply()


def read_reform(path: Path) -> Reform:
    """A reform from a small TOML file: title, system, from, and a table for each rule that changes."""
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


def _changed(values: list[dict[str, Any]], fields: Mapping[str, Any], since: date, title: str) -> list[dict[str, Any]]:
    """A rule's timeline with the fields changed from a day on; the value in force on that day is cut in two."""
    found: list[dict[str, Any]] = []
    for place, entry in enumerate(values):
        following = values[place + 1]["from"] if place + 1 < len(values) else None
        if entry["from"] >= since:
            found.append(_reformed(entry, fields, title))
        elif following is not None and following <= since:
            found.append(entry)
        elif entry.get("until") is not None and entry["until"] < since:
            found.append(entry)  # the rule has ended
        else:
            earlier = {key: value for key, value in entry.items() if key != "until"}
            later = {**entry, "from": since}
            later.pop("practised_from", None)
            if entry.get("practised_from", since) > since:
                later["practised_from"] = entry["practised_from"] + timedelta(days=1)
            found += [earlier, _reformed(later, fields, title)]
    return found


def _reformed(entry: Mapping[str, Any], fields: Mapping[str, Any], title: str) -> dict[str, Any]:
    changed = {**entry, **fields, "document": DOCUMENT, "section": title}
    if "practised" in changed:
        changed["practised"] = {key: value for key, value in entry["practised"].items() if key not in fields}
    return changed
