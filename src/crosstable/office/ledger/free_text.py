"""Text that people write for others to read: how long it may be, and that it holds no birth date.

The rule looks at the text and at today's date, never at what the office has stored. A refusal that depended on a stored
birth date would let anyone with an account find that date by trying one day after another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from crosstable.errors import OfficeError
from crosstable.office.storage import clock

#: The most letters of a reason, a claim, a report or an answer, and of a message
LONGEST, LONGEST_MESSAGE = 2000, 4000
#: Dates that lie further back may be a player's birth date
YEARS = 3
#: Two digits of a year mean one up to so many years ahead, else one of the last century
_AHEAD = 5
_FIRST_YEAR = 1880

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Every repetition has a bound, so that no text takes longer than its length
_NAME = rf"({'|'.join(_MONTHS)})[a-z]{{0,6}}"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_GAP = r"[\s,./-]{1,3}"
_YEAR = r"'?((?<=')\d\d|\d{4})(?!\d)"
#: 2015-05-05, 5/5/2015, 05.05.15; not a part of an id such as night-2015-05-05
_NUMBERS = re.compile(r"(?<![\w-])(?<!\d[./])(\d{1,4})([./-])\s?(\d{1,2})\2\s?(\d{1,4})(?![\w-])(?![./]\d)")
#: 5 May 2015, the 5th of May '15
_DAY_FIRST = re.compile(rf"(?<!\w){_DAY}{_GAP}(?:of\s)?{_NAME}{_GAP}{_YEAR}")
#: May 5th, 2015
_MONTH_FIRST = re.compile(rf"(?<!\w){_NAME}{_GAP}{_DAY}{_GAP}{_YEAR}")
#: With one of these words in the text, a year alone and eight digits (elsewhere a member's ID) say when a person was
#: born
_BIRTH = re.compile(r"(?<![a-z])(?:born|birth|d\.?o\.?b(?![a-z]))")
_YEAR_ALONE = re.compile(r"(?<![\w-])(\d{4})(?:\d{4})?(?![\w-])")


def problems(text: str, what: str, *, longest: int = LONGEST) -> Iterator[str]:
    """Yield what is wrong with a text. Call it before the transaction: others wait while that is open."""
    if len(text) > longest:
        yield f"{what} has {len(text)} characters; at most {longest} are allowed"
    elif holds_birth_date(text):
        yield (
            f"leave birth dates out of {what}: it may hold no date before {_limit(clock.today())}, because others read"
            " it; name an older event by its id"
        )


def refuse(text: str, what: str, *, longest: int = LONGEST) -> None:
    """Raise OfficeError where something is wrong."""
    if found := list(problems(text, what, longest=longest)):
        raise OfficeError("; ".join(found))


def holds_birth_date(text: str) -> bool:
    """Whether a date in the text could be a birth date: any full date of more than three years ago."""
    lower, today = text.lower(), clock.today()
    if any(day.year >= _FIRST_YEAR and day < _limit(today) for day in _dates(lower, today)):
        return True
    years = (int(match[1]) for match in _YEAR_ALONE.finditer(lower))
    return bool(_BIRTH.search(lower)) and any(_FIRST_YEAR <= year <= today.year - YEARS for year in years)


def _limit(today: date) -> date:
    return date(today.year - YEARS, today.month, min(today.day, 28))


def _dates(text: str, today: date) -> Iterator[date]:
    """Every date that could be meant: 3/4/15 is the third of April or the fourth of March."""
    for year, month, day in _readings(text):
        try:
            yield date(_full(year, today), int(month), int(day))
        except ValueError:  # 31.31.15
            continue


def _readings(text: str) -> Iterator[tuple[str, str, str]]:
    """Year, month and day, in the orders in which people write them."""
    for match in _NUMBERS.finditer(text):
        first, _, second, third = match.groups()
        orders = [(first, second, third)] if len(first) > 2 else [(third, first, second), (third, second, first)]
        yield from orders
    for match in _DAY_FIRST.finditer(text):
        yield match[3], str(_MONTHS.index(match[2]) + 1), match[1]
    for match in _MONTH_FIRST.finditer(text):
        yield match[3], str(_MONTHS.index(match[1]) + 1), match[2]


def _full(year: str, today: date) -> int:
    if len(year) != 2:
        return int(year)
    return 2000 + int(year) if 2000 + int(year) <= today.year + _AHEAD else 1900 + int(year)
