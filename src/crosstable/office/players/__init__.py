"""Players: the register, memberships, merges, and lists of other federations."""

from __future__ import annotations

from crosstable.office.ledger.players import find
from crosstable.office.players.register import (
    PLAIN,
    RATED,
    ListRead,
    add,
    change,
    first_position,
    history,
    import_list,
    join,
    merge,
    show,
    unmerge,
)

__all__ = [
    "PLAIN",
    "RATED",
    "ListRead",
    "add",
    "change",
    "find",
    "first_position",
    "history",
    "import_list",
    "join",
    "merge",
    "show",
    "unmerge",
]
