"""Each player of a period takes a seat, numbered from 0 in the order in which the players appear in its games.

What a loop works out in a period it keeps by seat, in a few short rows that stay in a core's own memory. A player's
record, which lies anywhere among hundreds of thousands, is then fetched once a period and written once, not once for
every game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from crosstable.systems.formula import formula

if TYPE_CHECKING:
    from crosstable.replay.periods import Periods, PeriodSeats


@formula
def take_seats(history: Periods, period: int, seats: PeriodSeats) -> int:
    """Seats the players of a period; how many they are. Everybody has stood up before."""
    start, taken = history.first[period], 0
    for game in range(start, history.first[period + 1]):
        for side in range(2):
            player = history.white[game] if side == 0 else history.black[game]
            seat = seats.of_player[player] - 1
            if seat < 0:
                seat = taken
                taken += 1
                seats.of_player[player] = taken
                seats.player[seat] = player
                seats.games[seat] = 0
            seats.games[seat] += 1
            if side == 0:
                seats.white[game - start] = seat
            else:
                seats.black[game - start] = seat
    return taken


@formula
def stand_up(seats: PeriodSeats, taken: int) -> None:
    for seat in range(taken):
        seats.of_player[seats.player[seat]] = 0
