"""K of sections 4.2 and 4.3 of the 1996 report, and the expectancy that it multiplies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from crosstable.errors import CrosstableError
from crosstable.rulebook import Rules

#: 4.3 as the motion asks; 4.2; and 4.2 with 800/(N+m), "the topic of recent discussion"
LOW_RATED, FIRST_FORM, ALTERNATIVE = "4.3", "4.2", "800"
FORMS = (LOW_RATED, FIRST_FORM, ALTERNATIVE)

#: Beyond ten to this power a float overflows, and the expectancy has long been 0 or 1
LIMIT = 300.0


def expectancy(scale: float, rating: float, opponent: float) -> float:
    """We: the expected score of one game."""
    apart = min(max((opponent - rating) / scale, -LIMIT), LIMIT)
    return 1.0 / (1.0 + math.pow(10.0, apart))


def expected_score(scale: float, rating: float, opponents: Sequence[float]) -> float:
    return math.fsum(expectancy(scale, rating, opponent) for opponent in opponents)


def banded(bands: Sequence[Mapping[str, float]], rating: float) -> float:
    """32, 24 or 16 by the pre-event rating."""
    return next(float(band["k"]) for band in bands if rating < band.get("below", math.inf))


def adjusted_games(rules: Rules, rating: float, games: float) -> float:
    """N* = min(N, max(8, 0.02 R)) (4.3)."""
    rule = rules["k_low_rated"]
    return float(min(games, max(rule["fewest_games"], rule["per_point"] * rating)))


def k_factor(rules: Rules, rating: float, games: int | None, rounds: int, form: str = LOW_RATED) -> float:
    """K for a rating R on N games before an event of m games. `games` None: established, on more games than matter.

    Readings 16: below 1000 with N* + m > 20 the print of 4.3 has no value, and the 32 of 4.2 stands.
    """
    if form not in FORMS:
        raise CrosstableError(f"no K of form '{form}': choose one of {', '.join(FORMS)}")
    rule = rules["k_factor"]
    counted = math.inf if games is None else float(games)
    if form == LOW_RATED:
        counted = adjusted_games(rules, rating, counted)
    if counted + rounds > rule["provisional_limit"]:
        return banded(rule["bands"], rating)
    if form == ALTERNATIVE:
        return float(rule["alternative_numerator"] / (counted + rounds))
    return float(rule["provisional_numerator"] / (counted + rounds - 1))
