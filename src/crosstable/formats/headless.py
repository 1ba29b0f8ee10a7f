"""A table without a head: its columns are named by what stands in them, where that allows only one reading.

1,Grace Whitfield,30000001,1850,W4,D2        is No., Name, ID, Rating, Rnd 1, Rnd 2
1,Grace Whitfield,Maya Lindqvist,1-0         is Round, White, Black, Result
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, games, grid, limits, table_cells, tables
from crosstable.formats.base import Reading
from crosstable.formats.game_results import result_of
from crosstable.formats.registry import Content, Format
from crosstable.formats.table_blocks import Grid
from crosstable.model import Finding, Place

NAME = "headless-table"
_MARKS = ("\t", ";", "|", ",")
_LINES_LOOKED_AT = 400
_SCORE = re.compile(r"[012½=.5/\s]+[-:][012½=.5/\s]+")
_RATED = re.compile(r"[1-9]\d{2,3}(?:\s?[P/]\s?\d{0,3})?", re.IGNORECASE)
_POINTS = re.compile(r"\d{1,2}(?:[.,]\d|\s?½)?|½")


def head_of(rows: Grid) -> list[str] | None:
    """Titles for the columns of a table of players or of games. None if there is another reading, or none."""
    if len(rows) < 2 or any(len(row) < 3 for row in rows):
        return None
    width = max(map(len, rows))
    columns = [[encoding.clean(row[at]) if at < len(row) else "" for row in rows] for at in range(width)]
    return _of_games(columns) or _of_players(columns)


def _of_players(columns: Sequence[list[str]]) -> list[str] | None:
    """No., Name, ID, Rating, the rounds side by side, and the total behind them."""
    titles = [f"column {place}" for place in range(1, len(columns) + 1)]
    cells = [place for place, column in enumerate(columns) if _has_games(column)]
    rounds = list(range(cells[0], cells[-1] + 1)) if cells else []
    if not rounds or not all(_are_cells(columns[place]) for place in rounds):
        return None
    before = [place for place in range(len(columns)) if place not in rounds]
    numbers = [at for at in before if columns[at] == [str(one) for one in range(1, len(columns[at]) + 1)]]
    names, ratings, ids = (_only(columns, before, fits) for fits in (_are_names, _are_ratings, _are_ids))
    if names is None or ratings is None or ids is None or len(names) != 1:
        return None
    for title, places in (("No.", numbers[:1]), ("Name", names), ("Rating", ratings), ("ID", ids)):
        for place in places:
            titles[place] = title
    for turn, place in enumerate(rounds, start=1):
        titles[place] = f"Rnd {turn}"
    behind = rounds[-1] + 1
    if behind < len(columns) and all(_POINTS.fullmatch(cell) for cell in columns[behind]):
        titles[behind] = "Total"
    return titles


def _of_games(columns: Sequence[list[str]]) -> list[str] | None:
    """White, Black and Result, in that order or with the result between them; a number before them is the round's if it
    stays the same for several games and never goes back."""
    everything = range(len(columns))
    results = [at for at in everything if all(_SCORE.fullmatch(cell) and result_of(cell)[0] for cell in columns[at])]
    names = [at for at in everything if _are_names(columns[at], several=True)]
    if len(results) != 1 or len(names) != 2:
        return None
    titles = [f"column {place}" for place in range(1, len(columns) + 1)]
    for place, title in ((names[0], "White"), (names[1], "Black"), (results[0], "Result")):
        titles[place] = title
    if names[0] > 0 and all(re.fullmatch(r"\d{1,2}", cell) for cell in columns[0]):
        turns = [int(cell) for cell in columns[0]]
        if turns == sorted(turns) and len(set(turns)) < len(turns):
            titles[0] = "Round"
    return titles


def _only(columns: Sequence[list[str]], places: Sequence[int], fits: Callable[[list[str]], bool]) -> list[int] | None:
    """Return the one column that fits, or no column; None if there are two."""
    found = [place for place in places if fits(columns[place])]
    return found if len(found) < 2 else None


def _are_cells(column: Sequence[str]) -> bool:
    style = table_cells.style_of(column, {})
    return all(table_cells.is_cell(cell, style) for cell in column)


def _has_games(column: Sequence[str]) -> bool:
    """Cells with a letter or a sign and an opponent: `W12`, `+12`, `12w1`; plain numbers say nothing."""
    style = table_cells.style_of(column, {})
    return _are_cells(column) and any(
        not re.fullmatch(r"[\d.,½/\s-]*", cell) and (found := table_cells.cell_of(cell, style)) and found.opponent
        for cell in column
    )


def _are_names(column: Sequence[str], *, several: bool = False) -> bool:
    """First and last names, everybody's another; in a list of games they come back."""
    people = all(re.search(r"[^\W\d_]{2}", cell) and re.search(r"\S[\s,]+\S", cell) for cell in column)
    return people and (several or len(set(column)) == len(column))


