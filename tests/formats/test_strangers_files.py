"""What strangers' archives, tables and lists did before: tracebacks, minutes, gigabytes, and losses that nobody was
told of.
"""

from __future__ import annotations

import io
import stat
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from crosstable import checks, formats
from crosstable.errors import EventRejected
from crosstable.formats import archive, dbf, limits, rating_lists, swisssys, us_chess_report
from crosstable.formats.dbf import DbfField
from crosstable.formats.rating_lists import ListedPlayer, writing
from crosstable.model import Finding
from tests.fuzz.seeds import EVENT, EVENT_SEEDS, REPORT_FILES, SWISSSYS, listed, packed

TSV = b"MEM_ID\tMEM_NAME\tR_LPB_RAT\n12345678\tEXAMPLE, ADA\t1641\n"


def codes(data: bytes) -> list[str]:
    return [finding.code for finding in formats.read(data).findings]


def read_list(data: bytes) -> tuple[list[ListedPlayer], list[Finding]]:
    findings: list[Finding] = []
    return list(rating_lists.read(io.BytesIO(data), findings)), findings


def refused(path: Path) -> str:
    with pytest.raises(EventRejected) as caught:
        list(rating_lists.read_path(path, []))
    return str(caught.value.findings[0].code)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_damaged_archives_are_refused(method: int, tmp_path: Path) -> None:
    rows = b"".join(b"%d\tPLAYER %d\t%d\n" % (10**7 + n, n * n, n) for n in range(3000))
    data = bytearray(packed(TSV + rows, method))
    data[60:90] = bytes(range(100, 130))
    path = tmp_path / "list.zip"
    path.write_bytes(data)
    assert codes(bytes(data)) == ["archive-refused"]
    assert not rating_lists.is_list(path)
    assert refused(path) == "archive-refused"


def test_a_bomb_is_no_rating_list(tmp_path: Path) -> None:
    path = tmp_path / "list.zip"
    path.write_bytes(packed(TSV + TSV[27:] * 200_000, zipfile.ZIP_DEFLATED))
    assert rating_lists.is_list(path)  # so that `check` says why it is refused
    assert refused(path) == "archive-refused"


def test_a_packed_size_that_lies_does_not_hide_a_bomb() -> None:
    data = bytearray(packed(b"\0" * 10 * limits.MEGABYTE, zipfile.ZIP_DEFLATED))
    place = data.find(b"PK\x01\x02") + 20
    data[place : place + 4] = (10 * limits.MEGABYTE).to_bytes(4, "little")
    assert codes(bytes(data)) == ["archive-refused"]


def test_lists_in_archives_obey_the_same_rules(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("list.tsv")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    for name in ("../list.tsv", link):
        path = tmp_path / "list.zip"
        with zipfile.ZipFile(path, "w") as target:
            target.writestr(name, TSV)
        assert refused(path) == "archive-refused"


@pytest.mark.parametrize("row", [b"\n", b"\t\t\n", b"\tNOBODY\t1\n"])
def test_rubbish_in_a_list_ends_the_reading(row: bytes) -> None:
    assert len(read_list(TSV + row * 1000)[0]) == 1
    with pytest.raises(EventRejected):
        read_list(TSV + row * (3 * limits.LIST_BAD_ROWS))


@pytest.mark.parametrize(
    "rubbish", [b"<a/>" * 500_000, b"<x><a/></x>" * 200_000, b"<!-- -->" * 200_000, b"\n" * 2_000_000]
)
def test_xml_between_players_is_not_kept(rubbish: bytes) -> None:
    player = b"<player><fideid>1</fideid></player>"
    with pytest.raises(EventRejected):
        read_list(b"<playerslist>" + player + rubbish + player + b"</playerslist>")


def test_xml_around_players_is_forgotten() -> None:
    """Elements that wrap one player each would otherwise stay until the end."""
    players, _ = read_list(
        b"<?a?><playerslist>" + b"<x><player><fideid>1</fideid></player></x>" * 50 + b"</playerslist>"
    )
    assert len(players) == 50


def test_a_document_type_without_players_is_refused() -> None:
    with pytest.raises(EventRejected):
        read_list(b'<!DOCTYPE p [<!ENTITY a "b">]><playerslist><players>&a;</players></playerslist>')


def test_ten_thousand_players_are_checked_at_once() -> None:
    """An id's form was looked at with the whole section, once for every player: six seconds."""
    (section,) = EVENT.sections
    players = tuple(replace(section.players[0], number=n, id=str(10**7 + n)) for n in range(1, 10_000))
    started = time.process_time()
    checks.check(replace(EVENT, sections=(replace(section, players=players, games=()),)))
    assert time.process_time() - started < 2


def wide(fields: int, records: int) -> bytes:
    names = [DbfField("D_PAIR_NUM", 1), *(DbfField(f"D_X{n}", 1) for n in range(fields))]
    return dbf.write(names, [{}] * records)


def test_a_tables_size_is_known_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dbf, "read", lambda *_: pytest.fail("it was read"))
    for table in (wide(400, 10), wide(150, 9000), wide(1, 30_000)):
        with pytest.raises(EventRejected) as caught:
            us_chess_report.read({**REPORT_FILES, "TDEXPORT.DBF": table})
        assert [finding.code for finding in caught.value.findings] == ["over-limit"]


