"""The US Chess rules as a predictor: the whole federation is replayed, and a game's chance is that of the ratings
before it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, LabGames
from crosstable.lab.predictors.base import Predictor, Settings, TunedParameter
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.predictors.systems import OPENING, SLOPE, steeper
from crosstable.lab.source import FederationGames, Source
from crosstable.replay.arrays import Flags, Floats
from crosstable.replay.history import ADJUSTABLE, ADJUSTMENT, History
from crosstable.replay.rules import RuleTable
from crosstable.replay.us_chess import Replayed, replay
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import KEYS

#: Games of an established rating that opens a record: above every effective number of games
MANY = 60


def replayed_ratings(source: Source, rules: RuleTable | None = None, opening: bool = False) -> Replayed:
    """Return the federation behind a source, replayed under the rules of each day or under others."""
    federation = source.federation
    history = opened(source, federation) if opening else federation.history
    return replay(history, federation.states, rules=rules)


def opened(source: Source, federation: FederationGames) -> History:
    """Return the history with each player's first published rating in the pool, as if they had brought it to that
    section.

    Not earlier: a rating in one pool opens those in others, and a player may have played there before it was known.
    """
    games, history = source.games, federation.history
    found, rating, played = source.first_appearance
    known = np.flatnonzero(~np.isnan(rating))
    section = np.zeros(int(games.event.max()) + 1, np.int64)
    here = np.flatnonzero((federation.event >= 0) & (federation.event < len(section)))
    section[federation.event[here]] = here
    established = np.isnan(played[known])
    unknown = np.full(len(known), np.nan)
    values = {
        "rating": rating[known],
        "games": np.where(established, MANY, played[known]),
        "wins": unknown,
        "draws": unknown,
        "losses": unknown,
        "peak": np.where(established, rating[known], np.nan),
    }
    orders = np.zeros((len(known), len(values)), ADJUSTMENT)
    orders["section"] = section[_first_events(games)[found[known]]][:, None]
    orders["player"] = _places(federation, games)[found[known]][:, None]
    orders["pool"] = KEYS.index(source.pool)
    for place, (name, value) in enumerate(values.items()):
        orders["field"][:, place], orders["value"][:, place] = ADJUSTABLE.index(name), value
    every = np.concatenate([orders.ravel(), history.adjustments])
    return replace(history, adjustments=every[np.argsort(every["section"], kind="stable")])


def _first_events(games: LabGames) -> Array:
    """Return the event of each player's first game; events stand in their order."""
    one, two = (np.full(games.players, np.iinfo(np.int64).max) for _ in range(2))
    one[games.one[::-1]], two[games.two[::-1]] = games.event[::-1], games.event[::-1]
    return np.asarray(np.minimum(one, two))


def _places(federation: FederationGames, games: LabGames) -> Array:
    """Return the federation's number of each of the lab's players."""
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


def provisional_before(source: Source, replayed: Replayed) -> Flags:
    """Whether each player of each game is provisional or unrated: as published, or else as the replay has it."""
    games = source.games
    if games.has_ratings:
        return np.asarray(~np.isnan(games.played) | np.isnan(games.rating))
    row, here, there = source.remembered("rows of games", lambda: _rows_of_games(source, replayed.row_start))
    played = np.where(here, replayed.rows["prior_games"][row], replayed.rows["post_games"][row])
    return np.asarray(~there | (played <= provisional_games()))


def _rows_of_games(source: Source, row_start: Array) -> tuple[Array, Array, Array]:
    """For both players of each game: the row of their section or of the last one before, which of the two, and whether
    any.
    """
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


def _numbers(federation: FederationGames, games: LabGames) -> Array:
    """Return the lab's number of each of the federation's players; past the end for one without a game in the pool."""
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
    (OPENING, SLOPE, TunedParameter("white", 0.0, 0.0, 80.0, "points for White, where the colours are known")),
)
