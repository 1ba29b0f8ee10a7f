"""The first page: the latest events, the list in force, and what changed lately."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from crosstable.office.ledger.models import Event, Revision
from crosstable.office.lists.models import ListRow, PublishedList, TopRow
from crosstable.office.queries import changes, event, examples
from crosstable.office.queries.event import Line
from crosstable.office.queries.examples import Example
from crosstable.office.queries.published import Entry, shown
from crosstable.office.queries.rules import book_of, main_system
from crosstable.office.queries.status import after, ahead
from crosstable.office.queries.subject import Subject
from crosstable.office.queries.words import count, day, month
from crosstable.rulebook import AS_WRITTEN
from crosstable.words.language import ENGLISH, _
from crosstable.words.phrases import main_pool

EVENTS, TOP, LATELY = 8, 5, 6
#: So many corrections are told, among so many that are looked at
CORRECTIONS, LOOKED_AT = 3, 12


@dataclass(frozen=True, slots=True)
class ListInForce:
    date: dt.date
    rows: int
    next: dt.date | None  # while it lies ahead
    top: tuple[Entry, ...]
    pool: str
    ranked: bool  # there is a top list

    @property
    def states(self) -> bool:
        """Return whether players come from states: not every federation has them."""
        return any(one.state for one in self.top)


@dataclass(frozen=True, slots=True)
class News:
    """Something that changed: a list, a correction, a rule."""

    date: dt.date
    title: str
    text: str
    subject: Subject
    language: str = ""  # of a text that is quoted


@dataclass(frozen=True, slots=True)
class Home:
    events: tuple[Line, ...]
    total: int
    lists: ListInForce | None
    news: tuple[News, ...]
    example: Example | None


def home() -> Home:
    newest = PublishedList.objects.order_by("-date").first()
    events = event.latest(EVENTS)
    return Home(events, event.count(), _in_force(newest), _news(newest), examples.gain(events))


def _in_force(newest: PublishedList | None) -> ListInForce | None:
    if newest is None:
        return None
    found = TopRow.objects.filter(published=newest, group="overall", pool=main_pool(), place__lte=TOP)
    columns = ("number", "name", "state", "rating")
    top = [Entry(**row) for row in found.order_by("place", "number").values("place", *columns)[:TOP]]
    ranked = bool(top)
    if not top:  # too few for a top list: the first of all
        listed = ListRow.objects.filter(published=newest, pool=main_pool()).exclude(rating=None)
        best = listed.order_by("-rating", "number").values(*columns)[:TOP]
        top = [Entry(**row, place=place) for place, row in enumerate(best, start=1)]
    return ListInForce(
        date=newest.date,
        rows=newest.rows,
        next=ahead(after(newest.date)),
        top=shown(top),
        pool=main_pool(),
        ranked=ranked,
    )


def _news(newest: PublishedList | None) -> tuple[News, ...]:
    found = [*_corrections(), *_rules()]
    if newest is not None:
        text = _("{ratings}. Published by two officers; it never changes again.").format(
            ratings=count(newest.rows, "rating")
        )
        title = _("The {month} list is official").format(month=month(newest.date))
        found.append(News(newest.date, title, text, Subject("list", newest.date.isoformat(), main_pool())))
    return tuple(sorted(found, key=lambda one: one.date, reverse=True)[:LATELY])


def _corrections() -> list[News]:
    """Return the newest corrections of events that had been rated."""
    rows = (
        Revision.objects.filter(kind="corrected", event__status=Event.ACCEPTED)
        .order_by("-at")
        .values_list("at", "event__name", "event__number", "event_id", "number")
    )
    found: list[News] = []
    for at, name, corrected, row, number in rows[:LOOKED_AT]:
        changed = changes.one(corrected, row, number)
        if not changed.before_rating:
            title = _("Corrected: {event}").format(event=name or _("Event {number}").format(number=corrected))
            found.append(News(at.date(), title, changed.told, Subject("revision", corrected, str(number))))
        if len(found) == CORRECTIONS:
            break
    return found


def _rules() -> list[News]:
    """Return the newest value of the main system's rules in words; nothing where no rule has ever changed."""
    book = book_of(main_system())
    values = [
        (rule.timeline(AS_WRITTEN)[-1], rule) for rule in book.rules.values() if len(rule.timeline(AS_WRITTEN)) > 1
    ]
    if not values:
        return []
    value, rule = max(values, key=lambda pair: pair[0].since)
    since = _("For events that start on {day} or later.").format(day=day(value.since))
    title = _("New rule: {rule}").format(rule=_(rule.title).lower())
    return [News(value.since, title, f"{rule.plain_words(value)} {since}", Subject("rule", rule.name), ENGLISH)]
