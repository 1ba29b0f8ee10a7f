"""The ratings that would come of a report which is not in the ledger, with everybody's own ratings of the office.

Nothing is written. A director reads them: what would give an age away is not shown, as on every public page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable.model import Answer, Event, Player, Rating, Section
from crosstable.office.events.ledger_checks import filled, known_players
from crosstable.office.ledger import order
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.office_settings import all_systems, keys_of, office, systems_of
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.systems import Kept, RatingSystem, privacy
from crosstable.systems.privacy import Openings

#: Nobody's number: the work behind the ratings is not asked for
_NOBODY = -1


@dataclass(frozen=True, slots=True)
class _Office:
    """What the office knows about the people of a report, at the end of its last day."""

    place: int
    known: Mapping[str, int]
    records: states.Records
    starts: AgeStarts


def preview(event: Event) -> dict[tuple[int, int], list[Numbers]]:
    """Section and number → the ratings before and after, as published. The event must be one that can be rated."""
    chosen, known = office(), known_players(event)
    place = order.day_of(span(event)[1]) + order.DAY - 1
    here = _Office(place, known, states.before(place, known.values()), AgeStarts(known.values()))
    found: dict[tuple[int, int], list[Numbers]] = {}
    for rated_by in all_systems(chosen):
        own = [section for section in event.sections if rated_by.name in systems_of(chosen, section.kind)]
        for section, answers in _chained(here, rated_by, event, own, chosen.profile):
            for answer in answers:
                found.setdefault((section.number, answer.number), []).append(_numbers(answer))
    return found


def _chained(
    here: _Office, rated_by: RatingSystem, event: Event, sections: Sequence[Section], profile: str
) -> list[tuple[Section, tuple[Answer, ...]]]:
    """The sections in their order, each from what the one before left."""
    carried: dict[str, dict[str, Rating]] = {}
    by_age: dict[str, set[str]] = {}
    done = []
    for section in sorted(sections, key=lambda one: (span(one)[1], one.number)):
        ready = filled(section, dict(here.known), here.records, rated_by.pools, event)
        players = [replace(one, ratings={**one.ratings, **carried.get(one.id, {})}) for one in ready.players]
        ready = replace(ready, players=tuple(players))
        alone = replace(event, sections=(ready,))
        own = {one.number: _by_age(here, one) | by_age.get(one.id, set()) for one in ready.players}
        answers, real = _rated(here, rated_by, alone, own, profile)
        for answer in real:
            carried.setdefault(answer.id, {})[answer.pool] = answer.state
            told = by_age.setdefault(answer.id, set())
            (told.add if answer.by_age else told.discard)(answer.pool)
        done.append((section, answers))
    return done


def _by_age(here: _Office, player: Player) -> set[str]:
    """The pools in which the rating that a player brings still is what an age made it."""
    row = here.known.get(player.id, 0)
    return {pool for pool, one in player.ratings.items() if here.starts.tells(row, pool, one.rating, here.place)}


def _rated(
    here: _Office, rated_by: RatingSystem, alone: Event, own: Mapping[int, set[str]], profile: str
) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    """The answers of one section in their public form, and as they are."""
    (section,) = alone.sections
    rows = {one.number: here.known.get(one.id, 0) for one in section.players}

    def tells(number: int, pool: str, rating: float) -> bool:
        return here.starts.tells(rows[number], pool, rating, here.place)

    pools = tuple(key for key in keys_of(office(), alone, section) if key in rated_by.pools)
    kept = Kept(pools, False, own, tells, _NOBODY)
    rules = rated_by.rules(span(section)[0])
    per_year = rules["age_rating"]["per_year"] if "age_rating" in rules else 0.0
    shown = privacy.public(alone, lambda event: rated_by.rate_kept(event, kept, profile), Openings(own, per_year))
    return shown.answers, rated_by.rate_kept(alone, kept, profile).answers


def _numbers(answer: Answer) -> Numbers:
    new = bool(answer.values.get("initialized", answer.prior is None))
    before = None if new or answer.prior is None else privacy.rounded(answer.prior)
    published = answer.published
    after = None if published is None or math.isnan(float(published)) else float(published)
    games = answer.values.get("prior_games")
    return Numbers(answer.pool, before, None if new else games, after, answer.state.games)
