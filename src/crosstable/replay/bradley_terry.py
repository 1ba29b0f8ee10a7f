"""Bradley–Terry strengths of a whole history: maximum likelihood by Newton's method, with draws as half wins or
Davidson's.

theta is the logarithm of a strength (pi in the papers). Davidson: White wins with probability e^(x/2)/Z, draws with
nu/Z and loses with e^(-x/2)/Z, where x is theta of White minus theta of Black, plus White's advantage if it is
estimated. Without nu this is the logistic curve of Bradley and Terry.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from types import ModuleType
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, Predict, room_for_predictions
from crosstable.replay.whole_histories import blocks, games_of_players, logistic

#: The largest part of a point by which a player's expected score may still differ from the score: in a fit that is
#: returned, and in one that only predicts the next games (1e-4 of a point moves a rating by less than one point)
CLOSE, CLOSE_TO_PREDICT = 1e-9, 1e-4
#: How exactly a Newton step is solved, relative to its gradient: a coarse one is repaired by the next step
EXACT, COARSE = 1e-10, 1e-2
MOST_STEPS = 100
LARGEST_STEP = 3.0  # of theta in one Newton step
LARGEST_LOG = 12.0  # of nu, where every game so far is drawn
HALF, DAVIDSON = "half", "davidson"


class Settings(NamedTuple):
    """`prior`: games against the anchor; `davidson`: estimate nu; `white`: estimate White's advantage; `close`:
    when to stop.
    """

    prior: float = 1.0
    davidson: bool = False
    white: bool = False
    close: float = CLOSE


class Strengths(NamedTuple):
    """What was estimated. `draw` is nu, 0 where draws count as half wins; `white` is on theta's scale."""

    theta: Floats
    draw: float = 0.0
    white: float = 0.0


class Results(NamedTuple):
    """Games by pairing: how many, White's points, and how many drawn."""

    white: Integers
    black: Integers
    games: Floats
    points: Floats
    draws: Floats


class Sums(NamedTuple):
    """What a Newton step needs of the pairs: see `loops.bradley_terry.gather`."""

    weight: Floats  # each pair's information
    gradient: Floats  # by player, as are `own` (the information) and `border`
    own: Floats
    border: Floats
    common: Floats


class BradleyTerryFit(NamedTuple):
    """The strengths after the last game, and every game's expectation from a fit to earlier games, if asked for."""

    strengths: Strengths
    games: Integers
    predictions: Floats


class NoEstimate(ValueError):
    """Maximum likelihood has no finite answer. `players`: a group whose games against the others go one way."""

    def __init__(self, players: Integers) -> None:
        super().__init__("no maximum likelihood estimate exists")
        self.players = players


def results(white: Integers, black: Integers, score: Floats, players: int) -> Results:
    """Count the games of each pair, with the colours."""
    pair, place = np.unique(white * np.int64(players) + black, return_inverse=True)
    count = len(pair)
    return Results(
        pair // players,
        pair % players,
        np.bincount(place, minlength=count).astype(np.float64),
        np.bincount(place, weights=score, minlength=count).astype(np.float64),
        np.bincount(place, weights=score == 0.5, minlength=count).astype(np.float64),
    )


def fit(found: Results, players: int, settings: Settings, begin: Strengths | None = None) -> Strengths:
    """Estimate the strengths by Newton's method, from `begin` where it is given. Raises NoEstimate."""
    if settings.prior == 0.0:
        _refuse_one_sided(found, players)
    davidson = settings.davidson and bool(found.draws.any())
    now = begin or Strengths(np.zeros(players))
    if not davidson:
        now = now._replace(draw=0.0)
    elif now.draw == 0.0:
        now = now._replace(draw=1.0)
    for _ in range(MOST_STEPS):
        now, error = _newton(found, now, settings, davidson)
        if error < settings.close:
            break
    if settings.prior == 0.0:
        now = now._replace(theta=now.theta - now.theta.mean())
    return now


