"""CSV, TSV and XLSX crosstables: WinTD's columns, cells as posted, and cells that a spreadsheet would execute."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable import formats
from crosstable.formats import losses, rating_lists, tables
from crosstable.formats.guarded_tables import quoted
from crosstable.formats.table_cells import cell_of
from crosstable.model import Event, Player, Rating, Section
from crosstable.words.places import place_text

WINTD = """No.,Name,ID,Rating,Rnd 1,Rnd 2,Rnd 3,Tot
1,"Example, Ada",12345678,1641P17,W 2,D3,-H-,2.0
2,"Muller, Bo",12345679,1500,L1,BYE,W3,2.0
3,"Zed, Cy",12345670,unr.,---,D 1,L 2,0.5
"""


def test_wintd_columns() -> None:
    reading = formats.read(WINTD.encode())
    assert (reading.format, reading.ok) == ("csv", True)
    assert reading.draft is not None
    (section,) = reading.draft.sections
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [
        (1, 1, 2, "1-0"),
        (2, 1, 3, "1/2-1/2"),
        (3, 2, 3, "1-0"),
    ]
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
    assert tables.unquoted(quoted(cell)) == cell
    assert not quoted(cell).startswith(("=", "+", "-", "@"))


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
    assert reading.draft is not None
    assert [p.name for p in reading.draft.sections[0].players] == NASTY
    assert (reading.draft.name, reading.draft.sections[0].name) == ("=EVENT()", "@S")
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
    assert reading.draft is not None
    assert [p.name for p in reading.draft.sections[0].players] == ["", "Bo"]


def test_several_sections_in_one_csv() -> None:
    sections = tuple(
        Section(n, f"S{n}", date(2025, 8, 2), date(2025, 8, 2), (Player(1, "1", "A"),), (), time_control="G/60;d5")
        for n in (1, 2)
    )
    event = Event("E", date(2025, 8, 2), date(2025, 8, 2), sections)
    again = formats.read(formats.write(event, "csv").data).draft
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
    assert reading.draft is not None
    (section,) = reading.draft.sections
    assert [(g.round, g.white, g.black, g.result) for g in section.games] == [
        (1, 1, 2, "1-0"),
        (2, 3, 1, "1/2-1/2"),
        (3, 2, 3, "+/-"),
    ]
    assert [(p.number, p.notes["total"], p.notes.get("byes")) for p in section.players] == [
        (1, 2.0, {"3": "half"}),
        (
            2,
            2.0,
            {"2": "full"},
        ),
        (3, 0.5, None),
    ]


def test_a_time_control_that_nobody_can_read_is_a_gap() -> None:
    table = f"Time control,two hours each or so\n{WINTD}".encode()
    for data, control in [(table, "G/120;d5"), (table.replace(b"two hours each or so", b"G/60;d5"), "G/60;d5")]:
        event = formats.read(data, given=formats.Given(time_control="G/120;d5")).event
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


def players(text: str) -> tuple[Player, ...]:
    event = formats.read(text.encode()).event
    assert event is not None
    return event.sections[0].players


REGULAR = """No.,Name,USCF ID,Regular,Rd 1,Rd 2
1,"Smith, John",12345678,1450P12,W2,D3
2,"Doe, Jane",12345679,1500,L1,H
3,"Roe, Richard",12345680,Unr.,B,D1
"""


@pytest.mark.parametrize("head", ["Regular", "OTBR", "R_LPB_RAT"])
@pytest.mark.parametrize("round_", ["Rd", "Round", "Rnd"])
def test_a_crosstable_with_a_column_of_rating_lists_is_no_list(head: str, round_: str) -> None:
    text = REGULAR.replace("Regular", head).replace("Rd", round_)
    assert rating_lists.detect(text.encode()) == ""
    found = players(text)
    assert found[0].ratings == {"OTBR": Rating(1450.0, games=12)}
    assert found[2].ratings == {}


def test_columns_that_nobody_reads_are_named() -> None:
    (finding,) = formats.read(b"No.,Name,Elo2,Rnd 1\n1,Ada,1500,W2\n2,Bo,,L1\n").findings
    assert (finding.level, finding.code, finding.message) == (
        "notice",
        "column-ignored",
        "the column is not used: 'Elo2'.",
    )


def test_a_provisional_mark_without_a_count() -> None:
    assert players("No.,Name,Rating,Rnd 1\n1,Ada,1610P,W2\n2,Bo,1500,L1\n")[0].ratings == {"OTBR": Rating(1610.0)}


STRAY = ["No.", "Name", "ID", "Rnd 1"], ["1", '"Tex Houston', "7", "W2"], ["2", "Bo", "8", "L1"], ["3", "Cy", "9", "U"]


@pytest.mark.parametrize("mark", ["\t", ",", ";", "|"])
def test_a_stray_quotation_mark_swallows_nobody(mark: str) -> None:
    text = "\n".join(mark.join(row) for row in STRAY) + "\n"
    assert [(p.name, p.id) for p in players(text)] == [('"Tex Houston', "7"), ("Bo", "8"), ("Cy", "9")]
    assert [(f.code, place_text(f.place)) for f in formats.read(text.encode()).findings] == [("stray-quote", "line 2")]


def test_two_stray_quotation_marks_swallow_nobody() -> None:
    text = "\n".join(",".join(row) for row in STRAY).replace("Cy", 'Cy"')
    assert [p.id for p in players(text)] == ["7", "8", "9"]


def test_a_cell_over_two_lines_is_read_and_said() -> None:
    reading = formats.read(b'No.,Name,"Rnd\n1"\n1,"Doe, ""Jo"" Jane",W2\n2,Bo,L1\n')
    assert reading.draft is not None
    assert (reading.draft.sections[0].players[0].name, len(reading.draft.sections[0].games)) == ('Doe, "Jo" Jane', 1)
    assert [f.code for f in reading.findings] == ["stray-quote"]


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        ("8/2/2025", "8/3/2025", ((2025, 8, 2), (2025, 8, 3))),
        ("8/2/2025", "8/2/2025", ((2025, 8, 2), (2025, 8, 2))),
        ("2.8.2025", "2.8.2025", ((2025, 8, 2), (2025, 8, 2))),
        ("7/30/2025", "8/2/2025", ((2025, 7, 30), (2025, 8, 2))),
    ],
)
def test_start_and_end_are_read_together(start: str, end: str, days: tuple[tuple[int, ...], ...]) -> None:
    event = formats.read(f"Start,{start}\nEnd,{end}\nSection start,{start}\n{WINTD}".encode()).event
    assert event is not None
    assert (event.start, event.end) == (date(*days[0]), date(*days[1]))
    assert event.sections[0].start == event.start


def test_a_result_that_is_a_formula_without_a_value_is_missed() -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in (["No.", "Name", "Rnd 1", "Tie"], [1, "Ada", '="W"&2', "=1+1"], [2, "Bo", "L1", "=2"]):
        book.worksheets[0].append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    findings = formats.read(buffer.getvalue()).findings
    assert [(place_text(f.place), f.message) for f in findings if f.code == "formula-without-value"] == [
        ("sheet Sheet, row 2", "column 3: a formula without a stored value.")
    ]


def test_blank_rows_between_players() -> None:
    text = "No.,Name,Rnd 1\n\n1,Ada,W2\n\n\n2,Bo,L1\n\n1,First prize,\nSection,2\nNo.,Name,Rnd 1\n1,Cy,U\n"
    event = formats.read(text.encode()).event
    assert event is not None
    assert [[p.name for p in s.players] for s in event.sections] == [["Ada", "Bo"], ["Cy"]]


@pytest.mark.parametrize("name", ["csv", "tsv", "xlsx", "text-crosstable"])
@pytest.mark.parametrize("text", ["No.", "<pre> & <b>", "Mode: online", "G/60;d5  Mode: online", "a" * 1200])
def test_what_looks_like_something_else_comes_back_or_is_listed(name: str, text: str) -> None:
    people = (Player(1, "Name", text), Player(2, "2", "Bo"))
    section = Section(1, text, date(2025, 8, 2), date(2025, 8, 2), people, (), time_control=text)
    event = Event(text, date(2025, 8, 2), date(2025, 8, 2), (section,))
    written = formats.write(event, name)
    reading = formats.read(written.data)
    assert reading.format == name
    assert reading.draft is not None
    assert set(losses.between(event, reading.draft)) <= set(written.losses)
    assert len(reading.draft.sections[0].players) == 2


@pytest.mark.parametrize(
    "none", ["new", "NEW", "none", "tbd", "TBD.", "n/a", "unrated", "pending", "?", "??", "-", "--", "(new)"]
)
def test_words_for_no_id_are_none(none: str) -> None:
    """Two children with `new` must not become one person."""
    table = f"No,Name,ID,Rnd 1\n1,Ada Ek,{none},W2\n2,Bo Muller,{none},L1\n"
    assert [player.id for player in formats.read(table.encode()).event.sections[0].players] == ["", ""]
    games = f"White,White ID,Black,Black ID,Result\nAda Ek,{none},Bo Muller,{none},1-0\n"
    assert [player.id for player in formats.read(games.encode()).event.sections[0].players] == ["", ""]


def test_a_total_that_is_a_formula_without_a_value_is_a_warning() -> None:
    from openpyxl import Workbook

    book = Workbook()
    for row in (["No", "Name", "Rnd 1", "Total"], [1, "Ada", "W2", "=SUM(1)"], [2, "Bo", "L1", 0]):
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    found = formats.read(stream.getvalue())
    assert [(f.level, f.code) for f in found.findings] == [("warning", "formula-without-value")]
    assert len(found.event.sections[0].games) == 1
