"""The house rules that a tool can check: light imports, lock file, documents, no machine in the tree."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import crosstable
from crosstable.cli import VERBS

ROOT = Path(__file__).parents[1]
HEAVY = {"django", "numba", "polars", "numpy", "scipy", "openpyxl", "lxml", "matplotlib"}


def imported_by(code: str) -> set[str]:
    script = (
        f"import sys\n{code}\nimport json\nprint(json.dumps(sorted({{name.split('.')[0] for name in sys.modules}})))"
    )
    output = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return set(json.loads(output.splitlines()[-1]))


def test_import_crosstable_is_light() -> None:
    assert imported_by("import crosstable") & HEAVY == set()


@pytest.mark.parametrize("options", [[], ["--explain", "30000004"], ["--json"]])
def test_rate_is_light(options: list[str]) -> None:
    arguments = ["rate", "examples/riverside-open.json", *options]
    assert imported_by(f"from crosstable.cli import main\nassert main({arguments!r}) == 0") & HEAVY == set()


def test_the_lock_file_has_hashes_and_no_addresses() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    assert "--hash=sha256:" in lock
    assert "://" not in lock


def test_every_verb_is_documented() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"`{verb}" not in page] == []


def test_every_verb_has_help() -> None:
    for verb in VERBS:
        result = subprocess.run(
            [sys.executable, "-m", "crosstable", verb, "--help"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, (verb, result.stderr)


def test_no_machine_paths_in_the_tree() -> None:
    here = str(ROOT.parent) + "/"
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    for name in files:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".json", ".yml", ".txt", ""} and path.is_file():
            assert here not in path.read_text(encoding="utf-8", errors="replace"), name


def test_the_version_is_the_changelogs() -> None:
    assert f"## {crosstable.__version__}" in (ROOT / "CHANGELOG.md").read_text()
