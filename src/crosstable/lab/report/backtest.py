"""The report of a backtest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import polars as pl

from crosstable.lab import calibration
from crosstable.lab.backtest import Backtest
from crosstable.lab.record import EPOCH
from crosstable.lab.report import charts
from crosstable.lab.report.page import Part, Report, repeatable, write

#: Charts of more lines than this are a tangle: the best are drawn
MOST_LINES = 5
#: Baselines that stretch a chart so far that nothing else can be seen
TRIVIAL = ("constant", "white")


def write_backtest_report(found: Backtest, path: Path, command: Sequence[str]) -> list[Path]:
    return write(backtest_report(found, command), path)


def backtest_report(found: Backtest, command: Sequence[str]) -> Report:
    rows = pl.DataFrame(list(found.rows)).sort("deviance")
    best = rows["system"].to_list()
    drawn = best[:MOST_LINES]
    games = found.source.games
    days = games.day[found.window]
    first, last = (date.fromordinal(int(day)) for day in (days.min(), days.max()))
    lead = (
        f"On {len(days):,} games from {first:%-d %B %Y} to {last:%-d %B %Y}, {best[0]} predicts best: "
        f"a deviance of {rows['deviance'][0]:.5f}, where always one half has 0.30103."
    )
    parts = (
        _scores(rows),
        *(() if len(rows) < 2 else (_differences(found),)),
        _calibration(found, drawn, best),
        _bias(found, best[0]),
        _years(found, drawn),
        _settings(found),
    )
    return Report("Which system predicts best?", lead, parts, repeatable(command, found.source.digest, found.seed))


def _scores(rows: pl.DataFrame) -> Part:
    words = (
        "Each game was predicted before it was rated, from all earlier games of the source, and scored on the same games. "
        "Deviance is −(s log10 p + (1−s) log10(1−p)), p kept within 0.01 and 0.99; smaller is better, but for accuracy."
    )
    serious = rows.filter(~pl.col("system").is_in(TRIVIAL))
    picture = charts.ranking(serious if len(serious) else rows, "Deviance", "deviance, smaller is better")
    return Part("Scores", words, (picture,), rows)


def _differences(found: Backtest) -> Part:
    frame = pl.DataFrame([(p.a, p.b, p.difference, p.low, p.high) for p in found.pairs],
                         ["a", "b", "difference", "low", "high"], orient="row")  # fmt: skip
    frame = frame.with_columns(pair=pl.col("a") + " minus " + pl.col("b"))
    words = (
        "The deviance of a minus that of b, per game, and where 95 % of the differences lie when events are drawn again. "
        "An interval that does not touch nought is a real difference."
    )
    serious = frame.filter(~pl.col("a").is_in(TRIVIAL) & ~pl.col("b").is_in(TRIVIAL))
    picture = charts.intervals((serious if len(serious) else frame).head(15), "Differences", "deviance of a minus b")
    return Part("Differences", words, (picture,), frame.drop("pair"))


def _calibration(found: Backtest, drawn: Sequence[str], best: Sequence[str]) -> Part:
    tables = [
        calibration.bins(found.expected(name), found.score).select(pl.lit(name).alias("system"), pl.all())
        for name in best
    ]
    frame = pl.concat(tables)
    white = found.source.games.white[found.window]
    summary = []
    for name in best:
        one = calibration.recalibrated(found.expected(name), found.score, white)
        summary.append(
            f"{name}: slope {one.slope:.3f}, White's intercept {one.intercept:+.3f}, mean distance {one.ece:.4f}"
        )
    words = (
        "Games by the expected score of the favourite, with Wilson's intervals. A slope of 1 and an intercept of 0 are "
        "what a predictor should have; below 1 it is too sure of favourites. " + "; ".join(summary) + "."
    )
    picture = charts.calibration(frame.filter(pl.col("system").is_in(list(drawn)) & (pl.col("n") >= 30)), drawn)
    return Part("Calibration", words, (picture,), frame, rows=40)


def _bias(found: Backtest, best: str) -> Part:
    frame = calibration.groups(found.source.games, found.window, found.expected(best))
    words = (
        f"Of {best}: score minus expectation in groups of games. By rating gap from the higher rated player's side, "
        "otherwise from each player's own; ± is a 95 % interval."
    )
    gap = frame.filter((pl.col("by") == "rating gap") & (pl.col("group") != "not known"))
    pictures = (
        charts.bars(gap, "group", "bias", "Bias by rating gap", across="points apart", up="score minus expected"),
    )
    return Part("Bias", words, pictures if len(gap) else (), frame)


def _years(found: Backtest, drawn: Sequence[str]) -> Part:
    from crosstable.replay.scores import game_deviance

    games = found.source.games
    days = games.day[found.window]
    month = pl.Series(days - EPOCH).cast(pl.Int32).cast(pl.Date).dt.truncate("1mo")
    parts = []
    for name in drawn:
        loss = game_deviance(found.expected(name), found.score)
        frame = (
            pl.DataFrame({"month": month, "deviance": loss})
            .group_by("month")
            .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("deviance").mean())
        )
        parts.append(frame.sort("month").select(pl.lit(name).alias("system"), pl.all()))
    frame = pl.concat(parts)
    shown = frame.filter(pl.col("n") >= 30).with_columns(
        year=pl.col("month").dt.year() + (pl.col("month").dt.month() - 1) / 12
    )
    picture = charts.lines(shown, "year", "deviance", drawn, "Deviance by month", across="year", up="deviance")
    return Part("By month", "", (picture,), frame, rows=24)


def _settings(found: Backtest) -> Part:
    rows = [
        (entry.name, entry.predictor.title, parameter, value, str(entry.tuned_until or ""))
        for entry in found.entries
        for parameter, value in entry.predictor.settings(entry.settings).items()
    ]
    columns = {
        "system": pl.String,
        "title": pl.String,
        "parameter": pl.String,
        "value": pl.Float64,
        "tuned_until": pl.String,
    }
    return Part("Settings", "", (), pl.DataFrame(rows, columns, orient="row"))
