"""Every office test runs on both databases: an SQLite file, and a real PostgreSQL that the tests start themselves.

`office` is a clean, migrated database, and this process speaks to it. `spare` makes more of the same kind.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path

import office_postgres as postgres
import pytest
from tests import needs

from crosstable.office.storage.settings import setup

DATABASES = ("sqlite", "postgresql")
_numbers = count(1)

setup("sqlite:///no-office-yet.db")  # so that test modules can import models; nothing opens this file


def connect(url: str) -> None:
    """Point this process to another office."""
    setup(url)


def disconnect() -> None:
    from django.db import connections

    connections.close_all()


def migrate(url: str) -> None:
    from django.core.management import call_command

    connect(url)
    call_command("migrate", verbosity=0, interactive=False)
    disconnect()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    try:
        with postgres.server() as url:
            yield url
    except FileNotFoundError:
        needs.missing(needs.POSTGRESQL)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> str:
    """One migrated database; each test gets a copy."""
    name = f"office_template_{os.getpid()}"
    migrate(postgres.create(postgres_server, name))
    return name


@contextmanager
def sqlite_office(template: Path, folder: Path) -> Iterator[str]:
    path = folder / f"office{next(_numbers)}.db"
    shutil.copyfile(template, path)
    yield f"sqlite:///{path}"


@contextmanager
def postgres_office(server: str, template: str) -> Iterator[str]:
    name = f"office_{os.getpid()}_{next(_numbers)}"
    yield postgres.create(server, name, template)
    postgres.drop(server, name)


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest) -> str:
    """Which of the two this test runs on."""
    kind: str = request.param
    return kind


def _maker(database: str, request: pytest.FixtureRequest, folder: Path, stack: ExitStack) -> Callable[[], str]:
    def make() -> str:
        if database == "sqlite":
            template: Path = request.getfixturevalue("migrated")
            return stack.enter_context(sqlite_office(template, folder))
        server: str = request.getfixturevalue("postgres_server")
        name: str = request.getfixturevalue("postgres_template")
        return stack.enter_context(postgres_office(server, name))

    return make


@pytest.fixture
def spare(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """A maker of clean, migrated offices of the test's kind; it does not connect to them."""
    with ExitStack() as stack:
        yield _maker(database, request, tmp_path, stack)
        disconnect()


@pytest.fixture
def other(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """The same for the other kind of database."""
    with ExitStack() as stack:
        yield _maker(next(kind for kind in DATABASES if kind != database), request, tmp_path, stack)
        disconnect()


@pytest.fixture
def untouched(database: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without a single table: a file that does not exist yet, or one that PostgreSQL has just made."""
    if database == "sqlite":
        yield f"sqlite:///{tmp_path / 'untouched.db'}"
        disconnect()
        return
    server: str = request.getfixturevalue("postgres_server")
    name = f"office_{os.getpid()}_{next(_numbers)}"
    yield postgres.create(server, name)
    disconnect()
    postgres.drop(server, name)


@pytest.fixture
def office(spare: Callable[[], str]) -> str:
    """A clean office, and this process speaks to it. The value is its URL."""
    url = spare()
    connect(url)
    return url


@pytest.fixture
def ready(office: str) -> str:
    """An office with its first row, and nobody in it."""
    from crosstable.office.ledger import office_settings

    office_settings.create()
    return office


@pytest.fixture
def clash(ready: str) -> int:
    """A draft of a file in which the two sides of a game disagree, and which has no dates and no ids."""
    from director_desk import DORA
    from tests.desk_files import CLASH

    from crosstable.office.drafts import drafting

    return drafting.start(DORA, CLASH.read_bytes(), CLASH.name).id
