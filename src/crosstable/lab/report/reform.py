"""The report of a reform: a first page for delegates, then prediction, the level of ratings, and people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl
import polars.selectors as cs

from crosstable.lab.bootstrap import PairDifference
from crosstable.lab.reform import Comparison
from crosstable.lab.reform_tables import CLASS, FLOORS_IN_WORDS, STATIONS, too_little
from crosstable.lab.report import charts
from crosstable.lab.report.page import DEVIANCE, LabReport, ReportSection, please_check, repeatable, write
from crosstable.lab.report.verdict import ReformOutcome, ReformVerdict, in_short, in_words, verdict
from crosstable.rulebook.reform import Reform

#: Fewer players than this in a class and year are no statistic
FEWEST = 30

CLASSES, FLOORS = "Inflation and deflation by class and year", "Share on floors"
NEWCOMERS, MOVERS = "How newcomers travel", "Who gains and loses most"
LEVEL, MOVED, DISTRIBUTION = "Inflation, year by year", "How far players move", "The distribution before and after"
GROUPS, YEARS = "For whom it predicts better", "Does it hold in every year?"
MOST_MOVED = "The players whose last rating a reform has most above and most below the one under the actual rules."
OUTCOMES = {
    ReformOutcome.BETTER: "predicts better",
    ReformOutcome.WORSE: "predicts worse",
    ReformOutcome.OPEN: "cannot be told",
    ReformOutcome.SAME: "the same",
}


def write_reform_report(found: Comparison, path: Path, command: Sequence[str]) -> list[Path]:
    return write(reform_report(found, command), path)


def reform_report(found: Comparison, command: Sequence[str]) -> LabReport:
    unchanged = found.unchanged
    verdicts = [verdict(found, reform.title) for reform in found.reforms if reform.title not in unchanged]
    lines = [f"{found.nothing_changes(title)}." for title in unchanged]
    lines += [in_words(verdicts[0])] if len(verdicts) == 1 else [in_short(verdicts)] if verdicts else []
    parts = [_glance(found, verdicts), *_effects(found)] if verdicts else []
    title = "What would it do? " + " and ".join(reform.title for reform in found.reforms)
    facts = repeatable(command, found.source.digest, found.question.seed, Values="; ".join(map(_values, found.reforms)))
    return LabReport(title, " ".join(lines), (*please_check(found.cautions), *parts, _changes(found)), facts)


def _glance(found: Comparison, verdicts: Sequence[ReformVerdict]) -> ReportSection:
    """Return the first page's table: a line for each reform."""
    rows = [
        {
            "reform": one.reform,
            "results": OUTCOMES[one.outcome],
            "tells_more_%": 100 * one.gain,
            "from": 100 * one.low,
            "to": 100 * one.high,
        }
        | ({} if one.inflation is None else {"level_points": one.inflation})
        | ({} if not one.players else _shares(one))
        | _newcomer_level(found, one.reform)
        for one in verdicts
    ]
    each = [in_words(one) for one in verdicts] if len(verdicts) > 1 else []
    words = (
        f"Scored on {int(found.window.sum()):,} games. “Tells more” is how much more the reform's ratings say about"
        " results than today's do, in per cent of what today's say beyond a coin; from and to are the ends of its 95 %"
        " interval, wide enough for all comparisons on this page together. Level: how many points higher the average"
        " established player is in the end."
    )
    return ReportSection(
        "At a glance", "\n".join([*each, words]), (), pl.DataFrame(rows).with_columns(cs.float().round(2))
    )


def _shares(one: ReformVerdict) -> dict[str, float]:
    players = one.players or 1
    return {
        "moved_50_%": 100 * (one.by_50 or 0) / players,
        "moved_100_%": 100 * (one.by_100 or 0) / players,
        "other_class_%": 100 * (one.other_class or 0) / players,
    }


def _newcomer_level(found: Comparison, name: str) -> dict[str, float]:
    table = found.effects.get("newcomers")
    here = None if table is None else table.filter((pl.col("rules") == name) & (pl.col("event") == STATIONS[-1]))
    return {} if here is None or here.is_empty() else {f"newcomer_after_{STATIONS[-1]}": here["rating"][0]}


