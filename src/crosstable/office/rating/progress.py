"""How far a player is on the way to a life master's floor, and how much of a rating matches may still move."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from crosstable.model import Rating
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.update import match_net, years_before


@dataclass(frozen=True, slots=True)
class MatchTotal:
    """What matches did to a rating in one of the periods of 2025 §7, in whole points, and what is left of its limit."""

    since: date
    net: float
    gain_left: float
    loss_left: float

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "since": str(self.since)}


@dataclass(frozen=True, slots=True)
class LifeMasterGames:
    """Games with an established rating above 2200 (2025 §5), of those that a life master's floor takes."""

    games: int
    needed: int


def life_master_games(pool: str, record: Rating, day: date) -> LifeMasterGames | None:
    """Return the progress to life master; None without such a game, or in a pool that has no such floor."""
    if pool not in KEYS or not record.games_above_2200:
        return None
    rules = coefficients_on(max(day, rulebook("us_chess").first))
    if rules.life_master_pools[KEYS.index(pool)] != 1:
        return None
    return LifeMasterGames(min(record.games_above_2200, rules.life_master_games), rules.life_master_games)


def match_totals(record: Rating, day: date) -> tuple[MatchTotal, ...]:
    """Return the totals of 180 days and of three years before a day; none where three years have no match."""
    book = rulebook("us_chess")
    rule = book.on(max(day, book.first))["matches"]
    three_years = years_before(day, rule["years"])
    if not any(three_years <= one.date <= day for one in record.match_changes):
        return ()
    periods = (
        (day - timedelta(days=rule["days"]), rule["limit_180_days"]),
        (three_years, rule["limit_3_years"]),
    )
    return tuple(_total(record, since, day, limit) for since, limit in periods)


def _total(record: Rating, since: date, day: date, limit: float) -> MatchTotal:
    net = round_half_up(match_net(record.match_changes, since, day))
    return MatchTotal(since=since, net=net, gain_left=max(0.0, limit - net), loss_left=max(0.0, limit + net))