def chances(difference: Floats, draw: float) -> tuple[Floats, Floats]:
    """Return White's expected score and the chance of a draw of a difference on theta's scale."""
    expected, drawn = np.zeros(len(difference)), np.zeros(len(difference))
    _loop().chances(np.ascontiguousarray(difference), draw, expected, drawn)
    return expected, drawn


@cache
def _loop() -> ModuleType:
    return compiled.load(["crosstable.replay.loops.bradley_terry"])[-1]


def _newton(found: Results, now: Strengths, settings: Settings, davidson: bool) -> tuple[Strengths, float]:
    """One step, and the largest error of a player's score before it. Common numbers: White's advantage and log nu."""
    players = len(now.theta)
    parts = Sums(np.zeros(len(found.games)), np.zeros(players), np.zeros(players), np.zeros((players, 2)), np.zeros(5))
    _loop().gather(found, now.theta, now.white, now.draw, parts)
    anchor = logistic(now.theta)
    gradient = parts.gradient + settings.prior * (0.5 - anchor)
    diagonal = np.maximum(parts.own + settings.prior * anchor * (1 - anchor), 1e-12)
    asked = np.array([settings.white, davidson])
    sums, (first, mixed, last) = parts.common[:2][asked], parts.common[2:]
    common = np.array([[first, mixed], [mixed, last]])[asked][:, asked]
    exact = EXACT if settings.close <= CLOSE else COARSE
    system = _System(found, parts.weight, diagonal, exact)
    step, extra = system.solve(gradient, parts.border[:, asked], sums, common)
    change = np.zeros(2)
    change[asked] = np.clip(extra, -1.0, 1.0)
    step = np.clip(step, -LARGEST_STEP, LARGEST_STEP)  # each by itself: one newcomer's step would slow down all others
    draw = now.draw
    if davidson:
        draw = math.exp(min(max(math.log(draw) + change[1], -LARGEST_LOG), LARGEST_LOG))
    error = max(np.abs(gradient).max(initial=0.0), np.abs(sums).max(initial=0.0) / found.games.sum())
    return Strengths(now.theta + step, draw, now.white + float(change[0])), float(error)


class _System(NamedTuple):
    """The equations of a Newton step."""

    found: Results
    weight: Floats
    diagonal: Floats
    exact: float

    def solve(self, gradient: Floats, border: Floats, sums: Floats, common: Floats) -> tuple[Floats, Floats]:
        """Solve for the step of each theta and of the common numbers, by the Schur complement of the latter.

        A coarse step takes the common numbers first: half of the work.
        """
        if len(sums) and self.exact == COARSE:  # they hardly depend on each other; the next step repairs what is left
            first = np.asarray(np.linalg.solve(common, sums), dtype=np.float64)
            return self._conjugate(gradient - border @ first), first
        step = self._conjugate(gradient)
        if not len(sums):
            return step, sums
        inverse = np.stack([self._conjugate(np.ascontiguousarray(column)) for column in border.T], axis=1)
        extra = np.linalg.solve(common - border.T @ inverse, sums - border.T @ step)
        return step - inverse @ extra, np.asarray(extra, dtype=np.float64)

    def _conjugate(self, right: Floats) -> Floats:
        room = np.zeros((4, len(right)))
        _loop().solve(self.found.white, self.found.black, self.weight, self.diagonal, right, self.exact, room)
        found: Floats = room[0]
        return found


def _refuse_one_sided(found: Results, players: int) -> None:
    """Ford's condition: whichever way the players are split, each part has scored against the other."""
    scored, lost = found.points > 0, found.points < found.games
    rows = np.concatenate([found.white[scored], found.black[lost]])
    columns = np.concatenate([found.black[scored], found.white[lost]])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(players, players)).tocsr()
    count, part = connected_components(graph, directed=True, connection="strong")
    if count > 1:
        raise NoEstimate(np.flatnonzero(part == np.argmin(np.bincount(part))))


