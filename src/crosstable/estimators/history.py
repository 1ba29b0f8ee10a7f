"""Between tables of games and the replay's histories."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from crosstable.estimators.games import FitGames
from crosstable.model import KINDS
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.history import FULL, NO_POOL, SECTION, History, new_players
from crosstable.replay.state import States
from crosstable.systems.us_chess.pools import KEYS

if TYPE_CHECKING:
    from crosstable.estimators.base import FittedState
    from crosstable.replay.us_chess import Replayed


def history_of_games(games: FitGames, pool: int) -> tuple[History, Integers]:
    """Each period as one section; and for each game where White's side of it stands in the history."""
    count, players, total = len(games.first) - 1, len(games.players), len(games.score)
    period = np.tile(np.repeat(np.arange(count), np.diff(games.first)), 2)
    key = period * players + np.concatenate([games.white, games.black])
    entries, entry = np.unique(key, return_inverse=True)
    entry_start = np.searchsorted(entries, np.arange(count + 1) * players)
    facing = np.concatenate([entry[total:], entry[:total]]) - entry_start[period]
    half_points = np.concatenate([2 * games.score, 2 - 2 * games.score]).astype(np.int8)
    order = np.argsort(entry, kind="stable")
    place = np.empty(2 * total, np.int64)
    place[order] = np.arange(2 * total)
    history = History(
        sections=_sections(games, pool),
        entry_start=entry_start.astype(np.int64),
        entry_player=(entries % max(players, 1)).astype(np.int32),
        entry_counts=np.zeros(len(entries), np.bool_),
        game_start=np.searchsorted(entry[order], np.arange(len(entries) + 1)).astype(np.int64),
        opponent=facing[order].astype(np.int32),
        half_points=half_points[order],
        players=new_players(players),
        ids=games.players,  # type: ignore[arg-type]  # a polars series is a sequence in all that counts here
    )
    return history, place[:total]


def _sections(games: FitGames, pool: int) -> Any:
    sections = np.zeros(len(games.first) - 1, SECTION)
    days = games.day[games.first[:-1]]
    for name in ("start_day", "end_day", "event_end_day"):
        sections[name] = days
    sections["first"], sections["second"] = pool, NO_POOL
    sections["kind"], sections["weight"] = KINDS.index("swiss"), FULL
    return sections


def games_of_history(history: History) -> tuple[FitGames, Integers]:
    """Each game once, from the side that stands first; and where that side stands in the history."""
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    entry = np.repeat(np.arange(len(history.entry_player)), np.diff(history.game_start))
    opponent = history.entry_start[section[entry]] + history.opponent
    side = np.flatnonzero(entry < opponent)
    mine, theirs = entry[side], opponent[side]
    games = FitGames(
        players=pl.Series("player", list(history.ids)),
        white=history.entry_player[mine].astype(np.int64),
        black=history.entry_player[theirs].astype(np.int64),
        score=history.half_points[side] / 2.0,
        day=history.sections["end_day"][section[mine]].astype(np.int64),
        first=np.searchsorted(section[mine], np.arange(len(history.sections) + 1)).astype(np.int64),
        order=np.arange(len(side)),
        dated=True,
        pandas=False,
    )
    return games, side


def known_ratings(
    states: States, games: FitGames, newcomer: Callable[[dict[str, Any], date], float], pool: int
) -> Floats:
    """Return all ratings in a pool; a player without one gets an initial rating, from other pools where there
    are any.
    """
    known = len(states.ratings)
    rating = np.full(len(games.players), np.nan)
    rating[:known] = states.ratings["rating"][:, pool]
    day = date.fromordinal(int(games.day.max())) if len(games.day) else date.max
    here = np.unique(np.concatenate([games.white, games.black]))
    unrated = here[np.isnan(rating[here])]
    elsewhere = [who for who in unrated if who < known and not np.isnan(states.ratings["rating"][who]).all()]
    if len(unrated):
        rating[unrated] = newcomer({}, day)
    for who in elsewhere:
        records = {
            key: record for place, key in enumerate(KEYS) if (record := states.rating(int(who), place)) is not None
        }
        rating[who] = newcomer(records, day)
    return rating


def rows_of_steps(games: FitGames, steps: Iterable[FittedState]) -> dict[str, Any]:
    """Return each player's rating after every period with games, as columns."""
    names = ("period", "day", "player", "rating", "deviation", "volatility", "games")
    parts: dict[str, list[Any]] = {name: [] for name in names}
    for period, state in enumerate(steps):
        rows = slice(games.first[period], games.first[period + 1])
        who = np.unique(np.concatenate([games.white[rows], games.black[rows]]))
        parts["period"].append(np.full(len(who), period))
        parts["day"].append(np.full(len(who), games.day[rows.start]))
        parts["player"].append(who)
        for name in ("rating", "deviation", "volatility", "games"):
            values = getattr(state, name)
            if values is not None:
                parts[name].append(values[who])
    return {name: np.concatenate(part) for name, part in parts.items() if part}


def rows_of_replay(history: History, done: Replayed) -> dict[str, Any]:
    """Return the same of a US Chess replay: a row for each player, section and pool."""
    count = np.diff(done.row_start)
    section = np.repeat(np.arange(len(count)), count)
    entries = np.diff(history.entry_start)[section]
    seat = (np.arange(len(section)) - done.row_start[section]) % np.maximum(
        entries, 1
    )  # its first pool, then its second
    player = history.entry_player[history.entry_start[section] + seat].astype(np.int64)
    kept = ~np.isnan(done.rows["post"])
    rows = done.rows[kept]
    return {
        "period": section[kept],
        "day": history.sections["end_day"][section[kept]].astype(np.int64),
        "player": player[kept],
        "pool": np.array(KEYS)[rows["pool"]],
        "rating": rows["post"],
        "games": rows["post_games"],
    }
