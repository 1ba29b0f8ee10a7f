"""Reading what has been published, and holding it against the live ratings and the audit log."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

from crosstable.office.audit.log import Head, details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.lists import official
from crosstable.office.lists.models import ListRow, PublishedList, TopRow
from crosstable.office.lists.options import ListError
from crosstable.office.lists.publish import ACTION
from crosstable.office.lists.rows import Row, Top, rows_hash, whole_hash


def lists() -> list[dict[str, Any]]:
    """All published lists, newest first."""
    return [
        {
            "date": row.date.isoformat(),
            "rows": row.rows,
            "published_at": row.published_at,
            "officers": [row.proposed_by, row.approved_by],
            "rows_hash": row.rows_hash,
            "audit_head": f"{row.audit_count}:{row.audit_hash}",
            "signature": row.signature,
        }
        for row in PublishedList.objects.order_by("-date")
    ]


def find(day: date | None = None) -> PublishedList:
    """Return the list of a date, or the newest."""
    rows = PublishedList.objects.order_by("-date")
    found = rows.first() if day is None else rows.filter(date=day).first()
    if found is None:
        raise ListError("nothing has been published yet" if day is None else f"there is no list of {day}")
    return found


def report_of(published: PublishedList) -> dict[str, Any]:
    """How many, what changed and what was withheld. Reports of the first lists call the pools systems."""
    found: dict[str, Any] = json.loads(published.report)
    return {"pools" if name == "systems" else name: value for name, value in found.items()}


def rows(published: PublishedList, pool: str | None = None, *, active_only: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the list itself: public columns only, by pool and id."""
    found = ListRow.objects.filter(published=published).order_by("pool", "number")
    if pool:
        found = found.filter(pool=pool)
    if active_only:
        found = found.filter(active=True)
    for row in found.iterator(chunk_size=5000):
        yield {
            "id": row.number,
            "name": row.name,
            "state": row.state,
            "title": row.title,
            "pool": row.pool,
            "rating": row.rating,
            "games": row.games,
            "class": row.class_name,
            "active": row.active,
            "change": row.change,
            "floor": row.floor,
            "floor_reason": row.floor_reason,
        }


def ranked(published: PublishedList, pool: str, *, active_only: bool = False) -> list[dict[str, Any]]:
    """Return the ratings of one pool, the highest first; those that are not shown come last."""
    columns = ("id", "name", "state", "title", "rating", "games", "change", "floor", "floor_reason")
    found = [{name: row[name] for name in columns} for row in rows(published, pool, active_only=active_only)]
    return sorted(found, key=lambda row: (row["rating"] is None, -(row["rating"] or 0.0), row["id"]))


def groups(published: PublishedList) -> list[tuple[str, str]]:
    """Return the top lists that this publication has: (pool, group)."""
    return sorted(TopRow.objects.filter(published=published).values_list("pool", "group").distinct())


def top(published: PublishedList, pool: str, group: str, size: int = 100) -> list[dict[str, Any]]:
    found = TopRow.objects.filter(published=published, pool=pool, group=group, place__lte=size)
    rows = [
        {
            "place": row.place,
            "id": row.number,
            "name": row.name,
            "state": row.state,
            "title": row.title,
            "rating": row.rating,
            "change": row.change,
        }
        for row in found.order_by("place", "number")
    ]
    if not rows:
        there = [name for key, name in groups(published) if key == pool]
        named = f"there are {', '.join(there)}" if there else "none in this pool: a group of few members has none"
        raise ListError(f"the list of {published.date} has no top list {pool} {group!r}: {named}")
    return rows


def official_against_live(published: PublishedList, pool: str, today: date) -> list[dict[str, Any]]:
    """Who stands differently today than on the list: largest difference first."""
    frozen = dict(ListRow.objects.filter(published=published, pool=pool).values_list("number", "rating"))
    found = [
        {
            "id": one.number,
            "name": one.name,
            "official": frozen.get(one.number),
            "live": one.rating,
            "change": _difference(one.rating, frozen.get(one.number)),
        }
        for one in official.standings(today)
        if one.pool == pool and one.rating != frozen.get(one.number)
    ]
    return sorted(found, key=lambda row: (-abs(row["change"] or 0.0), row["id"]))


def _difference(live: float | None, frozen: float | None) -> float | None:
    return None if live is None or frozen is None else round(live - frozen, 5)


def anchors() -> Iterator[tuple[str, Head]]:
    """Yield the heads printed on the lists, for `audit verify`."""
    for row in PublishedList.objects.order_by("date"):
        yield f"the list of {row.date}", Head(row.audit_count, row.audit_hash)


def problems() -> list[str]:
    """Return lists that differ from what was published, that the log does not know,
    or that only the log still knows.
    """
    entries = {entry.seq: entry for entry in AuditEntry.objects.filter(action=ACTION).order_by("seq")}
    found: list[str] = []
    for published in PublishedList.objects.order_by("date"):
        entry = entries.pop(published.audit_count, None)
        rows = ListRow.objects.filter(published=published).values_list(*Row._fields)
        tops = TopRow.objects.filter(published=published).values_list(*Top._fields)
        if rows_hash(rows.iterator(5000), tops.iterator(5000)) != published.rows_hash:
            found.append(f"the list of {published.date} was changed after it was published")
        if entry is None or not _known(published, entry):
            found.append(f"the log does not have the list of {published.date} in this form")
    gone = [
        f"entry {seq} published the list of {entry.subject.removeprefix('list:')}" for seq, entry in entries.items()
    ]
    return found + [f"{words}, which is no longer there" for words in gone]


def _known(published: PublishedList, entry: AuditEntry) -> bool:
    """Whether the log's entry tells of exactly this list: its date, its officers, its rows and its report."""
    told, whole = details_of(entry), whole_hash(published)
    return (
        entry.subject == f"list:{published.date}"
        and (told.get("proposed_by"), entry.actor) == (published.proposed_by, published.approved_by)
        and told.get("rows_hash") == published.rows_hash
        and told.get("list_hash", whole) == whole  # the first lists of all went into the log without it
    )
