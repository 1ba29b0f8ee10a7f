"""An office for each test: an SQLite file, or a database on a real PostgreSQL that the tests start themselves.

`office` is a clean, migrated database, and this process speaks to it. `spare` makes more of the same kind. What depends
on the database (SQL of our own, locks, migrations, bulk writes, text search, the equality of incremental and whole
ratings) is marked
`both_databases` and runs on each; everything else goes through Django's queries and runs on SQLite. With
CROSSTABLE_TEST_DATABASES=all, as in `make nightly`, everything runs on both.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import office_postgres as postgres
import pytest
from tests.conftest import made_once

from crosstable.office.storage.settings import setup

DATABASES = ("sqlite", "postgresql")
EVERYWHERE = "CROSSTABLE_TEST_DATABASES"
_numbers = count(1)

setup("sqlite:///no-office-yet.db")  # so that test modules can import models; nothing opens this file


def connect(url: str) -> None:
    """Point this process to another office."""
    setup(url)


def disconnect() -> None:
    from django.db import connections

    connections.close_all()


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


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test its databases: its own, both where it is marked so or where everything runs on both, else
    SQLite.
    """
    chosen = any(mark.args[0] == "database" for mark in metafunc.definition.iter_markers("parametrize"))
    if "database" in metafunc.fixturenames and not chosen:
        both = metafunc.definition.get_closest_marker("both_databases") or os.environ.get(EVERYWHERE) == "all"
        metafunc.parametrize("database", DATABASES if both else DATABASES[:1])


#: The templates of a clean office and of a small one with a history: the fixtures for SQLite and for PostgreSQL
CLEAN = {"sqlite": "migrated", "postgresql": "postgres_template"}
SMALL = {"sqlite": "small_file", "postgresql": "small_postgres"}


def _maker(
    database: str, request: pytest.FixtureRequest, stack: ExitStack, templates: Mapping[str, str] = CLEAN
) -> Callable[[], str]:
    folder: Path = request.getfixturevalue("tmp_path")

    def make() -> str:
        template: Any = request.getfixturevalue(templates[database])
        if database == "sqlite":
            return stack.enter_context(sqlite_office(template, folder))
        return stack.enter_context(postgres_office(request.getfixturevalue("postgres_server"), template))

    return make


def _fill_small(url: str) -> None:
    from crosstable.office.example.load import load

    connect(url)
    load(count=60, tournaments=8, lists=2)
    disconnect()


@pytest.fixture(scope="session")
def small_file(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up office of sixty players; made once for all workers. Tests copy it."""

    def make(path: Path) -> None:
        shutil.copyfile(migrated, path)
        _fill_small(f"sqlite:///{path}")

    return made_once(tmp_path_factory, "small.db", make)


@pytest.fixture(scope="session")
def small_postgres(postgres_server: str, postgres_template: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same on PostgreSQL."""

    def make(path: Path) -> None:
        name = f"small_{os.getpid()}"
        _fill_small(postgres.create(postgres_server, name, postgres_template))
        path.write_text(name)

    return made_once(tmp_path_factory, "small-postgres", make).read_text()


@pytest.fixture
def small_office(database: str, request: pytest.FixtureRequest) -> Iterator[str]:
    """A copy of the made-up office of sixty players, and this process speaks to it. The value is its URL."""
    with ExitStack() as stack:
        url = _maker(database, request, stack, SMALL)()
        connect(url)
        yield url
        disconnect()


@pytest.fixture
def spare(database: str, request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """A maker of clean, migrated offices of the test's kind; it does not connect to them."""
    with ExitStack() as stack:
        yield _maker(database, request, stack)
        disconnect()


@pytest.fixture
def other(database: str, request: pytest.FixtureRequest) -> Iterator[Callable[[], str]]:
    """The same for the other kind of database."""
    with ExitStack() as stack:
        yield _maker(next(kind for kind in DATABASES if kind != database), request, stack)
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

    from crosstable.office.reports import drafts

    return drafts.start(DORA, CLASH.read_bytes(), CLASH.name).id
