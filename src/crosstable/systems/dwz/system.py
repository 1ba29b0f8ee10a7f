"""DWZ: one tournament at a time, with a coefficient by rating, age and the number of rated events."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.findings import declare
from crosstable.model import Answer, Finding, Game, Level, Player, Rating, Step
from crosstable.model.system_steps import (
    DevelopmentCoefficient,
    EloGame,
    FirstRating,
    GameStep,
    NewRating,
    NotPublished,
)
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.dwz import formulas
from crosstable.systems.elo.formulas import expected as logistic
from crosstable.systems.fide.formulas import first_rating
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import (
    SectionSystem,
    check_rating,
    cited,
    new_answer,
    notice,
    opponent_number,
    rounded,
)

declare(
    "unrated-opponent",
    Level.NOTICE,
    "A game against a player without a rating does not count for the rated player.",
    "No action is needed: the system needs the opponent's rating.",
)

ADULT_YEARS = 1000  # no birth date: an adult


@dataclass(frozen=True)
class Dwz(SectionSystem):
    """`games` of a record is the index behind a DWZ: the number of rated events.

    `pending`: a newcomer's saved games.
    """

    book: Rulebook = field(default_factory=lambda: rulebook("dwz"), repr=False)
    pool: ClassVar[str] = "DWZ"
    age_classes: ClassVar[bool] = True  # a junior's K

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        return Rating(float(self.rules(day)["start"]["rating"]), games=0, date=day)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        return logistic(a.rating - b.rating, float(self.latest["expected"]["scale"]), False)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        ratings = [None if state is None or state.pending else state.rating for state in field.states]
        answers, findings = [], []
        for entrant, games in enumerate(field.schedule()):
            counted = [pairing for pairing in games if ratings[pairing.opponent_of(entrant)] is not None]
            findings += [_left_out(field, pairing) for pairing in games if pairing not in counted]
            if counted and ratings[entrant] is None:
                answers.append(self._newcomer(field, entrant, counted, ratings, rules))
            elif counted:
                answers.append(self._answer(field, entrant, counted, ratings, rules))
        return answers, findings

    def coefficient(
        self, state: Rating, years: int, ahead: float, rules: Rules
    ) -> tuple[float, DevelopmentCoefficient]:
        """E, and the step with its parts, of a player of so many `years` who scored `ahead` above the expectation."""
        rule, faster, slower = rules["development"], rules["acceleration"], rules["brake"]
        age_points = age_points_of(years, rules)
        young = years < faster["under"]
        accelerated = formulas.acceleration(state.rating, young, ahead, faster["full"], faster["least"])
        braked = formulas.brake(state.rating, ahead, slower["below"], slower["scale"])
        e = formulas.development(
            state.rating,
            age_points,
            math.inf if state.games is None else float(max(state.games, 1)),
            accelerated,
            braked,
            float(rule["least"]),
            float(rule["most"]),
            float(rule["per_event"]),
            float(slower["most"]),
        )
        return e, DevelopmentCoefficient(
            result=e, base=age_points, acceleration=accelerated, brake=braked, cite=cited(rules, "development")
        )

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        ratings: Sequence[float | None],
        rules: Rules,
    ) -> Answer:
        before = field.states[entrant]
        assert before is not None  # noqa: S101  a player with a rating has a record
        chances = [self.expect(before, Rating(ratings[pairing.opponent_of(entrant)] or 0.0)) for pairing in games]
        ahead = sum(pairing.score_of(entrant) for pairing in games) - sum(chances)
        e, step = self.coefficient(before, years_of(field.entrants[entrant], field.end), ahead, rules)
        k = formulas.factor(float(rules["change"]["points"]), e, len(games))
        steps: list[Step] = [step]
        for pairing, chance in zip(games, chances, strict=True):
            steps.append(
                EloGame(
                    round=pairing.round,
                    opponent=opponent_number(field, entrant, pairing),
                    score=pairing.score_of(entrant),
                    rating=ratings[pairing.opponent_of(entrant)],
                    gain=k * (pairing.score_of(entrant) - chance),
                    k=k,
                    expected=chance,
                    cite=cited(rules, "change"),
                )
            )
        post = before.rating + k * ahead
        steps.append(NewRating(before=before.rating, change=k * ahead, result=post, cite=cited(rules, "change")))
        state = Rating(post, games=None if before.games is None else before.games + 1, date=field.end)
        values = {"status": "rated", "expected": sum(chances), "e": e, "change": k * ahead}
        return new_answer(field, self.pool, entrant, games, state, rounded(post), values, steps)

    def _newcomer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        ratings: Sequence[float | None],
        rules: Rules,
    ) -> Answer:
        """Return the first rating, from these games and those saved before;
        without enough of them it is not published.
        """
        before, rule, cite = field.states[entrant], rules["newcomer"], cited(rules, "newcomer")
        here = tuple((ratings[p.opponent_of(entrant)] or 0.0, p.score_of(entrant)) for p in games)
        every = (*(before.pending if before else ()), *here)
        total, score = sum(opponent for opponent, _ in every), sum(points for _, points in every)
        exact = first_rating(total, round(2 * score), len(every), 0, 0.0, 0.0, rule["differences"])
        rating = float(rounded(formulas.lifted(exact, rule["low"], rule["base"], rule["share"])))
        published = len(every) >= rule["games"] and 0 < score < len(every)
        steps: list[Step] = [
            GameStep(
                round=p.round, opponent=opponent_number(field, entrant, p), score=points, rating=opponent, cite=cite
            )
            for p, (opponent, points) in zip(games, here, strict=True)
        ]
        steps.append(
            FirstRating(
                score=score,
                games=len(every),
                opponents_total=total,
                imagined=0,
                imagined_rating=0,
                exact=exact,
                result=rating,
                cite=cite,
            )
        )
        if not published:
            steps.append(NotPublished(games=len(every), needed=rule["games"], floor=0.0, cite=cite))
        state = Rating(rating, games=1 if published else 0, date=field.end, pending=() if published else every)
        values = {"status": "rated" if published else "unrated", "first_estimate": exact, "change": None}
        return new_answer(field, self.pool, entrant, games, state, rating if published else 0, values, steps)


def years_of(player: Player, day: date) -> int:
    """Return the year played in minus the year of birth."""
    return ADULT_YEARS if player.birth_date is None else day.year - player.birth_date.year


def age_points_of(years: int, rules: Rules) -> float:
    """J."""
    rule = rules["development"]
    if years <= rule["youth_until"]:
        return float(rule["youth"])
    return float(rule["young_adult"] if years <= rule["young_adult_until"] else rule["adult"])


def _left_out(field: SectionPlayers, pairing: PlayedPairing) -> Finding:
    message = "the opponent has no rating; the game does not count for the other player."
    return notice("unrated-opponent", field.where_played(pairing), message)
