"""What is believed of a player before the first round: from the record, the entry rank or a director."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from crosstable.model import Rating
from crosstable.rulebook import Rules
from crosstable.systems.aga import formulas
from crosstable.systems.aga.scale import WITH_GAP, entry_seed, to_closed


@dataclass(frozen=True, slots=True)
class Prior:
    """mu on the open scale (it may lie in the hole), sigma, and in words where they come from."""

    mu: float
    sigma: float
    words: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What a player brings: the declared rank, the rating record, and what a director vouches for."""

    rank: str | None
    state: Rating | None
    days: int  # since the record's date
    won: bool  # at least one game of this tournament
    certified: Prior | None = None


def prior_of(entry: Entry, rules: Rules) -> Prior:
    """Seeding before a tournament. A certified strength goes before everything else."""
    if entry.certified is not None:
        return entry.certified
    state = entry.state
    if state is None or is_newcomer(state, rules):
        return _newcomer(entry.rank, rules)
    sigma = state.sigma or 0.0
    if "promotion" not in rules or entry.rank is None:
        return _returning(state.rating, sigma, entry.days, rules)
    return _rated(entry_seed(entry.rank, rules), entry, state.rating, sigma, rules)


def is_newcomer(state: Rating | None, rules: Rules) -> bool:
    """No record, or the program's signs of one: rating 0 (on the scale with a hole nobody has it) or sigma 0."""
    if state is None or state.sigma == 0:
        return True
    return state.rating == 0 and rules["scale"]["kind"] == WITH_GAP


def _rated(entered: float, entry: Entry, rating: float, sigma: float, rules: Rules) -> Prior:
    """Nobody is demoted by a modest entry; a claim one rank up or more counts only with a win."""
    rule = rules["promotion"]
    size = formulas.promotion(entered, rating)
    if size >= rule["reseed"] and entry.won:
        new = newcomer_sigma(entered, rules)
        return Prior(
            entered, new, f"entered as {entry.rank}, {size:.2f} ranks above {rating:.5f}: a new start at {entered:g}"
        )
    if size >= rule["step"] and entry.won:
        mu = formulas.promoted_rating(rating, size, rule["shift"], rule["share"])
        new = formulas.promoted_sigma(sigma, size, rule["variance"], rule["power"])
        return Prior(mu, new, f"entered as {entry.rank}, {size:.2f} ranks above {rating:.5f}: moved up to {mu:.5f}")
    return _returning(rating, sigma, entry.days, rules)


def _newcomer(rank: str | None, rules: Rules) -> Prior:
    if rules["scale"]["kind"] == "points":
        start = rules["start"]
        return Prior(float(start["rating"]), float(start["sigma"]), "a newcomer")
    if rank is None:
        raise ValueError("a newcomer needs a rank")
    seed = entry_seed(rank, rules)
    return Prior(seed, newcomer_sigma(seed, rules), f"a newcomer entered as {rank}")


def _returning(rating: float, sigma: float, days: int, rules: Rules) -> Prior:
    aged = aged_sigma(sigma, days, rules)
    return Prior(rating, aged, f"{rating:.5g} ± {sigma:.5g}, {days} days ago: the sigma is now {aged:.5g}")


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
    rule = rules["newcomer"]
    if seed > rule["above_seed"]:
        return float(rule["above"])
    if seed < rule["below_seed"]:
        return float(rule["below"])
    curvatures = spline_of(rule["sigmas"])
    return formulas.spline_at(to_closed(seed, rules), rule["first_knot"], rule["sigmas"], curvatures)


@lru_cache
def spline_of(values: tuple[float, ...]) -> tuple[float, ...]:
    curvatures, work = [0.0] * len(values), [0.0] * len(values)
    formulas.spline_curvatures(values, curvatures, work)
    return tuple(curvatures)


def sigma_by_times(state: Rating | None, rules: Rules) -> float:
    """Matthews' system: the sigma that the next tournament begins with depends on the times rated only."""
    rule = rules["times_rated"]
    return float(rule["once"] if state is None else rule["twice"])
