"""Bytes ⇄ event document, whatever the file: `read`, `read_path`, `write`, and `detect`, by content and not by name.

Each format is a module of this package and is imported when a file needs it, so that `rate event.json` stays light.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from crosstable.errors import EventRejected
from crosstable.formats import codes, limits
from crosstable.formats.base import Reading, Written
from crosstable.formats.keys import assume_games
from crosstable.model import Event, Finding

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Format:
    title: str
    suffix: str
    writes: bool = True


#: Every event format by name. Rating lists are in `crosstable.formats.rating_lists`.
FORMATS: Mapping[str, Format] = {
    "event-json": Format("event document (JSON)", ".json"),
    "us-chess-report": Format("US Chess rating report (three dBASE files, folder or zip)", ".zip"),
    "trf": Format("FIDE report (TRF16, TRF26)", ".trf"),
    "csv": Format("crosstable, comma-separated", ".csv"),
    "tsv": Format("crosstable, tab-separated", ".tsv"),
    "xlsx": Format("crosstable, spreadsheet", ".xlsx"),
    "text-crosstable": Format("published text crosstable", ".txt"),
    "aga-report": Format("AGA results report", ".aga"),
    "swisssys": Format("SwissSys tournament (sjson)", ".sjson", writes=False),
}


def detect(data: bytes, name: str = "") -> str:  # noqa: ARG001 — callers have a name; it decides nothing
    """The format of a file by its content. "unknown" if it is none."""
    try:
        return _detect(data)
    except EventRejected:  # an archive that `read` will refuse, with its reasons
        return UNKNOWN


def _detect(data: bytes, inside: bool = False) -> str:
    if data[:2] == b"PK":
        return _detect_archive(data, inside)
    if _begins_json(data):
        return _detect_json(data)
    from crosstable.formats import us_chess_report

    if us_chess_report.is_part(data):
        return us_chess_report.NAME
    return _detect_text(data)


def _begins_json(data: bytes) -> bool:
    start = data[:400]
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):  # UTF-16, or UTF-32: the reader says so
        start = start.replace(b"\0", b"").lstrip(b"\xff\xfe")
    return start.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{"


def _detect_json(data: bytes) -> str:
    if b"crosstable-event/" in data:
        return "event-json"
    from crosstable.formats import encoding, swisssys

    try:  # SwissSys writes ½ in the code page of the machine, and control characters for results
        raw = json.loads(encoding.decode(data).text, strict=False)
    except (ValueError, RecursionError):
        return "event-json"
    return swisssys.NAME if swisssys.looks_like(raw) and not _has_games(raw) else "event-json"


def _has_games(raw: Mapping[str, object]) -> bool:
    """Only our own document lists games; without its `format` it still is one, and no SwissSys file without results."""
    sections = raw.get("sections")
    return isinstance(sections, list) and any(isinstance(one, dict) and "games" in one for one in sections)


def _detect_archive(data: bytes, inside: bool) -> str:
    from crosstable.formats import archive, tables, us_chess_report

    members = archive.unpack(data)
    if tables.looks_like_xlsx(list(members)):
        return tables.XLSX
    if inside:
        return UNKNOWN
    if any(us_chess_report.is_part(content) for content in members.values()):
        return us_chess_report.NAME
    return _detect(next(iter(members.values())), inside=True) if len(members) == 1 else UNKNOWN


def _detect_text(data: bytes) -> str:
    from crosstable.formats import aga_report, encoding, tables, text_crosstable, trf

    text = encoding.decode(data[:200_000]).text
    looks: tuple[tuple[str, Callable[[str], bool]], ...] = (
        (aga_report.NAME, aga_report.looks_like),  # first: its players' names may look like the head of a table
        (text_crosstable.NAME, text_crosstable.looks_like),
        (trf.NAME, trf.looks_like),
    )
    for name, looks_like in looks:
        if looks_like(text):
            return name
    mark = tables.delimiter(text)
    return UNKNOWN if mark is None else tables.TSV if mark == "\t" else tables.CSV


def read(
    data: bytes,
    name: str = "",
    *,
    day: date | None = None,
    time_control: str | None = None,
    mode: str | None = None,
    ratings: str | None = None,
) -> Reading:
    """An event from the bytes of a file, or findings. Never raises for a bad file.

    What the file does not hold, a person may give: `day` (start and end), `time_control`, `mode`; and `ratings`, the
    rating system that the file's ratings are of (a TRF of a US Chess event: "OTBR").
    """
    found = UNKNOWN
    try:
        limits.check_size(data)
        found = _detect(data)
        reading = _read(data, found, name or "file")
    except EventRejected as rejected:
        reading = Reading(found, None, rejected.findings)
    if reading.draft is not None:
        reading = replace(reading, draft=_given(reading.draft, day, time_control, mode, ratings))
    return replace(reading, findings=capped(reading.findings))


def _read(data: bytes, found: str, name: str) -> Reading:
    if data[:2] == b"PK":
        from crosstable.formats import archive, tables, us_chess_report

        members = archive.unpack(data)
        if found == us_chess_report.NAME:
            return us_chess_report.read(members)
        if not tables.looks_like_xlsx(list(members)):
            data = _only(members, name)
    match found:
        case "event-json":
            from crosstable.formats import event_json

            try:
                reading = event_json.read(data)
            except OverflowError as error:  # JSON allows whole numbers that no float can hold
                raise EventRejected([codes.DAMAGED_FILE.at(name, f"a number is too large: {error}")]) from error
            if reading.draft is not None:
                limits.check_event(reading.draft)
            return reading
        case "us-chess-report":
            from crosstable.formats import us_chess_report

            return us_chess_report.read({"table": data})
        case "csv" | "tsv" | "xlsx":
            from crosstable.formats import tables

            return tables.read_xlsx(data) if found == "xlsx" else tables.read_delimited(data)
        case "text-crosstable" | "aga-report" | "trf" | "swisssys":
            return _text_reader(found, data)
    from crosstable.formats import rating_lists

    if rating_lists.detect(data[:65_536]):
        raise EventRejected([codes.UNKNOWN_FORMAT.at(name, "this is a list of players, not an event")])
    begins = f"it begins with {data[:24]!r}" if data else "it is empty"
    raise EventRejected([codes.UNKNOWN_FORMAT.at(name, begins)])


def _only(members: Mapping[str, bytes], name: str) -> bytes:
    """The one file of an archive."""
    if len(members) != 1:
        shown = ", ".join(repr(member[:40]) for member in list(members)[:5])
        words = f"{len(members)} files in one archive: {shown}; send one event per file" if members else "no file in it"
        raise EventRejected([codes.UNKNOWN_FORMAT.at(name, words)])
    from crosstable.formats import archive, tables

    (data,) = members.values()
    if archive.is_zip(data) and not tables.looks_like_xlsx(list(archive.unpack(data))):
        raise EventRejected([codes.UNKNOWN_FORMAT.at(name, "an archive inside an archive is not opened")])
    return data


def _text_reader(found: str, data: bytes) -> Reading:
    from crosstable.formats import aga_report, swisssys, text_crosstable, trf

    readers: dict[str, Callable[[bytes], Reading]] = {
        trf.NAME: trf.read,
        text_crosstable.NAME: text_crosstable.read,
        aga_report.NAME: aga_report.read,
        swisssys.NAME: swisssys.read,
    }
    return readers[found](data)


def _given(event: Event, day: date | None, time_control: str | None, mode: str | None, ratings: str | None) -> Event:
    """What the person says, where the file says nothing: dates and time control fill gaps, mode and ratings decide.

    A time control that nobody can read is such a gap.
    """
    from crosstable.formats.keys import of_system, readable

    start, end = event.start or day, event.end or event.start or day
    sections = []
    for section in event.sections:
        changed = replace(
            section,
            start=section.start or start,
            end=section.end or end,
            time_control=(section.time_control if readable(section.time_control) else time_control)
            or section.time_control,
            mode=mode or section.mode,
        )
        sections.append(of_system(changed, ratings) if ratings else changed)
    return replace(event, start=start, end=end, sections=tuple(sections))


def capped(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """At most so many of one code, and each only once: a broken table would repeat itself thousands of times."""
    seen: Counter[str] = Counter()
    kept = []
    for finding in dict.fromkeys(findings):
        seen[finding.code] += 1
        if seen[finding.code] <= limits.FINDINGS:
            kept.append(finding)
    for code, count in seen.items():
        if count > limits.FINDINGS:
            first = next(finding for finding in kept if finding.code == code)
            kept.append(replace(first, where="file", message=f"and {count - limits.FINDINGS:,} more of these."))
    return tuple(kept)


def read_path(
    path: str | Path,
    *,
    day: date | None = None,
    time_control: str | None = None,
    mode: str | None = None,
    ratings: str | None = None,
) -> Reading:
    """An event from a file, an archive, or a folder that holds a US Chess report."""
    place = Path(path)
    try:
        files = _contents(place)
    except EventRejected as rejected:
        return Reading(UNKNOWN, None, rejected.findings)
    except OSError as error:
        return Reading(UNKNOWN, None, (codes.NO_FILE.at(str(place), error.strerror or type(error).__name__),))
    if len(files) == 1 and not place.is_dir():
        data = next(iter(files.values()))
        return read(data, place.name, day=day, time_control=time_control, mode=mode, ratings=ratings)
    from crosstable.formats import us_chess_report

    try:
        reading = us_chess_report.read(files)
    except EventRejected as rejected:
        return Reading(us_chess_report.NAME, None, capped(rejected.findings))
    event = _given(reading.draft, day, time_control, mode, ratings) if reading.draft else None
    return replace(reading, draft=event, findings=capped(reading.findings))


def _contents(place: Path) -> dict[str, bytes]:
    """The file; or the tables of a folder, which also belong to any one of them."""
    if place.is_dir():
        return _folder(place)
    data = _bytes(place)
    if data[:1] == b"\x03":
        from crosstable.formats import us_chess_report

        if us_chess_report.is_part(data):
            return _folder(place.parent)
    return {place.name: data}


def _folder(folder: Path) -> dict[str, bytes]:
    tables = [item for item in sorted(folder.iterdir()) if item.suffix.lower() == ".dbf" and not item.is_symlink()]
    limits.check_count("tables", len(tables), limits.ARCHIVE_MEMBERS, str(folder))
    limits.check_count(
        "bytes of tables", sum(item.stat().st_size for item in tables), limits.UNPACKED_BYTES, str(folder)
    )
    return {item.name: _bytes(item) for item in tables}


def _bytes(path: Path) -> bytes:
    """Size and kind are looked at before the content: a pipe or a device is not a file."""
    if not path.is_file():
        raise EventRejected([codes.NO_FILE.at(str(path), "not a file")])
    size = path.stat().st_size
    if size > limits.FILE_BYTES:
        raise EventRejected([codes.FILE_TOO_LARGE.at(path.name, f"{size:,} bytes; the limit is {limits.FILE_BYTES:,}")])
    return path.read_bytes()


def write(event: Event, format: str, section: int | None = None) -> Written:
    """The event as a file of that format, with what it could not hold. Raises EventRejected where there is no way."""
    if format not in FORMATS or not FORMATS[format].writes:
        there = ", ".join(name for name, entry in FORMATS.items() if entry.writes)
        raise EventRejected([codes.UNKNOWN_FORMAT.at(format, f"cannot be written; choose one of {there}")])
    match format:
        case "event-json":
            from crosstable.formats import event_json

            return event_json.write(event)
        case "us-chess-report":
            from crosstable.formats import us_chess_report

            return us_chess_report.write(event)
        case "trf":
            from crosstable.formats import trf

            return trf.write(event, section)
        case "text-crosstable":
            from crosstable.formats import text_crosstable

            return text_crosstable.write(event)
        case "aga-report":
            from crosstable.formats import aga_report

            return aga_report.write(event, section)
    from crosstable.formats import tables

    return tables.write_xlsx(event) if format == tables.XLSX else tables.write_delimited(event, format)


__all__ = [
    "FORMATS",
    "UNKNOWN",
    "Format",
    "Reading",
    "Written",
    "assume_games",
    "capped",
    "detect",
    "read",
    "read_path",
    "write",
]
