"""The documents about security name tests that exist, and each requirement once."""

from __future__ import annotations

import argparse
import re
import runpy
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
TRUST = ROOT / "bench/trust.py"
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


def test_make_trust_runs_every_test_that_the_threat_model_names() -> None:
    named = {path for path, _ in TEST.findall((ROOT / "docs/security/threat-model.md").read_text())}
    run = {word for part in trust_parts() for command in part.commands for word in command}
    assert sorted(named - run) == []
    assert [word for word in run if word.startswith("tests/") and not (ROOT / word).exists()] == []


def test_the_page_of_trust_has_every_part() -> None:
    """A part that was never run says so: an empty table would read as a run in which nothing failed."""
    page = (ROOT / "docs/trust.md").read_text()
    assert [part.name for part in trust_parts() if f"| {part.name} |" not in page] == []


def test_the_load_writes_while_everything_is_rated_again() -> None:
    """It only read."""
    (load,) = (part for part in trust_parts() if part.name == "load")
    (command,) = load.commands
    assert [Path(command[1]).name, *command[2:]] == ["mixed_load.py", "--clients", "4", "--seconds", "20"]
    assert "reading and writing" in load.shows


def trust_parts() -> Sequence[Any]:
    found = runpy.run_path(str(TRUST))
    sizes = argparse.Namespace(lives=1, rounds=1, every=1, events=1, files=1, mutants=1, clients=4, seconds=20)
    made: Sequence[Any] = found["parts"](sizes)
    return made


def test_each_requirement_of_asvs_is_named_once() -> None:
    found = Counter(re.findall(r"\bV\d+\.\d+\.\d+\b", (ROOT / "docs/security/asvs.md").read_text()))
    assert len(found) > 180
    assert [one for one, times in found.items() if times > 1] == []
