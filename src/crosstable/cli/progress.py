"""A line on the terminal while something takes longer than a second: how far it is, and for how long it has run."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class ProgressReport(Protocol):
    """Says how far it is; `words` stand behind what is counted."""

    def __call__(self, done: int, total: int, /, words: str = "") -> None: ...


_FIRST, _EVERY = 1.0, 0.5  # seconds until the line appears, and between two of its states
_CLEAR = "\r\x1b[K"


@contextmanager
def progress_bar(what: str, *, quiet: bool = False, first: float = _FIRST) -> Iterator[ProgressReport | None]:
    """Yield what to call with (done, in all); None in a pipe or with `quiet` (--json).

    The line is there before anything is reported, and goes away at the end.
    """
    if quiet or not sys.stderr.isatty():
        yield None
        return
    begun, ended, state = time.monotonic(), threading.Event(), [what]

    def report(done: int, total: int, /, words: str = "") -> None:
        state[0] = f"{done:,} of {total:,} {what}{words}"

    def show() -> None:
        wait = first
        while not ended.wait(wait):
            seconds = time.monotonic() - begun
            time_taken = f", {seconds:.0f} s …"
            room = shutil.get_terminal_size().columns - 1 - len(time_taken)  # a line that wraps could not be cleared
            print(f"{_CLEAR}{state[0][:room]}{time_taken}", end="", file=sys.stderr, flush=True)
            wait = min(first, _EVERY)

    watcher = threading.Thread(target=show, daemon=True)
    watcher.start()
    try:
        yield report
    finally:
        ended.set()
        watcher.join()
        print(_CLEAR, end="", file=sys.stderr, flush=True)
