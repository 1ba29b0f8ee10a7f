"""CSV, TSV and XLSX crosstables: WinTD's columns, cells as posted, and cells that a spreadsheet would execute."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable import formats
from crosstable.formats import tables
from crosstable.formats.grid import cell_of
from crosstable.model import Event, Player, Rating, Section

WINTD = """No.,Name,ID,Rating,Rnd 1,Rnd 2,Rnd 3,Tot
1,"Example, Ada",12345678,1641P17,W 2,D3,-H-,2.0
2,"Muller, Bo",12345679,1500,L1,BYE,W3,2.0
3,"Zed, Cy",12345670,unr.,---,D 1,L 2,0.5
"""


def test_wintd_columns() -> None:
    reading = formats.read(WINTD.encode())
    assert (reading.format, reading.ok) == ("csv", True)
    assert reading.event is not None
    (section,) = reading.event.sections
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [
        (1, 1, 2, "1-0"), (2, 1, 3, "1/2-1/2"), (3, 2, 3, "1-0"),
    ]  # fmt: skip
    assert not section.colors
    assert section.players[0].ratings == {"OTBR": Rating(1641.0, games=17)}
    assert section.players[2].ratings == {}
    assert [p.notes.get("byes") for p in section.players] == [{"3": "half"}, {"2": "full"}, None]


@pytest.mark.parametrize("mark", ["\t", ";", "|"])
@pytest.mark.parametrize("head", ["No.", "Plr", "Plr#", "#"])
def test_delimiters_and_headings(mark: str, head: str) -> None:
    lines = [[head, "Name", "Rnd 1"], ["1", "Ada", "W2"], ["2", "Bo", "L1"]]
    reading = formats.read("\r\n".join(mark.join(line) for line in lines).encode())
    assert reading.ok
    assert reading.format == ("tsv" if mark == "\t" else "csv")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("W12", "W"), ("w 12 b", "W"), ("D5(w)", "D"), ("X7", "X"), ("-B-", "B"), ("H", "H"), ("½", "H")],
)
def test_cells(text: str, outcome: str) -> None:
    cell = cell_of(text)
    assert cell is not None
    assert cell.outcome == outcome


@given(st.text())
def test_quoting_is_undone(cell: str) -> None:
    assert tables.unquoted(tables.quoted(cell)) == cell
    assert not tables.quoted(cell).startswith(("=", "+", "-", "@"))


NASTY = ["=1+1", "+1", "-1", "@SUM(A1)", "'=x", "=cmd|' /C calc'!A0", "=HYPERLINK(1)"]


@pytest.mark.parametrize("name", ["csv", "tsv", "xlsx"])
def test_no_formula_is_written_and_every_cell_comes_back(name: str) -> None:
    players = tuple(Player(n, f"1000000{n}", text) for n, text in enumerate(NASTY, start=1))
    event = Event(
        "=EVENT()",
        date(2025, 8, 2),
        date(2025, 8, 2),
        (Section(1, "@S", date(2025, 8, 2), date(2025, 8, 2), players, ()),),
    )
    data = formats.write(event, name).data
    reading = formats.read(data)
    assert reading.event is not None
    assert [p.name for p in reading.event.sections[0].players] == NASTY
    assert (reading.event.name, reading.event.sections[0].name) == ("=EVENT()", "@S")
    if name == "xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            sheet = archive.read("xl/worksheets/sheet1.xml")
        assert b"<f>" not in sheet
        assert b"<f " not in sheet
    else:
        mark = "\t" if name == "tsv" else ","
        cells = [cell.strip('"') for line in data.decode().splitlines() for cell in line.split(mark)]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def workbook(sheet: bytes) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in WINTD.splitlines():
        book.worksheets[0].append(row.replace('"', "").replace("Example, Ada", "Ada").replace(", ", " ").split(","))
    buffer = io.BytesIO()
    book.save(buffer)
    out = io.BytesIO()
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(
                name, content.replace(b"<worksheet", sheet + b"<worksheet", 1) if "sheet1" in name else content
            )
    return out.getvalue()


def test_a_spreadsheet_saved_by_somebody_else() -> None:
    reading = formats.read(workbook(b""))
    assert (reading.format, reading.ok) == ("xlsx", True)


def test_entities_in_a_spreadsheet_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    reading = formats.read(workbook(bomb))
    assert [f.code for f in reading.findings] == ["xml-refused"]


def test_formulas_of_others_are_not_executed() -> None:
    """A formula cell gives the value that was stored with it, here none."""
    from openpyxl import Workbook

    book = Workbook()
    for row in (["No.", "Name", "Rnd 1"], [1, "=1+1", "W2"], [2, "Bo", "L1"]):
        book.worksheets[0].append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    reading = formats.read(buffer.getvalue())
    assert reading.event is not None
    assert [p.name for p in reading.event.sections[0].players] == ["", "Bo"]


def test_several_sections_in_one_csv() -> None:
    sections = tuple(
        Section(n, f"S{n}", date(2025, 8, 2), date(2025, 8, 2), (Player(1, "1", "A"),), (), time_control="G/60;d5")
        for n in (1, 2)
    )
    event = Event("E", date(2025, 8, 2), date(2025, 8, 2), sections)
    again = formats.read(formats.write(event, "csv").data).event
    assert again is not None
    assert [s.name for s in again.sections] == ["S1", "S2"]


@pytest.mark.parametrize("head", ["Rtng", "Rtg.", "USCF Rating", "USCF_Rating", "Pre-Rating"])
def test_headings_of_ratings(head: str) -> None:
    event = formats.read(WINTD.replace("Rating", head).encode()).event
    assert event is not None
    assert event.sections[0].players[1].ratings == {"OTBR": Rating(1500.0)}


def test_chess_results() -> None:
    """Its final crosstable names players by their places, and gives opponent, colour and points."""
    text = """Rk.;Name;Rtg;FED;1.Rd;2.Rd;3.Rd;Pts.
