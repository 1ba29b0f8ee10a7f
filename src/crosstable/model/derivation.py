"""The steps of a derivation as facts: one frozen record for each kind of step. Their English is in `words`.

Here is what all systems share; `us_chess_steps` and `system_steps` have the other kinds.

Every float of a record may be `Rounded` or `HIDDEN` in the public form (`systems.privacy`). A system that needs a kind
of its own subclasses `Step` with another `kind`; pages, terminal and API then show it by its fields, or as `words`
describes it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any, ClassVar

from crosstable.model.values import Hidden, Number, Rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The rule behind a step: its name in the rulebook, the document and section that print it, and since when it
    holds.
    """

    rule: str
    document: str = ""
    section: str = ""
    since: date | None = None
    dated_by: str = ""  # another document whose history list dates the rule: "2025 §8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a derivation."""

    kind: ClassVar[str] = "step"
    #: The field with the number that the step arrives at
    main: ClassVar[str] = ""

    cite: Citation | None = None

    @property
    def value(self) -> Any:
        """The number that the step arrives at; None where it decides something else."""
        return getattr(self, self.main) if self.main else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenStep(Step):
    """A step that may not be shown: what it says depends on an age."""

    kind: ClassVar[str] = "hidden"
    step: str  # the kind of the step that is hidden


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRating(Step):
    """The rating in this pool before the event."""

    kind: ClassVar[str] = "own-rating"
    main: ClassVar[str] = "rating"

    pool: str
    rating: Number
    games: int | None
    dated: date | None = None
    deviation: Number | None = None
    widened: Number | None = None  # the deviation after the time without games, and with the games of this event


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Step):
    """What is stored and what is published."""

    kind: ClassVar[str] = "published"
    main: ClassVar[str] = "published"

    stored: Number
    published: Number
    games: int


def kinds(base: type[Step] = Step) -> dict[str, type[Step]]:
    """Return every kind of step that a loaded module declares, by its name."""
    found: dict[str, type[Step]] = {}
    for one in base.__subclasses__():
        found |= {one.kind: one} | kinds(one)
    return found


def facts(step: Step) -> dict[str, Any]:
    """Return a step as JSON has it: its kind, the rule behind it, then its facts.

    A number is a number, `{"rounded": 1664}`, or null where it is hidden.
    """
    cite = step.cite
    rule = (
        {} if cite is None else {name: _plain(getattr(cite, name)) for name in ("rule", "document", "section", "since")}
    )
    own = {one.name: _plain(getattr(step, one.name)) for one in fields(step) if one.name != "cite"}
    return {"kind": step.kind, **rule, **own}


def _plain(value: Any) -> Any:
    match value:
        case Rounded():
            return {"rounded": float(value) if value.parts > 1 else int(value)}
        case Hidden():
            return None
        case enum.Enum():
            return value.value
        case date():
            return value.isoformat()
        case tuple():
            return [_plain(one) for one in value]
        case _ if is_dataclass(value):
            return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    return value
