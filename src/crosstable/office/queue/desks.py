"""How much waits at each desk, and since when: an officer's first look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.office.people.rights import Actor
from crosstable.office.queue import waiting
from crosstable.office.queue.waiting import CORRECTION, EVENT, FLOOR, PROPOSAL, REQUEST, Line, Queue

#: What waits, in the order in which an officer with little time takes it up
READY, CLEAN, DIRECTORS = "event", "clean", "waits"


@dataclass(frozen=True, slots=True)
class Desk:
    """One kind of thing that waits."""

    name: str
    words: str
    count: int
    oldest: int | None  # days; nothing waits: nothing
    own: int = 0  # proposals that this officer made: another one decides them


def desks(actor: Actor) -> tuple[Queue, list[Desk]]:
    """The queue, and what waits at each desk."""
    found = waiting.queue(actor)
    events = [one for one in found.lines if one.kind == EVENT]
    by_kind = {
        READY: ("events to look at", [one for one in events if one.group == "needs"]),
        CLEAN: ("clean events to accept", found.clean),
        CORRECTION: ("corrections that directors ask for", _of(found, CORRECTION)),
        REQUEST: ("reports and claims of players", _of(found, REQUEST)),
        FLOOR: ("requests for a lower floor", _of(found, FLOOR)),
        PROPOSAL: ("proposals for a second officer", _of(found, PROPOSAL)),
        DIRECTORS: ("things that wait for their director", found.waits),
    }
    return found, [_desk(actor, name, words, lines) for name, (words, lines) in by_kind.items()]


def _of(found: Queue, kind: str) -> list[Line]:
    return [one for one in found.needs if one.kind == kind]


def _desk(actor: Actor, name: str, words: str, lines: Iterable[Line]) -> Desk:
    waits = list(lines)
    own = sum(one.kind == PROPOSAL and one.by == actor.name for one in waits)
    return Desk(name, words, len(waits), max((one.days for one in waits), default=None), own)
