"""The ratings that would come of a report, with everybody's own ratings of the office before the event.

A report of an event that the ledger has (a correction, or sections that came back) is rated in the place of what the
event says now, never on top of it. Nothing is written.

A director reads them, and can ask again with other results as often as the limit lets. So no stored age goes in: the
players whom the office knows are rated as of any age, and what differs is not shown (systems.any_age). A birth date
that the report brings counts for a player who is new. It does not count for one whom the office knows: the office rates
by its own record, and to show the effect of another date would be wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from crosstable.model import Answer, Event, Player, Rated, Rating, Section
from crosstable.office.ledger import for_the_record, models, order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.office_settings import all_systems, keys_of, office, systems_of
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.lists.official import shown
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import as_of_age, with_facts
from crosstable.office.reports.ledger_checks import filled, known_players, without_age_starts
from crosstable.office.reports.schedule import first_position, is_history
from crosstable.systems import RatingSystem, StoredSection
from crosstable.systems.any_age import AtAnyAge, at_any_age

#: No one's number: the work behind the ratings is not asked for
_NOBODY = -1


@dataclass(frozen=True, slots=True)
class _Office:
    """What the office knows about the people of a report, just before the event."""

    place: int  # where it asks whether a rating gives an age away
    known: dict[str, int]
    records: states.Records
    starts: AgeStarts
    history: Mapping[
        int, tuple[str, ...]
    ]  # section → its pools, of an event from a history table, which says them itself


@dataclass(frozen=True, slots=True)
class Previewed:
    ratings: dict[tuple[int, int], list[Numbers]]  # section and pairing number → before and after, as published
    matters: frozenset[str]  # the ids of the players whom the office knows and whose ages would move a rating


def preview(event: Event, own: models.Event | None = None) -> Previewed:
    """Rate an event that can be rated.

    `own`: the row of an event that the ledger has; what it says now does not count.
    """
    chosen, here = office(), _office(event, own)
    found: dict[tuple[int, int], list[Numbers]] = {}
    matters: set[str] = set()
    for rated_by in all_systems(chosen):
        sections = [section for section in event.sections if rated_by.name in systems_of(chosen, section.kind)]
        if not sections:
            continue
        seen = _Sections(here, rated_by, replace(event, sections=tuple(sections)), chosen.profile).at_any_age()
        matters |= {person[0] for person in seen.matters}
        for answer in seen.rated.answers:
            found.setdefault((answer.section, answer.number), []).append(_numbers(answer))
    return Previewed(found, frozenset(matters))


def _office(event: Event, own: models.Event | None) -> _Office:
    known, end_of_day = known_players(event), order.day_of(span(event)[1]) + order.DAY - 1
    if own is None:
        records = states.before(end_of_day, known.values())
        return _Office(end_of_day, known, records, AgeStarts(known.values()), {})
    history = is_history(own)
    place, now = _place(event, own, history=history), first_position(own)
    rows = models.Section.objects.filter(event=own).values_list("number", "keys") if history else ()
    return _Office(
        min(place, now or place),  # a rating that the event itself moves has not moved there yet
        known,
        states.before(place, known.values(), own.id),
        AgeStarts(known.values()),
        {number: tuple(keys.split(",")) for number, keys in rows},
    )


def _place(event: Event, own: models.Event, *, history: bool) -> int:
    """Where the event begins, or would begin on its days: after what stands before it on its last day (see order)."""
    start, day = span(event)
    now = first_position(own)
    if now is not None and (own.start, order.date_of(now)) == (start, day):
        return now
    others = models.Section.objects.filter(event_end=day).exclude(event=own).select_related("event")
    mine = order.Place(section=0, position=0, history=history, start=start, event=own.number, end=day, number=0).key[:3]
    before = [
        one.position
        for one in others.defer("entries", "games")
        if order.Place(
            section=one.id,
            position=0,
            history=one.history,
            start=one.event.start,
            event=one.event.number,
            end=day,
            number=0,
        ).key[:3]
        < mine
    ]
    return max(before, default=order.day_of(day)) + 1


class _Sections:
    """A system's sections of a report, ready to be rated as often as it takes."""

    def __init__(self, here: _Office, rated_by: RatingSystem, event: Event, profile: str) -> None:
        self._here, self._system, self._profile = here, rated_by, profile
        self._pools: dict[int, tuple[str, ...]] = {}
        self._by_age: dict[str, frozenset[str]] = {}  # of each player whom the office knows
        ready = [self._ready(event, section) for section in event.sections]
        self._event = replace(event, sections=tuple(sorted(ready, key=lambda one: (span(one)[1], one.number))))

    def at_any_age(self) -> AtAnyAge:
        return at_any_age(self._event, self._rate, self._aged)

    def _ready(self, event: Event, section: Section) -> Section:
        """Return the section as it is rated.

        Whether a match may be rated does not depend on a rating that an age made.
        """
        here, pools = self._here, self._system.pools
        section = for_the_record.as_rated(section)
        public = without_age_starts(here.records, here.place)
        asked = filled(section, here.known, public, pools, event, ages=False)
        keys = here.history.get(section.number) or keys_of(office(), replace(event, sections=(asked,)), asked)
        self._pools[section.number] = tuple(key for key in keys if key in pools)
        players = {one.number: here.known[one.id] for one in section.players if one.id in here.known}
        ready = with_facts(section, players, here.records, pools, event)  # not from the ratings of a list
        for player in ready.players:
            if player.number in players:
                self._by_age[player.id] = self._starts_of(player, players[player.number])
        return ready

    def _starts_of(self, player: Player, row: int) -> frozenset[str]:
        """Return the pools in which the rating that a player brings still is what an age made it."""
        place, tells = self._here.place, self._here.starts.tells
        return frozenset(
            pool for pool, one in player.ratings.items() if tells(row, pool, one.rating, place, before=True)
        )

    def _aged(self, player: Player, born: date | None) -> Player:
        if player.id not in self._by_age:
            return player  # new to the office: the birth date is the director's own
        return as_of_age(self._system, player, born, self._by_age[player.id], span(self._event)[1])

    def _rate(self, event: Event) -> Rated:
        """Rate the sections in their order, each from what the one before left."""
        carried: dict[str, dict[str, Rating]] = {}
        answers: list[Answer] = []
        for section in event.sections:
            players = [replace(one, ratings={**one.ratings, **carried.get(one.id, {})}) for one in section.players]
            alone = replace(event, sections=(replace(section, players=tuple(players)),))
            kept = StoredSection(self._pools[section.number], bool(self._here.history), only=_NOBODY)
            for answer in self._system.rate_kept(alone, kept, self._profile).answers:
                carried.setdefault(answer.id, {})[answer.pool] = answer.state
                answers.append(answer)
        return Rated(event.name, self._system.name, tuple(answers))


def _numbers(answer: Answer) -> Numbers:
    new = bool(answer.values.get("initialized", answer.prior is None))
    before = None if new or answer.prior is None else shown(answer.pool, answer.prior)
    published = answer.published
    after = None if published is None or math.isnan(float(published)) else float(published)
    games = answer.values.get("prior_games")
    return Numbers(answer.pool, before, None if new else games, after, answer.state.games, hidden=after is None)
