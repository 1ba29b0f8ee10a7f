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
from crosstable.lab.report.page import DEVIANCE, LabReport, ReportSection, please_check, repeatable, write

#: Charts of more lines than this are a tangle: the best are drawn
MOST_LINES = 5
#: Baselines that stretch a chart so far that nothing else can be seen
TRIVIAL = ("constant", "white")


def write_backtest_report(found: Backtest, path: Path, command: Sequence[str]) -> list[Path]:
    return write(backtest_report(found, command), path)


def backtest_report(found: Backtest, command: Sequence[str]) -> LabReport:
    rows = pl.DataFrame(list(found.rows)).sort("deviance")
    best = rows["system"].to_list()
    drawn = best[:MOST_LINES]
    games = found.source.games
    days = games.day[found.window]
    first, last = (date.fromordinal(int(day)) for day in (days.min(), days.max()))
    lead = (
        f"On {len(days):,} games from {first:%-d %B %Y} to {last:%-d %B %Y}, {best[0]} predicts best: "
        f"a deviance of {rows['deviance'][0]:.5f}, where always one half has 0.30103.{_as_good(found, best[0])}"
    )
    parts = (
        *please_check(found.cautions),
        _scores(rows),
        *(() if len(rows) < 2 else (_differences(found, best[0]),)),
        *_known_at_start(found),
        *_calibration(found, drawn, best),
        _bias(found, best),
        _rolling(found, best),
        _years(found, drawn),
        _settings(found),
    )
    return LabReport("Which system predicts best?", lead, parts, repeatable(command, found.source.digest, found.seed))


def _as_good(found: Backtest, best: str) -> str:
    """Whom the best is not sure to beat: intervals that reach 0."""
    near = [p.a if p.b == best else p.b for p in found.pairs if best in (p.a, p.b) and p.low <= 0 <= p.high]
    if not near:
        return ""
    return f" But chance alone could explain its lead over {' and '.join(near)}: these games cannot tell them apart."


def _scores(rows: pl.DataFrame) -> ReportSection:
    words = (
        f"Each game was predicted before it was rated, and all systems were scored on the same games. {DEVIANCE} (It is"
        " the mean of −(s log10 p + (1−s) log10(1−p)), with p kept within 0.01 and 0.99.) Log loss and Brier measure"
        " the same in other ways, smaller is better; accuracy is what the favourites scored, and larger is better."
    )
    serious = rows.filter(~pl.col("system").is_in(TRIVIAL))
    picture = charts.ranking(serious if len(serious) else rows, "Deviance", "deviance, smaller is better")
    return ReportSection("Scores", words, (picture,), rows)


def _known_at_start(found: Backtest) -> tuple[ReportSection, ...]:
    """Return the scores without the games whose ratings hold something that ended after their event began."""
    games, known = int(found.window.sum()), found.known.games
    if known == games or not known:
        return ()
    share = 100 * (1 - known / games)
    words = (
        f"Events are rated in the order of their ends. In {games - known:,} of the games ({share:.1f} %) a player's"
        " rating already held another event that ended after this one had begun, so it was not yet known on the first"
        " day. These are the scores without such games."
    )
    return (
        ReportSection("Known when the event began", words, (), pl.DataFrame(list(found.known.rows)).sort("deviance")),
    )


def _differences(found: Backtest, best: str) -> ReportSection:
    """Every pair in the table; drawn is what the others lose to the best."""
    columns = ["a", "b", "difference", "low", "high"]
    frame = pl.DataFrame([(p.a, p.b, p.difference, p.low, p.high) for p in found.pairs], columns, orient="row")
    behind = pl.concat(
        [
            frame.filter(pl.col("b") == best).select(name="a", difference="difference", low="low", high="high"),
            frame.filter(pl.col("a") == best).select(
                name="b", difference=-pl.col("difference"), low=-pl.col("high"), high=-pl.col("low")
            ),
        ]
    ).sort("difference")
    serious = behind.filter(~pl.col("name").is_in(TRIVIAL))
    words = (
        f"How much more deviance than {best} each system has in a game. Would other events have said otherwise? Events"
        " were drawn again and again from those that there are: in 95 of 100 draws the difference lay on the line. A"
        " line that does not reach 0 is a difference that chance does not explain. The table has all pairs: a minus b."
    )
    picture = charts.intervals(serious if len(serious) else behind, f"Behind {best}", "deviance more than the best")
    return ReportSection("Differences", words, (picture,), frame)


