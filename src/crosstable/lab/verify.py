"""Proves the algorithm on published ratings: recomputes them and counts what agrees (definitions:
docs/verification.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from crosstable.lab import record as published
from crosstable.lab.misses import reasons
from crosstable.lab.players_so_far import (
    NONE,
    RATINGS,
    TAKEN_AS_ESTABLISHED_BELOW,
    Findings,
    Matches,
    RecordSoFar,
    SeatColumns,
)
from crosstable.lab.record import SectionRecord
from crosstable.replay import compiled
from crosstable.replay.rules import rows_by_days, rules_in_force
from crosstable.rulebook import AS_PRACTISED, rulebook
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.update import years_before

#: What is recomputed: a Swiss, a round robin or a match; the README counts full K only, H and Q stand apart
KINDS, MATCH = ("S", "R", "M"), "M"
K_CODES, FULL_K = ("F", "H", "Q"), "F"
#: Sections between two words to the progress bar
STRIDE = 2000

MODULES = (
    "crosstable.systems.us_chess.pools",
    "crosstable.systems.us_chess.formulas",
    "crosstable.systems.us_chess.steps",
    "crosstable.lab.players_so_far",
    "crosstable.lab.recompute",
)

Progress = Callable[[int, int], None]
Rows = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Verified:
    """One row for each published rating that was recomputed, and the counts over them."""

    ratings: pl.DataFrame

    @property
    def counted(self) -> pl.DataFrame:
        """What the README counts: full K."""
        return self.ratings.filter(pl.col("k") == FULL_K)

    def rows(self) -> pl.DataFrame:
        """By year, pool, class and `decidable`. `n` is match or miss; `floored` stands beside it."""
        return _by(self.counted, "year", "pool", "class", "decidable")

    def other(self) -> pl.DataFrame:
        """Return what the README does not count: half K (H, and Q for the regular rating), by K code."""
        return _by(self.ratings.filter(pl.col("k") != FULL_K), "k", "pool", "class", "decidable")

    def totals(self) -> dict[str, dict[str, int]]:
        """Return the three figures that the record is compared with."""
        parts = {
            "decidable_standard": pl.col("decidable") & (pl.col("class") == "standard"),
            "decidable_special": pl.col("decidable") & (pl.col("class") == "special"),
            "established_below_1950": pl.col("established") & (pl.col("pre") < TAKEN_AS_ESTABLISHED_BELOW),
        }
        return {name: self.counted.filter(part).select(*_counts()).row(0, named=True) for name, part in parts.items()}

    def misses(self) -> pl.DataFrame:
        """Every miss with the likeliest reason, the largest first."""
        return reasons(self.counted)


def _by(ratings: pl.DataFrame, *keys: str) -> pl.DataFrame:
    return ratings.group_by(keys).agg(*_counts()).sort(keys)


def verify(
    folder: Path, since: date | None = None, until: date | None = None, progress: Progress | None = None
) -> Verified:
    """Read the record, recompute it and keep the events that ended from `since` to `until`.

    Earlier and later events are recomputed all the same: they are the history of the ones that are asked for.
    """
    record = published.read(folder)
    ratings = table_of(record, recomputed(record, progress))
    if since is not None:
        ratings = ratings.filter(pl.col("event_end") >= since)
    if until is not None:
        ratings = ratings.filter(pl.col("event_end") <= until)
    return Verified(ratings)


@cache
def _kernel() -> ModuleType:
    return compiled.load(MODULES)[-1]


def recomputed(record: SectionRecord, progress: Progress | None = None, kernel: ModuleType | None = None) -> Findings:
    """Every section that can be recomputed, in rating order. `kernel` is `lab.recompute`, compiled unless another is
    given.
    """
    kernel = kernel or _kernel()
    table, row = practised_rules(record)
    matches_of = years_of_matches(record.day)
    sections = kernel.SectionColumns(
        rules=row,
        rated=record.rated,
        match=record.kind == MATCH,
        eligible=np.isin(record.kind, KINDS) & np.isin(record.k, K_CODES) & record.complete,
        weight=weights(record),
        first_seat=record.first_seat,
        day=record.day,
        half_year=matches_of[0],
        three_years=matches_of[1],
    )
    seats = kernel.SeatColumns(**{name: getattr(record, name) for name in SeatColumns._fields})
    known, log = kernel.RecordSoFar(*nothing_known(record.players)), kernel.Matches(*empty_log(record))
    findings: Findings = kernel.Findings(*nothing_found(len(record.section), len(record.number)))
    for begin in range(0, len(record.section), STRIDE):
        end = min(begin + STRIDE, len(record.section))
        kernel.recompute(table, sections, seats, known, log, findings, begin, end)
        if progress is not None:
            progress(end, len(record.section))
    return findings


def practised_rules(record: SectionRecord) -> tuple[Rows, NDArray[np.int64]]:
    """Return the rules as rows, and each section's row (NONE before the rulebook's first day).

    The first row is the oldest rules.
    """
    table, first = rules_in_force(AS_PRACTISED), rulebook("us_chess").first.toordinal()
    covered = record.day >= first
    rows, place = rows_by_days(table, np.where(covered, record.day, first), record.end, AS_PRACTISED)
    table_and_oldest = np.concatenate([table.rows[:1], rows]).view(np.recarray)
    return table_and_oldest, np.where(covered, place.astype(np.int64) + 1, NONE)


def weights(record: SectionRecord) -> NDArray[np.int64]:
    """In H and Q sections the regular rating changed by half K (§ half_k); the quick rating, as the record shows, by
    full K.
    """
    found = np.ones((len(record.section), RATINGS), dtype=np.int64)
    book = rulebook("us_chess")
    found[record.k != FULL_K, 0] = book.on(book.first)["half_k"]["prior_weight"]
    return found


def years_of_matches(days: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first days whose matches count in the two limits of §7."""
    limits = rulebook("us_chess").on(rulebook("us_chess").first)["matches"]
    long_ago = {
        day: years_before(date.fromordinal(day), limits["years"]).toordinal() for day in np.unique(days).tolist()
    }
    return days - limits["days"], np.array([long_ago[day] for day in days.tolist()], dtype=np.int64)


