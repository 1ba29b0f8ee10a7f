"""Elo-MMR for a table of games. A state is a list of performances, which no rating record holds: so it rates no single
event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from crosstable.errors import WrongValue
from crosstable.estimators.base import FittedState, last_days, setting
from crosstable.estimators.whole_history import WholeTable

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats


@dataclass(frozen=True)
class EloMMR(WholeTable):
    """Elo-MMR (Ebtekar and Liu 2021), game by game: each game is a contest of two, and a draw is a tie.

    `start` and `start_deviation` are a newcomer's; `beta`: how much a performance varies; `limit`: what the deviation
    of a player with many games tends to. None: what the rulebook says.
    """

    start: float | None = None
    start_deviation: float | None = None
    beta: float | None = None
    limit: float | None = None
    pool: str = field(default="ELOMMR", init=False, repr=False)
    book: ClassVar[str] = "elo_mmr"

    def __post_init__(self) -> None:
        for name in ("start", "start_deviation", "beta", "limit"):
            setting(name, getattr(self, name))
        beta, limit = self._skill()
        if limit >= beta:
            raise WrongValue(f"limit: expected a number below beta ({beta:g}), found {limit:g}")

    def _skill(self) -> tuple[float, float]:
        rule = self.rules["skill"]
        return float(rule["beta"] if self.beta is None else self.beta), float(
            rule["limit"] if self.limit is None else self.limit
        )

    def _newcomer(self) -> tuple[float, float]:
        rule = self.rules["start"]
        rating = rule["rating"] if self.start is None else self.start
        return float(rating), float(rule["deviation"] if self.start_deviation is None else self.start_deviation)

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import elo_mmr

        rules = self.rules
        numbers = elo_mmr.numbers_of(*self._skill(), float(rules["skill"]["transfer"]))
        remembered = int(rules["history"]["games"])
        found, predictions = elo_mmr.replay(games.periods(), numbers, self._newcomer(), remembered, predict=True)
        return FittedState(found.rating, found.games, last_days(games), found.deviation), predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import elo_mmr

        rating, deviation = self._newcomer()
        new = len(games.players) - len(state.rating)
        assert state.deviation is not None  # noqa: S101  # this system has one
        return elo_mmr.expectations(
            games.white,
            games.black,
            np.append(state.rating, np.full(new, rating)),
            np.append(state.deviation, np.full(new, deviation)),
            self._skill()[0],
        )
