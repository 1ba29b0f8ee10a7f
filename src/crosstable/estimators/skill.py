"""TrueSkill and Weng–Lin for a table of games: a skill and its deviation, game by game."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, ClassVar

from crosstable.errors import WrongValue
from crosstable.estimators.base import Estimator, FittedState, book_with, last_days, setting

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Floats
    from crosstable.systems.skill import SkillSystem
    from crosstable.systems.skill import TrueSkill as TrueSkillSystem
    from crosstable.systems.skill import WengLin as WengLinSystem


@dataclass(frozen=True)
class SkillByGame(Estimator):
    """`start`, `start_deviation`: a newcomer's; `beta`: how much a performance varies; `tau`: a skill's drift
    per game.
    """

    start: float | None = None
    start_deviation: float | None = None
    beta: float | None = None
    tau: float | None = None
    needs: ClassVar[tuple[str, ...]] = ("deviation",)

    def __post_init__(self) -> None:
        for name in ("start", "start_deviation", "beta"):
            setting(name, getattr(self, name))
        if self.tau != 0:
            setting("tau", self.tau)

    @property
    @abstractmethod
    def system(self) -> SkillSystem: ...

    def _numbers(self) -> dict[str, float | None]:
        return {
            "start__rating": self.start,
            "start__deviation": self.start_deviation,
            "skill__beta": self.beta,
            "skill__tau": self.tau,
        }

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import skill

        found = skill.replay(games.periods(), self.system, predict=True)
        return FittedState(found.rating, found.games, last_days(games), found.deviation), found.predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import skill

        start, new = self.system.rules(date.max)["start"], len(games.players) - len(state.rating)
        assert state.deviation is not None  # noqa: S101  # both systems have one
        rating = np.append(state.rating, np.full(new, float(start["rating"])))
        deviation = np.append(state.deviation, np.full(new, float(start["deviation"])))
        return skill.expectations(games.white, games.black, rating, deviation, self.system)


@dataclass(frozen=True)
class TrueSkill(SkillByGame):
    """TrueSkill for two players, game by game, on its own scale of 25 ± 25/3. `draws`: the share of draws between
    equals.

    None: what the rulebook says.

    >>> from crosstable import TrueSkill
    >>> new_a, new_b = TrueSkill().update(None, None, 1)  # two newcomers
    >>> round(new_a.rating, 3), round(new_a.deviation, 3), round(new_b.rating, 3)
    (29.396, 7.171, 20.604)
    """

    draws: float | None = None
    pool: str = field(default="TRUESKILL", init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        setting("draws", self.draws)
        if self.draws is not None and self.draws >= 1:
            raise WrongValue(f"draws: expected a share below 1, found {self.draws!r}")

    @property
    def system(self) -> TrueSkillSystem:
        from crosstable.systems.skill import TrueSkill as Method

        return Method(book_with("trueskill", **self._numbers(), skill__draws=self.draws))


@dataclass(frozen=True)
class WengLin(SkillByGame):
    """Weng–Lin with Bradley–Terry pairs, known from OpenSkill, game by game, on a scale of 25 ± 25/3.

    None: what the rulebook says.

    >>> from crosstable import WengLin
    >>> new_a, new_b = WengLin().update(None, None, 1)
    >>> round(new_a.rating, 3), round(new_a.deviation, 3), round(new_b.rating, 3)
    (27.635, 8.066, 22.365)
    """

    pool: str = field(default="WENGLIN", init=False, repr=False)

    @property
    def system(self) -> WengLinSystem:
        from crosstable.systems.skill import WengLin as Method

        return Method(book_with("weng_lin", **self._numbers()))
