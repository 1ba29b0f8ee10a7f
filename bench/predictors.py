"""The figures of docs/predictors.md: tunes, scores one year once, and writes the tables into the page.

usage: predictors.py SOURCE [--boosted FILE] [--only PART] [--page FILE] [--studies DIR] [--trials N] [--local N]
                     [--first YEAR] [--year YEAR] [--samples N]

`--boosted` is what bench/boosted.py writes: the yardstick. `--only scores` tunes the mark alone and writes the tables
of results; `--only terms` writes the ablations. Everything is tuned on the years before --year (the mark on the last
of them alone) and scored on --year. A table of the page stands between `<!-- figures: NAME -->` and
`<!-- end of figures -->`; only those are written. Tunings are stored as studies, so a run that was stopped goes on. On
the published record it takes about ten minutes of processor time.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from crosstable.lab import calibration
from crosstable.lab.backtest import Backtest, Entry, backtest
from crosstable.lab.own import table_predictor
from crosstable.lab.predictors import predictor
from crosstable.lab.source import Source, read_source
from crosstable.lab.tune import Search, Tuned, TuningTask, tune

PAGE = Path(__file__).resolve().parents[1] / "docs" / "predictors.md"
MARK, TUNED = "the mark", "{}, tuned"
FOUND = ("tempered", "live", "informed")
BOOSTED = "boosted"
#: The differences that the page's text speaks of
COMPARED = (
    *((MARK, name) for name in FOUND),
    *((TUNED.format(name), "tempered") for name in ("published", "stephenson", "glicko2")),
    ("tempered", "live"),
    ("tempered", "informed"),
    ("tempered", BOOSTED),
    ("informed", BOOSTED),
)


@dataclass(frozen=True, slots=True)
class Study:
    """One tuning: a line of the page's table."""

    label: str
    system: str
    fixed: Mapping[str, float] = field(default_factory=dict)
    only: Sequence[str] = ()
    last_year_only: bool = False


OPENED = {"opening": 1.0}
STUDIES = (
    Study(MARK, "published", last_year_only=True),
    Study("published, tuned", "published"),
    Study("tempered, tuned", "tempered"),
    Study("live, tuned", "live"),
    Study("stephenson, tuned", "stephenson", {**OPENED, "start.rating": 800.0, "start.deviation": 300.0}),
    Study("glicko2, tuned", "glicko2", OPENED),
    Study("glicko, tuned", "glicko", OPENED),
    Study("elo, tuned", "elo", OPENED),
)
#: A term is taken away, and what stands for it is tuned anew
WITHOUT: Mapping[str, Mapping[str, Mapping[str, float]]] = {
    "tempered": {
        "the floor": {"floor": 0.0},
        "the knot": {"below": 1.0},
        "White's points": {"white": 0.0},
        "a wider deviation for provisionals": {"provisional": 60.0},
    },
    "informed": {
        "surprises": {"surprise": 0.0},
        "the change taken back": {"recent": 0.0},
        "opponents": {"pull": 0.0},
        "less for few games": {"young": 0.0},
        "more at the bottom": {"lowest": 0.73},
    },
}
ANEW, STEPS = ("slope", "established"), 25
AS_PRINTED = ("constant", "white", "published", "us_chess", "elo", "glicko", "glicko2", "stephenson", "glicko_boost")


@dataclass(frozen=True, slots=True)
class Years:
    """Where the page tunes and where it scores."""

    first: int
    scored: int

    def tuning(self, study: Study) -> tuple[date, date]:
        return date(self.scored - 1 if study.last_year_only else self.first, 1, 1), date(self.scored - 1, 12, 31)


def tuned(source: str, study: Study, window: tuple[date, date], args: argparse.Namespace) -> Tuned:
    """A study of the page, kept in its own file."""
    name = re.sub(r"[^a-z0-9]+", "-", f"{study.label} {window[0].year} {window[1].year}".lower()).strip("-")
    args.studies.mkdir(parents=True, exist_ok=True)
    search = Search(
        trials=args.trials if not study.only else 1,
        local=min(args.local, STEPS) if study.only else args.local,
        only=study.only,
        fixed=study.fixed,
        study=args.studies / f"{name}.jsonl",
    )
    found = tune(TuningTask(source, "OTBR", study.system, *window), search)
    print(f"{study.label}, {window[0]} to {window[1]}: {found.deviance:.5f} {dict(found.parameters)}", flush=True)
    return found


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [" | ".join(map(str, row)) for row in (columns, ["---"] * len(columns), *rows)]
    return "\n".join(f"| {line} |" for line in lines)


def figure(value: float) -> str:
    return f"{value:.5f}".replace("-", "−")


def data(source: Source, found: Backtest, years: Years) -> str:
    games = source.games
    rows = [
        ("games", f"{len(games):,}"),
        ("players", f"{games.players:,}"),
        ("games between rated players", f"{int(games.rated.sum()):,}"),
        (f"of them scored, in {years.scored}", f"{int(found.window.sum()):,}"),
        (f"with known colours in {years.scored}", f"{int((found.window & games.white).sum()):,}"),
    ]
    return table(("the record", ""), rows)


def result(found: Backtest) -> str:
    known = {row["system"]: row["deviance"] for row in found.known.rows}
    rows = [
        (
            row["system"],
            figure(row["deviance"]),
            figure(known[row["system"]]),
            figure(row["log_loss"]),
            figure(row["brier"]),
            f"{row['accuracy']:.4f}",
        )
        for row in sorted(found.rows, key=lambda row: float(row["deviance"]))
    ]
    return table(("predictor", "deviance", "known when the event began", "log loss", "Brier", "accuracy"), rows)


