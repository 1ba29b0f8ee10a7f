"""Glicko: a rating and its deviation, one section a rating period."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.model import Answer, Finding, Game, Player, Rating, Step
from crosstable.model.derivation import OwnRating
from crosstable.model.system_steps import GlickoGame, NewDeviation, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers, white_edge
from crosstable.systems.glicko import formulas
from crosstable.systems.sections import (
    SectionSystem,
    check_number,
    check_rating,
    cited,
    interval,
    new_answer,
    opponent_number,
    rounded,
)

DEVIATIONS = (0.01, 10_000.0)  # what a record may say before it is a mistake


@dataclass(frozen=True)
class Glicko(SectionSystem):
    """The paper's system: all players are rated from the values before the period."""

    book: Rulebook = field(default_factory=lambda: rulebook("glicko"), repr=False)
    pool: ClassVar[str] = "GLICKO"

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        rule = self.rules(day)["start"]
        return Rating(float(rule["rating"]), games=0, date=day, deviation=float(rule["deviation"]))

    @property
    def white_points(self) -> float:
        """What White is worth in a game to come: nothing in Glicko itself."""
        return 0.0

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:
        """Of a game to come: both deviations count."""
        edge = white_edge(game, self.white_points)
        return formulas.predicted(a.rating + edge, a.deviation or 0.0, b.rating, b.deviation or 0.0)

    def age(self, state: Rating, days: int) -> Rating:
        return self._aged(state, days, self.latest)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:  # noqa: ARG002  as the protocol calls it
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)
                yield from check_number(field, entrant, "deviation", state.deviation, *DEVIATIONS)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        states = self.onset(field, rules)
        return [
            self._answer(field, entrant, games, states, rules) for entrant, games in enumerate(field.schedule())
        ], []

    def onset(self, field: SectionPlayers, rules: Rules) -> list[Rating]:
        """Return every player at the start of the period: newcomers, and the others with their deviation aged."""
        return [
            self.start(player, field.start) if state is None else self._aged(state, field.days_since(state), rules)
            for state, player in zip(field.states, field.entrants, strict=True)
        ]

    def _aged(self, state: Rating, days: float, rules: Rules) -> Rating:
        rule, bounds = rules["ageing"], rules["deviation"]
        deviation = formulas.aged(state.deviation or bounds["most"], rule["c"], days / rule["days"], bounds["most"])
        return Rating(state.rating, games=state.games, date=state.date, deviation=max(deviation, bounds["least"]))

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        states: Sequence[Rating],
        rules: Rules,
    ) -> Answer:
        before = states[entrant]
        deviation = before.deviation or 0.0
        seen = [_seen(before, states[pairing.opponent_of(entrant)]) for pairing in games]
        variance = formulas.variance_after(deviation, sum(formulas.information(g, e) for g, e in seen))
        gains = [
            formulas.gain(variance, g, pairing.score_of(entrant), e)
            for pairing, (g, e) in zip(games, seen, strict=True)
        ]
        post = before.rating + sum(gains)
        after = max(variance**0.5, float(rules["deviation"]["least"]))
        steps: list[Step] = [
            OwnRating(
                pool=self.pool,
                rating=before.rating,
                games=before.games,
                deviation=deviation,
                cite=cited(rules, "ageing"),
            )
        ]
        for pairing, (g, e), gain in zip(games, seen, gains, strict=True):
            steps.append(game_step(field, entrant, pairing, states[pairing.opponent_of(entrant)], g, e, gain, rules))
        steps.append(NewRating(before=before.rating, change=sum(gains), result=post, cite=cited(rules, "start")))
        steps.append(NewDeviation(before=deviation, result=after, cite=cited(rules, "deviation")))
        state = Rating(post, games=(before.games or 0) + len(games), date=field.end, deviation=after)
        return glicko_answer(field, self.pool, entrant, games, state, sum(e for _, e in seen), steps)


def _seen(own: Rating, opponent: Rating) -> tuple[float, float]:
    """g(RD_j) and E of one game."""
    g = formulas.weight(opponent.deviation or 0.0)
    return g, formulas.expected(own.rating, opponent.rating, g)


def game_step(
    field: SectionPlayers,
    entrant: int,
    pairing: PlayedPairing,
    opponent: Rating,
    g: float,
    e: float,
    gain: float,
    rules: Rules,
) -> Step:
    return GlickoGame(
        round=pairing.round,
        opponent=opponent_number(field, entrant, pairing),
        score=pairing.score_of(entrant),
        rating=opponent.rating,
        gain=gain,
        deviation=opponent.deviation or 0.0,
        expected=e,
        weight=g,
        cite=cited(rules, "start"),
    )


def glicko_answer(
    field: SectionPlayers,
    pool: str,
    entrant: int,
    games: Sequence[PlayedPairing],
    state: Rating,
    expected: float,
    steps: Sequence[Step],
) -> Answer:
    deviation = state.deviation or 0.0
    values = {"expected": expected, "post": state.rating, "deviation": deviation}
    if state.volatility is not None:
        values["volatility"] = state.volatility
    shown = {**values, "interval": interval(state.rating, deviation)}
    return new_answer(field, pool, entrant, games, state, rounded(state.rating), shown, steps)
