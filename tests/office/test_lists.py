"""A published list never changes, names no age, and can be checked against the log."""

from __future__ import annotations

import csv
import io
import json
from datetime import date, timedelta

import dbfread
import pytest
from django.db import DatabaseError, connection, transaction

from crosstable.formats import rating_lists
from crosstable.model import Finding
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.triggers import disarmed
from crosstable.office.audit.verify import verify
from crosstable.office.ledger.models import Adjustment, Membership, Player, RatingRow
from crosstable.office.ledger.order import day_of
from crosstable.office.lists import read
from crosstable.office.lists.export import FORMATS, export
from crosstable.office.lists.groups import age_bands, class_name, is_public, state_of
from crosstable.office.lists.models import ListRow, PublishedList, Title, TopRow
from crosstable.office.lists.official import age_based, shown, standings
from crosstable.office.lists.options import ListError, Options
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.requests import list_publication, registry

pytestmark = pytest.mark.both_databases

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)
BORN = date(1999, 3, 17)


@pytest.fixture
def officers(office: str) -> tuple[Actor, Actor]:
    for name in ("ada", "boris"):
        users.add_user(Actor.installation(), name, Role.OFFICER)
    return users.acting_as("ada"), users.acting_as("boris")


def issue(officers: tuple[Actor, Actor], day: date, options: Options | None = None) -> PublishedList:
    proposal = list_publication.propose(officers[0], day, "monthly list", options)
    registry.approve(officers[1], proposal.id)
    return read.find(day)


def player(n: int, **fields: object) -> Player:
    values = {"name": f"Player {n:03}", "state": "OH", "birth_date": BORN} | fields
    return Player.objects.create(number=f"1{n:07}", **values)


def rated(
    who: Player, post: float, day: date, *, games: int = 30, prior: float | None = 1500.0, prior_games: int = 26
) -> None:
    RatingRow.objects.create(
        section_id=day.toordinal(),
        pool="OTBR",
        player=who,
        position=day_of(day) + 1000,
        number=1,
        prior=prior,
        prior_games=prior_games,
        games=4,
        score=2,
        post=post,
        state_games=games,
    )


def crowd(n: int, **fields: object) -> list[Player]:
    people = [player(i, **fields) for i in range(n)]
    for i, who in enumerate(people):
        rated(who, 1500.0 + i + 0.5, date(2025, 4, 10))
    return people


def test_a_list_freezes_what_stood_before_its_day(officers: tuple[Actor, Actor]) -> None:
    who = player(1)
    rated(who, 1600.5, date(2025, 4, 30))
    rated(who, 1700.2, MAY)  # ends on the list's own day: belongs to the next one
    assert [row["rating"] for row in read.rows(issue(officers, MAY))] == [1601.0]
    june = issue(officers, JUNE)
    assert [(row["rating"], row["change"]) for row in read.rows(june)] == [(1700.0, 99.0)]
    assert [row["rating"] for row in read.rows(read.find(MAY))] == [1601.0]


def test_two_officers_publish_and_no_other_way_leads_there(officers: tuple[Actor, Actor]) -> None:
    crowd(1)
    proposal = list_publication.propose(officers[0], MAY, "monthly list")
    assert not PublishedList.objects.exists()
    with pytest.raises(NotAllowedError, match="another officer"):
        registry.approve(officers[0], proposal.id)
    registry.approve(officers[1], proposal.id)
    published = read.find()
    assert (published.proposed_by, published.approved_by) == ("ada", "boris")


def test_a_published_list_cannot_be_changed(officers: tuple[Actor, Actor]) -> None:
    crowd(25)
    published = issue(officers, MAY)
    for table, column in (("publishedlist", "rows"), ("listrow", "rating"), ("toprow", "place")):
        for sql in (f"UPDATE lists_{table} SET {column} = 1", f"DELETE FROM lists_{table}"):
            with (
                pytest.raises(DatabaseError, match="never changes"),
                transaction.atomic(),
                connection.cursor() as cursor,
            ):
                cursor.execute(sql)
    assert read.problems() == []
    assert verify(read.anchors()).ok
    with disarmed("lists_listrow"):
        ListRow.objects.filter(number="10000003").update(rating=2800.0)
    assert read.problems() == [f"the list of {published.date} was changed after it was published"]


