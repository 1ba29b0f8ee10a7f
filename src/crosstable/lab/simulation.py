"""A made-up federation with known strengths: people who learn, age, come and go, and their tournaments.

The people and the games are those of `crosstable.simulation`, compiled. The same seed gives the same games. What no one
knows in life is known here: how well each player really played.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from crosstable.lab.calendar import CalendarRow, calendar
from crosstable.lab.games import Array, GameRows, LabGames, arranged, hash_order
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.setting import SimulationSetting
from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers
from crosstable.simulation.people import CHILDREN, WEEKS_A_YEAR, draw_activity, draw_strength, draw_years

YEAR = 365.25
#: How many of the later newcomers are children
NEW_CHILDREN = 0.75
#: A player stays for at least so many weeks
STAY = 8
MODULES = tuple(
    f"crosstable.{name}"
    for name in (
        "systems.elo.formulas",
        "simulation.people",
        "simulation.results",
        "simulation.turnout",
        "simulation.pairing",
        "simulation.season",
    )
)


@dataclass(frozen=True, slots=True)
class People:
    """All players. A strength is known for every week: (weeks, people)."""

    born: Integers  # ordinal
    first_week: Integers
    last_week: Integers
    activity: Floats
    sandbagger: Array
    isolated: Array
    strength: Floats


@dataclass(frozen=True, slots=True)
class SimulatedSeason:
    """What was played: ranges of entries and of games for every section of the calendar (see
    simulation.season.PlayedSections).
    """

    calendar: Sequence[CalendarRow]
    people: People
    played: Any

    @property
    def games(self) -> int:
        return int(self.played.first_game[-1])


@dataclass(frozen=True, slots=True)
class Simulation:
    """Games as any source has them, and the truth behind them."""

    setting: SimulationSetting
    people: People
    games: LabGames  # the ids are the people's numbers
    truth: Floats  # (games, 2): how well both played that day, White's points included for the first

    @property
    def expected(self) -> Floats:
        """The expected score of `one`, as the games were really played."""
        return logistic(self.truth[:, 0] - self.truth[:, 1])

    def strength_on(self, day: int) -> Floats:
        week = min(max((day - self.setting.first.toordinal()) // 7, 0), len(self.people.strength) - 1)
        return np.asarray(self.people.strength[week])


def simulate(setting: SimulationSetting) -> Simulation:
    """Simulate the whole federation, as games with White first."""
    season = play(setting)
    played, count = season.played, season.games
    section = np.repeat(np.arange(len(season.calendar)), np.diff(played.first_game))
    first = played.first_entry[section]
    games = arranged(
        GameRows(
            sides=(played.member[first + played.white[:count]], played.member[first + played.black[:count]]),
            score=played.half_points[:count] / 2,
            colour=np.ones(count),
            round=played.round[:count],
            event=section,
            day=np.array([row.end for row in season.calendar])[section],
            start=np.array([row.start for row in season.calendar])[section],
            rating=np.full((count, 2), np.nan),
            played=np.full((count, 2), np.nan),
        ),
        in_order=True,
    )
    rows = hash_order(games)
    return Simulation(setting, season.people, games.taken(rows), played.strengths[:count][rows])


@cache
def _program() -> ModuleType:
    return compiled.load(MODULES)[-1]


def play(setting: SimulationSetting, program: ModuleType | None = None) -> SimulatedSeason:
    """Everybody's life and every section. `program` is `simulation.season`, compiled unless another is given."""
    program = program or _program()
    lot, rng = random.Random(setting.checked().seed), np.random.default_rng(setting.seed)  # noqa: S311  no secret
    years, people = _people(lot, setting)
    program.live(rng, people.first_week, years, people.strength)
    held = calendar(lot, setting)
    sections = program.HeldSections(
        *(np.array([getattr(row, name) for row in held]) for name in program.HeldSections._fields)
    )
    members = program.Members(
        people.first_week, people.last_week, years, people.activity, people.sandbagger, people.isolated, people.strength
    )
    played, room = _paper(program, sections, len(years))
    program.play_season(rng, members, sections, setting.white, played, room)
    return SimulatedSeason(held, people, played)


def _people(lot: random.Random, setting: SimulationSetting) -> tuple[Floats, People]:
    """Who there is, with their ages in their first weeks. Only the first row of their strengths is known yet."""
    arriving = int(setting.players * setting.newcomers * setting.years)
    first = [0] * setting.players + sorted(lot.randrange(setting.weeks) for _ in range(arriving))
    child = [lot.random() < (CHILDREN if week == 0 else NEW_CHILDREN) for week in first]
    years = np.array([draw_years(lot, one) for one in child])
    strength = np.empty((setting.weeks, len(first)))
    strength[0] = [draw_strength(lot, one, age) for one, age in zip(child, years.tolist(), strict=True)]
    last = np.array([week + STAY + int(lot.expovariate(setting.leavers / WEEKS_A_YEAR)) for week in first])
    sandbagger, isolated = np.zeros(len(first), bool), np.zeros(len(first), bool)
    special = lot.sample(range(setting.players), setting.sandbaggers + setting.isolated)
    sandbagger[special[: setting.sandbaggers]] = True
    isolated[special[setting.sandbaggers :]] = True
    last[special] = setting.weeks
    weeks = np.array(first)
    born = setting.first.toordinal() + 7 * weeks - (years * YEAR).astype(int)
    activity = np.array([draw_activity(lot) for _ in first])
    return years, People(born, weeks, last, activity, sandbagger, isolated, strength)


def _paper(program: ModuleType, sections: Any, people: int) -> tuple[Any, Any]:
    """Empty tables, as large as they can become."""
    entries, games = int(sections.entrants.sum()), int((sections.entrants // 2 * sections.rounds).sum())
    largest, rounds = int(sections.entrants.max()), int(sections.rounds.max())
    starts = [np.zeros(len(sections.week) + 1, np.int64) for _ in range(2)]
    member, white, black = (np.zeros(size, np.int32) for size in (entries, games, games))
    number, result = (np.zeros(games, np.int8) for _ in range(2))
    played = program.PlayedSections(*starts, member, number, white, black, result, np.zeros((games, 2)))
    able, field, order, whites = (np.zeros(size, np.int64) for size in (people, largest, largest, largest))
    weights, keys, level, points, seeds = (np.zeros(size) for size in (people, largest, largest, largest, largest))
    opponents = np.zeros((largest, rounds), np.int64)
    return played, program.Room(able, weights, field, keys, order, level, points, seeds, whites, opponents)
