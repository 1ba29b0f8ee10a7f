"""Federations: what an office is for, as one TOML file each.

A profile says what an office calls its ratings, what a player's ID looks like, what a report must say, which checks
apply, when lists are published and what is shown of a rating. `office init --federation NAME|FILE` chooses one; an
office keeps its own copy, which `office federation` shows and changes.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from crosstable.errors import CrosstableError
from crosstable.model import KINDS, Level
from crosstable.systems import system
from crosstable.systems.us_chess.pools import BY_KEY

DEFAULT = "us_chess"
NAMES = ("us_chess", "aga", "glicko_league", "fide_country", "school_club")
GAMES = ("chess", "go")
EVERY_MONTH = tuple(range(1, 13))
_LANGUAGE = re.compile(r"[a-z]{2}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class FederationError(CrosstableError):
    """A profile that cannot be used; the message has a line for everything that is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolName:
    """A pool of the office's systems, by the name that its players use."""

    key: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ids:
    """What a player's ID looks like, and which ones the office gives to new players."""

    pattern: str = r"\S{1,40}"
    description: str = "a word without spaces"
    first: int = 1
    last: int = 99_999_999
    by_name: bool = False  # a report may name players without IDs: the office finds them by their names

    def matches(self, given: str) -> bool:
        """Return whether this could be an ID."""
        return re.fullmatch(self.pattern, given) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFacts:
    """What a report must say, besides players, results and dates."""

    time_control: bool = False
    place: bool = False
    affiliate: bool = False
    director: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckChoices:
    """Checks that do not apply, and the levels that differ from the usual ones, by code."""

    off: tuple[str, ...] = ()
    levels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCalendar:
    """When rating lists are published."""

    months: tuple[int, ...] = EVERY_MONTH
    day: int = 1

    def after(self, day: date) -> date:
        """Return the day of the list after this one."""
        year, month = day.year, day.month
        while True:
            if month in self.months and (listed := date(year, month, self.day)) > day:
                return listed
            year, month = year + month // 12, month % 12 + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Shows:
    """What is shown of a rating besides its number."""

    provisional: bool = False  # P13: based on 13 games
    floor: bool = False
    deviation: bool = False  # 1500 ± 120
    rank: bool = False  # 3d, 7k
    decimals: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Federation:
    """A federation, league or club, and how its office works."""

    name: str
    short_name: str
    since: date
    systems: Mapping[str, tuple[str, ...]]
    pools: tuple[PoolName, ...]
    game: str = "chess"
    ids: Ids = field(default_factory=Ids)
    report: ReportFacts = field(default_factory=ReportFacts)
    checks: CheckChoices = field(default_factory=CheckChoices)
    lists: ListCalendar = field(default_factory=ListCalendar)
    shows: Shows = field(default_factory=Shows)
    titles: str = ""  # "1996" or "2010": the title systems of the documents
    memberships: bool = False
    ages: bool = False
    languages: tuple[str, ...] = ("en", "es")
    accent: str = ""
    contact: str = ""

    @property
    def us_chess(self) -> bool:
        """Return whether the US Chess system rates the office's sections, and its rules of reporting apply."""
        return any("us_chess" in names for names in self.systems.values())

    @property
    def rulebooks(self) -> tuple[str, ...]:
        """Return the rulebooks of the office's systems, the main one first."""
        names = dict.fromkeys(name for names in self.systems.values() for name in names)
        return tuple(dict.fromkeys(system(name).book.system for name in names))

    @property
    def titles_of_pools(self) -> dict[str, str]:
        """Return the name of each pool by its key, in the profile's order."""
        return {pool.key: pool.title for pool in self.pools}

    def to_json(self) -> dict[str, Any]:
        """Return the profile as an office stores it."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}


def federation(chosen: str | Path) -> Federation:
    """Return the federation of that name, or of a TOML file.

    >>> federation("aga").game
    'go'
    """
    if str(chosen) in NAMES:
        return _ours(str(chosen))
    path = Path(chosen)
    if not path.is_file():
        known = ", ".join(NAMES)
        raise FederationError(f"no federation '{chosen}'. Choose one of {known}, or name a TOML file.")
    try:
        return from_data(tomllib.loads(path.read_text(encoding="utf-8")), str(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise FederationError(f"{path}: not a TOML file: {problem}") from problem


@cache
def _ours(name: str) -> Federation:
    text = files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return from_data(tomllib.loads(text), f"{name}.toml")


def for_systems(systems: Mapping[str, Collection[str]]) -> Federation:
    """Return the profile that fits an office of which only the systems are known."""
    chosen = {name.partition(":")[0] for names in systems.values() for name in names}
    for name in NAMES:
        one = _ours(name)
        if chosen & {system for names in one.systems.values() for system in names}:
            shows = replace(one.shows, deviation=one.shows.deviation or _has_deviation(chosen))
            return with_systems(replace(one, shows=shows), systems)
    return with_systems(replace(_ours("glicko_league"), shows=Shows(deviation=_has_deviation(chosen))), systems)


def with_systems(one: Federation, systems: Mapping[str, Collection[str]]) -> Federation:
    """Return the federation with other systems: pools that it does not name go by their systems' titles."""
    chosen = {kind: tuple(names) for kind, names in systems.items()}
    known = one.titles_of_pools
    pools = {
        key: known.get(key) or _pool_title(name, key)
        for name in dict.fromkeys(name for names in chosen.values() for name in names)
        for key in system(name).pools
    }
    ordered = sorted(pools, key=lambda key: list(known).index(key) if key in known else len(known))
    return replace(one, systems=chosen, pools=tuple(PoolName(key=key, title=pools[key]) for key in ordered))


