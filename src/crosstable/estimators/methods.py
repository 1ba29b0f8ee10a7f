"""The methods that rate a period at a time, and the club's that rates game by game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

from crosstable.errors import WrongValue
from crosstable.estimators.base import Estimator, FittedState, book_with, last_days, setting

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.replay.arrays import Flags, Floats
    from crosstable.replay.glicko import GlickoRatings
    from crosstable.systems import RatingSystem
    from crosstable.systems.elo import Elo as EloSystem
    from crosstable.systems.glicko import Glicko as GlickoSystem
    from crosstable.systems.glicko2 import Glicko2 as Glicko2System
    from crosstable.systems.st_charles import StCharles as StCharlesSystem

CURVES = ("logistic", "normal")


class OneNumber(Estimator):
    """A method whose ratings are one number each: `module` is the one of `crosstable.replay` that replays it."""

    module: ClassVar[str]

    def _replay(self) -> Any:
        return import_module(f"crosstable.replay.{self.module}")

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        found = self._replay().replay(games.periods(), self.system, predict=True)
        return FittedState(found.rating, found.games, last_days(games)), found.predictions

    def _steps(self, games: FitGames) -> Iterator[FittedState]:
        found = None
        for part in games.each_period():
            found = self._replay().replay(part.periods(), self.system, after=found)
            yield FittedState(found.rating, found.games, games.day)

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        from crosstable.replay.periods import filled

        start = float(self.system.rules(date.max)["start"]["rating"])
        rating = filled(_padded(state.rating, games), len(games.players), start)
        expected: Floats = self._replay().expectations(games.white, games.black, rating, self.system)
        return expected


@dataclass(frozen=True)
class Elo(OneNumber):
    """Elo. `k`: one K for all players; `curve`: "logistic" or "normal", with `scale`; `start`: a newcomer's rating.

    None: what the rulebook says.

    >>> from crosstable import Elo
    >>> new_a, new_b = Elo(k=24).update(1600, 1600, 1)
    >>> new_a.rating, new_b.rating
    (1612.0, 1588.0)
    """

    k: float | None = None
    curve: str | None = None
    scale: float | None = None
    start: float | None = None
    pool: str = field(default="ELO", init=False, repr=False)
    module: ClassVar[str] = "elo"

    def __post_init__(self) -> None:
        setting("k", self.k)
        setting("scale", self.scale)
        setting("start", self.start)
        if self.curve is not None and self.curve not in CURVES:
            raise WrongValue(f"curve: expected one of {', '.join(CURVES)}, found {self.curve!r}")

    @property
    def system(self) -> EloSystem:
        from crosstable.systems.elo import Elo as Method

        return Method(book_with("elo", start__rating=self.start), k=self.k, curve=self.curve, scale=self.scale)


@dataclass(frozen=True)
class StCharles(OneNumber):
    """A school club's whole points, one game at a time (the St. Charles Chess Club)."""

    pool: str = field(default="CLUB", init=False, repr=False)
    module: ClassVar[str] = "club"

    @property
    def system(self) -> StCharlesSystem:
        from crosstable.systems.st_charles import StCharles as Method

        return Method()


class WithDeviation(Estimator):
    """A method of Glicko's family: a rating and its deviation."""

    @property
    @abstractmethod
    def system(self) -> GlickoSystem | Glicko2System: ...

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import glicko

        found = glicko.replay(games.periods(), self.system, colours=_colours(games), predict=True)
        return _glicko_state(found), found.predictions

    def _steps(self, games: FitGames) -> Iterator[FittedState]:
        from crosstable.replay import glicko

        found = None
        for part in games.each_period():
            found = glicko.replay(part.periods(), self.system, colours=_colours(part), after=found)
            yield _glicko_state(found)

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        from crosstable.replay import glicko

        known = _with_newcomers(state, games, self.system)
        return glicko.expectations(games.white, games.black, games.day, known, self.system, colours=games.colours)


