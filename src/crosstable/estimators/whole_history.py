"""The methods that fit a whole table of games at once: there is no rating of a single event, so they are no systems of
`rate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

from crosstable.errors import WrongValue
from crosstable.estimators.base import Estimator, FittedState, last_days, setting
from crosstable.rulebook import Rules, rulebook

if TYPE_CHECKING:
    from crosstable.estimators.games import FitGames
    from crosstable.model import Rating
    from crosstable.replay.arrays import Floats
    from crosstable.replay.bradley_terry import Settings, Strengths
    from crosstable.systems import RatingSystem


class WholeTable(Estimator):
    """A method that has no rating of one event or one game: `fit` only."""

    book: ClassVar[str]  # the name of its rulebook

    @property
    def rules(self) -> Rules:
        """The newest numbers of its rulebook."""
        return rulebook(self.book).on(date.max)

    @property
    def system(self) -> RatingSystem:
        raise WrongValue(f"{type(self).__name__} fits a whole table of games and rates no single event: use fit")

    def update(self, *_game: Any, **_more: Any) -> tuple[Rating, Rating]:
        """Refuse: one game alone gives no rating."""
        raise WrongValue(f"{type(self).__name__} fits a whole table of games, not one game: use fit")


@dataclass(frozen=True)
class BradleyTerry(WholeTable):
    """Bradley–Terry: one strength for each player through the whole table, as if no player improved.

    `draws`: "davidson" estimates how often games are drawn, "half" counts a draw as half a win. `white`: estimate
    White's advantage. `prior`: games against the average that each player begins with, half of them won; 0 is maximum
    likelihood, which some tables do not have. `every`: days after which `predictions` are made from a new fit to the
    games before (with a prior of at least 1). None: what the rulebook says. `fit(…).state.extra` has the strengths,
    `draw` (nu) and `white`.

    >>> from crosstable import BradleyTerry
    >>> fitted = BradleyTerry(draws="half", prior=0).fit([("a", "b", 1), ("a", "b", 1), ("b", "a", 1)])
    >>> [round(rating, 2) for rating in fitted.ratings["rating"]]  # a scored 2 to 1: 400 log10(2) = 120.41 points apart
    [1560.21, 1439.79]
    """

    draws: str = "davidson"
    white: bool = False
    prior: float | None = None
    every: float | None = None
    pool: str = field(default="BRADLEYTERRY", init=False, repr=False)
    book: ClassVar[str] = "bradley_terry"

    def __post_init__(self) -> None:
        if self.draws not in ("davidson", "half"):
            raise WrongValue(f"draws: expected 'davidson' or 'half', found {self.draws!r}")
        if self.prior != 0:
            setting("prior", self.prior)
        setting("every", self.every)

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        from crosstable.replay import bradley_terry

        days = float(self.rules["refit"]["days"]) if self.every is None else float(self.every)
        try:
            found = bradley_terry.replay(games.periods(), self._settings(games.colours), days, predict=True)
        except bradley_terry.NoEstimate as problem:
            names = ", ".join(str(games.players[int(who)]) for who in problem.players[:5])
            more = "" if len(problem.players) <= 5 else f" and {len(problem.players) - 5:,} more"
            raise WrongValue(
                f"games: no maximum likelihood ratings exist, because {names}{more} scored all points or none against"
                " the other players, or did not play them. Give a prior, as in BradleyTerry(prior=1)"
            ) from None
        return FittedState(self._points(found.strengths.theta), found.games, last_days(games), extra=found.strengths), (
            found.predictions
        )

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import bradley_terry

        known: Strengths = state.extra
        theta = np.append(known.theta, np.zeros(len(games.players) - len(known.theta)))  # a newcomer is the anchor
        return bradley_terry.expectations(games.white, games.black, known._replace(theta=theta))

    def _settings(self, colours: bool) -> Settings:
        from crosstable.replay.bradley_terry import Settings

        prior = float(self.rules["prior"]["games"]) if self.prior is None else float(self.prior)
        return Settings(prior, self.draws == "davidson", self.white and colours)

    def _points(self, theta: Floats) -> Floats:
        scale = self.rules["scale"]
        return theta * (float(scale["points"]) / math.log(10.0)) + float(scale["rating"])


@dataclass(frozen=True)
class WholeHistoryRating(WholeTable):
    """Whole-History Rating (Coulom 2008): every player's strength on every day of play, all days fitted together.

    `w2`: how fast strengths move, in squared points a day; `prior`: virtual games on a player's first day, half of them
    won;
    `every`: days after which, for `predictions`, everybody is fitted again and not only the players of the day. None:
    what the rulebook says. Without dates each game counts as a day. `deviation` takes the opponents' ratings as known.
    """

    w2: float | None = None
    prior: float | None = None
    every: float | None = None
    pool: str = field(default="WHOLEHISTORY", init=False, repr=False)
    book: ClassVar[str] = "whole_history"

    def __post_init__(self) -> None:
        for name in ("w2", "prior", "every"):
            setting(name, getattr(self, name))

    def _run(self, games: FitGames) -> tuple[FittedState, Floats]:
        import numpy as np

        from crosstable.replay import whole_history

        rules, points = self.rules, self.rules["scale"]["points"]
        given = {"w2": (self.w2, "drift", "w2"), "prior": (self.prior, "prior", "games")}
        given["refit"] = (self.every, "refit", "days")
        known = {name: float(rules[rule][value] if own is None else own) for name, (own, rule, value) in given.items()}
        found = whole_history.replay(games.periods(), whole_history.numbers_of(**known, points=points), predict=True)
        nat = points / math.log(10.0)
        rating = rules["scale"]["rating"] + nat * found.last
        state = FittedState(rating, found.games, last_days(games), nat * np.sqrt(found.variance), extra=found)
        return state, found.predictions

    def _expect(self, state: FittedState, games: FitGames) -> Floats:
        import numpy as np

        from crosstable.replay import whole_history

        r = np.append(state.extra.last, np.zeros(len(games.players) - len(state.rating)))
        return whole_history.expectations(games.white, games.black, r)
