"""Reads the law from its TOML files, strictly: unknown key, overlap, gap, missing source, wrong type: error.

A rulebook is a folder: `index.toml` (title, first day, documents) and one file per rule. A small system may be one file
with its rules under `[rule.NAME]`. In a rule:

    title = "Bonus multiplier" says = "B = {multiplier}"                 # for people; {online:online too|not online}
    says yes and no in words plain = "What lies above counts twice."   # optional: the same without the formula, for
    players and parents fields = { multiplier = "number" }        # number and integer (from 0 on), positive (a number
    above 0, for what divides), signed (a
                                              # number that may be below 0), text, boolean, date, numbers, texts, or a
                                              table of # these for a list of tables; "?": optional
    [[value]]
    from = 2025-01-01                         # to the day
    document = "us-chess-2025"
    section = "4.2"
    note = "..."                              # optional
    multiplier = 10
    practised_from = 2025-01-02               # optional: the day that practice shows instead
    practised = { multiplier = 11 }           # optional: the value that practice shows instead
    [[clause]]
    id = "bonus.threshold"                    # tests cite it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cache, lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from crosstable.errors import NoRulesOnDate, RulebookError, UnknownSystem
from crosstable.rulebook.timeline import (
    AS_PRACTISED,
    AS_WRITTEN,
    PROFILES,
    Clause,
    Rule,
    Rules,
    Value,
    check_timeline,
    frozen,
)

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_RULE_KEYS = {"title", "says", "plain", "fields", "value", "clause"}
_VALUE_KEYS = {"from", "until", "document", "section", "note", "practised_from", "practised"}
_CLAUSE_KEYS = {"id", "document", "section", "says"}
_INDEX_KEYS = {"title", "first", "document", "rule"}


NO_OTHERS: Mapping[str, date] = {}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One system's law through all its days."""

    system: str
    title: str
    first: date
    documents: Mapping[str, str]
    rules: Mapping[str, Rule]

    def on(self, day: date, profile: str = AS_WRITTEN, others: Mapping[str, date] = NO_OTHERS) -> Rules:
        """Return the rules in force on a day; `others` gives single rules another day."""
        if profile not in PROFILES:
            raise RulebookError(f"no profile '{profile}': choose one of {', '.join(PROFILES)}")
        if day < self.first:
            raise NoRulesOnDate(
                f"no {self.title} rules are in force on {day}: the first day of this rulebook is {self.first}"
            )
        values = {
            name: value
            for name, rule in self.rules.items()
            if (value := rule.on(max(others.get(name, day), self.first), profile)) is not None
        }
        return Rules(self.system, profile, day, values, _hash(tuple(values.items())))

    def changes(self, after: date, through: date, profile: str = AS_WRITTEN) -> list[tuple[Rule, Value]]:
        """Every value that took effect after the one day and up to the other."""
        return [
            (rule, value)
            for rule in self.rules.values()
            for value in rule.timeline(profile)
            if after < value.since <= through
        ]


@lru_cache(maxsize=4096)
def _hash(values: tuple[tuple[str, Value], ...]) -> str:
    """Of what the rules say. Kept, since most days of a history say the same as the day before."""
    content = {name: _plain(value.fields) for name, value in values}
    import hashlib  # what only some need is imported where it is needed: `import crosstable` stays quick
    import json

    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def _plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {key: _plain(part) for key, part in item.items()}
    return [_plain(part) for part in item] if isinstance(item, tuple) else item


@cache
def rulebook(system: str = "us_chess") -> Rulebook:
    """Return the rulebook of a rating system, read once. Only a known name: it may come from an address on the web."""
    if system not in systems():
        raise UnknownSystem(_unknown(system))
    return build(system, *read_files(system))


def _unknown(system: str) -> str:
    return f"no rulebook '{system}': there are {', '.join(systems())}"


def load(system: str, root: Traversable) -> Rulebook:
    """Load a rulebook of another package: SYSTEM.toml, or a folder SYSTEM with index.toml, below `root`."""
    return build(system, *read_files(system, root))


def read_files(system: str, root: Traversable | None = None) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return a rulebook's parsed TOML: the index, and each rule by its name."""
    root = root or _folder()
    folder, single = root / system, root / f"{system}.toml"
    if folder.is_dir():
        files = {
            item.name.removesuffix(".toml"): _read(item) for item in folder.iterdir() if item.name.endswith(".toml")
        }
        return files.pop("index"), files
    if single.is_file():
        index = _read(single)
        return index, index.pop("rule", {})
    raise UnknownSystem(_unknown(system))


@cache
def systems() -> tuple[str, ...]:
    root = _folder()
    folders = [item.name for item in root.iterdir() if item.is_dir() and (item / "index.toml").is_file()]
    return tuple(sorted(folders + [item.name[:-5] for item in root.iterdir() if item.name.endswith(".toml")]))


def on(day: date, profile: str = AS_WRITTEN, system: str = "us_chess") -> Rules:
    """Return the rules in force on a day; raise NoRulesOnDate before the system's first day."""
    return rulebook(system).on(day, profile)


def _folder() -> Traversable:
    from importlib import resources

    return resources.files("crosstable.rulebook")


def _read(item: Traversable) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(item.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"{item.name}: {error}") from error


