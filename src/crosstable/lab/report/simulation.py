"""The report of a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import polars as pl

from crosstable.lab.calendar import regular_kinds
from crosstable.lab.report import charts
from crosstable.lab.report.page import DEVIANCE, LabReport, ReportSection, repeatable, write
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.tracking import TRUTH, Tracking

YEARS = (
    "A system's level is its own affair, so the mean of all is taken out of the first chart, and the second begins at"
    " 0: a line that stays there is a system without drift, one that rises inflates, one that falls deflates."
)
FARMING = (
    "Sandbaggers lose on purpose but in one tournament of eight, where they enter a section that is too weak for them;"
    " the isolated only ever meet each other. 0 is the level of all other players: how far sandbaggers lie below it is"
    " what their losing buys, and an isolated pool that climbs is being fed points that no one outside has checked."
)


def write_simulation_report(found: Tracking, path: Path, command: Sequence[str]) -> list[Path]:
    return write(simulation_report(found, command), path)


def simulation_report(found: Tracking, command: Sequence[str]) -> LabReport:
    rows = pl.DataFrame(list(found.backtest.rows)).sort("deviance")
    names = [name for name in rows["system"].to_list() if name not in (TRUTH, "constant")]
    setting = found.simulation.setting
    truth = rows.filter(pl.col("system") == TRUTH)["deviance"][0]
    best = rows.filter(pl.col("system") == names[0])["deviance"][0]
    lead = (
        f"In a made-up federation of {setting.players:,} players over {setting.years} years, {names[0]} comes nearest"
        f" to the truth: a deviance of {best:.5f}, where the true strengths have {truth:.5f}."
    )
    drawn = {
        "spread_of_error": "How far ratings lie from the truth (standard deviation)",
        "drift": "Drift: adults from 30 to 50, rating less strength",
    }
    years = found.years.with_columns(
        drift=pl.col("adults_mean_error") - pl.col("adults_mean_error").first().over("system")
    )
    pictures = [
        charts.lines(years, "year", column, names, title, across="year", up="points") for column, title in drawn.items()
    ]
    groups = []
    for label in found.groups["group"].unique(maintain_order=True):
        part = found.groups.filter(pl.col("group") == label)
        groups.append(
            charts.lines(
                part,
                "year",
                "away_from_truth",
                names,
                f"{label.capitalize()}: rating less strength, against others",
                across="year",
                up="points",
            )
        )
    by_events = found.soon.pivot("system", index=["events", "players"], values="mean_distance")
    parts = (
        ReportSection(
            "Prediction",
            "Games after the first years, in which all players are new; the truth is how well both really played."
            f" {DEVIANCE}",
            (charts.ranking(rows, "Deviance", "deviance, smaller is better"),),
            rows,
        ),
        ReportSection("Year by year", YEARS, tuple(pictures), found.years),
        ReportSection(
            "How soon",
            "Mean distance from the truth at the end, by events behind a player, once the mean of all is taken out.",
            (),
            by_events,
        ),
        ReportSection("Farming, and an isolated pool", FARMING, tuple(groups), found.groups),
        ReportSection("Setting", "", (), setting_table(setting)),
    )
    facts = repeatable(command, found.simulation.games.digest(), setting.seed)
    return LabReport("Does a system find the truth?", lead, parts, facts)


def setting_table(setting: SimulationSetting) -> pl.DataFrame:
    """Return what was simulated, in words."""
    kinds = ", ".join(kind.name.removeprefix("{city} ") for kind in setting.kinds or regular_kinds())
    plain = {name.replace("_", " "): str(value) for name, value in asdict(setting).items() if name != "kinds"}
    return pl.DataFrame(list((plain | {"kinds of events": kinds}).items()), ["what", "value"], orient="row")
