"""Published lists: all of them, and one pool of one list with its top lists, moves and proof."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace

from crosstable.model.states import STATES
from crosstable.office.lists import read
from crosstable.office.lists.groups import IMPROVED, OVERALL, WOMEN, class_name, is_public, state_of
from crosstable.office.lists.models import ListRow, PublishedList, TopRow
from crosstable.office.lists.options import ListError
from crosstable.office.players import person
from crosstable.office.queries.status import after
from crosstable.words.language import _
from crosstable.words.phrases import pools_in_order

TOP = 100
PAGE = 50
MOVES = (5, 3)


@dataclass(frozen=True, slots=True)
class Line:
    """A list in the index."""

    date: dt.date
    rows: int
    pools: tuple[str, ...]
    newest: bool


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of a published list."""

    number: str
    name: str
    state: str = ""
    title: str = ""
    class_name: str = ""
    rating: float | None = None
    games: int | None = None
    change: float | None = None
    floor: float | None = None
    floor_reason: str | None = None


#: The columns of a row, in the order of the record
COLUMNS = tuple(one.name for one in fields(Listed))


@dataclass(frozen=True, slots=True)
class Entry(Listed):
    """A row on the page of a list, with its place there; the largest moves have none."""

    place: int | None = None
    moved: int | None = None  # places up (positive) or down
    new: bool = False


@dataclass(frozen=True, slots=True)
class ListPage:
    published: PublishedList  # with the proof that the list is what was published
    next: dt.date | None
    previous: dt.date | None
    pool: str
    pools: tuple[str, ...]
    dates: tuple[dt.date, ...]
    players: int
    risen: int
    fallen: int
    new: int
    group: str  # nothing where all rows are shown
    top_lists: tuple[str, ...]  # the groups that have one
    entries: tuple[Entry, ...]  # of this page
    listed: int  # on all pages
    page: int
    pages: int
    gains: tuple[Entry, ...]
    losses: tuple[Entry, ...]

    @property
    def date(self) -> dt.date:
        return self.published.date

    @property
    def whole(self) -> bool:
        return not self.group

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(one for one in (OVERALL, WOMEN, IMPROVED) if one in self.top_lists)

    @property
    def states(self) -> tuple[str, ...]:
        return tuple(filter(None, map(state_of, self.top_lists)))

    @property
    def classes(self) -> tuple[str, ...]:
        others = (one for one in self.top_lists if one not in (OVERALL, WOMEN, IMPROVED))
        return tuple(one for one in others if not state_of(one))

    @property
    def has_states(self) -> bool:
        """Return whether players come from states: not every federation has them."""
        return any(one.state for one in self.entries)

    @property
    def has_classes(self) -> bool:
        """Return whether the pool's ratings are divided into classes."""
        return any(one.class_name for one in self.entries)

    @property
    def floors(self) -> bool:
        """The first lists had none."""
        return any(one.floor for one in self.entries)

    @property
    def top(self) -> int:
        """How many places a top list has: equal ratings may share the last one."""
        return min(TOP, self.listed)

    @property
    def group_name(self) -> str:
        """The group in words: "overall", "Class A", "Ohio"."""
        state = state_of(self.group)
        return state_name(state) if state else _(self.group)

    @property
    def largest(self) -> tuple[Entry, ...]:
        """The largest gains, then the largest losses."""
        return *self.gains, *self.losses

    @property
    def in_force(self) -> bool:
        return self.date == self.dates[0]


def index() -> tuple[Line, ...]:
    """All lists, newest first, with the pools that each has."""
    rows = PublishedList.objects.order_by("-date")
    return tuple(
        Line(row.date, row.rows, _order(read.report_of(row)["pools"]), place == 0) for place, row in enumerate(rows)
    )


