"""The AGA's model, as pure functions of plain numbers. Symbols of the paper: d, s, u, mu, sigma, phi and Phi.

A game's outcome is a probit: White wins with probability Phi(u), u = (c_white - c_black - d)/s on the closed scale.
`score` is White's: 1, 0, or 1/2 for a draw in the chess variant (half a win and half a loss).
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.systems.aga.model import GameModel, SeedRule

SQRT2 = math.sqrt(2.0)
LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)
#: How a player's prior came about
NEWCOMER, KEPT, PROMOTED, RESEEDED = 0, 1, 2, 3
FAR_TAIL = -30.0  # below it erfc loses its digits, and the series for the tail is exact to 1e-13


@formula
def closed(rating: float) -> float:
    """Return the scale without the hole between -1 and 1."""
    return rating - 1.0 if rating > 0.0 else rating + 1.0


@formula
def opened(rating: float) -> float:
    """Back to the scale with the hole."""
    return rating + 1.0 if rating > 0.0 else rating - 1.0


@formula
def cdf(v: float) -> float:
    """Phi(v)."""
    return 0.5 * math.erfc(-v / SQRT2)


@formula
def tail_series(v: float) -> float:
    """Phi(v) = phi(v)/(-v) times this, far below 0."""
    w = 1.0 / (v * v)
    return 1.0 - w * (1.0 - 3.0 * w * (1.0 - 5.0 * w * (1.0 - 7.0 * w * (1.0 - 9.0 * w))))


@formula
def log_cdf(v: float) -> float:
    """log Phi(v), also far in the tails."""
    if v > FAR_TAIL:
        return math.log(0.5 * math.erfc(-v / SQRT2)) if v < 5.0 else math.log1p(-0.5 * math.erfc(v / SQRT2))
    return -0.5 * v * v - LOG_SQRT_2PI - math.log(-v) + math.log(tail_series(v))


@formula
def hazard(v: float) -> float:
    """lambda(v) = phi(v)/Phi(v)."""
    if v > FAR_TAIL:
        return math.exp(-0.5 * v * v - LOG_SQRT_2PI) / (0.5 * math.erfc(-v / SQRT2))
    return -v / tail_series(v)


@formula
def advantage(model: GameModel, handicap: int, komi: float) -> float:
    """d: how much stronger White must be for an even chance."""
    if handicap <= 1:
        return model.difference + model.difference_komi * komi
    return handicap + model.handicap_komi * komi


@formula
def spread(model: GameModel, handicap: int, komi: float) -> float:
    """s: how far luck reaches in such a game."""
    if handicap <= 1:
        return model.spread + model.spread_komi * komi + model.spread_komi_squared * komi * komi
    return model.handicap_spreads[handicap - 2] + model.handicap_spread_komi * komi


@formula
def spline_curvatures(
    values: Sequence[float], curvatures: MutableSequence[float], work: MutableSequence[float]
) -> None:
    """Second derivatives of the natural cubic spline through knots one apart (both ends 0): a tridiagonal system."""
    last = len(values) - 1
    curvatures[0] = curvatures[last] = work[0] = 0.0
    for i in range(1, last):
        pivot = 4.0 - work[i - 1]
        work[i] = 1.0 / pivot
        curvatures[i] = (6.0 * (values[i + 1] - 2.0 * values[i] + values[i - 1]) - curvatures[i - 1]) / pivot
    for i in range(last - 1, 0, -1):
        curvatures[i] -= work[i] * curvatures[i + 1]


@formula
def spline_at(x: float, first_knot: float, values: Sequence[float], curvatures: Sequence[float]) -> float:
    """Return the spline's value between its first and last knot."""
    left = min(max(int(math.floor(x - first_knot)), 0), len(values) - 2)  # noqa: RUF046  Numba's floor is a float
    b = x - first_knot - left
    a = 1.0 - b
    bend = (a * a * a - a) * curvatures[left] + (b * b * b - b) * curvatures[left + 1]
    return a * values[left] + b * values[left + 1] + bend / 6.0


@formula
def aged_quadratic(sigma: float, per_day: float, days: float) -> float:
    """sqrt(sigma^2 + (0.0005 days)^2): the variance grows with time squared."""
    return math.sqrt(sigma * sigma + per_day * per_day * days * days)


@formula
def aged_linear(sigma: float, per_day: float, days: float) -> float:
    """sqrt(sigma^2 + rate x days): the variance grows with time, as in Glicko."""
    return math.sqrt(sigma * sigma + per_day * days)


@formula
def promotion(entered: float, rating: float) -> float:
    """D: how far the entry rank lies above the rating; 2 less if they lie on different sides of the hole."""
    if (entered > 0.0) == (rating > 0.0):
        return entered - rating
    return entered - rating - 2.0


@formula
def promoted_rating(rating: float, size: float, shift: float, share: float) -> float:
    """mu = r + 0.024746 + 0.32127 D, on the open scale: it may land in the hole."""
    return rating + shift + share * size


@formula
def promoted_sigma(sigma: float, size: float, variance: float, power: float) -> float:
    """sqrt(sigma^2 + 0.256 D^1.9475)."""
    return math.sqrt(sigma * sigma + variance * size**power)


