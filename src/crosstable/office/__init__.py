"""The office: a ledger of players, events and ratings that loses nothing.

Results are the source of truth; ratings follow from results, rules and order. `setup(url)` comes first; then every
write is one function, in one transaction with its audit row:

    from crosstable import office

    office.setup("sqlite:///club.db")
    office.accept(actor, "20260914-1")

The functions named here are imported when they are first used, because Django's tables can only be imported after
`setup`. Everything else is imported from its module: `from crosstable.office.players import register`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from crosstable.errors import OfficeError
from crosstable.office.storage.settings import is_set_up, migrate, setup

if TYPE_CHECKING:
    from crosstable.office.backup import restore
    from crosstable.office.history import import_history
    from crosstable.office.people.rights import Actor, Role
    from crosstable.office.rating.rerating import Rerated, rerate
    from crosstable.office.rating.trace import trace, traces
    from crosstable.office.reports.accepting import accept, accept_many, correct, withdraw
    from crosstable.office.reports.events import document, revisions
    from crosstable.office.reports.fide_events import import_fide_batch
    from crosstable.office.reports.file_reading import Added
    from crosstable.office.reports.review_queue import Waiting, review
    from crosstable.office.reports.submissions import Submitted, submit

#: Where each public name lives
_HOMES = {
    "Actor": "people.rights",
    "Added": "reports.file_reading",
    "Rerated": "rating.rerating",
    "Role": "people.rights",
    "Submitted": "reports.submissions",
    "Waiting": "reports.review_queue",
    "accept": "reports.accepting",
    "accept_many": "reports.accepting",
    "correct": "reports.accepting",
    "document": "reports.events",
    "import_fide_batch": "reports.fide_events",
    "import_history": "history",
    "rerate": "rating.rerating",
    "restore": "backup",
    "review": "reports.review_queue",
    "revisions": "reports.events",
    "submit": "reports.submissions",
    "trace": "rating.trace",
    "traces": "rating.trace",
    "withdraw": "reports.accepting",
}


class OfficeNotSetUp(OfficeError):
    """The office was used before it knew its database."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not is_set_up():
        raise OfficeNotSetUp(f"office.{name} needs a database: call office.setup(url) first")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


__all__ = [
    "Actor",
    "Added",
    "OfficeNotSetUp",
    "Rerated",
    "Role",
    "Submitted",
    "Waiting",
    "accept",
    "accept_many",
    "correct",
    "document",
    "import_fide_batch",
    "import_history",
    "migrate",
    "rerate",
    "restore",
    "review",
    "revisions",
    "setup",
    "submit",
    "trace",
    "traces",
    "withdraw",
]