def test_a_row_added_later_is_found_too(officers: tuple[Actor, Actor]) -> None:
    crowd(2)
    published = issue(officers, MAY)
    ListRow.objects.create(published=published, pool="OTBR", number="99999999", name="Nobody", rating=2900, active=True)
    assert read.problems() == ["the list of 2025-05-01 was changed after it was published"]


def test_the_lists_head_is_in_the_log_and_the_log_holds_the_lists_hash(officers: tuple[Actor, Actor]) -> None:
    crowd(3)
    published = issue(officers, MAY)
    entry = AuditEntry.objects.get(seq=published.audit_count)
    assert entry.hash == published.audit_hash
    assert json.loads(entry.details)["rows_hash"] == published.rows_hash
    with disarmed("audit_auditentry"), disarmed("audit_audithead"):
        AuditEntry.objects.filter(seq__gte=published.audit_count).delete()
    assert not verify(read.anchors()).ok
    assert read.problems() == ["the log does not have the list of 2025-05-01 in this form"]


@pytest.mark.parametrize("day", [date(2025, 5, 2), date(2125, 5, 1)])
def test_a_list_bears_the_first_of_a_month_near_by(officers: tuple[Actor, Actor], day: date) -> None:
    with pytest.raises(ListError):
        list_publication.propose(officers[0], day, "why")


def test_no_list_after_a_later_one_and_none_twice(officers: tuple[Actor, Actor]) -> None:
    crowd(1)
    late = list_publication.propose(officers[0], MAY, "forgotten")
    issue(officers, JUNE)
    with pytest.raises(ListError, match="published already"):
        registry.approve(officers[1], late.id)
    with pytest.raises(ListError, match="published already"):
        list_publication.propose(officers[0], JUNE, "again")


def test_groups_of_fewer_than_twenty_are_not_published(officers: tuple[Actor, Actor]) -> None:
    crowd(39)
    Player.objects.filter(number__lt="10000019").update(state="NY", sex="F")  # nineteen
    published = issue(officers, MAY)
    assert read.groups(published) == [("OTBR", "Class C"), ("OTBR", "overall"), ("OTBR", "state OH")]
    withheld = read.report_of(published)["withheld"]["groups"]
    assert withheld == ["OTBR state NY", "OTBR women"]
    with pytest.raises(ListError, match="never published"):
        Options(smallest_group=19)


def test_top_lists_by_group_are_in_order_and_cut(officers: tuple[Actor, Actor]) -> None:
    crowd(30, sex="F")
    published = issue(officers, MAY, Options(top=10))
    women = read.top(published, "OTBR", "women")
    assert [row["rating"] for row in women] == [1530.0 - i for i in range(10)]
    assert [row["place"] for row in women] == list(range(1, 11))
    assert len(read.top(published, "OTBR", "women", size=5)) == 5
    with pytest.raises(ListError, match="no top list"):
        read.top(published, "OTBR", "under 10")


def test_equal_ratings_share_a_place(officers: tuple[Actor, Actor]) -> None:
    crowd(20)
    extra = player(900)
    rated(extra, 1519.5, date(2025, 4, 11))  # as high as the first of the crowd
    places = [row["place"] for row in read.top(issue(officers, MAY), "OTBR", "overall", size=3)]
    assert places == [1, 1, 3]


