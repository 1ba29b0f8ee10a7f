"""A conversion between two rating systems from players who hold both (appendix B of the 1996 report): robust loess."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.lab.loess import Array, Loess, bootstrap, fit
from crosstable.lab.plots import COLOURS, figure
from crosstable.model import Player
from crosstable.rulebook import rulebook
from crosstable.systems.conversions import convert_rating
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import MAIN

Pair = tuple[float, float]


class ConversionRow(NamedTuple):
    """One line of the table: a rating there, the rating here, and the band around it (95 % of the resampled curves)."""

    foreign: float
    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Conversion:
    """A fitted conversion. Outside the range of the pairs there is none."""

    curve: Loess
    rows: tuple[ConversionRow, ...]

    def convert(self, rating: float) -> float | None:
        value = float(self.curve([rating])[0])
        return None if math.isnan(value) else value


def fit_conversion(
    pairs: Sequence[Pair],
    *,
    span: float = 0.75,
    degree: int = 2,
    step: float = 10,
    samples: int = 200,
    seed: int = 1996,
) -> Conversion:
    """Table, curve and bootstrap band from (foreign, own) ratings: an office's own players, or a file's."""
    if not pairs:
        raise CrosstableError("no pairs to fit: each line needs two ratings, foreign and own")
    if step <= 0:
        raise CrosstableError(f"a step of {step:g} between the rows: it must be above 0")
    x, y = np.array(pairs, dtype=np.float64).T
    curve = fit(x, y, span, degree)
    first, last = math.ceil(x.min() / step) * step, math.floor(x.max() / step) * step
    at = np.arange(first, last + step / 2, step)
    low, high = _band(x, y, at, span, degree, samples=samples, seed=seed)
    rows = tuple(ConversionRow(*map(float, values)) for values in zip(at, curve(at), low, high, strict=True))
    return Conversion(curve, rows)


def _band(x: Array, y: Array, at: Array, span: float, degree: int, *, samples: int, seed: int) -> tuple[Array, Array]:
    if samples < 1:
        return np.full_like(at, np.nan), np.full_like(at, np.nan)
    return bootstrap(x, y, at, refit=lambda a, b: fit(a, b, span, degree), samples=samples, seed=seed)


def pairs_of_players(
    players: Iterable[Player], source: str = "fide", key: str = MAIN, games: int | None = None
) -> list[Pair]:
    """(foreign, own) ratings of the players who hold both, the own one established: an office's fit begins here.

    `games`: how many make a rating established (None: as the rulebook says); a record without a count is taken as
    established.
    """
    least = provisional_games() + 1 if games is None else games
    pairs = []
    for player in players:
        foreign = player.fide if source == "fide" else player.cfc
        own = player.ratings.get(key)
        if foreign is not None and own is not None and (own.games is None or own.games >= least):
            pairs.append((foreign.rating, own.rating))
    return pairs


def read_pairs(path: str | Path) -> list[Pair]:
    """Two ratings a line (foreign, own), separated by comma, semicolon, tab or blanks; a heading line is skipped."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise CrosstableError(f"cannot read {path}: {error}") from error
    pairs: list[Pair] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = _cells(line)
        if not cells or (number == 1 and not any(_number(cell) is not None for cell in cells)):
            continue
        values = [_number(cell) for cell in cells[:2]]
        if len(cells) != 2 or values[0] is None or values[1] is None:
            raise CrosstableError(f"{path}, line {number}: '{line.strip()}' is not a pair of ratings (two numbers)")
        pairs.append((values[0], values[1]))
    return pairs


def _cells(line: str) -> list[str]:
    for separator in (",", ";", "\t"):
        if separator in line:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    return line.split()


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def draw(conversion: Conversion, path: str | Path, *, source: str = "foreign", difference: bool = False) -> None:
    """Draw the pairs, the curve and its band;
    with `difference` the points to add (figures B.1 and B.2 of the report).
    """
    x, y = conversion.curve.x, conversion.curve.y
    at = np.array([row.foreign for row in conversion.rows])
    columns = [np.array(column) for column in _columns(conversion.rows)]
    less = (at, x) if difference else (np.zeros_like(at), np.zeros_like(x))
    title = f"Points to add to a {source} rating" if difference else f"Conversion of {source} ratings"
    with figure(path, title, f"{source} rating", "points to add" if difference else "rating here") as axes:
        axes.scatter(x, y - less[1], s=9, color=COLOURS[6], alpha=0.5, label=f"{x.size} players")
        axes.fill_between(
            at, columns[1] - less[0], columns[2] - less[0], color=COLOURS[0], alpha=0.2, label="95 % band"
        )
        axes.plot(at, columns[0] - less[0], color=COLOURS[0], linewidth=2, label="robust loess")


def printed(source: str) -> list[Pair]:
    """Return the printed table of 1996 (3.1 for FIDE, 3.2 for CFC), row by row."""
    book = rulebook("uscf_1996")
    table = book.on(book.first)[f"{source}_conversion"]
    missing = set(table["not_available"])
    rows = [foreign for foreign in table["foreign"] if foreign not in missing]
    return [(float(one), float(convert_rating(source, one, book.first, "uscf_1996"))) for one in rows]


def draw_printed(source: str, path: str | Path, *, difference: bool = False) -> None:
    """Draw the curve of the printed table (figures B.1 and B.3), or the points to add (B.2 and B.4)."""
    rows = printed(source)
    at, here = (np.array(column) for column in zip(*rows, strict=True))
    title = f"Points to add to a {source.upper()} rating, 1996" if difference else f"{source.upper()} to USCF, 1996"
    with figure(path, title, f"{source.upper()} rating", "points to add" if difference else "USCF rating") as axes:
        axes.plot(at, here - at if difference else here, color=COLOURS[0], linewidth=2, label="printed table")


def _columns(rows: Iterable[ConversionRow]) -> tuple[list[float], list[float], list[float]]:
    kept = list(rows)
    return [row.rating for row in kept], [row.low for row in kept], [row.high for row in kept]
