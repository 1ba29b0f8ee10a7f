"""An AGA rating in words: where the player began, what each game pulled, where it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crosstable.model import Step
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas
from crosstable.systems.aga.posterior import Tournament
from crosstable.systems.aga.scale import to_closed
from crosstable.systems.aga.seeding import Prior
from crosstable.systems.field import Field, Pairing
from crosstable.systems.sections import cite, game_words


class Fit:
    """The games of a fitted tournament, seen from the new ratings."""

    def __init__(self, tournament: Tournament, modes: Any) -> None:
        self.tournament, self.modes = tournament, modes

    def u(self, game: int) -> float:
        t, c = self.tournament, self.modes
        return float((c[t.white[game]] - c[t.black[game]] - t.d[game]) / t.s[game])

    def pull(self, game: int) -> float:
        t = self.tournament
        return formulas.pull(self.u(game), float(t.s[game]), float(t.score[game]))


class NewRating(NamedTuple):
    """What came out for one player, and how its sigma was found."""

    rating: float
    sigma: float
    method: str


def explain(
    field: Field,
    entrant: int,
    games: Sequence[Pairing],
    prior: Prior,
    fit: Fit,
    new: NewRating,
    rules: Rules,
) -> list[Step]:
    """At the mode a player's change is sigma^2 times the sum of the games' pulls: the rounds add up to the change."""
    post, sigma = new.rating, new.sigma
    trace = [Step("Before the event", f"{prior.words}; sigma {prior.sigma:.5g}", prior.mu, *_source(rules, "scale"))]
    trace += [_game(field, entrant, pairing, prior, fit, rules) for pairing in games]
    moved = float(fit.modes[entrant]) - to_closed(prior.mu, rules)
    across = " across the hole" if (prior.mu > 0) != (post > 0) and rules["scale"]["kind"] == "ranks with a gap" else ""
    words = f"the most probable, all games of the section together: {prior.mu:.5f} {moved:+.5f}{across} = {post:.5f}"
    trace.append(Step("New rating", words, post, *_source(rules, "even_game")))
    if "times_rated" in rules:
        words = f"{sigma:g} next time: it depends on the times rated only"
        return [*trace, Step("New sigma", words, sigma, *_source(rules, "times_rated"))]
    words = f"{prior.sigma:.5f} before, {sigma:.5f} after ({new.method})"
    return [*trace, Step("New sigma", words, sigma, *_source(rules, "new_sigma"))]


def _game(field: Field, entrant: int, pairing: Pairing, prior: Prior, fit: Fit, rules: Rules) -> Step:
    side = 1 if entrant == pairing.white else -1
    value = side * prior.sigma**2 * fit.pull(pairing.place)
    chance = formulas.cdf(side * fit.u(pairing.place))
    game = pairing.game
    stones = f", {game.handicap} stones" if game.handicap > 1 else ""
    komi = f", komi {game.komi:g}" if game.komi else ""
    words = game_words(field, pairing.opponent_of(entrant), pairing.score_of(entrant))
    text = f"{words}{stones}{komi}: a chance of {chance:.1%} at the new ratings; pulls {value:+.5f}"
    return Step(f"Round {pairing.round}", text, value, *_source(rules, "even_game"))


def _source(rules: Rules, rule: str) -> tuple[str, str]:
    return rule, cite(rules[rule])
