"""Where the office keeps its ledger: SQLite by default, PostgreSQL by one setting, and one writer at a time.

SQLite runs in WAL with immediate transactions: readers never wait, writers queue. On PostgreSQL one advisory lock, held
to the end of the transaction, does the same.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import parse_qsl, unquote, urlsplit

from crosstable.errors import CrosstableError

try:
    import fcntl
except ImportError:  # not on Windows, where SQLite's own waiting must do
    fcntl = None  # type: ignore[assignment]  # Windows has none

VARIABLE = "CROSSTABLE_DB"
DEFAULT = "sqlite:///crosstable.db"
#: How long a writer waits for another one, in seconds
PATIENCE = 60
#: So much of an SQLite file is read through the system's own cache, without a copy
MAPPED = 4 * 2**30
#: Any fixed number: a writer holds it
WRITE_LOCK = 0x43524F5353544142


class DatabaseURLError(CrosstableError):
    """A database URL that we cannot use; the message quotes what is wrong with it, never a password."""


def chosen(url: str | None = None) -> str:
    """Return the URL to use: the argument, CROSSTABLE_DB, or a file in the working folder."""
    return url or os.environ.get(VARIABLE) or DEFAULT


def parse(url: str) -> dict[str, Any]:
    """Return a database URL as Django's settings have it."""
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return _sqlite(url.split(":", 1)[1])
    if parts.scheme in ("postgres", "postgresql"):
        return _postgres(url)
    raise DatabaseURLError(
        f"cannot use a database of kind '{parts.scheme or url}': write sqlite:///FILE or postgresql://USER@HOST/NAME"
    )


def _sqlite(rest: str) -> dict[str, Any]:
    path = unquote(rest.removeprefix("//").removeprefix("/"))
    if not path:
        raise DatabaseURLError("sqlite:/// needs a file name, as in sqlite:///crosstable.db")
    return {
        "ENGINE": "crosstable.office.storage.sqlite",  # Django's, but for the mode of a new file
        "NAME": str(Path(path).absolute()),
        "OPTIONS": {
            "timeout": PATIENCE,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536; "
            f"PRAGMA mmap_size={MAPPED}",
        },
    }


def _postgres(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise DatabaseURLError("the PostgreSQL URL names no database: write postgresql://USER@HOST/NAME")
    query = dict(parse_qsl(parts.query))
    host = query.pop("host", "") or unquote(parts.hostname or "")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or query.pop("user", "")),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or query.pop("port", "")),
        "OPTIONS": query,
    }


@contextmanager
def writing() -> Iterator[None]:
    """One transaction, one writer at a time.

    Writers queue at the beginning, so they can never block each other: on PostgreSQL for a lock in the database, on
    SQLite for a lock on a file beside it. (SQLite by itself makes writers try again and again; where many want to
    write, one may never get its turn.) All writes end in one chained audit log, so they queue in any case.
    """
    from django.db import connection, transaction

    with _queued(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:  # no compiled queries: one that looks up many rows is quicker done
                cursor.execute("SELECT set_config('jit', 'off', true), pg_advisory_xact_lock(%s)", [WRITE_LOCK])
        yield


@contextmanager
def reading() -> Iterator[None]:
    """All questions about one moment, while writers go on: a page that asks several times sees no half of an act.

    On SQLite a transaction that does not want to write; on PostgreSQL one that cannot. Anyone who is in a transaction
    already has its moment.
    """
    from django.db import connection, transaction

    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()  # connecting sets the mode
    waiting: Any = connection
    before = getattr(connection, "transaction_mode", None)
    try:
        waiting.transaction_mode = "DEFERRED"  # SQLite's; a PostgreSQL connection does not look at it
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        waiting.transaction_mode = before


@contextmanager
def _queued(connection: Any) -> Iterator[None]:
    """Wait in line for an SQLite file. A writer that already has a place (a call inside another) keeps it."""
    if connection.vendor != "sqlite" or connection.in_atomic_block or fcntl is None:
        yield
        return
    file = Path(connection.settings_dict["NAME"])
    with _beside(file, f"{file}-queue") as line:
        fcntl.flock(line, fcntl.LOCK_EX)  # the kernel lets go of it when the file is closed or the process dies
        yield


def owners_only(path: str | Path) -> None:
    """Make a new, empty file that only its owner may read: an office holds birth dates and password hashes.

    SQLite gives the files beside it (-wal, -shm) the same mode. A file that is there keeps the mode that someone
    chose.
    """
    with suppress(OSError):  # it is there already; or it cannot be made, which SQLite will say
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _beside(file: Path, path: str) -> BinaryIO:
    """Open a file that every user who may write the office may write too."""
    with suppress(FileExistsError, PermissionError):
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        os.chmod(path, stat.S_IMODE(file.stat().st_mode))
        os.close(made)
    return open(path, "ab")
