"""How well predictions fit results: the four measures of a backtest, each a mean over games and smaller is better, but
accuracy.

A score is 1, 1/2 or 0; a prediction is the expected score of the same side. With drawn games the deviance cannot reach
0, so compare systems only on the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crosstable.errors import CrosstableError

Floats = NDArray[np.float64]

#: The Kaggle contest of 2011 kept predictions this far from 0 and 1
DEVIANCE_CLIP = 0.01
LOG_LOSS_CLIP = 1e-6
#: Games that are scored at a time: what they need stays in a core's own memory, and large arrays cost the system's time
BLOCK = 4096


class NoGames(CrosstableError):
    """There is nothing to score."""


def game_deviance(expected: ArrayLike, score: ArrayLike) -> Floats:
    """Kaggle's binomial deviance of each game: -(s log10 p + (1 - s) log10(1 - p)), p between 0.01 and 0.99."""
    p, s = _kept(expected, DEVIANCE_CLIP), np.asarray(score, dtype=np.float64)
    return np.asarray(-(s * np.log10(p) + (1.0 - s) * np.log10(1.0 - p)))


def blocks(games: int) -> Iterator[slice]:
    return (slice(start, start + BLOCK) for start in range(0, games, BLOCK))


def mean_deviance(expected: Floats, score: Floats, rows: NDArray[np.int64]) -> float:
    """Return the mean deviance of some rows, block by block. `score` has those rows only."""
    total = sum(float(game_deviance(expected[rows[block]], score[block]).sum()) for block in blocks(len(rows)))
    return total / len(rows)


def game_log_loss(expected: ArrayLike, score: ArrayLike) -> Floats:
    """Return the same with natural logarithms, p between 0.000001 and 0.999999."""
    p, s = _kept(expected, LOG_LOSS_CLIP), np.asarray(score, dtype=np.float64)
    return np.asarray(-(s * np.log(p) + (1.0 - s) * np.log(1.0 - p)))


def game_brier(expected: ArrayLike, score: ArrayLike) -> Floats:
    return np.asarray((np.asarray(expected, dtype=np.float64) - np.asarray(score, dtype=np.float64)) ** 2)


def game_accuracy(expected: ArrayLike, score: ArrayLike) -> Floats:
    """Return what the favourite scored: a draw earns half, and so does every game without a favourite."""
    p, s = np.asarray(expected, dtype=np.float64), np.asarray(score, dtype=np.float64)
    return np.asarray(np.where(p > 0.5, s, np.where(p < 0.5, 1.0 - s, 0.5)))


MEASURES: Mapping[str, Callable[[ArrayLike, ArrayLike], Floats]] = {
    "deviance": game_deviance,
    "log_loss": game_log_loss,
    "brier": game_brier,
    "accuracy": game_accuracy,
}


def scores(expected: ArrayLike, score: ArrayLike) -> dict[str, float]:
    """All four measures: {"n": …, "deviance": …, "log_loss": …, "brier": …, "accuracy": …}."""
    results = np.asarray(score, dtype=np.float64)
    if len(results) == 0:
        raise NoGames("there are no games to score")
    return {"n": len(results)} | {name: float(each(expected, results).mean()) for name, each in MEASURES.items()}


def _kept(expected: ArrayLike, margin: float) -> Floats:
    return np.clip(np.asarray(expected, dtype=np.float64), margin, 1.0 - margin)
