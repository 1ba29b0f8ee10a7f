"""Small good files of every format, to be spoilt by mutation."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from datetime import date

from crosstable import formats
from crosstable.formats import archive, us_chess_report_writing
from crosstable.formats.rating_lists import writing
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event, ForeignRating, Game, Player, Rating, Section
from tests.formats.strangers_sheets import open_document

DAY = date(2025, 8, 2)
PLAYERS = (
    Player(1, "12345678", "Ada Example", date(2000, 7, 1), ratings={"OTBR": Rating(1643.5, 40)}, notes={"state": "OH"}),
    Player(2, "12345679", "Bo Müller", ratings={"OTBR": Rating(1500.0, 12), "OTBQ": Rating(1400.0)}),
    Player(3, "12345670", "=Cy O'Neil", fide=ForeignRating(2105), notes={"byes": {"2": "half"}}),
    Player(4, "12345671", "Di Zed", notes={"byes": {"2": "forfeit-win"}}),
)
GAMES = (Game(1, 1, 2, "1-0"), Game(1, 3, 4, "1/2-1/2"), Game(2, 2, 1, "0-1"), Game(3, 1, 3, "+/-"))
SECTION = Section(1, "Open", DAY, DAY, PLAYERS, GAMES, time_control="G/60;d5")
EVENT = Event("Riverside Open", DAY, DAY, (SECTION,), "Dayton", "OH", "USA", "A6012345", "12345678")
GO = Event(
    "Cotsen Open",
    DAY,
    DAY,
    (
        Section(
            1,
            "Cotsen Open",
            DAY,
            DAY,
            tuple(replace(p, rank="3d", name=p.name.strip("=")) for p in PLAYERS),
            (Game(1, 1, 2, "1-0", handicap=2, komi=0.5), Game(1, 3, 4, "0-1", komi=7.5)),
            kind="other",
        ),
    ),
    "Los Angeles",
)
LISTED = [
    ListedPlayer(
        "12345678", "Example, Ada", {"OTBR": 1643.0, "FIDE": 1700.0}, {"OTBR": 12}, "OH", birth_year=2000, expires=DAY
    ),
    ListedPlayer("12345679", "Muller, Bo", {"OTBQ": 1400.0}),
]
SWISSSYS = (
    b'{"Overview": {"Tournament title": "Riverside Open", "City": "Dayton", "Begin date": "08/02/2025"}, "Sections":'
    b' [{"Section name": "Open", "Time control": "G/60;d5", "Players": [{"Pair number": 1, "Name": "Ada", "ID":'
    b' "12345678", "Rating": 1500, "Results": ["+;2;W;1;0;0;1.0", "H;0;;0;0;0;0.5"]}, {"Pair number": 2, "Name": "Bo",'
    b' "ID": "12345679", "Rating": "1400", "Results": ["-;1;B;1;0;0;0", "B;0;;0;0;0;1"]}]}]}'
)
FIDE_TEXT = (
    b"ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA"
    b" SRtng SGm SK RRtng RGm RK BRtng BGm BK B-day Flag\n14100000       Example, Ada                                  "
    b"               USA F                                  2105  0   20 2000  3   20 1950  0   20 2000      \n"
)
FIDE_XML = (
    b"<?xml version='1.0'?><playerslist><player><fideid>14100000</fideid><name>Example,"
    b" Ada</name><country>USA</country>"
    b"<rating>2105</rating><games>3</games><rapid_rating>2000</rapid_rating>"
    b"<birthday>2000</birthday></player></playerslist>"
)
CFC = (
    b"CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High,FIDE Number,FIDE Rating\n"
    b'100001,2026/01/31,Example,Ada,ON,"Ottawa,1643,1700,1600,1650,2600001,1700\n'
    b"100002,2020/01/31,---,---,ON,X,0,0,0,0\n"
)
AGA_LIST = (
    b"Example, Ada\t12345\tFull\t2.15\t8/31/2026\tNYGC\tNY\t0.25\t8/1/2025\nMuller,"
    b" Bo\t12346\tYouth\t\t8/31/2026\t\tCA\t\t\n"
)

PGN = b"".join(
    b'[Event "Club"]\n[Site "Dayton"]\n[Date "2025.08.02"]\n[Round "%d"]\n[White "%s"]\n[Black "%s"]\n[Result "%s"]\n'
    b'[WhiteElo "1500"]\n[TimeControl "5400+30"]\n\n1. e4 e5 *\n\n' % game
    for game in ((1, b"Ada", b"Bo", b"1-0"), (2, b"Bo", b"Ada", b"1/2-1/2"))
)
GAMES_LIST = (
    "Round,White,W rtg,Black,B rtg,Result\n1,Ada,1500,Bo,1400P12,1-0\n2,Bo,,half-point bye,,½\n2,Ada,,Cy,,0-1\n"
)
WEB_PAGE = (
    "<html><body><h1>Open</h1><table><tr><th>#</th><th>Name</th><th>Rtng</th><th>Rd 1</th><th>Rd 2</th></tr>"
    "<tr><td>1</td><td>Ada</td><td>1500</td><td>W2</td><td>½ bye</td></tr>"
    "<tr><td>2</td><td>Bo</td><td>unr.</td><td>L1</td><td>-H-</td></tr></table></body></html>"
)
IN_COLUMNS = (
    "Club Open, August 2, 2025\n\n No  Name        Rating  Rd 1  Rd 2\n  1  Ada Example   1500  W 2   H---\n  2  Bo"
    " Muller     1400  L 1   B---\n"
)
LINE_BY_LINE = "Round 1\nAda Example 1-0 Bo Muller\nCy Zed - Di Ray ½-½\nRound 2\nAda Example 0-1 Cy Zed\n"


def packed(content: bytes, method: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as target:
        target.writestr(zipfile.ZipInfo("file"), content, method)
    return buffer.getvalue()


def listed(name: str) -> bytes:
    out = io.BytesIO()
    writing.write(LISTED, name, out)
    return out.getvalue()


#: What is mutated as bytes. Archives are mutated inside, member by member, as well as outside.
EVENT_SEEDS: dict[str, list[bytes]] = {
    name: [formats.write(EVENT, name).data]
    for name in ("event-json", "us-chess-report", "trf", "csv", "tsv", "xlsx", "text-crosstable")
}
EVENT_SEEDS["aga-report"] = [formats.write(GO, "aga-report").data]
EVENT_SEEDS["swisssys"] = [SWISSSYS]
EVENT_SEEDS["trf"].append(EVENT_SEEDS["trf"][0].replace(b"\n", b"\r\n"))
EVENT_SEEDS["ods"] = [
    open_document(
        [["No", "Name", "Rating", "Rd 1", "Rd 2"], ["1", "Ada", "1500", "W2", "H"], ["2", "Bo", "", "L1", "D1"]]
    )
]
EVENT_SEEDS["loose-table"] = [WEB_PAGE.encode(), IN_COLUMNS.encode(), LINE_BY_LINE.encode()]
EVENT_SEEDS["headless-table"] = [
    b"1,Ada Example,30000001,1500,W2,D3\n2,Bo Muller,30000002,1400,L1,W3\n3,Cy Zed,30000003,1300,H---,D1\n"
]
EVENT_SEEDS["pgn"], EVENT_SEEDS["games-list"] = [PGN], [GAMES_LIST.encode()]
EVENT_SEEDS["zipped"] = [
    archive.pack({"event.csv": EVENT_SEEDS["csv"][0]}),
    packed(EVENT_SEEDS["trf"][0], zipfile.ZIP_LZMA),
]
REPORT_FILES = us_chess_report_writing.write_files(EVENT)[0]
LIST_SEEDS: dict[str, list[bytes]] = {
    "list-dbf": [listed("dbf")],
    "list-delimited": [listed("tsv"), listed("csv")],
    "list-json": [listed("json")],
    "fide-text": [FIDE_TEXT],
    "fide-xml": [FIDE_XML],
    "cfc": [CFC],
    "aga-list": [AGA_LIST],
    "zipped-list": [
        archive.pack({"list.txt": FIDE_TEXT}),
        packed(listed("tsv"), zipfile.ZIP_LZMA),
        packed(FIDE_XML, zipfile.ZIP_BZIP2),
    ],
}
