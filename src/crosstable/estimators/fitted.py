"""What fitting gives: ratings and how they came about, predictions, chances of a win, a draw and a loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any

from crosstable.arguments import day_of
from crosstable.errors import WrongValue
from crosstable.extras import needed_for

if TYPE_CHECKING:
    from crosstable.estimators.base import Estimator, FittedState
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats, Integers

SHOWN = 20  # rows of a table in a notebook
DRAWN = 10  # players in a chart, if no one says which


@dataclass(frozen=True, eq=False)
class Fitted:
    """Ratings after a table of games, and what was expected of each game before it was rated."""

    estimator: Estimator
    games: FitGames = field(repr=False)
    state: FittedState = field(repr=False)
    predictions_in_order: Floats = field(repr=False)
    columns: Any = field(repr=False)

    @property
    def ratings(self) -> Any:
        """A frame, best first: player, rating, deviation where the system has one, games, last."""
        import polars as pl

        frame = pl.DataFrame(self.estimator._columns(self.state, self.games.players))
        frame = frame.with_columns(last=_days(frame["last"].to_numpy())) if self.games.dated else frame.drop("last")
        return self._given_kind(frame.sort("rating", "player", descending=[True, False]))

    @cached_property
    def history_(self) -> Any:
        """A frame with each player's rating after each period in which they played, in order of time.

        Columns: date (without dates `game`, the game's place), player, pool where there are several, rating, deviation
        and volatility where the system has them, games. Worked out when it is first asked for.
        """
        import polars as pl

        columns = self.estimator._history(self.games, self.state)
        period, day, player = (columns.pop(name) for name in ("period", "day", "player"))
        when = _days(day).rename("date") if self.games.dated else pl.Series("game", period + 1)
        frame = pl.DataFrame([when, self.games.players[player].rename("player")])
        return self._given_kind(frame.with_columns(**{name: pl.Series(values) for name, values in columns.items()}))

    @property
    def predictions(self) -> Floats:
        """White's expected score of each game before it was rated, in the order of the table that was given."""
        return self.games.in_given_order(self.predictions_in_order)

    def predict(
        self, more: Any, *, date: str | None = None, white: str | None = None, black: str | None = None
    ) -> Floats:
        """White's expected score of games to come, from these ratings; they do not change. Results are not needed.

        The columns have the names given to `fit`, or those given here. Players whom the fit did not see count with the
        start of a newcomer; `unseen` names them. Games that were fitted: `predictions` has what was expected before
        them.
        """
        games = self._to_come(more, date=date, white=white, black=black)
        return games.in_given_order(self.estimator._expect(self.state, games))

    def predict_proba(
        self, more: Any, *, date: str | None = None, white: str | None = None, black: str | None = None
    ) -> Floats:
        """Return the chances that White wins, that the game is drawn, and that White loses: a row for each game to
        come.

        They give the score that `predict` expects. How often games are drawn is Davidson's model with `draw_rate_`.
        """
        from crosstable.estimators.outcomes import outcomes

        return outcomes(self.predict(more, date=date, white=white, black=black), self.draw_rate_)

    @cached_property
    def draw_rate_(self) -> float:
        """Davidson's parameter for draws: the one with which as many draws were to be expected as there were."""
        from crosstable.estimators.outcomes import draw_rate

        return draw_rate(self.predictions_in_order, self.games.score)

    def update(self, more: Any) -> Fitted:
        """Return the ratings after more games, as `fit` of all the games would give them. These ratings do not change.

        The columns have the names given to `fit`. A late report is put where its date belongs, and everything is rated
        again from there on.
        """
        from crosstable.estimators.games import joined, read_games

        if self.games.given_order is None:
            raise WrongValue("update: these ratings come from events or history tables. Fit all of them together")
        found = joined(self.games, read_games(more, self.columns, known=self.games.players))
        return self.estimator._fit(found, self.columns)

    partial_fit = update  # scikit-learn's name

    def unseen(
        self, more: Any, *, date: str | None = None, white: str | None = None, black: str | None = None
    ) -> list[Any]:
        """Return the players of games to come whom the fit did not see: `predict` takes them as newcomers."""
        return self._to_come(more, date=date, white=white, black=black).players[len(self.games.players) :].to_list()

    def _to_come(self, more: Any, **names: str | None) -> FitGames:
        from crosstable.estimators.games import read_games

        columns = replace(self.columns, **{column: name for column, name in names.items() if name is not None})
        return read_games(more, columns, known=self.games.players, scored=False)

    def plot(self, players: Sequence[Any] | None = None) -> Any:
        """Return an Altair chart of some players' ratings over time; without `players`, of the ten rated highest.

        A band shows two deviations to each side, where the system has deviations.
        """
        with needed_for("plot", "lab"):
            from crosstable.estimators.plot import rating_chart

            chosen = list(self.ratings["player"][:DRAWN]) if players is None else list(players)
            return rating_chart(self.history_, chosen)

    def scores(self, test_from: date | str | None = None) -> dict[str, float]:
        """How well the predictions fit the results: n, deviance, log_loss, brier, accuracy."""
        return scored(self.games, self.predictions_in_order, test_from)

    def _given_kind(self, frame: Any) -> Any:
        """Return a pandas frame to a caller who came with one."""
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


def scored(games: FitGames, expected: Floats, test_from: date | str | None) -> dict[str, float]:
    """Score predictions of games in rating order, from a day on."""
    from crosstable.replay.scores import scores

    tested = slice(None) if test_from is None else _from_day_on(games, day_of(test_from, "test_from"))
    return scores(expected[tested], games.score[tested])


def _from_day_on(games: FitGames, day: date) -> Any:
    """Which games are of that day or later."""
    if not games.dated:
        raise WrongValue(f"test_from: the games have no dates, found {day}")
    tested = games.day >= day.toordinal()
    if not tested.any():
        last = date.fromordinal(int(games.day.max()))
        raise WrongValue(f"test_from: no game is of {day} or later; the last date is {last}")
    return tested


def html_table(caption: str, rows: list[list[Any]], total: int) -> str:
    """Return a small table for a notebook; the first row is the head."""
    head, *body = ["".join(f"<td>{escape(cell_text(cell))}</td>" for cell in row) for row in rows]
    more = f"<p>… {total - len(body):,} more</p>" if total > len(body) else ""
    lines = "".join(f"<tr>{row}</tr>" for row in body)
    head = head.replace("td>", "th>")
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>{more}"
    )


def cell_text(value: Any) -> str:
    if value is None:
        return ""
    return (
        f"{value:.4g}"
        if isinstance(value, float) and abs(value) < 1
        else f"{value:.1f}"
        if isinstance(value, float)
        else str(value)
    )


def _days(ordinals: Integers) -> Any:
    import polars as pl

    from crosstable.estimators.games import EPOCH

    return pl.Series("last", ordinals - EPOCH).cast(pl.Int32).cast(pl.Date)
