"""Chessmetrics lists of a whole history: weighted, padded performance ratings, everybody's at once.

R = (sum of w (opponent + 850 (s - 1/2)) + 4 × the opponents' average + 3 × 1500) / (sum of w + 7): linear equations,
because every opponent's rating is of the same list. Multiplied by W (W + 7)/(W + 4), with W the sum of weights, their
matrix is symmetric.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import LinearOperator, cg

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, Predict, room_for_predictions
from crosstable.replay.whole_histories import blocks, games_of_players

DAYS_PER_MONTH = 365.25 / 12


class ListNumbers(NamedTuple):
    points: float  # of a whole score share
    months: float  # until a game no longer counts
    average: float  # draws against the opponents' average
    fixed: float  # draws against `rating`
    rating: float


class ChessmetricsLists(NamedTuple):
    """The list after the last game, and every game's expectation from a list of earlier games, if asked for."""

    rating: Floats
    games: Integers
    predictions: Floats


def weights(day: Integers, on: float, months: float) -> Floats:
    """Return how much each game counts on a day: whole months since it was played."""
    age = np.floor((on - day) / DAYS_PER_MONTH)
    return np.asarray(np.maximum(1.0 - age / months, 0.0), dtype=np.float64)


def list_of(
    white: Integers, black: Integers, score: Floats, weight: Floats, players: int, numbers: ListNumbers
) -> Floats:
    """Return every player's rating; one without weighted games has the fixed rating."""
    rated = weight > 0
    white, black, score, weight = white[rated], black[rated], score[rated], weight[rated]
    both = np.bincount(white, weights=weight, minlength=players) + np.bincount(black, weights=weight, minlength=players)
    ahead = weight * (score - 0.5) * numbers.points
    gained = np.bincount(white, weights=ahead, minlength=players) - np.bincount(black, weights=ahead, minlength=players)
    scale = both / (both + numbers.average)
    diagonal = np.where(both > 0, scale * (both + numbers.average + numbers.fixed), 1.0)
    right = np.where(both > 0, scale * (gained + numbers.fixed * numbers.rating), numbers.rating)
    every = np.arange(players)
    rows, columns = np.concatenate([white, black, every]), np.concatenate([black, white, every])
    matrix = coo_array(
        (np.concatenate([-weight, -weight, diagonal]), (rows, columns)), shape=(players, players)
    ).tocsr()
    scaled = LinearOperator(matrix.shape, matvec=lambda vector: vector / diagonal, dtype=np.float64)
    found, _ = cg(matrix, right, x0=np.full(players, numbers.rating), rtol=1e-12, maxiter=2000, M=scaled)
    return np.asarray(found, dtype=np.float64)


def expectations(white: Integers, black: Integers, rating: Floats, points: float) -> Floats:
    """Return White's expected score: linear, as the performance rating is, between 0 and 1."""
    return np.asarray(np.clip(0.5 + (rating[white] - rating[black]) / points, 0.0, 1.0), dtype=np.float64)


def replay(
    history: Periods, numbers: ListNumbers, days: float, *, predict: Predict = False, last: bool = True
) -> ChessmetricsLists:
    """Return the list after the last game. Predictions come from lists of earlier games, at most `days` days old."""
    predictions = room_for_predictions(history, predict)
    white, black, score, players = history.white, history.black, history.score, history.players
    day = np.repeat(history.day, np.diff(history.first))
    rating = np.full(players, numbers.rating)
    if len(predictions):
        for first, end in blocks(history, days):
            if first:
                since = int(np.searchsorted(day, day[first] - (numbers.months + 1) * DAYS_PER_MONTH))
                past = slice(since, first)
                weight = weights(day[past], float(day[first]), numbers.months)
                rating = list_of(white[past], black[past], score[past], weight, players, numbers)
            predictions[first:end] = expectations(white[first:end], black[first:end], rating, numbers.points)
    if last and len(day):
        weight = weights(day, float(day[-1]), numbers.months)
        rating = list_of(white, black, score, weight, players, numbers)
    return ChessmetricsLists(rating, games_of_players(history), predictions)
