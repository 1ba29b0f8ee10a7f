"""The US Chess rating report: THEXPORT, TSEXPORT and TDEXPORT, dBASE III, format 2C; the 1991 layout is read too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, dbf, fields, file_ratings, limits
from crosstable.formats.base import Reading, Written
from crosstable.formats.crosstable import ReportRow, RoundCell, number_in
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, Place, Player, Section
from crosstable.systems.us_chess.pools import MAIN

NAME = "us-chess-report"

HEADER = (
    ("H_FORMAT", 5),
    ("H_PROGRAM", 10),
    ("H_EVENT_ID", 12),
    ("H_NAME", 35),
    ("H_TOT_SECT", 2),
    ("H_BEG_DATE", 8),
    ("H_END_DATE", 8),
    ("H_AFF_ID", 8),
    ("H_CITY", 21),
    ("H_STATE", 2),
    ("H_ZIPCODE", 10),
    ("H_COUNTRY", 21),
    ("H_SENDCROS", 1),
    ("H_CTD_ID", 8),
    ("H_ATD_ID", 8),
    ("H_OTHER_TD", 254),
)
SECTION = (
    ("S_EVENT_ID", 12),
    ("S_SEC_NUM", 2),
    ("S_SEC_NAME", 30),
    ("S_R_SYSTEM", 1),
    ("S_TIMECTL", 40),
    ("S_CTD_ID", 8),
    ("S_ATD_ID", 8),
    ("S_TRN_TYPE", 1),
    ("S_TOT_RNDS", 2),
    ("S_LST_PAIR", 4),
    ("S_BEG_DATE", 8),
    ("S_END_DATE", 8),
    ("S_SCH_LVL", 1),
    ("S_GR_PRIX", 1),
    ("S_GP_PTS", 3),
    ("S_FIDE", 1),
)
DETAIL = (
    ("D_EVENT_ID", 12),
    ("D_SEC_NUM", 2),
    ("D_PAIR_NUM", 4),
    ("D_MEM_ID", 8),
    ("D_NAME", 30),
    ("D_STATE", 2),
    ("D_RATING", 4),
)

_KINDS = {"S": "swiss", "2": "swiss", "R": "round-robin", "M": "match", "C": "other", "O": "other"}
TYPES = {"swiss": "S", "round-robin": "R", "match": "M", "other": "C", "fide": "S"}
_CELL = re.compile(r"([A-Z$#%])\s*+(\d{0,4})\s*+([WB]?)")
_PLAYED, _FORFEITS, _BYES, _ASYMMETRIC = "WLD", "XFZ", "BHU", "NSR"
#: SwissSys double-game cells: one letter for two games. The mirror of WW is LL, of WD is LD, of WL is LW.
_DOUBLE = {"$": "WW", "#": "WD", "W": "WL", "%": "DD", "D": "LD", "L": "LL"}
MOST_ROUNDS = 99

#: Section fields that the document has no place for, kept in the notes under these names.
SECTION_NOTES = {
    "rating_system": "S_R_SYSTEM",
    "chief_td": "S_CTD_ID",
    "assistant_td": "S_ATD_ID",
    "school_level": "S_SCH_LVL",
    "grand_prix": "S_GR_PRIX",
    "grand_prix_points": "S_GP_PTS",
    "fide_rated": "S_FIDE",
}
EVENT_NOTES = {
    "zip": "H_ZIPCODE",
    "assistant_td": "H_ATD_ID",
    "other_tds": "H_OTHER_TD",
    "event_id": "H_EVENT_ID",
    "send_crosstable": "H_SENDCROS",
}


@dataclass(frozen=True, slots=True)
class _Tables:
    header: Mapping[str, str]
    sections: Sequence[Mapping[str, str]]
    details: Sequence[Mapping[str, str]]
    legacy: bool


def is_part(data: bytes) -> bool:
    """Tell whether this is a table of such a report, whatever its file is called."""
    return dbf.looks_like(data) and any(name in data[:600] for name in (b"H_NAME", b"S_SEC_NUM", b"D_PAIR_NUM"))


def read(files: Mapping[str, bytes]) -> Reading:
    """Return the event of the three tables, recognised by their fields."""
    findings: list[Finding] = []
    tables = _tables(files, findings)
    event = _event(tables, findings)
    return Reading(NAME, event, tuple(findings))


def _tables(files: Mapping[str, bytes], findings: list[Finding]) -> _Tables:
    places = _places(files)
    missing = [part for part, names in places.items() if not names]
    if missing:
        raise EventRejected([codes.MISSING_FILE.at("report", f"{part} is missing") for part in missing])
    found = {part: dbf.read(files[names[0]], Place(file=names[0])) for part, names in places.items()}
    header, sections, details = found["THEXPORT"], found["TSEXPORT"], found["TDEXPORT"]
    findings += (finding for table in found.values() for finding in table.findings)
    if len(header.records) != 1:
        raise EventRejected(
            [*findings, codes.DAMAGED_FILE.at(Place(file="THEXPORT"), f"{len(header.records)} rows instead of one")]
        )
    legacy = "D_REC_SEQ" in details.names or "S_K_FACTOR" in sections.names
    return _Tables(header.records[0], sections.records, details.records, legacy)


#: Each table, the field that tells it, and how many records and fields one can have.
_PARTS = (
    ("THEXPORT", "H_NAME", 100, limits.ROUNDS),
    ("TSEXPORT", "S_SEC_NUM", limits.SECTIONS, limits.ROUNDS),
    ("TDEXPORT", "D_PAIR_NUM", 2 * limits.PLAYERS, limits.ROUNDS),
)


def _places(files: Mapping[str, bytes]) -> dict[str, list[str]]:
    """Where each table is, by the headers alone: nothing is read that is too much, and no table twice."""
    places: dict[str, list[str]] = {part: [] for part, *_ in _PARTS}
    for name, data in files.items():
        if not is_part(data):
            continue
        shape = dbf.layout(data, name)
        names = {field.name for field in shape.fields}
        records = min(shape.count, (len(data) - shape.start) // shape.stride)
        for part, mark, most_records, most_fields in _PARTS:
            if mark in names:
                places[part].append(name)
                limits.check_count("fields", len(names), most_fields, name)
                limits.check_count("records", records, most_records, name)
                limits.check_count("cells", records * len(names), 4 * limits.CELLS, name)
    twice = [f"{part} appears as {', '.join(names[:9])}" for part, names in places.items() if len(names) > 1]
    if twice:
        raise EventRejected([codes.TWO_REPORTS.at("report", words) for words in twice])
    return places


def _event(tables: _Tables, findings: list[Finding]) -> Event:
    head = tables.header
    start, end = _span(Place(file="THEXPORT"), head, "H", findings)
    if head.get("H_TOT_SECT") and _integer(head["H_TOT_SECT"]) != len(tables.sections):
        message = f"{head['H_TOT_SECT']} stated, {len(tables.sections)} found"
        findings.append(codes.SECTION_COUNT.at(Place(file="THEXPORT"), message))
    rows: dict[int, list[Mapping[str, str]]] = defaultdict(list)
    for record in tables.details:
        rows[_integer(record.get("D_SEC_NUM", "")) or 1].append(record)
    sections = [_section(i, record, rows, (start, end), findings) for i, record in enumerate(tables.sections, start=1)]
    orphans = set(rows) - {section.number for section in sections}
    for number in sorted(orphans):
        message = f"{len(rows[number])} players of section {number}, which is not in TSEXPORT"
        findings.append(codes.DAMAGED_FILE.at(Place(file="TDEXPORT"), message))
    return Event(
        head.get("H_NAME", ""),
        start,
        end,
        tuple(sections),
        city=head.get("H_CITY", ""),
        state=head.get("H_STATE", ""),
        country=head.get("H_COUNTRY", ""),
        affiliate=head.get("H_AFF_ID", ""),
        chief_td=head.get("H_CTD_ID", ""),
        notes={name: head[field] for name, field in EVENT_NOTES.items() if head.get(field)},
    )


def _section(
    index: int,
    record: Mapping[str, str],
    rows: Mapping[int, list[Mapping[str, str]]],
    dated: tuple[date | None, date | None],
    findings: list[Finding],
) -> Section:
    number = _integer(record.get("S_SEC_NUM", "")) or index
    where = Place(section=number)
    start, end = _span(where, record, "S", findings)
    kind = record.get("S_TRN_TYPE", "S")
    control = record.get("S_TIMECTL", "")
    key = file_ratings.main_pool(control) if control else file_ratings.LETTERS.get(record.get("S_R_SYSTEM", ""), MAIN)
    players, table = _players(where, rows.get(number, []), key, kind == "2", findings)
    last = _integer(record.get("S_LST_PAIR", ""))
    if last and last != len(players):
        findings.append(
            codes.LAST_NUMBER.at(where, f"the last pairing number is {last}, but there are {len(players)} players")
        )
    announced = _integer(record.get("S_TOT_RNDS", ""))
    table = _own_rounds(
        where, table, announced * (2 if kind == "2" else 1) if announced is not None else None, findings
    )
    limits.check_cells([row.cells for row in table], where)
    paired = crosstable.pair(table, round_robin=kind == "R")
    findings += paired.findings
    forfeits = sum(name.startswith("forfeit") for byes in paired.byes.values() for name in byes.values())
    if forfeits:
        findings.append(codes.UNPAIRED_FORFEIT.at(where, f"{forfeits} forfeit cells name no opponent"))
    notes: dict[str, object] = {name: record[field] for name, field in SECTION_NOTES.items() if record.get(field)}
    notes["rounds"] = max((len(row.cells) for row in table), default=0)
    return Section(
        number=number,
        name=record.get("S_SEC_NAME", ""),
        start=start or dated[0],  # readings 10: sections without dates take the event's
        end=end or dated[1],
        players=tuple(_with_byes(player, paired.byes) for player in players),
        games=tuple(paired.games),
        kind=_KINDS.get(kind, "swiss"),
        weight={"H": "half", "Q": "quarter"}.get(record.get("S_K_FACTOR", ""), "full"),
        colors=paired.colors,
        time_control=control or None,
        notes=notes,
    )


def _with_byes(player: Player, byes: Mapping[int, Mapping[str, str]]) -> Player:
    return (
        replace(player, notes={**player.notes, "byes": dict(byes[player.number])}) if player.number in byes else player
    )


def _players(
    where: Place, records: Sequence[Mapping[str, str]], key: str, double: bool, findings: list[Finding]
) -> tuple[list[Player], list[ReportRow]]:
    players: dict[int, Player] = {}
    cells: dict[int, list[RoundCell | None]] = {}
    twice: list[Player] = []
    for record in sorted(records, key=lambda record: record.get("D_REC_SEQ", "")):  # 1991: rounds 11–20 in a second row
        number = _integer(record.get("D_PAIR_NUM", ""))
        if not number:
            findings.append(
                codes.INVALID_NUMBER.at(where, f"{record.get('D_PAIR_NUM', '')!r} of {record.get('D_NAME', '')}")
            )
            continue
        place = where.at(players=(number,))
        own = _cells(place, record, double, findings)
        if record.get("D_REC_SEQ", "1") not in ("", "1") and number in cells:
            cells[number] += own
        elif number in players:
            twice.append(_player(record, number, key, place, findings))
        else:
            players[number], cells[number] = _player(record, number, key, place, findings), own
    table = [ReportRow(number, row, where.at(players=(number,))) for number, row in cells.items()]
    return [*players.values(), *twice], table


def _player(record: Mapping[str, str], number: int, key: str, where: Place, findings: list[Finding]) -> Player:
    rating = record.get("D_RATING", "")
    ratings = {}
    if found := file_ratings.shown_rating(rating):
        ratings = {key: found} if found.rating else {}
    elif rating and rating.upper() not in ("UNR", "UNRA", "NEW"):
        findings.append(codes.UNREADABLE_RATING.at(where, f"{rating!r} cannot be read as a rating"))
    notes = {"state": record["D_STATE"]} if record.get("D_STATE") else {}
    return Player(
        number, fields.identity(record.get("D_MEM_ID", "")), record.get("D_NAME", ""), ratings=ratings, notes=notes
    )


def _cells(where: Place, record: Mapping[str, str], double: bool, findings: list[Finding]) -> list[RoundCell | None]:
    names = sorted((name for name in record if re.fullmatch(r"D_RND\d\d", name)), key=lambda name: int(name[5:]))
    row: list[RoundCell | None] = []
    for name in names:
        text = record[name].upper()
        place = where.at(round=int(name[5:]))
        try:
            row += _double_cell(text) if double else [_cell(text)]
        except ValueError:
            code = codes.ASYMMETRIC_RESULT if text[:1] in _ASYMMETRIC else codes.UNREADABLE_CELL
            findings.append(code.at(place, repr(record[name]), cell=record[name], opponent=number_in(record[name])))
            row += [None, None] if double else [None]
    return row


def _cell(text: str) -> RoundCell | None:
    """`W12B`. Raises ValueError for what no document explains."""
    if not text:
        return None
    match = _CELL.fullmatch(text)
    if not match:
        raise ValueError(text)
    letter, opponent, color = match[1], int(match[2] or 0), match[3].lower()
    if letter in _PLAYED and opponent:
        return RoundCell(letter, opponent, color)
    if letter in _FORFEITS:
        return RoundCell(letter, opponent, color if opponent else "")
    if letter in _BYES:
        return RoundCell(letter)
    raise ValueError(text)


def _double_cell(text: str) -> list[RoundCell | None]:
    match = _CELL.fullmatch(text)
    if not text or not match or match[1] not in _DOUBLE or not int(match[2] or 0):
        cell = _cell(text)
        return [cell, cell]
    outcomes, opponent, color = _DOUBLE[match[1]], int(match[2]), match[3].lower()
    return [
        RoundCell(outcomes[0], opponent, color),
        RoundCell(outcomes[1], opponent, {"w": "b", "b": "w"}.get(color, "")),
    ]


def _own_rounds(
    where: Place, table: list[ReportRow], announced: int | None, findings: list[Finding]
) -> list[ReportRow]:
    """Shorter sections are padded with U0 up to the longest: a section keeps its own number of rounds."""
    used = max(
        (n for row in table for n, cell in enumerate(row.cells, start=1) if cell and cell.outcome != "U"), default=0
    )
    width = max((len(row.cells) for row in table), default=0)
    if announced is not None and (used > announced or (table and width < announced)):
        findings.append(codes.ROUND_COUNT.at(where, f"{announced} rounds stated, {used or width} in the table"))
    keep = max(used, width if announced is None else min(announced, width))
    return [replace(row, cells=row.cells[:keep]) for row in table]


def _span(
    where: Place, record: Mapping[str, str], letter: str, findings: list[Finding]
) -> tuple[date | None, date | None]:
    texts = record.get(f"{letter}_BEG_DATE", ""), record.get(f"{letter}_END_DATE", "")
    found = []
    for text, days in zip(texts, dates.span(*texts), strict=True):
        if text.strip("0 /") and not days:
            findings.append(codes.UNREADABLE_DATE.at(where, repr(text)))
        found.append(days[0] if days else None)
    return found[0], found[1]


def _integer(text: str) -> int | None:
    match = re.match(r"\s*(\d{1,4})(?:\.0*)?(?!\d)", text)
    return int(match[1]) if match else None


def _write(event: Event, _: int | None) -> Written:
    from crosstable.formats.us_chess_report_writing import write

    return write(event)


def _has_parts(content: Content) -> bool:
    return is_part(content.data) or (not content.inside and any(is_part(data) for data in content.members.values()))


FORMATS = (
    Format(
        NAME,
        "US Chess rating report (three dBASE files, folder or zip)",
        (".zip",),
        _has_parts,
        read=lambda content: read(content.members or {"table": content.data}),
        write=_write,
        marks_provisional=True,
    ),
)
