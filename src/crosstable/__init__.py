"""Crosstable: the open-source rating office for chess.

import crosstable as ct

rated = ct.rate("event.json")                 # any supported format; every new rating with the work behind it
fitted = ct.Glicko2().fit(games)              # a data frame of games
ct.compare([ct.Elo(k=24), ct.UsChess()], games, test_from="2013-01-01")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

from crosstable.arguments import day_of
from crosstable.errors import (
    CrosstableError,
    EventRejected,
    MissingExtra,
    NoRulesOnDate,
    UnknownSystem,
    WrongValue,
)
from crosstable.extras import needed_for
from crosstable.model import (
    MODES,
    Answer,
    Event,
    Finding,
    ForeignRating,
    Game,
    Level,
    Player,
    Rated,
    Rating,
    Section,
    Step,
)
from crosstable.rulebook import AS_WRITTEN, Rules
from crosstable.systems import SYSTEMS, RatingSystem, system

if TYPE_CHECKING:
    from pathlib import Path

    from crosstable.estimators import (
        BradleyTerry,
        Chessmetrics,
        Dwz,
        Elo,
        EloMMR,
        Estimator,
        Fide,
        Fitted,
        Glicko,
        Glicko2,
        GlickoBoost,
        StCharles,
        Stephenson,
        TrueSkill,
        UsChess,
        WengLin,
        WholeHistoryRating,
        compare,
    )
    from crosstable.formats import Reading, Written

__version__ = "1.0.0rc1"

#: Loaded when first used, so that `import crosstable` stays quick
_LATER = dict.fromkeys(
    (
        "BradleyTerry",
        "Chessmetrics",
        "Dwz",
        "Elo",
        "EloMMR",
        "Fide",
        "Fitted",
        "Glicko",
        "Glicko2",
        "GlickoBoost",
        "StCharles",
        "Stephenson",
        "TrueSkill",
        "UsChess",
        "WengLin",
        "WholeHistoryRating",
        "compare",
    ),
    "crosstable.estimators",
)


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'crosstable' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)


def rate(
    event: Event | Reading | str | Path,
    system: str | RatingSystem | Estimator = "us_chess",
    profile: str | None = None,
) -> Rated:
    """Every player's new rating. Raises EventRejected with all findings if the event cannot be rated.

    Takes an event, what `read` gives, or the path of a file; a system by name ("glicko") or as an object
    (`Glicko2(tau=0.3)`).

    >>> night = Event.of("Club night", games=[("ann", "bob", 1)], on="2025-08-02")
    >>> [round(answer.post) for answer in rate(night, system="glicko").answers]
    [1662, 1338]
    """
    from crosstable.checks.gate import admit_checked, unused_ratings

    chosen, profile = _chosen(system, profile)
    with needed_for(f"the system '{chosen.name}'"):
        admitted, checked = admit_checked(_source(event), chosen, profile)
        rated = chosen.rate(admitted, profile, checked=checked)
    return replace(rated, findings=(*rated.findings, *unused_ratings(chosen, admitted)))


def public(
    event: Event | Reading | str | Path,
    system: str | RatingSystem | Estimator = "us_chess",
    profile: str | None = None,
) -> Rated:
    """As `rate`, in the form that anybody may see: no number in it, but a published rating, depends on an age."""
    from crosstable.checks.gate import admit
    from crosstable.systems import privacy

    chosen, profile = _chosen(system, profile)
    rate_it = partial(chosen.rate, profile=profile)
    return privacy.public(admit(_source(event), chosen, profile), rate_it, age_classes=chosen.age_classes)


def rules(day: date | str, system: str | RatingSystem | Estimator = "us_chess", profile: str | None = None) -> Rules:
    """Return the rules in force on a day; raise NoRulesOnDate before the first day of the rulebook.

    >>> rules("2025-08-02")["bonus"]["multiplier"]
    10.0
    """
    chosen, profile = _chosen(system, profile)
    return chosen.rules(day_of(day, "day"), profile)


def _chosen(given: str | RatingSystem | Estimator, profile: str | None) -> tuple[RatingSystem, str]:
    """Return the system behind a name, an estimator or itself, and the profile: as given, the estimator's,
    or as written.
    """
    estimator: Any = given
    method: Any = estimator if isinstance(estimator, type) else getattr(estimator, "system", estimator)
    return system(method), str(profile or getattr(estimator, "profile", AS_WRITTEN))


def _source(given: Event | Reading | str | Path) -> Event | Reading:
    """Return an event, or a file that was read; the path of a file is read."""
    from crosstable.formats.base import Reading

    if isinstance(given, Event | Reading):
        return given
    if isinstance(given, str | PathLike):
        return read(given)
    raise WrongValue(f"event: expected an Event, what read gives, or the path of a file, found {given!r}")


def read(
    path: str | Path,
    *,
    start: date | str | None = None,
    end: date | str | None = None,
    time_control: str | None = None,
    mode: str | None = None,
    ratings: str | None = None,
    adults: Sequence[str] = (),
    born: Mapping[str, date | str] | None = None,
) -> Reading:
    """Return an event from a file of any supported format, with findings.

    `start`, `end` and `time_control` stand where the file does not say them; `mode` is "otb" or "online", `ratings` the
    pool that the file's ratings are of ("quick"). `adults` and `born` tell the ages of unrated players, by id or name.
    `reading.event` raises EventRejected with all findings if the file has errors or is not there.
    """
    from crosstable.formats import Given, file_ratings, read_path

    if not isinstance(path, str | PathLike):
        raise WrongValue(f"path: expected the path of a file, found {path!r}")
    first, last = (None if day is None else day_of(day, name) for day, name in ((start, "start"), (end, "end")))
    if mode is not None and mode not in MODES:
        raise WrongValue(f"mode: expected one of {', '.join(MODES)}, found {mode!r}")
    pool = None if ratings is None else file_ratings.system_key(ratings)
    days = {who: day_of(day, "born") for who, day in (born or {}).items()}
    given = Given(
        first, last, time_control, mode, pool, adults=[adults] if isinstance(adults, str) else adults, born=days
    )
    return read_path(path, given)


def write(event: Event | Reading | str | Path, format: str = "event-json", section: int | None = None) -> Written:
    """Return an event as the bytes of a file, and what the format could not hold.

    `section`: for formats that hold only one.
    """
    from crosstable.formats import write as write_format

    source = _source(event)
    return write_format(source if isinstance(source, Event) else source.event, format, section)


def check(event: Event | Reading | str | Path) -> list[Finding]:
    """Everything that is wrong or odd about an event, or about a file (what `read` gives, or a path), errors first."""
    from crosstable.checks import check as check_event
    from crosstable.checks import in_order

    source = _source(event)
    if isinstance(source, Event):
        return check_event(source)
    return in_order([*source.findings, *(check_event(source.draft) if source.draft else ())])


__all__ = [
    "SYSTEMS",
    "Answer",
    "BradleyTerry",
    "Chessmetrics",
    "CrosstableError",
    "Dwz",
    "Elo",
    "EloMMR",
    "Event",
    "EventRejected",
    "Fide",
    "Finding",
    "Fitted",
    "ForeignRating",
    "Game",
    "Glicko",
    "Glicko2",
    "GlickoBoost",
    "Level",
    "MissingExtra",
    "NoRulesOnDate",
    "Player",
    "Rated",
    "Rating",
    "RatingSystem",
    "Rules",
    "Section",
    "StCharles",
    "Step",
    "Stephenson",
    "TrueSkill",
    "UnknownSystem",
    "UsChess",
    "WengLin",
    "WholeHistoryRating",
    "WrongValue",
    "__version__",
    "check",
    "compare",
    "public",
    "rate",
    "read",
    "rules",
    "system",
    "write",
]
