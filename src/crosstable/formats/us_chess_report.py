"""The US Chess rating report: THEXPORT, TSEXPORT and TDEXPORT, dBASE III, format 2C; the 1991 layout is read too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import archive, codes, crosstable, dates, dbf, fields, file_ratings, limits, losses
from crosstable.formats.base import Reading, Written
from crosstable.formats.crosstable import Cell, Row
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, Game, Player, Section

NAME = "us-chess-report"

_HEADER = (
    ("H_FORMAT", 5), ("H_PROGRAM", 10), ("H_EVENT_ID", 12), ("H_NAME", 35), ("H_TOT_SECT", 2), ("H_BEG_DATE", 8),
    ("H_END_DATE", 8), ("H_AFF_ID", 8), ("H_CITY", 21), ("H_STATE", 2), ("H_ZIPCODE", 10), ("H_COUNTRY", 21),
    ("H_SENDCROS", 1), ("H_CTD_ID", 8), ("H_ATD_ID", 8), ("H_OTHER_TD", 254),
)  # fmt: skip
_SECTION = (
    ("S_EVENT_ID", 12), ("S_SEC_NUM", 2), ("S_SEC_NAME", 30), ("S_R_SYSTEM", 1), ("S_TIMECTL", 40), ("S_CTD_ID", 8),
    ("S_ATD_ID", 8), ("S_TRN_TYPE", 1), ("S_TOT_RNDS", 2), ("S_LST_PAIR", 4), ("S_BEG_DATE", 8), ("S_END_DATE", 8),
    ("S_SCH_LVL", 1), ("S_GR_PRIX", 1), ("S_GP_PTS", 3), ("S_FIDE", 1),
)  # fmt: skip
_DETAIL = (
    ("D_EVENT_ID", 12), ("D_SEC_NUM", 2), ("D_PAIR_NUM", 4), ("D_MEM_ID", 8), ("D_NAME", 30), ("D_STATE", 2),
    ("D_RATING", 4),
)  # fmt: skip

_KINDS = {"S": "swiss", "2": "swiss", "R": "round-robin", "M": "match", "C": "other", "O": "other"}
_TYPES = {"swiss": "S", "round-robin": "R", "match": "M", "other": "C", "fide": "S"}
_CELL = re.compile(r"([A-Z$#%])\s*(\d{0,4})\s*([WB]?)")
_PLAYED, _FORFEITS, _BYES, _ASYMMETRIC = "WLD", "XFZ", "BHU", "NSR"
#: SwissSys double-game cells: one letter for two games. The mirror of WW is LL, of WD is LD, of WL is LW.
_DOUBLE = {"$": "WW", "#": "WD", "W": "WL", "%": "DD", "D": "LD", "L": "LL"}
_MOST_ROUNDS = 99

#: Section fields that the document has no place for, kept in the notes under these names.
_SECTION_NOTES = {
    "rating_system": "S_R_SYSTEM", "chief_td": "S_CTD_ID", "assistant_td": "S_ATD_ID", "school_level": "S_SCH_LVL",
    "grand_prix": "S_GR_PRIX", "grand_prix_points": "S_GP_PTS", "fide_rated": "S_FIDE",
}  # fmt: skip
_EVENT_NOTES = {
    "zip": "H_ZIPCODE", "assistant_td": "H_ATD_ID", "other_tds": "H_OTHER_TD", "event_id": "H_EVENT_ID",
    "send_crosstable": "H_SENDCROS",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Tables:
    header: Mapping[str, str]
    sections: Sequence[Mapping[str, str]]
    details: Sequence[Mapping[str, str]]
    legacy: bool


def is_part(data: bytes) -> bool:
    """A table of such a report, whatever its file is called."""
    return dbf.looks_like(data) and any(name in data[:600] for name in (b"H_NAME", b"S_SEC_NUM", b"D_PAIR_NUM"))


def read(files: Mapping[str, bytes]) -> Reading:
    """The event of the three tables, recognised by their fields."""
    findings: list[Finding] = []
    tables = _tables(files, findings)
    event = _event(tables, findings)
    return Reading(NAME, event, tuple(findings))


def _tables(files: Mapping[str, bytes], findings: list[Finding]) -> _Tables:
    places = _places(files)
    missing = [part for part, names in places.items() if not names]
    if missing:
        raise EventRejected([codes.MISSING_FILE.at("report", f"{part} is not there") for part in missing])
    found = {part: dbf.read(files[names[0]], names[0]) for part, names in places.items()}
    header, sections, details = found["THEXPORT"], found["TSEXPORT"], found["TDEXPORT"]
    findings += (finding for table in found.values() for finding in table.findings)
    if len(header.records) != 1:
        raise EventRejected(
            [*findings, codes.DAMAGED_FILE.at("THEXPORT", f"{len(header.records)} rows instead of one")]
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
    twice = [f"{part} is there as {', '.join(names[:9])}" for part, names in places.items() if len(names) > 1]
    if twice:
        raise EventRejected([codes.TWO_REPORTS.at("report", words) for words in twice])
    return places


def _event(tables: _Tables, findings: list[Finding]) -> Event:
    head = tables.header
    start, end = _span("THEXPORT", head, "H", findings)
    if head.get("H_TOT_SECT") and _integer(head["H_TOT_SECT"]) != len(tables.sections):
        message = f"{head['H_TOT_SECT']} announced, {len(tables.sections)} there"
        findings.append(codes.SECTION_COUNT.at("THEXPORT", message))
    rows: dict[int, list[Mapping[str, str]]] = defaultdict(list)
    for record in tables.details:
        rows[_integer(record.get("D_SEC_NUM", "")) or 1].append(record)
    sections = [_section(i, record, rows, (start, end), findings) for i, record in enumerate(tables.sections, start=1)]
    orphans = set(rows) - {section.number for section in sections}
    for number in sorted(orphans):
        message = f"{len(rows[number])} players of section {number}, which is not in TSEXPORT"
        findings.append(codes.DAMAGED_FILE.at("TDEXPORT", message))
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
        notes={name: head[field] for name, field in _EVENT_NOTES.items() if head.get(field)},
    )


def _section(
    index: int,
    record: Mapping[str, str],
    rows: Mapping[int, list[Mapping[str, str]]],
    dated: tuple[date | None, date | None],
    findings: list[Finding],
) -> Section:
    number = _integer(record.get("S_SEC_NUM", "")) or index
    where = f"section {number}"
    start, end = _span(where, record, "S", findings)
    kind = record.get("S_TRN_TYPE", "S")
    control = record.get("S_TIMECTL", "")
    key = file_ratings.main_pool(control) if control else file_ratings.LETTERS.get(record.get("S_R_SYSTEM", ""), "OTBR")
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
    notes: dict[str, object] = {name: record[field] for name, field in _SECTION_NOTES.items() if record.get(field)}
    notes["rounds"] = max((len(row.cells) for row in table), default=0)
    return Section(
        number,
        record.get("S_SEC_NAME", ""),
        start or dated[0],  # readings 10: sections without dates take the event's
        end or dated[1],
        tuple(_with_byes(player, paired.byes) for player in players),
        tuple(paired.games),
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
    where: str, records: Sequence[Mapping[str, str]], key: str, double: bool, findings: list[Finding]
) -> tuple[list[Player], list[Row]]:
    players: dict[int, Player] = {}
    cells: dict[int, list[Cell | None]] = {}
    twice: list[Player] = []
    for record in sorted(records, key=lambda record: record.get("D_REC_SEQ", "")):  # 1991: rounds 11–20 in a second row
        number = _integer(record.get("D_PAIR_NUM", ""))
        if not number:
            findings.append(
                codes.INVALID_NUMBER.at(where, f"{record.get('D_PAIR_NUM', '')!r} of {record.get('D_NAME', '')}")
            )
            continue
        place = f"{where}, player {number}"
        own = _cells(place, record, double, findings)
        if record.get("D_REC_SEQ", "1") not in ("", "1") and number in cells:
            cells[number] += own
        elif number in players:
            twice.append(_player(record, number, key, place, findings))
        else:
            players[number], cells[number] = _player(record, number, key, place, findings), own
    table = [Row(number, row, f"{where}, player {number}") for number, row in cells.items()]
    return [*players.values(), *twice], table


def _player(record: Mapping[str, str], number: int, key: str, where: str, findings: list[Finding]) -> Player:
    rating = record.get("D_RATING", "")
    ratings = {}
    if found := file_ratings.shown_rating(rating):
        ratings = {key: found} if found.rating else {}
    elif rating and rating.upper() not in ("UNR", "UNRA", "NEW"):
        findings.append(codes.UNREADABLE_RATING.at(where, repr(rating)))
    notes = {"state": record["D_STATE"]} if record.get("D_STATE") else {}
    return Player(
        number, fields.identity(record.get("D_MEM_ID", "")), record.get("D_NAME", ""), ratings=ratings, notes=notes
    )


def _cells(where: str, record: Mapping[str, str], double: bool, findings: list[Finding]) -> list[Cell | None]:
    names = sorted((name for name in record if re.fullmatch(r"D_RND\d\d", name)), key=lambda name: int(name[5:]))
    row: list[Cell | None] = []
    for name in names:
        text = record[name].upper()
        place = f"{where}, round {int(name[5:])}"
        try:
            row += _double_cell(text) if double else [_cell(text)]
        except ValueError:
            code = codes.ASYMMETRIC_RESULT if text[:1] in _ASYMMETRIC else codes.UNREADABLE_CELL
            findings.append(code.at(place, repr(record[name])))
            row += [None, None] if double else [None]
    return row


def _cell(text: str) -> Cell | None:
    """`W12B`. Raises ValueError for what no document explains."""
    if not text:
        return None
    match = _CELL.fullmatch(text)
    if not match:
        raise ValueError(text)
    letter, opponent, color = match[1], int(match[2] or 0), match[3].lower()
    if letter in _PLAYED and opponent:
        return Cell(letter, opponent, color)
    if letter in _FORFEITS:
        return Cell(letter, opponent, color if opponent else "")
    if letter in _BYES:
        return Cell(letter)
    raise ValueError(text)


def _double_cell(text: str) -> list[Cell | None]:
    match = _CELL.fullmatch(text)
    if not text or not match or match[1] not in _DOUBLE or not int(match[2] or 0):
        cell = _cell(text)
        return [cell, cell]
    outcomes, opponent, color = _DOUBLE[match[1]], int(match[2]), match[3].lower()
    return [Cell(outcomes[0], opponent, color), Cell(outcomes[1], opponent, {"w": "b", "b": "w"}.get(color, ""))]


def _own_rounds(where: str, table: list[Row], announced: int | None, findings: list[Finding]) -> list[Row]:
    """Shorter sections are padded with U0 up to the longest: a section keeps its own number of rounds."""
    used = max(
        (n for row in table for n, cell in enumerate(row.cells, start=1) if cell and cell.outcome != "U"), default=0
    )
    width = max((len(row.cells) for row in table), default=0)
    if announced is not None and (used > announced or (table and width < announced)):
        findings.append(codes.ROUND_COUNT.at(where, f"{announced} rounds announced, {used or width} in the table"))
    keep = max(used, width if announced is None else min(announced, width))
    return [replace(row, cells=row.cells[:keep]) for row in table]


def _span(
    where: str, record: Mapping[str, str], letter: str, findings: list[Finding]
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


def held(event: Event) -> Event:
    """The event as a report can hold it. Raises EventRejected where no report is possible."""
    limits.check_count("sections", len(event.sections), _MOST_ROUNDS)
    numbers = [section.number for section in event.sections]
    in_order = len(set(numbers)) == len(numbers) and all(0 < number <= _MOST_ROUNDS for number in numbers)
    sections = [
        _held_section(section, section.number if in_order else place, event)
        for place, section in enumerate(event.sections, start=1)
    ]
    widths = dict(_HEADER)
    notes = {
        name: text
        for name, field in _EVENT_NOTES.items()
        if (text := fields.ascii_text(fields.note_text(event.notes, name), widths[field]))
    }
    return Event(
        fields.ascii_text(event.name, 35),
        event.start,
        event.end,
        tuple(sections),
        city=fields.ascii_text(event.city, 21),
        state=fields.ascii_text(event.state, 2),
        country=fields.ascii_text(event.country, 21),
        affiliate=_short(event.affiliate),
        chief_td=_short(event.chief_td),
        notes=notes,
    )


def _short(id_: str) -> str:
    """An affiliate's or a director's id; half of one would be somebody else's."""
    text = fields.ascii_text(id_, 100)
    return text if len(text) <= 8 else ""


