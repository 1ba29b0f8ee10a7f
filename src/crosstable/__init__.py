"""Crosstable: the open-source rating office for chess.

import crosstable

reading = crosstable.read("event.json")          # any supported format
rated = crosstable.rate(reading)                  # every player's new rating, with the work behind it
for answer in rated.answers:
    print(answer.id, answer.prior, answer.published, *answer.trace, sep="\\n  ")
"""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from crosstable.errors import (
    CrosstableError,
    EventRejected,
    NoRulesOnDate,
    RulebookError,
    UnknownPool,
    UnknownSystem,
    UnknownTimeControl,
)
from crosstable.model import (
    Answer,
    Event,
    Finding,
    ForeignRating,
    Game,
    Level,
    MatchChange,
    Player,
    Rated,
    Rating,
    Section,
    Step,
)
from crosstable.rulebook import AS_PRACTISED, AS_WRITTEN, Rules
from crosstable.systems import SYSTEMS, RatingSystem, privacy, system

if TYPE_CHECKING:
    from pathlib import Path

    from crosstable.formats import Reading, Written

__version__ = "0.1.0"


def rate(event: Event | Reading, system_name: str = "us_chess", profile: str = AS_WRITTEN) -> Rated:
    """Every player's new rating. Raises EventRejected with all findings if the event cannot be rated.

    Takes what `read` gives, or an event. The same gate as everywhere decides (`crosstable.checks.gate`).
    """
    from crosstable.checks.gate import admit

    return system(system_name).rate(admit(event, system_name, profile), profile)


def public(event: Event | Reading, system_name: str = "us_chess", profile: str = AS_WRITTEN) -> Rated:
    """As `rate`, in the form that anybody may see: no number in it, but a published rating, depends on an age."""
    from crosstable.checks.gate import admit

    return privacy.public(admit(event, system_name, profile), partial(system(system_name).rate, profile=profile))


def rules(day: date, system_name: str = "us_chess", profile: str = AS_WRITTEN) -> Rules:
    """The rules in force on a day; before the first day of a rulebook it raises NoRulesOnDate."""
    return system(system_name).rules(day, profile)


def read(path: str | Path) -> Reading:
    """An event from a file of any supported format, with findings.

    `reading.event` raises EventRejected with all of them if the file has errors or is not there.
    """
    from crosstable.formats import read_path

    return read_path(path)


def write(event: Event, format: str = "event-json") -> Written:
    """An event as the bytes of a file, and what the format could not hold."""
    from crosstable.formats import write as write_format

    return write_format(event, format)


def check(event: Event) -> list[Finding]:
    """Everything that is wrong or odd about an event."""
    from crosstable.checks import check as check_event

    return check_event(event)


__all__ = [
    "AS_PRACTISED",
    "AS_WRITTEN",
    "SYSTEMS",
    "Answer",
    "CrosstableError",
    "Event",
    "EventRejected",
    "Finding",
    "ForeignRating",
    "Game",
    "Level",
    "MatchChange",
    "NoRulesOnDate",
    "Player",
    "Rated",
    "Rating",
    "RatingSystem",
    "RulebookError",
    "Rules",
    "Section",
    "Step",
    "UnknownPool",
    "UnknownSystem",
    "UnknownTimeControl",
    "__version__",
    "check",
    "public",
    "rate",
    "read",
    "rules",
    "system",
    "write",
]
