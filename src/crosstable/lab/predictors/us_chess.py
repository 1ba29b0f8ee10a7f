"""The US Chess rules as a predictor: the whole federation is replayed, and a game's chance is that of the ratings before it."""

from __future__ import annotations

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, Games
from crosstable.lab.predictors.base import Parameter, Predictor, Settings
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.predictors.systems import OPENING, SLOPE, steeper
from crosstable.lab.source import Federation, Source
from crosstable.replay.arrays import Floats
from crosstable.replay.rules import RuleTable
from crosstable.replay.state import States, unrated
from crosstable.replay.us_chess import Replayed, replay
from crosstable.systems.us_chess.pools import KEYS

#: Games of an established rating that opens a record: above every effective number of games
MANY = 60


def replayed_ratings(source: Source, rules: RuleTable | None = None, opening: bool = False) -> Replayed:
    """The federation behind a source, replayed under the rules of each day or under others."""
    federation = source.federation
    states = opened(source, federation) if opening else federation.states
    return replay(federation.history, states, rules=rules)


def opened(source: Source, federation: Federation) -> States:
    """Everybody's first published rating in the pool, as if they had brought it."""
    games, pool = source.games, KEYS.index(source.pool)
    states = (federation.states or unrated(len(federation.history.players))).copy()
    found, rating, played = source.first_appearance
    known = ~np.isnan(rating)
    place = _places(federation, games)[found[known]]
    rows = states.ratings[place, pool]
    rows["rating"] = rating[known]
    rows["games"] = np.where(np.isnan(played[known]), MANY, played[known])
    rows["wins"] = rows["draws"] = rows["losses"] = -1
    rows["peak"] = np.where(np.isnan(played[known]), rating[known], np.nan)
    states.ratings[place, pool] = rows
    return states


def _places(federation: Federation, games: Games) -> Array:
    """The federation's number of each of the lab's players."""
    ids = np.asarray(federation.history.ids)
    order = np.argsort(ids)
    return order[np.searchsorted(ids[order], games.ids)]


def ratings_before(source: Source, replayed: Replayed) -> Floats:
    """Both players' ratings before each game (games, 2), NaN for none.

    In a section that no rule rates, a player has the rating of the section before it.
    """
    row, here, there = source.remembered("rows of games", lambda: _rows_of_games(source, replayed.row_start))
    rows = replayed.rows
    return np.where(there, np.where(here, rows["prior"][row], rows["post"][row]), np.nan)


def _rows_of_games(source: Source, row_start: Array) -> tuple[Array, Array, Array]:
    """For both players of each game: the row of their section or of the last one before, which of the two, and whether any."""
    games, federation = source.games, source.federation
    history, pool = federation.history, KEYS.index(source.pool)
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    here = federation.event[section] >= 0
    second = history.sections["second"][section] == pool
    row = row_start[section] + np.arange(len(section)) - history.entry_start[section]
    row = np.where(second, row + np.diff(history.entry_start)[section], row)[here]
    player = _numbers(federation, games)[history.entry_player[here]]
    width = np.int64(games.event.max()) + 2
    key = player * width + federation.event[section[here]]
    order = np.argsort(key)
    key, row = key[order], row[order]
    sides = np.stack([games.one, games.two], axis=1) * width + games.event[:, None]
    place = np.searchsorted(key, sides, side="right") - 1
    there = (place >= 0) & (key[place] // width == sides // width)
    return row[place], key[place] == sides, there


def _numbers(federation: Federation, games: Games) -> Array:
    """The lab's number of each of the federation's players; past the end for one without a game in the pool."""
    ids = np.asarray(federation.history.ids)
    place = np.searchsorted(games.ids, ids)
    known = place < games.players
    known[known] = games.ids[place[known]] == ids[known]
    return np.where(known, place, games.players).astype(np.int64)


def _predict(source: Source, settings: Settings) -> Floats:
    if source.pool not in KEYS:
        raise CrosstableError(f"the US Chess rules keep the pools {', '.join(KEYS)}, not '{source.pool}'")
    before = ratings_before(source, replayed_ratings(source, opening=settings["opening"] >= 0.5))
    difference = before[:, 0] - before[:, 1] + np.where(source.games.white, settings["white"], 0.0)
    return steeper(logistic(np.where(np.isnan(difference), 0.0, difference)), settings["slope"])


US_CHESS = Predictor(
    "us_chess",
    "US Chess",
    _predict,
    (OPENING, SLOPE, Parameter("white", 0.0, 0.0, 80.0, "points for White, where the colours are known")),
)