def _held_section(section: Section, number: int, event: Event) -> Section:
    crosstable.require_table(section)
    forfeits: dict[int, dict[str, str]] = defaultdict(dict)
    played: list[Game] = []
    for game in crosstable.fitted(section.games):
        if game.played:
            played.append(game)
        else:  # in every real file forfeits name no opponent
            for player, name in zip((game.white, game.black), _forfeit(game), strict=True):
                forfeits[player][str(game.round)] = name
    with_byes = tuple(
        replace(p, notes={**p.notes, "byes": {**crosstable.player_byes(p.notes), **forfeits[p.number]}})
        for p in section.players
    )
    settled = crosstable.settled(replace(section, games=tuple(played), players=with_byes))
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, _MOST_ROUNDS, f"section {section.number}")
    control = fields.ascii_text(section.time_control or "", 1000)
    control = control if len(control) <= 40 else ""  # half a time control would be another one
    widths = dict(_SECTION)
    notes: dict[str, object] = {
        name: text
        for name, field in _SECTION_NOTES.items()
        if (text := fields.ascii_text(fields.note_text(section.notes, name), widths[field]))
    }
    notes["rounds"] = width
    key = (
        file_ratings.main_pool(control)
        if control
        else file_ratings.LETTERS.get(str(notes.get("rating_system", "")), "OTBR")
    )
    return Section(
        number,
        fields.ascii_text(section.name, 30),
        section.start or event.start,
        section.end or event.end,
        tuple(_held_player(player, key) for player in settled.players),
        settled.games,
        kind=section.kind if section.kind in ("swiss", "round-robin", "match", "other") else "swiss",
        colors=settled.colors,
        time_control=control or None,
        notes=notes,
    )


