"""First ratings that came from an age, for as long as no result has moved them: what no public page may print.

One rule for everybody: lists, a player's page, the work behind a rating and a director's review ask here.

Where such a rating begins differs. US Chess begins with it: it is what a newcomer's first row starts from. The systems
of 1994 and 1996 arrive at it: a newcomer has no rating before the games, and the system says of its answer whether the
rating after them is an age's (`Answer.by_age`, kept as a flag of the row). Their other first ratings are performances,
and shown.

An office may also withhold every rating that depends on an age, however much results have moved it
(`Office.first_ratings`, rating.age_dependence). Those are asked for here, too, so that all surfaces agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.office.ledger.office_settings import publishes_without_ages
from crosstable.office.rating.rows import TELLS_AN_AGE
from crosstable.office.storage import bulk
from crosstable.systems.us_chess.pools import KEYS as US_CHESS_KEYS

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


@dataclass(frozen=True, slots=True)
class Dependent:
    """A rating that depends on an age, from its section to the player's next one."""

    rating: float
    since: int
    until: int | None

    def is_shown_by(self, rating: float, position: int, *, before: bool) -> bool:
        """Whether a rating in force at this place (`before`: before the section there) is this one.

        A decision may have set another in between.
        """
        if before:
            here = self.since < position and (self.until is None or position <= self.until)
        else:
            here = self.since <= position and (self.until is None or position < self.until)
        return here and (abs(rating - self.rating) < NEAR or position == self.since)


class AgeStarts:
    """The age starts of some players, or of everybody."""

    def __init__(self, players: Iterable[int] | None = None) -> None:
        players = None if players is None else sorted(set(players))
        #: The office publishes no rating that depends on an age
        self.strict = publishes_without_ages()
        self._dependent: dict[tuple[int, str], list[Dependent]] = {}
        for player, pool, rating, since, until in _dependent_rows(players) if self.strict else ():
            self._dependent.setdefault((player, pool), []).append(Dependent(rating, since, until))
        self._found: dict[int, list[tuple[str, AgeStart]]] = {}
        for player, pool, start, told, games, position, moved in _first_rows(players):
            known = self._found.setdefault(player, [])
            if told or not games or _taken_over(known, position):
                known.append((pool, AgeStart(start, position, moved)))

    def tells(self, player: int, pool: str, rating: float | None, position: int, *, before: bool = False) -> bool:
        """Whether this rating of a player, seen at this place in the order, gives an age away.

        `before`: it is the rating before the section at this place, not the one after it.
        """
        own = self._dependent.get((player, pool), ()) if rating is not None else ()
        if rating is not None and any(one.is_shown_by(rating, position, before=before) for one in own):
            return True
        return any(key == pool and start.is_shown_by(rating, position) for key, start in self._found.get(player, ()))


def _taken_over(known: Iterable[tuple[str, AgeStart]], position: int) -> bool:
    """Whether a first rating was taken over from another US Chess pool whose own rating still comes from an age."""
    return any(key in US_CHESS_KEYS and start.stands_at(position) for key, start in known)


def _dependent_rows(players: Iterable[int] | None) -> list[tuple[int, str, float, int, int | None]]:
    """Return every rating that depends on an age, with its place and that of the player's next rating in the pool."""
    only = "" if players is None else f"WHERE d.player_id IN ({bulk.numbers(players)})"
    return bulk.rows(
        "SELECT r.player_id, r.pool, r.post, r.position, ("  # noqa: S608  our own names and numbers
        "SELECT MIN(n.position) FROM ledger_ratingrow n WHERE n.player_id = r.player_id AND n.pool = r.pool"
        " AND n.position > r.position) FROM ledger_agedependent d JOIN ledger_ratingrow r"
        f" ON r.section_id = d.section_id AND r.pool = d.pool AND r.player_id = d.player_id {only}"
    )


def _first_rows(players: Iterable[int] | None) -> list[tuple[int, str, float, int, int | None, int, int | None]]:
    """Every row in which a rating began, in order: the start, whether the system tells it, where a result first moved
    it.
    """
    only = "" if players is None else f"AND s.player_id IN ({bulk.numbers(sorted(set(players)))})"
    keys = ", ".join(f"'{key}'" for key in US_CHESS_KEYS)
    # in the words of the index `where_a_rating_began`
    began = f"(s.initialized OR s.prior_games = 0 OR s.flags >= {TELLS_AN_AGE})"
    told = f"(s.flags & {TELLS_AN_AGE}) <> 0"
    start = f"CASE WHEN {told} THEN s.post ELSE s.prior END"
    return bulk.rows(
        f"SELECT s.player_id, s.pool, {start}, s.flags & {TELLS_AN_AGE}, "  # noqa: S608  our own names and numbers
        "s.prior_games, s.position, ("
        "SELECT MIN(m.position) FROM ledger_ratingrow m WHERE m.player_id = s.player_id AND m.pool = s.pool"
        f" AND m.position >= s.position AND ABS(m.post - ({start})) >= {NEAR})"
        f" FROM ledger_ratingrow s WHERE {began} AND ({told} OR (s.pool IN ({keys}) AND s.prior IS NOT NULL"
        f" AND (s.initialized OR s.prior_games = 0))) {only} ORDER BY s.position"
    )
