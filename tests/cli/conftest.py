from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def sheet(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """A file with the SHEET of the test's module."""
    path = tmp_path / "sheet.csv"
    path.write_text(request.module.SHEET)
    return str(path)
