"""Glicko-2, as pure functions of plain numbers. Symbols of the paper: mu, phi, sigma, v, Delta, tau, a, A, B, C."""

from __future__ import annotations

import math

from crosstable.systems.formula import formula

SHRINK = 3.0 / (math.pi * math.pi)
LEAST = 1e-16  # players too far apart for a double to tell E from 0 or 1 still leave something to divide by


@formula
def weight(phi: float) -> float:
    """g(phi)."""
    return 1.0 / math.sqrt(1.0 + SHRINK * phi * phi)


@formula
def expected(mu: float, opponent: float, opponent_weight: float) -> float:
    """E(mu, mu_j, phi_j), with g(phi_j) given."""
    return 1.0 / (1.0 + math.exp(-opponent_weight * (mu - opponent)))


@formula
def predicted(mu: float, phi: float, opponent: float, opponent_phi: float) -> float:
    """Return the expected score of a game to come: both uncertainties count."""
    return expected(mu, opponent, weight(math.sqrt(phi * phi + opponent_phi * opponent_phi)))


@formula
def information(opponent_weight: float, expectation: float) -> float:
    """One game's part of 1/v: g^2 E(1 - E)."""
    return opponent_weight * opponent_weight * max(expectation * (1.0 - expectation), LEAST)


@formula
def slope(x: float, a: float, delta: float, phi: float, v: float, tau: float) -> float:
    """f(x), whose root is the logarithm of the new squared volatility."""
    e = math.exp(x)
    spread = phi * phi + v + e
    return e * (delta * delta - spread) / (2.0 * spread * spread) - (x - a) / (tau * tau)


@formula
def new_volatility(
    sigma: float, delta: float, phi: float, v: float, tau: float, tolerance: float, most_steps: int
) -> float:
    """Step 5, the Illinois form of regula falsi. Not a number if it does not close in `most_steps`."""
    a = math.log(sigma * sigma)
    left = a
    excess = delta * delta - phi * phi - v
    if excess > 0.0:
        right = math.log(excess)
    else:
        right = a - tau
        while slope(right, a, delta, phi, v, tau) < 0.0:
            right -= tau
    f_left, f_right = slope(left, a, delta, phi, v, tau), slope(right, a, delta, phi, v, tau)
    steps = 0
    while abs(right - left) > tolerance:
        if steps == most_steps:
            return math.nan
        middle = left + (left - right) * f_left / (f_right - f_left)
        f_middle = slope(middle, a, delta, phi, v, tau)
        if f_middle * f_right <= 0.0:
            left, f_left = right, f_right
        else:
            f_left /= 2.0
        right, f_right = middle, f_middle
        steps += 1
    return math.exp(left / 2.0)


@formula
def widened(phi: float, sigma: float, periods: float) -> float:
    """phi*: the uncertainty at the start of a period, the volatility added once per period."""
    return math.sqrt(phi * phi + periods * sigma * sigma)


@formula
def variance_after(phi: float, total_information: float) -> float:
    """phi'^2 = 1/(1/phi*^2 + 1/v)."""
    return 1.0 / (1.0 / (phi * phi) + total_information)
