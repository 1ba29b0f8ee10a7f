"""AGA ratings through a whole history of tournaments: the same fit as `rate`, compiled, one tournament at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cache
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from crosstable.replay import compiled
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods, WrongHistory
from crosstable.rulebook import Rules
from crosstable.systems.aga import SYSTEM, Aga
from crosstable.systems.aga import formulas as plain
from crosstable.systems.aga.model import game_model, seed_rule
from crosstable.systems.aga.posterior import Grid, Tournament, grid_sigmas, laplace_sigmas, mode
from crosstable.systems.aga.seeding import spline_of

NEVER = -1

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class GoGames:
    """What go adds to a history, one per game: stones, komi, and both players' entry seeds (3d: 3.5, 5k: -5.5)."""

    handicap: Integers
    komi: Floats
    white_seed: Floats
    black_seed: Floats


@dataclass(frozen=True)
class AgaRatings:
    """A rating of 0 is none; `last` is the day of the last tournament, -1 for none; `skipped` the games left out."""

    rating: Floats
    sigma: Floats
    last: Integers
    skipped: int


def go_games(handicap: ArrayLike, komi: ArrayLike, white_seed: ArrayLike, black_seed: ArrayLike) -> GoGames:
    numbers = [np.array(part, dtype=np.float64) for part in (komi, white_seed, black_seed)]
    return GoGames(np.array(handicap, dtype=np.int64), *numbers)


@cache
def fast_formulas() -> ModuleType:
    return compiled.load(["crosstable.systems.aga.formulas"])[0]


def replay(
    history: Periods, games: GoGames, system: Aga = SYSTEM, on: date = date.max, *, fast: bool = True
) -> AgaRatings:
    """Replay a history of tournaments in date order with the deployed program and the rules of one day."""
    if len(games.komi) != history.games:
        raise WrongHistory(f"{len(games.komi)} go games for {history.games} results")
    rules, formulas = system.rules(on), fast_formulas() if fast else plain
    n = history.players
    kept = ~_skipped(games, rules)
    now = AgaRatings(np.zeros(n), np.zeros(n), np.full(n, NEVER, dtype=np.int64), int((~kept).sum()))
    komi = games.komi if system.exact_komi or not rules["komi"]["whole"] else np.trunc(games.komi)
    for period, today in enumerate(history.day):
        place = np.arange(history.first[period], history.first[period + 1])
        place = place[kept[place]]
        if not len(place):
            continue
        who, tournament = _tournament(history, games, komi, place, now, int(today), rules, formulas)
        closed = mode(tournament, formulas)
        now.sigma[who] = _new_sigmas(tournament, closed, system, rules, formulas)
        now.rating[who] = np.where(closed > 0, closed + 1, closed - 1)
        now.last[who] = today
    return now


def _skipped(games: GoGames, rules: Rules) -> Flags:
    rule, stones = rules["skipped"], games.handicap >= 2
    too_much = np.where(stones, np.abs(games.komi) >= rule["handicap_komi"], games.komi <= rule["even_komi"])
    skipped: Flags = (games.handicap > rule["most_stones"]) | too_much
    return skipped


def _tournament(
    history: Periods,
    games: GoGames,
    komi: Floats,
    place: Integers,
    before: AgaRatings,
    today: int,
    rules: Rules,
    formulas: ModuleType,
) -> tuple[Integers, Tournament]:
    """Return the players of a tournament and their games, seeded by the rank of each player's first game."""
    white, black, score = history.white[place], history.black[place], history.score[place]
    everybody = np.column_stack([white, black]).ravel()
    who, first, at = np.unique(everybody, return_index=True, return_inverse=True)
    entered = np.column_stack([games.white_seed[place], games.black_seed[place]]).ravel()[first]
    won = np.zeros(len(who), dtype=bool)
    at = at.reshape(-1, 2)
    won[at[score == 1.0, 0]] = True
    won[at[score == 0.0, 1]] = True
    rating, sigma, last = before.rating, before.sigma, before.last
    days = np.where(last[who] == NEVER, 0, np.maximum(today - last[who], 0))
    rule, sigmas = seed_rule(rules), np.array(rules["newcomer"]["sigmas"], dtype=np.float64)
    curvatures = np.array(spline_of(rules["newcomer"]["sigmas"]))
    seeds = [
        formulas.seeded(entered[i], rating[player], sigma[player], float(days[i]), won[i], rule, sigmas, curvatures)
        for i, player in enumerate(who)
    ]
    model = game_model(rules)
    stones = [(int(games.handicap[game]), float(komi[game])) for game in place]
    return who, Tournament(
        mu=np.array([formulas.closed(mu) for mu, _, _ in seeds]),
        sigma=np.array([spread for _, spread, _ in seeds]),
        white=np.ascontiguousarray(at[:, 0], dtype=np.int64),
        black=np.ascontiguousarray(at[:, 1], dtype=np.int64),
        d=np.array([formulas.advantage(model, handicap, points) for handicap, points in stones]),
        s=np.array([formulas.spread(model, handicap, points) for handicap, points in stones]),
        score=score,
    )


def _new_sigmas(tournament: Tournament, closed: Floats, system: Aga, rules: Rules, formulas: ModuleType) -> Floats:
    rule = rules["new_sigma"]
    if system.laplace or rule["method"] == "laplace":
        return laplace_sigmas(tournament, closed, formulas)
    return grid_sigmas(tournament, closed, Grid(rule["points"], rule["from_sigma"], rule["step_sigma"]), formulas)
