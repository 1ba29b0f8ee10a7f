"""Spreadsheets as strangers keep them, one event in many styles: written without a look at our readers.

Five players, three rounds. Grace beats Maya, draws with Tom, beats Ben; Tom also draws with Ben; Ben and Maya beat
Noor. Noor has a bye in the first round, Maya half a point in the second; Tom leaves before the third.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime

from crosstable.formats import archive

#: The score in rated games, by the name that is in every spelling of the player
SCORES = {"Grace": 2.5, "Tom": 1.0, "Ben": 1.5, "Maya": 1.0, "Noor": 0.0}

TEXTS: dict[str, str | bytes] = {
    "German pairing program": (
        "\ufeffRg.;Snr;Titel;Name;Land;Elo;1.Rd;2.Rd;3.Rd;Pkt.;Wtg1;Wtg2\r\n"
        "1;1;FM;Whitfield, Grace;USA;1850;4w1;2s½;3w1;2,5;4,5;4,25\r\n"
        "2;3;;Orlov, Ben;USA;1604;2s½;5w1;1s0;1,5;3,5;0,50\r\n"
        "3;4;;Lindqvist, Maya;SWE;1488;1s0;-½;5w1;1,5;2,5;0,00\r\n"
        "4;2;CM;Akande, Tom;NGR;1720;3w½;1w½;-0;1,0;4,0;2,00\r\n"
        "5;5;;Haddad, Noor;USA;0;-1;3s0;4s0;1,0;3,0;0,00\r\n"
    ),
    "opponent before result": (
        "No.,Player,Rating,R1,R2,R3,Score\n"
        "1,Grace Whitfield,1850,4 W,2 D,3 W,2.5\n"
        "2,Tom Akande,1720,3 D,1 D,wd,1\n"
        "3,Ben Orlov,1604,2 D,5 W,1 L,1.5\n"
        "4,Maya Lindqvist,1488,1 L,H,5 W,1.5\n"
        "5,Noor Haddad,unr.,B,3 L,4 L,1\n"
    ),
    "result, opponent and colour apart": (
        "Pairing No\tName\tUSCF ID\tRtg\tRound 1\tRound 2\tRound 3\tTotal Points\n"
        "1\tGrace Whitfield\t30000001\t1850\tW 4 w\tD 2 b\tW 3 w\t2.5\n"
        "2\tTom Akande\t30000002\t1720\tD 3 w\tD 1 w\tU\t1.0\n"
        "3\tBen Orlov\t30000003\t1604\tD 2 b\tW 5 w\tL 1 b\t1.5\n"
        "4\tMaya Lindqvist\t30000004\t1488\tL 1 b\t½\tW 5 w\t1.5\n"
        "5\tNoor Haddad\t30000005\t\tBYE\tL 3 b\tL 4 b\t1.0\n"
    ),
    "signs behind apostrophes": (
        "Nr,Name,Rating,1,2,3,Punkte\n"
        "1,Grace Whitfield,1850,'+4,'=2,'+3,\"2,5\"\n"
        "2,Tom Akande,1720,'=3,'=1,'-,1\n"
        "3,Ben Orlov,1604,'=2,'+5,'-1,\"1,5\"\n"
        "4,Maya Lindqvist,1488,'-1,'=,'+5,\"1,5\"\n"
        "5,Noor Haddad,,'+,'-3,'-4,1\n"
    ),
    "two columns a round": (
        "Seed,Name,Rating,Rd 1 Opp,Rd 1 Res,Rd 2 Opp,Rd 2 Res,Rd 3 Opp,Rd 3 Res,Pts\n"
        "1,Grace Whitfield,1850,4,1,2,0.5,3,1,2.5\n"
        "2,Tom Akande,1720,3,0.5,1,0.5,,,1\n"
        "3,Ben Orlov,1604,2,0.5,5,1,1,0,1.5\n"
        "4,Maya Lindqvist,1488,1,0,bye,0.5,5,1,1.5\n"
        "5,Noor Haddad,unrated,bye,1,3,0,4,0,1\n"
    ),
    "opponents by name": (
        "Name,Rating,Round 1,Round 2,Round 3,Total\n"
        "Grace Whitfield,1850,W Maya Lindqvist,D Tom Akande,W Ben Orlov,2.5\n"
        "Tom Akande,1720,D Ben Orlov,D Grace Whitfield,,1\n"
        "Ben Orlov,1604,D Tom Akande,W Noor Haddad,L Grace Whitfield,1.5\n"
        "Maya Lindqvist,1488,L Grace Whitfield,1/2 bye,W Noor Haddad,1.5\n"
        "Noor Haddad,,bye,L Ben Orlov,L Maya Lindqvist,1\n"
    ),
    "said in words": (
        "#,Name,Rating,Rd1,Rd2,Rd3\n"
        "1,Grace Whitfield,1850,beat 4,drew 2,beat 3\n"
        "2,Tom Akande,1720,drew 3,drew with 1,withdrawn\n"
        "3,Ben Orlov,1604,drew 2,beat 5,lost to 1\n"
        "4,Maya Lindqvist,1488,lost to 1,half-point bye,beat 5\n"
        "5,Noor Haddad,new,1 point bye,lost to 3,lost to 4\n"
    ),
    "times in the heads": (
        '"No","Name","Rating","Round 1 (Sat 10am)","Round 2 (Sat 2pm)","Round 3 - Sunday","Total"\n'
        '"1","Grace Whitfield","1850","W4","D2","W3","2.5"\n'
        '"2","Tom Akande","1720","D3","D1","-U-","1.0"\n'
        '"3","Ben Orlov","1604","D2","W5","L1","1.5"\n'
        '"4","Maya Lindqvist","1488","L1","-H-","W5","1.5"\n'
        '"5","Noor Haddad","","-B-","L3","L4","1.0"\n'
    ),
    "a column for the section": (
        "Section,No,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "Open,1,Grace Whitfield,1850,W4,D2,W3\n"
        "Open,2,Tom Akande,1720,D3,D1,U\n"
        "Open,3,Ben Orlov,1604,D2,W5,L1\n"
        "Open,4,Maya Lindqvist,1488,L1,H,W5\n"
        "Open,5,Noor Haddad,,B,L3,L4\n"
        "Reserve,1,Ida Stone,900,W2,D2,\n"
        "Reserve,2,Jon Reed,850,L1,D1,\n"
    ),
    "tie-breaks and prizes": (
        "Place,Name,ID,Rating,Fed,Rd 1,Rd 2,Rd 3,Tot,Med,Solk,Cum,Prize\n"
        "1,Grace Whitfield,30000001,1850,USA,W4,D2,W3,2.5,3.0,5.5,6.0,$100\n"
        "2,Tom Akande,30000002,1720,NGR,D3,D1,---,1.0,,,,\n"
        "3,Ben Orlov,30000003,1604,USA,D2,W5,L1,1.5,,,,\n"
        "4,Maya Lindqvist,30000004,1488,SWE,L1,HPB,W5,1.5,,,,\n"
        "5,Noor Haddad,30000005,UNR,USA,FPB,L3,L4,1.0,,,,\n"
    ),
    "titles and clubs in the name": (
        "No;Player (club);Elo;R1;R2;R3\n"
        "1;FM Whitfield, Grace (Dayton);1850;W4;D2;W3\n"
        "2;CM Akande, Tom (Dayton);1720;D3;D1;\n"
        "3;Orlov, Ben (Toledo);1604;D2;W5;L1\n"
        "4;WCM Lindqvist, Maya (Akron);1488;L1;½;W5\n"
        "5;Haddad, Noor (-);;1;L3;L4\n"
    ),
    "ids behind apostrophes": (
        "Pair #,Last,First,Member Number,Reg. Rating,Exp. Date,Rd.1,Rd.2,Rd.3,Final Score\n"
        "1,Whitfield,Grace,'30000001,1850,12/31/2025,W4,D2,W3,2.5\n"
        "2,Akande,Tom,'30000002,1720,12/31/2025,D3,D1,,1\n"
        "3,Orlov,Ben,'30000003,1604,12/31/2025,D2,W5,L1,1.5\n"
        "4,Lindqvist,Maya,'30000004,1488,12/31/2025,L1,Half Point Bye,W5,1.5\n"
        "5,Haddad,Noor,'30000005,,12/31/2025,Full Point Bye,L3,L4,1\n"
    ),
    "unicode text from a spreadsheet": (
        "No.\tName\tRating\t1\t2\t3\r\n"
        "1\tGrace Whitfield\t1850\tW4\tD2\tW3\r\n"
        "2\tTom Akande\t1720\tD3\tD1\t\r\n"
        "3\tBen Orlov\t1604\tD2\tW5\tL1\r\n"
        "4\tMaya Lindqvist\t1488\tL1\t½\tW5\r\n"
        "5\tNoor Haddad\tunr\tB\tL3\tL4\r\n"
    ).encode("utf-16"),
    "colour before the opponent": (
        "No,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "1,Grace Whitfield,1850,w4 1,b2 ½,w3 1\n"
        "2,Tom Akande,1720,w3 ½,w1 ½,\n"
        "3,Ben Orlov,1604,b2 ½,w5 1,b1 0\n"
        "4,Maya Lindqvist,1488,b1 0,½,w5 1\n"
        "5,Noor Haddad,,bye,b3 0,b4 0\n"
    ),
    "a list of results with dashes": (
        "Rd,Bd,White,Rtg,Black,Rtg,Result\n"
        "1,1,Grace Whitfield,1850,Maya Lindqvist,1488,1–0\n"
        "1,2,Tom Akande,1720,Ben Orlov,1604,½–½\n"
        "1,,Noor Haddad,,BYE,,1\n"
        "2,1,Tom Akande,1720,Grace Whitfield,1850,½–½\n"
        "2,2,Ben Orlov,1604,Noor Haddad,,1–0\n"
        "2,,Maya Lindqvist,1488,bye,,½\n"
        "3,1,Grace Whitfield,1850,Ben Orlov,1604,1–0\n"
        "3,2,Maya Lindqvist,1488,Noor Haddad,,1–0\n"
    ),
    "a list with winners": (
        "Date,White,Black,Winner\n"
        "8/2/2025,Grace,Maya,Grace\n"
        "8/2/2025,Tom,Ben,draw\n"
        "8/2/2025,Tom,Grace,Draw\n"
        "8/2/2025,Ben,Noor,Ben\n"
        "8/3/2025,Grace,Ben,Grace\n"
        "8/3/2025,Maya,Noor,Maya\n"
    ),
    "two players and a result": (
        "Round;Player 1;Player 2;Result\n"
        "1;Grace;Maya;1-0\n1;Tom;Ben;0,5-0,5\n2;Tom;Grace;0,5-0,5\n2;Ben;Noor;1-0\n3;Grace;Ben;1-0\n3;Maya;Noor;1-0\n"
    ),
    "a title in front of the table": (
        "Riverside Chess Club,,,,,\n"
        "Summer Open - August 2-3 2025,,,,,\n"
        "TD: Pat Example,,,,,\n"
        ",,,,,\n"
        "No.,Name,Rating,Round 1,Round 2,Round 3\n"
        "1,Grace Whitfield,1850,W4,D2,W3\n"
        "2,Tom Akande,1720,D3,D1,\n"
        "3,Ben Orlov,1604,D2,W5,L1\n"
        "4,Maya Lindqvist,1488,L1,½,W5\n"
        "5,Noor Haddad,,bye,L3,L4\n"
        "Total players: 5,,,,,\n"
        "Thanks to all who came!,,,,,\n"
    ),
    "a pipe table": (
        "| # | Name | Rating | R1 | R2 | R3 |\n"
        "|---|------|--------|----|----|----|\n"
        "| 1 | Grace Whitfield | 1850 | W4 | D2 | W3 |\n"
        "| 2 | Tom Akande | 1720 | D3 | D1 | |\n"
        "| 3 | Ben Orlov | 1604 | D2 | W5 | L1 |\n"
        "| 4 | Maya Lindqvist | 1488 | L1 | H | W5 |\n"
        "| 5 | Noor Haddad | | B | L3 | L4 |\n"
    ),
    "hard blanks and zeros": (
        "No.,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "01,Grace\u00a0Whitfield,1850\u00a0,W04,D02,W03\n"
        "02,Tom\u00a0Akande,1720,D03,D01,U00\n"
        "03,Ben\u00a0Orlov,1604,D02,W05,L01\n"
        "04,Maya\u00a0Lindqvist,1488,L01,H00,W05\n"
        "05,Noor\u00a0Haddad,0000,B00,L03,L04\n"
    ),
    "opponents' numbers with signs": (
        "No.,Name,Rating,Rd 1,Rd 2,Rd 3\n"
        "1,Grace Whitfield,1850,W #4,D #2,W #3\n"
        "2,Tom Akande,1720,D #3,D #1,N/A\n"
        "3,Ben Orlov,1604,D #2,W #5,L #1\n"
        "4,Maya Lindqvist,1488,L #1,Bye (0.5),W #5\n"
        "5,Noor Haddad,Unr,Bye (1),L #3,L #4\n"
    ),
    "points and opponents": (
        "Rank,Name,Rtg,Rd 1,Rd 2,Rd 3,Pts\n"
        "1,Grace Whitfield,1850,1 (4),½ (2),1 (3),2½\n"
        "2,Tom Akande,1720,½ (3),½ (1),0,1\n"
        "3,Ben Orlov,1604,½ (2),1 (5),0 (1),1½\n"
        "4,Maya Lindqvist,1488,0 (1),½,1 (5),1½\n"
        "5,Noor Haddad,,1,0 (3),0 (4),1\n"
    ),
    "latin letters of an old program": (
        "No.;Name;Rating;Rnd1;Rnd2;Rnd3\r\n"
        "1;Whitfield, Gr\u00e4ce Grace;1850;W4;D2;W3\r\n"
        "2;Akande, Tom;1720;D3;D1;U\r\n"
        "3;Orlov, Ben;1604;D2;W5;L1\r\n"
        "4;Lindqvist, Maya;1488;L1;H;W5\r\n"
        "5;Haddad, Noor;;B;L3;L4\r\n"
    ).encode("cp1252"),
}

#: A quad of names: each head is a player. Everybody plays everybody; the scores are others.
NAMES_AS_HEADS = "Name,Rating,Grace,Tom,Ben,Score\nGrace,1850,x,½,1,1.5\nTom,1720,½,x,½,1\nBen,1604,0,½,x,0.5\n"
NAMES_SCORES = {"Grace": 1.5, "Tom": 1.0, "Ben": 0.5}

TABLE: list[list[object]] = [
    [1, "Grace Whitfield", 30000001, 1850, "W4", "D2", "W3", 2.5],
    [2, "Tom Akande", 30000002, 1720, "D3", "D1", None, 1],
    [3, "Ben Orlov", 30000003, 1604, "D2", "W5", "L1", 1.5],
    [4, "Maya Lindqvist", 30000004, 1488, "L1", "H", "W5", 1.5],
    [5, "Noor Haddad", 30000005, None, "B", "L3", "L4", 1],
]


def workbook(rows: Sequence[Sequence[object]], merged: Sequence[str] = ()) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(list(row))
    for cells in merged:
        sheet.merge_cells(cells)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def open_document(rows: Sequence[Sequence[object]]) -> bytes:
    """An .ods as LibreOffice writes it: numbers as values, blanks counted, rows to the bottom, a comment in a cell."""
    lines = []
    for row in rows:
        cells = []
        for value in row:
            if value is None:
                cells.append('<table:table-cell table:number-columns-repeated="1"/>')
            elif isinstance(value, int | float):
                cells.append(
                    f'<table:table-cell office:value-type="float" office:value="{value}"><text:p>{value:.2f}</text:p>'
                    "</table:table-cell>"
                )
            else:
                cells.append(
                    '<table:table-cell office:value-type="string"><office:annotation><text:p>checked</text:p>'
                    f"</office:annotation><text:p>{value}</text:p></table:table-cell>"
                )
        cells.append('<table:table-cell table:number-columns-repeated="1016"/>')
        lines.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet>'
        f'<table:table table:name="Sheet1">{"".join(lines)}<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="1024"/></table:table-row></table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return archive.pack(
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": content.encode()}
    )


def books() -> dict[str, bytes]:
    """Workbooks: merged titles, a head of two rows, numbers and dates as such, a first column that is empty."""
    head = ["No.", "Name", "USCF ID", "Rating", "Rd 1", "Rd 2", "Rd 3", "Total"]
    two = [["", "Player", "", "", "Round", "", "", ""], ["#", "Name", "ID", "Rating", 1, 2, 3, "Total"]]
    return {
        "merged titles": workbook(
            [["Riverside Summer Open"], ["August 2-3, 2025"], [], head, *TABLE], ["A1:H1", "A2:H2"]
        ),
        "a head of two rows": workbook([*two, *TABLE], ["B1:D1", "E1:G1"]),
        "dates and decimals as numbers": workbook(
            [
                ["Event", "Summer Open"],
                ["Start", datetime(2025, 8, 2)],
                ["End", datetime(2025, 8, 3)],
                [],
                head,
                *([float(cell) if isinstance(cell, int) else cell for cell in row] for row in TABLE),
            ]
        ),
        "OpenDocument": open_document([["Riverside Summer Open"], [], head, *TABLE]),
        "an empty first column": workbook([[None, *head], [], *([None, *row] for row in TABLE)]),
    }
