"""The first page: the latest events, the list in force, and what changed lately."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from crosstable.office.ledger.models import Revision
from crosstable.office.lists.models import PublishedList, TopRow
from crosstable.office.reading import changes, event, examples, people
from crosstable.office.reading.event import Line
from crosstable.office.reading.examples import Example
from crosstable.office.reading.status import after
from crosstable.office.reading.words import MONTHS, day
from crosstable.rulebook import AS_WRITTEN, rulebook
from crosstable.systems.us_chess.pools import MAIN

EVENTS, TOP, LATELY = 8, 5, 6


@dataclass(frozen=True, slots=True)
class Place:
    place: int
    number: str
    name: str
    state: str
    rating: float


@dataclass(frozen=True, slots=True)
class ListInForce:
    date: dt.date
    rows: int
    next: dt.date | None
    top: tuple[Place, ...]
    pool: str


@dataclass(frozen=True, slots=True)
class News:
    """Something that changed: a list, a correction, a rule."""

    date: dt.date
    title: str
    text: str
    address: str


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
    found = TopRow.objects.filter(published=newest, group="overall", pool=MAIN, place__lte=TOP)
    columns = ("place", "number", "name", "state", "rating")
    rows = list(found.order_by("place", "name").values_list(*columns)[:TOP])
    hidden = people.withheld(row[1] for row in rows)
    top = tuple(
        Place(place, number, people.initials(name) if number in hidden else name, state, rating)
        for place, number, name, state, rating in rows
    )
    return ListInForce(newest.date, newest.rows, after(newest.date), top, MAIN)


def _news(newest: PublishedList | None) -> tuple[News, ...]:
    found = [*_corrections(), *_rules()]
    if newest is not None:
        month = MONTHS[newest.date.month - 1]
        text = f"{newest.rows:,} ratings. Published by two officers; it never changes again."
        found.append(News(newest.date, f"The {month} list is official", text, f"/lists/{newest.date}/OTBR/"))
    return tuple(sorted(found, key=lambda one: one.date, reverse=True)[:LATELY])


def _corrections() -> list[News]:
    rows = (
        Revision.objects.filter(kind="corrected")
        .order_by("-at")
        .values_list("at", "event__name", "event__number", "event_id", "number")
    )
    return [
        News(
            at.date(),
            f"Corrected: {name}",
            changes.one(event, row, number).told,
            f"/events/{event}/revisions/{number}/",
        )
        for at, name, event, row, number in rows[:3]
    ]


def _rules() -> list[News]:
    """The newest value of the rules in words."""
    book = rulebook("us_chess")
    values = [
        (rule.timeline(AS_WRITTEN)[-1], rule) for rule in book.rules.values() if len(rule.timeline(AS_WRITTEN)) > 1
    ]
    value, rule = max(values, key=lambda pair: pair[0].since)
    text = f"{rule.plain_words(value)} For events that start on {day(value.since)} or later."
    return [News(value.since, f"New rule: {rule.title.lower()}", text, f"/rules/{rule.name}/")]
