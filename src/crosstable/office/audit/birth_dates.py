"""Birth dates in free text: a reason that holds the birth date of somebody whom the act concerns is refused.

Dates are read in the ways people write them. What is not a whole date (an age, a year, "her tenth birthday") is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import accumulate
from typing import Any

from crosstable.office.ledger import revisions
from crosstable.office.ledger.models import Event, Player

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAME = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_GAP = r"[\s,./-]+"
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
#: 2015-05-05, 5/5/2015, 05.05.15
_NUMBERS = re.compile(rf"(?<!\d)(\d{{1,4}}){_GAP}(\d{{1,2}}){_GAP}(\d{{1,4}})(?!\d)")
#: 20150505
_SOLID = re.compile(r"(?<!\d)(\d{4})(\d{2})(\d{2})(?!\d)")
#: 5 May 2015, May 5th, 2015
_DAY_FIRST = re.compile(rf"(?<!\d){_DAY}{_GAP}(?:of\s+)?{_NAME}{_GAP}(\d{{2,4}})(?!\d)")
_MONTH_FIRST = re.compile(rf"{_NAME}{_GAP}{_DAY}{_GAP}(\d{{2,4}})(?!\d)")
#: A SHA-256, or a head of the log: nobody's words, though eight of its digits may look like a date
_HASH = re.compile(r"(?:\d+:)?[0-9a-f]{64}")

Written = tuple[int, int, int]  # year (perhaps its last two digits only), month, day


def find_birth_date(subject: str, texts: Iterable[str], details: Mapping[str, Any]) -> str | None:
    """The number of a concerned player whose birth date stands in one of the texts, if any."""
    written = {one for text in texts for one in _dates(text.lower())}
    if not written:  # nearly always: nothing is looked up
        return None
    for number, born in _births(subject, details):
        if {(born.year, born.month, born.day), (born.year % 100, born.month, born.day)} & written:
            return number
    return None


def texts_of(value: Any) -> Iterator[str]:
    """Every text in an entry's details but hashes."""
    if isinstance(value, str):
        if not _HASH.fullmatch(value):
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts_of(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts_of(one)


def _dates(text: str) -> Iterator[Written]:
    """Every date that could be meant: of 3/4/15 the third of April and the fourth of March."""
    for year, month, day in _readings(text):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield year, month, day


def _readings(text: str) -> Iterator[Written]:
    """Three numbers each, in the orders in which people write dates."""
    for match in _NUMBERS.finditer(text):
        first, second, third = (int(part) for part in match.groups())
        yield from ((first, second, third), (third, second, first), (third, first, second))
    for match in _SOLID.finditer(text):
        year, month, day = (int(part) for part in match.groups())
        yield year, month, day
    for match in _DAY_FIRST.finditer(text):
        yield int(match[3]), _MONTHS.index(match[2]) + 1, int(match[1])
    for match in _MONTH_FIRST.finditer(text):
        yield int(match[3]), _MONTHS.index(match[1]) + 1, int(match[2])


def _births(subject: str, details: Mapping[str, Any]) -> list[tuple[str, date]]:
    """(number, birth date) of everybody whom an act concerns."""
    subjects = [subject, str(details.get("subject", ""))]  # a proposal names in its details what it is about
    named = details.get("events", ())  # an id each, or with its revision and content
    subjects += [f"event:{one['event'] if isinstance(one, Mapping) else one}" for one in named]
    numbers = {str(details[name]) for name in ("into", "out_of") if name in details}
    for one in subjects:
        kind, _, rest = one.partition(":")
        if kind == "player":
            numbers |= set(
                accumulate(rest.split(":"), "{}:{}".format)
            )  # an id may hold a colon, and a proposal says more
        elif kind == "event":
            numbers |= _entrants(rest)
    rows = Player.objects.filter(id__in=_records(numbers)).exclude(birth_date=None)
    return [(number, born) for number, born in rows.values_list("number", "birth_date") if born is not None]


def _records(numbers: set[str]) -> set[int]:
    """All records of the people with these numbers, merged ones too. Each question goes by one index: players are many."""
    found: set[int] = set()
    new = set(Player.objects.filter(number__in=numbers).values_list("id", flat=True))
    while new:
        found |= new
        into = Player.objects.filter(id__in=new).exclude(merged_into=None).values_list("merged_into_id", flat=True)
        duplicates = Player.objects.filter(merged_into__in=new).values_list("id", flat=True)
        new = {one for one in (*into, *duplicates) if one is not None} - found
    return found


def _entrants(event: str) -> set[str]:
    if not Event.objects.filter(number=event).exists():  # an act may speak of one that was never kept
        return set()
    return {player.id for section in revisions.document(number=event).sections for player in section.players}
