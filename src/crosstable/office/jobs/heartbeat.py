"""Signs of life of a running job: that someone is at it, and how far it is.

The process that runs a job holds a lock that ends with it, however it ends: on SQLite a file beside the database, on
PostgreSQL an advisory lock of a connection of its own. So a job that was killed is known as such at once. How far it is
stands there too, because the job's own transaction is not visible before it ends.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connection, connections

from crosstable.errors import OfficeError

try:
    import fcntl
except ImportError:  # not on Windows, where a job that was killed goes on being shown as running
    fcntl = None  # type: ignore[assignment]  # Windows has none

Progress = Callable[[int, int], None]
#: Of PostgreSQL's two-part advisory locks, the first part: any fixed number
LOCKS = 0x4A4F42
#: So many seconds between two signs
STEP = 0.25
#: Letters of "done total" in the file
WIDTH = 48


@contextmanager
def alive(number: int) -> Iterator[Progress]:
    """Be the one who runs this job; gives the function that says how far it is."""
    kind = _on_postgres if connection.vendor == "postgresql" else _on_sqlite
    with kind(number) as tell:
        yield _seldom(tell)


def running(numbers: Collection[int]) -> Mapping[int, tuple[int, int] | None]:
    """Of these jobs, those that someone is at; how far they are where the row does not say it."""
    if not numbers:
        return {}
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT objid FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted AND database = "
                "(SELECT oid FROM pg_database WHERE datname = current_database())",
                [LOCKS],
            )
            return {int(one): None for (one,) in cursor.fetchall() if int(one) in numbers}
    found = {number: _read(number) for number in numbers}
    return {number: far for number, far in found.items() if far is not None}


def _seldom(tell: Progress) -> Progress:
    last = 0.0

    def progress(done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= STEP or done >= total:
            last = now
            tell(done, total)

    return progress


def _path(number: int) -> str:
    return f"{connection.settings_dict['NAME']}-job{number}"


@contextmanager
def _on_sqlite(number: int) -> Iterator[Progress]:
    path = _path(number)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise OfficeError(f"job {number} is running already") from None
    try:
        yield lambda done, total: _write(file, done, total)
    finally:
        with suppress(OSError):
            os.unlink(path)
        os.close(file)


def _write(file: int, done: int, total: int) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, f"{done} {total}".ljust(WIDTH).encode())


def _read(number: int) -> tuple[int, int] | None:
    """How far a job is that someone is at; nothing if no one is."""
    try:
        file = os.open(_path(number), os.O_RDONLY)
    except OSError:
        return None
    try:
        if fcntl is not None:
            with suppress(OSError):  # no process holds the lock any more
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                return None
        words = os.read(file, WIDTH).split()
        return (int(words[0]), int(words[1])) if len(words) == 2 else (0, 0)
    finally:
        os.close(file)


@contextmanager
def _on_postgres(number: int) -> Iterator[Progress]:
    own: Any = connections.create_connection("default")
    try:
        own.connect()
        with own.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCKS, number])
            if not cursor.fetchone()[0]:
                raise OfficeError(f"job {number} is running already")

            def tell(done: int, total: int) -> None:
                cursor.execute("UPDATE jobs_job SET done = %s, total = %s WHERE id = %s", [done, total, number])

            yield tell
    finally:
        own.close()
