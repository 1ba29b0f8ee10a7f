"""The documents about security name tests that exist, and each requirement once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCS = sorted((ROOT / "docs/security").glob("*.md"))
TEST = re.compile(r"`(tests/[\w/.]+\.py)(?:::(\w+))?`")


@pytest.mark.parametrize("document", DOCS, ids=lambda one: one.name)
def test_every_named_test_exists(document: Path) -> None:
    named = TEST.findall(document.read_text())
    assert named
    missing = [
        (path, name)
        for path, name in named
        if not (ROOT / path).exists() or (name and f"def {name}(" not in (ROOT / path).read_text())
    ]
    assert missing == []


def test_each_requirement_of_asvs_is_named_once() -> None:
    found = Counter(re.findall(r"\bV\d+\.\d+\.\d+\b", (ROOT / "docs/security/asvs.md").read_text()))
    assert len(found) > 180
    assert [one for one, times in found.items() if times > 1] == []
