"""FIDE ratings through a whole history at array speed, rules by each tournament's day."""

from __future__ import annotations

import math
from datetime import date
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, loop
from crosstable.rulebook import Rules
from crosstable.systems.fide import SYSTEM, Fide

Records = NDArray[np.void]

BORN_LONG_AGO = 0  # no birth date: not a junior


#: The dated numbers, one record per period
PERIOD_RULES = np.dtype(
    [
        ("floor", "f8"),
        ("largest", "f8"),
        ("exempt_from", "f8"),
        ("upgrades", "i8"),  # 1: one game of a tournament; 0: every game
        ("mismatch", "f8"),
        ("mismatch_above", "f8"),
        ("imagined", "i8"),
        ("imagined_rating", "f8"),
        ("half_point", "f8"),
        ("most", "f8"),
        ("games", "i8"),
        ("months", "i8"),
        ("year", "i8"),
        ("month", "i8"),  # since year 0
    ]
)
#: One record per player; a rating of 0, or below the floor, is none. `pool_…`: a newcomer's saved games
STATE = np.dtype(
    [
        ("rating", "f8"),
        ("games", "i8"),
        ("ever_2300", "i8"),
        ("ever_2400", "i8"),
        ("birth_year", "i8"),
        ("pool_total", "f8"),
        ("pool_halves", "i8"),
        ("pool_games", "i8"),
        ("pool_month", "i8"),
    ]
)
#: A period's sums, one record per player
TALLY = np.dtype([("total", "i8"), ("uneven", "f8"), ("counted", "i8"), ("halves", "i8"), ("opponents", "f8")])


class KRule(NamedTuple):
    newcomer: int
    newcomer_games: float
    normal: int
    senior: int
    senior_from: float
    junior: int
    junior_age: float
    junior_below: float
    most_points: int


def replay(
    history: Periods,
    system: Fide = SYSTEM,
    rating: ArrayLike | None = None,
    games: ArrayLike | None = None,
    birth_year: ArrayLike | None = None,
    *,
    predictions: Floats | None = None,
    fast: bool = True,
) -> Records:
    """Replay; return the list after the last tournament. `rating`: to begin with (0: none); K's rule is the last day's.

    Before the rulebook's first day its first rules hold. `predictions`: room for every game's expectation before it was
    rated.
    """
    latest = system.rules(_day(history.day[-1], system) if len(history.day) else date.max)
    k_rule = _k_rule(latest)
    states = np.zeros(history.players, dtype=STATE)
    states["birth_year"] = BORN_LONG_AGO if birth_year is None else birth_year
    if rating is not None:
        states["rating"] = np.nan_to_num(np.array(rating, dtype=np.float64))
    if games is not None:
        states["games"] = games
    states["ever_2300"] = states["rating"] >= k_rule.junior_below
    states["ever_2400"] = states["rating"] >= k_rule.senior_from
    loop("fide", fast).run(
        history.white,
        history.black,
        history.score,
        history.first,
        _by_period(history, system),
        k_rule,
        np.array(latest["expected"]["edges"], dtype=np.float64),
        np.array(latest["performance"]["differences"], dtype=np.float64),
        states,
        np.zeros(history.players, dtype=TALLY),
        np.zeros(0) if predictions is None else predictions,
    )
    return states


def _k_rule(rules: Rules) -> KRule:
    """Limits as floats and the Ks themselves as whole numbers: fixed types, one compilation."""
    rule = rules["k"]
    limits = ("newcomer_games", "senior_from", "junior_age", "junior_below")
    found: dict[str, Any] = {name: float(rule[name]) if name in limits else int(rule[name]) for name in KRule._fields}
    return KRule(**found)


def _day(ordinal: Any, system: Fide) -> date:
    return max(date.fromordinal(int(ordinal)), system.book.first)


def expectations(white: Integers, black: Integers, rating: Floats, system: Fide = SYSTEM) -> Floats:
    """Return White's expected score of games to come, by the newest table."""
    rules, predictions = system.latest, np.zeros(len(white))
    edges = np.array(rules["expected"]["edges"], dtype=np.float64)
    loop("fide").expect(white, black, rating, float(rules["floor"]["rating"]), edges, predictions)
    return predictions


def _by_period(history: Periods, system: Fide) -> Records:
    quick = system.pace in ("rapid", "blitz")
    days, period = np.unique(history.day, return_inverse=True)
    found = np.zeros(len(days), dtype=PERIOD_RULES)
    for place, ordinal in enumerate(days):
        found[place] = _on(_day(ordinal, system), system, quick)
    return found[period]


def _on(day: date, system: Fide, quick: bool) -> tuple[float, ...]:
    """Return a period's record, in the order of PERIOD_RULES."""
    rules = system.rules(day)
    largest, newcomer, mismatch = rules["largest_difference"], rules["newcomer"], rules["mismatch"]
    return (
        rules["floor"]["rating"],
        largest["points"],
        math.inf if quick else largest.fields.get("exempt_from", math.inf),
        largest.fields.get("upgrades", 0),
        mismatch["difference"] if quick else math.inf,
        mismatch["above"],
        newcomer["opponents"],
        newcomer["opponents_rating"],
        newcomer["half_point"],
        newcomer.fields.get("most", math.inf),
        newcomer["games"],
        newcomer["months"],
        day.year,
        day.year * 12 + day.month,
    )
