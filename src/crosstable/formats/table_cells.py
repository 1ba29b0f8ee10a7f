"""The cells of a table as people type them: results of rounds, ratings, and the points of an all-play-all grid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from crosstable.formats.crosstable import Cell
from crosstable.model import Rating

_LETTERS = {"W": "W", "WIN": "W", "WON": "W", "D": "D", "DRAW": "D", "L": "L", "LOSS": "L", "LOST": "L", "X": "X", "F": "F", "Z": "Z"}  # fmt: skip
_CELL = re.compile(r"(WIN|WON|DRAW|LOSS|LOST|[WDLXFZ])[\s:/#-]*(\d{1,4})\s*\(?([wb]?)\)?", re.IGNORECASE)
#: `+5`, `=7b`, `-3`: European tables.
_SIGN_CELL = re.compile(r"([+=-])\s*(\d{1,4})\s*\(?([wb]?)\)?", re.IGNORECASE)
_CLEAR_SIGN = re.compile(r"[+=]\s*\d{1,4}\s*\(?[wb]?\)?|-\s*(?:[2-9]|\d{2,4})\s*\(?[wb]?\)?", re.IGNORECASE)
_SIGNS = {"+": "W", "=": "D", "-": "L"}
#: chess-results.com: opponent, colour, points; `+` and `-` for forfeits; a dash and points where nobody was met.
_POINTS_CELL = re.compile(r"(\d{1,4})\s*([wb])\s*([10½=+-])", re.IGNORECASE)
_OUTCOMES = {"1": "W", "0": "L", "½": "D", "=": "D", "+": "X", "-": "F"}
_BYES = {
    "-1": "B", "-½": "H", "-0": "U", "-+": "X", "--": "U",
    "b": "B", "bye": "B", "fpb": "B", "full": "B", "h": "H", "hpb": "H", "half": "H", "½": "H", "1/2": "H", "=": "H",
    "u": "U", "zpb": "U", "z0": "U", "0": "U", "": "U", "x": "X", "f": "F", "z": "Z", "p": "P", "b0": "B", "h0": "H",
    "u0": "U", "x0": "X", "f0": "F", "none": "U", "wd": "U", "full bye": "B", "half bye": "H", "1/2 bye": "H",
    "½ bye": "H", "bye 1/2": "H", "bye ½": "H", "zero bye": "U", "bye 0": "U", "0 bye": "U", "withdrew": "U", "out": "U",
}  # fmt: skip
_UNRATED = ("UNR", "UNRATED", "NEW", "NONE", "NA", "N/A", "NULL")
_RATING = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,17})?)\*?\s?(P|[P/]\s?([0-9]{1,3}))?\*?")
#: The points in a cell of an all-play-all grid.
_POINTS = {"1": "W", "1.0": "W", "0": "L", "0.0": "L", "½": "D", "0.5": "D", ".5": "D", "1/2": "D", "=": "D", "w": "W", "l": "L", "d": "D"}  # fmt: skip
_DIAGONAL = ("", "x", "xx", "xxx", "*", "**", "***", "-", "--", "---", "—", "■", "█", "#", "n/a")


def uses_signs(texts: Iterable[str]) -> bool:
    """Whether a table writes wins, draws and losses as +2, =3, -4: then -1 is a loss, not chess-results.com's bye."""
    return any(_CLEAR_SIGN.fullmatch(text) for text in texts)


def cell_of(text: str, *, signs: bool = False) -> Cell | None:
    """`W12`, `W 12`, `L93b`, `+12`, `12w1`, `-H-`, `BYE`. Raises ValueError if it is none of these."""
    sign = _SIGN_CELL.fullmatch(text) if signs else None
    if sign and int(sign[2]):
        return Cell(_SIGNS[sign[1]], int(sign[2]), sign[3].lower())
    match = _CELL.fullmatch(text)
    if match and int(match[2]):
        return Cell(_LETTERS[match[1].upper()], int(match[2]), match[3].lower())
    points = _POINTS_CELL.fullmatch(text)
    if points and int(points[1]):
        return Cell(_OUTCOMES[points[3]], int(points[1]), points[2].lower())
    bare = text if text in _BYES else text.strip("-–—. ").lower()
    if bare not in _BYES:
        raise ValueError(text)
    letter = _BYES[bare]
    return Cell(letter) if letter != "U" else None


def rating_of(text: str) -> tuple[Rating | None, bool]:
    """`1641`, `1641.5`, `1641P17`, `1641/17`, or nothing for an unrated player; and whether it is provisional on an
    unknown number of games: `1641P`. Raises ValueError if it is none of these."""
    match = _RATING.fullmatch(text.upper())
    if match:
        rating = Rating(float(match[1]), games=int(match[3]) if match[3] else None) if float(match[1]) else None
        return rating, match[2] == "P"
    if text.strip("-–—") and text.upper().rstrip(".") not in _UNRATED:
        raise ValueError(text)
    return None, False


def grid_cells(numbers: Sequence[int], table: Sequence[Sequence[str]]) -> list[list[Cell | None]] | None:
    """An all-play-all grid of points, each column the player of that place: `X 1 ½ 0`. None if it is no such grid."""
    if len(numbers) < 3 or any(len(row) != len(numbers) for row in table):
        return None
    cells: list[list[Cell | None]] = []
    for place, row in enumerate(table):
        if row[place].lower() not in _DIAGONAL:
            return None
        line: list[Cell | None] = []
        for column, text in enumerate(row):
            if column == place or text.lower() in _DIAGONAL:
                line.append(None)
            elif text.lower() in _POINTS:
                line.append(Cell(_POINTS[text.lower()], numbers[column]))
            else:
                return None
        cells.append(line)
    return cells if any(any(line) for line in cells) else None
