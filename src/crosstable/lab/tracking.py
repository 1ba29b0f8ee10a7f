"""Does a system find the truth? On a simulation: prediction, how near and how soon, drift, farming, and an isolated
pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.backtest import Backtest, Entry, Progress, backtest
from crosstable.lab.games import Array, LabGames
from crosstable.lab.predictors import Predictor, predictor
from crosstable.lab.predictors.systems import keeps_every_rating, replayable, replayed
from crosstable.lab.predictors.us_chess import replayed_ratings
from crosstable.lab.reform_tables import pool_rows
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import Simulation, simulate
from crosstable.lab.source import Source
from crosstable.lab.table_source import federation_of
from crosstable.replay.arrays import Floats
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.pools import MAIN

TRUTH = "truth"
#: Events that a player has behind them
SOON = ((1, 2), (3, 5), (6, 10), (11, 20), (21, 10_000))


@dataclass(frozen=True, slots=True)
class Tracking:
    """What came out, system by system."""

    simulation: Simulation
    backtest: Backtest
    years: pl.DataFrame  # how near at the end of each year, and the drift of adults from 30 to 50
    soon: pl.DataFrame  # the error by events played
    groups: pl.DataFrame  # sandbaggers and the isolated pool: rating less strength

    def as_json(self) -> dict[str, Any]:
        return self.backtest.as_json() | {name: getattr(self, name).to_dicts() for name in ("years", "soon", "groups")}


def source_of(simulation: Simulation) -> Source:
    """Systems that open players by their age, as US Chess does, know it here too."""
    games = simulation.games
    born = simulation.people.born[games.ids]
    return Source("simulation", games, MAIN, lambda: federation_of(games, birth_days=born))


def track(
    setting: SimulationSetting,
    systems: Sequence[str],
    *,
    samples: int = 200,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tracking:
    """Simulate, rate with every system, and compare with the truth; the first two years only warm up."""
    if not systems:
        raise CrosstableError("there is nothing to compare: name at least one system")
    if wrong := [name for name in systems if name not in replayable()]:
        raise CrosstableError(f"{', '.join(wrong)}: only {', '.join(replayable())} can be compared with the truth")
    simulation = simulate(setting)
    source = source_of(simulation)
    true = Predictor(TRUTH, "The strengths themselves", lambda given, _: _true(simulation, given.games))
    entries = [
        Entry(predictor("constant")),
        *(Entry(predictor(name)) for name in systems),
        Entry(true),
    ]
    warm = date(setting.first.year + min(2, setting.years // 2), 1, 1)
    scored = backtest(source, entries, warm, samples=samples, seed=setting.seed, threads=threads, progress=progress)
    days = [date(setting.first.year + year, 12, 31) for year in range(setting.years)]
    ratings = {name: _at(source, name, days) for name in systems}
    return Tracking(
        simulation,
        scored,
        years=_years(simulation, ratings, days),
        soon=_soon(simulation, ratings, days[-1]),
        groups=_groups(simulation, ratings, days),
    )


def _true(simulation: Simulation, games: LabGames) -> Floats:
    """Return the true expected scores of the simulation's first games, in whatever order they are given."""
    found = np.empty(len(games))
    found[_order(games)] = simulation.expected[_order(simulation.games)][: len(games)]
    return found


def _order(games: LabGames) -> Array:
    return np.lexsort((games.two, games.one, games.round, games.event))


def _at(source: Source, name: str, days: Sequence[date]) -> list[Floats]:
    """Return every player's rating at the end of each year, NaN before the first game."""
    if keeps_every_rating(name):
        rows = pool_rows(source, replayed_ratings(source))
        return [_last(source, rows.filter(pl.col("day") <= day)) for day in days]
    found = []
    for day in days:
        part = source.until(day)
        rating = replayed(name, part, rulebook(name)).rating
        found.append(np.where(_events(part) > 0, rating, np.nan))
    return found