def replay(
    history: Periods, settings: Settings, days: float, *, predict: Predict = False, last: bool = True
) -> BradleyTerryFit:
    """Fit the whole history. Predictions come from fits to earlier games, at most `days` days old, with a prior of at
    least 1.

    `last=False`: only the predictions are asked for, not a fit to all games.
    """
    predictions = room_for_predictions(history, predict)
    white, black, score, players = history.white, history.black, history.score, history.players
    if len(predictions):
        early = settings._replace(prior=max(settings.prior, 1.0), close=CLOSE_TO_PREDICT)
        _predict(history, early, blocks(history, days), predictions)
    now = Strengths(np.zeros(players))
    if last:
        now = fit(results(white, black, score, players), players, settings)
    return BradleyTerryFit(now, games_of_players(history), predictions)


def _predict(history: Periods, settings: Settings, parts: Iterable[tuple[int, int]], predictions: Floats) -> None:
    """Predict the games of each part from a fit to all games before it; each fit begins with the one before."""
    place, number = _by_appearance(history)
    white, black = place[history.white], place[history.black]
    pairs = _Pairs(white, black, history.score, colours=settings.white)
    now = Strengths(np.zeros(history.players))
    for first, end in parts:
        if first:
            found = pairs.until(first)
            met = int(np.searchsorted(number, first))
            last = fit(found, met, settings, _with_newcomers(found, now._replace(theta=now.theta[:met])))
            now.theta[:met] = last.theta
            now = last._replace(theta=now.theta)
        predictions[first:end] = expectations(white[first:end], black[first:end], now)


def _by_appearance(history: Periods) -> tuple[Integers, Integers]:
    """Return each player's place in the order of their first games, and the number of that game, in this order.

    So the players of the games so far are the first ones, and a fit takes no one else.
    """
    both = np.stack([history.white, history.black], axis=1).reshape(-1)
    player, begin = np.unique(both, return_index=True)
    order = np.argsort(begin)
    place = np.full(history.players, history.players - 1, dtype=np.int64)
    place[player[order]] = np.arange(len(player))
    return place, begin[order] // 2


class _Pairs:
    """Games by pair, counted as far as is asked; pairs stand in the order of their first games."""

    def __init__(self, white: Integers, black: Integers, score: Floats, *, colours: bool) -> None:
        if not colours:  # a pair is one, whichever of the two has White
            white, black, score = (
                np.minimum(white, black),
                np.maximum(white, black),
                np.where(white < black, score, 1 - score),
            )
        players = np.int64(max(white.max(), black.max()) + 1)
        pair, begin, place = np.unique(white * players + black, return_index=True, return_inverse=True)
        order = np.argsort(begin)
        rank = np.empty(len(pair), dtype=np.int64)
        rank[order] = np.arange(len(pair))
        self.place, self.begin, self.score = rank[place], begin[order], score
        self.every = Results(pair[order] // players, pair[order] % players, *np.zeros((3, len(pair))))
        self.counted = 0

    def until(self, game: int) -> Results:
        """Count the games before this one; each call goes on from the one before."""
        new = slice(self.counted, game)
        place, score, every = self.place[new], self.score[new], self.every
        for room, points in ((every.games, 1.0), (every.points, score), (every.draws, score == 0.5)):
            np.add.at(room, place, points)
        self.counted = game
        met = slice(int(np.searchsorted(self.begin, game)))
        return Results(every.white[met], every.black[met], every.games[met], every.points[met], every.draws[met])


def _by_player(found: Results, whites: Floats, blacks: Floats, players: int) -> Floats:
    total = np.bincount(found.white, weights=whites, minlength=players)
    return np.asarray(total + np.bincount(found.black, weights=blacks, minlength=players))


def _with_newcomers(found: Results, now: Strengths) -> Strengths:
    """Begin a player without an estimate at the average of the opponents; the fit then takes fewer steps."""
    theta, games = now.theta, found.games
    players = len(theta)
    average = _by_player(found, games * theta[found.black], games * theta[found.white], players)
    average /= np.maximum(_by_player(found, games, games, players), 1.0)
    return now._replace(theta=np.where(theta == 0.0, average, theta))


def expectations(white: Integers, black: Integers, strengths: Strengths) -> Floats:
    """Return White's expected score of games to come."""
    theta = strengths.theta
    return chances(theta[white] - theta[black] + strengths.white, strengths.draw)[0]
