"""Snapshots: what is read is what was written; what was cut, reordered or mixed is refused, and nothing is half
written.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from crosstable.replay import snapshot
from crosstable.replay.history import History, HistoryError
from crosstable.replay.us_chess import replay
from tests.replay.small import small_history


@pytest.fixture(scope="module")
def history() -> History:
    return small_history(2, 80, 40)


@pytest.fixture
def folder(history: History, tmp_path: Path) -> Path:
    snapshot.write(history, tmp_path / "snap")
    return tmp_path / "snap"


def test_what_is_read_is_what_was_written(history: History, folder: Path) -> None:
    again = snapshot.read(folder)
    for field in fields(History):
        one, other = getattr(history, field.name), getattr(again, field.name)
        if field.name == "ids":
            assert list(one) == list(other)
        elif one is None:
            assert other is None
        else:
            assert (one.dtype, one.tolist()) == (other.dtype, other.tolist()) or _same_with_nan(one, other)
    assert replay(again).rows.tobytes() == replay(history).rows.tobytes()


def _same_with_nan(one: np.ndarray, other: np.ndarray) -> bool:
    return all(np.array_equal(one[name], other[name], equal_nan=True) for name in one.dtype.names or ())


@pytest.mark.parametrize("table", snapshot.TABLES)
def test_a_truncated_table_is_refused(folder: Path, table: str) -> None:
    path = folder / f"{table}.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(snapshot.SnapshotError, match=f"{table}.parquet"):
        snapshot.read(folder)


def test_reordered_rows_are_refused(folder: Path) -> None:
    path = folder / "games.parquet"
    pl.read_parquet(path).reverse().write_parquet(path)
    with pytest.raises(snapshot.SnapshotError, match=r"games.parquet .* reordered"):
        snapshot.read(folder)


def test_reordered_rows_are_refused_even_with_a_new_digest(folder: Path) -> None:
    path = folder / "entries.parquet"
    pl.read_parquet(path).reverse().write_parquet(path)
    _digest_again(folder, "entries")
    with pytest.raises(snapshot.SnapshotError, match="entries is out of order"):
        snapshot.read(folder)


def test_tables_that_contradict_each_other_are_refused(folder: Path) -> None:
    path = folder / "players.parquet"
    pl.read_parquet(path).head(3).write_parquet(path)
    _digest_again(folder, "players")
    with pytest.raises(snapshot.SnapshotError, match="player who is not there"):
        snapshot.read(folder)


def test_a_missing_column_is_refused(folder: Path) -> None:
    path = folder / "sections.parquet"
    pl.read_parquet(path).drop("kind").write_parquet(path)
    _digest_again(folder, "sections")
    with pytest.raises(snapshot.SnapshotError, match="columns"):
        snapshot.read(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "other", "tables": {}}'])
def test_a_broken_manifest_is_refused(folder: Path, text: str) -> None:
    (folder / snapshot.MANIFEST).write_text(text)
    with pytest.raises(snapshot.SnapshotError, match=snapshot.MANIFEST):
        snapshot.read(folder)


def test_a_missing_table_and_a_folder_that_is_no_snapshot_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "foreign.parquet").unlink()
    with pytest.raises(snapshot.SnapshotError, match=r"foreign\.parquet is missing"):
        snapshot.read(folder)
    with pytest.raises(snapshot.SnapshotError, match="not a snapshot"):
        snapshot.read(tmp_path)


def test_an_inconsistent_history_writes_nothing(history: History, tmp_path: Path) -> None:
    with pytest.raises(HistoryError):
        snapshot.write(replace(history, half_points=history.half_points[:-1]), tmp_path / "snap")
    assert list(tmp_path.iterdir()) == []


def test_a_failing_write_leaves_the_old_snapshot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full_disk(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full_disk)
    with pytest.raises(OSError, match="No space"):
        snapshot.write(small_history(3, 20, 20), folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == ["snap"]


def test_a_snapshot_replaces_a_snapshot_but_nothing_else(folder: Path, tmp_path: Path) -> None:
    snapshot.write(small_history(3, 20, 20), folder)
    assert len(snapshot.read(folder).sections) == 20
    other = tmp_path / "letters"
    other.mkdir()
    (other / "dear.txt").write_text("x")
    with pytest.raises(snapshot.SnapshotError, match="nothing written"):
        snapshot.write(small_history(3, 20, 20), other)
    assert [path.name for path in other.iterdir()] == ["dear.txt"]


def _digest_again(folder: Path, table: str) -> None:
    manifest = json.loads((folder / snapshot.MANIFEST).read_text())
    path = folder / f"{table}.parquet"
    manifest["tables"][table] = {"rows": pl.read_parquet(path).height, "sha256": snapshot._digest(path)}
    (folder / snapshot.MANIFEST).write_text(json.dumps(manifest))
