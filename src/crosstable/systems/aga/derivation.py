"""The steps of an AGA rating: where the player began, what each game pulled, where it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from crosstable.model import Step
from crosstable.model.system_steps import GoGame, GoStart, NewRating, NewSigma
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas
from crosstable.systems.aga.posterior import Tournament
from crosstable.systems.aga.scale import WITH_GAP, to_closed
from crosstable.systems.aga.seeding import Prior
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.sections import cited, opponent_number


class FittedTournament:
    """The games of a fitted tournament, seen from the new ratings."""

    def __init__(self, tournament: Tournament, modes: Any) -> None:
        self.tournament, self.modes = tournament, modes

    def u(self, game: int) -> float:
        t, c = self.tournament, self.modes
        return float((c[t.white[game]] - c[t.black[game]] - t.d[game]) / t.s[game])

    def pull(self, game: int) -> float:
        t = self.tournament
        return formulas.pull(self.u(game), float(t.s[game]), float(t.score[game]))


class NewGoRating(NamedTuple):
    """What came out for one player, and how its sigma was found."""

    rating: float
    sigma: float
    method: str


def derive(
    field: SectionPlayers,
    entrant: int,
    games: Sequence[PlayedPairing],
    prior: Prior,
    fit: FittedTournament,
    new: NewGoRating,
    rules: Rules,
) -> list[Step]:
    """At the mode a player's change is sigma^2 times the sum of the games' pulls: the rounds add up to the change."""
    post, by_times = new.rating, "times_rated" in rules
    return [
        GoStart(rating=prior.mu, sigma=prior.sigma, estimates=prior.estimates, cite=cited(rules, "scale")),
        *(_game(field, entrant, pairing, prior, fit, rules) for pairing in games),
        NewRating(
            before=prior.mu,
            change=float(fit.modes[entrant]) - to_closed(prior.mu, rules),
            result=post,
            across_gap=(prior.mu > 0) != (post > 0) and rules["scale"]["kind"] == WITH_GAP,
            cite=cited(rules, "even_game"),
        ),
        NewSigma(
            before=prior.sigma,
            result=new.sigma,
            method="" if by_times else new.method,
            cite=cited(rules, "times_rated" if by_times else "new_sigma"),
        ),
    ]


def _game(
    field: SectionPlayers, entrant: int, pairing: PlayedPairing, prior: Prior, fit: FittedTournament, rules: Rules
) -> Step:
    side = 1 if entrant == pairing.white else -1
    return GoGame(
        round=pairing.round,
        opponent=opponent_number(field, entrant, pairing),
        score=pairing.score_of(entrant),
        gain=side * prior.sigma**2 * fit.pull(pairing.place),
        handicap=pairing.game.handicap,
        komi=pairing.game.komi,
        chance=formulas.cdf(side * fit.u(pairing.place)),
        cite=cited(rules, "even_game"),
    )
