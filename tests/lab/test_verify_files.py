"""`lab verify` at the shell, and the files that it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.verify import verify
from tests.lab.records import UP, Tables, two_at_1500


def test_missing_truncated_and_foreign_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "verify", str(tmp_path), "--json"]) == 1
    assert "sections.parquet" in capsys.readouterr().err
    tables = Tables()
    two_at_1500(tables)
    tables.write(tmp_path)
    whole = (tmp_path / "games.parquet").read_bytes()
    for content in (whole[: len(whole) // 2], b"", b"section,round\n1,1\n"):
        (tmp_path / "games.parquet").write_bytes(content)
        assert main(["lab", "verify", str(tmp_path)]) == 1
        assert "games.parquet" in capsys.readouterr().err


def spoil(tables: Tables, table: str, **change: Any) -> None:
    getattr(tables, table)[0] |= change


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("games", {"section": 77}, "section 77"),
        ("entries", {"section": 77}, "section 77"),
        ("entries", {"number": 2}, "twice"),
        ("games", {"half_points": 3}, "half points"),
        ("sections", {"event_end": None}, "event_end"),
        ("entries", {"player": None}, "player"),
    ],
)
def test_tables_that_contradict_themselves(tmp_path: Path, table: str, change: dict[str, Any], words: str) -> None:
    tables = Tables()
    two_at_1500(tables)
    spoil(tables, table, **change)
    with pytest.raises(CrosstableError, match=words):
        tables.verified(tmp_path)


@pytest.mark.parametrize("table", ["sections", "entries", "games"])
def test_wrong_columns_and_empty_tables(tmp_path: Path, table: str) -> None:
    tables = Tables()
    two_at_1500(tables)
    path = tables.write(tmp_path) / f"{table}.parquet"
    good = pl.read_parquet(path)
    good.clear().write_parquet(path)
    with pytest.raises(CrosstableError, match="empty"):
        verify(tmp_path)
    good.drop("section").write_parquet(path)
    with pytest.raises(CrosstableError, match="no column section"):
        verify(tmp_path)
    good.with_columns(section=pl.lit("one")).write_parquet(path)
    with pytest.raises(CrosstableError, match=table):
        verify(tmp_path)


def test_what_the_command_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables = Tables()
    two_at_1500(tables, winner=UP + 9)
    folder = str(tables.write(tmp_path))
    assert main(["lab", "verify", folder, "--json", "--misses", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["rows"][0]) == ["year", "pool", "class", "decidable", "n", "exact", "within_one", "floored"]
    assert found["totals"]["decidable_standard"] == {"n": 2, "exact": 1, "within_one": 1, "floored": 0}
    assert [miss["difference"] for miss in found["misses"]] == [9]
    assert main(["lab", "verify", folder, "--from", "2012-01-01", "--to", "2012-12-31", "--misses", "5"]) == 0
    assert "unexplained" in capsys.readouterr().out
    assert main(["lab", "verify", folder, "--from", "2013-01-01", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == []
