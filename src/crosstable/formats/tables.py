"""CSV, TSV, XLSX and ODS crosstables. Nothing in a cell is ever executed, and nothing that we write can be."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial

from crosstable.errors import EventRejected
from crosstable.formats import archive, codes, encoding, grid, grid_writing, limits, losses, table_heads
from crosstable.formats.base import Reading, Written
from crosstable.formats.guarded_tables import Writer, workbook
from crosstable.formats.registry import Content, Format
from crosstable.formats.table_blocks import NO_VALUE, Grid
from crosstable.model import Event, Finding, Place

CSV, TSV, XLSX, ODS = "csv", "tsv", "xlsx", "ods"
_DELIMITERS = ("\t", ",", ";", "|")
_LINE_END = re.compile(r"\r\n|\r|\n")
_MOST_COLUMNS = limits.ROUNDS + 50
_CELL_LINES = 6
_SHEET = "sheet "
#: A cell in quotation marks, doubled inside; what stands behind the closing one belongs to it, as spreadsheets take it.
_QUOTED = {
    mark: re.compile(
        rf'"((?:[^"]++|"")*+)"([^{re.escape(mark)}]*+)(?={re.escape(mark)}|\Z)'
        if mark != "\t"
        else r'"((?:[^"]++|"")*+)"'
    )
    for mark in _DELIMITERS
}
#: A formula in a sheet's XML; behind it a value, an empty one, or none.
_FORMULA = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_PLACE = re.compile(rb'\br="([A-Z]{1,3})([0-9]{1,7})"')
_ENTITIES = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def unquoted(cell: str) -> str:
    """Take off the apostrophe that `guarded_tables` writes, also from digits, before which people type one."""
    return cell[1:] if re.match(r"'['=+@\t\r\d-]", cell) else cell


def looks_like_xlsx(members: Mapping[str, bytes]) -> bool:
    return "[Content_Types].xml" in members and any(name.startswith("xl/") for name in members)


def looks_like_ods(members: Mapping[str, bytes]) -> bool:
    return members.get("mimetype", b"").startswith(b"application/vnd.oasis.opendocument.spreadsheet")


def delimiter(text: str) -> str | None:
    """Return the delimiter under which some row of the beginning is the head of a crosstable."""
    lines = [line[: limits.LINE_CHARACTERS] for line in _LINE_END.split(text[:100_000])[:400]]
    for mark in _DELIMITERS:
        rows = [[unquoted(cell) for cell in row[:_MOST_COLUMNS]] for _, row, _ in rows_of(lines, mark)]
        for row in table_heads.heads_as_numbers(rows):
            columns = table_heads.header(row)
            if columns is not None and (mark != "|" or columns.rounds):  # pasted pages have bars as well
                return mark
    return None


def split_line(line: str, mark: str) -> tuple[list[str], str]:
    """Return the cells of one line, and the cell whose quotation mark may have swallowed others or never closes, if
    any.

    A quotation mark counts only where it opens a cell and closes it: `"Doe, Jane"`. Between tabs it is needed nowhere,
    so that there a cell ends at the next tab whatever stands in it.
    """
    if '"' not in line:
        return line.split(mark), ""
    cells: list[str] = []
    odd = ""
    if mark == "\t":
        for cell in line.split(mark):
            whole = _QUOTED[mark].fullmatch(cell)
            if cell.startswith('"') and cell.count('"') % 2:
                odd = odd or cell
            cells.append(whole[1].replace('""', '"') if whole else cell)
        return cells, odd
    place = 0
    while True:
        match = _QUOTED[mark].match(line, place)
        end = match.end() if match else line.find(mark, place)
        cell = line[place : end if end >= 0 else len(line)]
        if match:
            if match[2] and mark in match[1]:
                odd = odd or cell
            cells.append(match[1].replace('""', '"') + match[2])
        else:
            if cell.startswith('"'):
                odd = odd or cell
            cells.append(cell)
        if end < 0 or end >= len(line):
            return cells, odd
        place = end + 1


def rows_of(lines: Sequence[str], mark: str) -> Iterator[tuple[int, list[str], str]]:
    """Line number, cells, and what is odd about its quotation marks.

    A cell may go over a few lines, as spreadsheets write `"Rnd<line end>1"`; but one that would swallow the cells of
    the next line does not: its quotation mark is a stray.
    """
    place, tries = 0, limits.FINDINGS
    while place < len(lines):
        first = place
        cells, odd = split_line(lines[first].rstrip(" " + mark), mark)
        place += 1
        tries -= bool(odd)
        if odd and mark != "\t" and tries >= 0:
            for more in range(1, _CELL_LINES):
                joined = "\n".join(lines[first : first + more + 1])
                if first + more >= len(lines) or len(joined) > 10_000:
                    break
                longer, still = split_line(joined.rstrip(" " + mark), mark)
                if not still and not any("\n" in cell and mark in cell for cell in longer):
                    cells, odd, place = longer, next(cell for cell in longer if "\n" in cell), first + more + 1
                    break
        yield first + 1, cells, odd


def first_sheets(content: Content) -> list[tuple[str, Grid]]:
    """Return the first rows of a workbook's sheets: enough to know their heads. Nothing of a file that is none."""
    if not looks_like_xlsx(content.members) and not looks_like_ods(content.members):
        return []
    try:
        return sheets_of(content.data, [], most=40)
    except EventRejected:  # the reader says why
        return []


