"""Players by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.formats.fide_entrants import FOREIGN
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.storage import bulk
from crosstable.office.storage.read_once import once
from crosstable.office.storage.row import first_or

# Which records are merged: the two records of one person count as one.


def merged_players() -> Mapping[int, int]:
    """Duplicate → the record that it was merged into, both as row ids."""
    return once("merged players", _read)


def _read() -> dict[int, int]:
    sql = "SELECT id, merged_into_id FROM ledger_player WHERE merged_into_id IS NOT NULL"
    found: dict[int, int] = {int(one): int(into) for one, into in bulk.rows(sql)}
    return {one: _last_of_chain(one, found) for one in found}


def _last_of_chain(player: int, merged: Mapping[int, int]) -> int:
    while player in merged:
        player = merged[player]
    return player


def with_duplicates(players: Iterable[int]) -> set[int]:
    """Return the same people under all their records."""
    wanted = set(players)
    return wanted | {duplicate for duplicate, main in merged_players().items() if main in wanted}


def in_register() -> QuerySet[Player]:
    """Return the players of the office: no duplicates, and no one whom only a report of an event abroad names."""
    return Player.objects.filter(merged_into=None).exclude(number__startswith=FOREIGN)


def find(number: str) -> Player:
    return first_or(Player.objects.filter(number=number), OfficeError(f"there is no player {number!r}"))


def main_record(row: Player) -> Player:
    """Return the person's record: for a merged duplicate, the one it was merged into."""
    while row.merged_into is not None:
        row = row.merged_into
    return row


# IDs that the office gives itself.


def free_ids() -> Iterator[str]:
    """Yield free IDs, one after the other; an office gives them in the order of acceptance."""
    ids = our_federation().ids
    width = len(str(ids.last))
    taken = {
        int(number)
        for number in Player.objects.filter(number__regex=rf"^[0-9]{{1,{width}}}$").values_list("number", flat=True)
        if ids.first <= int(number) <= ids.last
    }
    start = max(taken, default=ids.first - 1) + 1
    if start > ids.last:
        raise OfficeError(
            f"the office has given every ID from {ids.first} to {ids.last}: enter the IDs of new members yourself"
        )
    return map(str, range(start, ids.last + 1))
