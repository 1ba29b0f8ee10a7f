"""A history on disk: sorted Parquet tables with dense numbers, and a manifest that knows their sizes and digests.

A snapshot is a folder. It is written beside its place and moved there whole, so that no one ever reads half of one;
what was cut short, reordered or mixed with another snapshot is refused with the table's name.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.replay.history import ADJUSTMENT, FOREIGN, PLAYER, SECTION, Array, History, HistoryError

FORMAT = "crosstable-snapshot/2"
MANIFEST = "snapshot.json"


class SnapshotError(CrosstableError):
    """A snapshot that cannot be trusted; the message names the table and what is wrong with it."""


def write(history: History, folder: Path) -> None:
    """Write the history as a snapshot; an inconsistent one is refused before anything is written."""
    history.checked()
    folder = Path(folder)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        tables = {}
        for name, frame in _frames(history).items():
            path = fresh / f"{name}.parquet"
            frame.write_parquet(path, compression="zstd", statistics=False)
            tables[name] = {"rows": frame.height, "sha256": _digest(path)}
        manifest = {"format": FORMAT, "games": history.games, "tables": tables}
        (fresh / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
        _move(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def read(folder: Path) -> History:
    """Read the history of a snapshot, or raise SnapshotError."""
    folder = Path(folder)
    tables = _manifest(folder)
    frames = {name: _table(folder, name, tables[name]) for name in tables}
    try:
        return _history(frames).checked(sides=False)  # both sides were compared before it was written
    except (HistoryError, KeyError, pl.exceptions.PolarsError) as error:
        raise SnapshotError(f"{folder}: {error}") from error


def _frames(history: History) -> dict[str, pl.DataFrame]:
    """Return a table per kind of thing; ranges become a column with the owner's number."""
    return {
        "sections": _columns(history.sections),
        "entries": pl.DataFrame(
            {
                "section": _owners(history.entry_start),
                "player": history.entry_player,
                "counts": history.entry_counts,
                **({} if history.entry_facts is None else {"facts": history.entry_facts}),
            }
        ),
        "games": pl.DataFrame(
            {
                "entry": _owners(history.game_start),
                "opponent": history.opponent,
                "half_points": history.half_points,
            }
        ),
        "players": pl.DataFrame({"id": list(history.ids)}).hstack(_columns(history.players)),
        "foreign": _columns(history.foreign),
        "adjustments": _columns(history.adjustments),
    }


TABLES = ("sections", "entries", "games", "players", "foreign", "adjustments")


def _history(frames: Mapping[str, pl.DataFrame]) -> History:
    sections, entries, games, players = (frames[name] for name in TABLES[:4])
    return History(
        sections=_records(sections, SECTION),
        entry_start=_starts("entries", entries["section"].to_numpy(), sections.height),
        entry_player=entries["player"].to_numpy().astype(np.int32),
        entry_counts=entries["counts"].to_numpy().astype(np.bool_),
        game_start=_starts("games", games["entry"].to_numpy(), entries.height),
        opponent=games["opponent"].to_numpy().astype(np.int32),
        half_points=games["half_points"].to_numpy().astype(np.int8),
        players=_records(players.drop("id"), PLAYER),
        ids=players["id"].to_list(),
        foreign=_records(frames["foreign"], FOREIGN),
        adjustments=_records(frames["adjustments"], ADJUSTMENT),
        entry_facts=entries["facts"].to_numpy().astype(np.int16) if "facts" in entries.columns else None,
    )


def _columns(records: Array) -> pl.DataFrame:
    return pl.DataFrame({name: np.ascontiguousarray(records[name]) for name in records.dtype.names or ()})


def _records(frame: pl.DataFrame, dtype: np.dtype[Any]) -> Array:
    if set(frame.columns) != set(dtype.names or ()):
        raise HistoryError(
            f"a table has the columns {', '.join(frame.columns)} instead of {', '.join(dtype.names or ())}"
        )
    records = np.zeros(frame.height, dtype)
    for name in frame.columns:
        if frame[name].null_count():
            raise HistoryError(f"the column {name} has gaps")
        records[name] = frame[name].to_numpy()
    return records


def _owners(starts: Array) -> Array:
    return np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))


def _starts(name: str, owners: Array, count: int) -> Array:
    """Ranges from owners' numbers, which must stand in order."""
    if len(owners) and (owners[0] < 0 or owners[-1] >= count or (np.diff(owners) < 0).any()):
        raise HistoryError(f"the table {name} is out of order")
    return np.searchsorted(owners, np.arange(count + 1)).astype(np.int64)


def _manifest(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        tables: dict[str, dict[str, Any]] = manifest["tables"]
        known = manifest["format"] == FORMAT and sorted(tables) == sorted(TABLES)
    except FileNotFoundError:
        raise SnapshotError(f"{folder} is not a snapshot: it has no {MANIFEST}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SnapshotError(f"{path} cannot be read: {error}") from error
    if not known:
        raise SnapshotError(f"{path} is not a manifest of {FORMAT}")
    return tables


def _table(folder: Path, name: str, expected: Mapping[str, Any]) -> pl.DataFrame:
    path = folder / f"{name}.parquet"
    if not path.is_file():
        raise SnapshotError(f"{path} is missing")
    if _digest(path) != expected["sha256"]:
        raise SnapshotError(
            f"{path} is not the file that the snapshot was written with: truncated, reordered or edited"
        )
    try:
        frame = pl.read_parquet(path)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise SnapshotError(f"{path} cannot be read: {error}") from error
    if frame.height != expected["rows"]:
        raise SnapshotError(f"{path} has {frame.height} rows instead of {expected['rows']}")
    return frame


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _move(fresh: Path, folder: Path) -> None:
    """Put the new folder in its place; an older snapshot there goes only when the new one is complete."""
    os.chmod(fresh, 0o755)  # noqa: S103 - mkdtemp makes it private
    if not folder.exists():
        fresh.rename(folder)
        return
    if not (folder / MANIFEST).is_file():
        raise SnapshotError(f"{folder} already exists and is not a snapshot: nothing written")
    old = fresh.with_name(fresh.name + ".old")
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    shutil.rmtree(old)
