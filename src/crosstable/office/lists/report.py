"""The publication report: how many, what changed since the list before, and what was withheld."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from crosstable.office.lists.rows import Row

LARGEST = 10

Ratings = Mapping[tuple[str, str], float | None]


def report(
    rows: Sequence[Row], before: Ratings, previous: str, withheld: Sequence[tuple[str, str]], smallest: int
) -> dict[str, Any]:
    """Counts and differences by pool. Names no player whose rating is not on the list itself."""
    pools = sorted({row.pool for row in rows})
    return {
        "previous": previous,
        "rows": len(rows),
        "pools": {pool: _of_pool([row for row in rows if row.pool == pool], before, pool) for pool in pools},
        "withheld": {
            "why": f"fewer than {smallest} members",
            "groups": [f"{pool} {group}" for pool, group in withheld],
        },
    }


def _of_pool(rows: Sequence[Row], before: Ratings, pool: str) -> dict[str, Any]:
    here = {row.number for row in rows}
    earlier = {number for key, number in before if key == pool}
    changes = [(row.change, row) for row in rows if row.change]
    ordered = sorted(changes, key=lambda pair: (-pair[0], pair[1].number))
    return {
        "players": len(rows),
        "shown": sum(row.rating is not None for row in rows),
        "not_shown": sum(row.rating is None for row in rows),
        "provisional": sum(row.games is not None for row in rows),
        "active": sum(row.active for row in rows),
        "new": len(here - earlier),
        "gone": len(earlier - here),
        "changed": len(changes),
        "risen": sum(change > 0 for change, _ in changes),
        "fallen": sum(change < 0 for change, _ in changes),
        "mean_change": round(sum(change for change, _ in changes) / len(changes), 2) if changes else 0.0,
        "largest_gains": [_line(change, row) for change, row in ordered[:LARGEST] if change > 0],
        "largest_losses": [_line(change, row) for change, row in reversed(ordered[-LARGEST:]) if change < 0],
        "classes": dict(sorted(Counter(row.class_name for row in rows if row.class_name).items())),
        "titles": dict(sorted(Counter(row.title for row in rows if row.title).items())),
    }


def _line(change: float, row: Row) -> dict[str, Any]:
    return {"id": row.number, "name": row.name, "rating": row.rating, "change": change}
