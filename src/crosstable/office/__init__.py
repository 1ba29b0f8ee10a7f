"""The office: a ledger of players, events and ratings that loses nothing.

Results are the source of truth; ratings follow from results, rules and order. `setup(url)` comes first; then every
write is one function, in one transaction with its audit row:

    from crosstable import office

    office.setup("sqlite:///club.db")
    office.accept(actor, "20260914-1")            # the acts on events and ratings
    office.players.add(actor, "12345678", ...)    # and the rooms with all the others

The functions are imported when they are asked for, because Django's tables can only be imported after `setup`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from crosstable.errors import OfficeError
from crosstable.office.storage.settings import is_set_up, migrate, setup

if TYPE_CHECKING:
    from crosstable.office import audit, backup, decisions, events, history, lists, people, players, rating, titles
    from crosstable.office.backup import restore
    from crosstable.office.events import (
        Added,
        Submitted,
        Waiting,
        accept,
        accept_many,
        correct,
        document,
        review,
        revisions,
        submit,
        withdraw,
    )
    from crosstable.office.events.fide_lists import import_fide_batch
    from crosstable.office.history import import_history
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.rating.rerating import Rerated, rerate
    from crosstable.office.rating.trace import trace, traces

#: Where each public name lives
_HOMES = {
    **dict.fromkeys(
        (
            "Added", "Submitted", "Waiting", "accept", "accept_many", "correct", "document", "review", "revisions", "submit",
            "withdraw",
        ),
        "events",
    ),
    **dict.fromkeys(("Rerated", "rerate"), "rating.rerating"),
    **dict.fromkeys(("Actor", "Role"), "people.rights"),
    **dict.fromkeys(("trace", "traces"), "rating.trace"),
    "import_history": "history",
    "import_fide_batch": "events.fide_lists",
    "restore": "backup",
}  # fmt: skip
_ROOMS = ("audit", "backup", "decisions", "events", "history", "lists", "people", "players", "rating", "titles")


class OfficeNotSetUp(OfficeError):
    """The office was used before it knew its database."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES and name not in _ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not is_set_up():
        raise OfficeNotSetUp(f"office.{name} needs a database: call office.setup(url) first")
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Actor", "Added", "OfficeNotSetUp", "Rerated", "Role", "Submitted", "Waiting", "accept", "accept_many", "audit", "backup",
    "correct", "decisions", "document", "events", "history", "import_fide_batch", "import_history", "lists", "migrate",
    "people", "players", "rating", "rerate", "restore", "review", "revisions", "setup", "submit", "titles", "trace",
    "traces", "withdraw",
]  # fmt: skip
