"""A made-up federation with known strengths: people who learn, age, come and go, and tournaments paired by score groups.

The same seed gives the same games. What nobody knows in life is known here: how well everybody really played.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, Games, arranged
from crosstable.lab.predictors.baselines import logistic
from crosstable.lab.swiss import pairings
from crosstable.replay.periods import Floats, Integers

FIRST = date(2005, 1, 1)
YEAR = 365.25
#: A child's gain in a year at six; it is gone at twenty. From fifty on people lose a little
LEARNING, GROWN, OLD, DECLINE = 150.0, 20.0, 50.0, 8.0
#: How much form wanders in a year
WANDER = 35.0
DRAW = 0.16  # the chance of a draw between equals
SANDBAG = 350.0  # how much weaker a sandbagger plays but for the prize


@dataclass(frozen=True, slots=True)
class Setting:
    """How large a federation, for how long, and with whom."""

    players: int = 1200
    years: int = 8
    seed: int = 1
    newcomers: float = 0.18  # of the players, every year
    leavers: float = 0.15
    events_per_week: int = 6
    white: float = 30.0
    sandbaggers: int = 12
    isolated: int = 24  # who only ever play each other: the 1996 report's prison

    def checked(self) -> Setting:
        wrong = [
            f"{name} is {getattr(self, name)}, but must be {words}"
            for name, least, words in (
                ("players", 40, "40 or more"), ("years", 1, "1 or more"), ("events_per_week", 1, "1 or more"),
                ("sandbaggers", 0, "0 or more"), ("isolated", 0, "0 or more"),
            )
            if getattr(self, name) < least
        ]  # fmt: skip
        if self.sandbaggers + self.isolated > self.players // 2:
            wrong.append("sandbaggers and isolated players are more than half of all players")
        if wrong:
            raise CrosstableError("; ".join(wrong))
        return self


@dataclass(frozen=True, slots=True)
class People:
    """Everybody who ever plays. A strength is known for every week: (weeks, people)."""

    born: Integers  # ordinal
    first_week: Integers
    last_week: Integers
    activity: Floats
    sandbagger: Array
    isolated: Array
    strength: Floats


@dataclass(frozen=True, slots=True)
class Simulation:
    """Games as any source has them, and the truth behind them."""

    setting: Setting
    people: People
    games: Games  # the ids are the people's numbers
    truth: Floats  # (games, 2): how well both played that day, White's points included for the first

    @property
    def expected(self) -> Floats:
        """The expected score of `one`, as the games were really played."""
        return logistic(self.truth[:, 0] - self.truth[:, 1])

    def strength_on(self, day: int) -> Floats:
        week = min(max((day - FIRST.toordinal()) // 7, 0), len(self.people.strength) - 1)
        return np.asarray(self.people.strength[week])


def simulate(setting: Setting) -> Simulation:
    """The whole federation, week by week."""
    random = np.random.default_rng(setting.checked().seed)
    weeks = int(setting.years * 52)
    people = _people(random, setting, weeks)
    rows: list[tuple[Array, ...]] = []
    event = 0
    for week in range(weeks):
        for kind in _kinds(random, setting):
            field = _field(random, people, week, kind)
            if len(field) >= 4:
                rows += _held(random, setting, people, week, event, field, kind)
                event += 1
    one, two, score, rounds, events, week_of, first, second = (np.concatenate(part) for part in zip(*rows, strict=True))
    truth = np.stack([first, second], axis=1)
    games = arranged(
        sides=(one, two),
        score=score,
        colour=np.ones(len(one)),
        round=rounds,
        event=events,
        day=FIRST.toordinal() + 7 * week_of + 6,
        rating=np.full((len(one), 2), np.nan),
        played=np.full((len(one), 2), np.nan),
    )
    return Simulation(setting, people, games, truth)


def _people(random: np.random.Generator, setting: Setting, weeks: int) -> People:
    arriving = int(setting.players * setting.newcomers * setting.years)
    count = setting.players + arriving
    first = np.concatenate([np.zeros(setting.players, int), np.sort(random.integers(0, weeks, arriving))])
    stay = random.exponential(52 / setting.leavers, count).astype(int) + 8
    child = random.random(count) < np.where(first == 0, 0.35, 0.75)
    age = np.where(child, random.uniform(6, 16, count), random.uniform(18, 70, count))
    start = np.where(child, random.normal(300 + 55 * age, 180), random.normal(1500, 320, count))
    special = random.permutation(setting.players)[: setting.sandbaggers + setting.isolated]
    sandbagger, isolated = np.zeros(count, bool), np.zeros(count, bool)
    sandbagger[special[: setting.sandbaggers]] = True
    isolated[special[setting.sandbaggers :]] = True
    last = np.where(sandbagger | isolated, weeks, first + stay)
    born = FIRST.toordinal() + 7 * first - (age * YEAR).astype(int)
    strength = _lives(random, start, age, first, weeks)
    return People(born, first, last, random.lognormal(0, 0.8, count), sandbagger, isolated, strength)


def _lives(random: np.random.Generator, start: Floats, age: Floats, first: Integers, weeks: int) -> Floats:
    """Strength week by week: children learn, quicker when small; the old decline; everybody's form wanders."""
    found = np.empty((weeks, len(start)))
    now = start.copy()
    for week in range(weeks):
        years = age + np.maximum(week - first, 0) / 52
        learning = LEARNING * np.clip((GROWN - years) / (GROWN - 6.0), 0.0, 1.0)
        decline = np.where(years > OLD, DECLINE, 0.0)
        step = (learning - decline) / 52 + random.normal(0, WANDER / np.sqrt(52), len(now))
        now = np.where(week > first, np.clip(now + step, 100.0, 2850.0), now)
        found[week] = now
    return found


