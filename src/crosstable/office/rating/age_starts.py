"""First ratings that came from an age, for as long as no result has moved them: what no public page may print.

One rule for everybody: lists, a player's page, and the work behind a rating ask here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.office import bulk

#: Rating keys whose first rating may come from the player's age
KEYS = ("OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB", "USCF")
#: A rating so near to its start is still that start: whole numbers were stored until 2014
NEAR = 1.0


@dataclass(frozen=True, slots=True)
class AgeStart:
    """Where an age put a player, from one place in the rating order to the section that moved it (or to this day)."""

    rating: float
    since: int
    moved: int | None

    def stands_at(self, position: int) -> bool:
        """Whether nothing before this place has moved it."""
        return self.since <= position and (self.moved is None or position <= self.moved)

    def is_shown_by(self, rating: float | None, position: int) -> bool:
        """Whether a rating before or after the section at this place (or in force there) would print the start."""
        return rating is not None and self.stands_at(position) and abs(rating - self.rating) < NEAR


class AgeStarts:
    """Those of some players, or of everybody."""

    def __init__(self, players: Iterable[int] | None = None) -> None:
        self._found: dict[int, list[tuple[str, AgeStart]]] = {}
        for player, system, prior, games, position, moved in _first_rows(players):
            known = self._found.setdefault(player, [])
            # a first rating taken over from another system's is an age's as well, while that one is
            if not games or any(one.stands_at(position) for _, one in known):
                known.append((system, AgeStart(prior, position, moved)))

    def tells(self, player: int, system: str, rating: float | None, position: int) -> bool:
        """Whether this rating of a player, seen at this place in the order, gives an age away."""
        return any(key == system and start.is_shown_by(rating, position) for key, start in self._found.get(player, ()))


def _first_rows(players: Iterable[int] | None) -> list[tuple[int, str, float, int | None, int, int | None]]:
    """Every row in which a rating began, in order, and where a result first moved it."""
    only = "" if players is None else f"AND s.player_id IN ({bulk.numbers(sorted(set(players)))})"
    keys = ", ".join(f"'{key}'" for key in KEYS)
    return bulk.rows(
        "SELECT s.player_id, s.system, s.prior, s.prior_games, s.position, ("  # noqa: S608
        "SELECT MIN(m.position) FROM ledger_ratingrow m WHERE m.player_id = s.player_id AND m.system = s.system"
        f" AND m.position >= s.position AND ABS(m.post - s.prior) >= {NEAR})"
        f" FROM ledger_ratingrow s WHERE s.system IN ({keys}) {only} AND s.prior IS NOT NULL"
        " AND (s.initialized OR s.prior_games = 0) ORDER BY s.position"
    )
