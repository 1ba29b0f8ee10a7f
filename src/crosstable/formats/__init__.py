"""Bytes ⇄ event document, whatever the file: `read`, `read_path`, `write`, and `detect`, by content and not by name.

Each format is a module of this package with a record of its own (`registry`), imported when a file needs it, so that
`rate event.json` stays light.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from crosstable.errors import EventRejected
from crosstable.formats import codes, encoding, limits, registry
from crosstable.formats.base import Reading, Written
from crosstable.formats.file_ratings import assume_games
from crosstable.formats.given import Given, fill
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, Place

UNKNOWN = "unknown"
NOTHING_GIVEN = Given()
_LINES_LOOKED_AT = 20_000  # characters of a text that is no table


def detect(data: bytes, name: str = "") -> str:  # noqa: ARG001 — callers have a name; it decides nothing
    """Return the format of a file by its content; "unknown" if it is none."""
    try:
        found, _ = registry.find(Content(data))
    except EventRejected:  # an archive that `read` will refuse, with its reasons
        return UNKNOWN
    return found.name if found else UNKNOWN


def read(data: bytes, name: str = "", given: Given = NOTHING_GIVEN) -> Reading:
    """Read an event from the bytes of a file, or findings. Never raises for a bad file.

    What the file does not hold, a person may give.
    """
    found = None
    try:
        limits.check_size(data)
        found, content = registry.find(Content(data))
        reading = found.read(content) if found else _unknown(content, name or "file")
    except EventRejected as rejected:
        reading = Reading(found.name if found else UNKNOWN, None, rejected.findings)
    return _filled(reading, given)


def _filled(reading: Reading, given: Given) -> Reading:
    """With what the person gave, and not too many findings of one kind."""
    event, noticed = (None, []) if reading.draft is None else fill(reading.draft, given)
    return replace(reading, draft=event, findings=capped((*reading.findings, *noticed)))


def _unknown(content: Content, name: str) -> NoReturn:
    """Says what the file is, as far as we can tell."""
    from crosstable.formats import archive, game_lines, rating_lists, unsupported

    if other := unsupported.kind_and_advice(content.data, content.members):
        words, advice = other
        raise EventRejected([replace(codes.UNKNOWN_FORMAT.at(Place(file=name), words), advice=advice)])
    begins = ""
    if len(content.members) > 1:
        shown = ", ".join(repr(member[:40]) for member in list(content.members)[:5])
        words = f"{len(content.members)} files in one archive: {shown}; send one event per file"
    elif archive.is_zip(content.data):
        words = "an archive inside an archive is not opened" if content.inside else "no file in it"
    elif rating_lists.detect(content.data[:65_536]):
        words = "this is a list of players, not an event"
    else:
        begins = encoding.clean(encoding.decode(content.data[:400]).text.lstrip().partition("\n")[0])[:40]
        words = f"it begins with {begins!r}" if content.data else "it is empty"
        if _is_table(content.text):
            message = f"no line names the columns of the table; {words}"
            unknown = codes.UNKNOWN_FORMAT.at(Place(file=name), message, begins=begins)
            advice = (
                "Name them: No., Name, ID, Rating, Rnd 1, Rnd 2 …; or for a list of games Round, White, Black, Result."
            )
            raise EventRejected([replace(unknown, advice=advice)])
        if strange := game_lines.strange_lines(content.text[:_LINES_LOOKED_AT]):
            shown = ", ".join(f"line {number} {encoding.clean(line)[:40]!r}" for number, line in strange[:5])
            more = f" and {len(strange) - 5} more" if len(strange) > 5 else ""
            unread = codes.UNKNOWN_FORMAT.at(Place(file=name), f"most lines are not games: {shown}{more}")
            raise EventRejected([replace(unread, advice=game_lines.FORM)])
    raise EventRejected([codes.UNKNOWN_FORMAT.at(Place(file=name), words, begins=begins)])


def _is_table(text: str) -> bool:
    """Lines with the same marks, or columns of blanks: a table of whatever kind."""
    lines = [line for line in text[:4000].splitlines() if line.strip()][:8]
    marks = ("\t", ";", ",", "|")
    return len(lines) > 1 and (
        any(all(line.count(mark) > 1 for line in lines) for mark in marks)
        or sum(len(re.findall(r"\S {2,}(?=\S)", line)) > 1 for line in lines) * 2 > len(lines)
    )


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
            kept.append(
                replace(
                    first,
                    place=Place(part="file"),
                    message=f"and {count - limits.FINDINGS:,} more of these.",
                    sentence="",
                )
            )
    return tuple(kept)


def read_path(path: str | Path, given: Given = NOTHING_GIVEN) -> Reading:
    """Read an event from a file, an archive, or a folder that holds a US Chess report."""
    place = Path(path)
    try:
        files = _contents(place)
    except EventRejected as rejected:
        return Reading(UNKNOWN, None, rejected.findings)
    except OSError as error:
        return Reading(
            UNKNOWN, None, (codes.NO_FILE.at(Place(file=str(place)), error.strerror or type(error).__name__),)
        )
    if len(files) == 1 and not place.is_dir():
        data = next(iter(files.values()))
        return read(data, place.name, given)
    from crosstable.formats import us_chess_report

    try:
        reading = us_chess_report.read(files)
    except EventRejected as rejected:
        return Reading(us_chess_report.NAME, None, capped(rejected.findings))
    return _filled(reading, given)


def _contents(place: Path) -> dict[str, bytes]:
    """Return the file; or the tables of a folder, which also belong to any one of them."""
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
        raise EventRejected([codes.NO_FILE.at(Place(file=str(path)), "not a file")])
    size = path.stat().st_size
    if size > limits.FILE_BYTES:
        raise EventRejected(
            [codes.FILE_TOO_LARGE.at(Place(file=path.name), f"{size:,} bytes; the limit is {limits.FILE_BYTES:,}")]
        )
    return path.read_bytes()


def write(event: Event, format: str, section: int | None = None) -> Written:
    """Write the event as a file of that format, with what it could not hold.

    Raises EventRejected where there is no way.
    """
    known = registry.by_name()
    chosen = known[format].write if format in known else None
    if chosen is None:
        there = ", ".join(name for name, entry in known.items() if entry.writes)
        refused = codes.UNKNOWN_FORMAT.at(str(format), "no format of that name can be written")
        raise EventRejected([replace(refused, advice=f"Choose one of {there}.")])
    return chosen(event, section)


__all__ = [
    "UNKNOWN",
    "Format",
    "Given",
    "Reading",
    "Written",
    "assume_games",
    "capped",
    "detect",
    "read",
    "read_path",
    "write",
]