def _forfeit(game: Game) -> tuple[str, str]:
    if game.notes.get("drawn"):
        return "forfeit-draw", "forfeit-draw"
    white = {"+/-": "forfeit-win"}.get(game.result, "forfeit-loss")
    black = {"-/+": "forfeit-win"}.get(game.result, "forfeit-loss")
    return white, black


def _held_player(player: Player, key: str) -> Player:
    notes: dict[str, object] = {}
    if state := fields.ascii_text(fields.note_text(player.notes, "state"), 2):
        notes["state"] = state
    if byes := {r: "full" if name == "pairing" else name for r, name in crosstable.player_byes(player.notes).items()}:
        notes["byes"] = dict(sorted(byes.items(), key=lambda bye: int(bye[0])))
    return Player(
        player.number,
        fields.identity(player.id, 8) if player.id.isascii() else "",
        fields.ascii_text(player.name, 30),
        ratings=file_ratings.only_rating(player.ratings, key),
        notes=notes,
    )


def write_files(event: Event) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """The three tables by name, and what they could not hold."""
    kept = held(event)
    width = max((crosstable.rounds(section) for section in kept.sections), default=0)
    header = {
        "H_FORMAT": "2C", "H_PROGRAM": "CROSSTABLE", "H_NAME": kept.name, "H_TOT_SECT": str(len(kept.sections)),
        "H_BEG_DATE": dates.compact(kept.start), "H_END_DATE": dates.compact(kept.end), "H_AFF_ID": kept.affiliate,
        "H_CITY": kept.city, "H_STATE": kept.state, "H_COUNTRY": kept.country, "H_CTD_ID": kept.chief_td,
        **{field: str(kept.notes.get(name, "")) for name, field in _EVENT_NOTES.items()},
    }  # fmt: skip
    rounds = [(f"D_RND{n:02}", 7) for n in range(1, width + 1)]
    files = {
        "THEXPORT.DBF": dbf.write(_fields(_HEADER), [header], kept.end),
        "TSEXPORT.DBF": dbf.write(_fields(_SECTION), [_section_row(section) for section in kept.sections], kept.end),
        "TDEXPORT.DBF": dbf.write(
            _fields((*_DETAIL, *rounds)), [row for s in kept.sections for row in _detail_rows(s, width)], kept.end
        ),
    }
    return files, losses.between(event, kept)


