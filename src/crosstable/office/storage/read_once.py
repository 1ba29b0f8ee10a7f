"""What many functions ask the ledger within one act or one page, read once.

Only reads belong here whose answer cannot change inside the scope: who is merged during a rating run, the ratings
before an event while its report is examined.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Answer = TypeVar("Answer")

_known: ContextVar[dict[Hashable, Any] | None] = ContextVar("what was read", default=None)


@contextmanager
def read_once() -> Iterator[None]:
    """Remember what `once` reads, to the end of this scope. A scope inside another one shares nothing with it."""
    token = _known.set({})
    try:
        yield
    finally:
        _known.reset(token)


def once(key: Hashable, read: Callable[[], Answer]) -> Answer:
    """Return what `read` returns; inside `read_once` it is called at most once for each key."""
    known = _known.get()
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    answer: Answer = known[key]
    return answer
