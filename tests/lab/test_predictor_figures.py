"""The command behind the tables of docs/predictors.md, on a small made-up record."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest

from crosstable.lab.own import games_frame
from crosstable.lab.predictors import predictor
from crosstable.lab.source import read_source
from tests.lab.small import tables, written

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "predictors.md"
TABLES = ("data", "parameters", "terms", "result", "differences", "yardstick", "bias")


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("predictors_bench", ROOT / "bench" / "predictors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_the_command_writes_every_table_of_the_page(bench: ModuleType, tmp_path: Path) -> None:
    """Sections from January 2010 to November 2012: tuned on 2010 and 2011, scored on 2012."""
    record = written(tmp_path / "record", tables(events=150))
    page = tmp_path / "predictors.md"
    page.write_text(re.sub(r"(?:\|.*\|\n)+", "\n", PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    options = ["--page", str(page), "--studies", str(tmp_path / "studies"), "--trials", "2", "--local", "2"]
    source = read_source(str(record))
    trees = tmp_path / "boosted.parquet"
    frame = games_frame(source.games).with_row_index("game").select("game", "white", "black")
    frame.with_columns(expected=pl.Series(predictor("informed")(source))).write_parquet(trees)
    bench.main([str(record), "--boosted", str(trees), *options, "--first", "2010", "--year", "2012", "--samples", "20"])
    text = page.read_text(encoding="utf-8")
    found = dict(re.findall(r"<!-- figures: (\w+) -->\n(.*?)\n<!-- end of figures -->", text, re.DOTALL))
    assert tuple(found) == TABLES
    assert "| of them scored, in 2012 | 1,080 |" in found["data"]  # 45 Saturdays up to 10 November, 24 games each
    lines = found["result"].splitlines()
    assert len(lines) == 2 + len(bench.AS_PRINTED) + len(bench.FOUND) + len(bench.STUDIES) + 1
    assert "| constant | 0.30103 | 0.30103 | 0.69315 |" in found["result"]
    assert "the mark − tempered" in found["differences"]
    assert len(found["terms"].splitlines()) == 2 + sum(1 + len(without) for without in bench.WITHOUT.values())
    assert (
        found["yardstick"].splitlines()[3].endswith("| 100% |")
    )  # here the trees' predictions are those of `informed`
    assert "| the mark | 2011–2011 | 4 |" in found["parameters"]


def test_a_page_without_a_place_is_refused(bench: ModuleType) -> None:
    with pytest.raises(SystemExit, match="no place for the figures 'result'"):
        bench.written("nothing", {"result": "| a |"})