def _effects(found: Comparison) -> list[ReportSection]:
    names = found.names
    made: dict[str, tuple[str, Callable[[pl.DataFrame], ReportSection]]] = {
        LEVEL: ("inflation", lambda table: _level(table, names[1:])),
        MOVED: ("moved", _moved),
        DISTRIBUTION: ("distribution", lambda table: _distribution(table, names)),
        GROUPS: ("groups", _groups),
        CLASSES: ("classes", _classes),
        FLOORS: ("floors", lambda table: _floors(table, names)),
        NEWCOMERS: ("newcomers", lambda table: _newcomers(table, names)),
        MOVERS: ("movers", lambda table: ReportSection(MOVERS, MOST_MOVED, (), _named(table))),
    }
    little = too_little(found.tables)
    parts = [_prediction(found), _differences(found), _years(found.years)]
    for title, (name, make) in made.items():
        if name in little:
            parts.append(ReportSection(title, f"{little[name].capitalize()}."))
        elif name in found.tables:
            parts.append(make(found.tables[name]))
    return parts


def _named(movers: pl.DataFrame) -> pl.DataFrame:
    """Return the frame with players' ids as names, not numbers."""
    return movers.with_columns(pl.col("player").cast(pl.String))


def _years(years: pl.DataFrame) -> ReportSection:
    words = (
        "What a reform gains in deviance in each year, with the terms fitted on the games before that year. A verdict"
        " that turns from year to year is a weak one. Intervals are of whole events."
    )
    frame = years.with_columns(name=pl.col("rules") + ", " + pl.col("year").cast(pl.String), difference="gain")
    return ReportSection(YEARS, words, (charts.intervals(frame, "Gain by year", "deviance less"),), years)


def _level(table: pl.DataFrame, names: Sequence[str]) -> ReportSection:
    words = (
        "One figure a year: how many points higher than under the actual rules the average established active player"
        " is, with its 95 % interval. What grows from year to year is inflation, what falls deflation."
    )
    lines = table.with_columns(system=pl.col("rules"))
    picture = charts.lines(
        lines, "year", "inflation", names, "Points above the actual rating", across="year", up="points", zero=True
    )
    return ReportSection(LEVEL, words, (picture,), table)


def _moved(table: pl.DataFrame) -> ReportSection:
    words = (
        "Established active players whose rating at the end of the year is another one by 50 or by 100 points, or lies"
        f" in another class of {CLASS} points."
    )
    return ReportSection(MOVED, words, (), table)


def _distribution(table: pl.DataFrame, names: Sequence[str]) -> ReportSection:
    lines = table.with_columns(system=pl.col("rules"), per_cent=100 * pl.col("share"))
    picture = charts.lines(
        lines, "class", "per_cent", names, "Players by class", across="rating", up="per cent", zero=True
    )
    wide = table.pivot("rules", index=["year", "class"], values="players").sort("class").fill_null(0)
    words = "Established active players at the end of the last year, by class: how many, under each set of rules."
    return ReportSection(DISTRIBUTION, words, (picture,), wide)


def _groups(table: pl.DataFrame) -> ReportSection:
    words = (
        "What a reform gains in deviance over the actual rules, from each player's side of a game: by age where birth"
        " dates are known, by standing and by class under the actual rules. Right of 0 it predicts those players"
        " better. Groups of fewer than 30 players are left out."
    )
    pictures = [
        charts.intervals(part.with_columns(name="group", difference="gain"), f"{rules}: by {by}", "deviance less")
        for (rules, by), part in table.group_by("rules", "by", maintain_order=True)
    ]
    return ReportSection(GROUPS, words, tuple(pictures), table)


RECALIBRATED = (
    "Rules that spread ratings wider are no worse for it: a reader who knows it counts a difference for less. So the"
    " predictions of each set of rules get the slope, the term for provisional players and White's advantage that"
    " fitted them best on the games between the reform's first day and the window, fitted again at the start of every"
    " year. The verdict is on these; raw is the printed expectancy as it is."
)
NOT_RECALIBRATED = (
    "Too few games before the window were rated under the reformed rules to recalibrate the predictions: they are"
    " scored as printed, so rules that spread ratings wider look worse than they are."
)


def _prediction(found: Comparison) -> ReportSection:
    """Return the deviance of each set of rules, recalibrated and raw, with the terms of the last year."""
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
    return ReportSection("Prediction", words, (), rows)


def _terms(found: Comparison, name: str) -> dict[str, float]:
    fits = found.fits.get(name)
    return {term: getattr(fits[-1], term) for term in found.question.terms} if fits else {}


def _differences(found: Comparison) -> ReportSection:
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
        "By how much the first predicts better than the second. In 95 of 100 draws of events the difference lay between"
        " low and high; players low and high say the same if players are what differs. Of many comparisons some look"
        " sure by chance: all joint intervals together hold in 95 of 100 draws, and a line that reaches 0 is a"
        " difference that chance can explain. Raw: the same difference with the printed expectancy; below 0, the"
        " verdict is the other way round."
    )
    return ReportSection("Differences", words, (picture,), frame)


def _turned(pair: PairDifference, turned: bool) -> dict[str, float]:
    """Return the difference and its intervals, from the side of the better one."""
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


def _classes(classes: pl.DataFrame) -> ReportSection:
    shown = classes.filter(pl.col("players") >= FEWEST)
    pictures = []
    for (name,), part in shown.group_by("rules", maintain_order=True):
        lines = part.with_columns(system=pl.col("class").cast(pl.String) + "+")
        names = sorted(lines["system"].unique(), key=lambda text: int(text[:-1]))
        names = names[:: 1 + len(names) // (len(charts.COLOURS) + 1)]
        lines = lines.filter(pl.col("system").is_in(names))
        pictures.append(
            charts.lines(
                lines,
                "year",
                "difference",
                names,
                f"{name}: points above the actual rating",
                across="year",
                up="points",
            )
        )
    words = (
        "Established players active in a year, by their class under the actual rules: how many points a reform has them"
        " higher. What grows from year to year is inflation, what falls deflation. Of many classes every second is"
        " drawn."
    )
    if shown.is_empty():
        words += f" No class has {FEWEST} players in a year, so chance is much of it, and nothing is drawn."
    return ReportSection(CLASSES, words, tuple(pictures), classes if shown.is_empty() else shown)


def _floors(floors: pl.DataFrame, names: Sequence[str]) -> ReportSection:
    lines = floors.filter(pl.col("on_floor").is_not_null()).with_columns(
        system=pl.col("rules"), per_cent=100 * pl.col("on_floor")
    )
    picture = charts.lines(lines, "year", "per_cent", names, "On a floor", across="year", up="per cent", zero=True)
    return ReportSection(FLOORS, FLOORS_IN_WORDS, (picture,), floors)


def _newcomers(newcomers: pl.DataFrame, names: Sequence[str]) -> ReportSection:
    lines = newcomers.with_columns(system=pl.col("rules"))
    picture = charts.lines(lines, "event", "rating", names, "Newcomers", across="events played", up="mean rating")
    words = "The mean rating of players who came without one, after so many events; the same players throughout."
    return ReportSection(NEWCOMERS, words, (picture,), newcomers)


def _changes(found: Comparison) -> ReportSection:
    rows = [
        (reform.title, one.rule, one.becomes, one.instead_in_words(), str(one.since))
        for reform in found.reforms
        for one in found.replaced(reform)
    ]
    columns = ["rules", "rule", "becomes", "instead_of", "from"]
    words = "What the reforms say, and what the rulebook says instead over the replayed time."
    return ReportSection("What changes", words, (), pl.DataFrame(rows, columns, orient="row"))


def _values(reform: Reform) -> str:
    """Return the changed fields with their new values, so that a reader can write the file again."""
    fields = [f"{rule}.{field} = {value}" for rule, fields in reform.changes.items() for field, value in fields.items()]
    return f"{reform.title}: {', '.join(fields)} ({reform.system})"
