"""SwissSys 11 tournament files (`.sjson`) and its web report, read loosely: only the structure is known."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, encoding, fields, file_ratings, limits
from crosstable.formats.base import Reading
from crosstable.formats.crosstable import ReportRow, RoundCell, number_in
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, Place, Player, Section

NAME = "swisssys"

_RESULTS = {"+": "W", "-": "L", "−": "L", "=": "D", "W": "W", "L": "L", "D": "D", "1": "W", "0": "L"}
#: A section's `Type`; 0 is a Swiss.
_ROUND_ROBIN = "3"
_CONTROLS = ("timecontrol", "timecontrols", "tc")
#: A second federation's id and rating, and whether the first rating is provisional: no one says after how many games.
_NOTES = {"state": "state", "sex": "sex", "title": "playertitle", "id2": "id2", "rating2": "rating2"}
_BYES = {"H": "H", "B": "B", "U": "U", "X": "X", "F": "F", "Z": "Z"}


def looks_like(raw: object) -> bool:
    if not isinstance(raw, Mapping):
        return False
    names = {_key(str(name)) for name in raw}
    return "sections" in names and ("overview" in names or "format" not in names)


def read(data: bytes) -> Reading:
    text = encoding.decode(data)
    findings = list(text.findings)
    try:
        raw = json.loads(text.text, strict=False)
    except (ValueError, RecursionError) as error:
        raise EventRejected([codes.DAMAGED_FILE.at("file", f"not JSON: {error}")]) from error
    top = _lower(raw)
    sections = top.get("sections")
    if not isinstance(sections, list):
        raise EventRejected([codes.DAMAGED_FILE.at("file", "no list of sections")])
    limits.check_count("sections", len(sections), limits.SECTIONS)
    about = {**top, **_lower(top.get("overview"))}
    start = _day(about, ("startingdate", "startdate", "begindate", "begin", "start", "date", "dates"), findings)
    end = _day(about, ("endingdate", "enddate", "end", "finish"), findings) or start
    read_sections = [
        _section(place, _lower(row), about, (start, end), findings) for place, row in enumerate(sections, start=1)
    ]
    limits.check_count("players", sum(len(section.players) for section in read_sections), limits.PLAYERS)
    event = Event(
        _text(about, ("tournamentname", "tournamenttitle", "eventname", "title", "name", "tournament")),
        start,
        end,
        tuple(read_sections),
        city=_text(about, ("eventcity", "city")),
        state=_text(about, ("eventstate", "state")),
        country=_text(about, ("eventcountry", "country")),
        affiliate=_text(about, ("affiliate", "affiliateid")),
        chief_td=_text(about, ("chieftd", "chieftdid", "tdid")),
    )
    return Reading(NAME, event, tuple(findings))


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _lower(raw: object) -> dict[str, Any]:
    """Keys without case, blanks and punctuation: `Pair number` and `pairNumber` are one."""
    return {_key(str(name)): value for name, value in raw.items()} if isinstance(raw, Mapping) else {}


def _text(row: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = row.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
            return encoding.clean(str(value)[:200])
    return ""


def _day(row: Mapping[str, Any], names: Sequence[str], findings: list[Finding]) -> date | None:
    text = _text(row, names)
    days = dates.candidates(text)
    if text and not days:
        findings.append(codes.UNREADABLE_DATE.at("overview", repr(text[:40])))
    return days[-1] if days else None  # an American program: the month stands first


def _section(
    place: int,
    row: Mapping[str, Any],
    about: Mapping[str, Any],
    dated: tuple[date | None, date | None],
    findings: list[Finding],
) -> Section:
    where = Place(section=place)
    control = _text(row, ("sectiontimecontrol", *_CONTROLS)) or _text(about, ("tournamenttimecontrols", *_CONTROLS))
    mode = "online" if _text(about, ("eventformat",)).lower() == "online" else "otb"
    key = file_ratings.main_pool(control or None, mode)
    round_robin = _text(row, ("type",)) == _ROUND_ROBIN
    players, rows = _entries(row.get("players"), key, where, findings)
    paired = crosstable.pair(rows, round_robin=round_robin)
    findings += paired.findings
    return Section(
        place,
        _text(row, ("sectiontitle", "sectionname", "name", "title", "section")),
        *dated,
        tuple(
            replace(p, notes={**p.notes, "byes": dict(paired.byes[p.number])}) if p.number in paired.byes else p
            for p in players
        ),
        tuple(paired.games),
        mode=mode,
        kind="round-robin" if round_robin or paired.by_column else "swiss",
        colors=paired.colors,
        time_control=control or None,
        notes={"rounds": max((len(row_.cells) for row_ in rows), default=0)},
    )


def _entries(given: Any, key: str, where: Place, findings: list[Finding]) -> tuple[list[Player], list[ReportRow]]:
    """Return the players of a section and their rows of results."""
    players: list[Player] = []
    rows: list[ReportRow] = []
    entries = given if isinstance(given, list) else []
    limits.check_count("players", len(entries), limits.PLAYERS, where)
    count = 0
    for index, entry in enumerate(entries, start=1):
        record = _lower(entry)
        number = _text(record, ("pairnumber", "pairingnumber", "pairno", "number", "no")) or str(index)
        if not re.fullmatch(r"\d{1,4}", number) or not int(number):
            findings.append(codes.INVALID_NUMBER.at(where.within(f"player at place {index}"), repr(number[:40])))
            continue
        who = where.at(players=(int(number),))
        players.append(_player(int(number), record, key, who, findings))
        rows.append(ReportRow(int(number), _cells(record, who, findings), who))
        count += len(rows[-1].cells)
        limits.check_count("round cells", count, limits.CELLS, where)
    limits.check_cells([row_.cells for row_ in rows], where)
    return players, rows


def _player(number: int, record: Mapping[str, Any], key: str, where: Place, findings: list[Finding]) -> Player:
    rating = _text(record, ("rating", "rating1"))
    found = file_ratings.shown_rating(rating)
    if rating and not found and rating.upper().rstrip(".") not in ("UNR", "NEW", "UNRATED"):
        findings.append(codes.UNREADABLE_RATING.at(where, f"{rating[:40]!r} cannot be read as a rating"))
    ratings = {key: found} if found and found.rating else {}
    notes: dict[str, object] = {note: _text(record, (name,)) for note, name in _NOTES.items()}
    born = _text(record, ("birthdate", "birthday"))
    days = dates.candidates(born)
    if not days and re.fullmatch(r"(?:19|20)\d\d", born):
        notes["birth_year"] = int(born)
    if record.get("provisional") is True:
        notes["provisional"] = True
    return Player(
        number,
        fields.identity(_text(record, ("id", "id1", "memid", "uscfid"))),
        _text(record, ("name", "playername")),
        birth_date=days[-1] if days else None,
        ratings=ratings,
        notes={name: value for name, value in notes.items() if value not in ("", "0")},
    )


def _cells(record: Mapping[str, Any], where: Place, findings: list[Finding]) -> list[RoundCell | None]:
    """`+;12;W;3;0;0;1.0` for each round; or, in the web report, parallel lists of results, opponents and colours."""
    results = record.get("results")
    if isinstance(results, str):
        results = [part for part in re.split(r"[|\s,]+", results) if part] if ";" in results else list(results)
    if not isinstance(results, list):
        return []
    opponents, colors = _list(record.get("ops")), _list(record.get("colors"))
    row: list[RoundCell | None] = []
    for round_, raw in enumerate(results, start=1):
        parts = [part.strip() for part in str(raw)[:100].split(";")]
        if len(parts) == 1:
            place = round_ - 1
            parts += [opponents[place] if place < len(opponents) else "", colors[place] if place < len(colors) else ""]
        try:
            row.append(_cell(parts))
            if row[-1] is None and re.fullmatch(r"0*[1-9]\d{0,3}", parts[1]):
                findings.append(
                    codes.NO_RESULT.at(where.at(round=round_), f"paired with {parts[1]}", opponent=number_in(parts[1]))
                )
        except ValueError:
            row.append(None)
            findings.append(codes.UNREADABLE_CELL.at(where.at(round=round_), repr(str(raw)[:40]), cell=str(raw)[:40]))
    while row and row[-1] is None:
        row.pop()
    return row


def _list(raw: object) -> list[str]:
    if isinstance(raw, str):
        return raw.split(",") if "," in raw else list(raw)
    return [str(item).strip() for item in raw] if isinstance(raw, list) else []


def _cell(parts: Sequence[str]) -> RoundCell | None:
    result, opponent, color = parts[0].upper().strip("\0"), parts[1], parts[2][:1].lower() if len(parts) > 2 else ""
    if result in ("", "~", "NULL", "NONE"):
        return None
    number = int(opponent) if re.fullmatch(r"\d{1,4}", opponent) else 0
    color = color if color in ("w", "b") else ""
    if result in _RESULTS and number:
        return RoundCell(_RESULTS[result], number, color)
    if result in ("X", "F", "Z"):
        return RoundCell(result, number, color if number else "")
    if result in _BYES:
        return RoundCell(_BYES[result])
    raise ValueError(result)


def _is_ours(content: Content) -> bool:
    """Only our own document lists games; without its `format` it still is one, and no SwissSys file without results."""
    if not content.begins_json or b"crosstable-event/" in content.data:
        return False
    raw = content.json
    if not isinstance(raw, Mapping) or not looks_like(raw):
        return False
    sections = raw.get("sections")
    return not (isinstance(sections, list) and any(isinstance(one, dict) and "games" in one for one in sections))


FORMATS = (Format(NAME, "SwissSys tournament (sjson)", (".sjson",), _is_ours, read=lambda content: read(content.data)),)
