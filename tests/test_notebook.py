"""The notebook of the docs is run, cell by cell, and shows what it says."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOK = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def run_cell(code: str, names: dict[str, Any]) -> Any:
    """Run a cell, and return what its last line shows, as a notebook does."""
    body = ast.parse(code).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "notebook", "exec"), names)  # noqa: S102 - our own notebook
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), "notebook", "eval"), names)  # noqa: S307  as above


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"__name__": "notebook"}
    shown = [run_cell(code, names) for code in CODE]
    games, comparison, chart, own, pairs, inflation = shown
    assert len(games) == 5
    assert len(names["games"]) == 1500
    assert set(comparison["system"]) == {"Elo()", "Elo(k=16)", "Glicko()", "Glicko2()", "UsChess()"}
    assert comparison["deviance"].max() < 0.30103  # every system knows more than a coin
    assert chart.to_dict()["data"]["values"]
    assert set(own["system"]) == {"Elo(k=16)", "Average"}
    assert set(pairs["a"]) | set(pairs["b"]) == {"elo", "glicko", "Average"}
    assert isinstance(inflation, pl.DataFrame)
    printed = capsys.readouterr().out
    assert "p00 wins" in printed
    assert "“K × 1.2”" in printed


def test_the_notebook_holds_no_output() -> None:
    cells = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    assert [cell["outputs"] for cell in cells] == [[]] * len(cells)