def _are_ratings(column: Sequence[str]) -> bool:
    return any(_RATED.fullmatch(cell) for cell in column) and all(
        _RATED.fullmatch(cell) or (not re.search(r"\d", cell) and _is_unrated(cell)) for cell in column
    )


def _is_unrated(cell: str) -> bool:
    try:
        return table_cells.rating_of(cell) == (None, False)
    except ValueError:
        return False


def _are_ids(column: Sequence[str]) -> bool:
    return any(column) and all(not cell or re.fullmatch(r"\d{8}", cell) for cell in column)


def _tables(text: str) -> Iterator[Grid]:
    """Yield the text's lines as cells, by each mark that could hold them apart."""
    lines = [line[: limits.LINE_CHARACTERS] for line in re.split(r"\r\n|\r|\n", text)]
    for mark in _MARKS:
        if sum(mark in line for line in lines[:_LINES_LOOKED_AT]) > 1:
            yield [[tables.unquoted(cell) for cell in tables.split_line(line, mark)[0]] for line in lines]
    yield [re.split(r"\s{2,}", line.strip()) if line.strip() else [] for line in lines]


def _found(text: str) -> tuple[int, list[str], Grid] | None:
    """Where the table begins, the titles of its columns, and all rows."""
    for rows in _tables(text):
        first = next((at for at, row in enumerate(rows) if len(row) > 2), len(rows))
        end = next((at for at in range(first, len(rows)) if not any(map(str.strip, rows[at]))), len(rows))
        if head := head_of(rows[first:end]):
            return first, head, rows
    return None


def _read(content: Content) -> Reading:
    text = encoding.decode(content.data)
    findings = list(text.findings)
    limits.check_count("lines", text.text.count("\n") + text.text.count("\r"), limits.LINES)
    found = _found(text.text)
    if found is None:  # its beginning looked like one
        raise EventRejected([*findings, codes.MISSING_COLUMN.at("file", "no row names the columns")])
    first, head, rows = found
    limits.check_count("columns", max(map(len, rows)), limits.ROUNDS + 50)
    findings.append(
        codes.HEAD_GUESSED.at(Place(row=first + 1), f"no line names the columns; read as {', '.join(head)}")
    )
    if "White" in head:
        numbered = list(enumerate(rows, start=1))
        event = games.event_of_rows([*numbered[:first], (first, head), *numbered[first:]], findings)
        return Reading(NAME, event, tuple(findings))
    own: list[Finding] = []
    event = grid.event_of([("table", [*rows[:first], head, *rows[first:]])], own)
    findings += [replace(finding, place=_without_head(finding.place, first)) for finding in own]
    return Reading(NAME, event, tuple(findings))


def _without_head(where: Place, first: int) -> Place:
    """Return a place in the table as the file counts its rows."""
    return where if where.row is None else where.at(row=where.row - (where.row > first + 1))


def _looks_like(content: Content) -> bool:
    return bool(content.text) and _found(content.text) is not None


FORMATS = (Format(NAME, "table without a head", (), _looks_like, _read, marks_provisional=True),)
