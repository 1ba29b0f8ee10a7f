"""A backtest: every game predicted before it is rated, scored in a window, and the systems compared on the same games."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import count
from typing import Any

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.bootstrap import Clusters, Pair, paired
from crosstable.lab.predictors import Predictor, Settings, refuse_peeking
from crosstable.lab.source import Source
from crosstable.replay.arrays import Flags, Floats
from crosstable.replay.scores import game_deviance, scores

Progress = Callable[[int, int], None]


class OverlappingWindows(CrosstableError):
    """Parameters that were tuned on games of the window in which they should be scored."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A predictor with its settings; `tuned_until` is the last day that its tuning saw."""

    predictor: Predictor
    settings: Settings = field(default_factory=dict)
    label: str = ""
    tuned_until: date | None = None

    @property
    def name(self) -> str:
        return self.label or self.predictor.name


@dataclass(frozen=True, slots=True)
class Backtest:
    """Predictions of the whole source, and scores of the window."""

    source: Source
    entries: tuple[Entry, ...]
    window: Flags
    predictions: Mapping[str, Floats]
    rows: tuple[dict[str, Any], ...]
    pairs: tuple[Pair, ...]
    seed: int

    @property
    def score(self) -> Floats:
        return self.source.games.score[self.window]

    def expected(self, name: str) -> Floats:
        return self.predictions[name][self.window]

    def as_json(self) -> dict[str, Any]:
        return {
            "games": int(self.window.sum()),
            "rows": list(self.rows),
            "pairs": [asdict(pair) for pair in self.pairs],
        }


def backtest(
    source: Source,
    entries: Sequence[Entry],
    since: date | None = None,
    until: date | None = None,
    *,
    samples: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Backtest:
    """Ratings are built from all earlier games of the source; only the window's games are scored.

    `progress` hears (systems done, in all).
    """
    _refuse_overlap(entries, since)
    if twice := {entry.name for entry in entries if [one.name for one in entries].count(entry.name) > 1}:
        raise CrosstableError(f"{', '.join(sorted(twice))}: named twice; give each a label of its own")
    if until is not None:
        source = source.until(until)
    window = source.games.window(since, until)
    cuts, done = _cuts(window, seed), count(1)

    def run(entry: Entry) -> Floats:
        found = entry.predictor(source, entry.settings)
        for cut in cuts:
            refuse_peeking(entry.predictor, source, entry.settings, found, cut)
        if progress is not None:
            progress(next(done), len(entries))
        return found

    with ThreadPoolExecutor(max_workers=threads or os.cpu_count()) as pool:
        predictions = dict(zip([entry.name for entry in entries], pool.map(run, entries), strict=True))
    result = source.games.score[window]
    losses = {name: game_deviance(found[window], result) for name, found in predictions.items()}
    return Backtest(
        source=source,
        entries=tuple(entries),
        window=window,
        predictions=predictions,
        rows=tuple({"system": name} | scores(found[window], result) for name, found in predictions.items()),
        pairs=tuple(paired(losses, Clusters.of(source.games, window), samples, seed)),
        seed=seed,
    )


def _refuse_overlap(entries: Sequence[Entry], since: date | None) -> None:
    for entry in entries:
        if entry.tuned_until is not None and (since is None or since <= entry.tuned_until):
            raise OverlappingWindows(
                f"{entry.name} was tuned on games up to {entry.tuned_until}: score it on later ones, "
                f"not from {since or 'the first game'} on"
            )


def _cuts(window: Flags, seed: int) -> list[int]:
    """The games at which a predictor is asked again with other results: the window's first, and one in the midst of it."""
    games = np.flatnonzero(window)
    return [int(games[0]), int(np.random.default_rng(seed).choice(games))]
