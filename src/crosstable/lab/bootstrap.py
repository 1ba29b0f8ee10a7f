"""How sure a difference is: events are drawn again and again, since the games of one event are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crosstable.lab.games import Array
from crosstable.replay.arrays import Floats

#: 95 % of the resampled differences lie between these
INTERVAL = (2.5, 97.5)
#: A deviance has five digits; a difference may need more
PLACES = range(5, 11)


@dataclass(frozen=True, slots=True)
class Pair:
    """The mean difference a minus b per game, and its interval."""

    a: str
    b: str
    difference: float
    low: float
    high: float

    def figures(self) -> tuple[str, str]:
        """The difference and its interval, with digits enough to show on which side of 0 each end lies."""
        numbers = (self.difference, self.low, self.high)
        places = next((n for n in PLACES if all(_side_shows(x, n) for x in numbers)), PLACES[-1])
        difference, low, high = (f"{x:+.{places}f}" for x in numbers)
        return difference, f"{low} to {high}"


def _side_shows(number: float, places: int) -> bool:
    return not 0 < abs(number) < 0.5 * 10.0**-places  # true of 0, and of what is no number


def paired(losses: dict[str, Floats], event: Array, samples: int = 1000, seed: int = 1) -> list[Pair]:
    """Every pair of systems, in the order given, on the same resampled events."""
    names = list(losses)
    totals, counts = _by_event([losses[name] for name in names], event)
    means = _resampled(totals, counts, samples, seed)
    found = []
    for place, a in enumerate(names):
        for other in range(place + 1, len(names)):
            difference = float((totals[:, place] - totals[:, other]).sum() / counts.sum())
            low, high = np.percentile(means[:, place] - means[:, other], INTERVAL) if samples else (np.nan, np.nan)
            found.append(Pair(a, names[other], difference, float(low), float(high)))
    return found


def _by_event(losses: Sequence[Floats], event: Array) -> tuple[Floats, Floats]:
    """Each event's sums (events, systems) and its games."""
    _, place = np.unique(event, return_inverse=True)
    count = int(place.max()) + 1
    totals = np.stack([np.bincount(place, weights=each, minlength=count).astype(np.float64) for each in losses], axis=1)
    return totals, np.bincount(place, minlength=count).astype(np.float64)


def _resampled(totals: Floats, counts: Floats, samples: int, seed: int) -> Floats:
    """The mean loss of each system in each resample: as many events as there are, drawn with replacement."""
    random = np.random.default_rng(seed)
    found = np.empty((samples, totals.shape[1]))
    for sample in range(samples):
        drawn = np.bincount(random.integers(0, len(counts), len(counts)), minlength=len(counts)).astype(np.float64)
        found[sample] = (drawn @ totals) / (drawn @ counts)
    return found
