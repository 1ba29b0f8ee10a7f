"""What is new, for feeds: events as they are rated or corrected, and lists as they are published. No player is named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.dateparse import parse_datetime

from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.lists.models import PublishedList
from crosstable.office.queries import event as events_read
from crosstable.office.queries.event import Line
from crosstable.office.queries.words import MONTHS, day

NEWEST = 40
#: What makes an event new, and the word for it
ACTS = {"event.accept": "Rated", "event.correct": "Corrected"}


@dataclass(frozen=True, slots=True)
class Item:
    title: str
    text: str
    address: str
    at: datetime


def events(count: int = NEWEST) -> list[Item]:
    """Rated events, what was done last first. An event that was withdrawn since is not among them."""
    found: dict[str, tuple[str, datetime]] = {}
    entries = AuditEntry.objects.filter(action__in=ACTS).order_by("-seq")[: 5 * count]
    for entry in entries:
        for number in _numbers(entry):
            found.setdefault(number, (ACTS[entry.action], _moment(entry.at)))
        if len(found) >= 2 * count:
            break
    lines = events_read.lines_of(events_read.rated().filter(number__in=found))
    items = [_event(line, *found[line.number]) for line in lines]
    return sorted(items, key=lambda one: (one.at, one.address), reverse=True)[:count]


def lists(count: int = NEWEST) -> list[Item]:
    """Published lists, newest first."""
    rows = PublishedList.objects.order_by("-date")[:count]
    return [
        Item(
            f"The list of {day(row.date)}",
            f"The official ratings of {MONTHS[row.date.month - 1]} {row.date.year}: {row.rows:,} ratings.",
            f"/lists/{row.date}/",
            _moment(row.published_at),
        )
        for row in rows
    ]


def _event(line: Line, what: str, at: datetime) -> Item:
    sections = f"{line.sections} section{'' if line.sections == 1 else 's'}"
    parts = (line.place, f"ended on {day(line.end)}", sections, f"{line.players} players", " ".join(line.pools))
    return Item(line.name, f"{what}: {', '.join(part for part in parts if part)}.", line.address, at)


def _numbers(entry: AuditEntry) -> Iterator[str]:
    """The events of an act: one in its subject, or several in its details."""
    kind, _, number = entry.subject.partition(":")
    if kind == "event":
        yield number
    for one in details_of(entry).get("events", ()):
        yield one["event"] if isinstance(one, dict) else str(one)


def _moment(at: str) -> datetime:
    found = parse_datetime(at)
    if found is None:
        raise ValueError(f"{at!r} is no moment of the log")
    return found
