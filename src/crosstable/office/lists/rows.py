"""The rows of a list as plain records: what is written, hashed and reported."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from crosstable.office.audit.log import canonical


class Row(NamedTuple):
    """The public columns of `ListRow`."""

    system: str
    number: str
    name: str
    state: str
    title: str
    rating: float | None
    games: int | None
    class_name: str
    active: bool
    change: float | None


class Top(NamedTuple):
    """The public columns of `TopRow`."""

    system: str
    group: str
    place: int
    number: str
    name: str
    state: str
    title: str
    rating: float
    change: float | None


def rows_hash(rows: Iterable[Sequence[Any]], tops: Iterable[Sequence[Any]]) -> str:
    """One hash over everything that a list says, whatever the order of its rows."""
    digest = hashlib.sha256()
    for part in (rows, tops):
        for line in sorted(canonical(list(row)) for row in part):
            digest.update(line.encode() + b"\n")
        digest.update(b"\n")
    return digest.hexdigest()
