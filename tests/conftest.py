"""Fixtures for all tests: where the shared material is, and what to say where it is absent."""

from __future__ import annotations

import fcntl
import gc
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

#: Read when polars is loaded: the workers share the cores, and the tests' tables are small
os.environ.setdefault("POLARS_MAX_THREADS", "1")
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")  # the browser's driver runs an event loop in this thread

import pytest
from django.conf import settings as django_settings
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from crosstable import office
from crosstable.office.audit import signatures
from crosstable.web import folders, settings
from tests import needs

sys.path.append(str(Path(__file__).parent / "office"))

import office_postgres as postgres

SHARED = Path(__file__).resolve().parents[2] / "shared"

os.environ.setdefault(signatures.VARIABLE, str(Path(tempfile.mkdtemp(prefix="crosstable-tests-")) / "signing-key"))
os.environ.setdefault(folders.SECRET_VARIABLE, "for the tests, which sign nothing that anybody keeps, 0123456789")
settings.configure("sqlite:///no-office-yet.db", https=False)  # once for all tests; nothing opens this file
django_settings.KEPT_PAGES_BYTES = 0  # tests change rows past the ledger; those of kept pages turn it on

#: The same examples in every run: a change breaks a test, never chance. `--hypothesis-profile=default` looks for new
#: ones; and no clock: an example may take as long as a busy machine needs
hypothesis_settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("repeatable")


#: Files of few and long tests. They come first: at the end one worker would sit idle while the other still has them
LONG = {
    "test_api_schema",
    "test_backup",
    "test_both_databases",
    "test_browser",
    "test_crashes",
    "test_crowd",
    "test_demo_pages",
    "test_example",
    "test_officer_walk",
    "test_phones",
    "test_privacy",
    "test_processes",
    "test_published_record",
    "test_readme",
    "test_replay_equality",
    "test_routes",
    "test_writers",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.stem not in LONG)


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over what has been imported: it would walk all of it some thousand times."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `shared` where that folder is absent; fail one that uses the folder without the mark."""
    if item.get_closest_marker("shared"):
        if not SHARED.is_dir():
            needs.missing(needs.SHARED)
    elif "shared" in getattr(item, "fixturenames", ()):
        pytest.fail("this test uses the fixture `shared`: mark it with @pytest.mark.shared", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note in the report of a skipped test what was missing."""
    report = yield
    if call.excinfo and isinstance(call.excinfo.value, needs.Missing):
        report.user_properties.append((needs.PROPERTY, call.excinfo.value.need.name))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which kinds of tests were skipped, and how to get what they need."""
    for line in needs.summary(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with documents, vectors, samples and the published record; its tests carry the mark
    `shared`.
    """
    return SHARED


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with every table and no office; made once for all workers. Tests copy it."""

    def make(path: Path) -> None:
        office.setup(f"sqlite:///{path}")
        office.migrate()
        connections.close_all()

    return made_once(tmp_path_factory, "migrated.db", make)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A file that the first worker who needs it makes, and all of them read."""
    base = factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    path, part = folder / name, folder / f"part-of-{name}"
    with (folder / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            make(part)
            part.rename(path)
    return path


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URL of the one PostgreSQL server of this run: TEST_DATABASE_URL, or one that the first worker to ask
    starts.
    """
    if given := os.environ.get("TEST_DATABASE_URL"):
        return given
    if postgres.binaries() is None:
        needs.missing(needs.POSTGRESQL)

    def make(path: Path) -> None:
        folder = postgres.start()
        postgres.stop_after(os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid(), folder)
        path.write_text(str(folder))

    return postgres.address(Path(made_once(tmp_path_factory, "postgres-server", make).read_text()))


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a migrated database without an office on that server; made once for all workers. Tests copy it."""

    def make(path: Path) -> None:
        name = f"office_template_{os.getpid()}"
        office.setup(postgres.create(postgres_server, name))
        office.migrate()
        connections.close_all()
        path.write_text(name)

    return made_once(tmp_path_factory, "postgres-template", make).read_text()


@pytest.fixture
def program_environment(request: pytest.FixtureRequest) -> Callable[[str], dict[str, str]]:
    """`program_environment("sqlite")` leads a program that makes offices of that kind to the run's server and
    template.
    """

    def environment(database: str) -> dict[str, str]:
        if database == "sqlite":
            return {**os.environ, "TEST_TEMPLATE_URL": f"sqlite:///{request.getfixturevalue('migrated')}"}
        server: str = request.getfixturevalue("postgres_server")
        template = postgres.renamed(server, request.getfixturevalue("postgres_template"))
        return {**os.environ, "TEST_DATABASE_URL": server, "TEST_TEMPLATE_URL": template}

    return environment


@pytest.fixture(scope="session")
def chromium_of_worker() -> Iterator[Any]:
    """The one browser of this worker."""
    program = needs.chromium()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # milliseconds; a busy machine may be slow, and what is there is seen at once
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def chromium(chromium_of_worker: Any) -> Iterator[Any]:
    """A browser in which the test opens contexts of its own; whatever it leaves open is closed."""
    yield chromium_of_worker
    for context in chromium_of_worker.contexts:
        context.close()
