"""Whole-History Rating (Coulom 2008): Newton steps for one player's strengths on all days, everybody else's held.

A player's days lie side by side in `r` (the logarithm of a strength); day d's games are `game_start[d]` to
`game_start[d + 1]`, each with the place of the opponent's day. The Hessian of one player is tridiagonal, so a step
takes time by the number of days.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.arrays import Floats, Integers
    from crosstable.replay.whole_history import PlayerDays, WholeNumbers

LARGEST = 2.0  # of a step in r


@formula
def step(player: int, count: int, days: PlayerDays, r: Floats, numbers: WholeNumbers, room: Any) -> float:
    """One Newton step of the first `count` days of a player; the largest part of its gradient.

    Paper, section 3: the gradient and Hessian of the games, of the Wiener process between days, and of the virtual
    games on the first day. `room`: five rows as long as a player's days: diagonal, gradient, off-diagonal, and the
    elimination's two.
    """
    begin = days.day_start[player]
    diagonal, gradient, link = room[0], room[1], room[2]
    largest = 0.0
    for place in range(count):
        day = begin + place
        own = r[day]
        slope = curve = 0.0
        for game in range(days.game_start[day], days.game_start[day + 1]):
            chance = 1.0 / (1.0 + math.exp(r[days.opponent[game]] - own))
            slope += days.score[game] - chance
            curve += chance * (1.0 - chance)
        if place == 0:
            chance = 1.0 / (1.0 + math.exp(-own))
            slope += numbers.prior * (0.5 - chance)
            curve += numbers.prior * chance * (1.0 - chance)
        link[place] = 0.0
        if place + 1 < count:
            link[place] = 1.0 / (numbers.drift * (days.day[day + 1] - days.day[day]))
            slope -= link[place] * (own - r[day + 1])
            curve += link[place]
        if place > 0:
            slope -= link[place - 1] * (own - r[day - 1])
            curve += link[place - 1]
        diagonal[place], gradient[place] = curve, slope
        largest = max(largest, abs(slope))
    eliminate(count, room)
    for place in range(count):
        r[begin + place] += min(max(room[4][place], -LARGEST), LARGEST)
    return largest


@formula
def eliminate(count: int, room: Any) -> None:
    """Solve the tridiagonal system; the step is left in room[4], the pivots in room[3]."""
    diagonal, gradient, link, pivot, found = room[0], room[1], room[2], room[3], room[4]
    pivot[0], found[0] = diagonal[0], gradient[0]
    for place in range(1, count):
        share = link[place - 1] / pivot[place - 1]
        pivot[place] = diagonal[place] - share * link[place - 1]
        found[place] = gradient[place] + share * found[place - 1]
    found[count - 1] /= pivot[count - 1]
    for place in range(count - 2, -1, -1):
        found[place] = (found[place] + link[place] * found[place + 1]) / pivot[place]


@formula
def sweep(days: PlayerDays, known: Integers, r: Floats, numbers: WholeNumbers, room: Any) -> float:
    """One step of everybody with a day so far, in order; the largest part of a gradient before it."""
    largest = 0.0
    for player in range(len(known)):
        if known[player] > 0:
            largest = max(largest, step(player, known[player], days, r, numbers, room))
    return largest


@formula
def settle(days: PlayerDays, known: Integers, r: Floats, numbers: WholeNumbers, room: Any, variance: Floats) -> None:
    """Sweep until no gradient is larger than `close`; then the variance of everybody's last day, others held."""
    for _ in range(numbers.most_sweeps):
        if sweep(days, known, r, numbers, room) < numbers.close:
            break
    for player in range(len(known)):
        if known[player] > 0:
            step(player, known[player], days, r, numbers, room)
            variance[player] = 1.0 / room[3][known[player] - 1]


@formula
def run(
    white: Integers,
    black: Integers,
    first: Integers,
    day: Integers,
    days: PlayerDays,
    known: Integers,
    r: Floats,
    numbers: WholeNumbers,
    room: Any,
    predictions: Floats,
) -> None:
    """Day by day: predict, then let the players' new day begin where the last one was, and take a step each.

    Players step in the order of their numbers: the order of the games may not count.
    """
    swept = day[0] if len(day) > 0 else 0
    for period in range(len(first) - 1):
        if day[period] - swept >= numbers.refit:
            sweep(days, known, r, numbers, room)
            swept = day[period]
        for game in range(first[period], first[period + 1]):
            own, other = latest(white[game], days, known, r), latest(black[game], days, known, r)
            predictions[game] = 1.0 / (1.0 + math.exp(other - own))
        for place in range(days.period_start[period], days.period_start[period + 1]):
            player = days.players[place]
            r[days.day_start[player] + known[player]] = latest(player, days, known, r)
            known[player] += 1
        for place in range(days.period_start[period], days.period_start[period + 1]):
            player = days.players[place]
            step(player, known[player], days, r, numbers, room)


@formula
def latest(player: int, days: PlayerDays, known: Integers, r: Floats) -> float:
    """Return a player's strength on the last day so far; a newcomer's is 0."""
    if known[player] == 0:
        return 0.0
    found: float = r[days.day_start[player] + known[player] - 1]
    return found
