"""The report of reforms in made-up federations: does a reform find true strengths sooner?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from crosstable.lab.reform import ACTUAL
from crosstable.lab.reform_simulation import DISTANCE, LEVEL, NEWCOMER, Recovery
from crosstable.lab.report import charts
from crosstable.lab.report.page import LabReport, ReportSection, repeatable, write
from crosstable.lab.report.simulation import setting_table

#: The event of a newcomer's that the verdict looks at
SOON = 5
NEWCOMERS = (
    "How far newcomers' ratings lie from their true strength after so many events, in points, on average. The change is"
    " that of a reform from the actual rules in the same federations; low and high are its 95 % interval over the"
    " seeds."
)
YEARS = (
    "Established players at the end of each year. Distance: how far a rating lies from the truth, once the mean of all"
    " is taken out. Level: that mean, rating less strength; what grows is inflation."
)


def write_recovery_report(found: Recovery, path: Path, command: Sequence[str]) -> list[Path]:
    return write(recovery_report(found, command), path)


def recovery_report(found: Recovery, command: Sequence[str]) -> LabReport:
    lead = " ".join(conclusions(found))
    lines = found.newcomers.with_columns(system=pl.col("rules"))
    newcomers = charts.lines(
        lines,
        "events",
        "points",
        found.names,
        "Newcomers: distance from the truth",
        across="events played",
        up="points",
    )
    parts = (
        ReportSection("How soon newcomers are found", NEWCOMERS, (newcomers,), found.newcomers.drop("what")),
        ReportSection("Year by year", YEARS, tuple(_by_year(found)), found.years),
        ReportSection("Setting", "", (), setting_table(found.setting)),
    )
    facts = repeatable(command, f"{found.games:,} simulated games", None, Seeds=", ".join(map(str, found.seeds)))
    title = "Does it find the truth sooner? " + " and ".join(found.names[1:])
    return LabReport(title, lead, parts, facts)


def _by_year(found: Recovery) -> list[str]:
    titles = {DISTANCE: "Distance from the truth", LEVEL: "Level: rating less strength"}
    return [
        charts.lines(
            found.years.filter(pl.col("what") == what).with_columns(system=pl.col("rules")),
            "year",
            "points",
            found.names,
            title,
            across="year",
            up="points",
        )
        for what, title in titles.items()
    ]


def conclusions(found: Recovery) -> list[str]:
    """Return a sentence for each reform: what it changes for a newcomer after five events, and how sure that is."""
    first = (
        f"In {len(found.seeds)} made-up federations of {found.setting.players:,} players over {found.setting.years}"
        " years:"
    )
    return [first, *(_conclusion(found, name) for name in found.names if name != ACTUAL)]


def _conclusion(found: Recovery, name: str) -> str:
    here = found.newcomers.filter((pl.col("rules") == name) & (pl.col("what") == NEWCOMER) & (pl.col("events") == SOON))
    if here.is_empty():
        return f"“{name}”: no newcomer has played {SOON} events."
    row = here.row(0, named=True)
    change, low, high = row["change"], row["low"], row["high"]
    after = f"after {SOON} events a newcomer's rating is {row['points']:.0f} points from the truth"
    if low is None or high is None:
        return f"under “{name}” {after}, a change of {change:+.1f}; one seed says nothing about chance."
    if low <= 0 <= high:
        return f"under “{name}” {after}, as under the actual rules (change {change:+.1f}, {low:+.1f} to {high:+.1f})."
    word = "nearer to" if change < 0 else "farther from"
    ends = sorted((abs(low), abs(high)))
    return f"under “{name}” {after}, {abs(change):.1f} points {word} it than today ({ends[0]:.1f} to {ends[1]:.1f})."
