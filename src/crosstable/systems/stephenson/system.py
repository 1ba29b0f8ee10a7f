"""Stephenson's system, one section a rating period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from crosstable.model import Answer, Rating, Step
from crosstable.model.derivation import OwnRating
from crosstable.model.system_steps import NeighbourPull, NewDeviation, NewRating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.glicko import formulas as glicko
from crosstable.systems.glicko.system import Glicko, game_step, glicko_answer
from crosstable.systems.sections import cited
from crosstable.systems.stephenson import formulas


@dataclass(frozen=True)
class Stephenson(Glicko):
    """Glicko is the special case h = b = lambda = 0. White's advantage counts where a section's colours are known."""

    book: Rulebook = field(default_factory=lambda: rulebook("stephenson"), repr=False)
    pool: ClassVar[str] = "STEPHENSON"

    @property
    def white_points(self) -> float:
        return float(self.latest["white"]["predicted"])

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        states: Sequence[Rating],
        rules: Rules,
    ) -> Answer:
        before, bonus = states[entrant], float(rules["bonus"]["b"])
        opponents = [states[pairing.opponent_of(entrant)] for pairing in games]
        weights = [glicko.weight(opponent.deviation or 0.0) for opponent in opponents]
        edges = [edge_of(field, pairing, entrant, float(rules["white"]["rated"])) for pairing in games]
        expected = [
            glicko.expected(before.rating + edge, opponent.rating, g)
            for edge, opponent, g in zip(edges, opponents, weights, strict=True)
        ]
        information = sum(glicko.information(g, e) for g, e in zip(weights, expected, strict=True))
        wide = formulas.widened(before.deviation or 0.0, float(rules["games"]["h"]), len(games))
        variance = glicko.variance_after(wide, information)
        share = float(rules["neighbourhood"]["share"])
        pulls = [formulas.pull(before.rating, opponent.rating, share / len(games)) for opponent in opponents]
        gains = [
            glicko.gain(variance, g, pairing.score_of(entrant) + bonus, e) + pulled
            for pairing, g, e, pulled in zip(games, weights, expected, pulls, strict=True)
        ]
        post = before.rating + sum(gains)
        after = max(variance**0.5, float(rules["deviation"]["least"]))
        steps: list[Step] = [
            OwnRating(
                pool=self.pool,
                rating=before.rating,
                games=before.games,
                deviation=before.deviation,
                widened=wide,
                cite=cited(rules, "games"),
            )
        ]
        for pairing, opponent, g, e, gain in zip(games, opponents, weights, expected, gains, strict=True):
            steps.append(game_step(field, entrant, pairing, opponent, g, e, gain, rules))
        steps.append(NeighbourPull(change=sum(pulls), cite=cited(rules, "neighbourhood")))
        steps.append(NewRating(before=before.rating, change=sum(gains), result=post, cite=cited(rules, "start")))
        steps.append(NewDeviation(before=before.deviation, result=after, cite=cited(rules, "deviation")))
        state = Rating(post, games=(before.games or 0) + len(games), date=field.end, deviation=after)
        return glicko_answer(field, self.pool, entrant, games, state, sum(expected), steps)


def advantage(colour: str | None, points: float) -> float:
    """White's points, Black's with a minus, none where no one knows."""
    return {"white": points, "black": -points}.get(colour or "", 0.0)


def edge_of(field: SectionPlayers, pairing: PlayedPairing, entrant: int, points: float) -> float:
    if not field.section.colors:
        return 0.0
    return advantage("white" if entrant == pairing.white else "black", points)
