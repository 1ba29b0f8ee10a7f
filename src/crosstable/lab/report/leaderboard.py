"""A leaderboard: every system of a backtest on one page, best first, with how far it is behind the leader."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.lab.backtest import Backtest
from crosstable.lab.bootstrap import PairDifference
from crosstable.lab.calibration import recalibrated
from crosstable.lab.report import charts
from crosstable.lab.report.page import DEVIANCE, LabReport, ReportSection, please_check, repeatable, write


def write_leaderboard(found: Backtest, path: Path, command: Sequence[str]) -> list[Path]:
    return write(leaderboard(found, command), path)


def leaderboard(found: Backtest, command: Sequence[str]) -> LabReport:
    """Return the table, the distances to the leader as a chart, and what is needed to repeat it."""
    table = standings(found)
    days = found.source.games.day[found.window]
    first, last = (date.fromordinal(int(day)) for day in (days.min(), days.max()))
    leader = table["system"][0]
    tied = table.filter(pl.col("place") == 1)["system"].to_list()[1:]
    beside = f" Chance could explain its lead over {' and '.join(tied)}." if tied else ""
    lead = f"{leader} leads on {len(days):,} games from {first:%-d %B %Y} to {last:%-d %B %Y}.{beside}"
    words = (
        f"{DEVIANCE} Behind: how much more deviance than the leader, with a 95 % interval that holds for all lines"
        " together; systems that chance could put first share place 1. Slope: 1 is right, less than 1 means that"
        " favourites are believed in too much. Learns: after each event, round or game."
    )
    behind = table.filter(pl.col("behind").is_not_null()).select(
        name="system", difference="behind", low="low", high="high"
    )
    pictures = (charts.intervals(behind, f"Behind {leader}", "deviance more than the leader"),) if len(behind) else ()
    parts = (*please_check(found.cautions), ReportSection("Standings", words, pictures, table, rows=len(table)))
    return LabReport("Leaderboard", lead, parts, repeatable(command, found.source.digest, found.seed))


def standings(found: Backtest) -> pl.DataFrame:
    """Return a row for each system, best first."""
    rows = sorted(found.rows, key=lambda row: float(row["deviance"]))
    leader = str(rows[0]["system"])
    entries = {entry.name: entry for entry in found.entries}
    white = found.source.games.white[found.window]
    lines: list[dict[str, Any]] = []
    for place, row in enumerate(rows, start=1):
        name = str(row["system"])
        behind, low, high = _behind(found.pairs, name, leader)
        first = low is None or low <= 0 <= (high or 0)
        lines.append(
            {
                "place": 1 if first else place,
                "system": name,
                "what": entries[name].predictor.title,
                "learns": "" if entries[name].predictor.from_file else entries[name].predictor.learns,
                "deviance": float(row["deviance"]),
                "behind": behind,
                "low": low,
                "high": high,
                "slope": recalibrated(found.expected(name), found.score, white).slope,
                "accuracy": float(row["accuracy"]),
            }
        )
    return pl.DataFrame(lines, infer_schema_length=None)


def _behind(pairs: Sequence[PairDifference], name: str, leader: str) -> tuple[float | None, float | None, float | None]:
    """How far a system is behind the leader, with the ends of the joint interval."""
    for pair in pairs:
        if (pair.a, pair.b) == (name, leader):
            return pair.difference, pair.joint_low, pair.joint_high
        if (pair.a, pair.b) == (leader, name):
            return -pair.difference, -pair.joint_high, -pair.joint_low
    return None, None, None