def test_a_folder_has_a_limit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "UNPACKED_BYTES", 1000)
    for name, data in REPORT_FILES.items():
        (tmp_path / name).write_bytes(data)
    assert [f.code for f in formats.read_path(tmp_path).findings] == ["over-limit"]


def test_two_reports_are_not_mixed(tmp_path: Path) -> None:
    both = {f"{folder}/{name}": data for folder in "ab" for name, data in REPORT_FILES.items()}
    assert codes(archive.pack(both)) == ["two-reports"] * 3
    for name, data in {**REPORT_FILES, "BACKUP.DBF": REPORT_FILES["THEXPORT.DBF"]}.items():
        (tmp_path / name).write_bytes(data)
    assert [f.code for f in formats.read_path(tmp_path).findings] == ["two-reports"]


FIELDS = [
    DbfField("MEM_ID", 8),
    DbfField("MEM_NAME", 12),
    DbfField("EXPIRED", 8),
    DbfField("R_LPB_RAT", 7),
    DbfField("Q_LPB_RAT", 7),
]
ROWS = [
    {"MEM_ID": "12345678", "MEM_NAME": "EXAMPLE, ADA", "EXPIRED": "notdate", "R_LPB_RAT": "1610P", "Q_LPB_RAT": "1x00"},
    {"MEM_ID": "12345679", "MEM_NAME": "DOE, JOS@", "EXPIRED": "20261231", "R_LPB_RAT": "1450P12"},
]


@pytest.mark.parametrize(("count", "players"), [(0, 0), (1, 1), (2, 2), (99, 2)])
def test_a_wrong_record_count_of_a_list_is_said(count: int, players: int) -> None:
    data = bytearray(dbf.write(FIELDS, ROWS))
    data[4:8] = count.to_bytes(4, "little")
    found, findings = read_list(bytes(data))
    assert len(found) == players
    assert ("record-count" in {finding.code for finding in findings}) == (count != 2)


def test_cells_of_a_table_are_read_like_those_of_text() -> None:
    (ada, bo), findings = read_list(dbf.write(FIELDS, ROWS).replace(b"JOS@", b"JOS\x82"))
    assert (ada.ratings, ada.games, bo.games) == ({"OTBR": 1610.0}, {}, {"OTBR": 12})
    assert bo.name == "DOE, JOSé"
    assert sorted(finding.code for finding in findings) == ["encoding-guessed", "list-cell", "list-cell"]


@pytest.mark.parametrize("page", ["latin-1", "cp437"])
def test_a_guessed_encoding_of_a_list_is_said_once(page: str) -> None:
    text = TSV.decode() + "12345679\tMüller, Bo\t1500\n" * 2
    players, findings = read_list(text.encode(page))
    assert [player.name for player in players[1:]] == ["Müller, Bo"] * 2
    assert [finding.code for finding in findings] == ["encoding-guessed"]


def test_utf_16_is_read_in_lists_and_named_in_documents() -> None:
    text = TSV.decode() + "12345679\tMüller, Bo\t1500\n"
    assert [player.name for player in read_list(text.encode("utf-16"))[0]] == ["EXAMPLE, ADA", "Müller, Bo"]
    document = EVENT_SEEDS["event-json"][0].decode().encode("utf-16")
    reading = formats.read(document)
    assert (reading.format, [(f.code, f.message) for f in reading.findings]) == (
        "event-json",
        [("not-utf8", "the file is UTF-16.")],
    )


