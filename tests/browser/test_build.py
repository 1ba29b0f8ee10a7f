"""The page is small, the same each time it is built, and pinned."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browser.conftest import site_build

ROOT = Path(__file__).parents[2]


def test_two_builds_are_equal(built: Path, tmp_path: Path) -> None:
    again = tmp_path / "rate"
    size = site_build.build(again)
    files = {path.relative_to(built): path.read_bytes() for path in built.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again): path.read_bytes() for path in again.rglob("*") if path.is_file()}
    assert size < 15_000_000


def test_the_runtime_is_pinned_with_its_integrity_and_without_an_address() -> None:
    lock = json.loads((ROOT / "site" / "package-lock.json").read_text())
    package = lock["packages"]["node_modules/pyodide"]
    assert package["integrity"].startswith("sha512-")
    assert "resolved" not in package
    assert json.loads((ROOT / "site" / "package.json").read_text())["dependencies"] == {"pyodide": package["version"]}


@pytest.mark.parametrize(
    "source", ["default-src 'none'", "connect-src 'self'", "form-action 'none'", "base-uri 'none'"]
)
def test_the_policy_is_strict(source: str) -> None:
    page = (ROOT / "site" / "rate" / "index.html").read_text()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert source in policy.split("; ")
    assert "unsafe-inline" not in policy
    assert "'unsafe-eval'" not in policy
