"""Three tables of published crosstables, read and turned into event documents and packed crosstables."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.model import FORMAT
from crosstable.office.ledger.packing import INT
from crosstable.systems.us_chess.pools import BY_KEY, BY_LETTER, OTB

#: What is read of each table
COLUMNS = {
    "sections": ("section", "start", "end", "event_end", "system", "type", "k", "time_control", "rounds"),
    "entries": (
        "section",
        "number",
        "player",
        *(f"{kind}_{what}" for kind in ("regular", "quick", "blitz") for what in ("pre", "pre_games")),
    ),
    "games": ("section", "round", "number", "opponent", "half_points"),
}
TABLES = tuple(COLUMNS)
#: What an office's own tables have besides: see history.decisions
DECISIONS = "decisions"
KEYS = {letter: keys for letter, keys in BY_LETTER.items() if all(BY_KEY[key].mode == OTB for key in keys)}
KINDS = {"S": "swiss", "R": "round-robin", "M": "match"}
WEIGHTS = {"F": "full", "H": "half", "Q": "quarter"}
_RESULTS = {0: "0-1", 1: "1/2-1/2", 2: "1-0"}
#: Speed before size: a history is millions of games
_COMPRESSION = 1

Tables = Mapping[str, pl.DataFrame]


class HistoryTablesError(CrosstableError):
    """Tables that are missing, cut short, or contradict what the ledger holds."""


def read(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the three tables, checked and in order; `row` is a section's place."""
    found = {}
    for name in TABLES:
        path = folder / f"{name}.parquet"
        try:
            found[name] = pl.read_parquet(path)
        except (OSError, pl.exceptions.PolarsError) as problem:
            advice = "the folder must hold sections.parquet, entries.parquet and games.parquet"
            raise HistoryTablesError(f"{path.name}: {problem}; {advice}") from problem
        if missing := [column for column in COLUMNS[name] if column not in found[name].columns]:
            raise HistoryTablesError(f"{path.name}: no column {', '.join(missing)}")
    return _checked(found)


def _checked(tables: Tables) -> dict[str, pl.DataFrame]:
    """Sections in the tables' own order; entries and games by section, each naming what is there."""
    sections = tables["sections"].with_row_index("row").cast({"row": pl.Int64})
    if not sections["event_end"].is_sorted():
        raise HistoryTablesError("sections.parquet is not in rating order: its rows must stand by event end")
    if unknown := set(sections["system"].unique()) - set(KEYS):
        raise HistoryTablesError(
            f"sections.parquet: unknown system {', '.join(map(str, unknown))}; known: {', '.join(KEYS)}"
        )
    rows = sections.select("section", "row")
    entries = tables["entries"].join(rows, on="section").unique(["row", "number"], keep="first").sort("row", "number")
    seats = entries.select("row", "number")
    games = tables["games"].join(rows, on="section").join(seats, on=["row", "number"], how="semi")
    games = games.join(seats.rename({"number": "opponent"}), on=["row", "opponent"], how="semi")
    games = games.filter(pl.col("half_points").is_in(list(_RESULTS)) & (pl.col("number") != pl.col("opponent")))
    return {"sections": sections, "entries": entries, "games": games.sort("row", "round", "number", "opponent")}


def file_hash(folder: Path) -> str:
    digest = hashlib.sha256()
    for name in (*TABLES, *([DECISIONS] if (folder / f"{DECISIONS}.parquet").is_file() else [])):
        with (folder / f"{name}.parquet").open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def documents(tables: Tables) -> Iterator[bytes]:
    """Yield the event document of each section, compressed. `white` and `black` only name the two sides."""
    player = ('{"number":', pl.col("number"), ',"id":"', pl.col("player"), '"}')
    points = pl.col("half_points").replace_strict(_RESULTS, return_dtype=pl.String)
    game = (
        '{"round":',
        pl.col("round"),
        ',"white":',
        pl.col("number"),
        ',"black":',
        pl.col("opponent"),
        ',"result":"',
        points,
        '"}',
    )
    players, games = _listed(tables, "entries", player), _listed(tables, "games", game)
    for row, head in enumerate(tables["sections"].iter_rows(named=True)):
        start, end = _heading(head)
        text = f'{start}"players":[{players.get(row, "")}],"games":[{games.get(row, "")}]{end}'
        yield zlib.compress(text.encode(), _COMPRESSION)


def _listed(tables: Tables, name: str, parts: tuple[Any, ...]) -> dict[int, str]:
    """JSON rows of each section, joined by commas."""
    text = pl.concat_str([pl.lit(part) if isinstance(part, str) else part for part in parts]).alias("text")
    lines = tables[name].select("row", text).group_by("row").agg(pl.col("text").str.join(","))
    return dict(lines.iter_rows())


def _heading(head: Mapping[str, Any]) -> tuple[str, str]:
    """Return a document around its players and games."""
    section: dict[str, Any] = {
        "number": 1,
        "name": "",
        "start": str(head["start"]),
        "end": str(head["end"]),
        "kind": KINDS.get(head["type"], "other"),
        "weight": WEIGHTS.get(head["k"], "full"),
        "colors": False,
        "notes": {"history": {name: head[name] for name in ("section", "system", "type", "k", "rounds")}},
    }
    if head["time_control"]:
        section["time_control"] = head["time_control"]
    event = {"format": FORMAT, "name": "", "start": str(head["start"]), "end": str(head["event_end"])}
    return f'{json.dumps(event)[:-1]},"sections":[{json.dumps(section)[:-1]},', "}]}"


def packed_entries(tables: Tables, players: Mapping[int, int]) -> Iterator[bytes]:
    entries = tables["entries"]
    rows = entries["player"].replace_strict(players, return_dtype=pl.Int32)
    return _slices(tables, "entries", np.column_stack([entries["number"].to_numpy(), rows.to_numpy()]))


def packed_games(tables: Tables) -> Iterator[bytes]:
    columns = [tables["games"][name].to_numpy() for name in ("round", "number", "opponent", "half_points")]
    return _slices(tables, "games", np.column_stack(columns))


def _slices(tables: Tables, name: str, table: Any) -> Iterator[bytes]:
    counts = np.bincount(tables[name]["row"].to_numpy(), minlength=len(tables["sections"]))
    ends = np.cumsum(counts)
    data = np.ascontiguousarray(table, INT)
    for first, last in zip((ends - counts).tolist(), ends.tolist(), strict=True):
        yield data[first:last].tobytes()
