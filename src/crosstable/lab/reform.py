"""What a rule change would do: the whole history replayed under the actual rules and under reforms, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.backtest import cautions
from crosstable.lab.bootstrap import Clusters, PairDifference, paired
from crosstable.lab.cautions import Caution
from crosstable.lab.executors import Threads
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.predictors.systems import RUNS, keeps_every_rating, replayable, replayed
from crosstable.lab.predictors.us_chess import provisional_before, ratings_before, replayed_ratings
from crosstable.lab.recalibration import TERMS, FittedTerms, first_origin, recalibrated
from crosstable.lab.reform_effects import distribution, inflation, moved
from crosstable.lab.reform_groups import prediction_by_group, prediction_by_year
from crosstable.lab.reform_tables import by_class, floors, movers, newcomers, pool_rows
from crosstable.lab.source import Source
from crosstable.replay.arrays import Flags, Floats
from crosstable.replay.rules import deciding_days, table_of
from crosstable.replay.scores import game_deviance, scores
from crosstable.rulebook import AS_WRITTEN, Rulebook, rulebook
from crosstable.rulebook.reform import Reform, read_reform
from crosstable.rulebook.replaced import Replaced, replaced

ACTUAL = "actual"


@dataclass(frozen=True, slots=True)
class Scores:
    """How well each set of rules predicts, and every difference in deviance."""

    rows: tuple[dict[str, Any], ...]
    pairs: tuple[PairDifference, ...]

    @property
    def deviance(self) -> dict[str, float]:
        return {row["rules"]: row["deviance"] for row in self.rows}

    def behind_actual(self, name: str) -> PairDifference:
        """Return the actual rules minus a reform: above 0, the reform predicts better."""
        return next(pair for pair in self.pairs if pair.a == ACTUAL and pair.b == name)


@dataclass(frozen=True, slots=True)
class ReformQuestion:
    """What is replayed and scored: which games under which rules."""

    source: Source
    reforms: tuple[Reform, ...]
    books: Mapping[str, Rulebook]
    window: Flags
    since: date | None
    samples: int
    seed: int
    threads: int | None
    terms: tuple[str, ...] = TERMS
    begins: date | None = None  # the first day on which every reform is in force; None: all of them always are


@dataclass(frozen=True, slots=True)
class Comparison:
    """Reforms beside the actual rules. Only US Chess has classes, floors and newcomers of its own.

    `raw` scores the expected scores as the rules give them. `recalibrated` scores the same predictions with a slope, a
    provisional term and White's advantage fitted before the window, for each set of rules its own: the verdict is its.
    None: there are too few games before the window.
    """

    question: ReformQuestion
    raw: Scores
    recalibrated: Scores | None
    fits: Mapping[str, tuple[FittedTerms, ...]]
    years: pl.DataFrame  # what each reform gains in each year of the window
    movers: pl.DataFrame
    effects: Mapping[str, pl.DataFrame] = field(default_factory=dict)  # of a system that keeps every rating, by name

    @property
    def source(self) -> Source:
        return self.question.source

    @property
    def reforms(self) -> tuple[Reform, ...]:
        return self.question.reforms

    @property
    def window(self) -> Flags:
        return self.question.window

    @property
    def cautions(self) -> tuple[Caution, ...]:
        return cautions(self.source, self.window)

    @property
    def headline(self) -> Scores:
        return self.recalibrated or self.raw

    @property
    def names(self) -> list[str]:
        return [ACTUAL, *(reform.title for reform in self.reforms)]

    def replaced(self, reform: Reform) -> list[Replaced]:
        """Return what a reform changes in the replayed time, and what is the rule instead."""
        return replaced(reform, *_days(self.source))

    @property
    def unchanged(self) -> list[str]:
        """The reforms that say what is already the rule in the replayed time, and so move no rating."""
        deviance = self.raw.deviance
        return [
            reform.title
            for reform in self.reforms
            if deviance[reform.title] == deviance[ACTUAL] and not any(one.differs for one in self.replaced(reform))
        ]

    def nothing_changes(self, title: str) -> str:
        first, last = _days(self.source)
        (reform,) = (one for one in self.reforms if one.title == title)
        first = max(first, min(one.since for one in self.replaced(reform)))
        return f"{title}: this is already the rule in those years ({first} to {last}): nothing changes"

    @property
    def tables(self) -> dict[str, pl.DataFrame]:
        """What there is of them, by name."""
        return {"years": self.years, **self.effects, "movers": self.movers}

    def as_json(self) -> dict[str, Any]:
        return {
            "reforms": self.names[1:],
            "unchanged": self.unchanged,
            "games": int(self.window.sum()),
            "rows": list(self.raw.rows),
            "pairs": [asdict(pair) for pair in self.raw.pairs],
            "recalibrated": self._recalibrated_as_json(),
            "cautions": [one.as_json() for one in self.cautions],
        } | {name: table.to_dicts() for name, table in self.tables.items()}

    def _recalibrated_as_json(self) -> dict[str, Any] | None:
        if self.recalibrated is None:
            return None
        return {
            "rows": list(self.recalibrated.rows),
            "pairs": [asdict(pair) for pair in self.recalibrated.pairs],
            "fits": {name: [fit.as_json() for fit in fits] for name, fits in self.fits.items()},
        }


def find_reform(name: str) -> Reform:
    """Find a reform: a file, or one of those that come with the lab (no-bonus, no-floors)."""
    if Path(name).suffix == ".toml" or Path(name).exists():
        return read_reform(Path(name))
    folder = files("crosstable.lab") / "reforms"
    known = sorted(item.name.removesuffix(".toml") for item in folder.iterdir() if item.name.endswith(".toml"))
    if name not in known:
        raise CrosstableError(f"no reform '{name}': give a .toml file, or one of {', '.join(known)}")
    return read_reform(Path(str(folder / f"{name}.toml")))


def compare(
    source: Source,
    reforms: Sequence[Reform],
    since: date | None = None,
    until: date | None = None,
    *,
    samples: int = 500,
    seed: int = 1,
    threads: int | None = None,
    terms: Sequence[str] = TERMS,
) -> Comparison:
    """Replay the history under every reform, and score the predictions in the window.

    Without `since` the window begins on the first 1 January by which all reforms have been in force for games enough to
    recalibrate the predictions.
    """
    systems = {reform.system for reform in reforms}
    titles = [reform.title for reform in reforms]
    if len(systems) != 1:
        raise CrosstableError(f"reforms of {', '.join(sorted(systems))}: compare reforms of one system")
    if len({ACTUAL, *titles}) != len(titles) + 1:
        raise CrosstableError("two reforms have one title: give each its own")
    if until is not None:
        source = source.until(until)
    _refuse_late(source, reforms)
    (system,) = systems
    begins = _in_force(reforms)
    since = since or first_origin(source.games, begins)
    question = ReformQuestion(
        source=source,
        reforms=tuple(reforms),
        books={ACTUAL: rulebook(system)} | {reform.title: reform.apply() for reform in reforms},
        window=source.games.window(since, until),
        since=since,
        samples=samples,
        seed=seed,
        threads=threads,
        terms=tuple(terms),
        begins=begins,
    )
    return _every_rating(question) if keeps_every_rating(system) else _last_ratings(question)


def _in_force(reforms: Sequence[Reform]) -> date | None:
    """Return the first day on which each reform has changed a rule."""
    first = [min(reform.begins(rule) or date.min for rule in reform.changes) for reform in reforms]
    return None if max(first) == date.min else max(first)


def _days(source: Source) -> tuple[date, date]:
    """Return the days of the first and the last game."""
    day = source.games.day
    return date.fromordinal(int(day.min())), date.fromordinal(int(day.max()))


def _refuse_late(source: Source, reforms: Sequence[Reform]) -> None:
    """Refuse a reform that begins after the last game: its report would be all zeros."""
    if not len(source.games):
        return  # the window says so
    last = _days(source)[1]
    for reform in reforms:
        begins = [reform.begins(rule) for rule in reform.changes]
        if all(day is not None and day > last for day in begins):
            first = min(day for day in begins if day is not None)
            raise CrosstableError(
                f"{reform.title} begins on {first}, after the last game of {last}: it would change nothing; "
                "give it an earlier day"
            )


def _every_rating(asked: ReformQuestion) -> Comparison:
    """Compare by a system whose compiled replay keeps every rating.

    Players open with their first published rating, where the source has it, so that no one starts from nothing.
    """
    source = asked.source
    opening = source.games.has_ratings
    source.federation  # noqa: B018 - read once, before the threads ask for it

    def run(book: Rulebook) -> Any:
        return replayed_ratings(source, table_of(book), opening)

    with Threads(asked.threads) as pool:
        found = dict(zip(asked.books, pool.map(run, asked.books.values()), strict=True))
    before = {name: ratings_before(source, one) for name, one in found.items()}
    scored = _scored(asked, {name: expected_scores(source, one, asked.books[name]) for name, one in before.items()})
    rows = {name: pool_rows(source, one) for name, one in found.items()}
    standing = provisional_before(source, found[ACTUAL])
    effects = {
        "inflation": inflation(rows),
        "moved": moved(rows),
        "distribution": distribution(rows),
        "groups": prediction_by_group(source, asked.window, scored.expected, before[ACTUAL], standing),
        "classes": by_class(rows),
        "floors": floors(rows),
        "newcomers": newcomers(rows),
    }
    last = {name: one.group_by("player").agg(pl.col("post").last()) for name, one in rows.items()}
    return _comparison(asked, scored, movers(last), effects)


def _last_ratings(asked: ReformQuestion) -> Comparison:
    """Compare by a system whose replay knows predictions and ratings at the end."""
    source, system = asked.source, asked.reforms[0].system
    if system not in RUNS:
        raise CrosstableError(f"reforms of {system} cannot be replayed: only {', '.join(replayable())}")
    with Threads(asked.threads) as pool:
        runs = pool.map(lambda book: replayed(system, source, book), asked.books.values())
        played = dict(zip(asked.books, runs, strict=True))
    last = {name: pl.DataFrame({"player": source.games.ids, "post": one.rating}) for name, one in played.items()}
    predictions = {name: one.predictions for name, one in played.items()}
    return _comparison(asked, _scored(asked, predictions), movers(last), {})


def expected_scores(source: Source, before: Floats, book: Rulebook) -> Floats:
    """Return the expectancy of the ratings before each game, with the scale that the rulebook has for its event."""
    difference = before[:, 0] - before[:, 1]
    scale = _scales(source, book)[source.games.event]
    return logistic(np.where(np.isnan(difference), 0.0, difference / scale), 1.0)


def _scales(source: Source, book: Rulebook) -> Floats:
    """Return the scale of the standard formula (2025 §4.2) for each of the lab's events."""
    federation, values = source.federation, book.rules["standard"].timeline(AS_WRITTEN)
    since = np.array([value.since.toordinal() for value in values])
    place = np.searchsorted(since, deciding_days(federation.history.sections, AS_WRITTEN), side="right") - 1
    found = np.full(int(source.games.event.max()) + 1, float(values[-1]["scale"]))
    here = (federation.event >= 0) & (federation.event < len(found))
    found[federation.event[here]] = np.array([float(value["scale"]) for value in values])[place[here]]
    return found