def test_top_lists_hold_active_players_with_established_ratings(officers: tuple[Actor, Actor]) -> None:
    crowd(20)
    idle, fresh = player(800), player(801)
    rated(idle, 2000, MAY - timedelta(days=366))
    rated(fresh, 2100, date(2025, 4, 1), games=25)
    published = issue(officers, MAY)
    assert {"10000800", "10000801"}.isdisjoint(row["id"] for row in read.top(published, "OTBR", "overall"))
    rows = {row["id"]: row for row in read.rows(published)}
    assert (rows["10000800"]["active"], rows["10000801"]["games"]) == (False, 25)
    assert "10000800" not in {row["id"] for row in read.rows(published, active_only=True)}


def test_prison_members_stand_on_no_top_list_where_the_office_says_so(officers: tuple[Actor, Actor]) -> None:
    people = crowd(21)
    Membership.objects.create(player=people[-1], kind="prison", since=date(1990, 1, 1))
    may = issue(officers, MAY)
    assert read.top(may, "OTBR", "overall")[0]["id"] == "10000020"
    june = issue(officers, JUNE, Options(prison_off_top_lists=True))
    assert read.top(june, "OTBR", "overall")[0]["id"] == "10000019"
    assert "10000020" in {row["id"] for row in read.rows(june)}  # the rating itself is on the list


def test_most_improved_looks_a_year_back(officers: tuple[Actor, Actor]) -> None:
    people = crowd(25)
    issue(officers, MAY)
    for i, who in enumerate(people):
        rated(who, 1600.5 + 3 * i, date(2026, 4, 1))
    later = issue(officers, date(2026, 5, 1))
    improved = read.top(later, "OTBR", "most improved")
    assert improved[0]["id"] == "10000024"
    assert improved[0]["change"] == (1601 + 3 * 24) - (1501 + 24)


def test_titles_are_carried_on_lists(officers: tuple[Actor, Actor]) -> None:
    who = crowd(20)[3]
    for level, title, day in ((1200, "Fourth Category", date(2024, 1, 5)), (1400, "Third Category", date(2025, 2, 5))):
        Title.objects.create(player_id=who.id, level=level, title=title, earned=day)
    Title.objects.create(player_id=who.id, level=1600, title="Second Category", earned=MAY)
    published = issue(officers, MAY)
    assert {row["title"] for row in read.rows(published) if row["id"] == who.number} == {"Third Category"}


def test_an_age_based_first_rating_is_not_shown(officers: tuple[Actor, Actor]) -> None:
    """Four opponents a long way up, all lost: the rating stays what the age made it."""
    child, other, grown = player(1, birth_date=date(2016, 2, 3)), player(2), player(3)
    rated(child, 642.4, date(2025, 4, 1), games=4, prior=642.4, prior_games=0)
    rated(other, 655.0, date(2025, 4, 1), games=4, prior=642.4, prior_games=0)
    rated(grown, 642.4, date(2025, 4, 1), games=40, prior=700, prior_games=36)
    published = issue(officers, MAY)
    assert [row["rating"] for row in read.rows(published)] == [None, 655.0, 642.0]
    players = json.loads(export(published, "json"))["players"]
    assert [row["ratings"] for row in players] == [{}, {"OTBR": 655.0}, {"OTBR": 642.0}]
    assert read.report_of(published)["pools"]["OTBR"]["not_shown"] == 1


def test_no_file_and_no_column_tells_a_birth_date_or_an_age(officers: tuple[Actor, Actor]) -> None:
    crowd(25, birth_date=date(1977, 11, 23))
    published = issue(officers, MAY)
    text = b"".join(export(published, kind) for kind in ("csv", "tsv", "dbf", "json"))
    text += (published.report + published.options).encode()
    text += "".join(f"{e.details}{e.subject}{e.reason}" for e in AuditEntry.objects.all()).encode()
    for trace in (b"1977-11", b"197711", b"11/23", b"birth", b"born", b'"age"'):
        assert trace not in text.lower()
    columns = {field.name for model in (ListRow, TopRow) for field in model._meta.get_fields()}
    assert not {name for name in columns if "birth" in name or "age" in name}


