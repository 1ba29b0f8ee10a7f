"""What every estimator offers: `fit`, `update`; and what fitting gives: ratings, predictions, `predict`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields, replace
from datetime import date
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Self

from crosstable.arguments import day_of
from crosstable.errors import WrongValue
from crosstable.extras import needed_for
from crosstable.model import PLAYED_RESULTS, Event, Rating
from crosstable.rulebook import Rulebook
from crosstable.rulebook.reform import with_numbers
from crosstable.systems import RatingSystem

if TYPE_CHECKING:
    from crosstable.estimators.games import Games
    from crosstable.replay.arrays import Floats, Integers

SCORES = (1, 0.5, 0, *PLAYED_RESULTS)  # of one game
SHOWN = 20  # rows of a table in a notebook


@dataclass(frozen=True)
class State:
    """Everybody's ratings after the last game, by number."""

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
        known = [item.name for item in fields(cls) if item.init]  # type: ignore[arg-type]  # every estimator is a dataclass
        for name in settings.keys() - set(known):
            raise WrongValue(f"{cls.__name__} has no setting '{name}': there are {', '.join(known) or 'none'}")
        return super().__new__(cls)

    @property
    @abstractmethod
    def system(self) -> RatingSystem:
        """The same method behind the protocol of all systems."""

    @abstractmethod
    def _run(self, games: Games) -> tuple[State, Floats]:
        """Everybody's ratings, and White's expected score of each game before it was rated."""

    @abstractmethod
    def _expect(self, state: State, games: Games) -> Floats:
        """White's expected score of games to come; players from `len(state.rating)` on are newcomers."""

    def fit(
        self,
        games: Any,
        *,
        date: str = "date",
        white: str = "white",
        black: str = "black",
        score: str = "score",
        event: str | None = None,
    ) -> Fitted:
        """Rate a table of games.

        `games` is a polars or pandas frame, a mapping of columns, tuples (date, white, black, score), or events. The
        names of the columns can be given. Games of one day are rated together; with `event`, a column, those of one day
        and event. Without dates every game is rated by itself, in the order given. Everybody begins as a newcomer: ratings
        that events bring are for `rate` and `UsChess.fit`.
        """
        with needed_for("fit"):
            from crosstable.estimators.games import Columns, read_games

            columns = Columns(date, white, black, score, event)
            table = read_games(games, columns)
            state, predictions = self._run(table)
        return Fitted(self, table, state, predictions, columns)

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
        """A rating with all that the system needs; None for a newcomer."""
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
        """What else an event of one game needs."""
        return {}

    def _columns(self, state: State, players: Any) -> dict[str, Any]:
        """The columns of the ratings' frame."""
        columns = {"player": players, "rating": state.rating}
        if state.deviation is not None:
            columns["deviation"] = state.deviation
        if state.volatility is not None:
            columns["volatility"] = state.volatility
        return columns | {"games": state.games, "last": state.last}

    def __str__(self) -> str:
        """The settings that are not the rulebook's: Elo(k=24)."""
        shown = [
            f"{item.name}={getattr(self, item.name)!r}"
            for item in fields(self)  # type: ignore[arg-type]  # every estimator is a dataclass
            if item.init and getattr(self, item.name) != item.default
        ]
        return f"{type(self).__name__}({', '.join(shown)})"


