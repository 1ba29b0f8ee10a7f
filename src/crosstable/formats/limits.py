"""How much of a stranger's file we look at. Checked before reading, so that no file exhausts the machine."""

from __future__ import annotations

from collections.abc import Sequence

from crosstable.errors import EventRejected
from crosstable.formats import codes
from crosstable.model import Event, Place

MEGABYTE = 1024 * 1024

FILE_BYTES = 5 * MEGABYTE
UNPACKED_BYTES = 50 * MEGABYTE
#: Packed a hundredfold and more: no tournament file is, a bomb is.
COMPRESSION_RATIO = 200
ARCHIVE_MEMBERS = 64
#: Of a workbook's sheets and strings: some 70,000 cells. Parsing more of them would take longer than two seconds.
SHEET_BYTES = 3 * MEGABYTE

SECTIONS = 200
PLAYERS = 10_000  # in all sections
ROUNDS = 200
CELLS = 150_000  # players times rounds; the largest scholastic nationals have some 40,000
LINES = 60_000
LINE_CHARACTERS = 100_000
#: Longer ones are not looked at as a cell or a title of a table, a line that tells a game, or a fact above a table
CELL_CHARACTERS = 200
SENTENCE_CHARACTERS = 400
NAME_LINE_CHARACTERS = 120  # of a line that names an event
FACT_CHARACTERS = 1000
#: Of all sheets of a workbook, the empty ones between two that are not counted as well.
SHEET_ROWS = 120_000
FINDINGS = 200  # of one code; the rest is counted

#: Rating lists are streamed and have their own limits: the FIDE list has over a million players.
LIST_BYTES = 2048 * MEGABYTE
LIST_PLAYERS = 5_000_000
LIST_LINE_BYTES = 16 * 1024
#: Zipped lists unpack to some ten times their size; fixed widths with many blanks to thirty.
LIST_RATIO = 60
#: Rows that cannot be read, or hold nothing: no real list has so many.
LIST_BAD_ROWS = 100_000
#: Of XML in which no player ends.
LIST_GAP_BYTES = 512 * 1024


def check_size(data: bytes) -> None:
    if len(data) > FILE_BYTES:
        raise EventRejected([codes.FILE_TOO_LARGE.at("file", f"{len(data):,} bytes; the limit is {FILE_BYTES:,}")])


def check_count(what: str, found: int, limit: int, where: Place | str = "file") -> None:
    if found > limit:
        raise EventRejected([codes.OVER_LIMIT.at(where, f"{found:,} {what}; the limit is {limit:,}")])


def check_cells(rows: Sequence[Sequence[object]], where: Place | str) -> None:
    check_count("players", len(rows), PLAYERS, where)
    check_count("rounds", max((len(row) for row in rows), default=0), ROUNDS, where)
    check_count("round cells", sum(len(row) for row in rows), CELLS, where)


def check_event(event: Event) -> None:
    """Check the counts of an event document, which is read whole, before anything is made of it."""
    check_count("sections", len(event.sections), SECTIONS)
    check_count("players", sum(len(section.players) for section in event.sections), PLAYERS)
    check_count("games", sum(len(section.games) for section in event.sections), CELLS)
