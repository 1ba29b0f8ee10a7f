"""What the office knows about players and a rating may depend on: for the replay as arrays, for one event as
records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

import numpy as np

from crosstable.model import ForeignRating
from crosstable.office.ledger.packing import Array
from crosstable.office.ledger.players import merged_players, with_duplicates
from crosstable.office.storage import bulk
from crosstable.replay import history
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.initial import CFC, FIDE

SOURCES = {"fide": FIDE, "cfc": CFC}
#: More players than this are read all together
MANY = 20_000


#: (kind, since, until)
Member = tuple[str, date, date | None]

#: Birth dates by player to rate with instead of what is stored about ages; None outside `with_birth_dates`
_birth_dates: ContextVar[Mapping[int, date | None] | None] = ContextVar("birth_dates", default=None)


@contextmanager
def with_birth_dates(instead: Mapping[int, date | None]) -> Iterator[None]:
    """Rate as if every player were born on these days. No stored age counts: no birth date, no mark of an adult."""
    token = _birth_dates.set(instead)
    try:
        yield
    finally:
        _birth_dates.reset(token)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the office knows about one player."""

    number: str
    name: str
    birth_date: date | None
    adult: bool  # this and the next three from the beginning; what changed since then is in `changes`
    canadian_resident: bool
    usa_flag: bool
    fide_opt_in: bool
    foreign_rating: float | None
    changes: Sequence[tuple[date, str, bool]] = ()  # in order of their days

    def on(self, name: str, day: date) -> bool:
        """Tell whether a dated fact held on a day (readings 25)."""
        said = [value for since, fact, value in self.changes if fact == name and since <= day]
        return said[-1] if said else bool(getattr(self, name))

    def is_adult(self, members: Sequence[Member], day: date) -> bool:
        """Return whether the player counts as an adult: by hand, else by a membership (readings 26).

        The rules ask only where there is no birth date, or one that gives an age below 3 (readings 38).
        """
        if _birth_dates.get() is not None:
            return False
        by_hand = self.adult or any(fact == "adult" and since <= day for since, fact, _ in self.changes)
        if by_hand:
            return self.on("adult", day)
        kinds = adult_kinds(day)
        return any(kind in kinds and _runs(since, until, day) for kind, since, until in members)


@lru_cache(maxsize=4096)
def adult_kinds(day: date) -> frozenset[str]:
    """Return the kinds of membership that infer an adult."""
    book = rulebook("us_chess")
    return frozenset(book.on(max(day, book.first))["inferred_adult"]["kinds"].split(", "))


def only(players: Sequence[int] | Array, column: str = "player_id") -> str:
    """Return a condition that picks these players, or all where they are too many to list."""
    if len(players) > MANY:
        return "1 = 1"
    return f"{column} IN ({bulk.numbers(players.tolist() if isinstance(players, np.ndarray) else players)})"


def facts(players: Sequence[int] | Array) -> dict[int, Facts]:
    changes, instead = dated(players), _birth_dates.get()
    sql = (
        "SELECT id, number, name, birth_date, adult, canadian_resident, "  # noqa: S608  our own names and numbers
        "usa_flag, fide_opt_in, foreign_rating "
        f"FROM ledger_player WHERE {only(players, 'id')}"
    )
    return {
        row[0]: Facts(
            number=row[1],
            name=row[2],
            birth_date=_born(row[0], row[3], instead),
            adult=bool(row[4]),
            canadian_resident=bool(row[5]),
            usa_flag=bool(row[6]),
            fide_opt_in=bool(row[7]),
            foreign_rating=row[8],
            changes=changes.get(row[0], ()),
        )
        for row in bulk.rows(sql)
    }


def _born(player: int, stored: Any, instead: Mapping[int, date | None] | None) -> date | None:
    if instead is not None:
        return instead.get(player)
    return bulk.as_date(stored) if stored else None


def dated(players: Sequence[int] | Array) -> dict[int, list[tuple[date, str, bool]]]:
    """Each player's facts that hold from a day on, in order of their days."""
    sql = (
        "SELECT player_id, since, name, value FROM ledger_datedfact WHERE "  # noqa: S608  our own names and numbers
        f"{only(players)} ORDER BY since, id"
    )
    found: dict[int, list[tuple[date, str, bool]]] = {}
    for player, since, name, value in bulk.rows(sql):
        found.setdefault(player, []).append((bulk.as_date(since), name, bool(value)))
    return found


