"""Chessmetrics for a table of games: the whole list at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from crosstable.estimators.base import FittedState, last_days, setting
from crosstable.estimators.whole_history import WholeTable

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats
    from crosstable.replay.chessmetrics import ListNumbers


@dataclass(frozen=True)
class Chessmetrics(WholeTable):
    """Chessmetrics (Sonas): performance ratings of the last months, newer games weighing more, everybody's at once.

    `months`: after how many a game no longer counts; `rating`: that of the fixed opponent of the padding, and so the
    average of a table; `every`: days after which `predictions` come from a new list. None: what the rulebook says.
    """

    months: float | None = None
    rating: float | None = None
    every: float | None = None
    pool: str = field(default="CHESSMETRICS", init=False, repr=False)
    book: ClassVar[str] = "chessmetrics"

    def __post_init__(self) -> None:
        for name in ("months", "rating", "every"):
            setting(name, getattr(self, name))

    def _numbers(self) -> ListNumbers:
        from crosstable.replay.chessmetrics import ListNumbers

        rules, padding = self.rules, self.rules["padding"]
        return ListNumbers(
            points=float(rules["performance"]["points"]),
            months=float(rules["weight"]["months"] if self.months is None else self.months),
            average=float(padding["average"]),
            fixed=float(padding["fixed"]),
            rating=float(padding["rating"] if self.rating is None else self.rating),
        )

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import chessmetrics

        days = float(self.rules["refit"]["days"] if self.every is None else self.every)
        found = chessmetrics.replay(games.periods(), self._numbers(), days, predict=True)
        return FittedState(found.rating, found.games, last_days(games)), found.predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import chessmetrics

        numbers = self._numbers()
        rating = np.append(state.rating, np.full(len(games.players) - len(state.rating), numbers.rating))
        return chessmetrics.expectations(games.white, games.black, rating, numbers.points)
