"""The rows of a list as plain records: what is written, hashed and reported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from crosstable.office.audit.log import canonical
from crosstable.office.lists.models import PublishedList


class Row(NamedTuple):
    """The public columns of `ListRow`."""

    pool: str
    number: str
    name: str
    state: str
    title: str
    rating: float | None
    games: int | None
    class_name: str
    active: bool
    change: float | None
    floor: float | None = None
    floor_reason: str | None = None


#: The columns that every row is hashed with; a floor only where there is one, so that the first lists keep their hash
ALWAYS = len(Row._fields) - 2


class Top(NamedTuple):
    """The public columns of `TopRow`."""

    pool: str
    group: str
    place: int
    number: str
    name: str
    state: str
    title: str
    rating: float
    change: float | None


def whole_hash(published: PublishedList) -> str:
    """One hash over what a list says of itself: date, time, officers, options, report, and the hash of its rows.

    The audit log holds it; the log's own end, which the list prints, comes after it.
    """
    about = [published.date.isoformat(), published.published_at, published.proposed_by, published.approved_by]
    about += [published.options, published.report, str(published.rows), published.rows_hash]
    return hashlib.sha256(canonical(about).encode()).hexdigest()


def rows_hash(rows: Iterable[Sequence[Any]], tops: Iterable[Sequence[Any]]) -> str:
    """One hash over everything that a list says, whatever the order of its rows."""
    digest = hashlib.sha256()
    hashed = ([*row[:ALWAYS], *(row[ALWAYS:] if any(row[ALWAYS:]) else ())] for row in rows)
    for part in (hashed, tops):
        for line in sorted(canonical(list(row)) for row in part):
            digest.update(line.encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()
