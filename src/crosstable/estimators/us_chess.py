"""US Chess for a data frame: the compiled replay, from games, events, history tables or a history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from crosstable.errors import NoRulesOnDate, WrongValue
from crosstable.estimators.base import Estimator, FittedState
from crosstable.estimators.fitted import Fitted
from crosstable.extras import needed_for
from crosstable.formats.base import Reading
from crosstable.model import Event, Player
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems.us_chess import UsChess as UsChessSystem
from crosstable.systems.us_chess.pools import BY_KEY, KEYS, MAIN, key_of

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats
    from crosstable.replay.history import History
    from crosstable.replay.state import States
    from crosstable.replay.us_chess import Replayed

#: A time control for one game in a pool, by the pool's speed
CONTROLS = {"regular": "G/90;d5", "quick": "G/20;d5", "blitz": "G/5;d0"}


@dataclass(frozen=True, slots=True)
class Replay:
    """What a fit keeps: the sections, and what each of them did."""

    history: History
    done: Replayed

    @property
    def states(self) -> States:
        return self.done.states


@dataclass(frozen=True)
class UsChess(Estimator):
    """US Chess, with the rules in force on each game's date. `profile`: "as-written" or "as-practised".

    `pool` is what games from a frame are rated in; events and history tables bring their own.

    >>> from crosstable import Rating, UsChess
    >>> ann, bob = UsChess().update(Rating(1500, games=40), Rating(1500, games=40), 1, on="2025-08-02")
    >>> round(ann.rating, 2), ann.games, round(bob.rating, 2)
    (1521.28, 41, 1478.72)
    """

    profile: str = AS_WRITTEN
    pool: str = MAIN
    needs: ClassVar[tuple[str, ...]] = ("games",)

    def __post_init__(self) -> None:
        if isinstance(self.pool, str):  # also by name: "quick"
            object.__setattr__(self, "pool", key_of(self.pool) or self.pool)
        for name, value, known in (("profile", self.profile, PROFILES), ("pool", self.pool, KEYS)):
            if value not in known:
                raise WrongValue(f"{name}: expected one of {', '.join(known)}, found {value!r}")

    @property
    def system(self) -> UsChessSystem:
        return UsChessSystem()

    def fit(self, games: Any, **columns: Any) -> Fitted:
        """Rate a table of games, events, history tables (a folder, or the three frames), or a history.

        Players are carried from event to event by id. A table of games is as for every estimator, one section a day.
        """
        with needed_for("fit"):
            from crosstable.estimators.columns import from_arrow

            games = from_arrow(games)
            games = list(games) if isinstance(games, Iterator) else games  # it is looked at twice
            history, states = _history(games, self.profile)
            if history is None:
                return super().fit(games, **columns)
            return self._fit_history(history, states)

    def _fit_history(self, history: History, states: States | None) -> Fitted:
        from crosstable.estimators.games import GameColumns
        from crosstable.estimators.history import games_of_history
        from crosstable.replay.us_chess import predictions, replay

        done = replay(history, states, profile=self.profile)
        games, side = games_of_history(history)
        expected = predictions(history, done, profile=self.profile)[side]
        return Fitted(replace(self), games, self._state(Replay(history, done)), expected, GameColumns())

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.estimators.history import history_of_games
        from crosstable.replay.us_chess import predictions, replay

        self._need_rules(games, "rates")
        history, side = history_of_games(games, KEYS.index(self.pool))
        done = replay(history, profile=self.profile)
        return self._state(Replay(history, done)), predictions(history, done, profile=self.profile)[side]

    def _need_rules(self, games: FitGames, does: str) -> None:
        """Every game needs a date, and the first of them rules; the games stand in order of days."""
        if not games.dated:
            raise WrongValue(f"US Chess {does} by the rules of a date: the games need a column 'date'")
        if len(games.day):
            try:
                self.system.rules(date.fromordinal(int(games.day[0])), self.profile)
            except NoRulesOnDate as error:
                raise NoRulesOnDate(f"date, row {games.order[0]}: {error}") from None

    def _state(self, found: Replay) -> FittedState:
        rows = found.states.ratings[:, KEYS.index(self.pool)]
        return FittedState(rows["rating"], rows["games"], rows["day"], extra=found)

    def _history(self, games: FitGames, state: FittedState) -> dict[str, Any]:  # noqa: ARG002 - as in Estimator
        from crosstable.estimators.history import rows_of_replay

        return rows_of_replay(state.extra.history, state.extra.done)

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        from crosstable.estimators.history import known_ratings
        from crosstable.replay.rules import rules_in_force
        from crosstable.replay.us_chess import expectations

        self._need_rules(games, "predicts")
        rating = known_ratings(state.extra.states, games, self._newcomer, KEYS.index(self.pool))
        table = rules_in_force(self.profile)
        return expectations(table.rows, table.in_force(games.day), rating[games.white], rating[games.black])

    def _newcomer(self, ratings: dict[str, Any], day: Any) -> float:
        return self.system.start(Player(0, "", ratings=ratings), day, self.pool).rating

    def _columns(self, state: FittedState, players: Any) -> dict[str, Any]:
        """One row per player and pool."""
        import numpy as np

        table = state.extra.states.ratings
        player, pool = np.nonzero(~np.isnan(table["rating"]))
        rows = table[player, pool]
        return {
            "player": players[player],
            "pool": np.array(KEYS)[pool],
            "rating": rows["rating"],
            "games": rows["games"],
            "last": rows["day"],
        }

    def _one_game(self) -> dict[str, Any]:
        pool = BY_KEY[self.pool]
        return {"time_control": CONTROLS[pool.speed], "mode": pool.mode}

    def _rate(self, event: Event) -> Any:
        return self.system.rate(event, self.profile).answers


def _history(games: Any, profile: str) -> tuple[History | None, States | None]:
    """Return a history from anything that is one; (None, None) for a table of games."""
    from crosstable.replay.history import History

    if isinstance(games, History):
        return games, None
    if isinstance(games, str | Path):
        from crosstable.replay.tables import TABLES, read_tables

        if not Path(games).is_dir():
            words = f"'{games}' is not a folder of history tables ({', '.join(f'{name}.parquet' for name in TABLES)})"
            raise WrongValue(
                f"games: {words}. Read a table of games first: fit(polars.read_csv(…)); an event: fit([read(…)])"
            )
        return read_tables(Path(games)).history, None
    if isinstance(games, tuple) and len(games) == 3 and all(hasattr(part, "columns") for part in games):
        from crosstable.replay.tables import from_tables

        return from_tables(*games).history, None
    events = _events(games)
    if events is None:
        return None, None
    from crosstable.replay.from_event import history_of_events

    return history_of_events(events, profile)


def _events(games: Any) -> list[Event] | None:
    """Events (or what `read` gives of them), or None."""
    if isinstance(games, Event | Reading):
        games = [games]
    if not isinstance(games, Iterable) or hasattr(games, "columns") or isinstance(games, dict):
        return None
    found = [item.event if isinstance(item, Reading) else item for item in games]
    return found if found and all(isinstance(item, Event) for item in found) else None
