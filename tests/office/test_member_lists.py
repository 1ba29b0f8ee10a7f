"""Member lists in an office: what a rating brings along, kinds of membership, CFC ids, residence, prison; a
federation's own columns and codes.
"""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.formats.rating_lists import NO_MAPPING, ListMapping
from crosstable.office import players
from crosstable.office.ledger.models import Adjustment, Membership, Player
from crosstable.office.people.rights import Actor
from crosstable.office.players.rating_lists import ListRead

DAY = date(2025, 8, 1)
OFFICER = Actor.installation()


def take(*lines: str, day: date = DAY, mapping: ListMapping = NO_MAPPING) -> ListRead:
    return players.import_list(OFFICER, io.BytesIO("\n".join(lines).encode()), day, "members.csv", mapping=mapping)


def floor_of(player: str) -> float:
    return float(players.show(player)["ratings"]["OTBR"]["floor"]["rating"])


def test_a_rating_brings_its_record_along(ready: str) -> None:
    """2025 §5: a peak of 1941 gives a floor of 1700."""
    take(
        "ID,Name,OTBR,OTBR_GAMES,OTBR_PEAK,OTBR_WINS,OTBR_DRAWS,OTBR_LOSSES,OTBR_MATCHES,OTBR_GAMES_ABOVE_2200",
        "12345678,Ann Ames,1705,40,1941,20,8,12,2025-01-15 +24,7",
    )
    assert floor_of("12345678") == 1700.0
    fields = Adjustment.objects.get(kind=Adjustment.OPENING).fields
    assert {name: fields[name] for name in ("wins", "draws", "losses", "games_above_2200")} == {
        "wins": 20,
        "draws": 8,
        "losses": 12,
        "games_above_2200": 7,
    }
    assert fields["match_changes"] == [{"date": "2025-01-15", "change": 24.0}]


def test_the_floor_column_of_a_list_is_read(ready: str) -> None:
    take("ID,Name,OTBR,OTBR_GAMES,OTBR_FLOOR", "12345678,Ann Ames,1705,40,1600")
    assert floor_of("12345678") == 1600.0


def test_a_column_that_is_not_used_is_named(ready: str) -> None:
    found = take("ID,Name,OTBR,OTBR_GAMES,Title,Shoe", "12345678,Ann Ames,1705,40,NM,9").findings
    assert {one.code: one.facts["columns"] for one in found} == {
        "list-column-unused": ("TITLE",),
        "list-column": ("SHOE",),
    }


def test_memberships_ids_and_residence(ready: str) -> None:
    take(
        "ID,Name,Membership,Member Since,Expires,CFC #,Residence,Prison",
        "12345678,Ann Ames,senior,2020-02-01,2026-01-31,150001,Canada,no",
        "12345679,Bob Barr,adult,,2026-01-31,,USA,yes",
        "12345680,Cy Cole,,,Life,,,",
    )
    assert list(Membership.objects.order_by("player__number").values_list("kind", "since", "until")) == [
        ("senior", date(2020, 2, 1), date(2026, 1, 31)),
        ("prison", DAY, date(2026, 1, 31)),
        ("life", DAY, None),
    ]
    assert Player.objects.get(number="12345678").cfc_id == "150001"
    record = players.profiles.private_record(OFFICER, "12345678")
    assert record.facts["canadian_resident"] is True


def test_a_renewal_reaches_a_known_member_once(ready: str) -> None:
    head = "ID,Name,Membership,Expires,CFC #,Residence"
    take(head, "12345678,Ann Ames,adult,2025-12-31,,")
    for _ in range(2):
        take(head, "12345678,Ann Ames,adult,2026-12-31,150001,CAN", day=date(2025, 9, 1))
    ends = Membership.objects.order_by("until").values_list("since", "until")
    assert list(ends) == [(DAY, date(2025, 12, 31)), (date(2025, 9, 1), date(2026, 12, 31))]
    assert Player.objects.get().cfc_id == "150001"
    known = players.profiles.private_record(OFFICER, "12345678")
    assert [(one["fact"], one["since"]) for one in known.said] == [("canadian_resident", "2025-09-01")]


def test_a_federations_own_codes(ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, codes = tmp_path / "members.csv", tmp_path / "codes.toml"
    rows.write_text("Member No,Name,Class,Best,OTBR,OTBR_GAMES\n12345678,Ann Ames,I,1941,1705,40\n", encoding="utf-8")
    codes.write_text(
        '[columns]\n"Member No" = "ID"\n"Class" = "Membership"\n"Best" = "OTBR_PEAK"\n[membership]\nI = "prison"\n',
        encoding="utf-8",
    )
    words = ["office", "--db", ready, "players", "import", str(rows), "--date", "2025-08-01", "--mapping", str(codes)]
    assert main(words) == 0
    assert Membership.objects.get().kind == "prison"
    assert floor_of("12345678") == 1700.0