def test_what_a_list_cannot_hold_is_counted() -> None:
    players = [
        ListedPlayer("14100000", "Müller, Bo", {"FIDE": 2105.0, "OTBR": 1450.5}, {"OTBR": 12}, notes={"flag": "w"}),
        ListedPlayer("123456789012", "Example, Ada", {"FIDE": 2000.0}),
    ]
    out = io.BytesIO()
    assert writing.write(players, "dbf", out) == (
        "games.OTBR",
        "id",
        "name",
        "notes.flag",
        "ratings.FIDE (2)",
        "ratings.OTBR (rounded)",
    )
    assert writing.write(players, "csv", out) == ("notes.flag",)
    assert writing.write(players[1:], "json", out) == ()


@pytest.mark.parametrize(("shown", "games"), [("1450P12", 12), ("1450/8", 8), ("1450P", None), ("1450", None)])
def test_a_game_count_beside_a_rating_is_kept(shown: str, games: int | None) -> None:
    event = swisssys.read(SWISSSYS.replace(b'"1400"', f'"{shown}"'.encode())).event
    assert event is not None
    (rating,) = event.sections[0].players[1].ratings.values()
    assert (rating.rating, rating.games) == (1450.0, games)
    names = dbf.layout(REPORT_FILES["TDEXPORT.DBF"], "").fields
    rows = dbf.read(REPORT_FILES["TDEXPORT.DBF"]).records
    wider = [DbfField(field.name, 8 if field.name == "D_RATING" else field.length) for field in names]
    details = dbf.write(wider, [{**row, "D_RATING": shown} for row in rows])
    report = us_chess_report.read({**REPORT_FILES, "TDEXPORT.DBF": details}).event
    assert report is not None
    assert [rating.games for player in report.sections[0].players for rating in player.ratings.values()] == [games] * 4


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("162 W  1.0  D  0.5  L  0.0", "total"),
        ("162  W 1.0    D 0.5    L 0.0", "total"),
        ("162  W 3.0    D 1.0", "points"),
    ],
)
def test_points_of_trf_stay_in_their_columns(line: str, note: str) -> None:
    data = EVENT_SEEDS["trf"][0] + line.encode() + b"\n"
    event = formats.read(data).event
    assert event is not None
    assert [player.notes[note] for player in event.sections[0].players] == [3.0, 0.0, 1.0, 1.5]
    written = formats.write(event, "trf")
    again = formats.read(written.data).event
    assert again is not None
    assert [player.notes[note] for player in again.sections[0].players] == [3.0, 0.0, 1.0, 1.5]
    wrong = formats.read(data.replace(b" 3.0 ", b" 7.0 ", 1)).event
    assert wrong is not None
    assert ("total-differs" in {finding.code for finding in checks.check(wrong)}) == (note == "total")


@pytest.mark.parametrize(("name", "width"), [("us-chess-report", 8), ("trf", 11), ("text-crosstable", 12)])
def test_half_an_id_is_nobody(name: str, width: int) -> None:
    (section,) = EVENT.sections
    long = tuple(replace(p, id=str(10**width + p.number)) if p.number < 3 else p for p in section.players)
    written = formats.write(replace(EVENT, sections=(replace(section, players=long),)), name)
    event = formats.read(written.data).event
    assert event is not None
    assert [player.id for player in event.sections[0].players] == ["", "", "12345670", "12345671"]
    assert "player.id (2)" in written.losses


def test_archives_say_what_is_in_them() -> None:
    csv, xlsx = EVENT_SEEDS["csv"][0], EVENT_SEEDS["xlsx"][0]
    (two,) = formats.read(archive.pack({"a.csv": csv, "b.csv": csv})).findings
    assert "2 files in one archive" in two.message
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        (nested,) = formats.read(packed(packed(csv, zipfile.ZIP_STORED), method)).findings
        assert (nested.code, "inside an archive" in nested.message) == ("unknown-format", True)
    assert formats.read(archive.pack({"event.xlsx": xlsx})).format == "xlsx"
    assert formats.read(archive.pack({"event.xlsx": xlsx})).event == formats.read(xlsx).event
    assert formats.read(archive.pack({"Rounds 10:30.csv": csv})).ok
    assert rating_lists.detect(listed("tsv"))
