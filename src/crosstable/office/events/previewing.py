"""The ratings that would come of a report, with everybody's own ratings of the office before the event.

A report of an event that the ledger has (a correction, or sections that came back) is rated in the place of what the event
says now, never on top of it. Nothing is written. A director reads them: what would give an age away is not shown, as on every public page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable.model import Answer, Event, Player, Rating, Section
from crosstable.office.events.ledger_checks import filled, known_players
from crosstable.office.events.placing import first_position, is_history
from crosstable.office.ledger import for_the_record, models, order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.office_settings import all_systems, keys_of, office, systems_of
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.lists.official import shown
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import with_facts
from crosstable.systems import Kept, RatingSystem, privacy
from crosstable.systems.privacy import Openings

#: Nobody's number: the work behind the ratings is not asked for
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


def preview(event: Event, own: models.Event | None = None) -> dict[tuple[int, int], list[Numbers]]:
    """Section and number → the ratings before and after, as published. The event must be one that can be rated.

    `own`: the row of an event that the ledger has; what it says now does not count.
    """
    chosen, here = office(), _office(event, own)
    found: dict[tuple[int, int], list[Numbers]] = {}
    for rated_by in all_systems(chosen):
        sections = [section for section in event.sections if rated_by.name in systems_of(chosen, section.kind)]
        for section, answers in _chained(here, rated_by, event, sections, chosen.profile):
            for answer in answers:
                found.setdefault((section.number, answer.number), []).append(_numbers(answer))
    return found


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
        known, states.before(place, known.values(), own.id), AgeStarts(known.values()),
        {number: tuple(keys.split(",")) for number, keys in rows},
    )  # fmt: skip


def _place(event: Event, own: models.Event, *, history: bool) -> int:
    """Where the event begins, or would begin on its days: after what stands before it on its last day (see order)."""
    start, day = span(event)
    now = first_position(own)
    if now is not None and (own.start, order.date_of(now)) == (start, day):
        return now
    others = models.Section.objects.filter(event_end=day).exclude(event=own).select_related("event")
    mine = order.Place(0, 0, history, start, own.number, day, 0).key[:3]
    before = [
        one.position
        for one in others.defer("entries", "games")
        if order.Place(one.id, 0, one.history, one.event.start, one.event.number, day, 0).key[:3] < mine
    ]
    return max(before, default=order.day_of(day)) + 1


def _chained(
    here: _Office, rated_by: RatingSystem, event: Event, sections: Sequence[Section], profile: str
) -> list[tuple[Section, tuple[Answer, ...]]]:
    """The sections in their order, each from what the one before left."""
    carried: dict[str, dict[str, Rating]] = {}
    by_age: dict[str, set[str]] = {}
    done = []
    for section in sorted(sections, key=lambda one: (span(one)[1], one.number)):
        ready, pools = _ready(here, rated_by, event, section)
        players = [replace(one, ratings={**one.ratings, **carried.get(one.id, {})}) for one in ready.players]
        ready = replace(ready, players=tuple(players))
        alone = replace(event, sections=(ready,))
        own = {one.number: _by_age(here, one) | by_age.get(one.id, set()) for one in ready.players}
        answers, real = _rated(here, rated_by, alone, own, pools, profile)
        for answer in real:
            carried.setdefault(answer.id, {})[answer.pool] = answer.state
            told = by_age.setdefault(answer.id, set())
            (told.add if answer.by_age else told.discard)(answer.pool)
        done.append((section, answers))
    return done


def _ready(here: _Office, rated_by: RatingSystem, event: Event, section: Section) -> tuple[Section, tuple[str, ...]]:
    """The section as it is rated, and the system's pools in which it is."""
    section = for_the_record.as_rated(section)
    asked = filled(section, here.known, here.records, rated_by.pools, event)
    keys = here.history.get(section.number) or keys_of(office(), replace(event, sections=(asked,)), asked)
    pools = tuple(key for key in keys if key in rated_by.pools)
    if section.kind != "match":
        return asked, pools
    players = {one.number: here.known[one.id] for one in section.players if one.id in here.known}
    return with_facts(section, players, here.records, rated_by.pools, event), pools  # not from the ratings of a list


def _by_age(here: _Office, player: Player) -> set[str]:
    """The pools in which the rating that a player brings still is what an age made it."""
    row = here.known.get(player.id, 0)
    return {pool for pool, one in player.ratings.items() if here.starts.tells(row, pool, one.rating, here.place)}


def _rated(
    here: _Office,
    rated_by: RatingSystem,
    alone: Event,
    own: Mapping[int, set[str]],
    pools: tuple[str, ...],
    profile: str,
) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    """The answers of one section in their public form, and as they are."""
    (section,) = alone.sections
    rows = {one.number: here.known.get(one.id, 0) for one in section.players}

    def tells(number: int, pool: str, rating: float) -> bool:
        return here.starts.tells(rows[number], pool, rating, here.place)

    kept = Kept(pools, bool(here.history), own, tells, _NOBODY)
    rules = rated_by.rules(span(section)[0])
    per_year = rules["age_rating"]["per_year"] if "age_rating" in rules else 0.0
    public = privacy.public(alone, lambda event: rated_by.rate_kept(event, kept, profile), Openings(own, per_year))
    return public.answers, rated_by.rate_kept(alone, kept, profile).answers


def _numbers(answer: Answer) -> Numbers:
    new = bool(answer.values.get("initialized", answer.prior is None))
    before = None if new or answer.prior is None else shown(answer.pool, answer.prior)
    published = answer.published
    after = None if published is None or math.isnan(float(published)) else float(published)
    games = answer.values.get("prior_games")
    return Numbers(answer.pool, before, None if new else games, after, answer.state.games)
