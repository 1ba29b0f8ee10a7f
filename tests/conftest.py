"""Fixtures for all tests: where the shared material is, and what to say where it is absent."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with documents, vectors, samples and published data; tests that need it skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("the shared material (documents, vectors, samples, data) is not beside this checkout")
    return SHARED