def _last(source: Source, rows: pl.DataFrame) -> Floats:
    found = np.full(source.games.players, np.nan)
    last = rows.group_by("player").agg(pl.col("post").last())
    found[np.searchsorted(source.games.ids, last["player"].to_numpy())] = last["post"].to_numpy()
    return found


def _events(source: Source) -> Array:
    """How many events each player has played."""
    games = source.games
    keys = np.unique(np.concatenate([games.event * games.players + side for side in (games.one, games.two)]))
    return np.bincount(keys % games.players, minlength=games.players)


def _error(simulation: Simulation, ratings: Floats, day: date) -> tuple[Floats, Array]:
    """Rating less strength, and who was there that year."""
    games = simulation.games
    first = date(day.year, 1, 1).toordinal()
    here = (games.day >= first) & (games.day <= day.toordinal())
    active = np.zeros(games.players, bool)
    active[games.one[here]] = active[games.two[here]] = True
    strength = simulation.strength_on(day.toordinal())[games.ids]
    return ratings - strength, active & ~np.isnan(ratings)


def _years(simulation: Simulation, ratings: dict[str, list[Floats]], days: Sequence[date]) -> pl.DataFrame:
    born = simulation.people.born[simulation.games.ids]
    plain = ~simulation.people.sandbagger[simulation.games.ids] & ~simulation.people.isolated[simulation.games.ids]
    rows = []
    for name, found in ratings.items():
        for day, rating in zip(days, found, strict=True):
            error, active = _error(simulation, rating, day)
            seen = active & plain
            age = (day.toordinal() - born) / 365.25
            adults = seen & (age >= 30) & (age < 50)
            centred = error[seen] - error[seen].mean()
            strength = (rating - error)[seen]
            agreement = np.corrcoef(rating[seen], strength)[0, 1]
            rows.append(
                (
                    name,
                    day.year,
                    int(seen.sum()),
                    error[seen].mean(),
                    np.sqrt((centred**2).mean()),
                    agreement,
                    error[adults].mean(),
                )
            )
    columns = ["system", "year", "players", "mean_error", "spread_of_error", "correlation", "adults_mean_error"]
    return pl.DataFrame(rows, columns, orient="row")


def _soon(simulation: Simulation, ratings: dict[str, list[Floats]], day: date) -> pl.DataFrame:
    events = _events(source_of(simulation))
    rows = []
    for name, found in ratings.items():
        error, active = _error(simulation, found[-1], day)
        centre = error[active & (events > SOON[-2][1])].mean()
        for low, high in SOON:
            seen = active & (events >= low) & (events <= high)
            if seen.any():
                label = f"{low} to {high}" if high < 10_000 else f"{low} and more"
                rows.append((name, label, int(seen.sum()), float(np.abs(error[seen] - centre).mean())))
    return pl.DataFrame(rows, ["system", "events", "players", "mean_distance"], orient="row")


def _groups(simulation: Simulation, ratings: dict[str, list[Floats]], days: Sequence[date]) -> pl.DataFrame:
    people, ids = simulation.people, simulation.games.ids
    rows = []
    for name, found in ratings.items():
        for day, rating in zip(days, found, strict=True):
            error, active = _error(simulation, rating, day)
            usual = active & ~people.sandbagger[ids] & ~people.isolated[ids]
            for label, group in (("sandbaggers", people.sandbagger[ids]), ("isolated pool", people.isolated[ids])):
                if (seen := active & group).any():
                    away = error[seen].mean() - error[usual].mean()
                    rows.append((name, label, day.year, int(seen.sum()), rating[seen].mean(), away))
    columns = ["system", "group", "year", "players", "mean_rating", "away_from_truth"]
    schema = dict(zip(columns, (pl.String, pl.String, pl.Int64, pl.Int64, pl.Float64, pl.Float64), strict=True))
    return pl.DataFrame(rows, schema, orient="row")
