"""Players by their ids."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Player
from crosstable.office.storage.row import first_or


def find(number: str) -> Player:
    return first_or(Player.objects.filter(number=number), OfficeError(f"there is no player {number!r}"))


def main_record(row: Player) -> Player:
    """The record that stands for this person: a merged duplicate's is the one it was merged into."""
    while row.merged_into is not None:
        row = row.merged_into
    return row
