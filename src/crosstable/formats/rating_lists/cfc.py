"""The Canadian `tdlist.txt`.

`CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High`, since some time also `FIDE Number,FIDE Rating`.
"""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.formats import dates, encoding
from crosstable.formats.rating_lists.base import Limited, ListedPlayer, ratings_of
from crosstable.formats.rating_lists.rows import RowReader

_UNUSED = (7, 9)  # High, Active High


def looks_like(head: bytes) -> bool:
    return head[:200].lstrip(b"\xef\xbb\xbf \r\n").upper().startswith((b"CFC#,", b'"CFC#"', b"CFC #,"))


def read(stream: Limited, rows: RowReader) -> Iterator[ListedPlayer]:
    """Split at commas, not as CSV: a stray quote in a city must not swallow the lines after it."""
    for number, line in enumerate(stream.text_lines(), start=1):
        cells = [encoding.clean(cell.replace('"', "")) for cell in line.split(",")]
        if number == 1:
            rows.not_used(cells[place] for place in _UNUSED if place < len(cells))
        if number == 1 or not line.strip() or set(cells[2] if len(cells) > 2 else "") == {"-"}:
            continue
        if len(cells) < 10 or not cells[0].isdecimal():
            rows.skip(number, line)
            continue
        cells += [""] * (12 - len(cells))
        ratings, games = ratings_of({"CFC": cells[6], "CFC_QUICK": cells[8], "FIDE": cells[11]})
        days = dates.candidates(cells[1])
        name = ", ".join(part for part in (cells[2], cells[3]) if part)
        notes = {"city": cells[5]} if cells[5] else {}
        yield ListedPlayer(
            id=cells[0],
            name=name,
            ratings=ratings,
            games=games,
            state=cells[4],
            country="CAN",
            expires=days[0] if days else None,
            fide_id=cells[10].strip("0") and cells[10],
            notes=notes,
            cfc_id=cells[0],
        )
