"""Dates as files spell them: `2010/09/24`, `24/09/2010`, `28. 07. 2005`, `May 29, 2020`, `11.25.02`, `20100924`."""

from __future__ import annotations

import re
from datetime import date

_MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS = {name: n for n, name in enumerate(_MONTH_NAMES, start=1)}
_NAMED = re.compile(
    r"(?P<m>[A-Za-z]{3,9})\.?\s+(?P<d>\d{1,2}),?\s+(?P<y>\d{4})"
    r"|(?P<d2>\d{1,2})\.?\s+(?P<m2>[A-Za-z]{3,9})\.?,?\s+(?P<y2>\d{4})"
)
_NUMBERS = re.compile(r"(\d{1,4})\s*[./\-]\s*(\d{1,2})\s*[./\-]\s*(\d{1,4})\.?")
#: Two-digit years: report formats are younger than 1970.
_CENTURY_TURN = 70


def candidates(text: str) -> list[date]:
    """Every date that the text can mean, the day before the month first; none if it is not a date."""
    text = text.strip()
    if re.fullmatch(r"\d{8}", text):
        return _valid([(int(text[:4]), int(text[4:6]), int(text[6:]))])
    if named := _NAMED.fullmatch(text):
        month = _MONTHS.get((named["m"] or named["m2"])[:3].lower(), 0)
        return _valid([(int(named["y"] or named["y2"]), month, int(named["d"] or named["d2"]))])
    numbers = _NUMBERS.fullmatch(text)
    if not numbers:
        return []
    first, second, third = numbers.groups()
    a, b, c = int(first), int(second), int(third)
    if len(first) == 4:
        return _valid([(a, b, c)])
    year = c if len(third) == 4 else c + (1900 if c >= _CENTURY_TURN else 2000)
    readings = [(year, b, a), (year, a, b)]
    if len(third) <= 2 and a > 31:  # 02 at the end cannot be the year of 75/01/02
        readings = [(a + 1900, b, c)]
    return _valid(readings)


def _valid(readings: list[tuple[int, int, int]]) -> list[date]:
    found: list[date] = []
    for year, month, day in readings:
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    return list(dict.fromkeys(found))


def span(start: str, end: str) -> tuple[list[date], list[date]]:
    """The candidates of a start and an end that fit best: the end not before the start, and soonest after it."""
    starts, ends = candidates(start), candidates(end)
    pairs = sorted((b - a, starts.index(a), a, b) for a in starts for b in ends if a <= b)
    if not pairs or (len(starts) < 2 and len(ends) < 2):
        return starts, ends
    _, _, a, b = pairs[0]
    tied = [pair for pair in pairs if pair[0] == pairs[0][0]]
    return list(dict.fromkeys([a, *(p[2] for p in tied)])), list(dict.fromkeys([b, *(p[3] for p in tied)]))


def compact(day: date | None) -> str:
    """20250802, also for years before 1000."""
    return day.isoformat().replace("-", "") if day else ""
