"""Rating lists: real layouts as formats.md gives them, streamed, and written in four formats."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from crosstable.errors import EventRejected
from crosstable.formats import dbf, limits, rating_lists
from crosstable.formats.dbf import DbfField
from crosstable.formats.rating_lists import ListedPlayer, writing
from crosstable.model import Finding
from crosstable.words.places import place_text
from tests.fuzz.seeds import AGA_LIST, CFC, FIDE_TEXT, FIDE_XML


def read(data: bytes) -> tuple[list[ListedPlayer], list[Finding]]:
    findings: list[Finding] = []
    return list(rating_lists.read(io.BytesIO(data), findings)), findings


def problems(findings: list[Finding]) -> list[str]:
    """Codes of findings, without the line that names columns which are not used."""
    return [one.code for one in findings if one.code != "list-column-unused"]


def test_golden_database() -> None:
    names = ["MEM_ID", "MEM_NAME", "EXPIRED", "STATE", "R_LPB_RAT", "Q_LPB_RAT"]
    row = dict(zip(names, ["12345678", "EXAMPLE, ADA", "20261231", "OH", "1641/12", "1500*"], strict=True))
    players, _ = read(dbf.write([DbfField(name, 30) for name in names], [row]))
    assert players == [
        ListedPlayer(
            "12345678", "EXAMPLE, ADA", {"OTBR": 1641.0, "OTBQ": 1500.0}, {"OTBR": 12}, "OH", expires=date(2026, 12, 31)
        )
    ]


def test_supplement_as_tsv() -> None:
    text = (
        "R_MEM_ID\tR_MEM_NAME\tR_EXP_DATE\tR_STATE\tR_RATING1\tR_RATING2\r\n12345678\tEXAMPLE,"
        " ADA\t2026-12-31\tOH\t1641P12\t\r\n\tNOBODY\t\t\t\t\r\n"
    )
    players, findings = read(text.encode())
    assert [(p.id, p.ratings, p.games) for p in players] == [("12345678", {"OTBR": 1641.0}, {"OTBR": 12})]
    assert [f.code for f in findings] == ["list-row"]


def test_fide_text() -> None:
    (player,), _ = read(FIDE_TEXT)
    assert (player.id, player.name, player.country, player.birth_year) == ("14100000", "Example, Ada", "USA", 2000)
    assert player.ratings == {"FIDE": 2105.0, "FIDE_RAPID": 2000.0, "FIDE_BLITZ": 1950.0}
    assert player.games["FIDE_RAPID"] == 3


def test_fide_text_with_a_long_title_shifts_by_one() -> None:
    head, row = FIDE_TEXT.decode().splitlines()
    shifted = row[:94] + "FA,IO,FST,DI,NI,X" + row[110:]  # 17 characters where 15 and a blank are
    (player,), findings = read(f"{head}\n{shifted}\n".encode())
    assert player.ratings["FIDE"] == 2105.0
    assert [(one.code, one.facts["columns"]) for one in findings] == [
        ("list-column-unused", ("OTit", "FOA", "SK", "RK", "BK"))
    ]


def test_fide_standard_list() -> None:
    head = (
        f"{'ID Number':<15}{'Name':<61}{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}"
        f"{'FOA':<4}{'OCT26':<6}{'Gms':<4}{'K':<3}{'B-day':<6}Flag"
    )
    row = (
        f"{'14100000':<15}{'Example, Ada':<61}{'USA':<4}{'F':<4}{'':<5}{'WFM':<5}{'':<15}"
        f"{'':<4}{'2105':<6}{'3':<4}{'20':<3}{'2000':<6}w"
    )
    assert (head.index("OCT26") + 1, head.index("B-day") + 1, head.index("Flag") + 1) == (
        114,
        127,
        133,
    )
    (player,), _ = read(f"{head}\n{row}\n".encode())
    assert (player.ratings, player.title, player.notes) == ({"FIDE": 2105.0}, "WFM", {"flag": "w"})


def test_fide_xml() -> None:
    (player,), _ = read(FIDE_XML)
    assert (player.id, player.ratings, player.games) == (
        "14100000",
        {"FIDE": 2105.0, "FIDE_RAPID": 2000.0},
        {"FIDE": 3},
    )


@pytest.mark.parametrize("bomb", [b'<!DOCTYPE p [<!ENTITY a "aaaa">]>', b'<!DOCTYPE p SYSTEM "file:///etc/passwd">'])
def test_document_types_are_refused(bomb: bytes) -> None:
    with pytest.raises(EventRejected):
        read(FIDE_XML.replace(b"<playerslist>", bomb + b"<playerslist>"))


def test_cfc() -> None:
    """A stray quote in City, and `---` names to skip."""
    (player,), findings = read(CFC)
    assert (player.id, player.name, player.state) == ("100001", "Example, Ada", "ON")
    assert player.ratings == {"CFC": 1643.0, "CFC_QUICK": 1600.0, "FIDE": 1700.0}
    assert player.expires == date(2026, 1, 31)
    assert player.cfc_id == "100001"
    assert problems(findings) == []


def test_aga_lists() -> None:
    players, _ = read(AGA_LIST)
    assert [(p.id, p.ratings, p.state, p.notes.get("sigma")) for p in players] == [
        ("12345", {"AGA": 2.15}, "NY", "0.25"),
        ("12346", {}, "CA", None),
    ]
    fixed = (
        b"Example, Ada             12345 Full   2.1 8/31/2026 NYGC NY\nMuller, Bo               12346 Youth -5.3"
        b" 8/31/2026 SFGC CA\n"
    )
    players, findings = read(fixed)
    assert [(p.id, p.ratings) for p in players] == [("12345", {"AGA": 2.1}), ("12346", {"AGA": -5.3})]
    assert not findings


PLAYERS = [
    ListedPlayer(
        "12345678",
        "Example, Ada",
        {"OTBR": 1643.0, "OLB": 1200.0},
        {},
        "OH",
        "USA",
        "F",
        "WFM",
        2000,
        date(2026, 12, 31),
        "14100000",
    ),
    ListedPlayer("12345679", "=Muller, Bo", {"OTBQ": 1400.0}),
]


@pytest.mark.parametrize("name", writing.FORMATS)
def test_what_is_written_comes_back(name: str) -> None:
    out = io.BytesIO()
    writing.write(PLAYERS, name, out)
    players, findings = read(out.getvalue())
    assert players == PLAYERS
    assert not findings
    assert b",=" not in out.getvalue()


def million(count: int) -> Iterator[bytes]:
    yield b"<?xml version='1.0'?><playerslist>"
    for n in range(count):
        yield b"<player><fideid>%d</fideid><name>Player %d</name><rating>%d</rating></player>" % (
            n + 1,
            n,
            1400 + n % 1000,
        )
    yield b"</playerslist>"


class Chunks(io.RawIOBase):
    """A file that does not exist: its bytes are made while it is read."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self.parts, self.rest = parts, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:
        while not self.rest:
            try:
                self.rest = next(self.parts)
            except StopIteration:
                return 0
        size = min(len(buffer), len(self.rest))
        buffer[:size], self.rest = self.rest[:size], self.rest[size:]
        return size


