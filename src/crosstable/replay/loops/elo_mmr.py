"""Elo-MMR for two players, game by game: each game is a contest of two, and a draw is a tie.

Symbols of the paper: mu, sigma; delta^2 = sigma^2 + beta^2; gamma^2 (drift), rho (transfer), kappa; p and w, the
performances and their weights, of which the first is the Gaussian that stands for the prior.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.elo_mmr import MmrNumbers, MmrState
    from crosstable.replay.periods import Periods

SCALE = math.sqrt(3.0) / math.pi  # of a logistic distribution with a deviation of 1
CLOSE = 1e-11  # of a solution, as a share of beta
MOST_STEPS = 200


@formula
def pull(x: float, centre: float, width: float) -> float:
    """tanh((x - centre)/(2 width)), with the scale of a logistic distribution."""
    return math.tanh((x - centre) / (2.0 * SCALE * width))


@formula
def performance(own: float, own_width: float, other: float, other_width: float, score: float) -> float:
    """p: where the tie with oneself and the result of the game balance (algorithm 1); the function of x rises."""
    outcome = -1.0 if score > 0.5 else 1.0
    low, high = min(own, other) - 40.0 * (own_width + other_width), max(own, other) + 40.0 * (own_width + other_width)
    for _ in range(MOST_STEPS):
        x = 0.5 * (low + high)
        value = 2.0 * pull(x, own, own_width) / own_width
        if score == 0.5:
            value += 2.0 * pull(x, other, other_width) / other_width
        else:
            value += (pull(x, other, other_width) + outcome) / other_width
        if value > 0.0:
            high = x
        else:
            low = x
        if high - low < CLOSE * own_width:
            break
    return 0.5 * (low + high)


@formula
def diffuse(player: int, state: MmrState, numbers: MmrNumbers) -> None:
    """Before a game: sigma grows by gamma, and weight moves from the performances to the Gaussian (diffuse)."""
    variance = state.deviation[player] ** 2
    kappa = variance / (variance + numbers.drift)
    transfer = kappa**numbers.transfer
    begin = state.begin[player]
    total = state.weight[player]
    for place in range(begin, begin + state.kept[player]):
        total += state.weights[place]
    kept, moved = transfer * state.weight[player], (1.0 - transfer) * total
    state.centre[player] = (kept * state.centre[player] + moved * state.rating[player]) / (kept + moved)
    state.weight[player] = kappa * (kept + moved)
    for place in range(begin, begin + state.kept[player]):
        state.weights[place] *= kappa * transfer
    state.deviation[player] = math.sqrt(variance + numbers.drift)


@formula
def remember(player: int, found: float, state: MmrState, numbers: MmrNumbers) -> None:
    """Add a performance; where there is no more room, the oldest joins the Gaussian with its weight."""
    begin, count = state.begin[player], state.kept[player]
    if begin + count == state.begin[player + 1]:
        both = state.weight[player] + state.weights[begin]
        joined = state.weight[player] * state.centre[player] + state.weights[begin] * state.performances[begin]
        state.centre[player], state.weight[player] = joined / both, both
        count -= 1
        for place in range(begin, begin + count):
            state.performances[place] = state.performances[place + 1]
            state.weights[place] = state.weights[place + 1]
    state.performances[begin + count], state.weights[begin + count] = found, 1.0 / numbers.beta**2
    state.kept[player] = count + 1


@formula
def posterior(player: int, state: MmrState, numbers: MmrNumbers) -> float:
    """mu: where the Gaussian and the performances balance; each performance pulls by no more than a constant."""
    begin = state.begin[player]
    low = high = state.centre[player]
    for place in range(begin, begin + state.kept[player]):
        low, high = min(low, state.performances[place]), max(high, state.performances[place])
    x: float = state.rating[player]
    width = SCALE * numbers.beta
    for _ in range(MOST_STEPS):
        x = min(max(x, low), high)
        value = state.weight[player] * (x - state.centre[player])
        slope = state.weight[player]
        for place in range(begin, begin + state.kept[player]):
            force = state.weights[place] * numbers.beta**2 / width
            t = pull(x, state.performances[place], numbers.beta)
            value += force * t
            slope += force * (1.0 - t * t) / (2.0 * width)
        if value > 0.0:
            high = x
        else:
            low = x
        step = value / slope
        if abs(step) < CLOSE * numbers.beta or high - low < CLOSE * numbers.beta:
            break
        x -= step
        if x <= low or x >= high:  # Newton's step leaves the bracket: halve it
            x = 0.5 * (low + high)
    return x


@formula
def predicted(own: float, own_deviation: float, other: float, other_deviation: float, beta: float) -> float:
    """Return the expected score: performances differ with a variance of both deltas squared."""
    spread = math.sqrt(own_deviation**2 + other_deviation**2 + 2.0 * beta**2)
    return 0.5 + 0.5 * pull(own, other, spread)


@formula
def run(history: Periods, state: MmrState, numbers: MmrNumbers, predictions: Floats) -> None:
    white, black, score, beta = history.white, history.black, history.score, numbers.beta
    for game in range(len(score)):
        w, b = white[game], black[game]
        if len(predictions) > 0:
            predictions[game] = predicted(
                state.rating[w], state.deviation[w], state.rating[b], state.deviation[b], beta
            )
        diffuse(w, state, numbers)
        diffuse(b, state, numbers)
        width_w = math.sqrt(state.deviation[w] ** 2 + beta**2)
        width_b = math.sqrt(state.deviation[b] ** 2 + beta**2)
        found_w = performance(state.rating[w], width_w, state.rating[b], width_b, score[game])
        found_b = performance(state.rating[b], width_b, state.rating[w], width_w, 1.0 - score[game])
        for side in range(2):
            player = w if side == 0 else b
            remember(player, found_w if side == 0 else found_b, state, numbers)
            state.rating[player] = posterior(player, state, numbers)
            state.deviation[player] = 1.0 / math.sqrt(1.0 / state.deviation[player] ** 2 + 1.0 / beta**2)
            state.games[player] += 1


@formula
def expect(
    white: Integers, black: Integers, rating: Floats, deviation: Floats, beta: float, predictions: Floats
) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        w, b = white[game], black[game]
        predictions[game] = predicted(rating[w], deviation[w], rating[b], deviation[b], beta)