def _calibration(found: Backtest, drawn: Sequence[str], best: Sequence[str]) -> tuple[ReportSection, ReportSection]:
    tables = [
        calibration.bins(found.expected(name), found.score).select(pl.lit(name).alias("system"), pl.all())
        for name in best
    ]
    frame = pl.concat(tables)
    white = found.source.games.white[found.window]
    summary = []
    for name in best:
        one = calibration.recalibrated(found.expected(name), found.score, white)
        summary.append((name, one.slope, one.intercept, one.ece))
    words = (
        "When a system says 70 %, does the favourite score 70 %? On the dotted line it does; below it, the system"
        " believes too much in favourites. Games by the expected score of the favourite, with Wilson's 95 % intervals."
    )
    slopes = (
        "The same in three numbers. Slope: 1 is right, 0.7 says that three tenths of the predicted edge (its logit) are"
        " not there. White's intercept: what White has beyond the prediction, as a logit; 0 is right. Mean distance:"
        " between expected and scored, over the points of the chart."
    )
    picture = charts.calibration(frame.filter(pl.col("system").is_in(list(drawn)) & (pl.col("n") >= 30)), drawn)
    columns = ["system", "slope", "white_intercept", "mean_distance"]
    return (
        ReportSection("Calibration", words, (picture,), frame),
        ReportSection("Slopes", slopes, (), pl.DataFrame(summary, columns, orient="row")),
    )


def _bias(found: Backtest, best: Sequence[str]) -> ReportSection:
    """Every system's bias in the table; the best one's is drawn."""
    tables = [
        calibration.groups(found.source.games, found.window, found.expected(name)).select(
            pl.lit(name).alias("system"), pl.all()
        )
        for name in best
    ]
    frame = pl.concat(tables)
    words = (
        "Where each system is wrong: score minus expectation in groups of games, with 95 % intervals. By rating gap"
        " from the higher rated player's side, otherwise from each player's own. 0.010 is one point in a hundred"
        f" games. The charts show {best[0]}; the table has every system."
    )
    known = tables[0].filter(pl.col("group") != "not known")
    drawn = known.with_columns(
        name="group",
        difference="bias",
        low=pl.col("bias") - pl.col("plus_minus"),
        high=pl.col("bias") + pl.col("plus_minus"),
    )
    pictures = tuple(
        charts.intervals(part, f"{best[0]}: by {name}", "score minus expected")
        for (name,), part in drawn.group_by("by", maintain_order=True)
    )
    return ReportSection("Bias", words, pictures, frame)


def _rolling(found: Backtest, best: Sequence[str]) -> ReportSection:
    """Each system from each origin to the next."""
    frame = pl.DataFrame(list(found.windows), infer_schema_length=None)
    order = {name: place for place, name in enumerate(best)}
    frame = frame.sort("from", pl.col("system").replace_strict(order, return_dtype=pl.Int64))
    words = (
        "The window in parts that begin on its first day and on each 1 January. Recalibrated: with a slope, a term for"
        " provisional players and White's advantage, fitted on the scored games before that day. A system that loses"
        " much less so only spreads its ratings too wide."
    )
    return ReportSection("Rolling origins", words, (), frame)


def _years(found: Backtest, drawn: Sequence[str]) -> ReportSection:
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
    shown = frame.filter(pl.col("n") >= 30).with_columns(pl.col("month").cast(pl.String))
    picture = charts.lines(shown, "month", "deviance", drawn, "Deviance by month", across="month", up="deviance")
    words = "Months differ in who played. What counts is whether one system stays below another."
    return ReportSection("By month", words, (picture,), frame)


def _settings(found: Backtest) -> ReportSection:
    rows = [
        (entry.name, entry.predictor.title, parameter, f"{value:g}", str(entry.tuned_until or ""))
        for entry in found.entries
        for parameter, value in entry.predictor.settings(entry.settings).items()
    ]
    columns = {
        "system": pl.String,
        "title": pl.String,
        "parameter": pl.String,
        "value": pl.String,
        "tuned_until": pl.String,
    }
    return ReportSection("Settings", "", (), pl.DataFrame(rows, columns, orient="row"))