def test_a_long_list_is_streamed() -> None:
    tracemalloc.start()
    count = sum(1 for _ in rating_lists.read(io.BufferedReader(Chunks(million(60_000))), []))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 60_000
    assert peak < 20 * limits.MEGABYTE


def test_zipped_lists(tmp_path: Path) -> None:
    path = tmp_path / "players_list.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("players_list_foa.txt", FIDE_TEXT)
    assert rating_lists.is_list(path)
    assert len(list(rating_lists.read_path(path, []))) == 1


def test_an_endless_line_is_refused() -> None:
    with pytest.raises(EventRejected):
        read(b"ID\tNAME\tOTBR\n" + b"x" * (1 << 20))


def test_fide_text_until_2012() -> None:
    """The heads of two columns touch, titles are one letter, and the id stands to the right of its column."""
    text = (
        "ID number Name                              TitlFed  Mar11 GamesBorn  Flag\r\n"
        " 4100000  Example, Ada                      wg  USA  2386    9  1990  w\r\n"
        "14100001  Muller, Bo                            GER  1714    0        \r\n"
    )
    (ada, bo), findings = read(text.encode())
    assert not findings
    assert (ada.id, ada.name, ada.country, ada.title, ada.birth_year) == ("4100000", "Example, Ada", "USA", "wg", 1990)
    assert (ada.ratings, ada.games, dict(ada.notes)) == ({"FIDE": 2386.0}, {"FIDE": 9}, {"flag": "w"})
    assert (bo.id, bo.ratings, bo.birth_year) == ("14100001", {"FIDE": 1714.0}, None)


@pytest.mark.parametrize(("mark", "names"), [("\t", ['"TEX', "BO", "CY"]), (",", ["BO", "CY"])])
def test_a_stray_quotation_mark_gives_nobody_anothers_rating(mark: str, names: list[str]) -> None:
    rows = ["MEM_ID", "MEM_NAME", "R_LPB_RAT"], ["1", '"TEX', "1500"], ["2", "BO", "1600"], ["3", "CY", "1700"]
    players, findings = read("\n".join(mark.join(row) for row in rows).encode())
    assert [player.name for player in players] == names
    assert [player.ratings["OTBR"] for player in players][-2:] == [1600.0, 1700.0]
    assert [place_text(finding.place) for finding in findings] == (["row 2"] if mark == "," else [])


@pytest.mark.parametrize(
    "text",
    [
        'ID,Name,Rating,Games\n12345678,"Example, Ada",1500,30\n',
        "Member;Player;Rtg;Rated Games\n12345678;Example, Ada;1500;30\n",
        "USCF ID,Last Name,First Name,Regular,OTBR_GAMES\n12345678,Example,Ada,1500,30\n",
    ],
)
def test_a_clubs_own_list(text: str) -> None:
    findings: list[Finding] = []
    (player,) = rating_lists.read(io.BytesIO(text.encode()), findings)
    assert (player.id, player.name, player.ratings, player.games) == (
        "12345678",
        "Example, Ada",
        {"OTBR": 1500.0},
        {"OTBR": 30},
    )
    assert findings == []


def test_a_table_of_results_is_no_list_though_it_has_ids_and_ratings() -> None:
    assert rating_lists.detect(b"ID,Name,Rating,Ann,Bob,Cyd\n12345678,Ann,1500,x,1,1\n") == ""


def test_what_is_no_list_says_what_to_rename() -> None:
    with pytest.raises(EventRejected, match="Name the columns in the first line: ID, Name, Rating, Games"):
        list(rating_lists.read(io.BytesIO(b"Nummer,Spieler,DWZ\n1,Ann,1500\n"), []))


@pytest.mark.parametrize(
    ("head", "day"),
    [("SRtng SGm SK", None), ("OCT26", date(2026, 10, 1)), ("Mar11 ", date(2011, 3, 1)), ("xyz26", None)],
)
def test_the_month_of_a_fide_list_is_in_its_head(head: str, day: date | None) -> None:
    file = io.BytesIO(f"ID Number      Name              Fed Sex Tit  {head} Gms K  B-day Flag\n".encode())
    assert rating_lists.day_of(file) == day
    assert file.tell() == 0


BORN = {
    "month first, because they have strokes": (
        ["3/4/1971", "5/6/1980"],
        "2 birth dates can be read in two ways and are read with the month first: they have strokes or hyphens.",
    ),
    "month first, and another row proves it": (
        ["3/4/1971", "5/31/1980"],
        "1 birth date can be read in two ways and is read with the month first: row 3 allows only that.",
    ),
    "day first": (
        ["3.4.1971", "31.5.1980"],
        "1 birth date can be read in two ways and is read with the day first: row 3 allows only that.",
    ),
}


@pytest.mark.parametrize(("typed", "said"), BORN.values(), ids=BORN)
def test_how_birth_dates_are_read_is_said_once_for_the_column(typed: list[str], said: str) -> None:
    text = "ID,Name,Rating,DOB\n" + "".join(f"3000000{at},Ann Ames,1500,{day}\n" for at, day in enumerate(typed))
    findings: list[Finding] = []
    first, _ = rating_lists.read(io.BytesIO(text.encode()), findings)
    assert [(finding.code, finding.message) for finding in findings] == [("date-guessed", said)]
    assert first.birth_date == (date(1971, 4, 3) if "." in typed[0] else date(1971, 3, 4))


def test_birth_dates_that_contradict_each_other_are_refused() -> None:
    """3/4/1971 would be 4 March; but row 3 has its day first, and so nobody knows."""
    text = "ID,Name,Rating,DOB\n30000001,Ann Ames,1500,3/4/1971\n30000002,Bo Bird,1400,25/12/1980\n"
    with pytest.raises(
        EventRejected, match="the birth date would be read with the month first, but row 3 has the day first"
    ):
        list(rating_lists.read(io.BytesIO(text.encode()), []))