@pytest.mark.parametrize("kind", [kind for kind in FORMATS if kind != "xlsx"])  # a workbook is for people
def test_every_export_is_read_by_our_own_reader(officers: tuple[Actor, Actor], kind: str) -> None:
    crowd(3)
    rated(player(7, name="=HYPERLINK(1)"), 1000, date(2025, 4, 2), games=7)
    data = export(issue(officers, MAY), kind)
    findings: list[Finding] = []
    found = [(one.id, one.ratings, one.games) for one in rating_lists.read(io.BytesIO(data), findings)]
    established = [(f"1000000{i}", {"OTBR": 1501.0 + i}, {}) for i in range(3)]
    assert found == [*established, ("10000007", {"OTBR": 1000.0}, {"OTBR": 7})]
    assert {one.code for one in findings} == {"list-column-unused"} or kind == "dbf"  # its class, the list's day


def test_every_table_carries_the_head_and_no_formula(officers: tuple[Actor, Actor]) -> None:
    crowd(2)
    Player.objects.filter(number="10000001").update(name="=HYPERLINK(1)")
    published = issue(officers, MAY)
    head = f"{published.audit_count}:{published.audit_hash}"
    for kind, separator in (("csv", ","), ("tsv", "\t")):
        rows = list(csv.DictReader(io.StringIO(export(published, kind).decode()), delimiter=separator))
        assert [(row["id"], row["OTBR"], row["list"], row["audit_head"]) for row in rows] == [
            (f"1000000{i}", f"{1501 + i}", "2025-05-01", head) for i in range(2)
        ]
        assert rows[1]["name"] == "'=HYPERLINK(1)"
    assert json.loads(export(published, "json"))["audit_head"] == head
    with pytest.raises(ListError, match="no list in the format"):
        export(published, "xls")


def test_the_dbf_is_read_by_another_reader(
    officers: tuple[Actor, Actor], tmp_path_factory: pytest.TempPathFactory
) -> None:
    crowd(2)
    published = issue(officers, MAY)
    path = tmp_path_factory.mktemp("dbf") / "list.dbf"
    path.write_bytes(export(published, "dbf"))
    records = list(dbfread.DBF(path, encoding="ascii"))
    assert [(row["MEM_ID"], row["R_LPB_RAT"]) for row in records] == [("10000000", "1501"), ("10000001", "1502")]
    assert records[0]["LIST_HEAD"] == f"{published.audit_count}:{published.audit_hash}"


def test_the_report_counts_and_compares(officers: tuple[Actor, Actor]) -> None:
    people = crowd(3)
    issue(officers, MAY)
    rated(people[0], 1600, date(2025, 5, 3))
    rated(people[1], 1400, date(2025, 5, 3))
    rated(player(50), 1000, date(2025, 5, 3), games=10)
    found = read.report_of(issue(officers, JUNE))
    pool = found["pools"]["OTBR"]
    assert (found["previous"], found["rows"]) == ("2025-05-01", 4)
    assert [pool[key] for key in ("players", "new", "changed", "risen", "fallen", "provisional")] == [
        4,
        1,
        2,
        1,
        1,
        1,
    ]
    assert pool["largest_gains"][0] == {"id": "10000000", "name": "Player 000", "rating": 1600.0, "change": 99.0}
    assert pool["largest_losses"][0]["change"] == -102.0


def test_official_against_live(officers: tuple[Actor, Actor]) -> None:
    people = crowd(2)
    published = issue(officers, MAY)
    rated(people[1], 1640, date(2025, 5, 3))
    rows = read.official_against_live(published, "OTBR", JUNE)
    assert [(row["official"], row["live"], row["change"]) for row in rows] == [(1502.0, 1640.0, 138.0)]


def test_a_granted_adjustment_counts_until_the_next_rating(officers: tuple[Actor, Actor]) -> None:
    who = player(1)
    rated(who, 1500, date(2025, 3, 1))
    decision = {"player": who, "pool": "OTBR", "author": "ada", "status": Adjustment.GRANTED}
    day = date(2025, 4, 1)
    Adjustment.objects.create(
        kind="rating", date=day, position=day_of(day), fields={"rating": 1900, "games": 1}, **decision
    )
    assert [(one.rating, one.games) for one in standings(MAY)] == [(1900.0, 1)]
    rated(who, 1850, date(2025, 4, 2))
    assert [one.rating for one in standings(MAY)] == [1850.0]


