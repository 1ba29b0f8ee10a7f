"""Games as people have them (a polars or pandas frame, an Arrow table, tuples, events) as arrays in the order of their
dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from crosstable.errors import WrongValue
from crosstable.estimators.columns import from_arrow, from_list, from_values, is_pandas, pandas_columns
from crosstable.formats.base import Reading
from crosstable.model import PLAYED_RESULTS, Event
from crosstable.replay.arrays import Floats, Integers
from crosstable.replay.periods import Periods

EPOCH = date(1970, 1, 1).toordinal()
#: White's score of a result written as text
SCORES: Mapping[str, float] = {
    **{result: points / 2 for result, (points, _) in PLAYED_RESULTS.items()},
    **{"1": 1.0, "1.0": 1.0, "0.5": 0.5, "1/2": 0.5, "½": 0.5, "½-½": 0.5, "0": 0.0, "0.0": 0.0},
}
NO_GAMES = "games: there are no games"
WANTED = "a frame of games, an Arrow table, a mapping of columns, a list of tuples, or events"


@dataclass(frozen=True, slots=True)
class GameColumns:
    """What the columns of a table of games are called. `event`: games of one event and day are rated together."""

    date: str = "date"
    white: str = "white"
    black: str = "black"
    score: str = "score"
    event: str | None = None
    colours: bool = True  # False: white and black only name the two players


@dataclass(frozen=True, slots=True)
class _GivenOrder:
    """Games as a table had them, numbers for players: what is needed to put more games among them."""

    white: Integers
    black: Integers
    score: Floats
    day: Integers | None
    event: pl.Series | None


@dataclass(frozen=True, slots=True)
class FitGames:
    """One row per game, in rating order; players are numbers from 0, and `players` says who they are."""

    players: pl.Series
    white: Integers
    black: Integers
    score: Floats  # White's; NaN where it is not known
    day: Integers  # ordinals; all 1 where the table has no dates
    first: Integers  # games first[p]:first[p + 1] are rated together
    order: Integers  # the row of each game in the table that was given
    dated: bool
    pandas: bool  # the table was a pandas frame: so are the answers
    colours: bool = True  # White is known
    given_order: _GivenOrder | None = None  # None: not from a table

    def up_to(self, period: int) -> FitGames:
        """Return the games before a period; the players keep their numbers."""
        return self._of_periods(0, period)

    def each_period(self) -> Iterable[FitGames]:
        """Yield the games of one period after another."""
        return (self._of_periods(period, period + 1) for period in range(len(self.first) - 1))

    def _of_periods(self, start: int, end: int) -> FitGames:
        rows = slice(int(self.first[start]), int(self.first[end]))
        columns = {name: getattr(self, name)[rows] for name in ("white", "black", "score", "day", "order")}
        return replace(self, first=self.first[start : end + 1] - rows.start, given_order=None, **columns)

    def periods(self) -> Periods:
        return Periods(len(self.players), self.white, self.black, self.score, self.first, self.day[self.first[:-1]])

    def in_given_order(self, values: Floats) -> Floats:
        """Values per game, in the order of the table that was given."""
        found = np.empty_like(values)
        found[self.order] = values
        return found


def read_games(games: Any, columns: GameColumns, *, known: pl.Series | None = None, scored: bool = True) -> FitGames:
    """Return a table of games as arrays.

    `known` players keep their numbers; without `scored` no results are asked for.
    """
    given, pandas = _given(games, columns, scored)
    given = _with_usual_names(given)
    _check_lengths(given)
    white, black = _player_columns(given, columns)
    if scored and not len(white):
        raise WrongValue(NO_GAMES)
    score = _scores(given, columns) if scored else np.full(len(white), np.nan)
    day = _days(given, columns)
    players, numbers = _numbers(white, black, known)
    given_order = _GivenOrder(
        white=numbers[: len(white)], black=numbers[len(white) :], score=score, day=day, event=_events(given, columns)
    )
    return _in_rating_order(players, given_order, pandas, columns.colours)


def joined(games: FitGames, more: FitGames) -> FitGames:
    """Two tables of games as one; `more` was read with the players of `games` known."""
    one, two = games.given_order, more.given_order
    if one is None or two is None:
        raise WrongValue("games: these do not come from a table")
    if games.dated != more.dated:
        raise WrongValue(f"column 'date': the games that were fitted have {'' if games.dated else 'no '}dates")
    both = _GivenOrder(
        white=np.append(one.white, two.white),
        black=np.append(one.black, two.black),
        score=np.append(one.score, two.score),
        day=None if one.day is None or two.day is None else np.append(one.day, two.day),
        event=None if one.event is None or two.event is None else _one_kind(one.event, two.event),
    )
    return _in_rating_order(more.players, both, games.pandas, games.colours)


def _one_kind(one: pl.Series, two: pl.Series) -> pl.Series:
    """Two columns as one; as text where they are of different kinds."""
    return pl.concat([one, two] if one.dtype == two.dtype else [one.cast(pl.String), two.cast(pl.String)])


def _events(given: Mapping[str, pl.Series], columns: GameColumns) -> pl.Series | None:
    """Return the column of events, if one is named; the games of no event are not one event."""
    if columns.event is None:
        return None
    event = _column(given, columns.event)
    empty = event.is_null() | event.is_nan() if event.dtype.is_float() else event.is_null()
    _refuse(empty.to_numpy(), columns.event, "is empty", event)
    return event


def _in_rating_order(players: pl.Series, given: _GivenOrder, pandas: bool, colours: bool) -> FitGames:
    """Days in order, and inside a day the events; without dates the games as they stand."""
    count, day = len(given.white), given.day
    mark = day if day is not None else np.arange(count, dtype=np.int64)
    if given.event is not None:
        mark = pl.struct(pl.Series("day", mark), given.event, eager=True).rank("dense").to_numpy()
    order = np.argsort(mark, kind="stable")
    starts = np.flatnonzero(np.diff(mark[order], prepend=-1)) if len(order) else np.empty(0, np.int64)
    return FitGames(
        players=players,
        white=given.white[order],
        black=given.black[order],
        score=given.score[order],
        day=np.ones(len(order), np.int64) if day is None else day[order],
        first=np.append(starts, len(order)).astype(np.int64),
        order=order,
        dated=day is not None,
        pandas=pandas,
        colours=colours,
        given_order=given,
    )


def table_in_order(games: Any, columns: GameColumns, table: FitGames) -> pl.DataFrame:
    """Everything that a table of games holds, in rating order, with our names for date, white, black, score and
    event.
    """
    given, _ = _given(games, columns, scored=True)
    ours = {getattr(columns, name): name for name in ("date", "white", "black", "score", "event")}
    frame = pl.DataFrame({ours.get(name, name): column for name, column in _with_usual_names(given).items()})
    days = {"date": pl.Series(table.day - EPOCH).cast(pl.Int32).cast(pl.Date)} if table.dated else {}
    sides = {"white": table.players[table.white], "black": table.players[table.black]}
    return frame[table.order].with_columns(**days, **sides, score=pl.Series(table.score))


def _given(games: Any, columns: GameColumns, scored: bool) -> tuple[Mapping[str, pl.Series], bool]:
    """Return the columns that there are, and whether they came in a pandas frame."""
    games = from_arrow(games.collect() if isinstance(games, pl.LazyFrame) else games)
    if isinstance(games, pl.DataFrame):
        return {name: from_values(name, games[name]) for name in games.columns}, False
    if is_pandas(games):
        return pandas_columns(games), True
    if isinstance(games, Mapping):
        return {name: from_values(name, values) for name, values in games.items()}, False
    if isinstance(games, Event | Reading):
        games = [games]
    if isinstance(games, str | Path):
        raise WrongValue(f"games: expected {WANTED}, found {str(games)!r}. Read the file first: polars.read_csv(…)")
    if not isinstance(games, Iterable):
        raise WrongValue(f"games: expected {WANTED}, found {games!r}")
    rows = [row.event if isinstance(row, Reading) else row for row in games]
    if rows and all(isinstance(row, Event) for row in rows):
        rows = list(games_of(rows))
    if not rows:
        raise WrongValue(NO_GAMES)
    return _from_rows(rows, columns, scored), False


def _with_usual_names(given: Mapping[str, pl.Series]) -> Mapping[str, pl.Series]:
    """`Date`, `White`, `Black`, `Result`: the usual names in any letters, where the table has no column of that
    name.
    """
    usual = {"date": "date", "white": "white", "black": "black", "score": "score", "result": "score"}
    found = {usual[name.lower()]: column for name, column in given.items() if name.lower() in usual}
    return {**found, **given}


def _check_lengths(given: Mapping[str, pl.Series]) -> None:
    """Check that all columns have one length: those of a mapping may differ."""
    if len({len(column) for column in given.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(column):,}" for name, column in given.items())
        raise WrongValue(f"games: expected columns of one length, found {lengths}")


def _from_rows(rows: list[Any], columns: GameColumns, scored: bool) -> Mapping[str, pl.Series]:
    """Tuples as columns: (date, white, black, score), without dates (white, black, score); to predict, without
    scores.
    """
    names = [columns.date, columns.white, columns.black, columns.score]
    width = len(rows[0]) if _is_row(rows[0]) else 0
    if not scored and width < len(names):
        names.pop()
    if width not in (len(names), len(names) - 1) or any(not _is_row(row) or len(row) != width for row in rows):
        raise WrongValue(f"games: expected tuples of ({', '.join(names)}), or without {names[0]}")
    names = names[len(names) - width :]
    return {name: from_list(name, [row[place] for row in rows]) for place, name in enumerate(names)}


def _is_row(row: Any) -> bool:
    return hasattr(row, "__len__") and not isinstance(row, str | Mapping)


def games_of(events: Iterable[Event]) -> Iterable[tuple[date, str, str, float]]:
    """Yield the played games of events as (date, white, black, score); the date is the section's last day."""
    for event in events:
        for section in event.sections:
            day = section.end or event.end
            if day is None:
                raise WrongValue(f"event '{event.name}', section {section.number}: the end date is missing")
            where = event.name if len(event.sections) == 1 else f"{event.name}, section {section.number}"
            ids = {player.number: player.id or f"{where}#{player.number}" for player in section.players}
            for game in sorted(section.games, key=lambda game: game.round):
                if game.played:
                    yield day, ids[game.white], ids[game.black], PLAYED_RESULTS[game.result][0] / 2


def _column(given: Mapping[str, pl.Series], name: str) -> pl.Series:
    if name not in given:
        raise WrongValue(f"no column '{name}': there are {', '.join(given)}. Say which it is, as in white='w'")
    return given[name]


def _player_columns(given: Mapping[str, pl.Series], columns: GameColumns) -> tuple[pl.Series, pl.Series]:
    white, black = (_ids(_column(given, name), name) for name in (columns.white, columns.black))
    if white.dtype != black.dtype:
        white, black = white.cast(pl.String), black.cast(pl.String)
    _refuse((white == black).to_numpy(), columns.white, "plays themself", white)
    return white, black


def _ids(column: pl.Series, name: str) -> pl.Series:
    """Who plays, as whole numbers or text: 1.0, which an empty cell makes of 1, is 1. An empty cell is no player."""
    if column.dtype.is_float():
        _refuse((column.is_null() | column.is_nan()).to_numpy(), name, "is empty", column)
        _refuse((column != column.round()).to_numpy(), name, "is not a whole number", column)
    whole = column.cast(pl.Int64, strict=False) if column.dtype.is_integer() or column.dtype.is_float() else None
    if whole is not None and whole.null_count() == column.null_count():
        _refuse(whole.is_null().to_numpy(), name, "is empty", column)
        return whole
    text = column.cast(pl.String)
    _refuse((text.is_null() | (text.str.strip_chars() == "")).to_numpy(), name, "is empty", column)
    return text