def _kinds(random: np.random.Generator, setting: Setting) -> list[str]:
    kinds = ["scholastic" if random.random() < 0.4 else "open" for _ in range(setting.events_per_week)]
    return [*kinds, "isolated"] if setting.isolated >= 4 and random.random() < 0.5 else kinds


def _field(random: np.random.Generator, people: People, week: int, kind: str) -> Integers:
    """Who comes: the active come more often, children to scholastics, the isolated only among themselves."""
    here = (people.first_week <= week) & (people.last_week > week) & (people.isolated == (kind == "isolated"))
    if kind == "scholastic":
        here &= FIRST.toordinal() + 7 * week - people.born < 18 * YEAR
    able = np.flatnonzero(here)
    size = min(len(able), 12 if kind == "isolated" else int(random.integers(10, 40)))
    if size < 4:
        return np.empty(0, np.int64)
    weight = people.activity[able]
    return random.choice(able, size, replace=False, p=weight / weight.sum())


def _held(
    random: np.random.Generator, setting: Setting, people: People, week: int, event: int, field: Integers, kind: str
) -> list[tuple[Array, ...]]:
    """One Swiss event; sandbaggers play for real in one open of eight."""
    played = people.strength[week, field].copy()
    if kind != "open" or random.random() >= 1 / 8:
        played -= np.where(people.sandbagger[field], SANDBAG, 0.0)
    seeds = played + random.normal(0, 100, len(field))
    points = np.zeros(len(field))
    met: list[set[int]] = [set() for _ in field]
    found: list[tuple[Array, ...]] = []
    rounds = 4 if len(field) < 20 else 5
    for number in range(1, rounds + 1):
        pairs = np.array(pairings(points, seeds, met), dtype=np.int64).reshape(-1, 2)
        turn = random.random(len(pairs)) < 0.5
        white, black = np.where(turn, pairs[:, 1], pairs[:, 0]), np.where(turn, pairs[:, 0], pairs[:, 1])
        first, second = played[white] + setting.white, played[black]
        chance = logistic(first - second)
        draw = DRAW * 4 * chance * (1 - chance)
        luck = random.random(len(pairs))
        score = np.where(luck < chance - draw / 2, 1.0, np.where(luck < chance + draw / 2, 0.5, 0.0))
        np.add.at(points, white, score)
        np.add.at(points, black, 1 - score)
        same = np.full(len(pairs), number)
        found.append((field[white], field[black], score, same, same * 0 + event, same * 0 + week, first, second))
    return found
