"""Offices to be made, copied and dropped, for programs that kill or crowd them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import forked
import office_postgres as postgres

_numbers = count(1)


class Files:
    """SQLite offices: copies are copies of a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def empty(self) -> str:
        return f"sqlite:///{self.folder / f'{next(_numbers)}.db'}"

    def copy(self, url: str) -> str:
        made = self.empty()
        source, target = url.removeprefix("sqlite:///"), made.removeprefix("sqlite:///")
        for suffix in ("", "-wal"):
            if Path(source + suffix).exists():
                shutil.copyfile(source + suffix, target + suffix)
        return made

    def drop(self, url: str) -> None:
        for suffix in ("", "-wal", "-shm"):
            Path(url.removeprefix("sqlite:///") + suffix).unlink(missing_ok=True)


class Server:
    """PostgreSQL offices: copies come from a template."""

    def __init__(self, url: str) -> None:
        self.url = url

    def empty(self) -> str:
        return postgres.create(self.url, f"office_{os.getpid()}_{next(_numbers)}")

    def copy(self, url: str) -> str:
        name, source = f"office_{os.getpid()}_{next(_numbers)}", _name(url)
        for _ in range(200):  # the server may still be clearing up after a killed client
            try:
                return postgres.create(self.url, name, source)
            except Exception as error:
                if "being accessed" not in str(error):
                    raise
                time.sleep(0.05)
        raise RuntimeError(f"{source} stays in use")

    def drop(self, url: str) -> None:
        postgres.drop(self.url, _name(url))


def template(offices: Files | Server) -> str:
    """Return the URL of a database with every table and no office, to be copied: TEST_TEMPLATE_URL, or one made
    here.
    """
    if given := os.environ.get("TEST_TEMPLATE_URL"):
        return given
    made = offices.empty()
    forked.result(made, migrate)
    return made


def migrate() -> None:
    from crosstable.office.storage import settings

    settings.migrate()


def _name(url: str) -> str:
    return url.split("?", maxsplit=1)[0].rsplit("/", 1)[1]


@contextmanager
def databases(kind: str, folder: Path) -> Iterator[Files | Server]:
    if kind == "sqlite":
        yield Files(folder)
    else:
        with postgres.server() as url:
            yield Server(url)