def build(system: str, index: Mapping[str, Any], files: Mapping[str, Mapping[str, Any]]) -> Rulebook:
    """Build a rulebook from parsed TOML. A club that changes its numbers calls this with its own file."""
    _only(f"{system}/index", index, _INDEX_KEYS)
    first, documents = index["first"], index["document"]
    rules = {name: _rule(name, raw, documents, first) for name, raw in sorted(files.items())}
    clauses = [clause.id for rule in rules.values() for clause in rule.clauses]
    if twice := {name for name in clauses if clauses.count(name) > 1}:
        raise RulebookError(f"{system}: clause ids used twice: {', '.join(sorted(twice))}")
    return Rulebook(system, index["title"], first, dict(documents), rules)


def _rule(name: str, raw: Mapping[str, Any], documents: Mapping[str, str], first: date) -> Rule:
    _only(name, raw, _RULE_KEYS)
    if missing := {"title", "says", "fields", "value"} - set(raw):
        raise RulebookError(f"{name}: missing {', '.join(sorted(missing))}")
    fields: Mapping[str, Any] = raw["fields"]
    entries = raw["value"]
    written = with_first_days(_value(name, entry, fields, documents) for entry in entries)
    practised = with_first_days(_value(name, _as_practised(entry), fields, documents) for entry in entries)
    for profile, values in ((AS_WRITTEN, written), (AS_PRACTISED, practised)):
        check_timeline(f"{name} ({profile})", values)
        if values[0].since > first:
            raise RulebookError(f"{name} ({profile}): gap: nothing between {first} and {values[0].since}")
    clauses = _clauses(name, raw.get("clause", ()), documents)
    return Rule(name, raw["title"], raw["says"], written, practised, clauses, raw.get("plain", ""))


def _as_practised(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {**entry, "from": entry.get("practised_from", entry.get("from")), **entry.get("practised", {})}


def _value(name: str, entry: Mapping[str, Any], fields: Mapping[str, Any], documents: Mapping[str, str]) -> Value:
    where = f"{name} from {entry.get('from', '?')}"
    for key in ("from", "document", "section"):
        if not entry.get(key):
            raise RulebookError(f"{where}: missing source: no '{key}'")
    if entry["document"] not in documents:
        raise RulebookError(f"{where}: unknown document '{entry['document']}'")
    _only(where, entry, _VALUE_KEYS | set(fields))
    content = {key: entry[key] for key in fields if key in entry}
    _only(f"{where}, practised", entry.get("practised", {}), set(fields))
    check_fields(where, content, fields)
    return Value(
        entry["from"],
        entry.get("until"),
        entry["document"],
        entry["section"],
        entry.get("note", ""),
        frozen(content),
        entry["from"],
    )


def with_first_days(values: Iterable[Value]) -> tuple[Value, ...]:
    """Return each value with the day since which it has held without a break."""
    found: list[Value] = []
    for value in values:
        again = found and found[-1].fields == value.fields
        found.append(replace(value, holds_since=found[-1].holds_since) if again else value)
    return tuple(found)


def _clauses(name: str, raw: Any, documents: Mapping[str, str]) -> tuple[Clause, ...]:
    for entry in raw:
        _only(f"{name}, clause", entry, _CLAUSE_KEYS)
        if missing := _CLAUSE_KEYS - set(entry):
            raise RulebookError(f"{name}, clause {entry.get('id', '?')}: missing {', '.join(sorted(missing))}")
        if entry["document"] not in documents:
            raise RulebookError(f"{name}, clause {entry['id']}: unknown document '{entry['document']}'")
    return tuple(Clause(**entry) for entry in raw)


def _only(where: str, raw: Mapping[str, Any], allowed: set[str]) -> None:
    if unknown := set(raw) - allowed:
        raise RulebookError(f"{where}: unknown key {', '.join(sorted(unknown))}; known: {', '.join(sorted(allowed))}")


_TYPES: Mapping[str, tuple[type, ...]] = {
    "number": (int, float),
    "positive": (int, float),
    "signed": (int, float),
    "integer": (int,),
    "text": (str,),
    "boolean": (bool,),
    "date": (date,),
    "numbers": (list,),
    "texts": (list,),
}
_WORDS: Mapping[str, str] = {"positive": "number above 0"}


def check_fields(where: str, content: Mapping[str, Any], fields: Mapping[str, Any]) -> None:
    for key, wanted in fields.items():
        if isinstance(wanted, Mapping):  # a list of tables
            if not isinstance(content.get(key), list):
                raise RulebookError(f"{where}: '{key}' must be a list of tables")
            for row in content[key]:
                _only(f"{where}, {key}", row, set(wanted))
                check_fields(f"{where}, {key}", row, wanted)
            continue
        optional = wanted.endswith("?")
        if key not in content:
            if optional:
                continue
            raise RulebookError(f"{where}: missing '{key}'")
        _check_type(where, key, content[key], wanted.rstrip("?"))


def _check_type(where: str, key: str, item: Any, wanted: str) -> None:
    if wanted not in _TYPES:
        raise RulebookError(f"{where}: '{key}' has an unknown type '{wanted}'")
    fits = isinstance(item, _TYPES[wanted]) and (wanted == "boolean" or not isinstance(item, bool))
    parts = {"numbers": (int, float), "texts": (str,)}.get(wanted)
    if not fits or (parts and not all(isinstance(part, parts) for part in item)):
        raise RulebookError(f"{where}: '{key}' must be a {_WORDS.get(wanted, wanted)}, not {item!r}")
    if isinstance(item, float) and not isfinite(item):
        raise RulebookError(f"{where}: '{key}' must be a number that there is, not {item}")
    if wanted == "positive" and item <= 0:
        raise RulebookError(f"{where}: '{key}' must be a {_WORDS[wanted]}, not {item}")
    if wanted in ("number", "integer") and item < 0:
        raise RulebookError(f"{where}: '{key}' must be a {wanted} from 0 on, not {item}")
