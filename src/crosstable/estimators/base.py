"""What every estimator offers: `fit`, `update`, and its settings as scikit-learn reads and sets them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from datetime import date
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Self

from crosstable.arguments import day_of
from crosstable.errors import WrongValue
from crosstable.estimators.fitted import Fitted
from crosstable.extras import needed_for
from crosstable.model import PLAYED_RESULTS, Event, Rating
from crosstable.rulebook import Rulebook
from crosstable.rulebook.reform import with_numbers
from crosstable.systems import RatingSystem

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats, Integers

SCORES = (1, 0.5, 0, *PLAYED_RESULTS)  # of one game


@dataclass(frozen=True)
class FittedState:
    """Every player's ratings after the last game, by number."""

    rating: Floats
    games: Integers
    last: Integers  # ordinal of the last day
    deviation: Floats | None = None
    volatility: Floats | None = None
    extra: Any = None  # what only one system keeps


class Estimator(ABC):
    """Settings only. `fit` rates a table of games; the formulas are those of `rate`, compiled."""

    pool: str  # the key of its ratings in an event document
    needs: ClassVar[tuple[str, ...]] = ()  # what a Rating must hold besides the number

    def __new__(cls, *_given: Any, **settings: Any) -> Self:
        known = [item.name for item in fields(cls) if item.init]  # type: ignore[arg-type]  # a dataclass
        for name in settings.keys() - set(known):
            raise WrongValue(f"{cls.__name__} has no setting '{name}': there are {', '.join(known) or 'none'}")
        return super().__new__(cls)

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - no setting has settings of its own
        """Return the settings by name, as scikit-learn asks for them."""
        settings = [item for item in fields(self) if item.init]  # type: ignore[arg-type]  # as above
        return {item.name: getattr(self, item.name) for item in settings}

    def set_params(self, **settings: Any) -> Self:
        """Change settings in place, and return the estimator. What was fitted before keeps its own settings."""
        other = type(self)(**{**self.get_params(), **settings})  # refuses what no estimator may have
        for name, value in other.get_params().items():
            object.__setattr__(self, name, value)
        return self

    @property
    @abstractmethod
    def system(self) -> RatingSystem:
        """The same method behind the protocol of all systems."""

    @abstractmethod
    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        """Return every player's ratings, and White's expected score of each game before it was rated."""

    @abstractmethod
    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        """White's expected score of games to come; players from `len(state.rating)` on are newcomers."""

    def _steps(self, games: FitGames) -> Iterator[FittedState]:
        """Yield every player's ratings after each period; look at them before asking for the next.

        This holds for every system: each period is rated again with all before it. Systems that can go on from a state
        do so.
        """
        for period in range(1, len(games.first)):
            yield self._run(games.up_to(period))[0]

    def _history(self, games: FitGames, state: FittedState) -> dict[str, Any]:  # noqa: ARG002 - a subclass may need it
        """Return columns with a row for each player and period: period, day and player as numbers, rating, and the
        rest.
        """
        from crosstable.estimators.history import rows_of_steps

        return rows_of_steps(games, self._steps(games))

    def fit(
        self,
        games: Any,
        *,
        date: str = "date",
        white: str = "white",
        black: str = "black",
        score: str = "score",
        event: str | None = None,
        colours: bool = True,
    ) -> Fitted:
        """Rate a table of games.

        `games` is a polars or pandas frame, an Arrow table, a DuckDB relation, a mapping of columns, tuples (date,
        white, black, score), or events. The names of the columns can be given. Games of one day are rated together;
        with `event`, a column, those of one day and event. Without dates every game is rated by itself, in the order
        given. Without
        `colours` the columns only name the two players, and White has no advantage. Everybody begins as a newcomer:
        ratings that events bring are for `rate` and `UsChess.fit`.
        """
        with needed_for("fit"):
            from crosstable.estimators.games import GameColumns, read_games

            columns = GameColumns(date, white, black, score, event, colours)
            return self._fit(read_games(games, columns), columns)

    def _fit(self, games: FitGames, columns: Any) -> Fitted:
        """Rate games that were read. A copy of the settings goes with the ratings, so that `set_params` cannot part
        them.
        """
        state, predictions = self._run(games)
        return Fitted(replace(self), games, state, predictions, columns)  # type: ignore[type-var]  # a dataclass

    def update(
        self,
        a: Rating | float | None,
        b: Rating | float | None,
        score: float,
        *,
        on: date | str | None = None,
    ) -> tuple[Rating, Rating]:
        """Both players' ratings after one game. `score` is that of `a`: 1, 0.5 or 0. None: a newcomer.

        Where the number alone is not enough give a record: Rating(1600, deviation=50).
        `on` is the game's day; without it the later of the two ratings' days, or today.
        """
        before = [self._record(value, name) for value, name in ((a, "a"), (b, "b"))]
        if score not in SCORES:
            raise WrongValue(f"score: expected 1, 0.5 or 0, found {score!r}")
        days = [rating.date for rating in before if rating is not None and rating.date is not None]
        event = Event.of(
            "one game",
            games=[("a", "b", score)],
            on=max(days, default=date.today()) if on is None else day_of(on, "on"),
            ratings={who: {self.pool: rating} for who, rating in zip("ab", before, strict=True) if rating is not None},
            **self._one_game(),
        )
        new = {answer.id: answer.state for answer in self._rate(event)}
        return new["a"], new["b"]

    def _record(self, value: Rating | float | None, name: str) -> Rating | None:
        """Return a rating with all that the system needs; None for a newcomer."""
        if value is None:
            return None
        rating = value if isinstance(value, Rating) else Rating(value)
        if not isfinite(rating.rating):
            raise WrongValue(f"{name}: expected a rating, found {rating.rating!r}")
        missing = [need for need in self.needs if getattr(rating, need) is None]
        if missing:
            written = f"Rating({rating.rating:g}, {', '.join(f'{need}=…' for need in self.needs)})"
            words = f"{type(self).__name__} also needs {' and '.join(missing)}"
            raise WrongValue(f"{name}: {words}. Write {written}, or None for a newcomer")
        return rating

    def _rate(self, event: Event) -> Any:
        return self.system.rate(event).answers

    def _one_game(self) -> dict[str, Any]:
        """Return what else an event of one game needs."""
        return {}

    def _columns(self, state: FittedState, players: Any) -> dict[str, Any]:
        """Return the columns of the ratings' frame."""
        columns = {"player": players, "rating": state.rating}
        if state.deviation is not None:
            columns["deviation"] = state.deviation
        if state.volatility is not None:
            columns["volatility"] = state.volatility
        return columns | {"games": state.games, "last": state.last}

    def __str__(self) -> str:
        """Return the name with the settings that differ from the rulebook: Elo(k=24)."""
        shown = [
            f"{item.name}={getattr(self, item.name)!r}"
            for item in fields(self)  # type: ignore[arg-type]  # every estimator is a dataclass
            if item.init and getattr(self, item.name) != item.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


def setting(name: str, value: float | None, above: float = 0.0) -> None:
    """Refuse a setting that no rating system can use."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not above < value < float("inf"):
        raise WrongValue(f"{name}: expected a number above {above:g}, found {value!r}")


def book_with(system: str, **numbers: float | None) -> Rulebook:
    """Return a system's rulebook with one's own numbers, by rule and field: start__rating=1200. None: what it says."""
    own = {name.replace("__", "."): float(value) for name, value in numbers.items() if value is not None}
    return with_numbers(system, tuple(own.items()))


def last_days(games: FitGames) -> Integers:
    """Each player's last day; games stand in order of days."""
    import numpy as np

    last = np.zeros(len(games.players), np.int64)
    for side in (games.white, games.black):
        np.maximum.at(last, side, games.day)
    return last
