"""Dates as we write them, and as files spell them: `2010/09/24`, `24/09/2010`, `28. 07. 2005`, `May 29, 2020`,
`11.25.02`, `20100924`.
"""

from __future__ import annotations

import re
from datetime import date

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MONTHS = {name[:3].lower(): n for n, name in enumerate(MONTHS, start=1)}
_NAMED = re.compile(
    r"(?P<m>[A-Za-z]{3,9})\.?\s+(?P<d>\d{1,2}),?\s+(?P<y>\d{4})"
    r"|(?P<d2>\d{1,2})\.?\s+(?P<m2>[A-Za-z]{3,9})\.?,?\s+(?P<y2>\d{4})"
)
_WEEKDAY = re.compile(r"^(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+", re.IGNORECASE)
_CLOCK = re.compile(r"(?<![\sT])[\sT]++\d{1,2}:\d{2}.*", re.DOTALL)
_NUMBERS = re.compile(r"(\d{1,4})\s*[./\-]\s*(\d{1,2})\s*[./\-]\s*(\d{1,4})\.?")
#: Two-digit years: report formats are younger than 1970.
_CENTURY_TURN = 70


#: Between the first and the last day: `..`, `-` with blanks or between whole dates, `to`, `thru`.
_BETWEEN = re.compile(
    r"(?<!\s)\s*+\.\.\s*+|(?<!\s)\s++(?:-|–|—|to|thru|through|until)\s++"
    r"|(?<=\d{4})\s*+[-–—]\s*+(?=\d{1,2}[/.]|[A-Za-z])"
)
#: `August 2-3, 2025`.
_DAYS_OF_MONTH = re.compile(r"([A-Za-z]{3,9}\.?)\s+(\d{1,2})\s*[-–—]\s*(\d{1,2}),?\s+(\d{4})")
_ONE_DAY = r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}"
_MONTH = "|".join(name[:3] + f"(?:{name[3:]})?" for name in MONTHS)
#: A date, or the first and the last, among other words.
_INSIDE = re.compile(
    rf"(?<![\w/.-])(?:(?:{_ONE_DAY})(?:\s*(?:-|–|—|to|thru|through)\s*(?:{_ONE_DAY}))?"
    rf"|(?:{_MONTH})\.?\s+\d{{1,2}}(?:\s*[-–—]\s*\d{{1,2}})?,?\s+\d{{4}}|\d{{1,2}}\s+(?:{_MONTH})\s+\d{{4}})(?![\w/-])",
    re.IGNORECASE,
)
#: Beside such words stands another day than the event's.
_ANOTHER_DAY = re.compile(
    r"\b(?:deadline|due|next|printed|updated|created|generated|reported|entries)\b", re.IGNORECASE
)


def impossible(text: str) -> str:
    """Return the day that a date means and no calendar has: "30 February 2026", of 2/30/2026 and 2026-02-30."""
    found = _NUMBERS.fullmatch(text.strip())
    if found is None:
        return ""
    one, two, three = map(int, found.groups())
    year, month, number = (one, two, three) if one > 31 else (three, one, two)
    lengths = (
        31,
        29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28,
        *(31, 30, 31, 30, 31, 31, 30, 31, 30, 31),
    )
    if year < 1000 or not 1 <= month <= 12 or not lengths[month - 1] < number <= 31:
        return ""
    return f"{number} {MONTHS[month - 1]} {year}"


def day(value: date) -> str:
    """12 October 2025."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def short_day(value: date) -> str:
    """12 Oct 2025."""
    return f"{value.day} {MONTHS[value.month - 1][:3]} {value.year}"


def days(first: date, last: date) -> str:
    """12 October 2025, or 11 October 2025 to 12 October 2025."""
    return day(first) if first == last else f"{day(first)} to {day(last)}"


def split_span(text: str) -> tuple[str, str]:
    """Return the first and the last day of `8/2/2025 - 8/3/2025`, `2025-08-02..2025-08-03`, `August 2-3,
    2025` or one day.
    """
    text = text.strip()
    if month := _DAYS_OF_MONTH.fullmatch(text):
        return f"{month[1]} {month[2]}, {month[4]}", f"{month[1]} {month[3]}, {month[4]}"
    first, *more = _BETWEEN.split(text, maxsplit=1)
    return first, more[0] if more else first


def inside(text: str) -> tuple[str, str] | None:
    """Return the date among other words, and the text without it where it stands at the end: `Thursday Blitz,
    8/7/2025`.
    """
    found = list(_INSIDE.finditer(text))
    if len(found) != 1 or _ANOTHER_DAY.search(text) or not candidates(split_span(found[0][0])[0]):
        return None
    at_end = not text[found[0].end() :].strip(" .)]")
    return found[0][0], text[: found[0].start()].rstrip(" ,;:|-–—([") if at_end else text


def typed_day(text: str) -> date:
    """Return a date as people type it: 2025-08-02, 8/2/2025, Aug 2 2025, 2 August 2025, 2.8.2025. Raises ValueError.

    Where day and month could change places, a full stop makes it a European's date and a slash an American's.
    """
    days = candidates(text)
    if not days:
        raise ValueError(text)
    return days[0] if "." in text and not re.search("[A-Za-z]", text) else days[-1]


def typed_span(text: str) -> tuple[date, date]:
    """One day, or the first and the last: `A..B`. Raises ValueError."""
    first, last = (typed_day(part) for part in split_span(text))
    if last < first:
        raise ValueError(f"{last} is before {first}")
    return first, last


def candidates(text: str, *, year_first: bool = False) -> list[date]:
    """Every date that the text can mean, the day before the month first; none if it is not a date.

    A weekday in front and a time of day behind are passed over. `year_first`: of three small numbers the first is
    the year.
    """
    text = _CLOCK.sub("", _WEEKDAY.sub("", text.strip(), count=1))
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
    if year_first and len(third) <= 2:
        readings = [(a + (1900 if a >= _CENTURY_TURN else 2000), b, c)]
    elif len(third) <= 2 and a > 31:  # 02 at the end cannot be the year of 75/01/02
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
    """Return the candidates of a start and an end that fit best: the end not before the start, and soonest after it."""
    starts, ends = candidates(start), candidates(end)
    pairs = sorted((b - a, starts.index(a), a, b) for a in starts for b in ends if a <= b)
    if starts and ends and not pairs:  # 11.09.26 to 12.04.01: only with the year first does it end after it starts
        first, last = candidates(start, year_first=True), candidates(end, year_first=True)
        if first and last and first[0] <= last[0]:
            return first, last
    if not pairs or (len(starts) < 2 and len(ends) < 2):
        return starts, ends
    _, _, a, b = pairs[0]
    tied = [pair for pair in pairs if pair[0] == pairs[0][0]]
    return list(dict.fromkeys([a, *(p[2] for p in tied)])), list(dict.fromkeys([b, *(p[3] for p in tied)]))


def compact(day: date | None) -> str:
    """20250802, also for years before 1000."""
    return day.isoformat().replace("-", "") if day else ""