def player_table(players: Array, asked: Sequence[int]) -> Array:
    """Return what an initial rating reads of each player asked for (replay.history.PLAYER).

    Most have nothing special.
    """
    table = history.new_players(len(players))
    if not asked:
        return table
    sql = (
        "SELECT id, birth_date, foreign_rating FROM ledger_player WHERE "  # noqa: S608  our own names and numbers
        f"({only(asked, 'id')}) AND (birth_date IS NOT NULL OR foreign_rating IS NOT NULL OR %s)"
    )
    instead = _birth_dates.get()
    place = {int(player): index for index, player in enumerate(players)}
    for player, stored, foreign in bulk.rows(sql, [instead is not None]):
        if (index := place.get(player)) is not None:
            born = _born(player, stored, instead)
            birth_day = born.toordinal() if born else 0
            table[index] = (np.nan if foreign is None else foreign, birth_day, False, False)
    return table


def entry_facts(players: Array, days: Array, asked: Sequence[int]) -> Array:
    """Adult and Canadian resident of each entry of those asked for on its event's last day (replay.history.ADULT,
    CANADIAN).
    """
    table = np.zeros(len(players), np.int16)
    wanted = sorted(_with_flags(asked)) if asked else []
    known, members = (facts(wanted), memberships(wanted)) if wanted else ({}, {})
    order = np.argsort(players, kind="stable")
    for player, one in known.items():
        first, last = np.searchsorted(players, (player, player + 1), sorter=order)
        for entry in order[first:last].tolist():
            day = date.fromordinal(int(days[entry]))
            adult, canadian = one.is_adult(members.get(player, ()), day), one.on("canadian_resident", day)
            table[entry] = adult * history.ADULT + canadian * history.CANADIAN
    return table


def _with_flags(players: Sequence[int]) -> set[int]:
    """Players who may be adults or Canadian residents: by a flag, a dated fact or a membership."""
    kinds = ", ".join(f"'{kind}'" for kind in sorted(adult_kinds(date.max)))
    same, wanted = merged_players(), set(players)
    who = sorted(with_duplicates(wanted))
    found = bulk.rows(
        f"SELECT id FROM ledger_player WHERE {only(who, 'id')} "  # noqa: S608  our own names and numbers
        "AND (CAST(adult AS INTEGER) = 1 OR CAST(canadian_resident AS INTEGER) = 1) "
        f"UNION SELECT player_id FROM ledger_datedfact WHERE {only(who)} "
        f"UNION SELECT player_id FROM ledger_membership WHERE {only(who)} AND kind IN ({kinds})"
    )
    return {same.get(player, player) for (player,) in found} & wanted


def external(players: Iterable[int]) -> dict[int, list[tuple[date, str, float]]]:
    """Each player's FIDE and CFC ratings by list date; a duplicate's count for the record that is kept."""
    listed = list(players)
    if not listed:
        return {}
    wanted, same = with_duplicates(listed), merged_players()
    sql = (
        "SELECT player_id, date, kind, rating FROM ledger_externalrating "  # noqa: S608  our own names and numbers
        f"WHERE {only(sorted(wanted))}"
    )
    found: dict[int, list[tuple[date, str, float]]] = {}
    for player, day, kind, rating in bulk.rows(sql):
        kept = same.get(player, player)
        found.setdefault(kept, []).append((bulk.as_date(day), kind, rating))
    return {player: sorted(rows) for player, rows in found.items()}


def foreign_table(players: Array, known: Mapping[int, list[tuple[date, str, float]]]) -> Array:
    """Return the same as replay.history.FOREIGN, by the players' places."""
    rows = [
        (rating, index, day.toordinal(), SOURCES[kind])
        for index, player in enumerate(players.tolist())
        for day, kind, rating in known.get(player, ())
    ]
    return np.array(rows, history.FOREIGN)


def on_day(rows: Iterable[tuple[date, str, float]], kind: str, day: date) -> ForeignRating | None:
    """Return the newest rating of that kind up to a day."""
    found = [(when, rating) for when, name, rating in rows if name == kind and when <= day]
    return ForeignRating(found[-1][1], found[-1][0]) if found else None


def memberships(players: Sequence[int] | Array) -> dict[int, list[Member]]:
    """(kind, since, until) of each player who has any on record."""
    same = merged_players()
    wanted = sorted(with_duplicates(int(one) for one in players))
    sql = (
        "SELECT player_id, kind, since, until FROM ledger_membership WHERE "  # noqa: S608  our own names and numbers
        f"{only(wanted)} ORDER BY since"
    )
    found: dict[int, list[Member]] = {}
    for player, kind, since, until in bulk.rows(sql):
        row: tuple[str, Any, Any] = (kind, bulk.as_date(since), bulk.as_date(until) if until else None)
        found.setdefault(same.get(player, player), []).append(row)
    return found


def is_member(rows: Sequence[Member], day: date, otherwise: bool = True) -> bool:
    """Return whether a membership runs on that day. `otherwise`: of a player without any on record, who is taken for a
    member in a report and for none in events abroad (readings 37).
    """
    if not rows:
        return otherwise
    return any(_runs(since, until, day) for _, since, until in rows)


def _runs(since: date, until: date | None, day: date) -> bool:
    return since <= day and (until is None or day <= until)
