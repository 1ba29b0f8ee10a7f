"""For whom a reform predicts better: by class, by provisional status, by age where birth dates are known, and year by
year.

Each game counts for both of its players. The interval of a mean is that of whole events: the games of one go together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

import numpy as np
import polars as pl

from crosstable.lab.bootstrap import NINETY_FIVE
from crosstable.lab.games import Array, LabGames
from crosstable.lab.source import Source
from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.scores import game_deviance

CLASSES = (0, 800, 1200, 1400, 1600, 1800, 2000, 2200, 4000)
#: Juniors first; in years
AGES = (0, 9, 13, 18, 35, 50, 65, 130)
#: A group of fewer players is not shown: it would say little, and by age it could say whose
FEWEST_PLAYERS = 30
YEAR = 365.25


@dataclass(frozen=True, slots=True)
class GroupSides:
    """Both players of each of the window's games: which group each belongs to."""

    by: str
    names: tuple[str, ...]
    place: Integers  # (games, 2); -1: not known


def prediction_by_group(
    source: Source, window: Flags, expected: Mapping[str, Floats], before: Floats, provisional: Flags
) -> pl.DataFrame:
    """Return the deviance of each set of rules in each group, and what a reform gains over the actual rules.

    `before` and `provisional` are both players' ratings and standing before each game, under the actual rules.
    """
    games = source.games
    groups = [*_by_age(source, window), _by_standing(provisional[window]), _by_class(before[window])]
    losses = {name: game_deviance(one[window], games.score[window]) for name, one in expected.items()}
    actual, *reforms = losses
    rows = []
    for group in groups:
        for place, label in enumerate(group.names):
            here = group.place == place
            if _players(games, window, here) < FEWEST_PLAYERS:
                continue
            weight = here.sum(axis=1).astype(np.float64)
            for name in reforms:
                gain = mean_by_event(losses[actual] - losses[name], weight, games.event[window])
                deviance = [float(np.average(losses[one], weights=weight)) for one in (actual, name)]
                rows.append((name, group.by, label, int(weight.sum()), *deviance, *gain))
    kinds = (pl.String, pl.String, pl.String, pl.Int64, *[pl.Float64] * 5)
    columns = ("rules", "by", "group", "games", "actual", "reformed", "gain", "low", "high")
    return pl.DataFrame(rows, dict(zip(columns, kinds, strict=True)), orient="row")


def prediction_by_year(games: LabGames, window: Flags, expected: Mapping[str, Floats]) -> pl.DataFrame:
    """Return what a reform gains in each year of the window: the origins roll, and each year is scored with what came
    before it.
    """
    losses = {name: game_deviance(one[window], games.score[window]) for name, one in expected.items()}
    actual, *reforms = losses
    years = np.array([date.fromordinal(day).year for day in np.unique(games.day[window]).tolist()])
    year = years[np.unique(games.day[window], return_inverse=True)[1]]
    rows = []
    for name in reforms:
        for one in np.unique(years).tolist():
            weight = (year == one).astype(np.float64)
            gain = mean_by_event(losses[actual] - losses[name], weight, games.event[window])
            deviance = [float(losses[rules][year == one].mean()) for rules in (actual, name)]
            rows.append((name, one, int(weight.sum()), *deviance, *gain))
    columns = ["rules", "year", "games", "actual", "reformed", "gain", "low", "high"]
    return pl.DataFrame(rows, columns, orient="row")


def mean_by_event(values: Floats, weight: Floats, event: Array) -> tuple[float, float, float]:
    """Return a weighted mean with its 95 % interval, where the games of an event go together."""
    total = float(weight.sum())
    mean = float((values * weight).sum() / total)
    _, place = np.unique(event, return_inverse=True)
    away = np.bincount(place, (values - mean) * weight)
    count = int(np.count_nonzero(np.bincount(place, weight)))
    error = NINETY_FIVE * float(np.sqrt((away**2).sum() * (count / max(count - 1, 1)))) / total
    return mean, mean - error, mean + error


def _players(games: LabGames, window: Flags, here: Flags) -> int:
    """How many players a group has."""
    sides = np.stack([games.one[window], games.two[window]], axis=1)
    return len(np.unique(sides[here]))


def _by_class(before: Floats) -> GroupSides:
    names = tuple(f"{low} to {high - 1}" for low, high in pairwise(CLASSES[:-1]))
    place = np.searchsorted(np.array(CLASSES[1:-1]), before, side="right")
    return GroupSides("class", (*names, f"{CLASSES[-2]} and more"), np.where(np.isnan(before), -1, place))


def _by_standing(provisional: Flags) -> GroupSides:
    return GroupSides("rating", ("established", "provisional"), provisional.astype(np.int64))


def _by_age(source: Source, window: Flags) -> Iterator[GroupSides]:
    """Ages on the day of the event, where any birth date is known."""
    born = birth_days(source)
    if born is None:
        return
    games = source.games
    sides = np.stack([games.one[window], games.two[window]], axis=1)
    age = (games.day[window][:, None] - born[sides]) / YEAR
    names = [f"{low} to {high - 1}" for low, high in pairwise(AGES[:-1])]
    names[0] = f"under {AGES[1]}"
    place = np.searchsorted(np.array(AGES[1:-1]), age, side="right")
    yield GroupSides("age", (*names, f"{AGES[-2]} and more"), np.where(born[sides] > 0, place, -1))


def birth_days(source: Source) -> Integers | None:
    """Each of the lab's players' birth day as an ordinal, 0 where it is not known; None where none is."""
    history = source.federation.history
    known = history.players["birth_day"]
    if not known.any():
        return None
    ids = np.asarray(history.ids)
    order = np.argsort(ids)
    return np.asarray(known[order[np.searchsorted(ids[order], source.games.ids)]], dtype=np.int64)
