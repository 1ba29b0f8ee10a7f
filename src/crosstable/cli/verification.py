"""What `crosstable lab verify DIR` prints: the counts by year, the totals, the misses and why."""

from __future__ import annotations

import argparse
from pathlib import Path

import polars as pl

from crosstable.cli.output import print_json
from crosstable.cli.progress import progress_bar
from crosstable.cli.tables import print_table
from crosstable.lab.misses import REASONS
from crosstable.lab.verify import Verified, verify

MISS = ("section", "event_end", "pool", "class", "decidable", "number", "pre", "games", "published", "computed")


def show(args: argparse.Namespace) -> int:
    with progress_bar("sections", quiet=args.json) as report:
        found = verify(Path(args.folder), args.since, args.until, report)
    if args.json:
        answer = {"rows": found.rows().to_dicts(), "totals": found.totals(), "other": found.other().to_dicts()}
        if args.misses > 0:
            answer["misses"] = _listed(found, args.misses).to_dicts()
        print_json(answer)
    else:
        _print(found, args.misses)
    return 0


def _print(found: Verified, misses: int) -> None:
    rows = _with_shares(found.rows())
    print_table(rows.columns, rows.rows(), title="Published ratings recomputed (n: match or miss; floored: neither)")
    totals = [(name.replace("_", " "), *counts.values(), _share(counts)) for name, counts in found.totals().items()]
    print()
    print_table(("in all", "n", "exact", "within_one", "floored", "exact %"), totals)
    missed = found.misses()
    why = (
        missed.group_by("reason")
        .agg(pl.len().alias("misses"), pl.col("decidable").sum())
        .sort("misses", descending=True)
    )
    print()
    print_table(
        ("misses", "decidable", "why"),
        [(count, decidable, f"{name}: {REASONS[name]}") for name, count, decidable in why.rows()],
    )
    if misses > 0 and len(missed):
        listed = _listed(found, misses)
        print()
        print_table(listed.columns, listed.rows(), title="The largest misses")


def _listed(found: Verified, count: int) -> pl.DataFrame:
    return (
        found.misses()
        .select(*MISS, "difference", "reason")
        .head(count)
        .with_columns(pl.col("event_end").cast(pl.String))
    )


def _with_shares(rows: pl.DataFrame) -> pl.DataFrame:
    share = pl.col("exact") * 100 / pl.col("n")
    return rows.with_columns(pl.when(pl.col("n") > 0).then(share.round(3)).alias("exact_%"))


def _share(counts: dict[str, int]) -> float | None:
    return round(100 * counts["exact"] / counts["n"], 3) if counts["n"] else None
