"""US Chess's own lists as offices receive them: golden database and supplement, as dBASE tables and as text.

The layouts that formats.md calls assumed are made here as the reader assumes them: the tests show what is read, not
that the federation writes so.
"""

from __future__ import annotations

import io
from datetime import date

import pytest

from crosstable.formats import dbf, rating_lists
from crosstable.formats.dbf import DbfField
from crosstable.formats.rating_lists import EVERY, ListedPlayer
from crosstable.model import Finding


def read(data: bytes) -> tuple[list[ListedPlayer], list[Finding]]:
    findings: list[Finding] = []
    return list(rating_lists.read(io.BytesIO(data), findings, uses=EVERY)), findings


ANN = ListedPlayer(
    "12345678", "AMES, ANN", {"OTBR": 1641.0, "OTBQ": 1500.0}, {"OTBR": 12}, "OH", expires=date(2026, 12, 31)
)


@pytest.mark.parametrize(
    ("names", "expiry"),
    [
        (("MEM_ID", "MEM_NAME", "EXPIRED", "STATE", "R_LPB_RAT", "Q_LPB_RAT"), "20261231"),
        (("R_MEM_ID", "R_MEM_NAME", "R_EXP_DATE", "R_STATE", "R_RATING1", "R_RATING2"), "12/31/26"),
    ],
    ids=["golden database", "supplement"],
)
def test_dbase_tables(names: tuple[str, ...], expiry: str) -> None:
    cells = ("12345678", "AMES, ANN", expiry, "OH", "1641/12", "1500*")
    players, findings = read(dbf.write([DbfField(name, 30) for name in names], [dict(zip(names, cells, strict=True))]))
    assert players == [ANN]
    assert findings == []


SUPPLEMENT = (
    "AMES, ANN\t12345678\t2026-12-31\tOH\t1641/12\t1500\t\t\t\t\r\n"
    "BIRD, BO\t12345679\t2026-06-30\t\t1702\t\t1650\t1600\t1550\t1500\r\n"
    "NEW, NED\t12345670\t2027-01-31\tTX\tUnrated\t\t\t\t\t\r\n"
)


def test_a_supplement_names_no_columns() -> None:
    (ann, bo, ned), findings = read(SUPPLEMENT.encode())
    assert ann == ANN
    assert bo.ratings == {"OTBR": 1702.0, "OTBB": 1650.0, "OLR": 1600.0, "OLQ": 1550.0, "OLB": 1500.0}
    assert (ned.name, ned.ratings, ned.expires) == ("NEW, NED", {}, date(2027, 1, 31))
    assert [f.code for f in findings] == ["head-guessed"]
    assert "NAME, ID, EXPIRES, STATE, OTBR, OTBQ, OTBB, OLR, OLQ, OLB" in findings[0].message


def test_a_supplement_with_the_state_first() -> None:
    lines = [line.split("\t") for line in SUPPLEMENT.splitlines()]
    swapped = "\n".join("\t".join([*cells[:2], cells[3], cells[2], *cells[4:]]) for cells in lines)
    (ann, *_), _ = read(swapped.encode())
    assert (ann.state, ann.expires) == ("OH", date(2026, 12, 31))


def test_a_bad_row_of_a_supplement_is_named() -> None:
    players, findings = read((SUPPLEMENT + "torn line\r\n").encode())
    assert len(players) == 3
    assert [(f.code, f.place.row) for f in findings][1:] == [("list-row", 4)]


HEAD = ["memid", "memname", "memstate", "memcountry", "memexpdt", "memactive", "fideid", "fidecountry", "rtglistdate"]
RATINGS = ["rtgreg", "rtgquick", "rtgblitz", "rtgolreg", "rtgolquick", "rtgolblitz"]
FACTS = ["12345678", "AMES, ANN", "OH", "USA", "2026-12-31", "A", "2000001", "USA", "2025-09-01"]


def test_the_list_of_all_ratings() -> None:
    """A rating in each of six columns, or in each second of twelve; what the columns between them mean is not known."""
    plain = ["\t".join([*HEAD, *RATINGS]), "\t".join([*FACTS, "1641P12", "1500", "", "", "", "1300"])]
    (ann,), findings = read("\n".join(plain).encode())
    assert (ann.id, ann.name, ann.state, ann.country, ann.fide_id) == ("12345678", "AMES, ANN", "OH", "USA", "2000001")
    assert ann.expires == date(2026, 12, 31)
    assert (ann.ratings, ann.games) == ({"OTBR": 1641.0, "OTBQ": 1500.0, "OLB": 1300.0}, {"OTBR": 12})
    assert findings[0].facts["columns"] == ("MEMACTIVE", "FIDECOUNTRY", "RTGLISTDATE")
    paired = [f"{name}\t{name}gm" for name in RATINGS]
    cells = ["1641\t12", "1500\t40", "\t", "\t", "\t", "1300\t3"]
    (ann,), findings = read("\n".join(["\t".join([*HEAD, *paired]), "\t".join([*FACTS, *cells])]).encode())
    assert (ann.ratings, ann.games) == ({"OTBR": 1641.0, "OTBQ": 1500.0, "OLB": 1300.0}, {})
    assert "RTGREGGM" in findings[0].facts["columns"]


def test_a_go_list_is_not_taken_for_a_supplement() -> None:
    assert rating_lists.detect(b"Ames, Ann\t12345\tFull\t2.15\t8/31/2026\tNYGC\tNY\t0.25\t8/1/2025\n") == "aga"
