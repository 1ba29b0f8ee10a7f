"""What a predictor is: a name, parameters with ranges, and a function from games to expected scores.

A predictor gets all games of a source and answers with the expected score of `one` in each, from what was known before
the game's period. `checked_predictions` refuses those that look ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.source import Source
from crosstable.replay.arrays import Floats

Settings = Mapping[str, float]
#: Sums of the same numbers in another order may differ in the last digits, and a rounded rating by a point; one who
#: uses the order of rows changes predictions by far more than this on average
SAME = 1e-4


class UnknownParameter(CrosstableError):
    """A parameter that a predictor does not have, or a value outside its range."""


class LooksAhead(CrosstableError):
    """A predictor whose predictions depend on results that were not known yet."""


@dataclass(frozen=True, slots=True)
class TunedParameter:
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
    parameters: tuple[TunedParameter, ...] = ()
    needs_ratings: bool = False
    learns: str = "event"  # after each event, or already after each "round" or "game" of it
    rules_from: date | None = None  # the rulebook's first day, if earlier games are rated by the rules of that day
    from_file: bool = False  # predictions that were made elsewhere: no one can ask again with other results

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


def checked_predictions(
    predictor: Predictor, source: Source, given: Settings | None, cuts: tuple[int, int], seed: int
) -> Floats:
    """Predict every game, and refuse a predictor that uses what was not known before a game.

    It is asked four times. First with other results from one game on: one that remembers its first answer has then seen
    results that never were. Then as things are. Then with other results from a second game on and without all later
    games, so that neither results nor later ratings and pairings can be used. Then with the rows of each event or round
    in another order.
    """
    if predictor.from_file:
        return predictor(source, given)
    first, second = cuts
    start, last = _period(predictor, source, first)
    before = predictor(source.replaced(start, seed), given)
    found = predictor(source, given)
    _refuse_changes(predictor, before[: last + 1], found[: last + 1])
    start, last = _period(predictor, source, second)
    cut = source.replaced(start, seed + 1).until(date.fromordinal(int(source.games.day[last])))
    _refuse_changes(predictor, found[: last + 1], predictor(cut, given)[: last + 1])
    shuffled, rows = source.shuffled(predictor.learns, seed)
    if np.abs(predictor(shuffled, given) - found[rows]).mean() > SAME:
        raise LooksAhead(
            f"{predictor.name} uses the order of rows inside"
            f" {'an event' if predictor.learns == 'event' else 'a round'}, or remembers an earlier answer. The order of"
            " rows can show who finished where; a predictor may not use it."
        )
    return found


def _period(predictor: Predictor, source: Source, game: int) -> tuple[int, int]:
    """Return the first and the last game that are predicted from the same knowledge as this one: its event, its
    round, or itself.
    """
    if predictor.learns == "game":
        return game, game
    games = source.games
    same = games.event == games.event[game]
    if predictor.learns == "round":
        same &= games.round == games.round[game]
    first, last = np.flatnonzero(same)[[0, -1]]
    return int(first), int(last)


def _refuse_changes(predictor: Predictor, one: Floats, other: Floats) -> None:
    """Refuse predictions that change although what was known is the same, to the last bit."""
    if not np.array_equal(one, other):
        changed = int(np.flatnonzero(one != other)[0])
        raise LooksAhead(
            f"{predictor.name} looks ahead: its prediction of game {changed + 1} changes with results or games that"
            " were not known before it. A predictor may use only what was known before the game."
        )