def first_rows(content: Content) -> Iterator[list[str]]:
    """Yield the first rows of a text that holds a table: enough to know its head."""
    lines = [line[: limits.LINE_CHARACTERS] for line in _LINE_END.split(content.text[:20_000])[:40]]
    for mark in _DELIMITERS:
        for _, row, _ in rows_of(lines, mark):
            yield [unquoted(cell) for cell in row[:_MOST_COLUMNS]]


def delimited_rows(data: bytes, findings: list[Finding], mark: str | None = None) -> Grid:
    """Return the cells of a text, line by line, by the delimiter that most of its lines have."""
    text = encoding.decode(data)
    findings += text.findings
    limits.check_count("lines", text.text.count("\n") + text.text.count("\r"), 2 * limits.LINES)
    lines = text.lines
    limits.check_count("characters in a line", max(map(len, lines)), limits.LINE_CHARACTERS)
    mark = mark or max(_DELIMITERS, key=lambda one: sum(one in line for line in lines[:400]))
    rows: Grid = []
    for line, cells, odd in rows_of(lines, mark):
        limits.check_count("columns", len(cells), _MOST_COLUMNS, Place(line=line))
        if odd:
            findings.append(codes.STRAY_QUOTE.at(Place(line=line), repr(odd[:60])))
        rows += [[]] * (line - 1 - len(rows))  # so that a row's number is that of its line
        rows.append([unquoted(cell) for cell in cells])
    return rows


def _read_delimited(content: Content) -> Reading:
    mark = delimiter(encoding.decode(content.data).text) or ","
    findings: list[Finding] = []
    event = grid.event_of([("table", delimited_rows(content.data, findings, mark))], findings)
    return Reading(TSV if mark == "\t" else CSV, event, tuple(findings))


def workbook_rows(data: bytes, findings: list[Finding], most: int = limits.LINES) -> Grid:
    """Return the rows of the first sheet that has any."""
    sheets = sheets_of(data, findings, most)
    return next((rows for _, rows in sheets if rows), [])


def _read_workbook(content: Content) -> Reading:
    findings: list[Finding] = []
    sheets = sheets_of(content.data, findings)
    tables = [
        (title, rows) for title, rows in sheets if any(map(table_heads.header, table_heads.heads_as_numbers(rows)))
    ]
    findings += say_unread(sheets, [title for title, _ in tables]) if tables else ()
    name = ODS if looks_like_ods(content.members) else XLSX
    return Reading(name, grid.event_of(tables, findings), tuple(findings))


def title_of(sheet: str) -> str:
    """Return the title of a sheet, without the word that findings put before it."""
    return sheet.removeprefix(_SHEET)


def say_unread(sheets: Sequence[tuple[str, Grid]], read: Collection[str]) -> Iterator[Finding]:
    """Sheets that hold something and that no one reads."""
    for name, rows in sheets:
        if name not in read and any(cell.strip() for row in rows for cell in row):
            yield codes.SHEET_IGNORED.at(
                Place(sheet=title_of(name)), "no row names the columns of a table, so it is not used"
            )


def sheets_of(data: bytes, findings: list[Finding], most: int = limits.LINES) -> list[tuple[str, Grid]]:
    """Return the sheets of a workbook, each called `sheet` and its title, with its rows."""
    members = archive.unpack(data)
    parts = ("xl/worksheets/", "xl/sharedStrings", "xl/styles", "xl/workbook")
    size = sum(len(content) for name, content in members.items() if name.startswith(parts))
    limits.check_count("bytes of sheets and strings", size, limits.SHEET_BYTES)
    for name, content in members.items():
        if _ENTITIES.search(content.replace(b"\0", b"")):
            raise EventRejected([codes.XML_REFUSED.at(name, "a document type or entity declaration")])
    if looks_like_ods(members):
        from crosstable.formats import open_document

        return open_document.sheets(members, most, _MOST_COLUMNS)
    return _sheets(data, members, findings, most)


