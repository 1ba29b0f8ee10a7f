"""How sure a difference is. Games of one event are not independent, and neither are a player's: both are looked at.

Events are drawn again and again, which gives each pair its interval. The variance of a mean over games between players
who play many is known in closed form (Aronow, Samii and Assenova, "Cluster-robust variance estimation for dyadic data",
2015): each player's sum squared, less the square of each two players' sum, which would be counted twice. Of many
comparisons some look sure by chance, so each pair also has a joint interval: all of them together cover their true
values in 95 of 100 draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crosstable.lab.games import Array, LabGames
from crosstable.replay.arrays import Flags, Floats

#: 95 % of the resampled differences lie between these
INTERVAL = (2.5, 97.5)
NINETY_FIVE = 1.959963984540054
#: A deviance has five digits; a difference may need more
PLACES = range(5, 11)
#: With fewer events than this, resampling them says little about others
FEWEST_EVENTS = 30


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The mean difference a minus b per game, with its intervals: of events drawn again, of players, and joint."""

    a: str
    b: str
    difference: float
    low: float
    high: float
    players_low: float = np.nan
    players_high: float = np.nan
    joint_low: float = np.nan
    joint_high: float = np.nan

    @property
    def sure(self) -> bool:
        """Whether chance does not explain the difference, however many others were compared."""
        low, high = (self.low, self.high) if np.isnan(self.joint_low) else (self.joint_low, self.joint_high)
        return low > 0 or high < 0

    def figures(self) -> tuple[str, str]:
        """Return the difference and its interval, with digits enough to show on which side of 0 each end lies."""
        numbers = (self.difference, self.low, self.high)
        places = next((n for n in PLACES if all(_side_shows(x, n) for x in numbers)), PLACES[-1])
        difference, low, high = (f"{x:+.{places}f}" for x in numbers)
        return difference, f"{low} to {high}"

    def players_interval(self) -> str:
        places = len(self.figures()[0].split(".")[-1])
        return f"{self.players_low:+.{places}f} to {self.players_high:+.{places}f}"


def _side_shows(number: float, places: int) -> bool:
    return not 0 < abs(number) < 0.5 * 10.0**-places  # true of 0, and of what is not a number


@dataclass(frozen=True, slots=True)
class Clusters:
    """What the games of a window have in common: their event and their two players."""

    event: Array
    one: Array
    two: Array

    @classmethod
    def of(cls, games: LabGames, window: Flags) -> Clusters:
        return cls(games.event[window], games.one[window], games.two[window])

    @property
    def events(self) -> int:
        return len(np.unique(self.event))


def paired(
    losses: Mapping[str, Floats], clusters: Clusters, samples: int = 1000, seed: int = 1
) -> list[PairDifference]:
    """Every pair of systems, in the order given, on the same resampled events."""
    names = list(losses)
    columns = [losses[name] for name in names]
    totals, counts = _by_event(columns, clusters.event)
    means = _resampled(totals, counts, samples, seed)
    average = totals.sum(axis=0) / counts.sum()
    by_player = _player_errors(columns, average, clusters)
    pairs = [(a, b) for a in range(len(names)) for b in range(a + 1, len(names))]
    drawn = [means[:, a] - means[:, b] for a, b in pairs]
    errors = [max(np.std(one), by_player[pair]) if samples else np.nan for one, pair in zip(drawn, pairs, strict=True)]
    reach = _joint_reach(drawn, samples)
    found = []
    for (a, b), one, error in zip(pairs, drawn, errors, strict=True):
        difference = float(average[a] - average[b])
        low, high = np.percentile(one, INTERVAL) if samples else (np.nan, np.nan)
        players, joint = NINETY_FIVE * by_player[a, b], reach * error
        found.append(
            PairDifference(
                names[a],
                names[b],
                difference,
                float(low),
                float(high),
                float(difference - players),
                float(difference + players),
                float(difference - joint),
                float(difference + joint),
            )
        )
    return found


def _joint_reach(drawn: Sequence[Floats], samples: int) -> float:
    """How many standard errors the farthest of all pairs lies from its mean, in 95 of 100 draws."""
    if not samples or not drawn:
        return float("nan")
    away = np.zeros(samples)
    for one in drawn:
        error = np.std(one)
        if error > 0:
            np.maximum(away, np.abs(one - one.mean()) / error, out=away)
    return float(max(np.percentile(away, INTERVAL[1] - INTERVAL[0]), NINETY_FIVE))


def _player_errors(columns: Sequence[Floats], average: Floats, clusters: Clusters) -> Floats:
    """Return the standard error of every difference of means, where games that share a player may go together."""
    count = len(clusters.event)
    centred = [column - mean for column, mean in zip(columns, average, strict=True)]
    numbers = np.unique(np.concatenate([clusters.one, clusters.two]), return_inverse=True)[1]
    size, one, two = int(numbers.max()) + 1, numbers[:count], numbers[count:]
    met = np.unique(np.minimum(one, two) * np.int64(size) + np.maximum(one, two), return_inverse=True)[1]
    players = np.stack([np.bincount(one, each, size) + np.bincount(two, each, size) for each in centred], axis=1)
    couples = np.stack([np.bincount(met, each) for each in centred], axis=1)
    together = players.T @ players - couples.T @ couples
    diagonal = np.diag(together)
    variance = (diagonal[:, None] + diagonal[None, :] - 2.0 * together) / count**2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _by_event(losses: Sequence[Floats], event: Array) -> tuple[Floats, Floats]:
    """Each event's sums (events, systems) and its games."""
    _, place = np.unique(event, return_inverse=True)
    count = int(place.max()) + 1
    totals = np.stack([np.bincount(place, weights=each, minlength=count).astype(np.float64) for each in losses], axis=1)
    return totals, np.bincount(place, minlength=count).astype(np.float64)


def _resampled(totals: Floats, counts: Floats, samples: int, seed: int) -> Floats:
    """Return the mean loss of each system in each resample: as many events as there are, drawn with replacement."""
    found = np.empty((samples, totals.shape[1]))
    for sample, drawn in enumerate(draws(len(counts), samples, seed)):
        found[sample] = (drawn @ totals) / (drawn @ counts)
    return found


def draws(count: int, samples: int, seed: int) -> Iterator[Floats]:
    """How often each of so many things is drawn, with replacement, in each sample."""
    random = np.random.default_rng(seed)
    for _ in range(samples):
        yield np.bincount(random.integers(0, count, count), minlength=count).astype(np.float64)