@dataclass(frozen=True, eq=False)
class Fitted:
    """Ratings after a table of games, and what was expected of each game before it was rated."""

    estimator: Estimator
    games: Games = field(repr=False)
    state: State = field(repr=False)
    predictions_in_order: Floats = field(repr=False)
    columns: Any = field(repr=False)

    @property
    def ratings(self) -> Any:
        """A frame, best first: player, rating, deviation where the system has one, games, last."""
        import polars as pl

        frame = pl.DataFrame(self.estimator._columns(self.state, self.games.players))
        frame = frame.with_columns(last=_days(frame["last"].to_numpy())) if self.games.dated else frame.drop("last")
        return self._given_kind(frame.sort("rating", "player", descending=[True, False]))

    @property
    def predictions(self) -> Floats:
        """White's expected score of each game before it was rated, in the order of the table that was given."""
        return self.games.in_given_order(self.predictions_in_order)

    def predict(
        self, more: Any, *, date: str | None = None, white: str | None = None, black: str | None = None
    ) -> Floats:
        """White's expected score of games to come, from these ratings; they do not change. Results are not needed.

        The columns have the names given to `fit`, or those given here. Players whom the fit did not see count with the
        start of a newcomer; `unseen` names them. Games that were fitted: `predictions` has what was expected before them.
        """
        games = self._to_come(more, date=date, white=white, black=black)
        return games.in_given_order(self.estimator._expect(self.state, games))

    def unseen(
        self, more: Any, *, date: str | None = None, white: str | None = None, black: str | None = None
    ) -> list[Any]:
        """The players of games to come whom the fit did not see: `predict` takes them as newcomers."""
        return self._to_come(more, date=date, white=white, black=black).players[len(self.games.players) :].to_list()

    def _to_come(self, more: Any, **names: str | None) -> Games:
        from crosstable.estimators.games import read_games

        columns = replace(self.columns, **{column: name for column, name in names.items() if name is not None})
        return read_games(more, columns, known=self.games.players, scored=False)

    def scores(self, test_from: date | str | None = None) -> dict[str, float]:
        """How well the predictions fit the results: n, deviance, log_loss, brier, accuracy."""
        from crosstable.replay.scores import scores

        tested = slice(None) if test_from is None else self._from_day_on(day_of(test_from, "test_from"))
        return scores(self.predictions_in_order[tested], self.games.score[tested])

    def _from_day_on(self, day: date) -> Any:
        """Which games are of that day or later."""
        if not self.games.dated:
            raise WrongValue(f"test_from: the games have no dates, found {day}")
        tested = self.games.day >= day.toordinal()
        if not tested.any():
            last = date.fromordinal(int(self.games.day.max()))
            raise WrongValue(f"test_from: no game is of {day} or later; the last date is {last}")
        return tested

    def _given_kind(self, frame: Any) -> Any:
        """A pandas frame for those who came with one."""
        if not self.games.pandas:
            return frame
        import pandas as pd  # type: ignore[import-untyped, unused-ignore]  # the caller's, not ours

        return pd.DataFrame({name: frame[name].to_list() for name in frame.columns})

    def __repr__(self) -> str:
        players, games = len(self.state.rating), len(self.games.score)
        return f"{self.estimator}: {players:,} players, {games:,} game{'' if games == 1 else 's'}"

    def _repr_html_(self) -> str:
        frame = self.ratings
        rows = [
            frame.columns,
            *(frame.head(SHOWN).itertuples(index=False) if self.games.pandas else frame.head(SHOWN).rows()),
        ]
        return html_table(f"{self!r}", [list(row) for row in rows], len(self.state.rating))


def html_table(caption: str, rows: list[list[Any]], total: int) -> str:
    """A small table for a notebook; the first row is the head."""
    head, *body = ["".join(f"<td>{escape(shown(cell))}</td>" for cell in row) for row in rows]
    more = f"<p>… {total - len(body):,} more</p>" if total > len(body) else ""
    lines = "".join(f"<tr>{row}</tr>" for row in body)
    head = head.replace("td>", "th>")
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{more}"
    )


def shown(value: Any) -> str:
    if value is None:
        return ""
    return (
        f"{value:.4g}"
        if isinstance(value, float) and abs(value) < 1
        else f"{value:.1f}"
        if isinstance(value, float)
        else str(value)
    )


def setting(name: str, value: float | None, above: float = 0.0) -> None:
    """Refuse a setting that no rating system can use."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not above < value < float("inf"):
        raise WrongValue(f"{name}: expected a number above {above:g}, found {value!r}")


def book_with(system: str, **numbers: float | None) -> Rulebook:
    """A system's rulebook with a person's own numbers, by rule and field: start__rating=1200. None: what it says."""
    own = {name.replace("__", "."): float(value) for name, value in numbers.items() if value is not None}
    return with_numbers(system, tuple(own.items()))


def last_days(games: Games) -> Integers:
    """Each player's last day; games stand in order of days."""
    import numpy as np

    last = np.zeros(len(games.players), np.int64)
    for side in (games.white, games.black):
        np.maximum.at(last, side, games.day)
    return last


def _days(ordinals: Integers) -> Any:
    import polars as pl

    from crosstable.estimators.games import EPOCH

    return pl.Series("last", ordinals - EPOCH).cast(pl.Int32).cast(pl.Date)