1;Example Ada;2100;USA;2w1;3b½;-½;2
2;Muller Bo;2000;GER;1b0;-1;3w+;2
3;Zed Cy;0;ENG;-0;1w½;2b-;½
"""
    reading = formats.read(text.encode())
    assert (reading.format, reading.ok) == ("csv", True), reading.findings
    assert reading.event is not None
    (section,) = reading.event.sections
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [
        (1, 1, 2, "1-0"), (2, 3, 1, "1/2-1/2"), (3, 2, 3, "+/-"),
    ]  # fmt: skip
    assert [(p.number, p.notes["total"], p.notes.get("byes")) for p in section.players] == [
        (1, 2.0, {"3": "half"}), (2, 2.0, {"2": "full"}, ), (3, 0.5, None),
    ]  # fmt: skip


def test_a_time_control_that_nobody_can_read_is_a_gap() -> None:
    table = f"Time control,two hours each or so\n{WINTD}".encode()
    for data, control in [(table, "G/120;d5"), (table.replace(b"two hours each or so", b"G/60;d5"), "G/60;d5")]:
        event = formats.read(data, time_control="G/120;d5").event
        assert event is not None
        assert event.sections[0].time_control == control


def test_a_list_of_players_is_called_one() -> None:
    (finding,) = formats.read(b"MEM_ID\tMEM_NAME\tSTATE\tR_LPB_RAT\n12345678\tEXAMPLE,ADA\tOH\t1500\n").findings
    assert (finding.code, "list of players" in finding.message) == ("unknown-format", True)


def test_swiss_manager_heads() -> None:
    text = "No.;;Name;FideID;FED;RtgI;1.Rd;Pts\n1;GM;Example Ada;2000001;USA;2100;2w1;1\n2;;Muller Bo;;GER;0;1b0;0\n"
    event = formats.read(text.encode()).event
    assert event is not None
    ada, bo = event.sections[0].players
    assert (ada.id, dict(ada.ratings), bo.id, dict(bo.ratings)) == ("2000001", {"FIDE": Rating(2100.0)}, "", {})
