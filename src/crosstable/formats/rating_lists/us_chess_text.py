"""US Chess lists as text with tabs: the monthly supplement, which names no columns, and the list of all ratings.

No description of either is published. The supplement's order is that in which public programs read it: name, id, two
columns for the membership's last day and the state, then the ratings. The list of all ratings has a header of which two
names are known, `rtglistdate` and `rtgreg`; the columns before and after them are read by their places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from crosstable.formats import codes, dates, encoding
from crosstable.formats.rating_lists.base import Limited, ListedPlayer, rating_of
from crosstable.formats.rating_lists.columns import column
from crosstable.formats.rating_lists.rows import RowReader
from crosstable.formats.rating_lists.sheet import Sheet, sheet_of
from crosstable.model import Place
from crosstable.systems.us_chess.pools import KEYS

_ID = re.compile(r"\d{7,8}")
_UNRATED = re.compile(r"|0+|UNR\.?|UNRATED", re.IGNORECASE)
_LIST_DATE, _FIRST_RATING = "RTGLISTDATE", "RTGREG"
_FIXED = {0: "ID", 1: "NAME", 2: "STATE", 3: "COUNTRY", 6: "FIDE_ID"}  # of the list of all ratings
_PAIRED = 19  # from so many columns on, one more stands behind each rating
_SAMPLE = 200  # lines by which the columns are recognised
_LAST_DAY, _STATE = "EXPIRES", "STATE"


def looks_like(head: bytes) -> bool:
    first, *more = [_split(line) for line in re.split(r"\r\n|\r|\n", encoding.decode(head).text)[:_SAMPLE]]
    rows = [cells for cells in more if any(cells)]
    return _has_head(first) or (_is_row(first) and 2 * sum(map(_is_row, rows)) >= len(rows))


def read(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    lines = stream.text_lines()
    first = next(lines, "")
    if _has_head(_split(first)):
        yield from _read(lines, _named(_split(first)), rows, start=2)
        return
    sample = [_split(line) for line in re.split(r"\r\n|\r|\n", encoding.decode(stream.peek()).text)[:_SAMPLE]]
    names = _by_content([_split(first), *sample], len(_split(first)))
    words = f"the columns have no names and are read as {', '.join(names)}"
    rows.findings.append(codes.HEAD_GUESSED.at(Place(row=1), words))
    yield from _read(_and(first, lines), names, rows, start=1)


def _and(first: str, lines: Iterator[str]) -> Iterator[str]:
    yield first
    yield from lines


def _read(lines: Iterator[str], names: Sequence[str], rows: RowReader, start: int) -> Iterator[ListedPlayer]:
    sheet: Sheet = sheet_of(names, rows)
    for number, line in enumerate(lines, start=start):
        if not line.strip():
            continue
        player = sheet.player(dict(zip(names, _split(line), strict=False)), number)
        if player is None or not _ID.fullmatch(player.id):
            rows.skip(number, line)
        else:
            yield player


def _split(line: str) -> list[str]:
    return [encoding.clean(cell) for cell in line.split("\t")]


def _has_head(cells: Sequence[str]) -> bool:
    names = [column(cell) for cell in cells]
    return _LIST_DATE in names and _FIRST_RATING in names


def _named(cells: Sequence[str]) -> list[str]:
    """Return the columns of the list of all ratings; those whose meaning is not known keep their own names."""
    names = [column(cell) for cell in cells]
    first = names.index(_FIRST_RATING)
    step = 2 if len(names) >= _PAIRED else 1
    known = {place: name for place, name in _FIXED.items() if place < first}
    known |= {first + step * place: key for place, key in enumerate(KEYS) if first + step * place < len(names)}
    known |= {place: _LAST_DAY for place, name in enumerate(names[:first]) if "EXP" in name}
    return [known.get(place, name) for place, name in enumerate(names)]


def _is_row(cells: Sequence[str]) -> bool:
    """Name, id, two columns, a regular rating."""
    return (
        len(cells) >= 5
        and bool(re.search(r"[A-Za-z]", cells[0]))
        and _ID.fullmatch(cells[1]) is not None
        and _is_rating(cells[4])
    )


def _is_rating(text: str) -> bool:
    found = rating_of(text)
    return _UNRATED.fullmatch(text) is not None or (found is not None and found[0] >= 100)


def _by_content(sample: Sequence[Sequence[str]], width: int) -> list[str]:
    """Return the columns of a supplement; of the two before the ratings,
    the one with dates is the membership's last day.
    """
    dated = [sum(bool(dates.candidates(cells[place])) for cells in sample if len(cells) > place) for place in (2, 3)]
    between = [_LAST_DAY, _STATE] if dated[0] >= dated[1] else [_STATE, _LAST_DAY]
    names = ["NAME", "ID", *between, *KEYS]
    more = [f"COLUMN_{place}" for place in range(len(names) + 1, width + 1)]
    return [*names, *more][:width]
