"""The ratings that would come of a draft: of its sections that are in order, with the mends that we would press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from crosstable.errors import EventRejected
from crosstable.model import Event, Finding, Player, Section
from crosstable.office.drafts.looking import Look, Shown
from crosstable.office.drafts.mends import ACTIONS, MendRefused
from crosstable.office.events import previewing
from crosstable.office.events.new_members import with_ids
from crosstable.office.ledger.rating_change import Numbers


@dataclass(frozen=True, slots=True)
class Row:
    player: Player
    numbers: tuple[Numbers, ...]


@dataclass(frozen=True, slots=True)
class Part:
    section: Section
    pools: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    parts: tuple[Part, ...]
    waiting: tuple[int, ...]  # sections that must be mended first
    findings: tuple[Finding, ...] = ()  # why there is none after all


def preview(look: Look) -> Preview:
    """Of the sections that are ready; nothing is kept."""
    ready = [part.number for part in look.ready]
    waiting = tuple(part.number for part in look.parts if part.number not in ready)
    if look.event is None or not ready:
        return Preview((), waiting)
    event = replace(look.event, sections=tuple(one for one in look.event.sections if one.number in ready))
    event, _ = with_ids(event, set(ready), (f"new-{number}" for number in count(1)))  # nobody is taken for another
    try:
        ratings = previewing.preview(event)
    except EventRejected as refused:
        return Preview((), waiting, tuple(refused.findings))
    return Preview(tuple(_part(event, number, ratings) for number in ready), waiting)


def with_suggested(event: Event, suggested: Sequence[Shown]) -> Event:
    """The event with the mends that we would press; one that does not fit another is passed over."""
    for one in suggested:
        if one.main is None:
            continue
        try:
            event = ACTIONS[one.main.action](event, one.main.values).event
        except MendRefused:
            continue
    return event


def _part(event: Event, number: int, ratings: Mapping[tuple[int, int], Sequence[Numbers]]) -> Part:
    (section,) = (one for one in event.sections if one.number == number)
    own = {player: numbers for (place, player), numbers in sorted(ratings.items()) if place == number}
    pools = tuple(dict.fromkeys(one.pool for numbers in own.values() for one in numbers))
    rows = [Row(one, _in_order(pools, own[one.number])) for one in section.players if one.number in own]
    return Part(section, pools, tuple(rows))


def _in_order(pools: Sequence[str], numbers: Sequence[Numbers]) -> tuple[Numbers, ...]:
    by_pool = {one.pool: one for one in numbers}
    return tuple(by_pool.get(pool, Numbers(pool)) for pool in pools)
