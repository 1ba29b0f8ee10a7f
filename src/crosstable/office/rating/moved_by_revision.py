"""Whose published ratings a revision moved, in its own event and after it: kept with the revision, for everybody to see.

Ratings can be computed anew at any time, but what they were before a correction would be gone.
"""

from __future__ import annotations

import polars as pl

from crosstable.office.ledger.models import Revision
from crosstable.office.rating.run import Outcome
from crosstable.office.storage import bulk
from crosstable.systems.us_chess.formulas import round_half_up

#: So many rows are kept, the largest first
MOST = 2000
_KEY = ["section_id", "player_id", "pool"]


def keep(event: str, number: int, outcome: Outcome) -> None:
    """Keep the rows whose published number has changed; a change behind the decimal point alone is not kept."""
    revision = Revision.objects.filter(event__number=event, number=number).values_list("id", flat=True).first()
    if revision is None:
        return
    old = outcome.removed.select(*_KEY, "position", pl.col("post").alias("before"))
    new = outcome.added.select(*_KEY, "position", pl.col("post").alias("after"))
    both = old.join(new, on=_KEY, how="full", coalesce=True).with_columns(pl.coalesce("position", "position_right"))
    rows = []
    for row in both.iter_rows(named=True):
        before, after = row["before"], row["after"]
        difference = _whole(after) - _whole(before) if before is not None and after is not None else None
        if difference != 0:
            size = abs(difference) if difference is not None else 10_000
            rows.append(
                (size, (revision, row["section_id"], row["player_id"], row["pool"], row["position"], before, after))
            )
    rows.sort(key=lambda pair: -pair[0])
    columns = ("revision_id", "section_id", "player_id", "pool", "position", "before", "after")
    if rows:
        bulk.insert_rows("ledger_ratingmove", columns, [row for _, row in rows[:MOST]])


def _whole(rating: float) -> int:
    return int(round_half_up(rating))
