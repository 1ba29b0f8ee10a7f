"""The office: a ledger of players, events and ratings that loses nothing.

Results are the source of truth; ratings follow from results, rules and order. `setup(url)` comes first; then every
write is one function of this package, in one transaction with its audit row. The functions are imported when they are
asked for, because Django's tables can only be imported after `setup`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from crosstable.office.storage.settings import migrate, setup

_FUNCTIONS = {
    **dict.fromkeys(
        ("submit", "review", "accept", "accept_many", "correct", "withdraw", "document", "revisions"), "events"
    ),
    "rerate": "rating.rerating",
    "import_history": "history",
    "import_fide_batch": "events.fide_lists",
    "trace": "rating.trace",
}


def __getattr__(name: str) -> Any:
    if name not in _FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_FUNCTIONS[name]}")
    return getattr(module, "import_batch" if name == "import_fide_batch" else name)


__all__ = ["migrate", "setup"]
