"""Members' lists: what ratings bring along, kinds of membership, residence and prison, and which columns are not
used.
"""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest

from crosstable.errors import EventRejected
from crosstable.formats import dbf, rating_lists
from crosstable.formats.dbf import DbfField
from crosstable.formats.rating_lists import EVERY, ListedPlayer, read_mapping
from crosstable.formats.rating_lists.mapping import NO_MAPPING, ListMapping
from crosstable.model import Finding, MatchChange, Rating


def read(
    text: str | bytes, *, mapping: ListMapping = NO_MAPPING, plain: bool = False
) -> tuple[list[ListedPlayer], list[Finding]]:
    findings: list[Finding] = []
    data = text if isinstance(text, bytes) else text.encode()
    uses = {} if plain else {"uses": EVERY}
    return list(rating_lists.read(io.BytesIO(data), findings, mapping=mapping, **uses)), findings


def one(heads: str, cells: str) -> tuple[ListedPlayer, list[Finding]]:
    (player,), findings = read(f"ID,Name,OTBR,OTBR_GAMES,{heads}\n12345678,Ann Ames,1705,40,{cells}\n")
    return player, findings


def test_a_record_brings_its_history_along() -> None:
    heads = "OTBR_PEAK,OTBR_WINS,OTBR_DRAWS,OTBR_LOSSES,OTBR_GAMES_ABOVE_2200,OTBR_PRIZE_FLOOR,OTBR_MATCHES"
    player, findings = one(heads, "1941,20,8,12,120,1600,2025-03-02 -10; 2025-01-15 +24.5")
    assert findings == []
    assert player.record("OTBR") == Rating(
        1705.0,
        40,
        peak=1941.0,
        wins=20,
        draws=8,
        losses=12,
        games_above_2200=120,
        prize_floor=1600.0,
        match_changes=(MatchChange(date(2025, 1, 15), 24.5), MatchChange(date(2025, 3, 2), -10.0)),
    )


def test_without_a_pools_name_it_is_the_main_pools() -> None:
    (player,), findings = read("ID,Name,Rating,Games,Peak,Life Master\n12345678,Ann Ames,2250,400,2310,yes\n")
    assert player.records == {"OTBR": Rating(2250.0, 400, peak=2310.0, life_master=True)}
    assert findings == []


def test_a_rating_alone_has_a_record_too() -> None:
    (player,), _ = read("ID,Name,OTBQ,OTBQ_GAMES\n12345678,Ann Ames,1500,12\n")
    assert (player.records, player.record("OTBQ")) == ({}, Rating(1500.0, 12))


def test_a_floor_without_a_reason_is_kept_and_said() -> None:
    """1705 after 40 games earns 1500; the 1600 must come from elsewhere."""
    player, findings = one("OTBR_FLOOR", "1600")
    assert player.record("OTBR").prize_floor == 1600.0
    assert [(f.code, f.facts) for f in findings] == [("list-floor-kept", {"count": 1})]
    earned, findings = one("OTBR_FLOOR,OTBR_FLOOR_RULE", "1600,earned_floor")
    assert (earned.record("OTBR").peak, earned.record("OTBR").prize_floor, findings) == (1800.0, None, [])


