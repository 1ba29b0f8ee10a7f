"""The lab's made-up federation (`crosstable.lab.simulation`) as a history for the benchmarks.

Two hundred thousand people are a hundred regions of two thousand, whose players meet each other: a region is one
simulation, and its events stand among the others' by date. All kinds of events are held, in the pools of their day;
`TURNOUT` makes sections about as large as those of the published crosstables (15 entries, 31 games).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache

import numba
import numpy as np

from crosstable.errors import UnknownPool
from crosstable.lab.calendar import CalendarRow
from crosstable.lab.setting import SimulationSetting
from crosstable.lab.simulation import SimulatedSeason, play
from crosstable.model import KINDS as FORMS
from crosstable.replay.history import FULL, NO_POOL, SECTION, Array, History, new_players
from crosstable.replay.periods import Periods, history
from crosstable.rulebook import rulebook
from crosstable.simulation.kinds import KINDS
from crosstable.systems.us_chess.classification import rated_in
from crosstable.systems.us_chess.pools import KEYS

FIRST, YEARS = date(2001, 1, 6), 25
FIRST_DAY = FIRST.toordinal()
REGION = 2_000  # people, in all the years
TURNOUT = 0.6
GAMES_AN_EVENT = 48.4  # as it comes out
NOT_RATED = -2
NO_BIRTH_DATE = 1 / 7


def synthetic(games: int, players: int = 200_000) -> History:
    """A history of about so many games."""
    seasons = regions(games, players)
    sections = np.concatenate([held(season.calendar) for season in seasons])
    entries = np.concatenate([np.diff(season.played.first_entry) for season in seasons])
    counts = np.concatenate([np.diff(season.played.first_game) for season in seasons])
    order = np.argsort(sections["end_day"], kind="stable")
    order = order[(counts[order] > 0) & (sections["first"][order] != NOT_RATED)]
    people = [len(season.people.born) for season in seasons]
    shift = np.cumsum([0, *people[:-1]])
    member = np.concatenate(
        [s.played.member[: s.played.first_entry[-1]] + d for s, d in zip(seasons, shift, strict=True)]
    )
    white, black, score = (
        np.concatenate([getattr(season.played, name)[: season.games] for season in seasons])
        for name in ("white", "black", "half_points")
    )
    entry_start, total = after(entries[order]), int(counts[order].sum())
    game_start = np.zeros(int(entry_start[-1]) + 1, np.int64)
    opponent, half_points = np.zeros(2 * total, np.int32), np.zeros(2 * total, np.int8)
    both_sides(order, after(counts), white, black, score, entry_start, game_start, opponent, half_points)
    first = np.repeat(after(entries)[order] - entry_start[:-1], entries[order])
    return History(
        sections=sections[order],
        entry_start=entry_start,
        entry_player=member[first + np.arange(len(first))].astype(np.int32),
        entry_counts=np.zeros(len(first), np.bool_),
        game_start=game_start,
        opponent=opponent,
        half_points=half_points,
        players=register(seasons),
        ids=range(sum(people)),
    )


def regions(games: int, players: int) -> list[SimulatedSeason]:
    """The same people, whatever the number of games: every region with its own seed, and its share of the games."""
    count = max(1, round(players / REGION))
    usual = SimulationSetting(years=YEARS, first=FIRST, kinds=KINDS, turnout=TURNOUT, sandbaggers=0, isolated=0)
    at_first = round(players / count / (1 + usual.newcomers * YEARS))
    pace = games / GAMES_AN_EVENT / usual.weeks / count
    return [play(replace(usual, seed=seed, players=at_first, events_per_week=pace)) for seed in range(1, count + 1)]


def after(counts: Array) -> Array:
    """Where each range begins, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def held(rows: Sequence[CalendarRow]) -> Array:
    """Days, pools and kinds of sections."""
    found = np.zeros(len(rows), SECTION)
    found["start_day"] = [row.start for row in rows]
    found["end_day"] = found["event_end_day"] = [row.end for row in rows]
    found["kind"] = [FORMS.index(row.kind.form) for row in rows]
    found["weight"] = FULL
    months = [date.fromordinal(row.end).replace(day=1) for row in rows]
    found["first"], found["second"] = zip(
        *(pools(row.kind.mode, row.control, month) for row, month in zip(rows, months, strict=True)), strict=True
    )
    found["dual"] = found["second"] != NO_POOL
    return found


@cache
def pools(mode: str, control: str, day: date) -> tuple[int, int]:
    """What a section is rated in, by index; some pools did not exist yet."""
    book = rulebook("us_chess")
    try:
        first, *second = rated_in(book.on(max(day, book.first)), mode, control)
    except UnknownPool:
        return NOT_RATED, NO_POOL
    return KEYS.index(first), KEYS.index(second[0]) if second else NO_POOL


@numba.njit(cache=True)
def both_sides(order, first_game, white, black, score, entry_start, game_start, opponent, half_points):
    """Every game twice, in the rows of both players: first how many there are, then where they stand."""
    for place in range(len(order)):
        for game in range(first_game[order[place]], first_game[order[place] + 1]):
            game_start[entry_start[place] + white[game] + 1] += 1
            game_start[entry_start[place] + black[game] + 1] += 1
    for entry in range(1, len(game_start)):
        game_start[entry] += game_start[entry - 1]
    used = np.zeros(len(game_start), np.int64)
    for place in range(len(order)):
        for game in range(first_game[order[place]], first_game[order[place] + 1]):
            for turned in (False, True):
                me, other = (black[game], white[game]) if turned else (white[game], black[game])
                entry = entry_start[place] + me
                row = game_start[entry] + used[entry]
                used[entry] += 1
                opponent[row], half_points[row] = other, 2 - score[game] if turned else score[game]


def register(seasons: Sequence[SimulatedSeason]) -> Array:
    """One in seven has no birth date."""
    born = np.concatenate([season.people.born for season in seasons])
    came = np.concatenate([FIRST_DAY + 7 * season.people.first_week for season in seasons])
    table = new_players(len(born))
    table["birth_day"] = np.where(np.random.default_rng(8).random(len(born)) < NO_BIRTH_DATE, 0, born)
    table["adult"] = came - born > 18 * 365.25
    return table


def as_games(history: History, most: int | None = None) -> Periods:
    """Every game once, section by section, for systems that know no sections."""
    entry = np.repeat(np.arange(len(history.entry_player)), np.diff(history.game_start))
    section = np.repeat(
        np.repeat(np.arange(len(history.sections)), np.diff(history.entry_start)), np.diff(history.game_start)
    )
    other = history.entry_start[section] + history.opponent
    once = np.flatnonzero(entry < other)[:most]
    score = history.half_points[once] / 2.0
    starts = np.flatnonzero(np.diff(section[once], prepend=-1))
    return Periods(
        players=len(history.players),
        white=history.entry_player[entry[once]].astype(np.int64),
        black=history.entry_player[other[once]].astype(np.int64),
        score=score,
        first=np.append(starts, len(once)).astype(np.int64),
        day=history.sections["end_day"][section[once][starts]].astype(np.int64),
    )


def by_day(games: int, players: int) -> Periods:
    """Return about so many games for the other systems: a rating period is a day. Only active players are numbered."""
    past = as_games(synthetic(games, players))
    day = np.repeat(past.day, np.diff(past.first))
    _, number = np.unique(np.concatenate([past.white, past.black]), return_inverse=True)
    white, black = number[: len(day)], number[len(day) :]
    return history(white, black, past.score, np.unique(day, return_inverse=True)[1], day)
