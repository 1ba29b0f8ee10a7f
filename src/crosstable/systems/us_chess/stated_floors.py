"""A floor that someone else's list states, as a part of the record: it must follow from a rule of section 5."""

from __future__ import annotations

import math
from dataclasses import replace

from crosstable.errors import WrongValue
from crosstable.model import Rating
from crosstable.rulebook import Rules
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients
from crosstable.systems.us_chess.formulas import earned_floor, personal_floor
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.prizes import is_prize_floor
from crosstable.systems.us_chess.update import Start, holds_life_master, peak_before

#: The rules that give a floor, as the rulebook names them; `matches`: a floor lowered on request (§7)
EARNED, PRIZE, LIFE_MASTER, PERSONAL, LOWERED = (
    "earned_floor",
    "prize_floor",
    "life_master",
    "personal_floor",
    "matches",
)
RULES = (EARNED, PRIZE, LIFE_MASTER, PERSONAL, LOWERED)


def with_floor(rules: Rules, pool: str, record: Rating, floor: float, rule: str = "") -> Rating:
    """Return the record with what makes this floor hold in it. Raises WrongValue if no rule gives such a floor.

    Without a rule, the facts of the record decide: a floor that they give already needs nothing more, 2200 is a life
    master's, and any other one that a prize can set is kept as a prize floor, which holds as long as an earned one.
    """
    if rule and rule not in RULES:
        raise WrongValue(f"{rule!r} is not a reason for a floor; there are {', '.join(RULES)}")
    numbers = coefficients(rules)
    if not rule and floor == _following(numbers, pool, record):
        return record
    for name in (rule,) if rule else (PERSONAL, LIFE_MASTER, PRIZE, EARNED):
        found = _by_rule(rules, numbers, pool, record, floor, name)
        if found is not None:
            return found
    raise WrongValue(_why_not(numbers, pool, record, floor, rule))


def _by_rule(rules: Rules, numbers: Coefficients, pool: str, record: Rating, floor: float, rule: str) -> Rating | None:
    """Return the record in which that rule gives this floor, or None if it cannot."""
    earned, own = _earned(numbers, record), _personal(numbers, pool, record)
    if rule == PERSONAL:
        return record if floor == own else None
    if rule == LIFE_MASTER:
        return replace(record, life_master=True) if floor == numbers.life_master_floor else None
    if rule == LOWERED:
        highest = max(earned, record.prize_floor or 0.0)
        return replace(record, lowered_floor=floor, lowered_from=highest) if own <= floor < highest else None
    if floor < earned or floor <= own:  # the record's own facts give a higher one
        return None
    if rule == PRIZE:
        return replace(record, prize_floor=floor) if is_prize_floor(rules, floor) else None
    peak = floor + numbers.earned_floor_drop  # the lowest rating that earns it
    established = (record.games or 0) > numbers.established_games
    return replace(record, peak=max(peak, record.peak or 0.0)) if established and _earns(numbers, peak, floor) else None


def _earns(numbers: Coefficients, peak: float, floor: float) -> bool:
    return floor > 0 and earned_floor(numbers, peak) == floor


def _following(numbers: Coefficients, pool: str, record: Rating) -> float:
    """Return the floor that the record's own facts give."""
    master = numbers.life_master_floor if holds_life_master(numbers, record) else 0.0
    return max(_personal(numbers, pool, record), _earned(numbers, record), record.prize_floor or 0.0, master)


def _earned(numbers: Coefficients, record: Rating) -> float:
    peak = peak_before(numbers, Start(record.rating, record.games or 0, record))
    return 0.0 if math.isnan(peak) else earned_floor(numbers, peak)


def _personal(numbers: Coefficients, pool: str, record: Rating) -> float:
    counts = record.wins or 0, record.draws or 0, record.three_game_events
    return personal_floor(numbers, KEYS.index(pool), *counts)


def _why_not(numbers: Coefficients, pool: str, record: Rating, floor: float, rule: str) -> str:
    following = _following(numbers, pool, record)
    if not rule and floor < following:
        return f"the floor is {floor:g}, but rating, peak and games give {following:g}"
    if floor <= numbers.personal_floor_cap:
        return f"a floor of {floor:g} follows from games won and drawn and events played, which say {following:g}"
    return f"no rule gives a floor of {floor:g}" if not rule else f"{rule} gives no floor of {floor:g} here"