def differences(found: Backtest) -> str:
    rows = []
    for first, second in COMPARED:
        for pair in found.pairs:
            if {pair.a, pair.b} == {first, second}:
                sign = 1 if pair.a == first else -1
                ends = [
                    sorted((sign * low, sign * high))
                    for low, high in ((pair.low, pair.high), (pair.players_low, pair.players_high))
                ]
                between = [f"{figure(low)} to {figure(high)}" for low, high in ends]
                rows.append((f"{first} − {second}", figure(sign * pair.difference), *between))
    return table(("difference in deviance", "mean", "95 % of resampled events", "95 % of players"), rows)


def yardstick(found: Backtest) -> str:
    """How much of what boosted trees gain over `tempered` each predictor gains."""
    deviance = {row["system"]: float(row["deviance"]) for row in found.rows}
    most = deviance["tempered"] - deviance[BOOSTED]
    rows = [
        (name, figure(deviance["tempered"] - deviance[name]), f"{(deviance['tempered'] - deviance[name]) / most:.0%}")
        for name in ("tempered", "informed", BOOSTED)
    ]
    return table(("predictor", "gain over `tempered`", "share of what the trees gain"), rows)


def parameters(found: Mapping[str, Tuned]) -> str:
    rows = []
    for label, one in found.items():
        values = ", ".join(f"{name} {value:.4g}" for name, value in one.parameters.items())
        before = "" if one.defaults is None else figure(one.defaults)
        rows.append((label, f"{one.since.year}–{one.until.year}", one.trials, figure(one.deviance), before, values))
    return table(("tuned", "years", "trials", "deviance there", "defaults there", "parameters"), rows)


def terms(source: str, years: Years, args: argparse.Namespace) -> str:
    """What each term is worth: without it, slope and deviation tuned on the years before the last, which is held
    out.
    """
    window = date(years.first, 1, 1), date(years.scored - 2, 12, 31)
    held = date(years.scored - 1, 1, 1), date(years.scored - 1, 12, 31)
    rows = []
    for system, without in WITHOUT.items():
        whole = TuningTask(source, "OTBR", system, *window).loss({}), TuningTask(source, "OTBR", system, *held).loss({})
        rows.append((f"`{system}`", *map(figure, whole)))
        for words, fixed in without.items():
            study = Study(f"{system} without {words}", system, fixed, ANEW)
            one = tuned(source, study, window, args)
            settings = {**one.parameters, **study.fixed}
            later = TuningTask(source, "OTBR", system, *held).loss(settings)
            rows.append((f"without {words}", figure(one.deviance), figure(later)))
    return table(("", f"{window[0].year}–{window[1].year}", str(held[0].year)), rows)


def bias(found: Backtest) -> str:
    rows = []
    for name in FOUND:
        groups = calibration.groups(found.source.games, found.window, found.expected(name))
        for row in groups.filter(groups["by"] != "rating").iter_rows(named=True):
            if row["n"] >= 1000 and row["group"] != "not known":
                figures = f"{row['bias']:+.3f} ± {row['plus_minus']:.3f}".replace("-", "−")
                rows.append((f"`{name}`", row["by"], row["group"], f"{row['n']:,}", figures))
    return table(("predictor", "by", "group", "games", "score minus expected"), rows)


def results(args: argparse.Namespace, years: Years, studies: Sequence[Study]) -> dict[str, str]:
    """Tune, score the year once, and return the tables of it."""
    found = {study.label: tuned(args.source, study, years.tuning(study), args) for study in studies}
    source, window = read_source(args.source), (date(args.year, 1, 1), date(args.year, 12, 31))
    entries = [
        *(Entry(predictor(name), {"opening": 1.0} if name == "us_chess" else {}) for name in (*AS_PRINTED, *FOUND)),
        *(one.entry(label) for label, one in found.items()),
        *([Entry(table_predictor(args.boosted, BOOSTED, *window))] if args.boosted else []),
    ]
    scored = backtest(source, entries, *window, samples=args.samples)
    tables = {
        "data": data(source, scored, years),
        "parameters": parameters(found),
        "result": result(scored),
        "differences": differences(scored),
        "bias": bias(scored),
    }
    return tables | ({"yardstick": yardstick(scored)} if args.boosted else {})


def written(page: str, tables: Mapping[str, str]) -> str:
    """The page with its tables replaced; a table without a place in the page is an error."""
    for name, text in tables.items():
        place = re.compile(rf"(<!-- figures: {name} -->\n).*?(\n<!-- end of figures -->)", re.DOTALL)
        if not place.search(page):
            raise SystemExit(f"the page has no place for the figures '{name}'")
        page = place.sub(lambda found, text=text: found[1] + text + found[2], page)
    return page


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("--boosted", type=Path)
    parser.add_argument("--only", choices=("scores", "terms"))
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--studies", type=Path, default=Path("predictor-studies"))
    parser.add_argument("--trials", type=int, default=12)
    parser.add_argument("--local", type=int, default=60)
    parser.add_argument("--first", type=int, default=2006)
    parser.add_argument("--year", type=int, default=2013)
    parser.add_argument("--samples", type=int, default=1000)
    args = parser.parse_args(argv)
    years = Years(args.first, args.year)
    tables = {} if args.only == "scores" else {"terms": terms(args.source, years, args)}
    if args.only != "terms":
        tables |= results(args, years, STUDIES[:1] if args.only == "scores" else STUDIES)
    args.page.write_text(written(args.page.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main()