def _order(pools: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(pools_in_order(pools))


def public_groups(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    """Return the groups that are public. A place on a list of an age band reveals an age, so there are none
    here.
    """
    return tuple(filter(is_public, names))


def page(day: dt.date, pool: str, group: str = OVERALL, *, whole: bool = False, number: int = 1) -> ListPage:
    """One pool of one list: a top list, or all its rows by place."""
    published = read.find(day)
    report = read.report_of(published)
    if pool not in report["pools"]:
        raise ListError(f"the list of {day} has no {pool}")
    facts = report["pools"][pool]
    dates = tuple(PublishedList.objects.order_by("-date").values_list("date", flat=True))
    groups = public_groups(
        sorted(TopRow.objects.filter(published=published, pool=pool).values_list("group", flat=True).distinct())
    )
    if group not in groups and not whole:
        if group != OVERALL:
            raise ListError(f"the list of {day} has no top list {pool} {group!r}")
        whole = True
    if whole:
        entries, listed = _all(published, pool, number), facts["shown"]
    else:
        top = _top(published, pool, group, dates)
        entries, listed = top[(number - 1) * PAGE : number * PAGE], len(top)
    gains, losses = (
        shown(_moved(one) for one in facts[name][:most])
        for name, most in zip(("largest_gains", "largest_losses"), MOVES, strict=True)
    )
    return ListPage(
        published=published,
        next=next((one for one in reversed(dates) if one > published.date), after(published.date)),
        previous=dt.date.fromisoformat(report["previous"]) if report["previous"] else None,
        pool=pool,
        pools=_order(report["pools"]),
        dates=dates,
        players=facts["players"],
        risen=facts["risen"],
        fallen=facts["fallen"],
        new=facts["new"],
        group="" if whole else group,
        top_lists=groups,
        entries=entries,
        listed=listed,
        page=number,
        pages=max(1, -(-listed // PAGE)),
        gains=gains,
        losses=losses,
    )


def shown(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """First names first, with initials for those whose names are withheld now."""
    found = tuple(entries)
    hidden = person.withheld(one.number for one in found)
    return tuple(replace(one, name=person.shown_name(one.name, withheld=one.number in hidden)) for one in found)


def _moved(one: Mapping[str, object]) -> Entry:
    return Entry(str(one["id"]), str(one["name"]), rating=float(str(one["rating"])), change=float(str(one["change"])))


def _top(published: PublishedList, pool: str, group: str, dates: tuple[dt.date, ...]) -> tuple[Entry, ...]:
    """Return a top list, with the places since the list before."""
    earlier = next((one for one in dates if one < published.date), None)
    before = TopRow.objects.filter(published__date=earlier, pool=pool, group=group).values_list("number", "place")
    places = dict(before) if earlier else {}
    rows = TopRow.objects.filter(published=published, pool=pool, group=group, place__lte=TOP).order_by(
        "place", "number"
    )
    columns = ("place", "number", "name", "state", "title", "rating", "change")
    named = ListRow.objects.filter(published=published, pool=pool, number__in=rows.values_list("number", flat=True))
    floors = {number: (floor, why) for number, floor, why in named.values_list("number", "floor", "floor_reason")}
    return shown(
        Entry(
            number,
            name,
            state,
            title,
            class_name(pool, rating),
            rating,
            None,
            change,
            *floors.get(number, (None, None)),
            place=place,
            moved=places[number] - place if number in places else None,
            new=bool(places) and number not in places,
        )
        for place, number, name, state, title, rating, change in rows.values_list(*columns)
    )


def _all(published: PublishedList, pool: str, number: int) -> tuple[Entry, ...]:
    rows = (
        ListRow.objects.filter(published=published, pool=pool)
        .exclude(rating=None)
        .order_by("-rating", "number")  # not by name: its place among equals would tell a withheld one
    )
    first = (number - 1) * PAGE
    found = rows.values(*COLUMNS)[first : first + PAGE]
    return shown(Entry(**row, place=place) for place, row in enumerate(found, start=first + 1))


def rows(day: dt.date, pool: str, state: str = "") -> Iterator[tuple[object, ...]]:
    """Every row of a list, or of one state, for a file."""
    hidden, only = person.withheld(), person.state_code(state)
    for row in read.rows(read.find(day), pool):
        if only and row["state"] != only:
            continue
        name = person.shown_name(row["name"], withheld=row["id"] in hidden)
        yield (
            row["id"],
            name,
            row["state"],
            row["title"],
            row["rating"],
            row["games"],
            row["class"],
            row["active"],
            row["change"],
            row["floor"],
            row["floor_reason"],
        )


def state_name(state: str) -> str:
    return STATES.get(state, state)
