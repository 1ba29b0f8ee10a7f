"""What is wrong, odd or missing in an event, a file or a request, and where."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any


class Level(enum.StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # must be fixed
    WARNING = "warning"  # fix it, or say that it is meant
    NOTICE = "notice"  # good to know


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where something was found. A part that is not known, or does not apply, is empty."""

    file: str = ""
    section: int | None = None
    sheet: str = ""
    line: int | None = None
    row: int | None = None
    cell: str = ""
    id: str = ""  # of a player, where an office knows no pairing number
    players: tuple[int, ...] = ()  # pairing numbers; of a game White first, where that is known
    round: int | None = None
    pool: str = ""
    part: str = ""  # of a document or a request, by its name: "event", "settings", "query state"
    text: str = ""  # of findings that were stored as text

    @property
    def player(self) -> int | None:
        """The first of the players."""
        return self.players[0] if self.players else None

    def at(self, **parts: Any) -> Place:
        """Return the place with these parts in addition."""
        return replace(self, **parts)

    def within(self, part: str) -> Place:
        """Return the place of a named part inside this one."""
        return replace(self, part=f"{self.part}, {part}" if self.part else part)

    def to_json(self) -> dict[str, Any]:
        """Return the parts that are known."""
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        return {
            name: list(value) if name == "players" else value
            for name, value in known.items()
            if value not in ("", None, ())
        }

    @classmethod
    def from_json(cls, parts: Mapping[str, Any]) -> Place:
        """Return the place that `to_json` wrote."""
        return cls(**{**parts, "players": tuple(parts.get("players", ()))})


@dataclass(frozen=True, slots=True)
class Players:
    """Players that a sentence names, by their pairing numbers: a page writes their names instead."""

    numbers: tuple[int, ...]


Fact = str | int | float | None | tuple[str, ...] | tuple[int, ...] | Players


@dataclass(frozen=True, slots=True)
class Input:
    """A value that a person gives with a fix."""

    name: str
    kind: str = "text"  # text, date, number, lines, check
    value: str = ""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Fix:
    """What could be done about a finding: a kind of change (`crosstable.fixes`), and the values that it takes.

    `suggested`: the finding leaves no choice, so that a program may carry it out. `about` has what a person should know
    before choosing it: whose id it is, or why we suggest it.
    """

    kind: str
    values: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    suggested: bool = False
    about: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, odd or missing: where, what was found, and what to do.

    `facts` has the values of the message that a program can use. Where the message names players, `sentence` is the
    message with its facts as named fields. `fixes` has what could be done about it, where someone asked for it
    (`crosstable.fixes.with_fixes`).
    """

    level: Level
    code: str  # stable, kebab-case: "self-pairing"
    place: Place
    message: str  # what was found, quoting it
    advice: str = ""  # what to do
    facts: Mapping[str, Fact] = field(default_factory=dict, compare=False)
    sentence: str = field(default="", compare=False)
    fixes: tuple[Fix, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        from crosstable.words.findings import finding_text

        return finding_text(self)


def errors(findings: list[Finding] | tuple[Finding, ...]) -> list[Finding]:
    return [finding for finding in findings if finding.level is Level.ERROR]
