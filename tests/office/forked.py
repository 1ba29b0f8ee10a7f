"""Work in processes of their own, forked from one that never opens a database itself."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NOBODY = "sqlite:///no-office-yet.db"  # nothing opens this file


def preload() -> None:
    """Load what every child needs, the compiled kernel too, so that each finds it loaded. No database is opened."""
    from crosstable.office.storage.settings import setup

    setup(NOBODY)
    import django.core.management.commands.migrate  # noqa: F401  as below

    import crosstable.office.backup.archive
    import crosstable.office.example.load
    import crosstable.office.rating.us_chess  # noqa: F401  loading it is what it is for
    from crosstable.replay import us_chess

    sys.path.append(str(Path(__file__).resolve().parents[2]))
    from tests.replay.small import small_history

    us_chess.replay(small_history(sections=2, players=12))
    gc.collect()
    gc.freeze()  # a child that collects garbage would write to, and so copy, all that it shares with this process


@dataclass(frozen=True, slots=True)
class Child:
    pid: int
    answer: int  # the end of a pipe

    def finished(self) -> tuple[int, Any]:
        """(signal that it died of or 0, its result)."""
        with os.fdopen(self.answer, "rb") as source:
            data = source.read()
        _, status = os.waitpid(self.pid, 0)
        if os.WIFSIGNALED(status):
            return os.WTERMSIG(status), None
        if os.WEXITSTATUS(status):
            raise RuntimeError("a child process failed; its words are above")
        return 0, pickle.loads(data)  # noqa: S301  our own child's


def start(url: str, work: Callable[[], Any], ready: Callable[[], None] | None = None) -> Child:
    """`work` on that office in a child process. `ready` runs before the first connection."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return Child(child, read)
    os.close(read)
    status = 1
    try:
        from crosstable.office.storage.settings import setup

        setup(url)
        if ready:
            ready()
        result = work()
        with os.fdopen(write, "wb") as out:
            pickle.dump(result, out)
        status = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        os._exit(status)


def result(url: str, work: Callable[[], Any]) -> Any:
    """The same, waited for; it must not die."""
    died, found = start(url, work).finished()
    if died:
        raise RuntimeError(f"a child process died of signal {died}")
    return found