def write(event: Event) -> Written:
    """The report as one zip archive."""
    files, lost = write_files(event)
    return Written(archive.pack(files), lost)


def _fields(widths: Sequence[tuple[str, int]]) -> list[dbf.Field]:
    return [dbf.Field(name, width) for name, width in widths]


def _section_row(section: Section) -> dict[str, str]:
    return {
        "S_SEC_NUM": str(section.number), "S_SEC_NAME": section.name, "S_TIMECTL": section.time_control or "",
        "S_TRN_TYPE": _TYPES[section.kind], "S_TOT_RNDS": str(crosstable.rounds(section)),
        "S_LST_PAIR": str(len(section.players)),
        "S_BEG_DATE": dates.compact(section.start), "S_END_DATE": dates.compact(section.end),
        **{field: str(section.notes.get(name, "")) for name, field in _SECTION_NOTES.items()},
    }  # fmt: skip


def _detail_rows(section: Section, width: int) -> list[dict[str, str]]:
    table = crosstable.cells(section)
    rows = []
    for player in section.players:
        rating = next(iter(player.ratings.values()), None)
        row = {
            "D_SEC_NUM": str(section.number), "D_PAIR_NUM": str(player.number), "D_MEM_ID": player.id,
            "D_NAME": player.name, "D_STATE": fields.note_text(player.notes, "state"),
            "D_RATING": f"{rating.rating:.0f}" if rating else "0",
        }  # fmt: skip
        cells = [*table[player.number], *[None] * width][:width]
        row.update({f"D_RND{n:02}": _cell_text(cell) for n, cell in enumerate(cells, start=1)})
        rows.append(row)
    return rows


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "U0"
    return f"{cell.outcome}{cell.opponent}{cell.color.upper()}" if cell.opponent else f"{cell.outcome}0"


def _has_parts(content: Content) -> bool:
    return is_part(content.data) or (not content.inside and any(is_part(data) for data in content.members.values()))


FORMATS = (
    Format(
        NAME,
        "US Chess rating report (three dBASE files, folder or zip)",
        (".zip",),
        _has_parts,
        read=lambda content: read(content.members or {"table": content.data}),
        write=lambda event, _: write(event),
    ),
)
