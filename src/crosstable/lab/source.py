"""Where a lab's games come from: a folder of history tables, an office's database, or a plain table of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from threading import RLock, local
from typing import Any

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.cautions import Caution
from crosstable.lab.games import Array, LabGames
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.history import History
from crosstable.replay.periods import Periods, Predict
from crosstable.replay.state import States
from crosstable.systems.us_chess.pools import MAIN

#: What depends on who met whom and when, never on results
STRUCTURE = ("first appearance", "opening", "rows of games")
_working_out = RLock()


@dataclass(frozen=True, slots=True)
class FederationGames:
    """The same games as the US Chess replay reads them: whole sections, in every pool."""

    history: History
    event: Array  # each section's number among the lab's events, -1 for one of another pool
    states: States | None = None  # before the first section


@dataclass(frozen=True)
class Source:
    """Games of one pool, and where the US Chess rules find the sections behind them."""

    name: str
    games: LabGames
    pool: str
    build: Callable[[], FederationGames]
    memory: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    cautions: tuple[Caution, ...] = ()
    rooms: local | None = field(default=None, compare=False, repr=False)  # each thread's array, where one is used again

    def remembered(self, name: str, make: Callable[[], Any]) -> Any:
        """Worked out once; with other results only what STRUCTURE names is kept."""
        with _working_out:  # of two threads that ask, one waits for the other
            if name not in self.memory:
                self.memory[name] = make()
        return self.memory[name]

    def reusing_room(self) -> Source:
        """For one who scores predictions and forgets them: a thread's next ones are written over its last ones."""
        return replace(self, rooms=local())

    def room(self) -> Predict:
        """Where to write the predictions: this thread's array, or a new one."""
        if self.rooms is None:
            return True
        if not hasattr(self.rooms, "predictions"):
            self.rooms.predictions = np.zeros(len(self.games))
        found: Floats = self.rooms.predictions
        return found

    @property
    def federation(self) -> FederationGames:
        found: FederationGames = self.remembered("federation", self.build)
        return found

    @property
    def digest(self) -> str:
        """Which data it is."""
        found: str = self.remembered("digest", self.games.digest)
        return found

    def until(self, last: date) -> Source:
        """Cut at a day: tuning gets no more than this."""
        games = self.games.until(last)
        return Source(self.name, games, self.pool, lambda: _cut(self.federation, last), cautions=self.cautions)

    def replaced(self, first: int, seed: int = 1) -> Source:
        """With other results from one game on, to find out whether a predictor looks ahead."""
        event = int(self.games.event[first])
        known = {name: self.memory[name] for name in STRUCTURE if name in self.memory}
        games = self.games.replaced(first, seed)
        return Source(self.name, games, self.pool, lambda: _replaced(self.federation, event, seed), known)

    def shuffled(self, within: str, seed: int = 1) -> tuple[Source, Integers]:
        """With the rows of each event or round in another order, and the rows that they were."""
        games, rows = self.games.shuffled(within, seed)
        return Source(self.name, games, self.pool, lambda: self.federation), rows

    @property
    def first_appearance(self) -> tuple[Array, Floats, Floats]:
        """Every player with a game, and the rating and the games behind it that were published before the first one."""
        found: tuple[Array, Floats, Floats] = self.remembered("first appearance", lambda: _first_appearance(self.games))
        return found

    @property
    def periods(self) -> Periods:
        """The rating periods: the events that end on one day."""
        found: Periods = self.remembered("periods", self.games.periods)
        return found


def _first_appearance(games: LabGames) -> tuple[Array, Floats, Floats]:
    """Places are written from the last game back to the first, so that the first one stays."""
    player = np.stack([games.one, games.two], axis=1).ravel()
    first = np.full(games.players, -1)
    first[player[::-1]] = np.arange(len(player))[::-1]
    found = np.flatnonzero(first >= 0)
    return found, games.rating.ravel()[first[found]], games.played.ravel()[first[found]]


def _cut(federation: FederationGames, last: date) -> FederationGames:
    """Sections stand in rating order, so those up to a day come first."""
    history = federation.history
    count = int(np.searchsorted(history.sections["event_end_day"], last.toordinal(), side="right"))
    entries = int(history.entry_start[count])
    games = int(history.game_start[entries])
    cut = replace(
        history,
        sections=history.sections[:count],
        entry_start=history.entry_start[: count + 1],
        entry_player=history.entry_player[:entries],
        entry_counts=history.entry_counts[:entries],
        entry_facts=None if history.entry_facts is None else history.entry_facts[:entries],
        game_start=history.game_start[: entries + 1],
        opponent=history.opponent[:games],
        half_points=history.half_points[:games],
        adjustments=history.adjustments[history.adjustments["section"] < count],
    )
    return replace(federation, history=cut, event=federation.event[:count])


def _replaced(federation: FederationGames, event: int, seed: int) -> FederationGames:
    """Another result for each game from an event on, in every pool; both players' rows of a game agree."""
    history = federation.history
    later = int(np.argmax(federation.event >= event))
    first = int(history.game_start[history.entry_start[later]])
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    entry = np.repeat(np.arange(len(section)), np.diff(history.game_start))[first:]
    other = history.entry_start[section[entry]] + history.opponent[first:]
    lower = entry < other
    lot = np.random.default_rng(seed).integers(1, 3, len(section))
    steps = lot[np.minimum(entry, other)]  # one of the two says how far the result moves
    half_points = history.half_points.copy()
    own = half_points[first:]
    half_points[first:] = np.where(lower, (own + steps) % 3, (own - steps) % 3)
    return replace(federation, history=replace(history, half_points=half_points))


def read_source(where: str, pool: str = MAIN, *, colours: bool = True) -> Source:
    """Read a source by what it looks like: a folder, a database URL, or a file of games."""
    if "://" in where:
        from crosstable.lab.office_source import read_office

        return read_office(where, pool)
    path = Path(where)
    if path.is_dir():
        from crosstable.lab.folder_source import read_folder

        return read_folder(path, pool)
    if path.is_file():
        from crosstable.lab.table_source import read_table

        return read_table(path, colours=colours)
    raise CrosstableError(
        f"{where}: no such folder or file; give a folder of history tables, a table of games (.csv or .parquet), "
        "or an office's URL such as sqlite:///office.db"
    )
