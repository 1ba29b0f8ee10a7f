"""What a run reads of the ledger: the sections in order from a position on, and the dated decisions between them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np

from crosstable.office.ledger import order
from crosstable.office.ledger.packing import ENTRY_WIDTH, INT, Array
from crosstable.office.ledger.players import merged_players
from crosstable.office.storage import bulk
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.pools import KEYS as US_CHESS_KEYS


@dataclass(frozen=True, slots=True)
class Placed:
    """A section at its place in the order."""

    id: int
    event: int
    number: int
    position: int
    start: date
    end: date
    event_end: date
    kind: str
    weight: str
    youth: bool
    history: bool
    mode: str
    time_control: str
    keys: tuple[str, ...]
    entries: bytes
    games: bytes
    signature: str

    @property
    def us_chess_keys(self) -> tuple[str, ...]:
        return tuple(key for key in self.keys if key in US_CHESS_KEYS)


@dataclass(frozen=True)
class Decision:
    """A granted adjustment: from its position on, these fields of the player's record are so."""

    position: int
    player: int
    pool: str
    stored: str  # the fields as the ledger has them: JSON
    id: int  # of the adjustment
    lift: float | None = None  # the floor that it sets: a lower rating rises to it that day (readings 24)

    @cached_property
    def fields(self) -> Mapping[str, Any]:
        """Read when they are asked for: most decisions of a run are in a later row already."""
        found: Mapping[str, Any] = json.loads(self.stored)
        return found


_COLUMNS = (
    'id, event_id, number, position, start, "end", event_end, kind, weight, youth, history, mode, time_control, keys, '
    "entries, games, signature"
)


def sections_from(position: int, until: int | None = None) -> list[Placed]:
    """Return the sections from a position on, in order."""
    limit = "" if until is None else f"AND position < {int(until)}"
    sql = (
        f"SELECT {_COLUMNS} FROM ledger_section WHERE position >= "  # noqa: S608  our own names and numbers
        f"{int(position)} {limit} ORDER BY position"
    )
    return [_placed(row) for row in bulk.rows(sql)]


def sections_of(ids: Iterable[int]) -> list[Placed]:
    """Return these sections, in order."""
    sql = (
        f"SELECT {_COLUMNS} FROM ledger_section WHERE id IN "  # noqa: S608  our own names and numbers
        f"({bulk.numbers(ids)}) ORDER BY position"
    )
    return [_placed(row) for row in bulk.rows(sql)]


def granted_floors(sections: Iterable[int]) -> dict[tuple[int, int], set[str]]:
    """(section, player) → the pools in which a lower floor was granted after this match (2025 §7)."""
    sql = (
        "SELECT s.id, f.player_id, f.pool FROM ledger_floorrequest AS f "  # noqa: S608  our own names and numbers
        "JOIN ledger_adjustment AS a "
        "ON a.id = f.adjustment_id JOIN ledger_event AS e ON e.number = f.event_number JOIN ledger_section AS s "
        "ON s.event_id = e.id AND s.number = f.section_number "
        f"WHERE f.state = 'granted' AND a.status = 'granted' AND s.id IN ({bulk.numbers(sections)})"
    )
    same = merged_players()
    found: dict[tuple[int, int], set[str]] = {}
    for section, player, pool in bulk.rows(sql):
        found.setdefault((section, same.get(player, player)), set()).add(pool)
    return found


def event_starts(events: Iterable[int]) -> dict[int, date]:
    """Return the first day of each of these events."""
    sql = (
        "SELECT id, start FROM ledger_event WHERE id IN "  # noqa: S608  our own names and numbers
        f"({bulk.numbers(sorted(set(events)))})"
    )
    return {event: bulk.as_date(start) for event, start in bulk.rows(sql)}


def fide_list_days(events: Iterable[int]) -> dict[int, date]:
    """Return the day of the FIDE list that includes each of these events, of those that came with one."""
    sql = (
        "SELECT e.id, b.list_date FROM ledger_event AS e JOIN "  # noqa: S608  our own names and numbers
        "ledger_fidebatch AS b ON b.id = e.fide_batch_id "
        f"WHERE e.id IN ({bulk.numbers(sorted(set(events)))})"
    )
    return {event: bulk.as_date(day) for event, day in bulk.rows(sql)}


