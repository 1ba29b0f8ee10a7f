"""What the office knows about players and a rating may depend on: for the replay as arrays, for one event as records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from crosstable.model import ForeignRating
from crosstable.office.ledger.merges import merged_players, with_duplicates
from crosstable.office.ledger.packing import Array
from crosstable.office.storage import bulk
from crosstable.replay import history
from crosstable.systems.us_chess.initial import CFC, FIDE

SOURCES = {"fide": FIDE, "cfc": CFC}
#: More players than this are read all together
MANY = 20_000


@dataclass(frozen=True, slots=True)
class Facts:
    """One player's."""

    number: str
    name: str
    birth_date: date | None
    adult: bool
    canadian_resident: bool
    usa_flag: bool
    fide_opt_in: bool
    foreign_rating: float | None


def only(players: Sequence[int] | Array, column: str = "player_id") -> str:
    """A condition that picks these players, or everybody where they are too many to list."""
    return "1 = 1" if len(players) > MANY else f"{column} IN ({bulk.numbers(int(one) for one in players)})"


def facts(players: Sequence[int] | Array) -> dict[int, Facts]:
    sql = (
        "SELECT id, number, name, birth_date, adult, canadian_resident, usa_flag, fide_opt_in, foreign_rating "  # noqa: S608
        f"FROM ledger_player WHERE {only(players, 'id')}"
    )
    return {
        row[0]: Facts(
            row[1],
            row[2],
            bulk.as_date(row[3]) if row[3] else None,
            bool(row[4]),
            bool(row[5]),
            bool(row[6]),
            bool(row[7]),
            row[8],
        )
        for row in bulk.rows(sql)
    }


def player_table(players: Array) -> Array:
    """What an initial rating reads of each player (replay.history.PLAYER). Most players have nothing special."""
    table = history.new_players(len(players))
    sql = (
        "SELECT id, birth_date, adult, canadian_resident, foreign_rating FROM ledger_player WHERE "  # noqa: S608
        f"({only(players, 'id')}) AND (birth_date IS NOT NULL OR foreign_rating IS NOT NULL "
        "OR CAST(adult AS INTEGER) = 1 OR CAST(canadian_resident AS INTEGER) = 1)"
    )
    place = {int(player): index for index, player in enumerate(players)}
    for player, born, adult, canadian, foreign in bulk.rows(sql):
        if (index := place.get(player)) is not None:
            birth_day = bulk.as_date(born).toordinal() if born else 0
            table[index] = (np.nan if foreign is None else foreign, birth_day, bool(adult), bool(canadian))
    return table


def external(players: Iterable[int]) -> dict[int, list[tuple[date, str, float]]]:
    """Each player's FIDE and CFC ratings by list date; a duplicate's count for the record that is kept."""
    listed = list(players)
    wanted, same = with_duplicates(listed), merged_players()
    sql = f"SELECT player_id, date, kind, rating FROM ledger_externalrating WHERE {only(sorted(wanted))}"  # noqa: S608
    found: dict[int, list[tuple[date, str, float]]] = {}
    for player, day, kind, rating in bulk.rows(sql):
        kept = same.get(player, player)
        found.setdefault(kept, []).append((bulk.as_date(day), kind, rating))
    return {player: sorted(rows) for player, rows in found.items()}


def foreign_table(players: Array, known: Mapping[int, list[tuple[date, str, float]]]) -> Array:
    """The same as replay.history.FOREIGN, by the players' places."""
    rows = [
        (rating, index, day.toordinal(), SOURCES[kind])
        for index, player in enumerate(players.tolist())
        for day, kind, rating in known.get(player, ())
    ]
    return np.array(rows, history.FOREIGN)


def on_day(rows: Iterable[tuple[date, str, float]], kind: str, day: date) -> ForeignRating | None:
    """The newest rating of that kind up to a day."""
    found = [(when, rating) for when, name, rating in rows if name == kind and when <= day]
    return ForeignRating(found[-1][1], found[-1][0]) if found else None


def memberships(players: Sequence[int] | Array) -> dict[int, list[tuple[str, date, date | None]]]:
    """(kind, since, until) of each player who has any on record."""
    same = merged_players()
    wanted = sorted(with_duplicates(int(one) for one in players))
    sql = f"SELECT player_id, kind, since, until FROM ledger_membership WHERE {only(wanted)} ORDER BY since"  # noqa: S608
    found: dict[int, list[tuple[str, date, date | None]]] = {}
    for player, kind, since, until in bulk.rows(sql):
        row: tuple[str, Any, Any] = (kind, bulk.as_date(since), bulk.as_date(until) if until else None)
        found.setdefault(same.get(player, player), []).append(row)
    return found


def is_member(rows: Sequence[tuple[str, date, date | None]], day: date, otherwise: bool = True) -> bool:
    """Whether a membership runs on that day; an office that keeps none takes the report's word."""
    if not rows:
        return otherwise
    return any(since <= day and (until is None or day <= until) for _, since, until in rows)
