"""The ratings that would come of a draft: of its sections that are in order, with the mends that we would press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from crosstable.errors import EventRejected
from crosstable.model import Event, Finding
from crosstable.office.drafts.looking import Look, Shown
from crosstable.office.drafts.mends import ACTIONS, MendRefused
from crosstable.office.events import previewing
from crosstable.office.events.new_members import with_ids
from crosstable.office.events.previewing import Numbers


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    name: str
    numbers: tuple[Numbers, ...]


@dataclass(frozen=True, slots=True)
class Part:
    section: int
    name: str
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
        lines = previewing.preview(event)
    except EventRejected as refused:
        return Preview((), waiting, tuple(refused.findings))
    return Preview(tuple(_part(event, number, lines) for number in ready), waiting)


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


def _part(event: Event, number: int, lines: Sequence[previewing.Line]) -> Part:
    (section,) = (one for one in event.sections if one.number == number)
    own = {line.number: line for line in lines if line.section == number}
    pools = tuple(dict.fromkeys(numbers.pool for line in own.values() for numbers in line.numbers))
    rows = [
        Row(one.number, one.name or one.id, _in_order(pools, own[one.number].numbers))
        for one in section.players
        if one.number in own
    ]
    return Part(number, section.name, pools, tuple(rows))


def _in_order(pools: Sequence[str], numbers: Sequence[Numbers]) -> tuple[Numbers, ...]:
    by_pool = {one.pool: one for one in numbers}
    return tuple(by_pool.get(pool, Numbers(pool, None, None, None, None)) for pool in pools)