@dataclass(frozen=True)
class Widening(WithDeviation):
    """A rating whose deviation widens with time, by the system that is called `method`.

    None: what the rulebook says.
    """

    start: float | None = None
    start_deviation: float | None = None
    c: float | None = None
    method: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ("deviation",)

    def __post_init__(self) -> None:
        for name in ("start", "start_deviation", "c"):
            setting(name, getattr(self, name))
        most = self.system.rules(date.max)["deviation"]["most"]
        if self.start_deviation is not None and self.start_deviation > most:
            raise WrongValue(f"start_deviation: expected at most {most:g}, found {self.start_deviation!r}")

    @property
    def system(self) -> GlickoSystem:
        from crosstable.systems import system

        start = {"start__rating": self.start, "start__deviation": self.start_deviation}
        return replace(
            cast("GlickoSystem", system(self.method)), book=book_with(self.method, **start, ageing__c=self.c)
        )


@dataclass(frozen=True)
class Glicko(Widening):
    """Glicko: a rating and its deviation, which widens with time (`c`, per period of 30 days).

    `start` and `start_deviation` are a newcomer's. None: what the rulebook says.

    >>> from crosstable import Glicko
    >>> new_a, new_b = Glicko().update(None, None, 1)  # two newcomers
    >>> round(new_a.rating), round(new_a.deviation), round(new_b.rating)
    (1662, 290, 1338)
    """

    pool: str = field(default="GLICKO", init=False, repr=False)
    method: ClassVar[str] = "glicko"


@dataclass(frozen=True)
class Stephenson(Widening):
    """Stephenson's system: Glicko with a bonus per game, a pull towards one's opponents, and White's advantage.

    `start`, `start_deviation` and `c` are as Glicko's.
    """

    pool: str = field(default="STEPHENSON", init=False, repr=False)
    method: ClassVar[str] = "stephenson"


@dataclass(frozen=True)
class Glicko2(WithDeviation):
    """Glicko-2: a rating, its deviation and its volatility. `tau` says how freely the volatility moves.

    `fractional`: the volatility is added for the days since the last game instead of once per period. `start` and
    `start_deviation` are a newcomer's. None: what the rulebook says.

    >>> from crosstable import Glicko2, Rating
    >>> new_a, new_b = Glicko2().update(Rating(1500, deviation=200, volatility=0.06), None, 1)
    >>> round(new_a.rating, 1)
    1567.2
    """

    tau: float | None = None
    fractional: bool = False
    start: float | None = None
    start_deviation: float | None = None
    pool: str = field(default="GLICKO2", init=False, repr=False)
    needs: ClassVar[tuple[str, ...]] = ("deviation", "volatility")

    def __post_init__(self) -> None:
        for name in ("tau", "start", "start_deviation"):
            setting(name, getattr(self, name))

    @property
    def system(self) -> Glicko2System:
        from crosstable.systems.glicko2 import Glicko2 as Method

        book = book_with("glicko2", start__rating=self.start, start__deviation=self.start_deviation)
        return Method(book, tau=self.tau, fractional=self.fractional)


def _colours(games: FitGames) -> Flags:
    """Return which games have known colours: all of them, unless the table only names the players."""
    import numpy as np

    return np.full(len(games.score), games.colours)


def _glicko_state(found: GlickoRatings) -> FittedState:
    return FittedState(found.rating, found.games, found.last, found.deviation, found.volatility)


def _padded(values: Floats, games: FitGames) -> Floats:
    """One value per player of the new games; newcomers have none."""
    import numpy as np

    return np.append(values, np.full(len(games.players) - len(values), np.nan))


def _with_newcomers(state: FittedState, games: FitGames, system: RatingSystem) -> GlickoRatings:
    import numpy as np

    from crosstable.replay.glicko import NEVER, GlickoRatings
    from crosstable.replay.periods import filled

    start, players = system.rules(date.max)["start"], len(games.players)
    new = players - len(state.rating)
    assert state.deviation is not None  # noqa: S101  # both systems have one
    return GlickoRatings(
        filled(_padded(state.rating, games), players, float(start["rating"])),
        filled(_padded(state.deviation, games), players, float(start["deviation"])),
        None,
        np.append(state.games, np.zeros(new, np.int64)),
        np.append(state.last, np.full(new, NEVER, np.int64)),
        np.zeros(0),
    )


__all__ = ["Elo", "Glicko", "Glicko2", "StCharles", "Stephenson"]