@formula
def newcomer_sigma(seed: float, rule: SeedRule, sigmas: Sequence[float], curvatures: Sequence[float]) -> float:
    """How uncertain a newcomer's declared rank is: the weaker, the more. A spline between two constants."""
    if seed > rule.above_seed:
        return rule.above
    if seed < rule.below_seed:
        return rule.below
    return spline_at(closed(seed), rule.first_knot, sigmas, curvatures)


@formula
def seeded(
    entered: float,
    rating: float,
    sigma: float,
    days: float,
    won: bool,
    rule: SeedRule,
    sigmas: Sequence[float],
    curvatures: Sequence[float],
) -> tuple[float, float, int]:
    """mu (open scale), sigma and how they came about, before a tournament. No one is demoted by a modest entry;
    a claim of one rank or more above the rating counts only with a win.
    """
    if rating == 0.0 or sigma == 0.0:
        return entered, newcomer_sigma(entered, rule, sigmas, curvatures), NEWCOMER
    size = promotion(entered, rating)
    if won and size >= rule.reseed:
        return entered, newcomer_sigma(entered, rule, sigmas, curvatures), RESEEDED
    if won and size >= rule.step:
        mu = promoted_rating(rating, size, rule.shift, rule.share)
        return mu, promoted_sigma(sigma, size, rule.variance, rule.power), PROMOTED
    return rating, aged_quadratic(sigma, rule.per_day, days), KEPT


@formula
def unlikelihood(
    c: Sequence[float],
    mu: Sequence[float],
    sigma: Sequence[float],
    white: Sequence[int],
    black: Sequence[int],
    d: Sequence[float],
    s: Sequence[float],
    score: Sequence[float],
) -> float:
    """-L: the priors and the games, on the closed scale."""
    total = 0.0
    for i in range(len(mu)):
        z = (c[i] - mu[i]) / sigma[i]
        total += 0.5 * z * z
    for g in range(len(score)):
        u = (c[white[g]] - c[black[g]] - d[g]) / s[g]
        if score[g] > 0.0:
            total -= score[g] * log_cdf(u)
        if score[g] < 1.0:
            total -= (1.0 - score[g]) * log_cdf(-u)
    return total


@formula
def pull(u: float, s: float, score: float) -> float:
    """One game's pull on White's rating (the opposite on Black's): dL/dc_white."""
    total = 0.0
    if score > 0.0:
        total += score * hazard(u)
    if score < 1.0:
        total -= (1.0 - score) * hazard(-u)
    return total / s


@formula
def stiffness(u: float, s: float, score: float) -> float:
    """One game's part of the Hessian: lambda (lambda + v)/s^2."""
    total = 0.0
    if score > 0.0:
        won = hazard(u)
        total += score * won * (won + u)
    if score < 1.0:
        lost = hazard(-u)
        total += (1.0 - score) * lost * (lost - u)
    return total / (s * s)


@formula
def derivatives(
    c: Sequence[float],
    mu: Sequence[float],
    sigma: Sequence[float],
    white: Sequence[int],
    black: Sequence[int],
    d: Sequence[float],
    s: Sequence[float],
    score: Sequence[float],
    gradient: MutableSequence[float],
    diagonal: MutableSequence[float],
    coupling: MutableSequence[float],
) -> None:
    """Compute the gradient of -L, the diagonal of its Hessian, and each game's (negative) entry beside the diagonal."""
    for i in range(len(mu)):
        precision = 1.0 / (sigma[i] * sigma[i])
        gradient[i] = (c[i] - mu[i]) * precision
        diagonal[i] = precision
    for g in range(len(score)):
        i, j = white[g], black[g]
        u = (c[i] - c[j] - d[g]) / s[g]
        pulled = pull(u, s[g], score[g])
        gradient[i] -= pulled
        gradient[j] += pulled
        coupling[g] = stiffness(u, s[g], score[g])
        diagonal[i] += coupling[g]
        diagonal[j] += coupling[g]


@formula
def grid_sigma(
    mode: float,
    mu: float,
    sigma: float,
    others: Sequence[float],
    sides: Sequence[float],
    d: Sequence[float],
    s: Sequence[float],
    score: Sequence[float],
    first: int,
    last: int,
    points: int,
    start: float,
    step: float,
    logs: MutableSequence[float],
) -> float:
    """Return the new sigma: second moment about the mode on a grid of the prior sigma, all others held at their mode.

    The player's games are `first:last`; `others`: the opponents' modes, `sides`: 1 as White, -1 as Black.
    """
    best = -math.inf
    for n in range(points):
        r = mode + sigma * (start + n * step)
        z = (r - mu) / sigma
        total = -0.5 * z * z
        for g in range(first, last):
            u = (sides[g] * (r - others[g]) - d[g]) / s[g]
            if score[g] > 0.0:
                total += score[g] * log_cdf(u)
            if score[g] < 1.0:
                total += (1.0 - score[g]) * log_cdf(-u)
        logs[n] = total
        best = max(best, total)
    mass = moment = 0.0
    for n in range(points):
        w = math.exp(logs[n] - best)
        x = sigma * (start + n * step)
        mass += w
        moment += w * x * x
    return math.sqrt(moment / mass)