@dataclass(frozen=True, slots=True)
class Scored:
    """The predictions as they are and recalibrated, and those that the verdict is on."""

    raw: Scores
    recalibrated: Scores | None
    fits: Mapping[str, tuple[FittedTerms, ...]]
    expected: Mapping[str, Floats]


def _scored(asked: ReformQuestion, expected: Mapping[str, Floats]) -> Scored:
    games = asked.source.games
    fitted = {
        name: recalibrated(games, one, asked.window, asked.since, asked.terms, asked.begins)
        for name, one in expected.items()
    }
    known = {name: one for name, one in fitted.items() if one is not None}
    after = {name: one.expected for name, one in known.items()}
    fits = {name: one.fits for name, one in known.items()}
    return Scored(_scores(asked, expected), _scores(asked, after) if after else None, fits, after or expected)


def _comparison(
    asked: ReformQuestion, scored: Scored, most: pl.DataFrame, effects: Mapping[str, pl.DataFrame]
) -> Comparison:
    years = prediction_by_year(asked.source.games, asked.window, scored.expected)
    return Comparison(asked, scored.raw, scored.recalibrated, scored.fits, years, most, effects)


def _scores(asked: ReformQuestion, expected: Mapping[str, Floats]) -> Scores:
    window, games = asked.window, asked.source.games
    result = games.score[window]
    rows = tuple({"rules": name} | scores(found[window], result) for name, found in expected.items())
    losses = {name: game_deviance(found[window], result) for name, found in expected.items()}
    return Scores(rows, tuple(paired(losses, Clusters.of(games, window), asked.samples, asked.seed)))
