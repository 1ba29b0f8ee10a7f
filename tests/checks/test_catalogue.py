"""Every code has an example that brings it about and a line in docs/checks.md, which is generated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crosstable.checks.catalogue import check_codes, declared_codes, format_codes, page, raised_codes
from crosstable.cli import main
from crosstable.findings import Code

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "tests" / "events" / "checks"
CODES = [*format_codes(), *check_codes()]
DECLARED = [code for code, _ in declared_codes()]


def example(code: str, folder: Path) -> tuple[Path, list[str]]:
    """The file, and the options that belong to it. What cannot be kept in a repository is written by its recipe."""
    listed = EXAMPLES / f"{code}.list.tsv"
    options = ["--list", str(listed)] if listed.exists() else []
    more = EXAMPLES / f"{code}.options.json"
    options += json.loads(more.read_text()) if more.exists() else []
    recipe = EXAMPLES / f"{code}.recipe.json"
    if recipe.exists():
        path = folder / code
        steps = json.loads(recipe.read_text())
        if steps["write"] is not None:
            path.write_text(steps["write"] * steps["times"])
        return path, options
    (found,) = [path for path in EXAMPLES.glob(f"{code}.*") if path not in (listed, more)]
    return found, options


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_code_has_a_reproducible_example(code: Code, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, options = example(code.name, tmp_path)
    status = main(["check", str(path), "--json", *options])
    findings = json.loads(capsys.readouterr().out)["findings"]
    mine = [finding for finding in findings if finding["code"] == code.name]
    assert mine, findings
    assert all(finding["level"] == code.level for finding in mine)
    assert all(finding["where"] and finding["message"] for finding in mine)
    assert status == (1 if any(finding["level"] == "error" for finding in findings) else 0)


def test_no_example_without_a_code() -> None:
    names = {path.name.split(".")[0] for path in EXAMPLES.iterdir()}
    assert names == {code.name for code in CODES}


def test_codes_are_unique_and_say_what_to_do() -> None:
    names = [code.name for code in (*CODES, *DECLARED)]
    assert len(names) == len(set(names))
    assert all(code.says.endswith((".", "?")) for code in (*CODES, *DECLARED))
    assert all(code.advice for code in CODES if code.name != "line-ignored")


def test_no_code_is_raised_without_a_declaration() -> None:
    """Anywhere in the package: a code that is written on the spot is declared in the same module or another."""
    known = {code.name for code in (*CODES, *DECLARED)}
    assert {code: places for code, places in raised_codes().items() if code not in known and "-" in code} == {}


def test_a_code_raised_without_a_declaration_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / "new.py").write_text(
        'error("never-heard-of", where, "x", "y")\nFinding(level, f"odd-{name}")\n'
    )
    monkeypatch.setattr("crosstable.checks.catalogue.PACKAGE", tmp_path)
    assert raised_codes() == {"never-heard-of": ["systems/new.py"], "odd-*": ["systems/new.py"]}


def test_the_page_is_not_stale() -> None:
    written = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m crosstable.checks.catalogue > docs/checks.md"
