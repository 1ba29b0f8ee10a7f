"""Bradley–Terry over the pairs of a history: what a Newton step needs of each pair; the step by conjugate gradients.

Symbols of the papers: theta is the logarithm of a strength, nu (`draw`) how often equals draw.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.bradley_terry import Results, Sums


@formula
def chance(difference: float, draw: float) -> tuple[float, float]:
    """Return White's expected score and the chance of a draw (Davidson 1970); with nu = 0 it is the logistic curve."""
    if draw == 0.0:
        return 1.0 / (1.0 + math.exp(-difference)), 0.0
    win = math.exp(difference / 2.0)
    total = win + 1.0 / win + draw
    drawn = draw / total
    return win / total + drawn / 2.0, drawn


@formula
def chances(difference: Floats, draw: float, expected: Floats, drawn: Floats) -> None:
    for place in range(len(difference)):
        expected[place], drawn[place] = chance(difference[place], draw)


@formula
def gather(found: Results, theta: Floats, white: float, draw: float, sums: Sums) -> None:
    """Add up the gradient and the second derivatives of the log-likelihood, pair by pair.

    The columns of `border` are those of White's advantage and of log nu; `common` holds their gradient and their second
    derivatives: (White), (log nu), (White, White), (White, log nu), (log nu, log nu).
    """
    gradient, own, border, common = sums.gradient, sums.own, sums.border, sums.common
    for pair in range(len(found.games)):
        w, b, games = found.white[pair], found.black[pair], found.games[pair]
        expected, drawn = chance(theta[w] - theta[b] + white, draw)
        ahead = 2.0 * expected - 1.0  # P(win) - P(loss)
        information = games * (1.0 - drawn - ahead * ahead) / 4.0
        slope = -games * ahead * drawn / 2.0  # how the expected score moves with log nu
        surplus = found.points[pair] - games * expected
        sums.weight[pair] = information
        gradient[w] += surplus
        gradient[b] -= surplus
        own[w] += information
        own[b] += information
        border[w, 0] += information
        border[b, 0] -= information
        border[w, 1] += slope
        border[b, 1] -= slope
        common[0] += surplus
        common[1] += found.draws[pair] - games * drawn
        common[2] += information
        common[3] += slope
        common[4] += games * drawn * (1.0 - drawn)


@formula
def solve(
    white: Integers, black: Integers, weight: Floats, diagonal: Floats, right: Floats, exact: float, room: Floats
) -> None:
    """Solve (diagonal - weights) x = right by conjugate gradients, scaled by the diagonal; x is left in room[0].

    It ends when what is left is at most `exact` of the right side, both as lengths of a vector.
    """
    found, rest, way, image = room[0], room[1], room[2], room[3]
    enough, product = 0.0, 0.0
    for player in range(len(right)):
        found[player], rest[player] = 0.0, right[player]
        way[player] = right[player] / diagonal[player]
        enough += right[player] * right[player]
        product += rest[player] * way[player]
    left, enough = enough, enough * exact * exact
    for _ in range(1000):
        if left <= enough:
            break
        for player in range(len(right)):
            image[player] = diagonal[player] * way[player]
        for pair in range(len(weight)):
            w, b, part = white[pair], black[pair], weight[pair]
            image[w] -= part * way[b]
            image[b] -= part * way[w]
        along = 0.0
        for player in range(len(right)):
            along += way[player] * image[player]
        if along <= 0.0:
            break
        step, left, later = product / along, 0.0, 0.0
        for player in range(len(right)):
            found[player] += step * way[player]
            rest[player] -= step * image[player]
            left += rest[player] * rest[player]
            later += rest[player] * rest[player] / diagonal[player]
        for player in range(len(right)):
            way[player] = rest[player] / diagonal[player] + later / product * way[player]
        product = later
