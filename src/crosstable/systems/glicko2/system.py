"""Glicko-2: a rating, its deviation and its volatility, one section a rating period."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.errors import RulebookError
from crosstable.model import Answer, Finding, Game, Player, Rating, Step
from crosstable.model.system_steps import NewDeviation, NewRating, Volatility
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.glicko.system import DEVIATIONS, game_step, glicko_answer
from crosstable.systems.glicko2 import formulas
from crosstable.systems.options import Option, choice, number
from crosstable.systems.sections import SectionSystem, check_number, check_rating, check_setting, cited

VOLATILITIES = (1e-6, 10.0)  # what a record may say before it is a mistake


@dataclass(frozen=True)
class Glicko2(SectionSystem):
    """`tau`: None for the rulebook's. `fractional`: the volatility is added for the days since the rating's date
    (in periods of the rulebook's length) instead of once per event.
    """

    book: Rulebook = field(default_factory=lambda: rulebook("glicko2"), repr=False)
    tau: float | None = None
    fractional: bool = False
    pool: ClassVar[str] = "GLICKO2"
    options: ClassVar[Mapping[str, Option]] = {
        "tau": number("how freely the volatility moves", "tau"),
        "volatility": choice(
            "added once an event, or by the days since the last", {"event": {}, "days": {"fractional": True}}
        ),
    }

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        rule = self.rules(day)["start"]
        rating, deviation, volatility = (float(rule[name]) for name in ("rating", "deviation", "volatility"))
        return Rating(rating, games=0, date=day, deviation=deviation, volatility=volatility)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        """Of a game to come: both deviations count."""
        own, other = _Place.of(a, self.latest), _Place.of(b, self.latest)
        return formulas.predicted(own.mu, own.phi, other.mu, other.phi)

    def age(self, state: Rating, days: int) -> Rating:
        """Step 6 of a player who does not compete, for parts of a period too."""
        rules = self.latest
        points = rules["scale"]["points"]
        phi = (state.deviation or 0.0) / points
        widened = formulas.widened(phi, state.volatility or 0.0, days / rules["period"]["days"])
        return Rating(state.rating, state.games, state.date, deviation=widened * points, volatility=state.volatility)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
        yield from check_setting("tau", self._tau(rules))
        for entrant, state in enumerate(field.states):
            if state is not None:
                yield from check_rating(field, entrant, state)
                yield from check_number(field, entrant, "deviation", state.deviation, *DEVIATIONS)
                yield from check_number(field, entrant, "volatility", state.volatility, *VOLATILITIES)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        states = [
            state or self.start(player, field.start) for state, player in zip(field.states, field.entrants, strict=True)
        ]
        places = [_Place.of(state, rules) for state in states]
        return [
            self._answer(field, entrant, games, states, places, rules) for entrant, games in enumerate(field.schedule())
        ], []

    def _tau(self, rules: Rules) -> float:
        return float(rules["volatility"]["tau"]) if self.tau is None else self.tau

    def _periods(self, field: SectionPlayers, entrant: int, rules: Rules) -> float:
        """How often the volatility is added: once per event, or by the calendar."""
        before = field.states[entrant]
        if not self.fractional:
            return 1.0
        return 0.0 if before is None else float(field.days_since(before) / rules["period"]["days"])

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        states: Sequence[Rating],
        places: Sequence[_Place],
        rules: Rules,
    ) -> Answer:
        own, before, points = places[entrant], states[entrant], float(rules["scale"]["points"])
        seen = [own.meets(places[pairing.opponent_of(entrant)]) for pairing in games]
        information = sum(formulas.information(g, e) for g, e in seen)
        surprises = [g * (pairing.score_of(entrant) - e) for pairing, (g, e) in zip(games, seen, strict=True)]
        v = 1.0 / information
        sigma = self._volatility(own, v * sum(surprises), v, rules)
        phi = formulas.widened(own.phi, sigma, self._periods(field, entrant, rules))
        variance = formulas.variance_after(phi, information)
        gains = [points * variance * surprise for surprise in surprises]
        post, deviation = before.rating + sum(gains), points * math.sqrt(variance)
        steps: list[Step] = [
            Volatility(
                before=before.volatility or 0.0,
                result=sigma,
                variance=v,
                improvement=v * sum(surprises),
                cite=cited(rules, "volatility"),
            )
        ]
        for pairing, (g, e), gain in zip(games, seen, gains, strict=True):
            steps.append(game_step(field, entrant, pairing, states[pairing.opponent_of(entrant)], g, e, gain, rules))
        steps.append(NewRating(before=before.rating, change=sum(gains), result=post, cite=cited(rules, "scale")))
        steps.append(NewDeviation(before=before.deviation, result=deviation, cite=cited(rules, "period")))
        played = (before.games or 0) + len(games)
        state = Rating(post, games=played, date=field.end, deviation=deviation, volatility=sigma)
        return glicko_answer(field, self.pool, entrant, games, state, sum(e for _, e in seen), steps)

    def _volatility(self, own: _Place, delta: float, v: float, rules: Rules) -> float:
        rule = rules["volatility"]
        found = formulas.new_volatility(
            own.sigma, delta, own.phi, v, self._tau(rules), rule["tolerance"], rule["most_steps"]
        )
        if math.isnan(found):
            raise RulebookError(
                f"the volatility did not close in {rule['most_steps']} steps; is tau {self._tau(rules):g} sensible?"
            )
        return found


@dataclass(frozen=True, slots=True)
class _Place:
    """A state on the Glicko-2 scale."""

    mu: float
    phi: float
    sigma: float

    @classmethod
    def of(cls, state: Rating, rules: Rules) -> _Place:
        scale = rules["scale"]
        mu = (state.rating - scale["centre"]) / scale["points"]
        return cls(mu, (state.deviation or 0.0) / scale["points"], state.volatility or 0.0)

    def meets(self, opponent: _Place) -> tuple[float, float]:
        """g(phi_j) and E of one game."""
        g = formulas.weight(opponent.phi)
        return g, formulas.expected(self.mu, opponent.mu, g)
