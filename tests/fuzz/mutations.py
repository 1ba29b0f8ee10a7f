"""Files spoilt at random, and what must hold for every one of them: a document or findings, never a traceback."""

from __future__ import annotations

import contextlib
import io
import random
import tempfile
import zipfile
from pathlib import Path

from crosstable import checks, formats
from crosstable.errors import EventRejected
from crosstable.formats import archive, rating_lists, us_chess_report
from crosstable.formats.base import Reading
from crosstable.model import Event, Finding
from tests.fuzz.seeds import EVENT_SEEDS, LIST_SEEDS, REPORT_FILES

ODD = [
    b"\0",
    b"\xff",
    b"\r",
    b"\n",
    b"|",
    b",",
    b";",
    b"\t",
    b'"',
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b"-",
    b"9" * 12,
    b"1e999",
    b"NaN",
    b"Infinity",
    b"null",
    b"<",
    b"&",
    b"\xef\xbb\xbf",
    b"\x1a",
    b"0000",
    b"001 ",
    b"W9999B",
    b"\xc3\x28",
    b"<!DOCTYPE x>",
    b"&x;",
    "½".encode(),
    b"=cmd()",
    b"../",
    b"\x80\x81",
    b"G/1;d1",
    b"9999-99-99",
]


def mutated(data: bytes, source: random.Random) -> bytes:
    spoilt = bytearray(data)
    for _ in range(source.choice((1, 1, 1, 2, 3, 5, 9))):
        place = source.randrange(len(spoilt) + 1)
        until = min(len(spoilt), place + source.choice((1, 1, 2, 4, 8, 40, 400)))
        match source.randrange(8):
            case 0 if spoilt:
                spoilt[min(place, len(spoilt) - 1)] = source.randrange(256)
            case 1:
                del spoilt[place:until]
            case 2:
                spoilt[place:place] = source.choice(ODD)
            case 3:
                spoilt[place:until] = source.choice(ODD)
            case 4:
                spoilt[place:place] = spoilt[place:until] * source.choice((1, 2, 30))
            case 5:
                del spoilt[place:]
            case 6:
                lines = bytes(spoilt).split(b"\n")
                source.shuffle(lines)
                spoilt = bytearray(b"\n".join(lines))
            case _:
                other = source.randrange(len(spoilt) + 1)
                low, high = sorted((place, other))
                spoilt[low:high] = spoilt[low:high][::-1] if high - low < 20 else spoilt[high : high + 9]
    return bytes(spoilt)


def _inside(data: bytes, source: random.Random) -> bytes:
    """The archive with one member spoilt, so that mutations reach what is packed."""
    members = archive.unpack(data)
    name = source.choice(list(members))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for member, content in members.items():
            packed.writestr(member, mutated(content, source) if member == name else content)
    return buffer.getvalue()


def spoilt_file(name: str, seed: int) -> bytes:
    source = random.Random(seed)
    data = source.choice((EVENT_SEEDS | LIST_SEEDS)[name])
    return _inside(data, source) if name in ("xlsx", "ods") and source.random() < 0.9 else mutated(data, source)


def try_event(name: str, seed: int) -> Reading:
    """Reads one spoilt file the way `check` and `convert` would, and everything that comes of it."""
    if name == "us-chess-report" and seed % 8:
        source = random.Random(seed)
        part = source.choice(list(REPORT_FILES))
        files = {**REPORT_FILES, part: mutated(REPORT_FILES[part], source)}
        try:
            reading = us_chess_report.read(files)
        except EventRejected as rejected:
            return Reading(name, None, rejected.findings)
    else:
        reading = formats.read(spoilt_file(name, seed))
    assert reading.draft is not None or reading.findings
    if reading.draft is not None:
        checks.check(reading.draft)
        if seed % 10 == 0:
            _write_all(reading.draft)
    return reading


def _write_all(event: Event) -> None:
    for target in ("event-json", "us-chess-report", "trf", "csv", "text-crosstable", "aga-report"):
        with contextlib.suppress(EventRejected):
            formats.write(event, target)


def try_list(name: str, seed: int) -> int:
    findings: list[Finding] = []
    data = spoilt_file(name, seed)
    try:
        if name == "zipped-list":
            return _try_path(data, findings)
        return sum(1 for _ in rating_lists.read(io.BytesIO(data), findings))
    except EventRejected:
        return 0


def _try_path(data: bytes, findings: list[Finding]) -> int:
    """As the commands do it: is this a list, and who is in it?"""
    with tempfile.NamedTemporaryFile(prefix="crosstable-fuzz-") as file:
        file.write(data)
        file.flush()
        path = Path(file.name)
        return sum(1 for _ in rating_lists.read_path(path, findings)) if rating_lists.is_list(path) else 0
