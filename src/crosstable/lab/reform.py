"""What a rule change would do: the whole history replayed under the actual rules and under reforms, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.bootstrap import Pair, paired
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.predictors.systems import RUNS, keeps_every_rating, replayable, replayed
from crosstable.lab.predictors.us_chess import ratings_before, replayed_ratings
from crosstable.lab.reform_tables import by_class, floors, movers, newcomers, pool_rows
from crosstable.lab.source import Source
from crosstable.replay.arrays import Flags, Floats
from crosstable.replay.rules import table_of
from crosstable.replay.scores import game_deviance, scores
from crosstable.rulebook import Rulebook, rulebook
from crosstable.rulebook.reform import Reform, read_reform
from crosstable.rulebook.replaced import Replaced, replaced

ACTUAL = "actual"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Reforms beside the actual rules. Only US Chess has classes, floors and newcomers of its own."""

    source: Source
    reforms: tuple[Reform, ...]
    window: Flags
    rows: tuple[dict[str, Any], ...]
    pairs: tuple[Pair, ...]
    movers: pl.DataFrame
    classes: pl.DataFrame | None = None
    floors: pl.DataFrame | None = None
    newcomers: pl.DataFrame | None = None

    @property
    def names(self) -> list[str]:
        return [ACTUAL, *(reform.title for reform in self.reforms)]

    def replaced(self, reform: Reform) -> list[Replaced]:
        """What a reform changes in the replayed time, and what is the rule instead."""
        return replaced(reform, *_days(self.source))

    @property
    def unchanged(self) -> list[str]:
        """The reforms that say what is already the rule in the replayed time, and so move no rating."""
        deviance = {row["rules"]: row["deviance"] for row in self.rows}
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
        found = {"classes": self.classes, "floors": self.floors, "newcomers": self.newcomers, "movers": self.movers}
        return {name: table for name, table in found.items() if table is not None}

    def as_json(self) -> dict[str, Any]:
        return {
            "reforms": self.names[1:],
            "unchanged": self.unchanged,
            "games": int(self.window.sum()),
            "rows": list(self.rows),
            "pairs": [asdict(pair) for pair in self.pairs],
        } | {name: table.to_dicts() for name, table in self.tables.items()}


def find_reform(name: str) -> Reform:
    """A file, or one of the reforms that come with the lab: no-bonus, no-floors."""
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
) -> Comparison:
    """Every reform replayed from the first game on; scored in the window."""
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
    books = {ACTUAL: rulebook(system)} | {reform.title: reform.apply() for reform in reforms}
    window = source.games.window(since, until)
    made = _every_rating if keeps_every_rating(system) else _last_ratings
    return made(source, tuple(reforms), books, window, samples, seed, threads)


def _days(source: Source) -> tuple[date, date]:
    """The days of the first and the last game."""
    day = source.games.day
    return date.fromordinal(int(day.min())), date.fromordinal(int(day.max()))


def _refuse_late(source: Source, reforms: Sequence[Reform]) -> None:
    """A reform that begins after the last game would be a report of zeros."""
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


def _every_rating(
    source: Source, reforms: tuple[Reform, ...], books: dict[str, Rulebook], window: Flags, samples: int, seed: int,
    threads: int | None,
) -> Comparison:  # fmt: skip
    """A system whose compiled replay keeps every rating. Players open with their first published rating, where the source has it, so that nobody starts from nothing."""
    opening = source.games.has_ratings
    source.federation  # noqa: B018 - read once, before the threads ask for it

    def run(book: Rulebook) -> Any:
        return replayed_ratings(source, table_of(book), opening)

    with ThreadPoolExecutor(max_workers=threads) as pool:
        found = dict(zip(books, pool.map(run, books.values()), strict=True))
    expected = {name: _expected(ratings_before(source, one)) for name, one in found.items()}
    rows = {name: pool_rows(source, one) for name, one in found.items()}
    scored, pairs = _scored(source, expected, window, samples, seed)
    return Comparison(
        source, reforms, window, scored, pairs,
        movers=movers({name: one.group_by("player").agg(pl.col("post").last()) for name, one in rows.items()}),
        classes=by_class(rows),
        floors=floors(rows),
        newcomers=newcomers(rows),
    )  # fmt: skip


def _last_ratings(
    source: Source, reforms: tuple[Reform, ...], books: dict[str, Rulebook], window: Flags, samples: int, seed: int,
    threads: int | None,
) -> Comparison:  # fmt: skip
    """A system whose replay knows predictions and ratings at the end."""
    system = reforms[0].system
    if system not in RUNS:
        raise CrosstableError(f"reforms of {system} cannot be replayed: only {', '.join(replayable())}")
    with ThreadPoolExecutor(max_workers=threads) as pool:
        played = dict(zip(books, pool.map(lambda book: replayed(system, source, book), books.values()), strict=True))
    scored, pairs = _scored(source, {name: one.predictions for name, one in played.items()}, window, samples, seed)
    last = {name: pl.DataFrame({"player": source.games.ids, "post": one.rating}) for name, one in played.items()}
    return Comparison(source, reforms, window, scored, pairs, movers(last))


def _expected(before: Floats) -> Floats:
    difference = before[:, 0] - before[:, 1]
    return logistic(np.where(np.isnan(difference), 0.0, difference))


def _scored(
    source: Source, expected: dict[str, Floats], window: Flags, samples: int, seed: int
) -> tuple[tuple[dict[str, Any], ...], tuple[Pair, ...]]:
    result = source.games.score[window]
    rows = tuple({"rules": name} | scores(found[window], result) for name, found in expected.items())
    losses = {name: game_deviance(found[window], result) for name, found in expected.items()}
    return rows, tuple(paired(losses, source.games.event[window], samples, seed))
