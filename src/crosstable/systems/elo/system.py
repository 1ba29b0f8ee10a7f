"""Elo: any K schedule, logistic or normal; one section at a time from the ratings before it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import ClassVar

from crosstable.findings import declare
from crosstable.model import Answer, Finding, Game, Level, Player, Rating, Step
from crosstable.model.system_steps import EloGame, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.elo import formulas
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.options import Option, choice, number
from crosstable.systems.sections import SectionSystem, check_rating, check_setting, cited, new_answer, rounded
from crosstable.systems.structure import error

declare("wrong-curve", Level.ERROR, "A setting names an unknown expectancy curve.", "Choose 'logistic' or 'normal'.")
declare(
    "no-k", Level.ERROR, "The schedule of K has no line for a player.", "End the schedule with a line without limits."
)


@dataclass(frozen=True)
class Elo(SectionSystem):
    """`k`: one K for all players; `curve`: "logistic" or "normal" with `scale`. None: what the rulebook says."""

    book: Rulebook = field(default_factory=lambda: rulebook("elo"), repr=False)
    k: float | None = None
    curve: str | None = None
    scale: float | None = None
    pool: ClassVar[str] = "ELO"
    options: ClassVar[Mapping[str, Option]] = {
        "k": number("one K for all players", "k"),
        "curve": choice(
            "of the expectation; normal: Elo's own, of 200√2 points",
            {"logistic": {"curve": "logistic"}, "normal": {"curve": "normal", "scale": 200 * math.sqrt(2)}},
        ),
    }

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        return Rating(float(self.rules(day)["start"]["rating"]), games=0, date=day)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:  # noqa: ARG002  as the protocol calls it
        return self._expected(a.rating - b.rating, self.latest)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
        yield from check_setting("scale", self._scale(rules))
        if self.k is not None:
            yield from check_setting("k", self.k)
        if self._curve(rules) not in ("logistic", "normal"):
            message = f"no curve '{self._curve(rules)}'."
            yield error("wrong-curve", "settings", message, "Choose 'logistic' or 'normal'.")
        for entrant, state in enumerate(field.states):
            if state is None:
                continue
            yield from check_rating(field, entrant, state)
            if math.isfinite(state.rating) and self.k_of(state, rules) == 0:
                message = f"no line of the K schedule fits a rating of {state.rating:g}."
                yield error("no-k", field.where(entrant), message, "End the schedule with a line without limits.")

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        states = [
            state or self.start(player, field.start) for state, player in zip(field.states, field.entrants, strict=True)
        ]
        return [
            self._answer(field, entrant, games, states, rules) for entrant, games in enumerate(field.schedule())
        ], []

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        states: Sequence[Rating],
        rules: Rules,
    ) -> Answer:
        before = states[entrant]
        k = self.k_of(before, rules)
        steps: list[Step] = []
        expected = change = 0.0
        for pairing in games:
            opponent, score = pairing.opponent_of(entrant), pairing.score_of(entrant)
            chance = self._expected(before.rating - states[opponent].rating, rules)
            gain = k * (score - chance)
            expected += chance
            change += gain
            steps.append(
                EloGame(
                    round=pairing.round,
                    opponent=field.entrants[opponent].number,
                    score=score,
                    rating=states[opponent].rating,
                    gain=gain,
                    k=k,
                    expected=chance,
                    cite=cited(rules, "curve"),
                )
            )
        post = before.rating + change
        steps.append(NewRating(before=before.rating, change=change, result=post, cite=cited(rules, "k")))
        state = Rating(post, games=(before.games or 0) + len(games), date=field.end)
        values = {"expected": expected, "k": k, "change": change}
        return new_answer(field, self.pool, entrant, games, state, rounded(post), values, steps)

    def k_of(self, state: Rating, rules: Rules) -> float:
        """Return K; a player without a count of games is taken for an experienced one."""
        if self.k is not None:
            return self.k
        games_below, rating_below, k = schedule(rules)
        games = float(2**31 if state.games is None else state.games)
        return formulas.k_factor(state.rating, games, games_below, rating_below, k)

    def _expected(self, difference: float, rules: Rules) -> float:
        return formulas.expected(difference, self._scale(rules), self._curve(rules) == "normal")

    def _curve(self, rules: Rules) -> str:
        return self.curve or str(rules["curve"]["form"])

    def _scale(self, rules: Rules) -> float:
        return float(rules["curve"]["scale"]) if self.scale is None else self.scale


def schedule(rules: Rules) -> tuple[list[float], list[float], list[float]]:
    """Return the K schedule as parallel lists: games below, rating below, K."""
    lines = rules["k"]["schedule"]
    games = [float(line.get("games_below", math.inf)) for line in lines]
    ratings = [float(line.get("rating_below", math.inf)) for line in lines]
    return games, ratings, [float(line["k"]) for line in lines]
