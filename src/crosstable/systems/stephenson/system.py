"""Stephenson's system, one section a rating period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from crosstable.model import Answer, Rating, Step
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.field import Field, Pairing
from crosstable.systems.glicko import formulas as glicko
from crosstable.systems.glicko.system import Glicko, game_step, glicko_answer
from crosstable.systems.sections import cite
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
        self, field: Field, entrant: int, games: Sequence[Pairing], states: Sequence[Rating], rules: Rules
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
        words = f"rating {before.rating:g}, deviation {before.deviation:.2f}, {wide:.2f} with the {len(games)} games"
        trace = [Step("Before the event", words, wide, "games", cite(rules["games"]))]
        for pairing, opponent, g, e, gain in zip(games, opponents, weights, expected, gains, strict=True):
            trace.append(game_step(field, entrant, pairing, opponent, g, e, gain, rules))
        words = f"{sum(pulls):+.4f} of the change, spread over the games"
        trace.append(Step("Towards the opponents", words, sum(pulls), "neighbourhood", cite(rules["neighbourhood"])))
        words = f"{before.rating:g} {sum(gains):+.4f} = {post:.4f}"
        trace.append(Step("New rating", words, post, "start", cite(rules["start"])))
        trace.append(Step("New deviation", f"{after:.4f}", after, "deviation", cite(rules["deviation"])))
        state = Rating(post, games=(before.games or 0) + len(games), date=field.end, deviation=after)
        return glicko_answer(field, self.pool, entrant, games, state, sum(expected), trace)


def advantage(colour: str | None, points: float) -> float:
    """White's points, Black's with a minus, none where nobody knows."""
    return {"white": points, "black": -points}.get(colour or "", 0.0)


def edge_of(field: Field, pairing: Pairing, entrant: int, points: float) -> float:
    if not field.section.colors:
        return 0.0
    return advantage("white" if entrant == pairing.white else "black", points)
