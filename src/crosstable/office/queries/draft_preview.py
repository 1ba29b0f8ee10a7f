"""The ratings that would come of a draft: of its sections that are in order, with the mends that we would press.

A correction is rated in the place of the event as it stands, and each player's ratings now stand beside those that
would be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from crosstable.errors import EventRejected
from crosstable.fixes import FixRefused, apply
from crosstable.model import Event, Finding, Player, Section
from crosstable.office.ledger import for_the_record, models
from crosstable.office.ledger.documents import span
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.people.rights import Actor
from crosstable.office.queries.crosstable import crosstable
from crosstable.office.reports import draft_page, preview_limit, resubmitting, summaries
from crosstable.office.reports import preview as previewing
from crosstable.office.reports.draft_page import Look, Shown
from crosstable.office.reports.drafts import Loaded
from crosstable.office.reports.events import document, find
from crosstable.office.reports.ledger_checks import known_players
from crosstable.office.reports.models import Draft
from crosstable.office.reports.new_members import with_ids


@dataclass(frozen=True, slots=True)
class Side:
    """A rating in one pool as the event is rated now, and as it would be."""

    now: Numbers
    would_be: Numbers

    @property
    def same(self) -> bool:
        """A number of games that would tell an age is not shown, and says nothing of a difference."""
        games = {self.now.after_games, self.would_be.after_games} - {None}
        now, would_be = ((one.before, one.after) for one in (self.now, self.would_be))
        return now == would_be and len(games) < 2


@dataclass(frozen=True, slots=True)
class Row:
    player: Player
    numbers: tuple[Numbers, ...]
    now: tuple[Numbers, ...] = ()  # as the event is rated now, in the same pools; nothing of a report that is new

    @property
    def sides(self) -> list[Side]:
        """One for each pool."""
        return [Side(*both) for both in zip(self.now, self.numbers, strict=True)]

    @property
    def differs(self) -> bool:
        return any(not one.same for one in self.sides)


@dataclass(frozen=True, slots=True)
class Part:
    section: Section
    pools: tuple[str, ...]
    rows: tuple[Row, ...]

    @property
    def different(self) -> list[Row]:
        return [row for row in self.rows if row.differs]

    @property
    def same(self) -> list[Row]:
        return [row for row in self.rows if not row.differs]


@dataclass(frozen=True, slots=True)
class Preview:
    parts: tuple[Part, ...]
    waiting: tuple[int, ...]  # sections that need fixing first
    findings: tuple[Finding, ...] = ()  # why there is none after all
    corrects: bool = False  # then each row has the ratings as they are now
    moved: bool = False  # the correction gives the event other days: events between them are not rated again here
    supposed: int = 0  # suggested mends that it takes as made
    matters: frozenset[str] = frozenset()  # ids of registered players whose ages would move a rating

    @property
    def hidden(self) -> bool:
        """Whether a rating is not shown because it would depend on an age."""
        return any(one.hidden for part in self.parts for row in part.rows for one in row.numbers)


def preview_for(actor: Actor, draft: Loaded, look: Look) -> Preview:
    """Preview an actor's own draft; where something still needs fixing, with the suggested fixes.

    Raises PreviewLimit where the actor has previewed too many versions with one player today.
    """
    supposed = 0
    if look.event is not None and look.must and look.suggested:
        supposed = len(look.suggested)
        settled = {one.finding for one in look.suggested}
        reading = tuple(one for one in draft.reading if one not in settled)
        look = draft_page.look(replace(draft, event=with_suggested(look.event, look.suggested), reading=reading))
    seen = replace(preview(look, draft.row), supposed=supposed)
    if look.event is not None:
        preview_limit.count(actor, look.event, seen.matters)
    return seen


def preview(look: Look, draft: Draft | None = None) -> Preview:
    """Of the sections that are ready; nothing is kept. `draft`: which event of the ledger it is about, if any."""
    ready = [part.number for part in look.ready]
    waiting = tuple(part.number for part in look.parts if part.number not in ready)
    if look.event is None or not ready:
        return Preview((), waiting)
    corrects = bool(draft and draft.corrects)
    own = find(draft.corrects or draft.replaces) if draft and (draft.corrects or draft.replaces) else None
    event, rated = _content(look.event, own, corrects=corrects)
    event = replace(event, sections=tuple(one for one in event.sections if one.number in {*ready, *rated}))
    numbers = {one.number for one in event.sections}
    event, _ = with_ids(event, numbers, (f"new-{number}" for number in count(1)))  # no one is taken for another
    try:
        seen = previewing.preview(event, own)
    except EventRejected as refused:
        return Preview((), waiting, tuple(refused.findings))
    parts = [part_of(event, number, seen.ratings) for number in ready if number in numbers.difference(rated)]
    if not corrects or own is None:
        return Preview(tuple(parts), waiting, matters=seen.matters)
    moved = (own.start, own.end) != span(event)
    known, untouched = known_players(event), _untouched(own, event)
    beside = (_beside_now(part, own, known, untouched=part.section.number in untouched) for part in parts)
    return Preview(tuple(beside), waiting, corrects=True, moved=moved, matters=seen.matters)


def _content(event: Event, own: models.Event | None, *, corrects: bool) -> tuple[Event, tuple[int, ...]]:
    """Return what the office would make of the draft,
    and which sections of it are rated already and stay as they are.
    """
    if own is None:
        return for_the_record.without_choices(event), ()
    if corrects:
        return for_the_record.with_choices(document(own.number), event, record_only=False), ()
    event = resubmitting.with_rated(own, for_the_record.without_choices(event))
    return event, summaries.rated_sections(own, event)


def _untouched(own: models.Event, event: Event) -> set[int]:
    """Return the sections that are rated as they are now: nothing in them changes,
    and nothing that is rated before them.
    """
    current = document(own.number)
    if span(current) != span(event):
        return set()
    now = {one.number: for_the_record.as_rated(one) for one in current.sections}
    found: set[int] = set()
    for section in sorted(event.sections, key=lambda one: (span(one)[1], one.number)):
        if now.get(section.number) != for_the_record.as_rated(section):
            return found
        found.add(section.number)
    return found


def _beside_now(part: Part, own: models.Event, known: Mapping[str, int], *, untouched: bool) -> Part:
    """`known`: a player's id → the record in the ledger; who is not in the event now has no ratings there.

    In a section that stays as it is (`untouched`), what an age would hide is what was published.
    """
    sections = models.Section.objects.filter(event=own, number=part.section.number)
    now = crosstable(own.number, part.section.number).rows if sections.exists() else ()
    numbers = {row.person.row: row.numbers for row in now}
    rows = [replace(row, now=_in_order(part.pools, numbers.get(known.get(row.player.id, 0), ()))) for row in part.rows]
    if untouched:
        rows = [
            replace(row, numbers=tuple(_published(*both) for both in zip(row.now, row.numbers, strict=True)))
            for row in rows
        ]
    return replace(part, rows=tuple(rows))


def _published(now: Numbers, would_be: Numbers) -> Numbers:
    return now if would_be.hidden else would_be


def with_suggested(event: Event, suggested: Sequence[Shown]) -> Event:
    """Return the event with the suggested fixes; one that conflicts with another is skipped."""
    for one in suggested:
        if one.main is None:
            continue
        try:
            event = apply(event, one.main.kind, one.main.values).event
        except FixRefused:
            continue
    return event


def part_of(event: Event, number: int, ratings: Mapping[tuple[int, int], Sequence[Numbers]]) -> Part:
    """Return a section's players with their ratings, each in the same order of pools."""
    (section,) = (one for one in event.sections if one.number == number)
    own = {player: numbers for (place, player), numbers in sorted(ratings.items()) if place == number}
    pools = tuple(dict.fromkeys(one.pool for numbers in own.values() for one in numbers))
    rows = [Row(one, _in_order(pools, own[one.number])) for one in section.players if one.number in own]
    return Part(section, pools, tuple(rows))


def _in_order(pools: Sequence[str], numbers: Sequence[Numbers]) -> tuple[Numbers, ...]:
    by_pool = {one.pool: one for one in numbers}
    return tuple(by_pool.get(pool, Numbers(pool)) for pool in pools)
