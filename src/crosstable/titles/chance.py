"""Appendix A of the 1996 report: the probability of a title in N events, and the Delta that a chance p gives (5.2).

An event earns at least k norms with probability p^k, so exactly 0, 1, …, 5 with 1-p, p-p², …, p⁴-p⁵, p⁵.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

from crosstable.errors import CrosstableError

#: Norms for a title; appendix A is written for five
NORMS = 5


def norm_distribution(p: float, norms: int = NORMS) -> list[float]:
    """Return the probabilities of earning exactly 0, 1, …, `norms` norms in one event."""
    if not 0 <= p <= 1:
        raise CrosstableError(f"p = {p:g} is not a probability: it must be between 0 and 1")
    return [p**k - p ** (k + 1) for k in range(norms)] + [p**norms]


def title_chance(p: float, events: int, norms: int = NORMS) -> float:
    """P_T(N), by convolution: the running total of norms, kept below five, one event after another."""
    return title_chance_from(norm_distribution(p, norms), events)


def title_chance_from(once: Sequence[float], events: int) -> float:
    """Return the same for any probabilities of earning exactly 0, 1, …, 5 norms in one event."""
    if events < 0:
        raise CrosstableError(f"{events} events: the number must be 0 or more")
    norms = len(once) - 1
    short = [1.0] + [0.0] * (norms - 1)  # the chance of having 0, 1, …, 4 norms
    for _ in range(events):
        short = [math.fsum(short[j] * once[total - j] for j in range(total + 1)) for total in range(norms)]
    return 1.0 - math.fsum(short)


def title_chance_multinomial(p: float, events: int) -> float:
    """P_T(N) = 1 - the multinomial probabilities over A^c, as the appendix prints it."""
    once = norm_distribution(p)
    return 1.0 - math.fsum(_multinomial(counts, once) for counts in _without_title(events))


def _without_title(events: int) -> list[tuple[int, ...]]:
    """A^c: (x0, …, x5) with 0·x0 + 1·x1 + … + 5·x5 < 5."""
    found: list[tuple[int, ...]] = []
    for x1 in range(NORMS):
        for x2 in range(3):
            for x3 in range(2):
                for x4 in range(2):
                    x0 = events - x1 - x2 - x3 - x4
                    if x1 + 2 * x2 + 3 * x3 + 4 * x4 < NORMS and x0 >= 0:
                        found.append((x0, x1, x2, x3, x4, 0))
    return found


def _multinomial(counts: Sequence[int], chances: Sequence[float]) -> float:
    ways = math.factorial(sum(counts)) // math.prod(math.factorial(count) for count in counts)
    return ways * math.prod(chance**count for chance, count in zip(chances, counts, strict=True))


def chance_of_a_norm(wanted: float, events: int) -> float:
    """Return the p with P_T(N) = wanted, by bisection to the last bit."""
    if not 0 < wanted < 1:
        raise CrosstableError(f"a chance of {wanted:g} cannot be aimed at: it must lie strictly between 0 and 1")
    if events < 1:
        raise CrosstableError(f"{events} events: there must be at least one")
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        if title_chance(middle, events) < wanted:
            low = middle
        else:
            high = middle
    return high


def delta(p: float, norms: int, spread: float = 0.5) -> float:
    """Delta per root of a game for that many norms: the margin that a player of level Y exceeds with probability p^k.

    The score of n games is taken as normal, its standard deviation `spread` times the root of n (0.5 fits the print).
    """
    if not 0 < p < 1:
        raise CrosstableError(f"p = {p:g}: Delta needs a probability strictly between 0 and 1")
    return spread * NormalDist().inv_cdf(1 - p**norms)


def delta_schedule(p: float, spread: float = 0.5) -> list[float]:
    """Delta for 1, 2, 3, 4 norms and the title."""
    return [delta(p, norms, spread) for norms in range(1, NORMS + 1)]
