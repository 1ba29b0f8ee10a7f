"""What is new, for feeds: events as they are rated or corrected, and lists as they are published.

No player is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.dateparse import parse_datetime

from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import RatingRow, Revision
from crosstable.office.ledger.players import find, main_record, with_duplicates
from crosstable.office.lists.models import PublishedList
from crosstable.office.queries import event as events_read
from crosstable.office.queries.event import Line
from crosstable.office.queries.subject import Subject
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
    subject: Subject
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
    return sorted(items, key=lambda one: (one.at, one.subject), reverse=True)[:count]


def of_player(number: str, count: int = NEWEST) -> list[Item]:
    """Return the rated events of a player, with the revision that rated each last; newest first."""
    row = main_record(find(number))
    sections = RatingRow.objects.filter(player__in=with_duplicates([row.id])).values("section__event")
    lines = events_read.lines_of(events_read.rated().filter(id__in=sections).order_by("-end", "-number")[:count])
    done = Revision.objects.filter(event__number__in=[line.number for line in lines]).order_by("number")
    last = {event: (kind, at) for event, kind, at in done.values_list("event__number", "kind", "at")}
    corrected, rated = ACTS["event.correct"], ACTS["event.accept"]
    items = [
        _event(one, corrected if last[one.number][0] == "corrected" else rated, last[one.number][1]) for one in lines
    ]
    return sorted(items, key=lambda one: (one.at, one.subject), reverse=True)


def of_event(number: str, count: int = NEWEST) -> list[Item]:
    """Return the revisions of an event, newest first."""
    row = events_read.find(number)
    return [
        Item(
            _("{name}, revision {number}").format(name=row.name, number=one.number),
            f"{one.words[:1].upper()}{one.words[1:]}.",
            Subject("revision", row.number, str(one.number)),
            one.at,
        )
        for one in events_read.revisions_of(row)[:count]
    ]


def lists(count: int = NEWEST) -> list[Item]:
    """Return published lists, newest first."""
    rows = PublishedList.objects.order_by("-date")[:count]
    return [
        Item(
            _("The list of {date}").format(date=day(row.date)),
            _("The official ratings of {month}: {ratings}.").format(
                month=month_of_year(row.date), ratings=counted(row.rows, "rating")
            ),
            Subject("list", row.date.isoformat()),
            _moment(row.published_at),
        )
        for row in rows
    ]


def _event(line: Line, what: str, at: datetime) -> Item:
    ended = _("ended on {date}").format(date=day(line.end))
    sections, players = counted(line.sections, "section"), counted(line.players, "player")
    parts = (line.place, ended, sections, players, " ".join(line.pools))
    return Item(
        line.name, f"{_(what)}: {', '.join(part for part in parts if part)}.", Subject("event", line.number), at
    )


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
