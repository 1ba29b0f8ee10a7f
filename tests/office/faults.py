"""Death at a chosen write: a driver for each database that counts its writes and kills the process at one of them.

Installed only in child processes of the crash tests. Points are before and after every INSERT, UPDATE, DELETE and COPY,
in the middle of every write of many rows, and before and after every COMMIT.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

WRITES = ("INSERT", "UPDATE", "DELETE", "COPY", "REPLACE")


class DiskFull(Exception):
    """The n-th write failed."""


class Fault:
    """Counts points; at number `fatal` the process is gone, without a word to anybody."""

    def __init__(self, fatal: int = 0) -> None:
        self.fatal, self.points = fatal, 0
        self.fails = False  # instead of dying: from point `fatal` on every write fails, as on a full disk
        self.committed: Callable[[], None] = lambda: None

    def point(self) -> None:
        self.points += 1
        if self.fails and self.fatal and self.points >= self.fatal:
            raise DiskFull("no space left on the device")
        if self.points == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)


FAULT = Fault()


def arm(fatal: int) -> None:
    """From here on count, and die at point `fatal` (0: never)."""
    FAULT.points, FAULT.fatal, FAULT.fails = 0, fatal, False


def watch(committed: Callable[[], None]) -> None:
    """Call `committed` in a thread, with a connection of its own, after every COMMIT."""

    def call() -> None:
        from django.db import connections

        committed()
        connections.close_all()

    def wait() -> None:
        thread = threading.Thread(target=call)
        thread.start()
        thread.join()

    arm(0)
    FAULT.committed = wait


def arm_failure(fatal: int) -> None:
    """From here on count, and fail at point `fatal` and at all that follow, as on a full disk."""
    FAULT.points, FAULT.fatal, FAULT.fails = 0, fatal, True


def writes(sql: Any) -> bool:
    text = sql if isinstance(sql, str) else getattr(sql, "decode", lambda: str(sql))()
    return text.lstrip().upper().startswith(WRITES)


def install() -> None:
    """Make this process's database connections count. Call after `setup`, before the first connection."""
    from django.db import connections

    settings = connections.settings["default"]
    if settings["ENGINE"].endswith("sqlite"):
        settings["OPTIONS"]["factory"] = _SQLite
    else:
        _postgres()


class _SQLite(sqlite3.Connection):
    def cursor(self, factory: Any = sqlite3.Cursor) -> Any:
        return super().cursor(_counting(factory))

    def commit(self) -> None:
        FAULT.point()
        super().commit()
        FAULT.committed()
        FAULT.point()


@cache
def _counting(factory: Any) -> Any:
    class Counting(factory):
        def execute(self, sql: str, *rest: Any) -> Any:
            if not writes(sql):
                return super().execute(sql, *rest)
            FAULT.point()
            done = super().execute(sql, *rest)
            FAULT.point()
            return done

        def executemany(self, sql: str, rows: Any) -> Any:
            every = list(rows)
            FAULT.point()
            super().executemany(sql, every[: len(every) // 2])
            FAULT.point()
            done = super().executemany(sql, every[len(every) // 2 :])
            FAULT.point()
            return done

    return Counting


def _postgres() -> None:
    import psycopg

    execute, executemany, copy = psycopg.Cursor.execute, psycopg.Cursor.executemany, psycopg.Cursor.copy
    commit = psycopg.Connection.commit

    def counted_execute(self: Any, query: Any, *rest: Any, **options: Any) -> Any:
        if not writes(query):
            return execute(self, query, *rest, **options)
        FAULT.point()
        done = execute(self, query, *rest, **options)
        FAULT.point()
        return done

    def counted_executemany(self: Any, query: Any, rows: Any, **options: Any) -> None:
        every = list(rows)
        FAULT.point()
        executemany(self, query, every[: len(every) // 2], **options)
        FAULT.point()
        executemany(self, query, every[len(every) // 2 :], **options)
        FAULT.point()

    @contextmanager
    def counted_copy(self: Any, statement: Any, *rest: Any, **options: Any) -> Iterator[Any]:
        reading = "TO STDOUT" in str(statement)
        if not reading:
            FAULT.point()
        with copy(self, statement, *rest, **options) as stream:
            yield stream
            if not reading:
                FAULT.point()  # the rows are on their way, the statement has not ended
        if not reading:
            FAULT.point()

    def counted_commit(self: Any) -> None:
        FAULT.point()
        commit(self)
        FAULT.committed()
        FAULT.point()

    psycopg.Cursor.execute = counted_execute
    psycopg.Cursor.executemany = counted_executemany
    psycopg.Cursor.copy = counted_copy
    psycopg.Connection.commit = counted_commit
