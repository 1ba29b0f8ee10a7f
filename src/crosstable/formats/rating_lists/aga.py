"""The AGA TDList: tab-separated (A with the chapter's code, B with its name), or fixed width (N)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crosstable.formats import dates, encoding
from crosstable.formats.rating_lists.base import Limited, ListedPlayer, ratings_of
from crosstable.formats.rating_lists.rows import RowReader

_DAY = r"\d{1,2}/\d{1,2}/\d{4}"
#: Of a line with single blanks: long runs of them would be divided among the fields in every possible way
_FIXED = re.compile(
    rf"(?P<name>\S.*?)\s(?P<id>\d{{1,6}})\s(?P<type>[A-Za-z]\w*)\s(?P<rating>-?\d{{1,2}}\.\d+)?\s?"
    rf"(?P<expires>{_DAY})?\s(?P<chapter>\S{{1,6}})?\s?(?P<state>[A-Z]{{2}}|--)?"
)


def looks_like(head: bytes) -> bool:
    lines = [line for line in re.split(r"\r\n|\r|\n", encoding.decode(head).text)[:50] if line.strip()]
    return bool(lines) and _cells(lines[0]) is not None


def _cells(line: str) -> list[str] | None:
    """name, id, type, rating, expiry, chapter, state, sigma, last date."""
    cells = [encoding.clean(cell) for cell in line.split("\t")]
    if len(cells) >= 7 and cells[1].isdecimal() and re.fullmatch(r"(?:-?\d{1,2}(?:\.\d+)?)?", cells[3]):
        return [*cells, "", ""][:9]
    match = _FIXED.fullmatch(encoding.clean(line)) if "\t" not in line and len(line) < 200 else None
    if match and (match["expires"] or match["rating"]):
        names = ("name", "id", "type", "rating", "expires", "chapter", "state")
        return [encoding.clean(match[name] or "") for name in names] + ["", ""]
    return None


def read(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    for number, line in enumerate(stream.text_lines(), start=1):
        if not line.strip():
            continue
        cells = _cells(line)
        if cells is None:
            rows.skip(number, line)
            continue
        name, id_, kind, rating, expires, chapter, state, sigma, last = cells
        ratings, _ = ratings_of({"AGA": rating})
        days = dates.candidates(expires)
        notes = {"type": kind, "chapter": chapter, "sigma": sigma, "last": last}
        yield ListedPlayer(
            id_,
            name,
            ratings,
            {},
            "" if state == "--" else state,
            expires=days[-1] if days else None,
            notes={key: value for key, value in notes.items() if value},
        )
