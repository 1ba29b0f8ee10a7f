"""Watch a long run: a caller registers around it, and the run reports its progress.

So no act needs to hand on what only its run needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Progress = Callable[[int, int], None]  # so many are done, of so many

_watcher: ContextVar[Progress | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(progress: Progress | None) -> Iterator[None]:
    """Report the progress of what runs within this to `progress`."""
    before = _watcher.set(progress)
    try:
        yield
    finally:
        _watcher.reset(before)


def tell(done: int, total: int) -> None:
    """Report how far the run has come."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(done, total)
