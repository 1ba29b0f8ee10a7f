"""Games from an office's database: everything that counts, with the ratings that the office itself gave before each
event.
"""

from __future__ import annotations

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, GameRows, LabGames, NoHistory, arranged
from crosstable.lab.source import FederationGames, Source
from crosstable.replay.history import History
from crosstable.replay.us_chess import RATED, Replayed, replay
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import KEYS, MAIN


def read_office(url: str, pool: str = MAIN) -> Source:
    from crosstable import office

    if pool not in KEYS:
        raise CrosstableError(f"an office keeps the pools {', '.join(KEYS)}, not '{pool}'")
    office.setup(url)
    from crosstable.office.rating import timeline
    from crosstable.office.rating.before import Before
    from crosstable.office.rating.kernel_input import kernel_input
    from crosstable.rulebook import AS_WRITTEN

    sections = [section for section in timeline.sections_from(0) if section.us_chess_keys]
    if not sections:
        raise NoHistory(f"{url}: the office has no rated sections")
    read = kernel_input(sections, Before(0), AS_WRITTEN)
    replayed = replay(read.history, read.before)
    games, event = games_of(read.history, replayed, KEYS.index(pool), pool)
    return Source(url, games, pool, lambda: FederationGames(read.history, event, read.before))


def games_of(history: History, replayed: Replayed, system: int, pool: str) -> tuple[LabGames, Array]:
    """Return the pool's games, each once, and each section's number among the lab's events (-1: of another pool)."""
    counts = (history.sections["first"] == system) | (history.sections["second"] == system)
    if not counts.any():
        raise NoHistory(f"there are no sections in the pool {pool}")
    event = np.where(counts, np.cumsum(counts) - 1, -1)
    section = np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start))
    entry = np.repeat(np.arange(len(section)), np.diff(history.game_start))
    other = history.entry_start[section[entry]] + history.opponent
    once = np.flatnonzero((entry < other) & counts[section[entry]])
    one, two = entry[once], other[once]
    rating, played = (values[np.stack([one, two], axis=1)] for values in _before(history, replayed, section, system))
    ids = np.asarray(history.ids)
    return arranged(
        GameRows(
            sides=(ids[history.entry_player[one]], ids[history.entry_player[two]]),
            score=history.half_points[once] / 2.0,
            colour=np.zeros(len(once)),
            round=np.zeros(len(once)),
            event=event[section[one]],
            day=history.sections["event_end_day"][section[one]],
            start=history.sections["start_day"][section[one]],
            rating=rating,
            played=played,
        )
    ), event


def _before(history: History, replayed: Replayed, section: Array, system: int) -> tuple[Array, Array]:
    """Each entry's rating in the pool before its section (NaN: none), and its games while provisional."""
    second = history.sections["second"][section] == system
    field = np.diff(history.entry_start)[section]
    row = replayed.row_start[section] + np.arange(len(section)) - history.entry_start[section]
    row = np.where(second, row + field, row)
    here = second | (history.sections["first"][section] == system)
    rows = replayed.rows[np.where(here, row, 0)]
    rated = here & (rows["source"] == RATED)
    provisional = rated & (rows["prior_games"] <= provisional_games())
    return np.where(rated, rows["prior"], np.nan), np.where(provisional, rows["prior_games"].astype(float), np.nan)
