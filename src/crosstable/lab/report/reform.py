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
    facts = repeatable(command, found.source.digest, found.question.seed, Values="; ".join(map(_values, found.reforms)))
    return Report(title, lead, (*parts, _changes(found)), facts)


def _effects(found: Comparison) -> list[Part]:
    made: dict[str, Callable[[pl.DataFrame], Part]] = {
        CLASSES: _classes,
        FLOORS: lambda table: _floors(table, found.names),
        NEWCOMERS: lambda table: _newcomers(table, found.names),
        MOVERS: lambda table: Part(MOVERS, MOST_MOVED, (), _named(table)),
    }
    little = too_little(found.tables)
    parts = [_prediction(found), _differences(found)]
    for title, name in HEADINGS.items():
        if name in little:
            parts.append(Part(title, f"{little[name].capitalize()}."))
        elif name in found.tables:
            parts.append(made[title](found.tables[name]))
    return parts


def _headline(found: Comparison, name: str) -> str:
    deviance = found.headline.deviance
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


RECALIBRATED = (
    "Rules that spread ratings wider are no worse for it: a reader who knows it counts a difference for less. So the predictions of "
    "each set of rules get the slope, the term for provisional players and White's advantage that fitted them best on the games "
    "before the window, fitted again at the start of every year. The verdict is on these; raw is the printed expectancy as it is."
)
NOT_RECALIBRATED = (
    "There are too few games before the window to recalibrate the predictions: they are scored as printed."
)


def _prediction(found: Comparison) -> Part:
    """The deviance of each set of rules, recalibrated and raw, with the terms of the last year."""
    rows = pl.DataFrame(
        [
            {"rules": row["rules"], "games": row["n"], "deviance": row["deviance"], "accuracy": row["accuracy"]}
            | {"raw_deviance": found.raw.deviance[row["rules"]]}
            | _terms(found, row["rules"])
            for row in found.headline.rows
        ]
    )
    if found.recalibrated is None:
        rows = rows.drop("raw_deviance")
    words = f"{DEVIANCE} {RECALIBRATED if found.recalibrated else NOT_RECALIBRATED}"
    return Part("Prediction", words, (), rows)


def _terms(found: Comparison, name: str) -> dict[str, float]:
    fits = found.fits.get(name)
    return {term: getattr(fits[-1], term) for term in found.question.terms} if fits else {}


def _differences(found: Comparison) -> Part:
    """Every two sets of rules: the difference with its intervals, and the raw one."""
    raw = {(pair.a, pair.b): pair for pair in found.raw.pairs}
    rows = []
    for pair in found.headline.pairs:
        plain = raw[pair.a, pair.b]
        rows.append(
            {"better": pair.b if pair.difference > 0 else pair.a, "than": pair.a if pair.difference > 0 else pair.b}
            | _turned(pair, pair.difference < 0)
            | {"raw": abs(plain.difference) * (1 if (plain.difference < 0) == (pair.difference < 0) else -1)}
        )
    frame = pl.DataFrame(rows)
    picture = charts.intervals(
        frame.select(
            name=pl.col("better") + " better than " + pl.col("than"),
            difference="by",
            low="joint_low",
            high="joint_high",
        ),
        "Who predicts better, and by how much",
        "deviance less",
    )
    words = (
        "By how much the first predicts better than the second. In 95 of 100 draws of events the difference lay between low and high; "
        "players low and high say the same if players are what differs. Of many comparisons some look sure by chance: all joint "
        "intervals together hold in 95 of 100 draws, and a line that reaches 0 is a difference that chance can explain. Raw: the "
        "same difference with the printed expectancy; below 0, the verdict is the other way round."
    )
    return Part("Differences", words, (picture,), frame)


def _turned(pair: Pair, turned: bool) -> dict[str, float]:
    """The difference and its intervals, from the side of the better one."""
    low_high = {
        "low": (pair.low, pair.high),
        "players": (pair.players_low, pair.players_high),
        "joint": (pair.joint_low, pair.joint_high),
    }
    found = {"by": abs(pair.difference)}
    for name, (low, high) in low_high.items():
        first, last = ("low", "high") if name == "low" else (f"{name}_low", f"{name}_high")
        found |= {first: -high, last: -low} if turned else {first: low, last: high}
    return found


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
