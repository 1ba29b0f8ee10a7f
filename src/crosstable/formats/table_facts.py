"""Facts about an event in the lines above its tables: `City,Dayton`, `Date: 8/2/2025`, `Quad B`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date

from crosstable.formats import codes, dates, encoding, file_ratings, limits
from crosstable.model import Finding

#: What people write before a fact about the event, and what we call it.
_EVENT_FACTS = {
    "event": "event",
    "event name": "event",
    "tournament": "event",
    "tournament name": "event",
    "title": "event",
    "city": "city",
    "location": "city",
    "place": "city",
    "site": "city",
    "state": "state",
    "country": "country",
    "start": "start",
    "start date": "start",
    "begin": "start",
    "begins": "start",
    "date": "date",
    "dates": "date",
    "event date": "date",
    "event dates": "date",
    "end": "end",
    "end date": "end",
    "ends": "end",
    "affiliate": "affiliate",
    "affiliate id": "affiliate",
    "chief td": "chief td",
    "td": "chief td",
    "tournament director": "chief td",
    "director": "chief td",
    "td id": "chief td",
}
_SECTION_FACTS = {
    "section": "section",
    "section name": "section name",
    "section start": "section start",
    "section end": "section end",
    "mode": "mode",
    "kind": "kind",
    "weight": "weight",
    "time control": "time control",
    "time controls": "time control",
    "tc": "time control",
    "time": "time control",
    "rounds": "rounds",
}
#: A line alone above a table that names its section: `Quad B`, `U1200`, `Reserve`.
SECTION_LINE = re.compile(
    r"(?:section|quad|group|division|u\s?-?\d{3,4}|under\s\d{3,4}"
    r"|reserve|open|novice|premier|booster|k-?\d{1,2})\b.{0,25}",
    re.IGNORECASE,
)
#: Between what a line says, which has single blanks: `Monday Blitz, Dec 29 2025 - G/5`
_MARKS = re.compile(r"\s?[,;|·•]\s|\s[-–—]\s")
_CITY_AND_STATE = re.compile(r"([A-Z][A-Za-z .'-]+),?\s([A-Z]{2})")


def event_days(facts: dict[str, str], findings: list[Finding]) -> tuple[date | None, date | None]:
    """Start and end; `Date: 8/2/2025 - 8/3/2025` is both, and a start alone is one day."""
    if "date" in facts and "start" not in facts:
        first, last = dates.split_span(facts["date"])
        facts["start"], facts["end"] = first, facts.get("end") or last
    if "start" in facts and not facts.get("end"):
        facts["end"] = facts["start"]
    return span(facts, ("start", "end"), findings)


def note_fact(row: Sequence[str], event: dict[str, str], section: dict[str, str], *, first: bool) -> bool:
    """Read a line above a table that says something about the event or the section: `City,Dayton`, `Date: 8/2/2025`.

    A line alone above the first table is a time control, a date, or the event's name.
    """
    cells = [cell for cell in map(encoding.clean, row) if cell]
    if first and len(cells) == 1 and "event" not in event and len(cells[0]) <= limits.NAME_LINE_CHARACTERS:
        cells = _parted(cells[0])
    label, value = (encoding.clean(row[0]).rstrip(":").lower(), " ".join(cells[1:2])) if row else ("", "")
    if len(cells) == 1 and ":" in cells[0]:
        words, _, rest = cells[0].partition(":")
        if words.strip().lower() in {**_EVENT_FACTS, **_SECTION_FACTS}:
            label, value = words.strip().lower(), rest.strip()
    if label in _EVENT_FACTS:
        event.setdefault(_EVENT_FACTS[label], value)
    elif label in _SECTION_FACTS:
        section[_SECTION_FACTS[label]] = value
    elif len(cells) == 1 and SECTION_LINE.fullmatch(cells[0]):
        section["section name"] = cells[0]
    elif first and _all_told(cells, event, section):
        pass
    elif first and cells and "event" not in event and all(_told_alone(cell, event, section) for cell in cells[1:]):
        dated = dates.inside(cells[0])
        event["event"] = re.sub(r"^#+\s+", "", (dated and dated[1]) or cells[0])  # a heading of Markdown
        if dated:
            event.setdefault("date", dated[0])
    elif first and len(cells) == 1 and not event.keys() & {"date", "start"} and (dated := dates.inside(cells[0])):
        event["date"] = dated[0]
    else:
        return False
    return True


def _parted(line: str) -> list[str]:
    """`Monday Blitz, Dec 29 2025, G/5`: a name and what is said behind it, where all of that can be read; else the
    line.
    """
    marks = [] if _told_alone(line, {}, {}) else list(_MARKS.finditer(line))
    for mark in marks:
        if told := _told_parts(line[mark.end() :]):
            return [line[: mark.start()], *told]
    return [line]


def _told_parts(text: str) -> list[str]:
    """Facts with marks between them; nothing if one cannot be read.

    A mark may stand inside a date (`December 29, 2025`), a place or a time control: the longest part that says one
    thing.
    """
    ends = [*(mark.span() for mark in _MARKS.finditer(text)), (len(text), len(text))]
    for end, behind in reversed(ends):
        if _says_one_thing(text[:end]):
            rest = _told_parts(text[behind:]) if behind < len(text) else []
            if rest or behind == len(text):
                return [text[:end], *rest]
    return []


def _says_one_thing(part: str) -> bool:
    """Days of which each can be read, or another fact without a day in it."""
    if all(dates.span(*dates.split_span(part))):
        return True
    return dates.inside(part) is None and _told_alone(part, {}, {})


def _all_told(cells: Sequence[str], event: dict[str, str], section: dict[str, str]) -> bool:
    """Whether each cell says something without a label; then it is noted."""
    if not cells or not all(_told_alone(cell, {}, {}) for cell in cells):
        return False
    for cell in cells:
        _told_alone(cell, event, section)
    return True


def _told_alone(cell: str, event: dict[str, str], section: dict[str, str]) -> bool:
    """Read what a cell says without a label: a time control, a date, `Dayton, OH`."""
    cell = re.sub(r"^(?:played|date|on)(?:\s++on)?[:\s]++(?=.*\d)", "", cell, flags=re.IGNORECASE)
    dated = dates.candidates(dates.split_span(cell)[0])
    if file_ratings.readable(cell) and not dated:
        section.setdefault("time control", cell)
    elif dated:
        event.setdefault("date", cell)
    elif place := _CITY_AND_STATE.fullmatch(cell):
        event.setdefault("city", place[1])
        event.setdefault("state", place[2])
    else:
        return False
    return True


def span(
    facts: Mapping[str, str],
    names: tuple[str, str],
    findings: list[Finding],
    inside: tuple[date | None, date | None] = (None, None),
) -> tuple[date | None, date | None]:
    """Start and end, read together: of 8/2/2025 and 8/3/2025, two days in August. A section's lie in the event's."""
    first, last = (facts.get(name, "") for name in names)
    found: list[date | None] = []
    for name, text, days in zip(names, (first, last), dates.span(first, last), strict=True):
        if text and not days and not (name == names[1] and text == first):  # one cell for both is said once
            day_that_is_not = dates.impossible(text)
            words = f"{text[:40]!r}: there is no {day_that_is_not}" if day_that_is_not else repr(text[:40])
            findings.append(codes.UNREADABLE_DATE.at(name, words, found=text[:40], impossible=day_that_is_not))
        fitting = [day for day in days if inside[0] and inside[1] and inside[0] <= day <= inside[1]] or days
        # where both readings remain: 2.8.2025 is a European's, 8/2/2025 an American's
        day = (fitting[0] if "." in text else fitting[-1]) if fitting else None
        if len(fitting) > 1:
            findings.append(codes.DATE_GUESSED.at(name, f"{text!r} read as {day}"))
        found.append(day)
    return found[0], found[1]
