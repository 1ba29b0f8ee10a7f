"""The federation whose words are used now: how pools are called, and what is shown of a rating.

A page or a command says it once with `using`; what writes a number asks `current`. Elsewhere it is US Chess, as in
`crosstable rate`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from crosstable.federations import DEFAULT, Federation, federation

_current: ContextVar[Callable[[], Federation] | None] = ContextVar("federation", default=None)


def current() -> Federation:
    """Return the federation whose words are used now."""
    ask = _current.get()
    return ask() if ask else federation(DEFAULT)


@contextmanager
def using(ask: Callable[[], Federation]) -> Iterator[None]:
    """Use the words of the federation that `ask` gives; it is asked only where a word is needed."""
    token = _current.set(ask)
    try:
        yield
    finally:
        _current.reset(token)
