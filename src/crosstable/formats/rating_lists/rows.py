"""The rows of a list while they are read: what could not be read, what was assumed, and which columns are not used."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, limits
from crosstable.formats.rating_lists.columns import PLAIN
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping
from crosstable.model import Finding, Place

DAY_FIRST, MONTH_FIRST = "day", "month"
_NAMED = 20  # columns that a finding names


@dataclass(slots=True)
class RowReader:
    """Counts the rows that could not be read, and reports the first few."""

    findings: list[Finding]
    uses: Collection[str] = PLAIN  # the fields that the caller uses
    mapping: ListMapping = NO_MAPPING
    bad: int = 0
    cells: int = 0
    #: Floors without a reason that were kept as prize floors, and the first one's row
    kept_floors: int = 0
    first_floor: int = 0
    passed_over: dict[str, None] = field(default_factory=dict)  # columns that are not used
    #: Birth dates that can be read in two ways, by the reading they got: how many, and the first one's row
    two_ways: dict[str, tuple[int, int]] = field(default_factory=dict)
    one_way: dict[str, int] = field(default_factory=dict)  # those that allow one reading only: the first one's row

    def skip(self, number: int, text: str) -> None:
        self.bad += 1
        if self.bad > limits.LIST_BAD_ROWS:
            raise EventRejected(
                [codes.DAMAGED_FILE.at("list", f"more than {limits.LIST_BAD_ROWS:,} rows could not be read")]
            )
        if self.bad <= 20:
            self.findings.append(codes.LIST_ROW.at(Place(row=number), repr(text[:60])))

    def floor(self, number: int, player: str, pool: str, reason: str) -> None:
        """Note a floor that was left out, and why."""
        self.cells += 1
        if self.cells <= limits.FINDINGS:
            place = Place(row=number, id=player[:50], pool=pool)
            self.findings.append(codes.LIST_FLOOR.at(place, reason))

    def kept_floor(self, number: int) -> None:
        """Note a floor without a reason, kept as a prize floor."""
        self.kept_floors += 1
        self.first_floor = self.first_floor or number

    def not_used(self, names: Iterable[str]) -> None:
        """Columns that are understood and not used."""
        self.passed_over |= dict.fromkeys(names)

    def not_known(self, names: Sequence[str]) -> None:
        """Columns with a name that says nothing to us."""
        if names:
            words = f"not understood: {', '.join(names[:_NAMED])}"
            self.findings.append(codes.LIST_COLUMN.at(Place(row=1), words, columns=tuple(names)))

    def cell(self, number: int, player: str, name: str, text: str) -> None:
        """Note a value that cannot be read; the rest of the row is taken."""
        self.cells += 1
        if self.cells <= limits.FINDINGS:
            self.findings.append(codes.LIST_CELL.at(Place(row=number, id=player[:50]), f"{name} is {text[:60]!r}"))

    def born(self, number: int, text: str, days: Sequence[date]) -> None:
        """Note a birth date in numbers, and whether its day or its month comes first: of two readings the one that
        `dates.typed_day` takes."""
        numbers = re.match(r"\s*(\d{1,2})\s*[./-]\s*(\d{1,2})\s*[./-]", text)
        if numbers is None or not days:
            return
        if len(days) > 1:
            reading = DAY_FIRST if "." in text else MONTH_FIRST
            count, first = self.two_ways.get(reading, (0, number))
            self.two_ways[reading] = (count + 1, first)
            return
        first_two = (int(numbers[1]), int(numbers[2]))
        for reading, parts in ((DAY_FIRST, (days[0].day, days[0].month)), (MONTH_FIRST, (days[0].month, days[0].day))):
            if first_two == parts and parts[0] != parts[1]:
                self.one_way.setdefault(reading, number)

    def _finish_births(self) -> None:
        """One line for the column. Raises EventRejected where other rows contradict how it was read: dates in which day
        and month have changed places look right, and no one would find them again."""
        for reading, (count, first) in self.two_ways.items():
            other = MONTH_FIRST if reading == DAY_FIRST else DAY_FIRST
            if other in self.one_way:
                words = (
                    f"the birth date would be read with the {reading} first, but row {self.one_way[other]} has the"
                    f" {other} first"
                )
                raise EventRejected([codes.DATES_CONTRADICT.at(Place(row=first), words)])
            mark = "full stops" if reading == DAY_FIRST else "strokes or hyphens"
            why = f"row {self.one_way[reading]} allows only that" if reading in self.one_way else f"they have {mark}"
            told = "1 birth date can" if count == 1 else f"{count:,} birth dates can"
            words = (
                f"{told} be read in two ways and {'is' if count == 1 else 'are'} read with the {reading} first: {why}"
            )
            self.findings.append(codes.DATE_GUESSED.at("birth dates", words))

    def finish(self) -> None:
        self._finish_births()
        if names := tuple(self.passed_over):
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            words = f"not used: {', '.join(names[:_NAMED])}{more}"
            self.findings.append(codes.LIST_COLUMN_UNUSED.at("list", words, columns=names))
        if self.kept_floors:
            words = f"floors without a reason: {self.kept_floors:,}, the first in row {self.first_floor}"
            self.findings.append(codes.LIST_FLOOR_KEPT.at("list", words, count=self.kept_floors))
        if self.bad > 20:
            self.findings.append(codes.LIST_ROW.at("list", f"and {self.bad - 20:,} more rows"))
        if self.cells > limits.FINDINGS:
            self.findings.append(codes.LIST_CELL.at("list", f"and {self.cells - limits.FINDINGS:,} more values"))
