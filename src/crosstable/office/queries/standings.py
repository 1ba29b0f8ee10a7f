"""The standings of a section: shared places, and the tie-breaks that set the order within them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from crosstable.formats.crosstable import BYE_POINTS
from crosstable.office.queries import crosstable as tables
from crosstable.office.queries.crosstable import CrosstablePage, Row
from crosstable.tiebreaks import Round, direct_encounter, tie_breaks

GAME_POINTS = {"W": 1.0, "D": 0.5, "L": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's line: the places that are shared, and the tie-breaks, of which some decide."""

    row: Row
    first: int
    last: int
    numbers: tuple[float | None, ...]  # modified median, Solkoff, cumulative, Sonneborn-Berger, direct encounter
    deciding: frozenset[int]  # by their places among the numbers

    @property
    def tie_breaks(self) -> tuple[tuple[float | None, bool], ...]:
        """Each tie-break with whether it decides."""
        return tuple((number, place in self.deciding) for place, number in enumerate(self.numbers))


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The standings beside the crosstable that they follow from."""

    table: CrosstablePage
    lines: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Standing, ...]:
        """Who shares the first place."""
        return tuple(one for one in self.lines if one.first == 1)


def standings(event: str, section: int) -> StandingsPage:
    """Return the standings of a rated section."""
    table = tables.crosstable(event, section, "number")
    main = {number: row.number for row in table.rows for number in (row.number, *row.again)}
    rounds = {row.number: _rounds(row, main) for row in table.rows}
    breaks = tie_breaks(rounds)
    lines: list[Standing] = []
    by_score = sorted(table.rows, key=lambda row: -row.score)
    for _score, group in groupby(by_score, key=lambda row: row.score):
        rows = list(group)
        met = direct_encounter(rounds, [row.number for row in rows])
        numbers = {row.number: (*breaks[row.number], met[row.number]) for row in rows}
        ordered = sorted(rows, key=lambda row: ([-(one or 0.0) for one in numbers[row.number]], row.number))
        lines += _group(ordered, numbers, len(lines) + 1)
    return StandingsPage(table, tuple(lines))


def _rounds(row: Row, main: dict[int, int]) -> list[Round]:
    """Return a player's rounds; an opponent who entered again is one player."""
    found = []
    for cell in row.cells:
        if cell.opponent:
            found.append(Round(GAME_POINTS[cell.letter], main.get(cell.opponent, cell.opponent)))
        else:
            found.append(Round(BYE_POINTS.get(cell.letter, 0) / 2))
    return found


def _group(rows: Sequence[Row], numbers: dict[int, tuple[float | None, ...]], first: int) -> list[Standing]:
    """Return the lines of one score. Between two neighbours the first tie-break that differs decides."""
    deciding: dict[int, set[int]] = {row.number: set() for row in rows}
    for one, other in pairwise(rows):
        mine, theirs = numbers[one.number], numbers[other.number]
        place = next((at for at, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1]), None)
        if place is not None:
            deciding[one.number].add(place)
            deciding[other.number].add(place)
    last = first + len(rows) - 1
    return [
        Standing(
            row=row,
            first=first,
            last=last,
            numbers=numbers[row.number],
            deciding=frozenset(deciding[row.number]),
        )
        for row in rows
    ]
