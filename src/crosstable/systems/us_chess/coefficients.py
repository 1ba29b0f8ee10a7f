"""The rulebook's numbers for the US Chess formulas, as one flat record. The replay turns the same fields into an array
row.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from functools import lru_cache
from typing import Any

from crosstable import rulebook
from crosstable.errors import RulebookError
from crosstable.rulebook import AS_WRITTEN, Rules
from crosstable.systems.us_chess.initial import BY_CONVERSION, NO_STEP
from crosstable.systems.us_chess.pools import BY_KEY, KEYS, MAIN, OTB, counterpart

SOURCES = (*KEYS, "FIDE", "CFC")

PIECES = 4  # the longest conversion has four pieces
PRIORITY_STEPS = 8  # the longest priority list has six
ALL_GAMES = 2**31 - 1

#: What a rule can say in `applies_to`, beside "OTBR only"
ALL_POOLS = ("any rating", "whichever rating is updated")
NO_POOL = "no rating"

Numbers = tuple[float, ...]
Flags = tuple[int, ...]  # for each pool 1 if the rule applies to it, else 0


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Every number that a formula reads, in force on one day."""

    expectancy_rate: float  # ln(10)/400
    effective_cap: float
    effective_constant: float
    effective_slope: float
    effective_centre: float
    effective_limit: float
    special_games: int
    special_span: float
    special_epsilon: float
    special_cap: float
    special_pooled_start: bool
    k_numerator: float
    dual_k_above: float
    dual_k_full: float
    dual_k_base: float
    dual_k_slope: float
    dual_k_top: float
    dual_k_pools: Flags
    bonus_multiplier: float
    bonus_counted_games: float
    bonus_games: int
    bonus_meetings: int
    bonus_meetings_of_three: int
    established_games: int
    absolute_floor: float
    personal_floor_win: float
    personal_floor_draw: float
    personal_floor_event: float
    personal_floor_cap: float
    personal_floor_pools: Flags
    earned_floor_drop: float
    earned_floor_step: float
    earned_floor_lowest: float
    earned_floor_highest: float
    life_master_above: float
    life_master_games: int
    life_master_floor: float
    life_master_pools: Flags
    match_limit: float
    match_limit_180_days: float
    match_limit_3_years: float
    match_days: int
    match_years: int
    match_floor_request: float
    match_special_all: bool  # special-formula players gain the whole limit or nothing
    half_k_weight: int  # how often the prior weighs in a half-K event; 0: there are none any more
    fide_established_only: bool
    stored_as_integers: bool
    storage_tolerance: float
    days_per_year: float
    age_base: float
    age_per_year: float
    age_adult_from: float
    age_adult_rating: float
    age_unknown_rating: float
    age_plausible_from: float
    age_implausible_is_adult: bool
    fide_bounds: Numbers
    fide_inclusive: tuple[int, ...]
    fide_add: Numbers
    fide_times: Numbers
    fide_games_above: float
    fide_games_high: int
    fide_games_low: int
    youth_bounds: Numbers
    youth_inclusive: tuple[int, ...]
    youth_add: Numbers
    youth_times: Numbers
    foreign_counts: bool  # the office's own conversion of another foreign rating
    cfc_bounds: Numbers
    cfc_inclusive: tuple[int, ...]
    cfc_add: Numbers
    cfc_times: Numbers
    cfc_games_above: float
    cfc_games_high: int
    cfc_games_low: int
    cfc_residents_only: bool
    blended: bool
    blend_factors: tuple[tuple[int, ...], ...]  # of a source (column) for a rating (row)
    blend_decay: float
    blend_strength_cap: float
    blend_strength_scale: float
    blend_games_cap: float
    priority: tuple[tuple[tuple[int, ...], ...], ...]  # per pool: (source, least games, most games, N, at most own)


#: How the names of a rule's numbers begin in Coefficients, where a rule can be chosen by another day than the rest
BEGINNINGS = {"effective_games": "effective_", "dual_k": "dual_k_"}


def names_of(rules: Sequence[str]) -> list[str]:
    """Return the fields that hold these rules' numbers."""
    if unknown := set(rules) - set(BEGINNINGS):
        raise RulebookError(f"by_section_end: {', '.join(sorted(unknown))} can only go by the day of all rules")
    beginnings = tuple(BEGINNINGS[rule] for rule in rules)
    return [field.name for field in fields(Coefficients) if field.name.startswith(beginnings)]


@lru_cache(maxsize=4096)
def coefficients_on(day: date, profile: str = AS_WRITTEN) -> Coefficients:
    return coefficients(rulebook.on(day, profile))


@lru_cache(maxsize=4096)
def provisional_games(day: date | None = None) -> int:
    """Return the games up to which a rating is provisional (2025 §1), by the rules of a day (default: the newest)."""
    book = rulebook.rulebook("us_chess")
    return int(book.on(max(day or date.max, book.first))["established"]["games"])


_known: dict[str, Coefficients] = {}  # by the rules' hash: what says the same gives the same numbers


def coefficients(rules: Rules) -> Coefficients:
    """One flat record from the rules in force."""
    if rules.hash not in _known:
        _known[rules.hash] = _flat(rules)
    return _known[rules.hash]


