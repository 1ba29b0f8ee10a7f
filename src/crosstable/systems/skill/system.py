"""TrueSkill and Weng–Lin for two players: games count one at a time, in round order, each from what the one before
left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from statistics import NormalDist
from typing import ClassVar, NamedTuple

from crosstable.model import Answer, Finding, Game, Player, Rating, Step
from crosstable.model.derivation import OwnRating
from crosstable.model.system_steps import GlickoGame, NewDeviation, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import (
    SectionSystem,
    check_number,
    check_rating,
    cited,
    interval,
    new_answer,
    opponent_number,
)
from crosstable.systems.skill import formulas

DEVIATIONS = (1e-6, 10_000.0)  # what a record may say before it is a mistake


class SkillNumbers(NamedTuple):
    """What the formulas read; `limit` is TrueSkill's draw margin, or the least share of a variance that Weng–Lin
    leaves.
    """

    beta: float
    tau: float
    limit: float
    by_logistic: bool


class Skill(NamedTuple):
    """mu and sigma."""

    mean: float
    deviation: float


@dataclass(frozen=True)
class SkillSystem(SectionSystem):
    """A skill is a mean and a deviation. No time widens it: each game does, by tau."""

    book: Rulebook = field(repr=False)

    def numbers(self, rules: Rules) -> SkillNumbers:
        raise NotImplementedError

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        rule = self.rules(day)["start"]
        return Rating(float(rule["rating"]), games=0, date=day, deviation=float(rule["deviation"]))

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        known = self.numbers(self.latest)
        own, other = _skill(a), _skill(b)
        return formulas.predicted(*own, *other, known.beta, known.limit, known.by_logistic)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)
                yield from check_number(field, entrant, "deviation", state.deviation, *DEVIATIONS)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        states = [
            state or self.start(player, field.start) for state, player in zip(field.states, field.entrants, strict=True)
        ]
        now = [_skill(state) for state in states]
        steps: list[list[Step]] = [[_own(self.pool, state, rules)] for state in states]
        for pairing in field.pairings:
            sides = pairing.white, pairing.black
            both = [self._game(field, entrant, pairing, now, rules) for entrant in sides]
            for entrant, (skill, step) in zip(sides, both, strict=True):
                now[entrant] = skill
                steps[entrant].append(step)
        return [
            self._answer(field, entrant, games, states[entrant], now[entrant], steps[entrant], rules)
            for entrant, games in enumerate(field.schedule())
        ], []

    def _game(
        self, field: SectionPlayers, entrant: int, pairing: PlayedPairing, now: list[Skill], rules: Rules
    ) -> tuple[Skill, GlickoGame]:
        """One player's skill after a game, and the step; both players from their skills before it."""
        known, score = self.numbers(rules), pairing.score_of(entrant)
        own, other = now[entrant], now[pairing.opponent_of(entrant)]
        wide, others = formulas.drifted(own.deviation, known.tau), formulas.drifted(other.deviation, known.tau)
        gain, deviation = formulas.after(
            own.mean, wide, other.mean, others, score, known.beta, known.limit, known.by_logistic
        )
        step = GlickoGame(
            round=pairing.round,
            opponent=opponent_number(field, entrant, pairing),
            score=score,
            rating=other.mean,
            gain=gain,
            deviation=others,
            expected=formulas.predicted(own.mean, wide, other.mean, others, known.beta, known.limit, known.by_logistic),
            weight=wide * wide / formulas.spread(wide, others, known.beta),  # what one unit of surprise is worth
            cite=cited(rules, "skill"),
        )
        return Skill(own.mean + gain, deviation), step

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: list[PlayedPairing],
        before: Rating,
        after: Skill,
        steps: list[Step],
        rules: Rules,
    ) -> Answer:
        change = after.mean - before.rating
        new = NewRating(before=before.rating, change=change, result=after.mean, cite=cited(rules, "skill"))
        wide = NewDeviation(before=before.deviation, result=after.deviation, cite=cited(rules, "skill"))
        played = (before.games or 0) + len(games)
        state = Rating(after.mean, games=played, date=field.end, deviation=after.deviation)
        values = {
            "deviation": after.deviation,
            "interval": interval(after.mean, after.deviation),
            "conservative": after.mean - 3 * after.deviation,
        }
        return new_answer(field, self.pool, entrant, games, state, round(after.mean, 2), values, (*steps, new, wide))


@dataclass(frozen=True)
class TrueSkill(SkillSystem):
    """Microsoft's system for two players; the draw margin follows from the share of draws between equals."""

    book: Rulebook = field(default_factory=lambda: rulebook("trueskill"), repr=False)
    pool: ClassVar[str] = "TRUESKILL"

    def numbers(self, rules: Rules) -> SkillNumbers:
        rule = rules["skill"]
        beta, draws = float(rule["beta"]), float(rule["draws"])
        margin = NormalDist().inv_cdf((1.0 + draws) / 2.0) * 2.0**0.5 * beta
        return SkillNumbers(beta, float(rule["tau"]), margin, by_logistic=False)


@dataclass(frozen=True)
class WengLin(SkillSystem):
    """Weng and Lin's Bayesian approximation with Bradley–Terry pairs, which OpenSkill made known; a draw is half
    a win.
    """

    book: Rulebook = field(default_factory=lambda: rulebook("weng_lin"), repr=False)
    pool: ClassVar[str] = "WENGLIN"

    def numbers(self, rules: Rules) -> SkillNumbers:
        rule = rules["skill"]
        return SkillNumbers(float(rule["beta"]), float(rule["tau"]), float(rule["kappa"]), by_logistic=True)


def _skill(state: Rating) -> Skill:
    return Skill(state.rating, state.deviation or 0.0)


def _own(pool: str, state: Rating, rules: Rules) -> OwnRating:
    return OwnRating(
        pool=pool, rating=state.rating, games=state.games, deviation=state.deviation, cite=cited(rules, "start")
    )
