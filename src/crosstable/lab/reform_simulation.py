"""Does a reform find true strengths sooner? Made-up federations, one for each seed, rated under the actual rules and
reforms.

The same people play the same games under every set of rules, so seeds are compared in pairs: what a reform changes
within one federation does not carry the chance of who was born into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.executors import Threads
from crosstable.lab.predictors.us_chess import replayed_ratings
from crosstable.lab.record import EPOCH
from crosstable.lab.reform import ACTUAL
from crosstable.lab.reform_tables import STATIONS, pool_rows
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import Simulation, simulate
from crosstable.lab.tracking import source_of
from crosstable.replay.rules import RuleTable, table_of
from crosstable.rulebook import rulebook
from crosstable.rulebook.reform import Reform
from crosstable.systems.us_chess.coefficients import provisional_games

#: What is measured, of each federation
DISTANCE, LEVEL, NEWCOMER = "distance", "level", "newcomer"
#: 95 % of Student's distribution with 1, 2, … degrees of freedom; more: the normal one
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
NORMAL = 1.960
SYSTEM = "us_chess"


@dataclass(frozen=True, slots=True)
class Recovery:
    """How far ratings lie from the truth, under each set of rules.

    `years`: by year; `newcomers`: after so many events of players who came without a rating. Each figure has the mean
    over the seeds, and what a reform changes with its 95 % interval (null with one seed). Distances are mean absolute
    ones, once the mean error of established players is taken out; `level` is that mean error.
    """

    setting: SimulationSetting
    seeds: tuple[int, ...]
    names: tuple[str, ...]
    games: int
    years: pl.DataFrame
    newcomers: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        return {
            "seeds": list(self.seeds),
            "games": self.games,
            "rules": list(self.names),
            "years": self.years.to_dicts(),
            "newcomers": self.newcomers.to_dicts(),
        }


def recovery(
    setting: SimulationSetting,
    reforms: Sequence[Reform],
    seeds: int = 5,
    *,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Recovery:
    """Simulate one federation for each seed from the setting's own on, and rate it under every set of rules."""
    if wrong := sorted({reform.system for reform in reforms} - {SYSTEM}):
        raise CrosstableError(f"reforms of {', '.join(wrong)}: only reforms of {SYSTEM} can be simulated")
    names = [ACTUAL, *(reform.title for reform in reforms)]
    if len(set(names)) != len(names):
        raise CrosstableError("two reforms have one title: give each its own")
    tables = {ACTUAL: table_of(rulebook(SYSTEM))} | {one.title: table_of(one.apply()) for one in reforms}
    chosen = tuple(range(setting.seed, setting.seed + seeds))
    parts, games = [], 0
    for done, seed in enumerate(chosen, start=1):
        played, found = _rated(replace(setting, seed=seed), tables, threads)
        games += played
        parts += [(seed, *one) for one in found]
        if progress is not None:
            progress(done, len(chosen))
    every = pl.DataFrame(parts, ["seed", "rules", "what", "at", "players", "value"], orient="row")
    return Recovery(
        setting=setting,
        seeds=chosen,
        names=tuple(names),
        games=games,
        years=_over_seeds(every.filter(pl.col("what").is_in([DISTANCE, LEVEL])), names, "year"),
        newcomers=_over_seeds(every.filter(pl.col("what") == NEWCOMER), names, "events"),
    )


def _rated(
    setting: SimulationSetting, tables: Mapping[str, RuleTable], threads: int | None
) -> tuple[int, list[tuple[str, str, int, int, float]]]:
    """One federation under every set of rules: its games, and (rules, what, year or events, players, value)."""
    simulation = simulate(setting)
    source = source_of(simulation)
    source.federation  # noqa: B018 - built once, before the threads ask for it

    def run(name: str) -> list[tuple[str, str, int, int, float]]:
        rows = pool_rows(source, replayed_ratings(source, tables[name]))
        return [(name, *one) for one in _measured(simulation, rows)]

    with Threads(threads) as pool:
        found = [one for part in pool.map(run, tables) for one in part]
    return len(simulation.games), found


