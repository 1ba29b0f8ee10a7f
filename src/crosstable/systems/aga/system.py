"""The American Go Association's two-parameter system: every tournament one joint Bayesian fit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, ClassVar

from crosstable.model import Answer, Finding, Game, Player, Rating
from crosstable.rulebook import Rulebook, Rules, rulebook
from crosstable.systems.aga import formulas, posterior
from crosstable.systems.aga.derivation import FittedTournament, NewGoRating, derive
from crosstable.systems.aga.entries import certified, check_player, entered_ranks, vouched
from crosstable.systems.aga.games import improbable, skipped_games, why_skipped, wrong_games
from crosstable.systems.aga.model import game_model
from crosstable.systems.aga.scale import POINTS, NotARank, to_closed, to_open
from crosstable.systems.aga.seeding import Prior, SeedingFacts, aged_sigma, prior_of, sigma_by_times
from crosstable.systems.field import PlayedPairing, SectionPlayers
from crosstable.systems.options import Option, choice
from crosstable.systems.sections import NINETY_FIVE, SectionSystem, new_answer, rounded

DIGITS = 5  # as the program prints ratings


@dataclass(frozen=True)
class Aga(SectionSystem):
    """`exact_komi`: 7.5 stays 7.5. `laplace`: the paper's new sigma instead of the deployed program's grid.

    `book`: `rulebook("aga_matthews")` is the system of 1990, `rulebook("aga_chess")` the same method for chess.
    """

    book: Rulebook = field(default_factory=lambda: rulebook("aga"), repr=False)
    exact_komi: bool = False
    laplace: bool = False
    pool: ClassVar[str] = "AGA"
    options: ClassVar[Mapping[str, Option]] = {
        "komi": choice(
            "cut to whole points, as in the program, or exact", {"whole": {}, "exact": {"exact_komi": True}}
        ),
        "sigma": choice(
            "the new one: the program's grid, or the paper's inverse Hessian",
            {"grid": {}, "laplace": {"laplace": True}},
        ),
    }

    def start(self, player: Player, day: date, pool: str | None = None) -> Rating:  # noqa: ARG002  the protocol
        """Needs the player's rank (the chess variant does not): raises NotARank."""
        rules = self.rules(day)
        if player.rank is None and rules["scale"]["kind"] != POINTS:
            raise NotARank(f"player {player.number} ({player.name}) has no rank: a newcomer needs one")
        prior = prior_of(SeedingFacts(player.rank, None, 0, False, certified(player)), rules)
        return Rating(prior.mu, date=day, sigma=prior.sigma)

    def expect(self, a: Rating, b: Rating, game: Game | None = None) -> float:
        """With both uncertainties; without a game, of an even one. White gives the handicap and gets the komi."""
        rules = self.latest
        model = game_model(rules)
        handicap = 0 if game is None else game.handicap
        points = self._komi(0.0 if game is None else game.komi, rules)
        d = formulas.advantage(model, handicap, points)
        s = math.hypot(formulas.spread(model, handicap, points), a.sigma or 0.0, b.sigma or 0.0)
        ahead = to_closed(a.rating, rules) - to_closed(b.rating, rules)
        as_white, as_black = formulas.cdf((ahead - d) / s), formulas.cdf((ahead + d) / s)
        if game is None:
            return (as_white + as_black) / 2
        return as_white if game.white < game.black else as_black

    def age(self, state: Rating, days: int) -> Rating:
        sigma = None if state.sigma is None else aged_sigma(state.sigma, days, self.latest)
        return Rating(state.rating, games=state.games, date=state.date, sigma=sigma)

    def check(self, field: SectionPlayers, rules: Rules) -> Iterator[Finding]:
        yield from wrong_games(field, rules)
        for entrant, rank in enumerate(entered_ranks(field)):
            yield from check_player(field, entrant, rank, rules)

    def rate_field(self, field: SectionPlayers, rules: Rules) -> tuple[list[Answer], list[Finding]]:
        findings = list(skipped_games(field, rules))
        played = field.keeping(lambda pairing: why_skipped(field, pairing, rules) is None)
        if not played.entrants:
            return [], findings
        schedule, ranks = played.schedule(), entered_ranks(played)
        priors = [self._prior(played, entrant, games, ranks[entrant], rules) for entrant, games in enumerate(schedule)]
        tournament = self._tournament(played, priors, rules)
        findings += improbable(played, tournament, rules)
        findings += vouched(played)
        modes = posterior.mode(tournament)
        sigmas = self._new_sigmas(played, tournament, modes, rules)
        fit = FittedTournament(tournament, modes)
        answers = [
            self._answer(played, entrant, schedule[entrant], priors[entrant], float(sigmas[entrant]), fit, rules)
            for entrant in range(len(played.entrants))
        ]
        return answers, findings

    def _komi(self, komi: float, rules: Rules) -> float:
        whole = "komi" in rules and rules["komi"]["whole"] and not self.exact_komi
        return float(math.trunc(komi)) if whole else komi

    def _prior(
        self, field: SectionPlayers, entrant: int, games: Sequence[PlayedPairing], rank: str | None, rules: Rules
    ) -> Prior:
        state, player = field.states[entrant], field.entrants[entrant]
        won = any(pairing.score_of(entrant) == 1.0 for pairing in games)
        days = 0 if state is None else field.days_since(state)
        return prior_of(SeedingFacts(rank, state, days, won, certified(player)), rules)

    def _tournament(self, field: SectionPlayers, priors: Sequence[Prior], rules: Rules) -> posterior.Tournament:
        import numpy as np

        model = game_model(rules)
        games = [(pairing.game.handicap, self._komi(pairing.game.komi, rules)) for pairing in field.pairings]
        return posterior.Tournament(
            mu=np.array([to_closed(prior.mu, rules) for prior in priors]),
            sigma=np.array([prior.sigma for prior in priors]),
            white=np.array([pairing.white for pairing in field.pairings]),
            black=np.array([pairing.black for pairing in field.pairings]),
            d=np.array([formulas.advantage(model, handicap, komi) for handicap, komi in games]),
            s=np.array([formulas.spread(model, handicap, komi) for handicap, komi in games]),
            score=np.array([pairing.score for pairing in field.pairings]),
        )

    def _new_sigmas(
        self, field: SectionPlayers, tournament: posterior.Tournament, modes: Any, rules: Rules
    ) -> Sequence[float]:
        if "times_rated" in rules:
            return [sigma_by_times(state, rules) for state in field.states]
        rule = rules["new_sigma"]
        if self.laplace or rule["method"] == "laplace":
            return [float(sigma) for sigma in posterior.laplace_sigmas(tournament, modes)]
        grid = posterior.Grid(rule["points"], rule["from_sigma"], rule["step_sigma"])
        return [float(sigma) for sigma in posterior.grid_sigmas(tournament, modes, grid)]

    def _answer(
        self,
        field: SectionPlayers,
        entrant: int,
        games: Sequence[PlayedPairing],
        prior: Prior,
        sigma: float,
        fit: FittedTournament,
        rules: Rules,
    ) -> Answer:
        mode = float(fit.modes[entrant])
        post = to_open(mode, rules)
        before = field.states[entrant]
        state = Rating(post, games=(before.games or 0 if before else 0) + len(games), date=field.end, sigma=sigma)
        ends = [to_open(mode + side * NINETY_FIVE * sigma, rules) for side in (-1, 1)]
        values = {
            "seed": prior.mu,
            "seed_sigma": prior.sigma,
            "post": post,
            "sigma": sigma,
            "interval": ends,
        }
        published = rounded(post) if rules["scale"]["kind"] == POINTS else round(post, DIGITS)
        how = "inverse Hessian" if self.laplace else "grid about the new rating"
        steps = derive(field, entrant, games, prior, fit, NewGoRating(post, sigma, how), rules)
        return new_answer(field, self.pool, entrant, games, state, published, values, steps)
