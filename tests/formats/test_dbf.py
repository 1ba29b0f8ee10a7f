"""Our DBF reader and writer against dbfread, and on the padding that dbfread cannot read."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbfread import DBF
from hypothesis import given, settings
from hypothesis import strategies as st

from crosstable.errors import EventRejected
from crosstable.formats import dbf
from crosstable.formats.dbf import DbfField

FIELDS = [DbfField("NAME", 12), DbfField("TOTAL", 4), DbfField("DAY", 8)]
CELLS = st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=4)


@settings(deadline=None, max_examples=60)
@given(rows=st.lists(st.fixed_dictionaries({"NAME": CELLS, "TOTAL": CELLS, "DAY": CELLS}), max_size=6))
def test_dbfread_reads_what_we_write_and_we_read_the_same(
    rows: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = dbf.write(FIELDS, rows)
    path = tmp_path_factory.mktemp("dbf") / "t.dbf"
    path.write_bytes(data)
    theirs = [dict(record) for record in DBF(str(path), encoding="ascii", load=True)]
    assert theirs == rows
    assert dbf.read(data).records == rows


def table(cell: bytes, *, kind: bytes = b"N", count: int = 1, deleted: bytes = b" ") -> bytes:
    head = bytearray(dbf.write([DbfField("ROUNDS", 6)], []))[:-1]
    head[4:8] = count.to_bytes(4, "little")
    head[32 + 11 : 32 + 12] = kind
    return bytes(head) + deleted + cell.ljust(6, b"\0")[:6] + b"\x1a"


@pytest.mark.parametrize("cell", [b"  4\0\0\0", b"4\0junk", b"4     ", b"     4"])
def test_padding_that_dbfread_cannot_read(cell: bytes, tmp_path: Path) -> None:
    data = table(cell)
    assert dbf.read(data).records == [{"ROUNDS": "4"}]
    if cell == b"4\0junk":  # the reason for a reader of our own
        path = tmp_path / "t.dbf"
        path.write_bytes(data)
        with pytest.raises(ValueError, match="could not convert"):
            list(DBF(str(path), encoding="ascii"))


def test_deleted_records_are_left_out_and_counted() -> None:
    found = dbf.read(table(b"4", deleted=b"*"))
    assert found.records == []
    assert [finding.code for finding in found.findings] == ["deleted-records"]


def test_a_wrong_record_count_is_said() -> None:
    assert [finding.code for finding in dbf.read(table(b"4", count=3)).findings] == ["record-count"]


def test_code_page_of_the_header() -> None:
    data = bytearray(table(b"M\x81ller", kind=b"C"))
    data[29] = 0x01
    assert dbf.read(bytes(data)).records == [{"ROUNDS": "Müller"}]


def test_winTD_writes_a_nul_after_the_header() -> None:  # noqa: N802  the name of a program
    data = dbf.write([DbfField("A", 3)], [{"A": "xyz"}])
    longer = bytearray(data[:65] + b"\0" + data[65:])
    longer[8:10] = (66).to_bytes(2, "little")
    assert dbf.read(bytes(longer)).records == [{"A": "xyz"}]


@pytest.mark.parametrize("data", [b"", b"\x03", b"\x03" * 64, b"\x03" + b"\0" * 100])
def test_damaged_tables_are_refused(data: bytes) -> None:
    with pytest.raises(EventRejected):
        dbf.read(data)
