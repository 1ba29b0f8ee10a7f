"""What may be rated: one answer for `rate`, the library, the office and the pages.

Everything that speaks for or against rating an event comes together here: what reading the file found, what the checks
found, and what the rating system itself needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from crosstable.checks import check, in_order
from crosstable.errors import EventRejected
from crosstable.federations import Federation
from crosstable.findings import declare
from crosstable.formats import file_ratings, registry
from crosstable.formats.base import Reading
from crosstable.formats.codes import UNKNOWN_SYSTEM
from crosstable.formats.event_json import RATING_FIELDS
from crosstable.formats.given import who
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event, Finding, Level, Place, errors
from crosstable.rulebook import AS_WRITTEN
from crosstable.systems import RatingSystem, system

TAKEN_AS_ESTABLISHED = declare(
    "taken-as-established",
    Level.NOTICE,
    "Ratings without P and without a number of games count as established, as US Chess prints them.",
    "If a rating is provisional, write it as 1500P12.",
)
UNUSED_RATINGS = declare(
    "unused-ratings",
    Level.WARNING,
    "Players have ratings of another system or federation only, and count as unrated.",
    "If these ratings belong to one of the system's pools, say which one.",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an event may be rated, and every finding: of the file, of the checks, of the rating system."""

    event: Event | None
    reading: tuple[Finding, ...]
    checks: tuple[Finding, ...]
    system: tuple[Finding, ...]

    @property
    def findings(self) -> list[Finding]:
        """All of them, each once, errors first."""
        said = {finding.code for finding in self.system}  # the system's own words stand for the check of that name
        more = [finding for finding in self.checks if finding.code not in said]
        return in_order(tuple(dict.fromkeys((*self.reading, *self.system, *more))))

    @property
    def errors(self) -> list[Finding]:
        return errors(self.findings)

    @property
    def ratable(self) -> bool:
        return self.event is not None and not self.errors


def examine(
    source: Reading | Event,
    system_name: str | RatingSystem = "us_chess",
    profile: str = AS_WRITTEN,
    *,
    received: date | None = None,
    members: Mapping[str, ListedPlayer] | None = None,
    ask: Callable[[Event], Iterable[Finding]] | None = None,
    federation: Federation | None = None,
) -> Verdict:
    """Everything that is known about an event before it is rated.

    `source` is a file that was read, or an event from elsewhere (an office's own document: pass the reading's findings
    that were kept with it through a Reading). `received` and `members` add checks: see `crosstable.checks.check`.
    `ask` gives the systems' own findings where the caller asks them: an office does, with its ledger's ratings in
    place, and tells of CFC ratings itself: it knows who has a US Chess rating. `federation`: whose rules of reporting
    apply.
    """
    event = source.draft if isinstance(source, Reading) else source
    read = source.findings if isinstance(source, Reading) else ()
    if event is None:
        return Verdict(None, read, (), ())
    if isinstance(source, Reading) and ask is None:  # an office does so when the file comes in, and keeps it
        source = counted(source)
        event, read = source.draft or event, source.findings
    if ask is not None:
        checked = check(event, received=received, members=members, federation=federation)
        found = tuple(one for one in checked if one.code != "cfc-rating")
        return Verdict(event, read, found, tuple(ask(event)))
    chosen = system(system_name)
    by_time_control = "time_controls" in chosen.book.rules  # the 1996 system has one pool, whatever the control
    own = (*_unknown_pools(chosen, event), *chosen.problems(event, profile))
    found = tuple(check(event, received=received, members=members, by_time_control=by_time_control, found=own))
    return Verdict(event, read, (*found, *unused_ratings(chosen, event)), own)


def admit(source: Reading | Event, system_name: str | RatingSystem = "us_chess", profile: str = AS_WRITTEN) -> Event:
    """Return the event if it may be rated; raise EventRejected with every finding if not."""
    return admit_checked(source, system_name, profile)[0]


def admit_checked(
    source: Reading | Event, system_name: str | RatingSystem = "us_chess", profile: str = AS_WRITTEN
) -> tuple[Event, tuple[Finding, ...]]:
    """As `admit`, with what the rating system has found: its `rate` need not look for it again."""
    verdict = examine(source, system_name, profile)
    if verdict.event is None or not verdict.ratable:
        raise EventRejected(verdict.findings)
    return verdict.event, verdict.system


def counted(reading: Reading, known: Collection[str] = ()) -> Reading:
    """Ratings without a number of games, in a format that marks provisional ratings, are established.

    `known`: ids whose own ratings someone has, so that no one needs to hear of those in the file.
    """
    event = reading.draft
    if event is None:
        return reading
    if all(r.games is not None for s in event.sections for player in s.players for r in player.ratings.values()):
        return reading
    chosen = registry.by_name().get(reading.format)
    if chosen is None or not chosen.marks_provisional:
        return reading
    event, filled = file_ratings.take_as_established(event)
    players = [player for player in filled if player.id not in known]
    if not players:
        return replace(reading, draft=event)
    words = f"ratings without P count as established ({file_ratings.established_games()} games): {who(players)}"
    return replace(reading, draft=event, findings=(*reading.findings, TAKEN_AS_ESTABLISHED.at("file", words)))


def unused_ratings(chosen: RatingSystem, event: Event) -> Iterator[Finding]:
    """Report an Elo column in a US Chess event: otherwise all would be rated as newcomers without a word."""
    people = [player for section in event.sections for player in section.players]
    strange = [p for p in people if p.ratings and not p.ratings.keys() & set(chosen.pools) and not (p.fide or p.cfc)]
    if strange:
        names = sorted({name for player in strange for name in player.ratings})
        count = "counts" if len(strange) == 1 else "count"
        words = f"{chosen.title} does not use {' and '.join(names)} ratings: {who(strange)} {count} as unrated"
        yield UNUSED_RATINGS.at("event", f"{words}. It reads {', '.join(chosen.pools)}")


def _unknown_pools(chosen: RatingSystem, event: Event) -> Iterator[Finding]:
    """Report ratings under an unknown name: they would be ignored, and the player rated as a newcomer."""
    known = {*RATING_FIELDS, *chosen.pools}
    for section in event.sections:
        for player in section.players:
            for name in player.ratings.keys() - known:
                where, message = Place(section=section.number, players=(player.number,)), f"no rating pool '{name}'."
                advice = f"Known: {', '.join(RATING_FIELDS)}."
                yield Finding(Level.ERROR, UNKNOWN_SYSTEM.name, where, message, advice)