def test_a_merged_record_is_on_no_list(officers: tuple[Actor, Actor]) -> None:
    people = crowd(2)
    people[1].merged_into = people[0]
    people[1].save()
    assert [one.number for one in standings(MAY)] == ["10000000"]


def test_a_decision_on_a_duplicate_counts_for_the_record_that_is_kept(officers: tuple[Actor, Actor]) -> None:
    """As `players show` has it: the list of April opened the duplicate at 1800, after the kept record's last event."""
    stays = player(1)
    rated(stays, 1540.7, date(2025, 3, 5))
    duplicate, oldest = player(2, merged_into=stays), date(2025, 4, 1)
    between = player(3, merged_into=duplicate)  # a duplicate of a duplicate
    for who, pool, rating in ((duplicate, "OTBR", 1800), (between, "OTBQ", 1700)):
        Adjustment.objects.create(
            kind="opening",
            date=oldest,
            position=day_of(oldest),
            fields={"rating": rating, "games": 50},
            player=who,
            pool=pool,
            author="ada",
            reason="list",
            status=Adjustment.GRANTED,
        )
    Membership.objects.create(player=duplicate, kind="prison", since=date(2025, 1, 1))
    found = {(one.number, one.pool): (one.rating, one.games, one.imprisoned) for one in standings(MAY)}
    assert found == {("10000001", "OTBR"): (1800.0, 50, True), ("10000001", "OTBQ"): (1700.0, 50, True)}
    live = players.show("10000001")["ratings"]
    assert {pool: held["rating"] for pool, held in live.items()} == {"OTBR": 1800.0, "OTBQ": 1700.0}
    assert age_based([stays.id]) == set()


def test_bands_are_reckoned_by_calendar_year() -> None:
    """Born 2012-06-30: twelve on 2025-01-01, so under 13 all that year, whatever the month."""
    born = date(2012, 6, 30)
    assert list(age_bands(born, date(2025, 1, 1))) == ["under 13", "under 16", "under 21"]
    assert list(age_bands(born, date(2025, 12, 1))) == ["under 13", "under 16", "under 21"]
    assert list(age_bands(born, date(2026, 1, 1))) == ["under 16", "under 21"]
    assert list(age_bands(date(1960, 1, 1), MAY)) == ["50 and over", "65 and over"]
    assert list(age_bands(None, MAY)) == []


@pytest.mark.parametrize("born", [date(2019, 3, 1), date(2012, 1, 2), date(1974, 1, 1), date(1950, 1, 1)])
def test_no_age_band_is_public(born: date) -> None:
    bands = list(age_bands(born, MAY))
    assert bands
    assert not any(map(is_public, bands))


def test_only_groups_that_are_known_to_depend_on_no_age_are_public() -> None:
    assert all(map(is_public, ["overall", "women", "most improved", "Class A", "Senior Master", "state OH"]))
    assert not any(map(is_public, ["juniors", "born in 2012", "U13", ""]))  # a name that nobody foresaw reveals nothing
    assert (state_of("state OH"), state_of("overall"), state_of("Class A")) == ("OH", "", "")


def test_classes_and_printed_ratings() -> None:
    assert [class_name("OTBR", r) for r in (2400.0, 2399.0, 2000.0, 1800.0, 1799.0, 100.0)] == [
        "Senior Master",
        "Master",
        "Expert",
        "Class A",
        "Class B",
        "Class J",
    ]
    assert class_name("AGA", 2.1) == ""
    assert (shown("OTBR", 1643.5), shown("OTBR", 1643.49), shown("FIDE", 1999.9)) == (1644.0, 1643.0, 1999.0)