def _pool_title(name: str, key: str) -> str:
    if key in BY_KEY:
        return BY_KEY[key].title
    one = system(name)
    return one.title if len(one.pools) == 1 else key


def _has_deviation(names: Collection[str]) -> bool:
    return any("deviation" in system(name).record for name in names)


_PARTS = {"ids": Ids, "report": ReportFacts, "checks": CheckChoices, "lists": ListCalendar, "shows": Shows}


def from_data(data: Mapping[str, Any], source: str = "federation") -> Federation:
    """Return the profile in this data: of a TOML file, or as an office stored it. Everything wrong is named at once."""
    problems = _unknown_keys(data)
    values = dict(data)
    if isinstance(values.get("since"), str):
        values["since"] = _date(values["since"], problems)
    for name, record in _PARTS.items():
        values[name] = _part(record, values.get(name, {}), name, problems)
    values["systems"] = _systems(values.get("systems"), problems)
    values["pools"] = _pools(values.get("pools", ()), values["systems"], problems)
    values["languages"] = tuple(values.get("languages", ("en", "es")))
    problems += [f"{name} is missing" for name in ("name", "short_name", "since") if not values.get(name)]
    problems += _wrong_words(values)
    if problems:
        raise FederationError("\n".join(f"{source}: {problem}" for problem in problems))
    return Federation(**values)


def _unknown_keys(data: Mapping[str, Any]) -> list[str]:
    known = {one.name for one in fields(Federation)}
    return [f"unknown key '{key}'. Known: {', '.join(sorted(known))}" for key in data if key not in known]


def _date(text: str, problems: list[str]) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        problems.append(f"since: '{text}' is not a date. Write 2026-01-31")
        return None


def _part(record: type[Any], given: Any, name: str, problems: list[str]) -> Any:
    known = {one.name: one for one in fields(record)}
    if not isinstance(given, Mapping):
        problems.append(f"{name}: expected a table, found {given!r}")
        return record()
    problems += [f"{name}: unknown key '{key}'. Known: {', '.join(known)}" for key in given if key not in known]
    usual = record()
    values = {}
    for key, value in given.items():
        expected = type(getattr(usual, key)) if key in known else object
        value = tuple(value) if expected is tuple and isinstance(value, list) else value  # noqa: PLW2901  as a tuple
        if key in known and type(value) is not expected:
            problems.append(f"{name}.{key}: expected {_KINDS[expected]}, found {value!r}")
        elif key in known:
            values[key] = value
    return record(**values)


