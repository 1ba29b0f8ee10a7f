"""What a result would do, and what a rating takes, in any system: the games are rated as an event of one player.

US Chess has an estimator of its own (`systems/us_chess/estimate.py`), which shows more of its work.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.systems.protocol import RatingSystem
from crosstable.systems.what_if import RESULTS

#: What is assumed of an opponent of whom only the rating is known: a player with a settled rating
SETTLED_GAMES, SETTLED_DEVIATION, SETTLED_SIGMA = 50, 50.0, 0.4
#: A time control of each pace, the slowest first
PACES = ("G/60;d5", "G/15;+10", "G/3;+2")
#: A rating below this is one of ranks (3d is 3.5), not of points
RANKS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A score, and the rating that it gives."""

    score: float
    before: Rating
    after: Rating
    expected: float


def settled(system: RatingSystem, rating: float, day: date, pool: str) -> Rating:
    """Return the record of a player of whom only the rating is known."""
    known = Rating(rating, games=SETTLED_GAMES, date=day)
    if "deviation" in system.record:
        known = replace(known, deviation=SETTLED_DEVIATION)
    if "volatility" in system.record:
        known = replace(known, volatility=system.start(Player(1, "1"), day, pool).volatility)
    sigma = SETTLED_SIGMA if abs(rating) < RANKS else SETTLED_DEVIATION
    return replace(known, sigma=sigma) if "sigma" in system.record else known


def estimate(
    system: RatingSystem, own: Rating, opponents: Sequence[Rating], results: Sequence[float], day: date, pool: str
) -> Estimate:
    """Return what these results (1, 0.5 or 0 against each opponent) make of a rating."""
    entrants = [Player(number, str(number), ratings={pool: one}) for number, one in enumerate((own, *opponents), 1)]
    games = tuple(Game(place, 1, place + 1, RESULTS[result]) for place, result in enumerate(results, start=1))
    event = _event(system, tuple(entrants), games, day, pool)
    rated = system.rate(event)
    after = next(one.state for one in rated.answers if one.number == 1 and one.pool == pool)
    expected = sum(system.expect(own, one) for one in opponents)
    return Estimate(score=sum(results), before=own, after=after, expected=expected)


def _event(system: RatingSystem, entrants: tuple[Player, ...], games: tuple[Game, ...], day: date, pool: str) -> Event:
    """Return an event of one section that is rated in the pool."""
    for control in PACES:
        section = Section(1, "", day, day, entrants, games, colors=False, time_control=control)
        event = Event("", day, day, (section,))
        if pool in system.pools_of(event, section):
            break
    return event


def outcomes(
    system: RatingSystem, own: Rating, opponents: Sequence[Rating], day: date, pool: str, *, draws: bool = True
) -> tuple[Estimate, ...]:
    """Return an estimate for each score that is possible, the lowest first. `draws`: whether the game has them.

    Where a system looks at single games, points count as scored against the weakest opponents first.
    """
    order = sorted(range(len(opponents)), key=lambda place: opponents[place].rating)
    found = []
    for halves in range(0, 2 * len(opponents) + 1, 1 if draws else 2):
        results = [0.0] * len(opponents)
        for rank, place in enumerate(order):
            results[place] = min(max(halves - 2 * rank, 0), 2) / 2
        found.append(estimate(system, own, opponents, results, day, pool))
    return tuple(found)


def needed_for(target: float, outcomes_: Sequence[Estimate]) -> Estimate | None:
    """Return the lowest score that reaches a rating; None where no score does."""
    return next((one for one in outcomes_ if one.after.rating >= target), None)