def nothing_known(players: int) -> RecordSoFar:
    shape = (players, RATINGS)

    def whole(value: int) -> NDArray[np.int32]:
        return np.full(shape, value, dtype=np.int32)

    return RecordSoFar(
        wins=whole(0),
        draws=whole(0),
        losses=whole(0),
        events=whole(0),
        games=whole(NONE),
        post=whole(NONE),
        decimals=np.full(shape, math.nan),
        floor=np.zeros(shape),
        match=np.full(shape, NONE, dtype=np.int64),
    )


def empty_log(record: SectionRecord) -> Matches:
    size = RATINGS * int(np.diff(record.first_seat)[record.kind == MATCH].sum())
    return Matches(np.zeros(size, np.int64), np.zeros(size), np.zeros(size, np.int64), np.zeros(1, np.int64))


def nothing_found(sections: int, seats: int) -> Findings:
    shape = (seats, RATINGS)
    return Findings(
        result=np.full(shape, math.nan),
        computed=np.full(shape, math.nan),
        whole=np.full(shape, NONE, dtype=np.int32),
        games=np.full(shape, NONE, dtype=np.int32),
        likely=np.full(shape, NONE, dtype=np.int32),
        special=np.zeros(shape, dtype=np.bool_),
        decidable=np.zeros((sections, RATINGS), dtype=np.bool_),
    )


def table_of(record: SectionRecord, findings: Findings) -> pl.DataFrame:
    """Return the recomputed ratings with what was published, pool by pool."""
    section_of = np.repeat(np.arange(len(record.section)), np.diff(record.first_seat))
    parts = [_ratings(record, findings, section_of, rating) for rating in range(RATINGS)]
    return pl.concat(parts).with_columns(
        event_end=pl.from_epoch("day", time_unit="d"),
        year=pl.from_epoch("day", time_unit="d").dt.year(),
        is_floored=_floored(),
    )


def _ratings(record: SectionRecord, findings: Findings, section_of: NDArray[np.int64], rating: int) -> pl.DataFrame:
    seat = np.nonzero(~np.isnan(findings.computed[:, rating]) & (record.post[:, rating] != published.NO_NUMBER))[0]
    section = section_of[seat]
    return pl.DataFrame(
        {
            "day": record.day[section] - published.EPOCH,
            "section": record.section[section],
            "kind": record.kind[section],
            "k": record.k[section],
            "pool": np.full(len(seat), KEYS[rating]),
            "class": np.where(findings.special[seat, rating], "special", "standard"),
            "decidable": findings.decidable[section, rating],
            "number": record.number[seat],
            "player": record.members[record.player[seat]],
            "established": record.pre_games[seat, rating] == published.NO_NUMBER,
            "pre": record.pre[seat, rating],
            "games": record.first_game[seat + 1] - record.first_game[seat],
            "published": record.post[seat, rating],
            "computed": findings.whole[seat, rating],
            "result": findings.result[seat, rating],
            "games_before": findings.games[seat, rating],
            "games_added": np.where(
                record.post_games[seat, rating] == published.NO_NUMBER,
                published.NO_NUMBER,
                record.post_games[seat, rating] - record.pre_games[seat, rating],
            ),
        }
    )


def _floored() -> pl.Expr:
    """Select ratings published above the computed one, on a hundred from 1200 to 2200 or from 101 to 150: an unknown
    floor may have held it.
    """
    post = pl.col("published")
    hundred = (post % 100 == 0) & post.is_between(1200, 2200)
    return (post > pl.col("computed")) & (hundred | post.is_between(101, 150))


def _counts() -> list[pl.Expr]:
    off = (pl.col("published") - pl.col("computed")).abs()
    candidate = ~pl.col("is_floored")
    return [
        candidate.sum().cast(pl.Int64).alias("n"),
        (candidate & (off == 0)).sum().cast(pl.Int64).alias("exact"),
        (candidate & (off <= 1)).sum().cast(pl.Int64).alias("within_one"),
        pl.col("is_floored").sum().cast(pl.Int64).alias("floored"),
    ]
