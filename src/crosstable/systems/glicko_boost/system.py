"""Glicko-Boost, one section a rating period.

Everybody is rated, and rated again against opponents as the first update left them. Whose result was exceptional starts
over with a wider deviation; if there is such a player, both updates are made once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from crosstable.model import Answer, Finding, Rating, Step
from crosstable.model.system_steps import Exceptional, NewDeviation, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.glicko import formulas as glicko
from crosstable.systems.glicko.system import Glicko, game_step, glicko_answer
from crosstable.systems.glicko_boost import formulas
from crosstable.systems.sections import cited
from crosstable.systems.stephenson.system import edge_of


class RatingAndDeviation(NamedTuple):
    """A rating and its deviation."""

    rating: float
    deviation: float


class BoostGame(NamedTuple):
    """One game of a player: against whom, the player's points for White, and the score."""

    opponent: int
    edge: float
    score: float


class BoostColumns(NamedTuple):
    """The columns of the paper's table 3."""

    first: list[RatingAndDeviation]
    second: list[RatingAndDeviation]
    surprise: list[float]  # Z
    reset: list[float]  # the deviations to start over with
    third: list[RatingAndDeviation]
    final: list[RatingAndDeviation]


@dataclass(frozen=True)
class GlickoBoost(Glicko):
    """White's advantage counts where a section's colours are known."""

    book: Rulebook = field(default_factory=lambda: rulebook("glicko_boost"), repr=False)
    pool: ClassVar[str] = "GLICKOBOOST"

    @property
    def white_points(self) -> float:
        return float(self.latest["white"]["points"])

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        states, schedule = self.onset(field, rules), field.schedule()
        points = float(rules["white"]["points"])
        games = [
            [
                BoostGame(
                    pairing.opponent_of(entrant),
                    edge_of(field, pairing, entrant, points),
                    pairing.score_of(entrant),
                )
                for pairing in played
            ]
            for entrant, played in enumerate(schedule)
        ]
        columns = rated_columns(
            [RatingAndDeviation(state.rating, state.deviation or 0.0) for state in states], games, rules
        )
        answers = [
            self._boost_answer(field, entrant, played, states, columns, games[entrant], rules)
            for entrant, played in enumerate(schedule)
        ]
        return answers, []

    def _aged(self, state: Rating, days: float, rules: Rules) -> Rating:
        rule, most = rules["ageing"], float(rules["deviation"]["most"])
        deviation = formulas.grown(state.deviation or most, state.rating, rule["alpha"], days / rule["days"], most)
        return Rating(state.rating, games=state.games, date=state.date, deviation=deviation)

    def _boost_answer(
        self,
        field: SectionPlayers,
        entrant: int,
        played: Sequence[PlayedPairing],
        states: Sequence[Rating],
        columns: BoostColumns,
        games: Sequence[BoostGame],
        rules: Rules,
    ) -> Answer:
        before, final = states[entrant], columns.final[entrant]
        base = RatingAndDeviation(before.rating, columns.reset[entrant])
        steps: list[Step] = [
            Exceptional(surprise=columns.surprise[entrant], deviation=base.deviation, cite=cited(rules, "boost"))
        ]
        variance, total = final.deviation**2, 0.0
        for pairing, met in zip(played, games, strict=True):
            opponent = columns.third[met.opponent]
            g = glicko.weight(opponent.deviation)
            e = glicko.expected(base.rating + met.edge, opponent.rating, g)
            total += e
            shown = Rating(opponent.rating, deviation=opponent.deviation)
            gain = glicko.gain(variance, g, met.score, e)
            steps.append(game_step(field, entrant, pairing, shown, g, e, gain, rules))
        change = final.rating - before.rating
        steps.append(NewRating(before=before.rating, change=change, result=final.rating, cite=cited(rules, "start")))
        steps.append(NewDeviation(before=before.deviation, result=final.deviation, cite=cited(rules, "deviation")))
        state = Rating(final.rating, games=(before.games or 0) + len(played), date=field.end, deviation=final.deviation)
        return glicko_answer(field, self.pool, entrant, played, state, total, steps)


def rated_columns(
    start: Sequence[RatingAndDeviation], games: Sequence[Sequence[BoostGame]], rules: Rules
) -> BoostColumns:
    """Return the steps of the paper for a whole period."""
    first = _update(start, games, start)
    second = _update(start, games, first)
    z = [_surprise(place, met, second) for place, met in zip(start, games, strict=True)]
    boost = rules["boost"]
    reset = [
        formulas.boosted(place.deviation, size, boost["threshold"], boost["factor"], boost["points"])
        for place, size in zip(start, z, strict=True)
    ]
    if reset == [place.deviation for place in start]:
        return BoostColumns(first, second, z, reset, first, second)
    again = [RatingAndDeviation(place.rating, deviation) for place, deviation in zip(start, reset, strict=True)]
    third = _update(again, games, again)
    return BoostColumns(first, second, z, reset, third, _update(again, games, third))


def _update(
    own: Sequence[RatingAndDeviation], games: Sequence[Sequence[BoostGame]], opponents: Sequence[RatingAndDeviation]
) -> list[RatingAndDeviation]:
    """Return Glicko's update of all players' own values against the given ones of the opponents."""
    found = []
    for place, played in zip(own, games, strict=True):
        information = gained = 0.0
        for met in played:
            opponent = opponents[met.opponent]
            g = glicko.weight(opponent.deviation)
            information += glicko.information(g, glicko.expected(place.rating, opponent.rating, g))
            expected = glicko.expected(place.rating + met.edge, opponent.rating, g)
            gained += glicko.gain(1.0, g, met.score, expected)
        variance = glicko.variance_after(place.deviation, information)
        found.append(RatingAndDeviation(place.rating + variance * gained, variance**0.5))
    return found


def _surprise(own: RatingAndDeviation, games: Sequence[BoostGame], opponents: Sequence[RatingAndDeviation]) -> float:
    above = variance = 0.0
    for met in games:
        opponent = opponents[met.opponent]
        g = glicko.weight(opponent.deviation)
        e = glicko.expected(own.rating + met.edge, opponent.rating, g)
        above += g * (met.score - e)
        variance += g * g * max(e * (1.0 - e), glicko.LEAST)
    return formulas.surprise_size(above, variance)
