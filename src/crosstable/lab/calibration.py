"""Whether predictions mean what they say: bins with intervals, slope and intercept, and the bias of groups of games.

Each game is counted from the favourite's side, so that nothing depends on who is named first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from crosstable.lab.games import LabGames
from crosstable.replay.arrays import Flags, Floats

#: 97.5 % of a normal distribution lies below
NINETY_FIVE = 1.959963984540054
BIN = 0.05
#: Edges of the groups by rating gap and by class, and of days since a player's last event
GAPS = (0, 50, 100, 200, 300, 400, 600, 3000)
CLASSES = (0, 400, 800, 1200, 1600, 2000, 2400, 4000)
AGES = (0, 30, 90, 180, 365, 100_000)


@dataclass(frozen=True, slots=True)
class Recalibration:
    """Y ~ intercept + slope × logit(E): 0 and 1 for a predictor that means what it says. `ece`: mean distance of the
    bins.
    """

    intercept: float
    slope: float
    ece: float


def bins(expected: Floats, score: Floats) -> pl.DataFrame:
    """Bins of the favourite's expected score: how often, and what they scored, with Wilson's interval."""
    favourite, result = _from_the_favourite(expected, score)
    frame = pl.DataFrame({"bin": np.minimum((favourite / BIN).astype(int), 19), "expected": favourite, "score": result})
    found = (
        frame.group_by("bin").agg(pl.len().alias("n"), pl.col("expected").mean(), pl.col("score").mean()).sort("bin")
    )
    low, high = wilson(found["score"].to_numpy(), found["n"].to_numpy().astype(float))
    return found.with_columns(low=low, high=high).drop("bin")


def wilson(share: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Wilson's 95 % interval of a share."""
    z2 = NINETY_FIVE**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = NINETY_FIVE / (1 + z2 / n) * np.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return centre - half, centre + half


def recalibrated(expected: Floats, score: Floats, white: Flags) -> Recalibration:
    """Fit the terms: the intercept is White's, from games with known colours; the slope is that of all games."""
    kept = np.clip(expected, 1e-6, 1 - 1e-6)
    logit = np.log(kept / (1 - kept))
    slope = _fit(np.stack([logit], axis=1), score)[0] if np.abs(logit).max(initial=0.0) > 1e-9 else math.nan
    known = np.stack([np.ones(int(white.sum())), logit[white]], axis=1)
    intercept = float(_fit(known, score[white])[0]) if white.sum() > 10 and np.ptp(known[:, 1]) > 1e-9 else math.nan
    table = bins(expected, score)
    n, off = table["n"].to_numpy(), (table["expected"] - table["score"]).abs().to_numpy()
    ece = float((n * off).sum() / n.sum())
    return Recalibration(intercept, float(slope), ece)


def _fit(x: Floats, y: Floats) -> Floats:
    """Logistic regression by Newton's method."""
    found = np.zeros(x.shape[1])
    for _ in range(30):
        p = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        step = np.linalg.solve((x * (p * (1 - p))[:, None]).T @ x + 1e-9 * np.eye(x.shape[1]), x.T @ (y - p))
        found += step
        if np.abs(step).max() < 1e-10:
            break
    return found


def groups(games: LabGames, window: Flags, expected: Floats) -> pl.DataFrame:
    """Bias by rating gap, class, age of the rating, and provisional or established, from one side of each game.

    The side is the higher rated player, or with `class`, `age` and `rating` each player in turn.
    """
    score, ratings = games.score[window], games.rating[window]
    parts = [_provisional(games, window, expected, score), _ages(games, window, expected, score)]
    if not np.isnan(ratings).all():
        gap = ratings[:, 0] - ratings[:, 1]
        turned = gap < 0
        seen = np.where(turned, 1 - expected, expected), np.where(turned, 1 - score, score)
        parts.insert(0, _grouped("rating gap", np.abs(gap), GAPS, *seen))
        sides = _both_sides(expected, score)
        parts.insert(1, _grouped("class", ratings.ravel(order="F"), CLASSES, *sides))
    return pl.concat([part for part in parts if part is not None])


def _both_sides(expected: Floats, score: Floats) -> tuple[Floats, Floats]:
    return np.concatenate([expected, 1 - expected]), np.concatenate([score, 1 - score])


def _ages(games: LabGames, window: Flags, expected: Floats, score: Floats) -> pl.DataFrame:
    """Days since the player's event before, as far as the source shows it."""
    days = days_since_last(games)[window]
    return _grouped("days since the last event", days.ravel(order="F"), AGES, *_both_sides(expected, score))


def days_since_last(games: LabGames) -> Floats:
    """(games, 2): days since each player's event before; NaN for a first appearance."""
    player = np.stack([games.one, games.two], axis=1).ravel()
    day = np.repeat(games.day, 2)
    order = np.lexsort((day, player))
    who, when = player[order], day[order]
    starts = np.flatnonzero(np.diff(who, prepend=-1) | np.diff(when, prepend=-1))
    before = np.full(len(starts), np.nan)
    same = who[starts][1:] == who[starts][:-1]
    before[1:][same] = (when[starts][1:] - when[starts][:-1])[same]
    found = np.empty(len(player))
    found[order] = np.repeat(before, np.diff(np.append(starts, len(who))))
    return found.reshape(-1, 2)


def _provisional(games: LabGames, window: Flags, expected: Floats, score: Floats) -> pl.DataFrame | None:
    played = games.played[window]
    if np.isnan(played).all():
        return None
    provisional = ~np.isnan(played.ravel(order="F"))
    one, other = _both_sides(expected, score)
    labels = np.where(provisional, "provisional", "established")
    return _table("rating", labels, one, other, np.where(provisional, 1, 0))


def _grouped(by: str, values: Floats, edges: tuple[int, ...], expected: Floats, score: Floats) -> pl.DataFrame:
    place = np.searchsorted(np.array(edges[1:-1]), values, side="right")
    names = [f"{low} to {high - 1}" for low, high in pairwise(edges)]
    names[-1] = f"{edges[-2]} and more"
    labels = np.array(names)[place]
    unknown = np.isnan(values)
    return _table(by, np.where(unknown, "not known", labels), expected, score, np.where(unknown, len(names), place))


def _table(by: str, labels: np.ndarray, expected: Floats, score: Floats, order: np.ndarray) -> pl.DataFrame:
    frame = pl.DataFrame({"group": labels, "expected": expected, "score": score, "order": order})
    return (
        frame.group_by("group", "order")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("expected").mean(),
            pl.col("score").mean(),
            (pl.col("score") - pl.col("expected")).mean().alias("bias"),
            ((pl.col("score") - pl.col("expected")).std() / pl.len().sqrt() * NINETY_FIVE).alias("plus_minus"),
        )
        .sort("order")
        .drop("order")
        .select(pl.lit(by).alias("by"), "group", "n", "expected", "score", "bias", "plus_minus")
    )


def _from_the_favourite(expected: Floats, score: Floats) -> tuple[Floats, Floats]:
    turned = expected < 0.5
    return np.where(turned, 1 - expected, expected), np.where(turned, 1 - score, score)
