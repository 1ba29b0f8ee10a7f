"""DWZ over a history of tournaments, with ratings for everybody. Ratings stand still until the period ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from crosstable.replay.loops.seats import stand_up, take_seats
from crosstable.systems.dwz.formulas import acceleration, brake, development, factor
from crosstable.systems.elo.formulas import expected
from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.dwz import DwzNumbers, DwzRatings
    from crosstable.replay.periods import Periods, PeriodSeats


@formula
def run(history: Periods, ratings: DwzRatings, numbers: DwzNumbers, seats: PeriodSeats, room: Any) -> None:
    """`room`: one row of numbers for each seat, the score above the expectation. Everybody is an adult."""
    score, first, rating, predictions = history.score, history.first, ratings.rating, ratings.predictions
    ahead = room[0]
    for period in range(len(first) - 1):
        start = first[period]
        taken = take_seats(history, period, seats)
        for seat in range(taken):
            ahead[seat] = 0.0
        for game in range(start, first[period + 1]):
            w, b = seats.white[game - start], seats.black[game - start]
            chance = expected(rating[seats.player[w]] - rating[seats.player[b]], numbers.scale, False)
            if len(predictions) > 0:
                predictions[game] = chance
            ahead[w] += score[game] - chance
            ahead[b] -= score[game] - chance
        for seat in range(taken):
            player = seats.player[seat]
            own, above = rating[player], ahead[seat]
            faster = acceleration(own, False, above, numbers.full, numbers.least_share)
            slower = brake(own, above, numbers.brake_below, numbers.brake_scale)
            e = development(
                own,
                numbers.age_points,
                float(max(ratings.events[player], 1)),
                faster,
                slower,
                numbers.least,
                numbers.most,
                numbers.per_event,
                numbers.most_braked,
            )
            rating[player] = own + factor(numbers.points, e, seats.games[seat]) * above
            ratings.events[player] += 1
        stand_up(seats, taken)


@formula
def expect(white: Integers, black: Integers, rating: Floats, scale: float, predictions: Floats) -> None:
    """Return White's expected score of games to come; no rating changes."""
    for game in range(len(predictions)):
        predictions[game] = expected(rating[white[game]] - rating[black[game]], scale, False)
