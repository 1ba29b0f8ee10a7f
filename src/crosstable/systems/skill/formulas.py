"""TrueSkill (Herbrich, Minka and Graepel 2006) and Weng–Lin (2011) for two players, as pure functions of plain numbers.

Symbols of the papers: mu and sigma (a skill), beta (how much a performance varies), tau (how much a skill moves between
games), epsilon (the draw margin), c^2 = sigma_1^2 + sigma_2^2 + 2 beta^2.
"""

from __future__ import annotations

import math

from crosstable.systems.formula import formula

SQRT2 = math.sqrt(2.0)
SQRT2PI = math.sqrt(2.0 * math.pi)
TINY = 1e-290  # below this a quotient of densities is taken from its limit


@formula
def density(x: float) -> float:
    """N(x), the standard normal density."""
    return math.exp(-0.5 * x * x) / SQRT2PI


@formula
def below(x: float) -> float:
    """Phi(x), the standard normal distribution function."""
    return 0.5 * math.erfc(-x / SQRT2)


@formula
def spread(deviation: float, opponent: float, beta: float) -> float:
    """c: how much the difference of two performances varies."""
    return math.sqrt(deviation * deviation + opponent * opponent + 2.0 * beta * beta)


@formula
def drifted(deviation: float, tau: float) -> float:
    """Sigma before a game: sqrt(sigma^2 + tau^2)."""
    return math.sqrt(deviation * deviation + tau * tau)


@formula
def decided(t: float, margin: float) -> tuple[float, float]:
    """v and w of a win, for the winner; t and the margin in units of c."""
    x = t - margin
    mass = below(x)
    if mass < TINY:
        return -x, 1.0
    v = density(x) / mass
    return v, v * (v + x)


@formula
def drawn(t: float, margin: float) -> tuple[float, float]:
    """v and w of a draw; t and the margin in units of c."""
    mass = below(margin - t) - below(-margin - t)
    if mass < TINY:
        return (-margin - t if t < 0.0 else margin - t), 1.0
    v = (density(-margin - t) - density(margin - t)) / mass
    return v, v * v + ((margin - t) * density(margin - t) + (margin + t) * density(margin + t)) / mass


@formula
def trueskill(
    own: float, deviation: float, opponent: float, opponent_deviation: float, score: float, beta: float, margin: float
) -> tuple[float, float]:
    """mu' - mu and sigma' of one player after a game; `margin` is epsilon."""
    c = spread(deviation, opponent_deviation, beta)
    t = (own - opponent) / c
    if score == 0.5:
        v, w = drawn(t, margin / c)
    elif score > 0.5:
        v, w = decided(t, margin / c)
    else:
        v, w = decided(-t, margin / c)
        v = -v
    variance = deviation * deviation
    return variance / c * v, deviation * math.sqrt(max(1.0 - variance / (c * c) * w, TINY))


@formula
def weng_lin(
    own: float, deviation: float, opponent: float, opponent_deviation: float, score: float, beta: float, kappa: float
) -> tuple[float, float]:
    """Update by algorithm 1 (Bradley–Terry, full pair); gamma = sigma/c; sigma^2 keeps at least the share kappa."""
    c = spread(deviation, opponent_deviation, beta)
    p = logistic(own - opponent, c)
    share = deviation / c
    return deviation * share * (score - p), deviation * math.sqrt(max(1.0 - share**3 * p * (1.0 - p), kappa))


@formula
def logistic(difference: float, c: float) -> float:
    """Return the chance of a win by Bradley and Terry: 1/(1 + e^(-(mu_1 - mu_2)/c))."""
    return 1.0 / (1.0 + math.exp(-difference / c))


@formula
def after(
    own: float,
    deviation: float,
    opponent: float,
    opponent_deviation: float,
    score: float,
    beta: float,
    limit: float,
    by_logistic: bool,
) -> tuple[float, float]:
    """Either update; `limit` is epsilon or kappa."""
    if by_logistic:
        return weng_lin(own, deviation, opponent, opponent_deviation, score, beta, limit)
    return trueskill(own, deviation, opponent, opponent_deviation, score, beta, limit)


@formula
def predicted(
    own: float,
    deviation: float,
    opponent: float,
    opponent_deviation: float,
    beta: float,
    limit: float,
    by_logistic: bool,
) -> float:
    """Return the expected score of a game to come; in TrueSkill, the chance of a win and half that of a draw."""
    c = spread(deviation, opponent_deviation, beta)
    if by_logistic:
        return logistic(own - opponent, c)
    return 0.5 * (below((own - opponent - limit) / c) + below((own - opponent + limit) / c))
