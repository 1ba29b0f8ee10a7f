"""The system in force when the 1996 report was written, for comparison: provisional average ± 400, K 32, 24, 16."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.model import Game, Player, Rating
from crosstable.model.system_steps import ProvisionalAverage, StandardUpdate, StandInStart
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.sections import cited
from crosstable.systems.uscf_1996.first_rating import age_rating
from crosstable.systems.uscf_1996.kfactor import banded, expectancy, expected_score
from crosstable.systems.uscf_1996.passes import PassEntry, PassesSystem, PassUpdate, RatingGroup


def provisional_average(
    span: float, rating: float, games: int, opponents: Sequence[float], scores: Sequence[float]
) -> float:
    """(N R + sum of R_i + 400 (W - L)) / (N + m)."""
    balance = math.fsum(2 * score - 1 for score in scores)
    return (games * rating + math.fsum(opponents) + span * balance) / (games + len(opponents))


@dataclass(frozen=True)
class Uscf1994(PassesSystem):
    """The USCF system before 2001, on the same records as the reform."""

    book: Rulebook = field(default_factory=lambda: rulebook("uscf_1994"), repr=False)
    pool: ClassVar[str] = "USCF"

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        rating = age_rating(self.rules(day)["age_rating"], player, day)
        return Rating(rating, games=0, date=day, wins=0, draws=0, losses=0)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        return expectancy(self.latest["expectancy"]["scale"], a.rating, b.rating)

    def established(self, rules: Rules, games: int | None) -> bool:
        return games is None or games >= rules["provisional_average"]["games"]

    def enter(self, rules: Rules, player: Player, state: Rating | None, day: date) -> PassEntry:
        if state is not None and state.games != 0:
            group = RatingGroup.ESTABLISHED if self.established(rules, state.games) else RatingGroup.PROVISIONAL
            return PassEntry(group, state.rating, state)
        rating = age_rating(rules["age_rating"], player, day)
        step = StandInStart(rating=rating, convertible=False, cite=cited(rules, "age_rating"))
        known = player.birth_date is not None and rating < rules["age_rating"]["adult"]
        return PassEntry(RatingGroup.UNRATED, rating, None, (step,), imputed=True, by_age=rating, from_birth_date=known)

    def update(
        self, rules: Rules, entry: PassEntry, opponents: Sequence[float], scores: Sequence[float], weight: float
    ) -> PassUpdate:
        before = entry.state
        score = sum(scores)
        if entry.group is RatingGroup.ESTABLISHED and before is not None:
            k = banded(rules["k_factor"]["bands"], before.rating) * weight
            expected = expected_score(rules["expectancy"]["scale"], before.rating, opponents)
            post = before.rating + k * (score - expected)
            step = StandardUpdate(
                before=before.rating, k=k, score=score, expected=expected, result=post, cite=cited(rules, "k_factor")
            )
            return PassUpdate("established", post, expected, k, steps=(step,))
        rating, games = (before.rating, before.games or 0) if before else (0.0, 0)
        average = provisional_average(rules["provisional_average"]["span"], rating, games, opponents, scores)
        post = average if before is None else rating + weight * (average - rating)
        span = float(rules["provisional_average"]["span"])
        cite = cited(rules, "provisional_average")
        average_step = ProvisionalAverage(before=games, played=len(scores), span=span, result=post, cite=cite)
        return PassUpdate("provisional average", post, steps=(average_step,))


SYSTEM = Uscf1994()
