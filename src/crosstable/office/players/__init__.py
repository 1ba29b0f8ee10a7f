"""Players: the register, memberships, merges, and lists of other federations."""

from __future__ import annotations

from crosstable.office.ledger.players import find
from crosstable.office.players.memberships import join
from crosstable.office.players.merging import kept_id, merge, merges, unmerge
from crosstable.office.players.profiles import history, show
from crosstable.office.players.rating_lists import ListRead, import_list
from crosstable.office.players.register import PLAIN, RATED, add, change, first_position, forget_name

__all__ = [
    "PLAIN",
    "RATED",
    "ListRead",
    "add",
    "change",
    "find",
    "first_position",
    "forget_name",
    "history",
    "import_list",
    "join",
    "kept_id",
    "merge",
    "merges",
    "show",
    "unmerge",
]
