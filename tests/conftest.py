"""Fixtures for all tests: where the shared material is, and what to say where it is absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.conf import settings as django_settings

from crosstable.web import folders, settings

SHARED = Path(__file__).resolve().parents[2] / "shared"

os.environ.setdefault(folders.SECRET_VARIABLE, "for the tests, which sign nothing that anybody keeps, 0123456789")
settings.configure("sqlite:///no-office-yet.db", https=False)  # once for all tests; nothing opens this file
django_settings.KEPT_PAGES_BYTES = 0  # tests change rows past the ledger; those of kept pages turn it on


#: Files of few and long tests. They come first: at the end one worker would sit idle while the other still has them
LONG = ("test_crashes", "test_browser", "test_routes", "test_verify", "test_writers", "test_crowd", "test_backup",
        "test_api_schema", "test_officer_walk", "test_phones", "test_replay_equality", "test_both_databases")  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.stem not in LONG)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with documents, vectors, samples and published data; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared material (documents, vectors, samples, data) is not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    """Crosstables as text."""
    return shared / "samples" / "crosstable-text"
