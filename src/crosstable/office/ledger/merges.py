"""Which records are merged: the two records of one person count as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crosstable.office.storage import bulk


def merged_players() -> dict[int, int]:
    """Duplicate → the record that it was merged into, both as row ids."""
    sql = "SELECT id, merged_into_id FROM ledger_player WHERE merged_into_id IS NOT NULL"
    found: dict[int, int] = {int(one): int(into) for one, into in bulk.rows(sql)}
    return {one: _last_of_chain(one, found) for one in found}


def _last_of_chain(player: int, merged: Mapping[int, int]) -> int:
    while player in merged:
        player = merged[player]
    return player


def with_duplicates(players: Iterable[int]) -> set[int]:
    """The same people under all their records."""
    wanted = set(players)
    return wanted | {duplicate for duplicate, main in merged_players().items() if main in wanted}
