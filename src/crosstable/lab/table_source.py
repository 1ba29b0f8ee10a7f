"""Games from a plain table: `date, white, black, score`, as CSV or Parquet.

More columns may say more: `event` and `round`, `white_rating` and `black_rating` as published before the event, and
`white_games` and `black_games` behind a provisional rating.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from crosstable.errors import CrosstableError
from crosstable.formats.dates import typed_day
from crosstable.lab.cautions import Caution
from crosstable.lab.games import Array, GameRows, LabGames, NoHistory, arranged
from crosstable.lab.record import EPOCH
from crosstable.lab.source import FederationGames, Source
from crosstable.model import PLAYED_RESULTS
from crosstable.replay.history import FULL, NO_POOL, SECTION, History, new_players
from crosstable.systems.us_chess.pools import KEYS, MAIN

REQUIRED = ("date", "white", "black", "score")
#: A result may be written as one
RESULTS = {result: str(points / 2) for result, (points, _) in PLAYED_RESULTS.items()}
#: Columns that hold numbers, where there are any
NUMBERS = ("round", "white_rating", "black_rating", "white_games", "black_games")
#: White scores about 0.54. In a table of so many games in which the player named first has more than this, it is the
#: winner
ENOUGH_GAMES, MOST_FOR_WHITE = 100, 0.6
#: How many mistakes one message lists
SHOWN = 5


class WrongTable(CrosstableError):
    """A table of games that cannot be read; the message lists what is wrong and where."""


def read_table(path: Path, *, colours: bool = True) -> Source:
    """`colours` False: the columns only name the two players, as in a table made of crosstables."""
    try:
        binary = path.suffix.lower() == ".parquet"
        frame = pl.read_parquet(path) if binary else pl.read_csv(path, infer_schema=False)
    except (pl.exceptions.PolarsError, OSError, UnicodeDecodeError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise WrongTable(f"{path.name}: not a table that we can read: {reason}") from error
    return replace(frame_source(frame, path.name, colours=colours), name=str(path))


def frame_source(frame: pl.DataFrame, name: str = "games", *, colours: bool = True) -> Source:
    """Return a source from a data frame with the columns of a table of games."""
    frame = frame.rename({column: column.strip().lower() for column in frame.columns})
    if missing := [column for column in REQUIRED if column not in frame.columns]:
        raise WrongTable(f"{name}: no column {', '.join(missing)}; a table of games has {', '.join(REQUIRED)}")
    if frame.is_empty():
        raise NoHistory(f"{name}: the table holds no games")
    games = _games(frame, name, colours)
    return Source(name, games, MAIN, lambda: federation_of(games), cautions=_cautions(frame, colours))


def _games(frame: pl.DataFrame, name: str, colours: bool) -> LabGames:
    day = _dates(frame["date"])
    score = frame["score"].cast(pl.String).str.strip_chars().replace(RESULTS).cast(pl.Float64, strict=False)
    players = [frame[side].cast(pl.String).str.strip_chars() for side in ("white", "black")]
    _refuse(name, frame, day, score, players)
    event = frame["event"].cast(pl.String) if "event" in frame.columns else day.cast(pl.String)
    rounds = _numbers(frame, "round")
    order = (
        pl.DataFrame({"day": day, "event": event, "round": np.nan_to_num(rounds)})
        .with_row_index("row")
        .with_columns(
            last=pl.col("day").max().over("event"),
            first=pl.col("day").min().over("event"),
            begun=pl.col("row").min().over("event"),
        )
        .sort("last", "begun", "round", "row")
    )
    row = order["row"].to_numpy()
    number = order["begun"].rle_id().to_numpy()
    return arranged(
        GameRows(
            sides=(players[0].to_numpy()[row].astype(str), players[1].to_numpy()[row].astype(str)),
            score=score.to_numpy()[row],
            colour=np.full(len(row), 1 if colours else 0),
            round=order["round"].to_numpy(),
            event=number,
            day=_ordinals(order["last"]),
            start=_ordinals(order["first"]),
            rating=np.stack([_numbers(frame, "white_rating"), _numbers(frame, "black_rating")], axis=1)[row],
            played=np.stack([_numbers(frame, "white_games"), _numbers(frame, "black_games")], axis=1)[row],
        )
    )


def _ordinals(days: pl.Series) -> Array:
    return days.to_numpy().astype("datetime64[D]").astype(np.int64) + EPOCH


def _numbers(frame: pl.DataFrame, name: str) -> Array:
    if name not in frame.columns:
        return np.full(len(frame), np.nan)
    column = frame[name]
    if column.dtype == pl.String:
        column = column.str.strip_chars()
    return column.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()


def _dates(column: pl.Series) -> pl.Series:
    """Return the days of a column, null where there is none. With slashes the month comes first, as for `--from`."""
    if column.dtype in (pl.Date, pl.Datetime):
        return column.cast(pl.Date)
    text = column.cast(pl.String).str.strip_chars()
    found = text.str.to_date("%Y-%m-%d", strict=False)
    other = text.filter(found.is_null() & text.is_not_null()).unique().to_list()
    if not other:
        return found
    known = {cell: _typed(cell) for cell in other}
    return pl.select(pl.coalesce(found, text.replace_strict(known, default=None, return_dtype=pl.Date))).to_series()


def _typed(cell: str) -> date | None:
    """Return a day as people type it;
    one that can only be read with the day before a slash is refused with the others.
    """
    try:
        found = typed_day(cell)
    except ValueError:
        return None
    first = cell.split("/", maxsplit=1)[0].strip()
    return None if "/" in cell and len(first) <= 2 and int(first) != found.month else found


def _refuse(name: str, frame: pl.DataFrame, day: pl.Series, score: pl.Series, players: list[pl.Series]) -> None:
    """Refuse everything that is wrong, each with its line (the heading is line 1)."""
    wrong = [
        ("date", "is not a date such as 2013-05-31 or 5/31/2013", day.is_null()),
        ("date", "is after today", (day > date.today() + timedelta(days=1)).fill_null(value=False)),
        (
            "score",
            "is not a score: write 1, 0.5 or 0, or 1-0, 1/2-1/2, 0-1",
            ~score.fill_null(-1.0).is_in([0.0, 0.5, 1.0]),
        ),
        ("white", "is not a player", players[0].fill_null("") == ""),
        ("black", "is not an opponent", players[1].fill_null("") == ""),
        ("white", "plays against themself", players[0] == players[1]),
        *((column, "is not a number", _unreadable(frame[column])) for column in NUMBERS if column in frame.columns),
        *_twice_in_a_round(frame),
    ]
    found = []
    for column, words, bad in wrong:
        lines = bad.arg_true().to_list()
        found += [f"line {line + 2}: {column} {_wrong(frame[column][line], words)}" for line in lines[:SHOWN]]
        if len(lines) > SHOWN:
            found.append(f"and {len(lines) - SHOWN} more such lines")
    if found:
        raise WrongTable(f"{name}: " + "; ".join(found))


def _unreadable(column: pl.Series) -> pl.Series:
    """Return the cells that hold something else than a number; an empty one is none."""
    text = column.cast(pl.String).str.strip_chars().fill_null("")
    number = text.cast(pl.Float64, strict=False)
    return (text != "") & (number.is_null() | ~number.is_finite().fill_null(value=False))


def _twice_in_a_round(frame: pl.DataFrame) -> Iterator[tuple[str, str, pl.Series]]:
    """Rows that say again what an earlier one says of the same round."""
    if "round" in frame.columns:
        known = pl.col("round").is_not_null()
        yield "white", "has this game on an earlier line too", frame.select(_repeated() & known).to_series()


def _repeated() -> pl.Expr:
    """Whether a row is the same as an earlier one in every column."""
    return ~pl.struct(pl.all()).is_first_distinct()


def _cautions(frame: pl.DataFrame, colours: bool) -> tuple[Caution, ...]:
    """Return what is possible but unlikely in a table."""
    found = []
    mean = frame["score"].cast(pl.String).str.strip_chars().replace(RESULTS).cast(pl.Float64).mean()
    if colours and len(frame) >= ENOUGH_GAMES and isinstance(mean, float) and mean > MOST_FOR_WHITE:
        found.append(Caution("first-named-wins", {"score": mean, "games": len(frame)}))
    again = frame.select(_repeated()).to_series()
    if again.any():
        found.append(Caution("repeated-rows", {"rows": int(again.sum()), "line": int(again.arg_true()[0]) + 2}))
    return tuple(found)


def _wrong(cell: object, words: str) -> str:
    return "is empty" if cell is None or not str(cell).strip() else f"'{cell}' {words}"


def federation_of(games: LabGames, pool: str = MAIN, birth_days: Array | None = None) -> FederationGames:
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
    return FederationGames(history.checked(), events)


def _seats(games: LabGames) -> tuple[Array, Array]:
    """Return every player of every event once: the event's place and the player, in that order."""
    _, place = np.unique(games.event, return_inverse=True)
    keys = np.unique(
        np.concatenate([place * np.int64(games.players) + games.one, place * np.int64(games.players) + games.two])
    )
    return keys // games.players, keys % games.players