def _sheets(data: bytes, members: Mapping[str, bytes], findings: list[Finding], most: int) -> list[tuple[str, Grid]]:
    from openpyxl import load_workbook

    sheets: list[tuple[str, Grid]] = []
    try:
        # openpyxl's remarks about styles, some of them printed, say nothing about the event
        with warnings.catch_warnings(action="ignore"), contextlib.redirect_stdout(io.StringIO()):
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
            contents = [members.get(getattr(sheet, "_worksheet_path", ""), b"") for sheet in book.worksheets]
            # a workbook may name one sheet many times
            limits.check_count("bytes of sheets", sum(map(len, contents)), limits.SHEET_BYTES)
            left = limits.SHEET_ROWS
            for sheet, content in zip(book.worksheets, contents, strict=True):
                cells = sheet.iter_rows(max_row=most, max_col=_MOST_COLUMNS, values_only=True)
                rows = []
                for row in cells:
                    left -= 1
                    if left < 0:
                        limits.check_count("rows", limits.SHEET_ROWS + 1, limits.SHEET_ROWS, "workbook")
                    rows.append(_row(row))
                rows = _trimmed(_with_formulas(rows, content))
                sheets.append((f"{_SHEET}{encoding.clean(sheet.title)}", rows))
    except EventRejected:
        raise
    except (
        Exception
    ) as error:  # openpyxl raises whatever the damaged XML makes of it: KeyError, ValueError, TypeError …
        message = f"not a readable workbook: {type(error).__name__}"
        raise EventRejected([*findings, codes.DAMAGED_FILE.at("file", message)]) from error
    return sheets


def _with_formulas(rows: Grid, content: bytes) -> Grid:
    """Formulas without a stored value marked, so that a result that one would give is missed and not overlooked."""
    for cell in _FORMULA.finditer(content):
        place = _PLACE.search(cell[1])
        if place is None or (cell[2] and b't="str"' in cell[1]):  # it comes to an empty text
            continue
        column = 0
        for letter in place[1]:
            column = 26 * column + letter - 64
        line = int(place[2])
        if line <= len(rows) and column <= _MOST_COLUMNS:
            row = rows[line - 1]
            row += [""] * (column - len(row))
            row[column - 1] = row[column - 1] or NO_VALUE
    return rows


def _row(values: Sequence[object]) -> list[str]:
    """Without the empty cells at its end."""
    last = max((place for place, value in enumerate(values, start=1) if value is not None), default=0)
    return [unquoted(_text(value)) for value in values[:last]]


def _trimmed(rows: Grid) -> Grid:
    """Without the empty rows that a sheet's styles stretch to the bottom."""
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value)


def _write_delimited(event: Event, _: int | None, *, mark: str) -> Written:
    kept = grid_writing.writable_event(event)
    buffer = io.StringIO()
    writer = Writer(buffer, mark=mark)
    for place, (_title, rows) in enumerate(grid_writing.grids_of(kept)):
        if place:
            writer.row([])
        writer.rows(rows)
    return Written(buffer.getvalue().encode("utf-8"), losses.between(event, kept))


#: What a sheet's title may not have, or might not
_PUNCTUATION = re.compile(r"[^\w ]")


def _write_xlsx(event: Event, _: int | None) -> Written:
    kept = grid_writing.writable_event(event)
    sheets = [
        (f"{place} {_PUNCTUATION.sub('', title)}"[:31].strip(), rows)
        for place, (title, rows) in enumerate(grid_writing.grids_of(kept), start=1)
    ]
    return Written(workbook(sheets or [("empty", [])]), losses.between(event, kept))


_write_csv, _write_tsv = partial(_write_delimited, mark=","), partial(_write_delimited, mark="\t")


def _crosstable(
    name: str,
    words: str,
    looks_like: Callable[[Content], bool],
    read: Callable[[Content], Reading],
    write: Callable[[Event, int | None], Written] | None = None,
) -> Format:
    return Format(
        name=name,
        title=f"crosstable, {words}",
        suffixes=(f".{name}",),
        looks_like=looks_like,
        read=read,
        write=write,
        marks_provisional=True,
    )


FORMATS = (
    _crosstable(XLSX, "spreadsheet", lambda file: looks_like_xlsx(file.members), _read_workbook, _write_xlsx),
    _crosstable(ODS, "OpenDocument spreadsheet", lambda file: looks_like_ods(file.members), _read_workbook),
    _crosstable(TSV, "tab-separated", lambda file: delimiter(file.text) == "\t", _read_delimited, _write_tsv),
    _crosstable(CSV, "comma-separated", lambda file: delimiter(file.text) is not None, _read_delimited, _write_csv),
)
