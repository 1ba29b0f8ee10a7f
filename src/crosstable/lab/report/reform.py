"""The report of a reform."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from crosstable.lab.reform import ACTUAL, Comparison
from crosstable.lab.report import charts
from crosstable.lab.report.page import Part, Report, repeatable, write

#: Fewer players than this in a class and year are no statistic
FEWEST = 30


def write_reform_report(found: Comparison, path: Path, command: Sequence[str]) -> list[Path]:
    return write(reform_report(found, command), path)


def reform_report(found: Comparison, command: Sequence[str]) -> Report:
    rows = pl.DataFrame(list(found.rows))
    deviance = dict(zip(rows["rules"], rows["deviance"], strict=True))
    lines = [
        f"{reform.title} predicts {_better(deviance[reform.title] - deviance[ACTUAL])} than the actual rules"
        for reform in found.reforms
    ]
    lead = f"On {int(found.window.sum()):,} games: {'; '.join(lines)}."
    parts = [_prediction(found, rows)]
    if found.classes is not None:
        parts.append(_classes(found.classes))
    if found.floors is not None:
        parts.append(_floors(found.floors, found.names))
    if found.newcomers is not None:
        parts.append(_newcomers(found.newcomers, found.names))
    parts += [
        Part("Who gains and loses most", "The last rating under each set of rules.", (), found.movers),
        _changes(found),
    ]
    title = "What would it do? " + " and ".join(reform.title for reform in found.reforms)
    return Report(title, lead, tuple(parts), repeatable(command, found.source.digest, 1))


def _better(difference: float) -> str:
    if abs(difference) < 5e-6:
        return "neither better nor worse"
    return f"{'better' if difference < 0 else 'worse'} by {abs(difference):.5f}"


def _prediction(found: Comparison, rows: pl.DataFrame) -> Part:
    words = "; ".join(
        f"{pair.a} minus {pair.b}: {pair.difference:+.5f} ({pair.low:+.5f} to {pair.high:+.5f})" for pair in found.pairs
    )
    return Part("Prediction", f"Deviance, and its differences with 95 % of resampled events: {words}.", (), rows)


def _classes(classes: pl.DataFrame) -> Part:
    shown = classes.filter(pl.col("players") >= FEWEST)
    pictures = []
    for (name,), part in shown.group_by("rules", maintain_order=True):
        lines = part.with_columns(system=pl.col("class").cast(pl.String) + "+")
        names = sorted(lines["system"].unique(), key=lambda text: int(text[:-1]))[-8:]
        lines = lines.filter(pl.col("system").is_in(names))
        pictures.append(
            charts.lines(lines, "year", "difference", names, f"{name}: points above the actual rating", across="year",
                         up="points")
        )  # fmt: skip
    words = (
        "Established players active in a year, by their class under the actual rules: how many points a reform has them "
        "higher. What grows from year to year is inflation, what falls deflation."
    )
    return Part("Inflation and deflation by class and year", words, tuple(pictures), shown)


def _floors(floors: pl.DataFrame, names: Sequence[str]) -> Part:
    lines = floors.filter(pl.col("players") >= FEWEST).with_columns(
        system=pl.col("rules"), per_cent=100 * pl.col("on_floor")
    )
    picture = charts.lines(lines, "year", "per_cent", names, "On a floor", across="year", up="per cent", zero=True)
    words = "Established ratings of 1400 to 2299 ending in 00, less what chance gives: figure 2.1 of the 1996 report."
    return Part("Share on floors", words, (picture,), floors)


def _newcomers(newcomers: pl.DataFrame, names: Sequence[str]) -> Part:
    lines = newcomers.with_columns(system=pl.col("rules"))
    picture = charts.lines(lines, "event", "rating", names, "Newcomers", across="events played", up="mean rating")
    words = "The mean rating of players who came without one, after so many events; the same players throughout."
    return Part("How newcomers travel", words, (picture,), newcomers)


def _changes(found: Comparison) -> Part:
    rows = [
        (reform.title, reform.system, rule, field, str(value), str((reform.rule_since or {}).get(rule, reform.since) or "first day"))
        for reform in found.reforms
        for rule, fields in reform.changes.items()
        for field, value in fields.items()
    ]  # fmt: skip
    columns = ["rules", "system", "rule", "field", "value", "from"]
    return Part("What changes", "", (), pl.DataFrame(rows, columns, orient="row"))
