"""Published lists: all of them, and one pool of one list with its top lists, moves and proof."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from crosstable.office.lists import read
from crosstable.office.lists.groups import IMPROVED, OVERALL, WOMEN, class_name
from crosstable.office.lists.models import ListRow, PublishedList, TopRow
from crosstable.office.lists.options import ListError
from crosstable.office.reading import people
from crosstable.office.reading.people import STATES
from crosstable.office.reading.status import after
from crosstable.office.reading.words import POOLS

TOP = 100
PAGE = 100
MOVES = (5, 3)


@dataclass(frozen=True, slots=True)
class Line:
    """A list in the index."""

    date: dt.date
    rows: int
    pools: tuple[str, ...]
    newest: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a list."""

    place: int | None
    number: str
    name: str
    state: str
    title: str
    class_name: str
    rating: float | None
    games: int | None
    change: float | None
    moved: int | None = None  # places up (positive) or down
    new: bool = False
    floor: float | None = None
    floor_reason: str = ""


@dataclass(frozen=True, slots=True)
class Frozen:
    """The proof that a list is what was published."""

    proposed_by: str
    approved_by: str
    rows: int
    entry: int
    log: str
    hash: str


@dataclass(frozen=True, slots=True)
class ListPage:
    date: dt.date
    next: dt.date | None
    previous: dt.date | None
    pool: str
    pools: tuple[str, ...]
    dates: tuple[dt.date, ...]
    players: int
    risen: int
    fallen: int
    new: int
    group: str
    groups: tuple[str, ...]
    states: tuple[str, ...]
    classes: tuple[str, ...]
    entries: tuple[Entry, ...]
    whole: bool
    page: int
    pages: int
    gains: tuple[Entry, ...]
    losses: tuple[Entry, ...]
    frozen: Frozen

    @property
    def floors(self) -> bool:
        """The first lists had none."""
        return any(one.floor for one in self.entries)

    @property
    def top(self) -> int:
        """How many places a top list has: equal ratings may share the last one."""
        return min(TOP, len(self.entries))

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
    return tuple(sorted(pools, key=lambda pool: (list(POOLS).index(pool) if pool in POOLS else 99, pool)))


def public_groups(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    """The groups that everybody sees. Who stands on a list of an age band is told to be of that age, so there are none here."""
    return tuple(one for one in names if not one.startswith("under ") and not one.endswith(" and over"))


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
    entries = _all(published, pool, number) if whole else _top(published, pool, group, dates)
    gains, losses = (
        _shown(_moved(one) for one in facts[name][:most])
        for name, most in zip(("largest_gains", "largest_losses"), MOVES, strict=True)
    )
    return ListPage(
        date=published.date, next=next((one for one in reversed(dates) if one > published.date), after(published.date)),
        previous=dt.date.fromisoformat(report["previous"]) if report["previous"] else None, pool=pool,
        pools=_order(report["pools"]), dates=dates, players=facts["players"], risen=facts["risen"],
        fallen=facts["fallen"], new=facts["new"], group="" if whole else group,
        groups=tuple(one for one in (OVERALL, WOMEN, IMPROVED) if one in groups),
        states=tuple(one.removeprefix("state ") for one in groups if one.startswith("state ")),
        classes=tuple(one for one in groups if one not in (OVERALL, WOMEN, IMPROVED) and not one.startswith("state ")),
        entries=entries, whole=whole, page=number, pages=max(1, -(-facts["shown"] // PAGE)), gains=gains, losses=losses,
        frozen=Frozen(published.proposed_by, published.approved_by, published.rows, published.audit_count, published.audit_hash[:8], published.rows_hash),
    )  # fmt: skip


def _shown(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """First names first, with initials for those whose names are withheld now."""
    found = tuple(entries)
    hidden = people.withheld(one.number for one in found)
    return tuple(replace(one, name=people.shown_name(one.name, withheld=one.number in hidden)) for one in found)


def _moved(one: Mapping[str, object]) -> Entry:
    number, name = str(one["id"]), str(one["name"])
    return Entry(None, number, name, "", "", "", float(str(one["rating"])), None, float(str(one["change"])))


def _top(published: PublishedList, pool: str, group: str, dates: tuple[dt.date, ...]) -> tuple[Entry, ...]:
    """A top list, with the places since the list before."""
    earlier = next((one for one in dates if one < published.date), None)
    before = TopRow.objects.filter(published__date=earlier, pool=pool, group=group).values_list("number", "place")
    places = dict(before) if earlier else {}
    rows = TopRow.objects.filter(published=published, pool=pool, group=group, place__lte=TOP).order_by("place", "name")
    columns = ("place", "number", "name", "state", "title", "rating", "change")
    named = ListRow.objects.filter(published=published, pool=pool, number__in=rows.values_list("number", flat=True))
    floors = {number: (floor, why or "") for number, floor, why in named.values_list("number", "floor", "floor_reason")}
    return _shown(
        Entry(
            place, number, name, state, title, class_name(pool, rating),
            rating, None, change, places[number] - place if number in places else None, bool(places) and number not in places,
            *floors.get(number, (None, "")),
        )
        for place, number, name, state, title, rating, change in rows.values_list(*columns)
    )  # fmt: skip


def _all(published: PublishedList, pool: str, number: int) -> tuple[Entry, ...]:
    rows = (
        ListRow.objects.filter(published=published, pool=pool)
        .exclude(rating=None)
        .order_by("-rating", "name", "number")
    )
    first = (number - 1) * PAGE
    columns = ("number", "name", "state", "title", "class_name", "rating", "games", "change")
    found = rows.values_list(*columns, "floor", "floor_reason")[first : first + PAGE]
    return _shown(
        replace(Entry(first + place, who, name, *rest), floor=floor, floor_reason=why or "")
        for place, (who, name, *rest, floor, why) in enumerate(found, start=1)
    )


def rows(day: dt.date, pool: str, state: str = "") -> Iterator[tuple[object, ...]]:
    """Every row of a list, or of one state, for a file."""
    hidden, only = people.withheld(), people.state_code(state)
    for row in read.rows(read.find(day), pool):
        if only and row["state"] != only:
            continue
        name = people.shown_name(row["name"], withheld=row["id"] in hidden)
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
