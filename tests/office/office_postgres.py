"""A PostgreSQL server of the tests' own: started on a socket in a temporary folder, gone with the session."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode, urlsplit, urlunsplit

import psycopg
from psycopg import sql

#: Memory that looks like a disk: copying and dropping a database there takes half the time, and no write of other tests
#: holds it up
MEMORY = Path("/dev/shm")  # noqa: S108  the folder in it gets a name of its own
#: Where less than this is free, as in a container with the usual 64 MB, the server keeps its data on the disk
ENOUGH = 4 * 1024**3
MISSING = "no PostgreSQL here: neither TEST_DATABASE_URL nor initdb on PATH or under /usr/lib/postgresql"


def binaries() -> Path | None:
    """The newest installation."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    return max(installed, key=lambda path: float(path.parent.name), default=None)


def _as_server(command: list[str | Path], folder: Path) -> None:
    """initdb refuses root; then the server runs as `postgres`. Python itself never does."""
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, **user)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stdout}{done.stderr}")


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server's `postgres` database: TEST_DATABASE_URL, or a server started here."""
    given = os.environ.get("TEST_DATABASE_URL")
    if given:
        yield given
        return
    folder = start()
    try:
        yield address(folder)
    finally:
        stop(folder)


def start() -> Path:
    """Start a server in a new temporary folder, and return the folder."""
    home = binaries()
    if home is None:
        raise FileNotFoundError(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="crosstable-pg-", dir=_roomy()))
    try:
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = folder / "data"
        _as_server(
            [home / "initdb", "-D", data, "-U", "office", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"], folder
        )
        options = f"-F -k {folder} -c listen_addresses='' -c max_connections=100 -c full_page_writes=off"
        _as_server([home / "pg_ctl", "-D", data, "-w", "-o", options, "-l", folder / "log", "start"], folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder


def _roomy() -> Path | None:
    """Return the folder in memory where there is room in it, or None for the usual one."""
    there = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    return MEMORY if there and shutil.disk_usage(MEMORY).free >= ENOUGH else None


def stop(folder: Path) -> None:
    """Stop the server of that folder, and remove the folder."""
    home = binaries()
    if home is None:
        raise FileNotFoundError(MISSING)
    try:
        _as_server([home / "pg_ctl", "-D", folder / "data", "-w", "-m", "immediate", "stop"], folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def stop_after(process: int, folder: Path) -> None:
    """Stop the server of that folder when a process has ended, however it ended: this file, as a program, waits
    for it.
    """
    quiet = subprocess.DEVNULL
    command = [sys.executable, __file__, str(process), str(folder)]
    subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def address(folder: Path) -> str:
    """Return the URL of the `postgres` database of the server in that folder."""
    return f"postgresql://office@/postgres?{urlencode({'host': str(folder)})}"


def renamed(url: str, database: str) -> str:
    """The same server, another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def create(url: str, name: str, template: str = "template0") -> str:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        command = "CREATE DATABASE {} TEMPLATE {}"
        if (
            connection.info.server_version >= 150_000
        ):  # before, files were copied anyway; through the log it takes twice as long
            command += " STRATEGY FILE_COPY"
        connection.execute(sql.SQL(command).format(sql.Identifier(name), sql.Identifier(template)))
    return renamed(url, name)


def drop(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


if __name__ == "__main__":
    while _runs(int(sys.argv[1])):
        time.sleep(1)
    stop(Path(sys.argv[2]))
