"""What a replay carries for every player: a row per player and rating system, and the log of match changes behind them.

A row is `model.Rating` in numbers: NaN for no rating, peak, floor or ceiling, -1 for unknown wins, draws or losses.
Match changes hang on a row as a linked log that only grows, so that a row copied earlier stays true.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from crosstable.model import MatchChange, Rating
from crosstable.replay.history import Array, layout
from crosstable.systems.us_chess.pools import KEYS

UNKNOWN = -1  # wins, draws or losses that are unknown
NO_MATCH = -1  # the end of a row's match log

#: A rating. `day` 0: unknown; `last_match`: the newest row of the match log, or NO_MATCH.
STATE = layout(
    {
        np.float64: "rating peak prize_floor ceiling lowered_floor lowered_from",
        np.int32: "games day wins draws losses three_game_events games_above_2200 assigned_games last_match",
        np.bool_: "life_master",
    }
)

#: One match's change; `previous` is the player's match before it in that pool. `since`: with this match, all that
#: happened before that day was forgotten.
MATCH_CHANGE = layout({np.float64: "change", np.int32: "day since previous"})

#: The row of a player without a rating
UNRATED = np.array((*[np.nan] * 6, *[0] * 8, NO_MATCH, False), STATE)


@dataclass(frozen=True, slots=True)
class States:
    """All players' ratings at one moment of a history."""

    ratings: Array  # STATE, [player, pool]
    matches: Array  # MATCH_CHANGE, only ever longer

    def copy(self) -> States:
        return States(self.ratings.copy(), self.matches.copy())

    def rating(self, player: int, pool: int) -> Rating | None:
        """Return a row as a rating record, or None for an unrated player."""
        return record_of(self.ratings[player, pool], self.matches)


def unrated(players: int) -> States:
    """Return the state in which no one has a rating yet."""
    return States(np.full((players, len(KEYS)), UNRATED, STATE), np.zeros(0, MATCH_CHANGE))


def states_of(players: int, records: Iterable[tuple[int, int, Rating]]) -> States:
    """States from rating records: (player, pool, record)."""
    states = unrated(players)
    log: list[tuple[float, int, int, int]] = []
    for player, pool, record in records:
        states.ratings[player, pool] = _row(record, log)
    return States(states.ratings, np.array(log, MATCH_CHANGE))


def _row(record: Rating, log: list[tuple[float, int, int, int]]) -> tuple[Any, ...]:
    last = NO_MATCH
    for match in record.match_changes:
        log.append((match.change, match.date.toordinal(), 0, last))
        last = len(log) - 1
    return (
        record.rating,
        _number(record.peak),
        _number(record.prize_floor),
        _number(record.ceiling),
        _number(record.lowered_floor),
        _number(record.lowered_from),
        record.games or 0,
        record.date.toordinal() if record.date else 0,
        _count(record.wins),
        _count(record.draws),
        _count(record.losses),
        record.three_game_events,
        record.games_above_2200,
        record.assigned_games,
        last,
        record.life_master,
    )


def record_of(row: Any, matches: Array) -> Rating | None:
    """Return a row of STATE as a rating record, or None for an unrated player."""
    if np.isnan(row["rating"]):
        return None
    return Rating(
        rating=float(row["rating"]),
        games=int(row["games"]),
        date=date.fromordinal(int(row["day"])) if row["day"] else None,
        wins=_known(row["wins"]),
        draws=_known(row["draws"]),
        losses=_known(row["losses"]),
        assigned_games=int(row["assigned_games"]),
        three_game_events=int(row["three_game_events"]),
        peak=_some(row["peak"]),
        prize_floor=_some(row["prize_floor"]),
        life_master=bool(row["life_master"]),
        ceiling=_some(row["ceiling"]),
        games_above_2200=int(row["games_above_2200"]),
        match_changes=match_changes(int(row["last_match"]), matches),
        lowered_floor=_some(row["lowered_floor"]),
        lowered_from=_some(row["lowered_from"]),
    )


def match_changes(last: int, matches: Array) -> tuple[MatchChange, ...]:
    """Return a row's matches, the oldest first, from the newest one's place in the log."""
    found = []
    forgotten = 0
    while last != NO_MATCH:
        change, day, since, previous = matches[last].item()
        if day >= forgotten:
            found.append(MatchChange(date.fromordinal(day), change))
        forgotten = max(forgotten, since)
        last = previous
    return tuple(reversed(found))


def _number(value: float | None) -> float:
    return np.nan if value is None else value


def _count(value: int | None) -> int:
    return UNKNOWN if value is None else value


def _some(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _known(value: Any) -> int | None:
    return None if value == UNKNOWN else int(value)