def _scores(given: Mapping[str, pl.Series], columns: GameColumns) -> Floats:
    column = _column(given, columns.score)
    if column.dtype == pl.String:
        found = column.replace_strict(SCORES, default=None, return_dtype=pl.Float64).to_numpy()
    else:
        found = column.cast(pl.Float64, strict=False).to_numpy()
    _refuse(~np.isin(found, (0.0, 0.5, 1.0)), columns.score, "is not 1, 0.5 or 0", column)
    return np.ascontiguousarray(found, dtype=np.float64)


def _days(given: Mapping[str, pl.Series], columns: GameColumns) -> Integers | None:
    """Return the games' days as ordinals; None where the table has none."""
    if columns.date not in given:
        if columns.date != GameColumns().date:
            _column(given, columns.date)
        return None
    column = given[columns.date]
    if column.dtype == pl.String:
        days = column.str.to_date("%Y-%m-%d", strict=False)
    elif isinstance(column.dtype, pl.Date | pl.Datetime):
        days = column.dt.replace_time_zone(None).cast(pl.Date) if column.dtype == pl.Datetime else column
    else:
        raise WrongValue(f"column '{columns.date}': expected dates, found {column.dtype}. Write them as YYYY-MM-DD")
    _refuse(days.is_null().to_numpy(), columns.date, "is not a date YYYY-MM-DD", column)
    return days.to_physical().to_numpy().astype(np.int64) + EPOCH


def _refuse(wrong: Any, name: str, what: str, column: pl.Series) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        more = f" ({int(wrong.sum()):,} rows in all)" if wrong.sum() > 1 else ""
        raise WrongValue(f"column '{name}', row {row}: {column[row]!r} {what}{more}")


def _as_known(sides: pl.Series, known: pl.Series) -> pl.Series:
    """Ids of the kind that the fit had: text for text, numbers for numbers."""
    found = sides.cast(known.dtype, strict=False)
    if found.null_count():
        strange = sides.filter(found.is_null())[0]
        raise WrongValue(f"players: the games that were fitted have numbers for players, found {strange!r}")
    return found


def _numbers(white: pl.Series, black: pl.Series, known: pl.Series | None) -> tuple[pl.Series, Integers]:
    """Return each player once, known players first, and the numbers of the whites and then of the blacks."""
    sides = pl.concat([white.rename("player"), black.rename("player")])
    if known is None:
        players = sides.unique().sort()
    else:
        sides = _as_known(sides, known)
        new = sides.unique().sort()
        players = pl.concat([known, new.filter(~new.is_in(known.implode()))])
    index = pl.DataFrame({"player": players, "number": np.arange(len(players), dtype=np.int64)})
    numbers = pl.DataFrame({"player": sides}).join(index, on="player", how="left", maintain_order="left")
    return players, numbers["number"].to_numpy()
