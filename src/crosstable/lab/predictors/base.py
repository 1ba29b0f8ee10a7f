"""What a predictor is: a name, parameters with ranges, and a function from games to expected scores.

A predictor gets all games of a source and answers with the expected score of `one` in each, from what was known before the
game's period. `refuse_peeking` finds those that look ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.source import Source
from crosstable.replay.arrays import Floats

Settings = Mapping[str, float]


class UnknownParameter(CrosstableError):
    """A parameter that a predictor does not have, or a value outside its range."""


class LooksAhead(CrosstableError):
    """A predictor whose predictions depend on results that were not known yet."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number that can be tuned, and where to look for it."""

    name: str
    default: float
    low: float
    high: float
    words: str = ""


@dataclass(frozen=True, slots=True)
class Predictor:
    """`predict` takes a source and every parameter's value."""

    name: str
    title: str
    predict: Callable[[Source, Settings], Floats]
    parameters: tuple[Parameter, ...] = ()
    needs_ratings: bool = False
    learns: str = "event"  # after each event, or already after each "round" or "game" of it

    def settings(self, given: Settings | None = None) -> dict[str, float]:
        """Every parameter's value: as given, or its default."""
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in (given or {}).items():
            if name not in known:
                raise UnknownParameter(f"{self.name} has no parameter '{name}': it has {', '.join(known) or 'none'}")
            if not known[name].low <= value <= known[name].high:
                raise UnknownParameter(
                    f"{self.name}: {name} = {value:g} is not between {known[name].low:g} and {known[name].high:g}"
                )
        return {name: float((given or {}).get(name, parameter.default)) for name, parameter in known.items()}

    def __call__(self, source: Source, given: Settings | None = None) -> Floats:
        if self.needs_ratings and not source.games.has_ratings:
            raise CrosstableError(f"{self.name} needs published ratings, and {source.name} has none")
        found = np.asarray(self.predict(source, self.settings(given)), dtype=np.float64)
        if len(found) != len(source.games):
            raise CrosstableError(f"{self.name} made {len(found)} predictions for {len(source.games)} games")
        if len(found) and not 0.0 <= found.min() <= found.max() <= 1.0:  # false for one that is not a number too
            raise CrosstableError(f"{self.name} predicts scores that are not between 0 and 1")
        return found


def refuse_peeking(predictor: Predictor, source: Source, given: Settings | None, found: Floats, game: int) -> None:
    """Turns all results from a game's event on and asks again: what came up to that event must stay to the last bit.

    For a predictor that learns round by round the same holds for the game's round, and so for one that learns by game.
    """
    games = source.games
    same = games.event == games.event[game]
    if predictor.learns == "round":
        same &= games.round == games.round[game]
    first, last = (game, game) if predictor.learns == "game" else np.flatnonzero(same)[[0, -1]]
    again = predictor(source.turned(int(first)), given)
    if not np.array_equal(found[: last + 1], again[: last + 1]):
        changed = int(np.flatnonzero(found != again)[0])
        raise LooksAhead(
            f"{predictor.name} looks ahead: its prediction of game {changed + 1} changes with results that were not "
            "known before it. A predictor may use only what was known before the game."
        )