def _placed(row: Sequence[Any]) -> Placed:
    days = [bulk.as_date(value) for value in row[4:7]]
    flags = [bool(value) for value in row[9:11]]
    crosstable = [bytes(value) for value in row[14:16]]
    found = (*row[:4], *days, *row[7:9], *flags, *row[11:13], tuple(row[13].split(",")), *crosstable, row[16])
    return Placed(*found)  # in the order of the fields


def decisions(
    since: int | None = None,
    until: int | None = None,
    players: Iterable[int] | None = None,
    open_at: int | None = None,
    moved: Collection[int] = (),
) -> list[Decision]:
    """Return the granted adjustments with since <= position < until, in the order in which they apply.

    A day's openings come first, whenever they were written: what is not open cannot be changed.
    `open_at`: only those that lie ahead of this position, or that no rating row before it holds yet; all of those who
    `moved`, whose rows are not in the ledger yet.
    """
    wanted = ["a.status = 'granted'"]
    wanted += [] if since is None else [f"a.position >= {int(since)}"]
    wanted += [] if until is None else [f"a.position < {int(until)}"]
    wanted += [] if players is None else [f"a.player_id IN ({bulk.numbers(players)})"]
    same = merged_players()
    wanted += [] if open_at is None else [_still_open(int(open_at), [*same, *moved])]
    sql = (
        "SELECT a.position, a.player_id, a.pool, CAST(a.fields AS "  # noqa: S608  our own names and numbers
        "TEXT), a.id, a.kind FROM ledger_adjustment AS a "
        f"WHERE {' AND '.join(wanted)} ORDER BY a.position, CASE WHEN a.kind = 'opening' THEN 0 ELSE 1 END, a.id"
    )
    found = []
    for position, player, pool, stored, number, kind in bulk.rows(sql):
        lift = None if kind == "opening" else floor_set_by(pool, order.date_of(position), json.loads(stored))
        found.append(
            Decision(position=position, player=same.get(player, player), pool=pool, stored=stored, id=number, lift=lift)
        )
    return found


def floor_set_by(pool: str, day: date, fields: Mapping[str, Any]) -> float | None:
    """Return the floor that a decision of a day sets: a prize's (money's),
    or a life master's where the rating has one.
    """
    if pool not in US_CHESS_KEYS:
        return None
    levels = [fields["prize_floor"]] if fields.get("prize_floor") is not None else []
    if fields.get("life_master"):
        rules = coefficients_on(max(day, rulebook("us_chess").first))
        levels += [rules.life_master_floor] if rules.life_master_pools[US_CHESS_KEYS.index(pool)] == 1 else []
    return max(levels, default=None)


def _still_open(position: int, merged: Iterable[int]) -> str:
    """Rows stand under the record that is kept, so a duplicate's decisions are always looked at."""
    later = (
        "SELECT 1 FROM ledger_ratingrow AS r WHERE r.player_id = "  # noqa: S608  our own names and numbers
        "a.player_id AND r.pool = a.pool "
        f"AND r.position > a.position AND r.position < {position}"
    )
    return f"(a.position >= {position} OR a.player_id IN ({bulk.numbers(merged)}) OR NOT EXISTS ({later}))"


def entry_table(sections: Sequence[Placed]) -> tuple[Array, Array]:
    """(which section, (pairing number, player)) of every entry; duplicates stand for the record that is kept."""
    counts = [len(section.entries) // (INT.itemsize * ENTRY_WIDTH) for section in sections]
    entries = np.frombuffer(b"".join(section.entries for section in sections), INT).reshape(-1, ENTRY_WIDTH)
    return np.repeat(np.arange(len(sections)), counts), as_kept(entries)


def as_kept(entries: Array) -> Array:
    """Entries with the record that is kept in the place of a duplicate."""
    merged = merged_players()
    if not merged or not len(entries):
        return entries
    entries = entries.copy()
    duplicates = np.array(sorted(merged), INT)
    kept = np.array([merged[int(one)] for one in duplicates], INT)
    place = np.clip(np.searchsorted(duplicates, entries[:, 1]), 0, len(duplicates) - 1)
    entries[:, 1] = np.where(duplicates[place] == entries[:, 1], kept[place], entries[:, 1])
    return entries