_KINDS = {bool: "true or false", int: "a whole number", str: "text", tuple: "a list", dict: "a table"}


def _systems(given: Any, problems: list[str]) -> dict[str, tuple[str, ...]]:
    if not isinstance(given, Mapping) or "default" not in given:
        problems.append('systems: say which system rates: [systems] default = ["glicko2"]')
        return {}
    found = {}
    for kind, names in given.items():
        if kind not in ("default", *KINDS):
            problems.append(f"systems: no section is of the kind '{kind}'. Known: default, {', '.join(KINDS)}")
        found[kind] = tuple([names] if isinstance(names, str) else names)
        for name in found[kind]:
            try:
                system(name)
            except CrosstableError as problem:
                problems.append(f"systems: {problem}")
    return {} if problems else found


def _pools(given: Any, systems: Mapping[str, tuple[str, ...]], problems: list[str]) -> tuple[PoolName, ...]:
    keys = {key for names in systems.values() for name in names for key in system(name).pools}
    found = tuple(PoolName(key=str(one.get("key", "")), title=str(one.get("title", ""))) for one in given)
    problems += [
        f"pools: no system of the office has a pool '{one.key}'. Known: {', '.join(sorted(keys))}"
        for one in found
        if systems and one.key not in keys
    ]
    named = {one.key for one in found}
    rest = (
        PoolName(key=key, title=_pool_title(name, key))
        for names in systems.values()
        for name in names
        for key in system(name).pools
        if key not in named
    )
    return (*found, *dict.fromkeys(rest))


def _wrong_words(values: Mapping[str, Any]) -> list[str]:
    problems = []
    if values.get("game", "chess") not in GAMES:
        problems.append(f"game: '{values['game']}' is not one of {', '.join(GAMES)}")
    if values.get("titles", "") not in ("", "1996", "2010"):
        problems.append(f"titles: '{values['titles']}' is not one of 1996, 2010 or empty")
    if values.get("accent") and not _COLOUR.fullmatch(str(values["accent"])):
        problems.append(f"accent: '{values['accent']}' is not a colour. Write #7a1f1f")
    problems += [
        f"languages: '{one}' is not a language code" for one in values["languages"] if not _LANGUAGE.fullmatch(one)
    ]
    lists: ListCalendar = values["lists"]
    if not lists.months or not set(lists.months) <= set(EVERY_MONTH) or not 1 <= lists.day <= 28:
        problems.append("lists: months are numbers from 1 to 12, and the day is from 1 to 28")
    checks: CheckChoices = values["checks"]
    levels = {str(level) for level in Level}
    problems += [
        f"checks.levels.{code}: '{level}' is not one of {', '.join(sorted(levels))}"
        for code, level in checks.levels.items()
        if level not in levels
    ]
    try:
        re.compile(values["ids"].pattern)
    except re.error as problem:
        problems.append(f"ids.pattern: not a regular expression: {problem}")
    return problems


def to_toml(one: Federation) -> str:
    """Return the profile as a TOML file that `federation` reads."""
    data = one.to_json()
    plain = {key: value for key, value in data.items() if not isinstance(value, dict) and key not in ("pools", "since")}
    lines = [f"{key} = {_toml(value)}" for key, value in plain.items()]
    lines.append(f"since = {data['since']}")
    for pool in data["pools"]:
        lines += ["", "[[pools]]", *(f"{key} = {_toml(value)}" for key, value in pool.items())]
    for key, table in data.items():
        if isinstance(table, dict):
            lines += ["", f"[{key}]", *(f"{name} = {_toml(value)}" for name, value in table.items() if value != {})]
            levels = {name: value for name, value in table.items() if isinstance(value, dict) and value}
            for name, value in levels.items():
                lines.remove(f"{name} = {_toml(value)}")
                lines += ["", f"[{key}.{name}]", *(f"{code} = {_toml(level)}" for code, level in value.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if hasattr(value, "__dataclass_fields__"):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    return value


__all__ = [
    "DEFAULT",
    "NAMES",
    "Federation",
    "FederationError",
    "federation",
    "for_systems",
    "from_data",
    "to_toml",
    "with_systems",
]
