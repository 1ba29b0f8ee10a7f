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
from crosstable.office.queries.words import count as counted
from crosstable.office.queries.words import day
from crosstable.words.dates import month_of_year
from crosstable.words.language import _, gettext_noop

NEWEST = 40
#: What makes an event new, and the word for it
ACTS = {"event.accept": gettext_noop("Rated"), "event.correct": gettext_noop("Corrected")}


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
    """Return published lists, newest first."""
    rows = PublishedList.objects.order_by("-date")[:count]
    return [
        Item(
            _("The list of {date}").format(date=day(row.date)),
            _("The official ratings of {month}: {ratings}.").format(
                month=month_of_year(row.date), ratings=counted(row.rows, "rating")
            ),
            f"/lists/{row.date}/",
            _moment(row.published_at),
        )
        for row in rows
    ]


def _event(line: Line, what: str, at: datetime) -> Item:
    ended = _("ended on {date}").format(date=day(line.end))
    sections, players = counted(line.sections, "section"), counted(line.players, "player")
    parts = (line.place, ended, sections, players, " ".join(line.pools))
    return Item(line.name, f"{_(what)}: {', '.join(part for part in parts if part)}.", line.address, at)


def _numbers(entry: AuditEntry) -> Iterator[str]:
    """Yield the events of an act: one in its subject, or several in its details."""
    kind, _colon, number = entry.subject.partition(":")
    if kind == "event":
        yield number
    for one in details_of(entry).get("events", ()):
        yield one["event"] if isinstance(one, dict) else str(one)


def _moment(at: str) -> datetime:
    found = parse_datetime(at)
    if found is None:
        raise ValueError(f"{at!r} is not a time in the log")
    return found
