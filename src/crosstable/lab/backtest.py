"""A backtest: every game predicted before it is rated, scored in a window, and the systems compared on the same
games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import count
from typing import Any

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.bootstrap import FEWEST_EVENTS, Clusters, PairDifference, paired
from crosstable.lab.cautions import Caution
from crosstable.lab.executors import Threads
from crosstable.lab.predictors import Predictor, Settings, checked_predictions
from crosstable.lab.recalibration import by_origin
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
class KnownScores:
    """The scores of the games whose ratings were known when the event began: nothing in them ended later."""

    window: Flags
    rows: tuple[dict[str, Any], ...]
    pairs: tuple[PairDifference, ...]

    @property
    def games(self) -> int:
        return int(self.window.sum())

    def as_json(self) -> dict[str, Any]:
        return {"games": self.games, "rows": list(self.rows), "pairs": [asdict(pair) for pair in self.pairs]}


@dataclass(frozen=True, slots=True)
class Backtest:
    """Predictions of the whole source, and scores of the window."""

    source: Source
    entries: tuple[Entry, ...]
    window: Flags
    predictions: Mapping[str, Floats]
    rows: tuple[dict[str, Any], ...]
    pairs: tuple[PairDifference, ...]
    seed: int
    known: KnownScores
    windows: tuple[dict[str, Any], ...]  # each system from each origin to the next, raw and recalibrated

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
            "known_at_start": self.known.as_json(),
            "windows": list(self.windows),
            "events": self.events,
            "cautions": [one.as_json() for one in self.cautions],
        }

    @property
    def events(self) -> int:
        """How many events the window has: what the intervals are resampled from."""
        return len(np.unique(self.source.games.event[self.window]))

    @property
    def cautions(self) -> tuple[Caution, ...]:
        files = [entry.name for entry in self.entries if entry.predictor.from_file]
        unchecked = (Caution("from-a-file", {"names": ", ".join(files)}),) if files else ()
        return (*cautions(self.source, self.window), *self._early_games(), *unchecked)

    def _early_games(self) -> Iterator[Caution]:
        """Name the systems that rate games by rules which were not yet in force."""
        for entry in self.entries:
            first = entry.predictor.rules_from
            games = 0 if first is None else int((self.source.games.day < first.toordinal()).sum())
            if games:
                yield Caution("rules-not-yet-in-force", {"name": entry.name, "games": games, "first": str(first)})


def cautions(source: Source, window: Flags) -> tuple[Caution, ...]:
    """Return what to know before trusting a window's figures."""
    events = len(np.unique(source.games.event[window]))
    few = (Caution("few-events", {"events": events, "least": FEWEST_EVENTS}),) if events < FEWEST_EVENTS else ()
    return (*source.cautions, *few)


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
    _refuse_names(entries)
    _refuse_overlap(entries, since)
    if until is not None:
        source = source.until(until)
    window = source.games.window(since, until)
    cuts, done = _cuts(window, seed), count(1)

    def run(entry: Entry) -> tuple[Floats, list[dict[str, Any]]]:
        found = checked_predictions(entry.predictor, source, entry.settings, cuts, seed)
        if progress is not None:
            progress(next(done), len(entries))
        return found, by_origin(source.games, found, window, since)

    with Threads(threads) as pool:
        played = dict(zip([entry.name for entry in entries], pool.map(run, entries), strict=True))
    predictions = {name: found for name, (found, _) in played.items()}
    in_time = window & ~source.games.overlapping()
    windows = tuple({"system": name} | row for name, (_, rows) in played.items() for row in rows)
    return Backtest(
        source=source,
        entries=tuple(entries),
        window=window,
        predictions=predictions,
        rows=_rows(source, predictions, window),
        pairs=_pairs(source, predictions, window, samples, seed),
        seed=seed,
        known=KnownScores(
            in_time, _rows(source, predictions, in_time), _pairs(source, predictions, in_time, samples, seed)
        ),
        windows=windows,
    )


def _rows(source: Source, predictions: Mapping[str, Floats], window: Flags) -> tuple[dict[str, Any], ...]:
    result = source.games.score[window]
    if not len(result):
        return ()
    return tuple({"system": name} | scores(found[window], result) for name, found in predictions.items())


def _pairs(
    source: Source, predictions: Mapping[str, Floats], window: Flags, samples: int, seed: int
) -> tuple[PairDifference, ...]:
    if not window.any():
        return ()
    result = source.games.score[window]
    losses = {name: game_deviance(found[window], result) for name, found in predictions.items()}
    return tuple(paired(losses, Clusters.of(source.games, window), samples, seed))


def _refuse_names(entries: Sequence[Entry]) -> None:
    names = [entry.name for entry in entries]
    if not names:
        raise CrosstableError("there is nothing to compare: name at least one system")
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise CrosstableError(
            f"{', '.join(twice)}: named twice; give each a label of its own, as in --tuned LABEL=FILE"
        )


def _refuse_overlap(entries: Sequence[Entry], since: date | None) -> None:
    for entry in entries:
        if entry.tuned_until is not None and (since is None or since <= entry.tuned_until):
            raise OverlappingWindows(
                f"{entry.name} was tuned on games up to {entry.tuned_until}: score it on later ones, "
                f"not from {since or 'the first game'} on"
            )


def _cuts(window: Flags, seed: int) -> tuple[int, int]:
    """Return the games at which a predictor is asked again with other results: the window's first,
    and one in the midst of it.
    """
    games = np.flatnonzero(window)
    return int(games[0]), int(np.random.default_rng(seed).choice(games))
