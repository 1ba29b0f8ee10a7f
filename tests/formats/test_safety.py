"""Strangers' files: nothing outside the limits is read, unpacked, resolved or executed."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import subprocess
import sys
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from crosstable import formats
from crosstable.errors import EventRejected
from crosstable.formats import archive, encoding, limits
from tests.formats.largest import LARGEST
from tests.fuzz.seeds import EVENT_SEEDS


def codes(data: bytes) -> set[str]:
    return {finding.code for finding in formats.read(data).findings}


def packed(members: dict[str | zipfile.ZipInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in members.items():
            target.writestr(name, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def test_a_file_over_five_megabytes_is_refused() -> None:
    assert codes(b" " * (limits.FILE_BYTES + 1)) == {"file-too-large"}


def test_its_size_is_looked_at_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    with path.open("wb") as file:
        file.truncate(10**12)  # sparse: a terabyte that nobody can read
    assert [f.code for f in formats.read_path(path).findings] == ["file-too-large"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_not_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert [f.code for f in formats.read_path(tmp_path / "pipe").findings] == ["no-file"]


def test_a_bomb_is_refused_by_its_directory() -> None:
    bomb = packed({f"{n}.dbf": b"\0" * (10 * limits.MEGABYTE) for n in range(6)})
    assert len(bomb) < limits.MEGABYTE
    assert codes(bomb) == {"archive-refused"}


def test_sizes_that_lie_are_noticed() -> None:
    bomb = bytearray(packed({"a.csv": b"\0" * (60 * limits.MEGABYTE)}))
    for place in (bomb.find(b"PK\x03\x04") + 22, bomb.find(b"PK\x01\x02") + 24):
        bomb[place : place + 4] = (1000).to_bytes(4, "little")
    tracemalloc.start()
    assert codes(bytes(bomb)) == {"archive-refused"}
    assert tracemalloc.get_traced_memory()[1] < 200 * limits.MEGABYTE
    tracemalloc.stop()


@pytest.mark.parametrize("name", ["../evil.dbf", "/etc/evil.dbf", "a/../../evil.dbf", "..\\evil.dbf", "C:\\evil.dbf"])
def test_members_outside_the_archive_are_refused(name: str) -> None:
    assert codes(packed({name: b"x"})) == {"archive-refused"}


def test_links_are_refused() -> None:
    link = zipfile.ZipInfo("link.dbf")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert codes(packed({link: b"/etc/passwd"})) == {"archive-refused"}


def test_too_many_members_are_refused() -> None:
    assert codes(packed({f"{n}.txt": b"x" for n in range(limits.ARCHIVE_MEMBERS + 1)})) == {"archive-refused"}


def test_an_archive_in_an_archive_is_not_opened() -> None:
    inner = packed({"a.csv": b"No.,Name\n1,Ada\n"})
    assert codes(packed({"inner.zip": inner})) == {"unknown-format"}
    assert codes(packed({"inner.csv": b"No.,Name,Rnd 1\n1,Ada,W2\n2,Bo,L1\n"})) == set()


def test_a_folders_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real.dbf").write_bytes(b"\x03")
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "THEXPORT.DBF").symlink_to(tmp_path / "real.dbf")
    assert [f.code for f in formats.read_path(tmp_path / "report").findings] == ["missing-file"] * 3


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, limits.ROUNDS + 5), (limits.PLAYERS + 1, 1), (2000, 150), (2 * limits.LINES + 2, 0)]
)
def test_more_than_any_event_has(rows: int, columns: int) -> None:
    head = "No.,Name" + "".join(f",Rnd {n}" for n in range(1, columns + 1))
    data = (head + "\n" + "\n".join(f"{n}," + ",U" * columns for n in range(1, rows + 1))).encode()
    assert codes(data) & {"over-limit", "file-too-large"}


def test_nothing_is_unpacked_to_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert archive.unpack(packed({"a.csv": b"x"})) == {"a.csv": b"x"}
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(EventRejected):
        archive.unpack(b"PK\x03\x04 not a zip")


#: Read a file in a process of its own and tell what it took, which is more than its objects are counted to be. The
#: highest mark of a process's resource usage is no help: a child begins with that of its parent.
READ = """
import json, pathlib, re, resource, sys
from crosstable import formats
reading = formats.read(pathlib.Path(sys.argv[1]).read_bytes())
status = pathlib.Path("/proc/self/status")
if status.exists():
    peak = 1024 * int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1])
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
codes = [finding.code for finding in reading.findings]
print(json.dumps({"format": reading.format, "read": reading.draft is not None, "codes": codes, "peak": peak}))
"""


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_files_stay_within_memory(name: str, tmp_path: Path) -> None:
    data = LARGEST[name]()
    assert len(data) <= limits.FILE_BYTES
    path = tmp_path / "largest"
    path.write_bytes(data)
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True)
    reading = json.loads(done.stdout)
    assert reading["format"] == name
    assert reading["read"] or {"over-limit", "archive-refused"} & set(reading["codes"])
    assert reading["peak"] < 512 * limits.MEGABYTE


def test_reading_json_imports_nothing_heavy(tmp_path: Path) -> None:
    path = tmp_path / "event.json"
    path.write_bytes(EVENT_SEEDS["event-json"][0])
    script = (
        "import sys; from crosstable import formats; r = formats.read_path(sys.argv[1]); assert r.ok, r.findings;"
        "heavy = {'openpyxl', 'lxml', 'polars', 'numpy', 'numba', 'django', 'zipfile', 'csv'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)


@pytest.mark.parametrize(
    ("data", "text", "name"),
    [
        (b"M\xc3\xbcller", "Müller", "utf-8"),
        (b"\xef\xbb\xbfM\xc3\xbcller", "Müller", "utf-8-sig"),
        ("Müller".encode("utf-16"), "Müller", "utf-16"),
        (b"M\xfcller", "Müller", "latin-1"),
        (b"M\x81ller", "Müller", "cp437"),
        (b"O\x92Brien", "O’Brien", "cp1252"),
        (b"J\x8anos \x96 x", "JŠnos – x", "cp1252"),
    ],
)
def test_encodings(data: bytes, text: str, name: str) -> None:
    found = encoding.decode(data)
    assert (found.text, found.encoding) == (text, name)
    assert bool(found.findings) == (not name.startswith("utf"))


PAGE = b" Pair | Player Name |Total|Round|\n    1 | ADA |1.0  |H    |\n"
HOSTILE = {
    "line ends": b"\n" * 4_900_000,
    "blanks": b" " * 4_900_000,
    "one line of cells": b"012 x\n001    1      A".ljust(97) + b"  0000 - Z" * 480_000,
    "bars": b" Pair | Player Name |Total|\n" + b"|" * 4_900_000,
    "quotes": b"No.,Name,Rnd 1\n" + b'"' * 4_900_000,
    "commas": b"No.,Name,Rnd 1\n" + b"," * 4_900_000,
    "one wide row": b"No.,Name,Rnd 1" + b"," * 4_800_000 + b"x",
    "open quotes": b"No.,Name,Rnd 1\n" + b'1,"a,b\n' * 59_000,
    "odd quotes": b"No.,Name,Rnd 1\n" + (b"1" + b',"x""' * 200 + b"\n") * 4000,
    "a place of blanks": PAGE + b"Location" + b" " * 3000 + b"x\n",
    "a name of blanks": PAGE + b"Event: a" + b" " * 30_000 + b"b\n",
    "a date of blanks": PAGE + b"Event Date(s)" + b" " * 30_000 + b"x\nSection Date" + b"\t" * 30_000 + b"x\n",
    "words": b"TOURNEY x\nPLAYERS\n1 " + b"a " * 2_400_000 + b"3d",
    "brackets": b'{"a":' + b"[" * 2_000_000,
    "rounds": (
        b'{"Overview":{},"Sections":[{"Players":['
        + b",".join([b'{"Results":"' + b"H;0," * 100 + b'"}'] * 9000)
        + b"]}]}"
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_shapes_that_would_take_a_careless_reader_for_ever(name: str) -> None:
    """Each took minutes, or far more than two seconds, with a pattern that tries every start; the test only has
    to end.
    """
    reading = formats.read(HOSTILE[name])
    assert reading.draft is not None or reading.findings


def test_sheets_of_nothing_but_gaps() -> None:
    """A workbook of 31 KB took sixteen seconds: every empty row above the last one was made."""
    from openpyxl import Workbook

    book = Workbook()
    for place in range(10):
        (book.create_sheet() if place else book.worksheets[0])["A59999"] = "x"
    buffer = io.BytesIO()
    book.save(buffer)
    assert codes(buffer.getvalue()) == {"over-limit"}


def test_one_sheet_named_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    from openpyxl import Workbook

    book = Workbook()
    for _ in range(20):
        book.worksheets[0].append(["No.", "Name", "Rnd 1"])
    for _ in range(9):
        book.create_sheet()
    buffer, out = io.BytesIO(), io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "xl/_rels/workbook.xml.rels":
                content = re.sub(rb"worksheets/sheet[0-9]+", b"worksheets/sheet1", content)
            target.writestr(name, content)
        size = sum(info.file_size for info in source.infolist())
    monkeypatch.setattr(limits, "SHEET_BYTES", size)
    assert codes(out.getvalue()) == {"over-limit"}
