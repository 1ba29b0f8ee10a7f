"""The work behind a rating row: recomputed from the ledger, never stored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from django.db.models import F

from crosstable.errors import OfficeError
from crosstable.formats.given import who_is
from crosstable.model import Answer, Event, Player, Rated
from crosstable.office.ledger import models, revisions
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import find, main_record
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import AsRated, as_of_age, as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.replay.us_chess import LOWERED
from crosstable.systems import RatingSystem, StoredSection, privacy
from crosstable.systems.any_age import at_any_age
from crosstable.systems.privacy import Openings
from crosstable.systems.protocol import near
from crosstable.systems.what_if import what_if


def trace(event: str, section: int, player: str, pool: str, *, public: bool = True) -> Answer:
    """Trace a player's answer in a section with all its steps. The public form hides what would reveal an age.

    `player`: an id; or a pairing number, a name or a part of it, as the event's document has them.
    """
    return traces(event, section, player, (pool,), public=public)[0]


def traces(
    event: str, section: int, player: str, pools: Sequence[str] = (), *, public: bool = True
) -> tuple[Answer, ...]:
    """Return a player's answers in several pools; in all in which the section is rated, where none is named."""
    row = models.Section.objects.filter(event__number=event, number=section).first()
    if row is None:
        raise OfficeError(f"event {event} has no section {section} that is rated")
    wanted = main_record(find(_id_of(row, player))).number
    asked = tuple(pools) or tuple(filter(None, row.keys.split(",")))
    found = [one for pool in asked for one in answers(row, pool, public=public) if (one.id, one.pool) == (wanted, pool)]
    if not found:
        raise OfficeError(f"player {player} has no {' or '.join(asked)} rating from event {event}, section {section}")
    return tuple(found)


def _id_of(row: models.Section, player: str) -> str:
    """Return the id of the player who is meant; what is not in the section is taken for an id of the register."""
    document = revisions.document(id=row.event_id)
    here = replace(document, sections=tuple(one for one in document.sections if one.number == row.number))
    meant = {one.id: one.name for _, one in who_is(here, player)}
    if len(meant) > 1:
        shown = "; ".join(f"{name} ({number})" for number, name in sorted(meant.items())[:8])
        raise OfficeError(f"{player!r} is several players: {shown}; give more of the name, or the id")
    return next(iter(meant), player)


def answers(row: models.Section, pool: str, *, public: bool = False) -> tuple[Answer, ...]:
    """Everybody's answers in a section, from the ratings that the ledger holds before it."""
    work = Work(row, pool)
    return work.rated(work.event, public=public).answers


class Work:
    """A section made ready to be rated in one pool as often as someone asks."""

    def __init__(self, row: models.Section, pool: str) -> None:
        self._placed = sections_from(row.position, row.position + 1)[0]
        chosen = office()
        self._profile, self.section, self.pool = chosen.profile, row.number, pool
        self._system = _system(chosen, self._placed, pool)
        records = _with_granted_floors(row.id, states.before(self._placed.position, entrants(self._placed).values()))
        self.document = revisions.document(id=self._placed.event)  # what the revision in force says, all sections
        self._ready = as_rated(self._placed, records, self._system.pools, self.document)
        self.starts = AgeStarts(self._ready.players.values())
        self._openings = _openings(self._placed, self._ready, self.starts, self._system)
        self._kept = StoredSection(self._placed.keys, self._placed.history, self._openings.by_age, self._tells_an_age)

    @property
    def event(self) -> Event:
        return self._ready.event

    @property
    def system(self) -> str:
        """The name of the system that rates this pool."""
        return self._system.name

    def rated(self, event: Event, *, public: bool = True, only: int | None = None) -> Rated:
        """Rate the event, as it was or with other results; in its public form, or all of it; or one pairing number's
        answers.
        """
        if not public:
            return self._rate(event, only=only)
        if self._withheld:
            return privacy.without_numbers(self._rate(event, only=only))
        if only is None:
            return privacy.public(event, self._rate, self._openings, age_classes=self._system.age_classes)
        rate, starts = partial(self._rate, only=only), partial(self._rate, starts=True)
        part = near(event, only, self._system.reach)
        classes = self._system.age_classes
        return privacy.public_of_one(
            event, part, only, rate=rate, starts=starts, openings=self._openings, age_classes=classes
        )

    @property
    def _withheld(self) -> bool:
        """Whether the office withholds ratings that depend on an age, and one of this section does: its work
        tells it.
        """
        section = models.AgeDependent.objects.filter(section_id=self._placed.id, pool=self.pool)
        brought = any(self._openings.by_age.values())
        return self.starts.strict and (brought or section.exists())

    def answer(self, number: int) -> Answer | None:
        """Return the public answer of one pairing number."""
        return self._own(self.rated(self.event, only=number).answers)

    def what_if(self, number: int, scores: Mapping[int, float]) -> Answer | None:
        """Return what may be shown, had this pairing number scored so in these rounds: what holds at any age."""
        return self._own(what_if(self.event, partial(self._at_any_age, number), self.section, number, scores))

    def _at_any_age(self, number: int, event: Event) -> Rated:
        rated = at_any_age(near(event, number, self._system.reach), partial(self._rate, only=number), self._aged).rated
        return replace(rated, answers=tuple(one for one in rated.answers if one.number == number))

    def _aged(self, player: Player, born: date | None) -> Player:
        return as_of_age(self._system, player, born, self._openings.by_age[player.number], self._placed.event_end)

    def _own(self, answers: Iterable[Answer]) -> Answer | None:
        return next((one for one in answers if one.pool == self.pool), None)

    def _rate(self, event: Event, only: int | None = None, *, starts: bool = False) -> Rated:
        return self._system.rate_kept(event, replace(self._kept, only=only, starts=starts), self._profile)

    def _tells_an_age(self, number: int, pool: str, rating: float) -> bool:
        return self.starts.tells(self._ready.players[number], pool, rating, self._placed.position)


def _with_granted_floors(section: int, records: states.Records) -> states.Records:
    """Return the records with the floors that were lowered on request after this match: it was rated with them."""
    rows = models.RatingRow.objects.filter(section_id=section).alias(lowered=F("flags").bitand(LOWERED))
    for row in rows.filter(lowered=LOWERED):
        own = records.get(row.player_id, {})
        if row.pool in own:
            own[row.pool] = replace(own[row.pool], lowered_floor=row.lowered_floor, lowered_from=row.lowered_from)
    return records


def _system(chosen: models.Office, placed: Placed, pool: str) -> RatingSystem:
    """Return the system that rates this pool."""
    found = next((one for one in all_systems(chosen) if pool in one.pools), None)
    if found is None or pool not in placed.keys:
        raise OfficeError(f"the section is not rated in {pool}: it is in {', '.join(placed.keys)}")
    return found


def _openings(placed: Placed, ready: AsRated, starts: AgeStarts, rated_by: RatingSystem) -> Openings:
    """Ratings that the players bring and that still are an age's. All others are given: they are no numbers of this
    section.
    """
    by_age = {}
    for entry in ready.section.players:
        player = ready.players.get(entry.number, 0)
        own = entry.ratings.items()
        by_age[entry.number] = {
            key for key, one in own if starts.tells(player, key, one.rating, placed.position, before=True)
        }
    first = rated_by.book.first  # history tables go by the oldest rules where they are older still
    rules = rated_by.rules(max(placed.start, first) if placed.history else placed.start)
    per_year = rules["age_rating"]["per_year"] if "age_rating" in rules else 0.0
    return Openings(by_age, per_year)
