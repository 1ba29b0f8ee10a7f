"""The report of a reform."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from crosstable.lab.bootstrap import Pair
from crosstable.lab.reform import ACTUAL, Comparison
from crosstable.lab.reform_tables import CLASS, FLOORS_IN_WORDS, too_little
from crosstable.lab.report import charts
from crosstable.lab.report.page import DEVIANCE, Part, Report, repeatable, write
from crosstable.rulebook.reform import Reform

#: Fewer players than this in a class and year are no statistic
FEWEST = 30
#: The headline takes no class with less than this share of a year's players. There are fewer than twenty classes, so one has as much.
GOOD_PART = 0.05

CLASSES, FLOORS = "Inflation and deflation by class and year", "Share on floors"
NEWCOMERS, MOVERS = "How newcomers travel", "Who gains and loses most"
MOST_MOVED = "The players whose last rating a reform has most above and most below the one under the actual rules."
#: Each part of the report and its table
HEADINGS = {CLASSES: "classes", FLOORS: "floors", NEWCOMERS: "newcomers", MOVERS: "movers"}


def write_reform_report(found: Comparison, path: Path, command: Sequence[str]) -> list[Path]:
    return write(reform_report(found, command), path)


def reform_report(found: Comparison, command: Sequence[str]) -> Report:
    unchanged = found.unchanged
    lines = [
        found.nothing_changes(reform.title) if reform.title in unchanged else _headline(found, reform.title)
        for reform in found.reforms
    ]
    lead = f"On {int(found.window.sum()):,} games: {'; '.join(lines)}."
    parts = [] if len(unchanged) == len(found.reforms) else _effects(found)
    title = "What would it do? " + " and ".join(reform.title for reform in found.reforms)
    facts = repeatable(command, found.source.digest, 1, Values="; ".join(map(_values, found.reforms)))
    return Report(title, lead, (*parts, _changes(found)), facts)


def _effects(found: Comparison) -> list[Part]:
    made: dict[str, Callable[[pl.DataFrame], Part]] = {
        CLASSES: _classes,
        FLOORS: lambda table: _floors(table, found.names),
        NEWCOMERS: lambda table: _newcomers(table, found.names),
        MOVERS: lambda table: Part(MOVERS, MOST_MOVED, (), _named(table)),
    }
    little = too_little(found.tables)
    parts = [_prediction(found)]
    for title, name in HEADINGS.items():
        if name in little:
            parts.append(Part(title, f"{little[name].capitalize()}."))
        elif name in found.tables:
            parts.append(made[title](found.tables[name]))
    return parts


def _headline(found: Comparison, name: str) -> str:
    deviance = {row["rules"]: row["deviance"] for row in found.rows}
    better = _better(deviance[name] - deviance[ACTUAL])
    return f"{name} predicts {better} than the actual rules{_largest(found.classes, name)}"


def _largest(classes: pl.DataFrame | None, name: str) -> str:
    """The class that a reform has moved most in the end, of those that hold a good part of the players."""
    here = None if classes is None else classes.filter((pl.col("rules") == name) & (pl.col("players") >= FEWEST))
    if here is None or here.is_empty():
        return ""
    last = here.filter(pl.col("year") == pl.col("year").max())
    last = last.filter(pl.col("players") >= GOOD_PART * pl.col("players").sum())
    most = last.sort(pl.col("difference").abs()).row(-1, named=True)
    if abs(most["difference"]) < 1:
        return f", and in {most['year']} it moves the players of no class by as much as a point"
    points = f"{abs(most['difference']):.0f} {'point' if abs(most['difference']) < 1.5 else 'points'}"
    side = "higher" if most["difference"] > 0 else "lower"
    players = f"the {most['players']:,} players of {most['class']} to {most['class'] + CLASS - 1}"
    return f", and in {most['year']} it has {players} {side} by {points}"


def _named(movers: pl.DataFrame) -> pl.DataFrame:
    """A player's id is a name, not a number."""
    return movers.with_columns(pl.col("player").cast(pl.String))


