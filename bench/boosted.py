"""A yardstick for predictors: gradient-boosted trees (LightGBM) that know of each player what the record tells before
the day.

usage: boosted.py SOURCE OUT [--year YEAR] [--first YEAR] [--games N] [--rounds N] [--seed N]

The number of trees is chosen on the year before --year, training on the years before that; then the trees are grown
anew on all years before --year, and its games are predicted. OUT is a table for `lab backtest --predictions`. Nothing
here is a rating system: it says how much the published ratings leave unused. On the published record it takes about
five minutes of processor time.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numba
import numpy as np
import polars as pl

from crosstable.lab.games import LabGames
from crosstable.lab.own import games_frame
from crosstable.lab.predictors import predictor
from crosstable.lab.recalibration import logits
from crosstable.lab.source import read_source
from crosstable.replay.scores import game_deviance

#: Days in which what a player did fades to 1/e
FADING = np.array([60.0, 180.0, 365.0, 1000.0])
#: One for each player of a game, then three for each fading: the rating's change, the surprise in the results, and the
#: games
FACTS = (
    "rating",
    "games behind it",
    "days since",
    "change",
    "change since first",
    "days since first",
    "events",
    "games seen",
    "below peak",
    "above lowest",
    "opponents",
)
TREES = {
    "objective": "cross_entropy",
    "learning_rate": 0.08,
    "num_leaves": 63,
    "min_data_in_leaf": 400,
    "feature_fraction": 0.7,
    "lambda_l2": 5.0,
    "verbose": -1,
    "num_threads": 2,
    "deterministic": True,
}
PATIENCE = 25


@numba.njit(cache=False)
def facts(one, two, score, event, day, rating, played, expected, players, fading):  # noqa: PLR0912, PLR0915  compiled
    """What is known of both players of each game before its day: (games, 2, facts)."""
    games, n = len(one), len(fading)
    found = np.full((games, 2, 11 + 3 * n), np.nan, np.float32)
    last_day, first_day, last_event = np.full(players, -1), np.full(players, -1), np.full(players, -1)
    last, begun, peak, lowest = (
        np.full(players, np.nan),
        np.full(players, np.nan),
        np.full(players, np.nan),
        np.full(players, np.nan),
    )
    events, seen, opponents, met = np.zeros(players), np.zeros(players), np.zeros(players), np.zeros(players)
    moved, surprise, active = np.zeros((players, n)), np.zeros((players, n)), np.zeros((players, n))
    start = 0
    while start < games:
        end, today = start, day[start]
        while end < games and day[end] == today:
            for side in range(2):
                player, r = (one[end] if side == 0 else two[end]), rating[end, side]
                row = found[end, side]
                row[0], row[1], row[6], row[7] = r, played[end, side], events[player], seen[player]
                if met[player] > 0:
                    row[10] = opponents[player]
                for k in range(3 * n):
                    row[11 + k] = 0.0
                if last_day[player] >= 0:
                    change = 0.0 if np.isnan(r - last[player]) else r - last[player]
                    row[2], row[3], row[4] = today - last_day[player], r - last[player], r - begun[player]
                    row[5], row[8], row[9] = (
                        today - first_day[player],
                        max(peak[player] - r, 0.0),
                        max(r - lowest[player], 0.0),
                    )
                    for k in range(n):
                        left = np.exp(-(today - last_day[player]) / fading[k])
                        row[11 + k] = (moved[player, k] + change) * left
                        row[11 + n + k] = surprise[player, k] * left
                        row[11 + 2 * n + k] = active[player, k] * left
            end += 1
        for game in range(start, end):
            for side in range(2):
                player, r = (one[game] if side == 0 else two[game]), rating[game, side]
                if last_day[player] != today:
                    if last_day[player] >= 0:
                        change = 0.0 if np.isnan(r - last[player]) else r - last[player]
                        for k in range(n):
                            left = np.exp(-(today - last_day[player]) / fading[k])
                            moved[player, k] = (moved[player, k] + change) * left
                            surprise[player, k] *= left
                            active[player, k] *= left
                    else:
                        first_day[player] = today
                    last_day[player] = today
                    if not np.isnan(r):
                        last[player] = r
                        begun[player] = r if np.isnan(begun[player]) else begun[player]
                        peak[player] = r if np.isnan(peak[player]) else max(peak[player], r)
                        lowest[player] = r if np.isnan(lowest[player]) else min(lowest[player], r)
                events[player] += last_event[player] != event[game]
                last_event[player] = event[game]
                seen[player] += 1
                other = rating[game, 1 - side]
                if not np.isnan(other):
                    opponents[player] += (other - opponents[player]) * max(1.0 / (met[player] + 1.0), 0.03)
                    met[player] += 1
                    for k in range(n):
                        surprise[player, k] += (score[game] - expected[game]) * (1.0 if side == 0 else -1.0)
                        active[player, k] += 1
        start = end
    return found


def columns(games: LabGames, expected: np.ndarray) -> np.ndarray:
    """A row for each game: the facts of both players, the difference of the ratings, White, and the tempered logit."""
    sides = facts(
        games.one,
        games.two,
        games.score,
        games.event,
        games.day,
        games.rating,
        games.played,
        expected,
        games.players,
        FADING,
    )
    flat = sides.reshape(len(games), -1)
    more = [games.rating[:, 0] - games.rating[:, 1], games.white, logits(expected)]
    return np.column_stack([flat, *(column.astype(np.float32) for column in more)])


def grown(
    table: np.ndarray, offset: np.ndarray, score: np.ndarray, rows: np.ndarray, rounds: int, checked: Any = None
) -> Any:
    """Trees on some rows; with `checked` rows, as many as do best there."""
    import lightgbm as lgb

    data = lgb.Dataset(table[rows], label=score[rows], init_score=offset[rows], free_raw_data=False)
    if checked is None:
        return lgb.train(TREES, data, rounds)
    other = lgb.Dataset(table[checked], label=score[checked], init_score=offset[checked], reference=data)
    return lgb.train(TREES, data, rounds, valid_sets=[other], callbacks=[lgb.early_stopping(PATIENCE, verbose=False)])


def chances(model: Any, table: np.ndarray, offset: np.ndarray, rows: np.ndarray) -> np.ndarray:
    logit = model.predict(table[rows], raw_score=True) + offset[rows]
    return np.asarray(1.0 / (1.0 + np.exp(-logit)))


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("source")
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=2006)
    parser.add_argument("--year", type=int, default=2013)
    parser.add_argument("--games", type=int, default=600_000, help="drawn to train on (600000)")
    parser.add_argument("--rounds", type=int, default=300, help="trees at most (300)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    source = read_source(args.source).until(date(args.year, 12, 31))
    games, expected = source.games, predictor("tempered")(source)
    table, offset, score = columns(games, expected), logits(expected), games.score
    rng = np.random.default_rng(args.seed)

    def of_years(first: int, last: int) -> np.ndarray:
        return np.flatnonzero(games.window(date(first, 1, 1), date(last, 12, 31)))

    def drawn(rows: np.ndarray, most: int) -> np.ndarray:
        return np.sort(rng.choice(rows, min(most, len(rows)), replace=False))

    held = of_years(args.year - 1, args.year - 1)
    first = grown(
        table, offset, score, drawn(of_years(args.first, args.year - 2), args.games), args.rounds, drawn(held, 150_000)
    )
    trees = first.best_iteration or args.rounds
    before, after = expected[held], chances(first, table, offset, held)
    figures = [float(game_deviance(found, score[held]).mean()) for found in (before, after)]
    print(f"{args.year - 1}: tempered {figures[0]:.5f}, boosted {figures[1]:.5f} with {trees} trees", flush=True)
    last = grown(table, offset, score, drawn(of_years(args.first, args.year - 1), args.games), trees)
    rows = of_years(args.year, args.year)
    frame = games_frame(games).with_row_index("game").select("game", "white", "black")[rows]
    frame.with_columns(expected=pl.Series(chances(last, table, offset, rows))).write_parquet(args.out)
    print(f"wrote {args.out}: {len(rows):,} predictions")


if __name__ == "__main__":
    main()