@pytest.mark.parametrize(
    ("heads", "cells", "code", "words"),
    [
        ("OTBR_FLOOR", "1755", "list-floor", "no rule gives a floor of 1755"),
        ("OTBR_FLOOR", "15oo", "list-cell", "OTBR floor is '15oo'"),
        ("OTBR_PEAK", "high", "list-cell", "OTBR peak is 'high'"),
        ("OTBR_PRIZE_FLOOR", "1750", "list-cell", "OTBR prize floor is '1750'"),  # hundreds only (§5)
        ("OTBR_WINS,OTBR_DRAWS,OTBR_LOSSES", "20,8,2", "list-cell", "30 of 40 games"),
        ("OTBR_WINS", "41", "list-cell", "41 of 40 games"),
        ("OTBR_MATCHES", "+24", "list-cell", "OTBR match changes is '+24'"),
        ("OTBQ_PEAK", "1800", "list-cell", "OTBQ peak without a rating is '1800'"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_named(heads: str, cells: str, code: str, words: str) -> None:
    heads = f"{heads},OTBQ" if heads == "OTBQ_PEAK" else heads
    player, findings = one(heads, cells)
    assert [finding.code for finding in findings] == [code]
    assert words in findings[0].message
    assert player.record("OTBR") == Rating(1705.0, 40)


def test_a_column_that_is_not_used_is_always_named() -> None:
    """Who reads names and ratings only uses no floor; a published list's class is of no use to anybody."""
    text = "ID,Name,OTBR,OTBR_GAMES,OTBR_FLOOR,OTBR_CLASS,Shoe Size\n12345678,Ann Ames,1705,40,1500,C,44\n"
    _, findings = read(text, plain=True)
    assert {f.code: f.facts["columns"] for f in findings} == {
        "list-column": ("SHOE_SIZE",),
        "list-column-unused": ("OTBR_FLOOR", "OTBR_CLASS"),
    }
    _, findings = read(text)
    assert {f.code: f.facts["columns"] for f in findings}["list-column-unused"] == ("OTBR_CLASS",)


def test_columns_of_a_dbase_table_are_named_too() -> None:
    fields = [DbfField(name, 12) for name in ("MEM_ID", "MEM_NAME", "R_LPB_RAT", "R_LPB_TYPE")]
    row = {"MEM_ID": "12345678", "MEM_NAME": "AMES, ANN", "R_LPB_RAT": "1705", "R_LPB_TYPE": "E"}
    (player,), findings = read(dbf.write(fields, [row]))
    assert player.ratings == {"OTBR": 1705.0}
    assert [(f.code, f.facts["columns"]) for f in findings] == [("list-column", ("R_LPB_TYPE",))]


def test_floors_of_our_own_json_are_read() -> None:
    line = (
        '{"id": "12345678", "name": "Ann Ames", "ratings": {"OTBR": 1705}, "games": {"OTBR": 40}, "classes": {"OTBR":'
        ' "C"}, '
    )
    text = '{"format": "crosstable-ratings/1", "players": [\n' + line
    text += (
        '"floors": {"OTBR": {"rating": 1600, "reason": "set by a cash prize", "rule": "prize_floor"}}, "shoe":'
        " 44}\n]}\n"
    )
    (player,), findings = read(text)
    assert player.record("OTBR") == Rating(1705.0, 40, prize_floor=1600.0)
    assert {f.code: f.facts["columns"] for f in findings} == {
        "list-column": ("SHOE",),
        "list-column-unused": ("OTBR_CLASS", "OTBR_FLOOR_REASON"),
    }


MEMBERS = """ID,Name,Membership,Member Since,Expires,CFC #,Residence,Prison
12345671,Ann Ames,Young Adult,2024-01-01,2026-12-31,100001,CAN,
12345672,Bo Bird,life,,Life,,USA,no
12345673,Cy Cole,adult,,2026-12-31,,,yes
12345674,Di Dale,Platinum,,2026-12-31,,,perhaps
"""


def test_memberships_without_any_rating() -> None:
    (ann, bo, cy, di), findings = read(MEMBERS)
    assert (ann.membership, ann.member_since, ann.expires) == ("young-adult", date(2024, 1, 1), date(2026, 12, 31))
    assert (ann.cfc_id, ann.canadian_resident) == ("100001", True)
    assert (bo.membership, bo.expires, bo.canadian_resident) == ("life", None, False)
    assert (cy.membership, cy.canadian_resident) == ("prison", None)
    assert di.membership == ""
    assert [(f.place.row, f.message) for f in findings] == [
        (5, "prison is 'perhaps'."),
        (5, "membership is 'Platinum'."),
    ]


def test_life_in_place_of_a_last_day_is_a_life_membership() -> None:
    (player,), findings = read("ID,Name,Expires\n12345678,Ann Ames,LIFE\n")
    assert (player.membership, player.expires, findings) == ("life", None, [])


MAPPING = """
[columns]
"Member No" = "ID"
Who = "Name"
Rtg = "OTBR"
Played = "OTBR_GAMES"
Best = "OTBR_PEAK"
Class = "Membership"
Home = "Residence"

[membership]
J = "youth"
I = "prison"

[residence]
"02" = "CAN"
"""


def test_a_federations_own_columns_and_codes(tmp_path: Path) -> None:
    path = tmp_path / "federation.toml"
    path.write_text(MAPPING)
    text = "Member No;Who;Rtg;Played;Best;Class;Home\n7;Ann Ames;1705;40;1941;j;02\n8;Bo Bird;1500;30;;I;01\n"
    assert rating_lists.detect(text.encode()) == ""
    (ann, bo), findings = read(text, mapping=read_mapping(path))
    assert (ann.id, ann.membership, ann.canadian_resident) == ("7", "youth", True)
    assert ann.record("OTBR") == Rating(1705.0, 40, peak=1941.0)
    assert (bo.membership, bo.canadian_resident) == ("prison", False)
    assert findings == []


def test_everything_wrong_in_a_mapping_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "federation.toml"
    path.write_text('[columns]\nBest = "Shoe"\n[membership]\nA = "adlt"\nB = 3\n[colors]\nx = "y"\n')
    with pytest.raises(EventRejected) as caught:
        read_mapping(path)
    assert [finding.code for finding in caught.value.findings] == ["list-mapping"] * 4
    path.write_text("[columns")
    with pytest.raises(EventRejected, match="not TOML"):
        read_mapping(path)