def _better(difference: float) -> str:
    if abs(difference) < 5e-6:
        return "neither better nor worse"
    return f"{'better' if difference < 0 else 'worse'} by {abs(difference):.5f}"


def _prediction(found: Comparison) -> Part:
    columns = ["name", "difference", "low", "high"]
    pairs = [(f"{pair.a} minus {pair.b}", pair.difference, pair.low, pair.high) for pair in found.pairs]
    picture = charts.intervals(
        pl.DataFrame(pairs, columns, orient="row"), "Differences in deviance", "first minus second"
    )
    words = (
        f"{DEVIANCE} Left of 0 the rules named first predict better, right of it the others. In 95 of 100 draws of events the "
        "difference lay on the line: " + "; ".join(map(_difference, found.pairs)) + "."
    )
    return Part("Prediction", words, (picture,), pl.DataFrame(list(found.rows)))


def _difference(pair: Pair) -> str:
    difference, interval = pair.figures()
    return f"{pair.a} minus {pair.b} " + f"{difference} ({interval})".replace("-", "−")


def _classes(classes: pl.DataFrame) -> Part:
    shown = classes.filter(pl.col("players") >= FEWEST)
    pictures = []
    for (name,), part in shown.group_by("rules", maintain_order=True):
        lines = part.with_columns(system=pl.col("class").cast(pl.String) + "+")
        names = sorted(lines["system"].unique(), key=lambda text: int(text[:-1]))
        names = names[:: 1 + len(names) // (len(charts.COLOURS) + 1)]
        lines = lines.filter(pl.col("system").is_in(names))
        pictures.append(
            charts.lines(lines, "year", "difference", names, f"{name}: points above the actual rating", across="year",
                         up="points")
        )  # fmt: skip
    words = (
        "Established players active in a year, by their class under the actual rules: how many points a reform has them "
        "higher. What grows from year to year is inflation, what falls deflation. Of many classes every second is drawn."
    )
    if shown.is_empty():
        words += f" No class has {FEWEST} players in a year, so chance is much of it, and nothing is drawn."
    return Part(CLASSES, words, tuple(pictures), classes if shown.is_empty() else shown)


def _floors(floors: pl.DataFrame, names: Sequence[str]) -> Part:
    lines = floors.filter(pl.col("on_floor").is_not_null()).with_columns(
        system=pl.col("rules"), per_cent=100 * pl.col("on_floor")
    )
    picture = charts.lines(lines, "year", "per_cent", names, "On a floor", across="year", up="per cent", zero=True)
    return Part(FLOORS, FLOORS_IN_WORDS, (picture,), floors)


def _newcomers(newcomers: pl.DataFrame, names: Sequence[str]) -> Part:
    lines = newcomers.with_columns(system=pl.col("rules"))
    picture = charts.lines(lines, "event", "rating", names, "Newcomers", across="events played", up="mean rating")
    words = "The mean rating of players who came without one, after so many events; the same players throughout."
    return Part(NEWCOMERS, words, (picture,), newcomers)


def _changes(found: Comparison) -> Part:
    rows = [
        (reform.title, one.rule, one.becomes, one.instead_in_words(), str(one.since))
        for reform in found.reforms
        for one in found.replaced(reform)
    ]
    columns = ["rules", "rule", "becomes", "instead_of", "from"]
    words = "What the reforms say, and what the rulebook says instead over the replayed time."
    return Part("What changes", words, (), pl.DataFrame(rows, columns, orient="row"))


def _values(reform: Reform) -> str:
    """The rulebook's fields and their new values, for whoever writes the file again."""
    fields = [f"{rule}.{field} = {value}" for rule, fields in reform.changes.items() for field, value in fields.items()]
    return f"{reform.title}: {', '.join(fields)} ({reform.system})"
