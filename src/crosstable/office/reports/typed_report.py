"""A typed report: the cells as they stand, and the table that is read from them.

Only one side of a game needs to be typed: W12 in the row of number 3 is L3 in the row of number 12.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crosstable.errors import OfficeError
from crosstable.formats.guarded_tables import Writer

#: What is asked above the table → what a table calls it
FACTS = {
    "event": "Event",
    "city": "City",
    "state": "State",
    "country": "Country",
    "start": "Start",
    "end": "End",
    "affiliate": "Affiliate",
    "chief_td": "Chief TD",
    "section": "Section name",
    "time_control": "Time control",
}
MOST_ROWS, MOST_ROUNDS, LONGEST = 400, 30, 120
_GAME = re.compile(r"([WDLXFZ])\s*(\d{1,3})\s*([WB]?)", re.IGNORECASE)
_OTHER = {"W": "L", "L": "W", "D": "D", "X": "F", "F": "X", "Z": "Z"}
_OTHER_COLOUR = {"W": "B", "B": "W", "": ""}


@dataclass(frozen=True, slots=True)
class Row:
    id: str = ""
    name: str = ""
    rating: str = ""
    cells: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not any((self.id, self.name, self.rating, *self.cells))


@dataclass(frozen=True, slots=True)
class Typed:
    """A section that is typed in."""

    facts: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 4
    rows: tuple[Row, ...] = ()

    @property
    def used(self) -> tuple[Row, ...]:
        """Up to the last row with something in it: the row's place is its number."""
        last = max((place for place, row in enumerate(self.rows, start=1) if not row.empty), default=0)
        return self.rows[:last]


def to_json(typed: Typed) -> dict[str, Any]:
    rows = [[row.id, row.name, row.rating, *row.cells] for row in typed.rows]
    return {"facts": dict(typed.facts), "rounds": typed.rounds, "rows": rows}


def from_json(data: Mapping[str, Any]) -> Typed:
    rows = tuple(Row(row[0], row[1], row[2], tuple(row[3:])) for row in data["rows"])
    return Typed(data["facts"], data["rounds"], rows)


def checked(typed: Typed) -> Typed:
    """As it can be kept: each cell on one line and not too long. Raises OfficeError where there is too much."""
    if len(typed.rows) > MOST_ROWS or not 1 <= typed.rounds <= MOST_ROUNDS:
        raise OfficeError(
            f"a typed report has up to {MOST_ROWS} players and {MOST_ROUNDS} rounds: send a larger one as a file"
        )
    facts = {name: _clean(text) for name, text in typed.facts.items() if name in FACTS}
    rows = tuple(
        Row(_clean(row.id), _clean(row.name), _clean(row.rating), _width(row.cells, typed.rounds)) for row in typed.rows
    )
    return Typed(facts, typed.rounds, rows)


def _width(cells: Sequence[str], rounds: int) -> tuple[str, ...]:
    kept = [_clean(cell).upper() for cell in cells[:rounds]]
    return tuple(kept + [""] * (rounds - len(kept)))


def _clean(text: str) -> str:
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())[:LONGEST]


def completed(typed: Typed) -> Typed:
    """With the other side of each game where its cell is empty."""
    table = [list(row.cells) for row in typed.rows]
    for place, row in enumerate(typed.rows):
        for turn, cell in enumerate(row.cells):
            game = _GAME.fullmatch(cell.strip())
            if game is None or not 1 <= int(game[2]) <= len(table) or int(game[2]) == place + 1:
                continue
            other = table[int(game[2]) - 1]
            if turn < len(other) and not other[turn]:
                other[turn] = f"{_OTHER[game[1].upper()]}{place + 1}{_OTHER_COLOUR[game[3].upper()]}"
    rows = tuple(Row(row.id, row.name, row.rating, tuple(cells)) for row, cells in zip(typed.rows, table, strict=True))
    return Typed(typed.facts, typed.rounds, rows)


def as_table(typed: Typed) -> bytes:
    """Write the table as a file, as any spreadsheet program would, and as the office reads it."""
    out = io.StringIO()
    writer = Writer(out)
    for name, label in FACTS.items():
        if text := typed.facts.get(name, ""):
            writer.row([label, text])
    writer.row(["No.", "Name", "ID", "Rating", *(f"Rnd {turn}" for turn in range(1, typed.rounds + 1))])
    for number, row in enumerate(typed.used, start=1):
        cells = [row.name, row.id, row.rating, *row.cells]
        writer.row([str(number), *cells])
    return out.getvalue().encode()