def _measured(simulation: Simulation, rows: pl.DataFrame) -> Iterator[tuple[str, int, int, float]]:
    """Yield what one federation shows under one set of rules: (what, year or events, players, value)."""
    ids = rows["player"].to_numpy().astype(np.int64)
    day = rows["day"].to_numpy().astype("datetime64[D]").astype(np.int64) + EPOCH
    week = np.clip((day - simulation.setting.first.toordinal()) // 7, 0, len(simulation.people.strength) - 1)
    usual = ~(simulation.people.sandbagger | simulation.people.isolated)[ids]
    error = rows["post"].to_numpy() - simulation.people.strength[week, ids]
    frame = rows.select("player", "year", "games", "newcomer").with_columns(
        error=error, usual=pl.Series(usual & ~np.isnan(error))
    )
    frame = frame.with_columns(event=pl.int_range(1, pl.len() + 1).over("player")).filter("usual")
    settled = frame.filter(pl.col("games") > provisional_games())
    level = settled.group_by("year").agg(pl.col("error").mean().alias("level")).sort("year")
    last = settled.group_by("player", "year", maintain_order=True).agg(pl.col("error").last()).join(level, on="year")
    away = (pl.col("error") - pl.col("level")).abs().mean()
    for row in last.group_by("year").agg(pl.len(), away.alias("away"), pl.col("level").first()).sort("year").rows():
        year, players, distance, mean = row
        yield DISTANCE, year, players, distance
        yield LEVEL, year, players, mean
    # in the first year everyone is new, and ratings have nothing to hold on to
    later = pl.col("year") > simulation.setting.first.year if simulation.setting.years > 1 else pl.lit(value=True)
    came = frame.filter((pl.col("event") == 1) & pl.col("newcomer") & later).select("player")
    path = frame.filter(pl.col("event").is_in(list(STATIONS))).join(came, on="player").join(level, on="year")
    for events, players, distance in path.group_by("event").agg(pl.len(), away.alias("away")).sort("event").rows():
        yield NEWCOMER, events, players, distance


def _over_seeds(every: pl.DataFrame, names: Sequence[str], at: str) -> pl.DataFrame:
    """Return the mean of each figure over the seeds, and its change from the actual rules with an interval,
    seed by seed.
    """
    wide: dict[tuple[str, int, str], Mapping[int, tuple[int, float]]] = {}
    for (rules, what, place), part in every.group_by("rules", "what", "at"):
        figures = zip(part["seed"], part["players"], part["value"], strict=True)
        wide[str(what), int(str(place)), str(rules)] = {seed: (players, value) for seed, players, value in figures}
    rows = []
    for what, place in sorted({key[:2] for key in wide}):
        base = wide.get((what, place, ACTUAL), {})
        for name in names:
            here = wide.get((what, place, name), {})
            if not here:
                continue
            changes = [value - base[seed][1] for seed, (_, value) in here.items() if seed in base]
            players = sum(count for count, _ in here.values())
            mean = float(np.mean([value for _, value in here.values()]))
            rows.append((name, what, place, players, mean, *(interval(changes) if name != ACTUAL else (None,) * 3)))
    kinds = (pl.String, pl.String, pl.Int64, pl.Int64, *[pl.Float64] * 4)
    columns = ("rules", "what", at, "players", "points", "change", "low", "high")
    return pl.DataFrame(rows, dict(zip(columns, kinds, strict=True)), orient="row")


def interval(values: Sequence[float]) -> tuple[float | None, float | None, float | None]:
    """Return the mean of a few numbers, and Student's 95 % interval; None for the ends of a single one."""
    if not values:
        return None, None, None
    mean = float(np.mean(values))
    if len(values) < 2:
        return mean, None, None
    reach = STUDENT[len(values) - 2] if len(values) - 2 < len(STUDENT) else NORMAL
    error = reach * float(np.std(values, ddof=1)) / float(np.sqrt(len(values)))
    return mean, mean - error, mean + error
