"""Predictions recalibrated before they are scored: a slope, a term for provisional ratings, and White's advantage.

Rules that spread ratings more or less than others are not better or worse for it: a reader of the ratings would simply
count a difference for less or for more. So each set of predictions gets the slope that fitted it best on the games
before the window, and a reform is judged by what is left. At every origin (the window's first day, and each 1 January
in it) the terms are fitted again on all scored games before that day; none of them ever sees a game that it is scored
on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np

from crosstable.lab.games import LabGames
from crosstable.replay.arrays import Flags, Floats, Integers
from crosstable.replay.scores import game_deviance

#: What is fitted: how much of a prediction counts, how much less with a provisional player, and White's advantage
TERMS = ("slope", "provisional", "white")
#: With fewer games before the window the terms would be chance
ENOUGH = 500
#: The logits of the predictions are gathered in cells of this width before the terms are fitted; beyond the limit they
#: are equal
WIDTH, LIMIT = 0.01, 16.0
_CELLS = round(2 * LIMIT / WIDTH) + 1
#: A term without games to fit it stays 0
_RIDGE = 1e-6
_STEPS, _TINY = 50, 1e-12


@dataclass(frozen=True, slots=True)
class FittedTerms:
    """The terms fitted on the scored games before a day: logit = (slope + provisional where a player is) × own +
    white.
    """

    before: date
    games: int
    slope: float
    provisional: float
    white: float

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """The window's predictions with fitted terms, and the terms of each origin."""

    expected: Floats  # of every game; outside the window as they were
    fits: tuple[FittedTerms, ...]


def first_origin(games: LabGames, begins: date | None = None) -> date | None:
    """Return the day on which a window begins by default.

    It is the first 1 January with enough scored games before it to fit the terms. Games before `begins` do not count: a
    reform of that day has no effect on them. If no such 1 January has games after it, the window of a reform begins
    when half of the games since `begins` have been played.
    """
    days = np.sort(games.day[games.rated & (games.day >= _ordinal(begins))])
    if len(days) <= ENOUGH:
        return begins
    first = date(date.fromordinal(int(days[ENOUGH - 1])).year + 1, 1, 1)
    if days[-1] >= first.toordinal():
        return first
    return None if begins is None else date.fromordinal(int(days[len(days) // 2]))


def _ordinal(day: date | None) -> int:
    return 0 if day is None else day.toordinal()


def origins(games: LabGames, window: Flags, since: date | None = None) -> list[int]:
    """Return the window's first day, and each 1 January in it, as ordinals."""
    days = games.day[window]
    first = int(days.min()) if since is None else since.toordinal()
    years = range(date.fromordinal(first).year + 1, date.fromordinal(int(days.max())).year + 1)
    return [first, *(date(year, 1, 1).toordinal() for year in years)]


def recalibrated(
    games: LabGames,
    expected: Floats,
    window: Flags,
    since: date | None = None,
    terms: Sequence[str] = TERMS,
    begins: date | None = None,
) -> Recalibrated | None:
    """Fit the terms at every origin and apply them to the games up to the next. None: too few games before the window.

    Only games from `begins` on are fitted: before a reform begins, its ratings are those of the actual rules, and their
    slope says nothing about the reform's.
    """
    starts = origins(games, window, since)
    if int((games.rated & (games.day >= _ordinal(begins)) & (games.day < starts[0])).sum()) < ENOUGH:
        return None
    own, provisional = logits(expected), np.asarray(~np.isnan(games.played).all(axis=1))
    found, fits = expected.copy(), []
    cells = _Cells(own, provisional, games, [TERMS.index(term) for term in terms])
    for (first, last), before in zip(
        pairwise([*starts, date.max.toordinal()]), cells.before(starts, _ordinal(begins)), strict=True
    ):
        fit = replace(before, before=date.fromordinal(first))
        fits.append(fit)
        rows = np.flatnonzero(window & (games.day >= first) & (games.day < last))
        slope = fit.slope + fit.provisional * provisional[rows]
        found[rows] = 1.0 / (1.0 + np.exp(-(slope * own[rows] + fit.white * games.white[rows])))
    return Recalibrated(found, tuple(fits))


def logits(expected: Floats) -> Floats:
    """Return the natural logits of the predictions, kept within LIMIT."""
    kept = np.clip(expected, 1e-9, 1.0 - 1e-9)
    return np.clip(np.log(kept / (1.0 - kept)), -LIMIT, LIMIT)


class _Cells:
    """Games gathered by logit, provisional and White: what the fit needs of millions of games is a few thousand
    sums.
    """

    def __init__(self, own: Floats, provisional: Flags, games: LabGames, terms: Sequence[int]) -> None:
        place = np.rint((own + LIMIT) / WIDTH).astype(np.int64)
        self.cell: Integers = place * 4 + 2 * provisional + games.white
        self.own, self.games, self.terms = own, games, list(terms)

    def before(self, days: list[int], last: int) -> Iterator[FittedTerms]:
        """Fit the scored games from the day `last` to each of `days`; each fit adds the games since the one before."""
        sums = np.zeros((3, 4 * _CELLS))
        for day in days:
            rows = np.flatnonzero(self.games.rated & (self.games.day >= last) & (self.games.day < day))
            cell, last = self.cell[rows], day
            for place, weights in enumerate((None, self.own[rows], self.games.score[rows])):
                sums[place] += np.bincount(cell, weights=weights, minlength=4 * _CELLS)
            yield _fitted(sums, self.terms)


def _fitted(sums: Floats, terms: list[int]) -> FittedTerms:
    """Logistic regression by Newton's method on the cells that hold games."""
    kept = np.flatnonzero(sums[0])
    count, own, score = sums[:, kept]
    own = own / count
    provisional, white = (kept % 4) // 2, kept % 2
    x = np.stack([own, own * provisional, white], axis=1)[:, terms]
    found = np.zeros(len(terms))  # from a slope of 1 the steps can overshoot
    for _ in range(_STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ found, -30.0, 30.0)))
        curvature = (x * (count * p * (1.0 - p))[:, None]).T @ x + _RIDGE * np.eye(len(terms))
        step = np.linalg.solve(curvature, x.T @ (score - count * p) - _RIDGE * found)
        found += step
        if np.abs(step).max() < _TINY:
            break
    every = np.zeros(len(TERMS))
    every[terms] = found
    slope, more, colour = every.tolist()
    return FittedTerms(date.min, int(count.sum()), slope, more, colour)


def by_origin(games: LabGames, expected: Floats, window: Flags, since: date | None = None) -> list[dict[str, Any]]:
    """Return the deviance from each origin to the next, raw and with the terms fitted before the origin (None:
    too few games).
    """
    starts = origins(games, window, since)
    after = recalibrated(games, expected, window, since)
    found = []
    for first, last in pairwise([*starts, int(games.day[window].max()) + 1]):
        rows = np.flatnonzero(window & (games.day >= first) & (games.day < last))
        if not len(rows):
            continue
        score = games.score[rows]
        fitted = None if after is None else float(game_deviance(after.expected[rows], score).mean())
        found.append(
            {
                "from": date.fromordinal(first),
                "to": date.fromordinal(last - 1),
                "n": len(rows),
                "deviance": float(game_deviance(expected[rows], score).mean()),
                "recalibrated": fitted,
            }
        )
    return found
