"""FIDE, the DWZ and Glicko-Boost for a table of games, at array speed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from crosstable.estimators.base import Estimator, FittedState, book_with, last_days, setting
from crosstable.estimators.methods import WithDeviation

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats
    from crosstable.systems.dwz import Dwz as DwzSystem
    from crosstable.systems.fide import Fide as FideSystem
    from crosstable.systems.glicko_boost import GlickoBoost as GlickoBoostSystem


@dataclass(frozen=True)
class GlickoBoost(WithDeviation):
    """Glicko-Boost: Glicko with White's advantage, a second update, and a wider deviation after an exceptional result.

    `start` and `start_deviation` are a newcomer's. None: what the rulebook says.
    """

    start: float | None = None
    start_deviation: float | None = None
    pool: str = field(default="GLICKOBOOST", init=False, repr=False)
    needs: ClassVar[tuple[str, ...]] = ("deviation",)

    def __post_init__(self) -> None:
        for name in ("start", "start_deviation"):
            setting(name, getattr(self, name))

    @property
    def system(self) -> GlickoBoostSystem:
        from crosstable.systems.glicko_boost import GlickoBoost as Method

        return Method(book_with("glicko_boost", start__rating=self.start, start__deviation=self.start_deviation))


@dataclass(frozen=True)
class Fide(Estimator):
    """FIDE's rules of each game's date, before 2022 those of 2022; without dates the newest.

    FIDE gives no rating before five games against rated players, and a table of games has no ratings. So every player
    begins with the rating `start`; None: that of the hypothetical opponents whom the rules give a newcomer. All players
    count as adults.
    """

    start: float | None = None
    pool: str = field(default="FIDE", init=False, repr=False)

    def __post_init__(self) -> None:
        setting("start", self.start)

    @property
    def system(self) -> FideSystem:
        from crosstable.systems.fide import Fide as Method

        return Method()

    @property
    def opening(self) -> float:
        """Return the rating that every player begins with."""
        return float(self.system.rules(date.max)["newcomer"]["opponents_rating"] if self.start is None else self.start)

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        import numpy as np

        from crosstable.replay import fide

        history = games.periods()
        if not games.dated:
            history = history._replace(day=np.full(len(history.day), date.max.toordinal()))
        predictions = np.zeros(history.games)
        opening = np.full(history.players, self.opening)
        found = fide.replay(history, self.system, opening, predictions=predictions)
        return FittedState(found["rating"], found["games"], last_days(games)), predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import fide

        rating = np.append(state.rating, np.full(len(games.players) - len(state.rating), self.opening))
        return fide.expectations(games.white, games.black, rating, self.system)


@dataclass(frozen=True)
class Dwz(Estimator):
    """The DWZ, with every player an adult. The games of one day, or of one day and event, are one tournament.

    The DWZ gives no rating before five games against rated players, so everybody begins with `start` (None: the
    rulebook's stand-in). `games` in the ratings is the index: the number of tournaments.
    """

    start: float | None = None
    pool: str = field(default="DWZ", init=False, repr=False)

    def __post_init__(self) -> None:
        setting("start", self.start)

    @property
    def system(self) -> DwzSystem:
        from crosstable.systems.dwz import Dwz as Method

        return Method(book_with("dwz", start__rating=self.start))

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import dwz

        found = dwz.replay(games.periods(), self.system, predict=True)
        return FittedState(found.rating, found.events, last_days(games)), found.predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import dwz

        start = float(self.system.latest["start"]["rating"])
        rating = np.append(state.rating, np.full(len(games.players) - len(state.rating), start))
        return dwz.expectations(games.white, games.black, rating, self.system)
