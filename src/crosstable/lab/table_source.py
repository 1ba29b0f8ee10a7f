"""Games from a plain table: `date, white, black, score`, as CSV or Parquet.

More columns may say more: `event` and `round`, `white_rating` and `black_rating` as published before the event, and
`white_games` and `black_games` behind a provisional rating.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.lab.games import Array, Games, NoHistory, arranged
from crosstable.lab.record import EPOCH
from crosstable.lab.source import Federation, Source
from crosstable.model import PLAYED_RESULTS
from crosstable.replay.history import FULL, NO_POOL, SECTION, History, new_players
from crosstable.systems.us_chess.pools import KEYS, MAIN

REQUIRED = ("date", "white", "black", "score")
#: A result may be written as one
RESULTS = {result: str(points / 2) for result, (points, _) in PLAYED_RESULTS.items()}
#: How many mistakes one message lists
SHOWN = 5


class WrongTable(CrosstableError):
    """A table of games that cannot be read; the message lists what is wrong and where."""


def read_table(path: Path, *, colours: bool = True) -> Source:
    """`colours` False: the columns only name the two players, as in a table made of crosstables."""
    games = _games(_frame(path), path.name, colours)
    return Source(str(path), games, MAIN, lambda: federation_of(games))


def _frame(path: Path) -> pl.DataFrame:
    try:
        binary = path.suffix.lower() == ".parquet"
        frame = pl.read_parquet(path) if binary else pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise WrongTable(f"{path.name}: not a table that we can read: {reason}") from error
    frame = frame.rename({name: name.strip().lower() for name in frame.columns})
    if missing := [name for name in REQUIRED if name not in frame.columns]:
        raise WrongTable(f"{path.name}: no column {', '.join(missing)}; a table of games has {', '.join(REQUIRED)}")
    if frame.is_empty():
        raise NoHistory(f"{path.name}: the table holds no games")
    return frame


def _games(frame: pl.DataFrame, name: str, colours: bool) -> Games:
    day = frame["date"] if frame.schema["date"] == pl.Date else frame["date"].cast(pl.String).str.to_date(strict=False)
    score = frame["score"].cast(pl.String).str.strip_chars().replace(RESULTS).cast(pl.Float64, strict=False)
    players = [frame[side].cast(pl.String).str.strip_chars() for side in ("white", "black")]
    _refuse(name, frame, day, score, players)
    event = frame["event"].cast(pl.String) if "event" in frame.columns else day.cast(pl.String)
    rounds = _numbers(frame, "round")
    order = (
        pl.DataFrame({"day": day, "event": event, "round": np.nan_to_num(rounds)})
        .with_row_index("row")
        .with_columns(last=pl.col("day").max().over("event"), begun=pl.col("row").min().over("event"))
        .sort("last", "begun", "round", "row")
    )
    row = order["row"].to_numpy()
    number = order["begun"].rle_id().to_numpy()
    return arranged(
        sides=(players[0].to_numpy()[row].astype(str), players[1].to_numpy()[row].astype(str)),
        score=score.to_numpy()[row],
        colour=np.full(len(row), 1 if colours else 0),
        round=order["round"].to_numpy(),
        event=number,
        day=order["last"].to_numpy().astype("datetime64[D]").astype(np.int64) + EPOCH,
        rating=np.stack([_numbers(frame, "white_rating"), _numbers(frame, "black_rating")], axis=1)[row],
        played=np.stack([_numbers(frame, "white_games"), _numbers(frame, "black_games")], axis=1)[row],
    )


def _numbers(frame: pl.DataFrame, name: str) -> Array:
    if name not in frame.columns:
        return np.full(len(frame), np.nan)
    return frame[name].cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()


def _refuse(name: str, frame: pl.DataFrame, day: pl.Series, score: pl.Series, players: list[pl.Series]) -> None:
    """Everything that is wrong, with its line (the heading is line 1)."""
    wrong = {
        "is not a date such as 2013-05-31": ("date", day.is_null()),
        "is no score: 1, 0.5 or 0 can be, or 1-0, 1/2-1/2, 0-1": (
            "score",
            ~score.fill_null(-1.0).is_in([0.0, 0.5, 1.0]),
        ),
        "is no player": ("white", players[0].fill_null("") == ""),
        "is no opponent": ("black", players[1].fill_null("") == ""),
        "plays against themself": ("white", players[0] == players[1]),
    }
    found = []
    for words, (column, bad) in wrong.items():
        lines = bad.arg_true().to_list()
        found += [f"line {line + 2}: {column} {_wrong(frame[column][line], words)}" for line in lines[:SHOWN]]
        if len(lines) > SHOWN:
            found.append(f"and {len(lines) - SHOWN} more such lines")
    if found:
        raise WrongTable(f"{name}: " + "; ".join(found))


def _wrong(cell: object, words: str) -> str:
    return "is empty" if cell is None or not str(cell).strip() else f"'{cell}' {words}"


def federation_of(games: Games, pool: str = MAIN, birth_days: Array | None = None) -> Federation:
    """Games as sections that the US Chess rules can rate: each event is one Swiss section on its last day.

    `birth_days`, where they are known, are one ordinal per player; first ratings go by age.
    """
    players = new_players(games.players)
    if birth_days is not None:
        players["birth_day"] = birth_days
    number, player = _seats(games)
    events, place = np.unique(games.event, return_inverse=True)
    entry_start = np.searchsorted(number, np.arange(len(events) + 1))
    key = number * np.int64(games.players) + player
    one, two = (np.searchsorted(key, place * np.int64(games.players) + side) for side in (games.one, games.two))
    entry = np.concatenate([one, two])
    other = np.concatenate([two, one])
    half_points = np.concatenate([2 * games.score, 2 - 2 * games.score]).astype(np.int8)
    order = np.argsort(entry, kind="stable")
    sections = np.zeros(len(events), SECTION)
    last = games.day[np.searchsorted(games.event, events)]
    sections["start_day"] = sections["end_day"] = sections["event_end_day"] = last
    sections["first"], sections["second"], sections["weight"] = KEYS.index(pool), NO_POOL, FULL
    history = History(
        sections=sections,
        entry_start=entry_start.astype(np.int64),
        entry_player=player.astype(np.int32),
        entry_counts=np.zeros(len(player), np.bool_),
        game_start=np.searchsorted(entry[order], np.arange(len(player) + 1)).astype(np.int64),
        opponent=(other - entry_start[number[other]])[order].astype(np.int32),
        half_points=half_points[order],
        players=players,
        ids=games.ids.tolist(),
    )
    return Federation(history.checked(), events)


def _seats(games: Games) -> tuple[Array, Array]:
    """Everybody of every event once: the event's place and the player, in that order."""
    _, place = np.unique(games.event, return_inverse=True)
    keys = np.unique(
        np.concatenate([place * np.int64(games.players) + games.one, place * np.int64(games.players) + games.two])
    )
    return keys // games.players, keys % games.players