def _flat(rules: Rules) -> Coefficients:
    special, standard, dual = rules["special"], rules["standard"], rules["dual_k"]
    return Coefficients(
        expectancy_rate=math.log(10.0) / standard["scale"],
        **_prefixed("effective", rules["effective_games"].fields),
        special_games=special["games"],
        special_span=special["span"],
        special_epsilon=special["epsilon"],
        special_cap=special["cap"],
        special_pooled_start=special["start"] == "pooled mean",
        k_numerator=standard["numerator"],
        **_prefixed("dual_k", {name: dual[name] for name in ("full", "base", "slope", "top")}),
        dual_k_above=dual["above"],
        dual_k_pools=_applies(dual["applies_to"]),
        **_prefixed("bonus", {**rules["bonus"].fields, **rules["bonus_eligibility"].fields}),
        established_games=rules["established"]["games"],
        **_floors(rules),
        **_matches(rules),
        half_k_weight=rules["half_k"]["prior_weight"] if "half_k" in rules else 0,
        fide_established_only=rules["fide_events"]["established_only"],
        stored_as_integers=rules["storage"]["stored"] == "whole numbers",
        storage_tolerance=rules["storage"]["tolerance"],
        **_initial(rules),
    )


def _applies(words: str) -> Flags:
    """Which pools a rule is for, from its `applies_to`."""
    if words in ALL_POOLS:
        return (1,) * len(KEYS)
    if words == NO_POOL:
        return (0,) * len(KEYS)
    named = words.removesuffix(" only").split(" and ")
    if not words.endswith(" only") or not set(named) <= set(KEYS):
        raise RulebookError(f"applies_to = '{words}': say {', '.join(ALL_POOLS)}, {NO_POOL}, or as in '{MAIN} only'")
    return tuple(int(key in named) for key in KEYS)


def _prefixed(prefix: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {f"{prefix}_{name}": value for name, value in fields.items()}


def _floors(rules: Rules) -> dict[str, Any]:
    life_master, personal = rules["life_master"], rules["personal_floor"]
    return {
        "absolute_floor": rules["absolute_floor"]["floor"],
        **_prefixed("personal_floor", {name: personal[name] for name in ("win", "draw", "event", "cap")}),
        "personal_floor_pools": tuple(int(personal["online"] or BY_KEY[key].mode == OTB) for key in KEYS),
        **_prefixed("earned_floor", rules["earned_floor"].fields),
        "life_master_above": life_master["above"],
        "life_master_games": life_master["games"],
        "life_master_floor": life_master["floor"],
        "life_master_pools": _applies(life_master["applies_to"]),
    }


def _matches(rules: Rules) -> dict[str, Any]:
    matches = rules["matches"]
    names = ("limit", "limit_180_days", "limit_3_years", "days", "years", "floor_request")
    return {
        **_prefixed("match", {name: matches[name] for name in names}),
        "match_special_all": "whole limit" in matches["special"],
    }


def _initial(rules: Rules) -> dict[str, Any]:
    age, fide, cfc, blend = (rules[name] for name in ("age_rating", "fide_conversion", "cfc_conversion", "blend"))
    return {
        "days_per_year": blend["days_per_year"],
        "age_base": age["base"],
        "age_per_year": age["per_year"],
        "age_adult_from": age["adult_from"],
        "age_adult_rating": age["adult"],
        "age_unknown_rating": age["unknown"],
        "age_plausible_from": age["plausible_from"],
        "age_implausible_is_adult": age["implausible"] == "an adult",
        **_pieces("fide", fide["pieces"]),
        **{f"fide_{name}": fide[name] for name in ("games_above", "games_high", "games_low")},
        **_pieces("youth", rules["youth_conversion"]["pieces"]),
        **_pieces("cfc", cfc["pieces"]),
        **{f"cfc_{name}": cfc[name] for name in ("games_above", "games_high", "games_low", "residents_only")},
        "blended": not rules["initial"]["list"],
        "foreign_counts": rules["initial"]["foreign"],
        "blend_factors": tuple(tuple(_game_factor(blend.fields, rating, source) for source in KEYS) for rating in KEYS),
        **{f"blend_{name}": blend[name] for name in ("decay", "strength_cap", "strength_scale", "games_cap")},
        "priority": tuple(_priority(rating, rules["initial"]["list"]) for rating in KEYS),
    }


def _game_factor(blend: Mapping[str, Any], rating: str, source: str) -> int:
    """2025 §2 step 1: regular counts 10, and so does the counterpart over the board of an online blitz or quick
    rating.
    """
    if source == MAIN:
        return int(blend["regular"])
    return int(blend["counterpart"] if source == counterpart(rating) else blend["other"])


def _pieces(name: str, pieces: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return a conversion as four parallel tuples; the last piece has no bound and fills the rest."""
    padded = [*pieces] + [pieces[-1]] * (PIECES - len(pieces))
    return {
        f"{name}_bounds": tuple(piece.get("up_to", piece.get("below", math.inf)) for piece in padded),
        f"{name}_inclusive": tuple(int("up_to" in piece) for piece in padded),
        f"{name}_add": tuple(piece["add"] for piece in padded),
        f"{name}_times": tuple(piece["times"] for piece in padded),
    }


def _priority(rating: str, rows: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, ...], ...]:
    steps = [
        (
            SOURCES.index(row["source"]),
            row.get("min_games", 1),
            row.get("max_games", ALL_GAMES),
            row.get("games", BY_CONVERSION),
            int(row.get("at_most_own", False)),
        )
        for row in rows
        if row["rating"] == rating
    ]
    return tuple(steps + [(NO_STEP, 0, 0, 0, 0)] * (PRIORITY_STEPS - len(steps)))
