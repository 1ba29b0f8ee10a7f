"""What is believed of a player before the first round: from the record, the entry rank or a director."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from crosstable.model import Rating
from crosstable.model.system_steps import GoEstimate, PriorSource
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas
from crosstable.systems.aga.model import seed_rule
from crosstable.systems.aga.scale import WITH_GAP, entry_seed, to_closed, to_open


class Prior(NamedTuple):
    """mu on the open scale (it may lie in the hole), sigma, and the estimates behind them."""

    mu: float
    sigma: float
    estimates: tuple[GoEstimate, ...]


def estimated(source: PriorSource, mu: float, sigma: float, **more: Any) -> Prior:
    """Make a prior of one estimate."""
    return Prior(mu, sigma, (GoEstimate(source=source, rating=mu, sigma=sigma, **more),))


@dataclass(frozen=True, slots=True)
class SeedingFacts:
    """What a player brings: the declared rank, the rating record, and what a director vouches for."""

    rank: str | None
    state: Rating | None
    days: int  # since the record's date
    won: bool  # at least one game of this tournament
    certified: Prior | None = None


def prior_of(entry: SeedingFacts, rules: Rules) -> Prior:
    """Seeding before a tournament.

    A certified strength counts together with the record, and instead of an entry rank.
    """
    newcomer = entry.state is None or is_newcomer(entry.state, rules)
    if entry.certified is not None:
        if entry.state is None or newcomer:
            return entry.certified
        return combined(_returning(entry.state, entry.days, rules), entry.certified, rules)
    if entry.state is None or newcomer:
        return _newcomer(entry.rank, rules)
    if "promotion" not in rules:
        return _returning(entry.state, entry.days, rules)
    return _rated(entry, entry.state, rules)


def combined(record: Prior, certified: Prior, rules: Rules) -> Prior:
    """Two estimates weighted by their precision, 1/sigma² (1996 report, chapter 6; readings 32).

    The mean is taken on the scale without the hole, where 1 kyu and 1 dan are neighbours.
    """
    weights = [estimate.sigma**-2 for estimate in (record, certified)]
    ratings = [to_closed(estimate.mu, rules) for estimate in (record, certified)]
    mean = sum(weight * rating for weight, rating in zip(weights, ratings, strict=True)) / sum(weights)
    return Prior(to_open(mean, rules), sum(weights) ** -0.5, (*record.estimates, *certified.estimates))


def is_newcomer(state: Rating | None, rules: Rules) -> bool:
    """No record, or the program's signs of one: rating 0 (on the scale with a hole no one has it) or sigma 0."""
    if state is None or state.sigma == 0:
        return True
    return state.rating == 0 and rules["scale"]["kind"] == WITH_GAP


def _rated(entry: SeedingFacts, state: Rating, rules: Rules) -> Prior:
    """Without a rank the entry claims the rating itself."""
    rating, sigmas = state.rating, rules["newcomer"]["sigmas"]
    entered = rating if entry.rank is None else entry_seed(entry.rank, rules)
    mu, sigma, how = formulas.seeded(
        entered, rating, state.sigma or 0.0, entry.days, entry.won, seed_rule(rules), sigmas, spline_of(sigmas)
    )
    if how == formulas.KEPT:
        return _from_record(state, mu, sigma, entry.days)
    source = PriorSource.RESEEDED if how == formulas.RESEEDED else PriorSource.PROMOTED
    size = formulas.promotion(entered, rating)
    return estimated(source, mu, sigma, rank=entry.rank or "", record=rating, promotion=size)


def _newcomer(rank: str | None, rules: Rules) -> Prior:
    if rules["scale"]["kind"] == "points":
        start = rules["start"]
        return estimated(PriorSource.START, float(start["rating"]), float(start["sigma"]))
    if rank is None:
        raise ValueError("a newcomer needs a rank")
    seed = entry_seed(rank, rules)
    return estimated(PriorSource.RANK, seed, newcomer_sigma(seed, rules), rank=rank)


def _returning(state: Rating, days: int, rules: Rules) -> Prior:
    aged = aged_sigma(state.sigma or 0.0, days, rules)
    return _from_record(state, state.rating, aged, days)


def _from_record(state: Rating, mu: float, sigma: float, days: int) -> Prior:
    return estimated(PriorSource.RECORD, mu, sigma, record=state.rating, record_sigma=state.sigma or 0.0, days=days)


def aged_sigma(sigma: float, days: float, rules: Rules) -> float:
    if "ageing" not in rules:
        return sigma
    rule = rules["ageing"]
    form = formulas.aged_quadratic if rule["form"] == "quadratic" else formulas.aged_linear
    return form(sigma, rule["per_day"], days)


def newcomer_sigma(seed: float, rules: Rules) -> float:
    """How uncertain a newcomer's declared rank is: the weaker, the more."""
    if "times_rated" in rules:
        rule = rules["times_rated"]
        strong = seed >= entry_seed(rule["strong_rank"], rules)
        return float(rule["strong"] if strong else rule["weak"])
    sigmas = rules["newcomer"]["sigmas"]
    return formulas.newcomer_sigma(seed, seed_rule(rules), sigmas, spline_of(sigmas))


@lru_cache
def spline_of(values: tuple[float, ...]) -> tuple[float, ...]:
    curvatures, work = [0.0] * len(values), [0.0] * len(values)
    formulas.spline_curvatures(values, curvatures, work)
    return tuple(curvatures)


def sigma_by_times(state: Rating | None, rules: Rules) -> float:
    """Matthews' system: the sigma that the next tournament begins with depends on the times rated only."""
    rule = rules["times_rated"]
    return float(rule["once"] if state is None else rule["twice"])
