"""Fixtures for all tests: where the shared material is, and what to say where it is absent."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from crosstable import office
from crosstable.web import folders, settings
from tests import needs

SHARED = Path(__file__).resolve().parents[2] / "shared"

os.environ.setdefault(folders.SECRET_VARIABLE, "for the tests, which sign nothing that anybody keeps, 0123456789")
settings.configure("sqlite:///no-office-yet.db", https=False)  # once for all tests; nothing opens this file
django_settings.KEPT_PAGES_BYTES = 0  # tests change rows past the ledger; those of kept pages turn it on

#: The same examples in every run: a change breaks a test, never chance. `--hypothesis-profile=default` looks for new ones;
#: and no clock: an example may take as long as a busy machine needs
hypothesis_settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("repeatable")


#: Files of few and long tests. They come first: at the end one worker would sit idle while the other still has them
LONG = ("test_crashes", "test_browser", "test_routes", "test_published_record", "test_writers", "test_crowd",
        "test_backup", "test_api_schema", "test_officer_walk", "test_phones", "test_replay_equality",
        "test_both_databases")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.stem not in LONG)


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
    """Return the folder with documents, vectors, samples and the published record; its tests carry the mark `shared`."""
    return SHARED


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with every table and no office; made once for all workers. Tests copy it."""

    def make(path: Path) -> None:
        office.setup(f"sqlite:///{path}")
        office.migrate()
        connections.close_all()

    return made_once(tmp_path_factory, "migrated.db", make)


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
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
