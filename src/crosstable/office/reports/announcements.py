"""Announce an event before it is played, change the announcement, cancel it; an officer can remove one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlsplit

from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text, input_checks
from crosstable.office.ledger.models import Event
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.reports.models import Announcement
from crosstable.office.reports.submissions import QUEUED, own_files
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: So many announcements of one person can be open whose events have not ended
MOST = 20
#: So far ahead an event can be announced, and so many days it can last
AHEAD, LONGEST_DAYS = timedelta(days=730), timedelta(days=366)
MOST_ROUNDS = 99


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What an announcement says."""

    name: str
    start: date
    end: date
    city: str = ""
    state: str = ""
    time_control: str = ""
    rounds: int | None = None
    link: str = ""


def details(given: Mapping[str, str]) -> Details:
    """Read what was typed; raise for days and rounds that are none."""
    typed = {name: " ".join(given.get(name, "").split()) for name in Details.__dataclass_fields__}
    days = []
    for name, words in (("start", "first"), ("end", "last")):
        try:
            days.append(date.fromisoformat(typed[name] or (typed["start"] if name == "end" else "")))
        except ValueError:
            raise OfficeError(f"enter the {words} day, such as 2027-01-30") from None
    rounds = typed["rounds"]
    if rounds and not (rounds.isascii() and rounds.isdigit() and len(rounds) < 4):
        raise OfficeError(f"'{rounds}' is not a number of rounds: enter a number such as 5")
    return Details(
        name=typed["name"],
        start=days[0],
        end=days[1],
        city=typed["city"],
        state=typed["state"],
        time_control=typed["time_control"],
        rounds=int(rounds) if rounds else None,
        link=typed["link"],
    )


def announce(actor: Actor, given: Details) -> Announcement:
    """Announce an event that has not ended."""
    require(actor, "draft.write")
    input_checks.refuse([*_over(given), *_problems(given)])
    with writing():
        if _open(actor).filter(end__gte=clock.today()).count() >= MOST:
            raise OfficeError(f"you have {MOST} announced events, which is the most: cancel one first")
        row = Announcement(owner=actor.user)
        _put(row, given)
        record(actor.name, "event.announce", f"announcement:{row.id}", "", _in_log(row))
    return row


def change(actor: Actor, number: int, given: Details, report: str | None = None) -> Announcement:
    """Change an announcement of one's own. `report`: the event that it became, as its director chooses; "" for none."""
    require(actor, "draft.write")
    input_checks.refuse(_problems(given))
    with writing():
        row = find(actor, number)
        if report is not None:
            row.event = _report(actor, row, report) if report else None
        _put(row, given)
        record(actor.name, "event.announce_change", f"announcement:{row.id}", "", _in_log(row))
    return row


def cancel(actor: Actor, number: int) -> None:
    """Take an announcement back: one's own; an officer removes any."""
    require(actor, "draft.write")
    with writing():
        row = _open_row(number)
        own = row.owner == actor.user
        if not own and not actor.may("event.refuse"):
            raise NotAllowedError(f"{actor.name} ({actor.role}) did not announce this event")
        row.condition = Announcement.CANCELLED if own else Announcement.REMOVED
        row.save(update_fields=["condition"])
        action = "event.announce_cancel" if own else "event.announce_remove"
        record(actor.name, action, f"announcement:{row.id}", "", {"name": row.name})


def find(actor: Actor, number: int) -> Announcement:
    """Return an open announcement of one's own."""
    row = _open_row(number)
    if row.owner != actor.user:
        raise NotAllowedError(f"{actor.name} ({actor.role}) did not announce this event")
    return row


def reports(actor: Actor, row: Announcement) -> QuerySet[Event]:
    """Return the reports of this director that overlap the days: one of them may be the event."""
    sent = own_files(actor).filter(outcome=QUEUED).values("event")
    return Event.objects.filter(id__in=sent, start__lte=row.end, end__gte=row.start).order_by("number")


def _open(actor: Actor) -> QuerySet[Announcement]:
    return Announcement.objects.filter(owner=actor.user, condition=Announcement.OPEN)


def _open_row(number: int) -> Announcement:
    row = Announcement.objects.filter(id=number, condition=Announcement.OPEN).first()
    if row is None:
        raise OfficeError(f"there is no announced event {number}")
    return row


def _report(actor: Actor, row: Announcement, number: str) -> Event:
    event = reports(actor, row).filter(number=number).first()
    if event is None:
        raise OfficeError(f"event {number} is not a report of yours from these days")
    return event


def _put(row: Announcement, given: Details) -> None:
    for name in Details.__dataclass_fields__:
        setattr(row, name, getattr(given, name))
    row.save()


def _in_log(row: Announcement) -> dict[str, str]:
    event = {"event": row.event.number} if row.event else {}
    return {"name": row.name, "start": str(row.start), "end": str(row.end), **event}


def _over(given: Details) -> Iterator[str]:
    if given.end < clock.today():
        yield "the event is over: send its report instead"


def _problems(given: Details) -> Iterator[str]:
    if not given.name:
        yield "enter the name of the event"
    for name, most in (("name", 200), ("city", 100), ("state", 40), ("time_control", 60), ("link", 200)):
        text = getattr(given, name)
        yield from free_text.problems(text, f"the {name.replace('_', ' ')}", longest=most)
        if not text.isprintable():
            yield f"the {name.replace('_', ' ')} has characters that cannot be shown"
    if given.end < given.start:
        yield "the last day is before the first"
    elif given.end - given.start > LONGEST_DAYS:
        yield "an event lasts a year at most"
    if given.start > clock.today() + AHEAD:
        yield "the first day is more than two years ahead"
    if given.rounds is not None and not 1 <= given.rounds <= MOST_ROUNDS:
        yield f"the rounds are 1 to {MOST_ROUNDS}"
    if given.link and not _is_address(given.link):
        yield f"'{given.link}' is not a web address: enter one such as https://club.example/open"


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc and " " not in text
