"""Which ratings depend on an age, from event to event (readings 36, carried on).

Offices that publish ratings only when they no longer depend on an age ask here after every change of the ratings. The
whole history is rated again as if all players had been of another age in their first event, all together and mixed. A
rating is published once its whole number comes out the same every time. No stored age goes in, so neither the numbers
nor what is left out depends on one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import reduce

import polars as pl

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import order
from crosstable.office.ledger.models import AgeDependent, Office
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import facts, rows, run, timeline
from crosstable.office.rating.before import Before
from crosstable.office.storage import bulk
from crosstable.office.storage.database import writing
from crosstable.systems import RatingSystem
from crosstable.systems.any_age import BETWEEN, ENDS, OLDEST, YOUNGEST
from crosstable.systems.privacy import DAYS_PER_YEAR

KEY = ["section_id", "pool", "player_id"]
#: So many mixtures of the youngest and the oldest
MIXTURES = 4
CHOICES = (Office.AS_RATED, Office.WITHOUT_AGE)


def choose(actor: Actor, when: str) -> None:
    """Set when newcomers' ratings, and those that follow from them, are published. Published lists stay as they are."""
    require(actor, "office.settings")
    if when not in CHOICES:
        raise OfficeError(f"{when!r} is not a choice for first ratings: enter {' or '.join(CHOICES)}")
    with writing():
        row = office()
        before, row.first_ratings = row.first_ratings, when
        row.save(update_fields=["first_ratings"])
        record(actor.name, "office.first_ratings", "office", "", {"before": before, "after": when})
        update(row)


def update(chosen: Office | None = None) -> None:
    """Find the ratings that depend on an age anew, inside the caller's transaction; none where all are published."""
    chosen = chosen or office()
    AgeDependent.objects.all().delete()
    if chosen.first_ratings == Office.AS_RATED:
        return
    if len(found := dependent(chosen)):
        bulk.insert_rows(AgeDependent._meta.db_table, KEY, found.select(KEY).rows())


def dependent(chosen: Office) -> pl.DataFrame:
    """Return the rating rows whose published number depends on an age, by section, pool and player."""
    sections = timeline.sections_from(run.BEGINNING)
    pools = [pool for system in all_systems(chosen) if _starts_from_an_age(system) for pool in system.pools]
    stored = rows.stored_from(run.BEGINNING).filter(pl.col("pool").is_in(pools))
    if not len(stored):
        return stored.select(KEY)
    numbers = [_published(stored)]
    for born in _ages(_first_days()):
        with facts.with_birth_dates(born):
            numbers.append(_published(run.rated(sections, Before(run.BEGINNING), chosen=chosen).rows(None)))
    renamed = [table.rename({"published": f"run{place}"}) for place, table in enumerate(numbers)]
    joined = reduce(lambda one, other: one.join(other, on=KEY, how="left"), renamed)
    runs = [pl.col(f"run{place}") for place in range(len(renamed))]
    same = pl.all_horizontal([(one == runs[0]).fill_null(value=False) for one in runs[1:]])
    return joined.filter(~same).select(KEY)


def _starts_from_an_age(system: RatingSystem) -> bool:
    """Whether a newcomer's first rating may come from an age. (K factors by age are rules, and everybody's.)"""
    return "age_rating" in system.rules(system.book.first)


def _published(table: pl.DataFrame) -> pl.DataFrame:
    return table.select(*KEY, (pl.col("post") + 0.5).floor().alias("published"))


def _first_days() -> dict[int, date]:
    """Return the day of each player's first rated section."""
    found = bulk.rows(
        f"SELECT player_id, MIN(position) FROM {rows.TABLE} GROUP BY "  # noqa: S608  our own name
        "player_id"
    )
    return {player: order.date_of(position) for player, position in found}


def _ages(first: Mapping[int, date]) -> Iterator[dict[int, date | None]]:
    """Yield birth dates for everybody: one age for all, then some of the youngest and the others of the oldest."""

    def born(player: int, age: int | None) -> date | None:
        return None if age is None else first[player] - timedelta(days=math.ceil(age * DAYS_PER_YEAR))

    for age in (*ENDS, *BETWEEN):
        yield {player: born(player, age) for player in first}
    for bit in range(MIXTURES):
        yield {player: born(player, (YOUNGEST, OLDEST)[player >> bit & 1]) for player in first}
