"""Floors: the number below which a rating cannot fall, and why it is that number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

from crosstable.model import Rating
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients_on
from crosstable.systems.us_chess.formulas import earned_floor, personal_floor, rating_floor, round_half_up
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.update import Start, holds_life_master, lowered_from, or_nan, peak_before
from crosstable.words.language import _


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor of a player in one pool."""

    rating: float
    reason: str
    rule: str

    @property
    def personal(self) -> bool:
        return self.rule == "personal_floor"


def binding(pool: str, record: Rating, day: date) -> Floor | None:
    """Return the floor that holds today, of US Chess's pools."""
    if pool not in KEYS:
        return None
    rules = _rules(day)
    level = rating_floor(
        rules,
        KEYS.index(pool),
        _personal(rules, pool, record),
        _earned(rules, record),
        holds_life_master(rules, record),
        or_nan(record.prize_floor),
        or_nan(record.lowered_floor),
        or_nan(record.lowered_from),
    )
    return next(one for one in every(pool, record, day) if one.rating == level)


def every(pool: str, record: Rating, day: date) -> tuple[Floor, ...]:
    """All floors that the player has, the highest first; none of those that were lowered (readings 23)."""
    rules = _rules(day)
    earned = _earned(rules, record)
    higher = (
        [
            Floor(
                earned,
                _("earned by {peak}").format(peak=f"{round_half_up(peak_before(rules, _start(record))):g}"),
                "earned_floor",
            )
        ]
        if earned
        else []
    )
    set_floors = []
    if record.prize_floor is not None:
        set_floors.append(Floor(record.prize_floor, _("set by a cash prize"), "prize_floor"))
    if holds_life_master(rules, record) and rules.life_master_pools[KEYS.index(pool)] == 1:
        set_floors.append(Floor(rules.life_master_floor, _("of an Original Life Master"), "life_master"))
    highest = max(one.rating for one in (_own(rules, pool, record), *higher, *set_floors))
    lowers = record.lowered_floor is not None and record.lowered_floor < highest  # else it does nothing (readings 44)
    above = lowered_from(rules, record) if lowers else math.nan
    found = [_own(rules, pool, record), *(one for one in (*higher, *set_floors) if not one.rating <= above)]
    if lowers and record.lowered_floor is not None:
        lowered = Floor(record.lowered_floor, _("lowered on request"), "matches")
        found.append(next((one for one in set_floors if one.rating == lowered.rating), lowered))
    return tuple(sorted(found, key=lambda one: -one.rating))


def _rules(day: date) -> Coefficients:
    return coefficients_on(max(day, rulebook("us_chess").first))


def _own(rules: Coefficients, pool: str, record: Rating) -> Floor:
    level = _personal(rules, pool, record)
    reason = _("for games won and drawn and events played")
    if not record.whole_history:
        reason = _("for games won and drawn and events played; not all are on record")
    return Floor(level, reason if level > rules.absolute_floor else _("no rating is lower"), "personal_floor")


def _start(record: Rating) -> Start:
    return Start(record.rating, record.games or 0, record)


def _earned(rules: Coefficients, record: Rating) -> float:
    return earned_floor(rules, peak_before(rules, _start(record)))


def _personal(rules: Coefficients, pool: str, record: Rating) -> float:
    counts = record.wins or 0, record.draws or 0, record.three_game_events
    return personal_floor(rules, KEYS.index(pool), *counts)
