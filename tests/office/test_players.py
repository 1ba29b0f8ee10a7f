"""Players: lists, facts, names, memberships, and the merging of two records of one person."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

import pytest
from simulated import ADMIN, OFFICER, Federation, data, document

from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import models
from crosstable.office.ledger.models import ExternalRating, FormerName, Membership, Merge, RatingRow
from crosstable.office.people import users
from crosstable.office.people.rights import Role
from crosstable.office.players.profiles import private_record
from crosstable.office.rating import run, states
from crosstable.office.reports import accepting, submissions
from crosstable.words.places import place_text

pytestmark = pytest.mark.both_databases

ADA, BEN, CAY = "30000001", "30000002", "30000003"


def accept(name: str, day: date, people: list[str], games: list[tuple[int, int, int, str]]) -> str:
    done = submissions.submit(OFFICER, data(document(name, day, people, games, control="G/120;d5")), "event.json")
    accepting.accept(OFFICER, done.event)
    return done.event


def test_adding_and_showing(ready: str) -> None:
    players.add(OFFICER, ADA, name="Ada Example", state="OH", birth_date=date(2012, 5, 6))
    with pytest.raises(OfficeError, match="already"):
        players.add(OFFICER, ADA)
    with pytest.raises(OfficeError, match="shoe_size"):
        players.add(OFFICER, BEN, shoe_size=42)
    shown = players.show(ADA)
    assert (shown["name"], shown["state"], shown["ratings"]) == ("Ada Example", "OH", {})
    assert "2012" not in json.dumps(shown)
    with pytest.raises(OfficeError, match="no player"):
        players.show("99")


def test_a_new_name_keeps_the_old_one(ready: str) -> None:
    players.add(OFFICER, ADA, name="Ada Example")
    players.change(OFFICER, ADA, "married", name="Ada Other")
    assert players.show(ADA)["former_names"] == ["Ada Example"]
    assert FormerName.objects.get().player.name == "Ada Other"


def test_a_birth_date_that_comes_later_changes_the_first_rating(ready: str) -> None:
    accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1/2-1/2")])
    accept("Next", date(2025, 9, 6), [ADA, BEN], [(1, 1, 2, "1/2-1/2")])
    before = RatingRow.objects.filter(player__number=ADA).order_by("position").values_list("post", flat=True)[0]
    preview = players.change(OFFICER, ADA, "a form", preview=True, birth_date=date(2010, 1, 1))
    assert {change.player for change in preview.changes} == {ADA, BEN}
    players.change(OFFICER, ADA, "a form", birth_date=date(2010, 1, 1))
    after = RatingRow.objects.filter(player__number=ADA).order_by("position").values_list("post", flat=True)[0]
    assert after != before
    assert run.compute(run.BEGINNING).nothing


def test_a_merge_rates_two_records_as_one_player_and_can_be_undone(ready: str) -> None:
    accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0"), (2, 1, 2, "1-0")])
    accept("Next", date(2025, 9, 6), [CAY, BEN], [(1, 1, 2, "1-0")])
    before = run.fingerprint()
    preview = players.merge(OFFICER, CAY, ADA, "same person", preview=True)
    assert {change.player for change in preview.changes} >= {ADA, CAY}
    players.merge(OFFICER, CAY, ADA, "same person")
    rows = RatingRow.objects.filter(player__number=ADA).order_by("position")
    assert [row.state_games for row in rows] == [2, 3]
    assert not RatingRow.objects.filter(player__number=CAY).exists()
    assert players.show(CAY)["id"] == ADA
    assert players.show(ADA)["also"] == [CAY]
    assert run.compute(run.BEGINNING).nothing
    with pytest.raises(OfficeError, match="merged already"):
        players.merge(OFFICER, CAY, BEN, "no")
    players.unmerge(OFFICER, CAY, "two people")
    assert run.fingerprint() == before
    assert Merge.objects.get().undone_by == "olga"


def test_a_merge_says_which_record_is_kept_and_asks_where_that_looks_wrong(ready: str) -> None:
    accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    accept("Next", date(2025, 9, 6), [CAY, BEN], [(1, 1, 2, "1-0")])
    right = players.merge(OFFICER, CAY, ADA, "", preview=True).note
    assert right.startswith(f"{ADA} Player {ADA} (1 event since 2025-08-02) is kept; {CAY} ")
    assert "right way round" not in right
    younger = players.merge(OFFICER, ADA, CAY, "", preview=True).note
    assert f"It is the newer record: to keep {ADA}, merge {CAY} into it." in younger
    accept("Third", date(2025, 10, 4), [CAY, BEN], [(1, 1, 2, "1-0")])
    emptier = players.merge(OFFICER, CAY, ADA, "", preview=True).note
    assert f"It has fewer events than the other record: to keep {CAY}, merge {ADA} into it." in emptier
    done = players.merge(OFFICER, CAY, ADA, "one person").note  # it is done all the same, and there is nothing to ask
    assert f"It has fewer events than the other record: undo the merge to keep {CAY} instead." in done
    assert "?" not in done
    assert players.show(CAY)["id"] == ADA


def test_a_merge_carries_over_what_only_the_duplicate_knows(ready: str) -> None:
    """A birth date moves the first rating of the record that is kept, as it does when it is typed in; undoing takes it
    back.
    """
    accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1/2-1/2")])
    born = date(2014, 8, 11)
    players.change(OFFICER, ADA, "a form", state="OH", fide_id="7")
    players.add(OFFICER, CAY, birth_date=born, state="NY", withheld=True, sex="F")
    players.change(OFFICER, CAY, "a form", since=date(2025, 1, 1), usa_flag=True)
    before = run.fingerprint()
    players.change(OFFICER, ADA, "to compare", birth_date=born)
    typed = run.fingerprint()
    players.change(OFFICER, ADA, "and back", birth_date=None)
    assert run.fingerprint() == before != typed
    note = players.merge(OFFICER, CAY, ADA, "one person").note
    assert f"Carried over from {CAY}: birth date, sex, name withheld, USA flag." in note
    assert f"They differ in: state. The facts of {ADA} are used." in note
    kept = private_record(OFFICER, ADA).facts
    assert [kept[name] for name in ("birth_date", "state", "sex", "fide_id", "withheld", "usa_flag")] == [
        born,
        "OH",
        "F",
        "7",
        True,
        True,
    ]
    assert run.fingerprint() == typed
    assert run.compute(run.BEGINNING).nothing
    told = details_of(AuditEntry.objects.get(action="player.merge"))
    assert (told["into"], told["carried"]) == (ADA, ["birth_date", "sex", "withheld", "usa_flag"])
    assert "2014" not in str(told)
    players.unmerge(OFFICER, CAY, "two people")
    kept, gone = (private_record(OFFICER, number).facts for number in (ADA, CAY))
    assert [kept[name] for name in ("birth_date", "state", "sex", "withheld", "usa_flag")] == [
        None,
        "OH",
        "",
        False,
        False,
    ]
    assert (gone["birth_date"], gone["state"], gone["usa_flag"]) == (born, "NY", True)
    assert run.fingerprint() == before


def test_what_was_carried_goes_back_through_a_chain_and_stays_with_another_duplicate(ready: str) -> None:
    """CAY goes into BEN and BEN into ADA, with CAY's birth date; DEE, merged into ADA, knows the same date."""
    born, dee = date(2001, 2, 3), "30000004"
    for number in (ADA, BEN):
        players.add(OFFICER, number)
    for number in (CAY, dee):
        players.add(OFFICER, number, birth_date=born, country="CAN")
    players.merge(OFFICER, CAY, BEN, "one person")
    players.merge(OFFICER, BEN, ADA, "one person")
    assert private_record(OFFICER, ADA).born == born
    players.merge(OFFICER, dee, ADA, "one person")
    players.unmerge(OFFICER, CAY, "two people")
    assert private_record(OFFICER, ADA).born == born
    players.unmerge(OFFICER, dee, "two people")
    assert private_record(OFFICER, ADA).born is None
    players.unmerge(OFFICER, BEN, "two people")
    assert [private_record(OFFICER, number).born for number in (ADA, BEN, CAY, dee)] == [None, None, born, born]


def test_what_was_changed_after_a_merge_stays_changed(ready: str) -> None:
    players.add(OFFICER, ADA)
    players.add(OFFICER, CAY, state="OH", country="CAN")
    players.merge(OFFICER, CAY, ADA, "one person")
    players.change(OFFICER, ADA, "moved", state="NY")
    players.unmerge(OFFICER, CAY, "two people")
    facts = private_record(OFFICER, ADA).facts
    assert (facts["state"], facts["country"]) == ("NY", "")


def test_two_who_played_each_other_are_two_people(ready: str) -> None:
    number = accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    with pytest.raises(OfficeError, match=f"played each other in event {number}"):
        players.merge(OFFICER, ADA, BEN, "same person")
    with pytest.raises(OfficeError, match="same record"):
        players.merge(OFFICER, ADA, ADA, "same person")


def test_a_member_list_opens_records(ready: str) -> None:
    rows = [
        {"id": ADA, "name": "EXAMPLE, ADA", "state": "OH", "ratings": {"OTBR": 1850}, "expires": "2026-01-31"},
        {"id": BEN, "name": "OTHER, BEN", "ratings": {"OTBR": 1200}, "games": {"OTBR": 12}},
    ]
    content = json.dumps({"format": "crosstable-list/1", "players": rows}).encode()
    from crosstable.formats import rating_lists

    if not rating_lists.detect(content):  # the list's own writer knows its shape
        content = _written(rows)
    done = players.import_list(OFFICER, io.BytesIO(content), date(2025, 8, 1), "list.json", assume_games=50)
    assert (done.added, done.openings) == (2, 2)
    live = states.now()
    ada = players.find(ADA)
    assert (live[ada.id]["OTBR"].rating, live[players.find(BEN).id]["OTBR"].games) == (1850.0, 12)
    assert Membership.objects.get(player=ada).until == date(2026, 1, 31)
    again = players.import_list(OFFICER, io.BytesIO(content), date(2025, 9, 1), "list.json")
    assert (again.added, again.known) == (0, 2)


def _written(rows: list[dict[str, object]]) -> bytes:
    lines = ["id,name,state,otbr,otbr_games,expires"]
    lines += [
        f'{row["id"]},"{row["name"]}",{row.get("state", "")},{row["ratings"]["OTBR"]},'
        f"{row.get('games', {}).get('OTBR', '')},{row.get('expires', '')}"
        for row in rows
    ]
    return "\n".join(lines).encode()


def test_fide_ratings_by_list_date_open_the_first_rating(ready: str) -> None:
    players.add(OFFICER, ADA, name="Ada", fide_id="1234567")
    accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    plain = RatingRow.objects.get(player__number=ADA).prior
    row = ExternalRating.objects.create(player=players.find(ADA), kind="fide", rating=2100, date=date(2025, 7, 1))
    assert run.compute(run.BEGINNING).added["player_id"].to_list().count(players.find(ADA).id) == 1
    row.date = date(2025, 9, 1)  # a later list does not count for an earlier event
    row.save()
    assert run.compute(run.BEGINNING).nothing
    assert plain == 750.0


def test_merging_across_a_federation_and_back_leaves_no_trace(ready: str) -> None:
    federation = Federation(21, size=18)
    federation.fill(10)
    before = run.fingerprint()
    done = []
    for one, other in zip(federation.people[::2], federation.people[1::2], strict=True):
        try:
            players.merge(OFFICER, one, other, "perhaps")
            done.append(one)
        except OfficeError:
            continue
    assert done
    for one in reversed(done):
        players.unmerge(OFFICER, one, "no")
    assert run.fingerprint() == before


@pytest.mark.parametrize(
    ("number", "facts", "words"),
    [
        ("", {"name": "X"}, ("needs an id",)),
        ("x" * 41, {}, ("41 characters", "at most 40")),
        (" 12", {}, ("blanks",)),
        (ADA, {"birth_date": date(3012, 3, 4), "sex": "Q"}, ("born on 3012-03-04", "sex 'Q'")),
        (ADA, {"foreign_rating": float("nan"), "name": " "}, ("foreign rating nan", "name cannot be blank")),
        (ADA, {"name": "A\0da", "state": "O" * 41}, ("can be printed", "at most 40")),
        (ADA, {"adult": "perhaps"}, ("true or false",)),
    ],
)
def test_facts_that_cannot_be_are_refused_all_at_once(
    ready: str, number: str, facts: dict[str, Any], words: tuple[str, ...]
) -> None:
    with pytest.raises(OfficeError) as refused:
        players.add(OFFICER, number, **facts)
    assert all(word in str(refused.value) for word in words), str(refused.value)
    if number == ADA:
        players.add(OFFICER, ADA, name="Ada")
        with pytest.raises(OfficeError):
            players.change(OFFICER, ADA, "why", **facts)
        assert players.show(ADA)["name"] == "Ada"


def test_a_membership_is_of_a_known_kind_and_ends_after_it_begins(ready: str) -> None:
    players.add(OFFICER, ADA, name="Ada")
    with pytest.raises(OfficeError) as refused:
        players.join(OFFICER, ADA, "bogus", date(2024, 1, 1), date(2020, 1, 1))
    assert "no membership is called 'bogus': there are regular" in str(refused.value)
    assert "ends on 2020-01-01, before it begins" in str(refused.value)
    assert not Membership.objects.exists()


def test_merging_and_unmerging_want_a_reason(ready: str) -> None:
    for number in (ADA, BEN):
        players.add(OFFICER, number)
    with pytest.raises(OfficeError, match="a merge needs a reason"):
        players.merge(OFFICER, ADA, BEN, "  ")
    players.merge(OFFICER, ADA, BEN, "the same person")
    with pytest.raises(OfficeError, match="unmerging needs a reason"):
        players.unmerge(OFFICER, ADA, "")


def test_a_list_with_wrong_rows_says_each_with_line_and_id(ready: str) -> None:
    """One id twice, an impossible birth date, a rating of letters, a row without an id, an id too long."""
    lines = [
        "id,name,state,birth_date,OTBR,OTBR games",
        f"{ADA},Ann,OH,2015-13-45,900,10",
        f"{BEN},Bob,OH,2014-05-05,abc,10",
        ",Nobody,OH,,1000,5",
        f"{ADA},Ann again,OH,2015-01-01,950,12",
        f"{CAY},Cay,OH,2013-06-07,UNR,many",
        f"{'9' * 41},Long,OH,,1000,5",
        "30000004,Dan,OH,,1000,many",
    ]
    done = players.import_list(OFFICER, io.BytesIO("\n".join(lines).encode()), date(2025, 8, 1), assume_games=26)
    found = {(place_text(one.place), one.code): one.message for one in done.findings}
    assert found[f"row 2, id {ADA}", "list-cell"] == "birth_date is '2015-13-45'."
    assert found[f"row 3, id {BEN}", "list-cell"] == "OTBR is 'abc'."
    assert "Nobody" in found["row 4", "list-row"]
    assert (
        found[f"row 5, id {ADA}", "list-row"]
        == "this id appears in the list twice, first in row 2: the first one counts."
    )
    assert "at most 40 are allowed" in found[f"row 7, id {'9' * 41}", "list-row"]
    assert found["row 8, id 30000004", "list-cell"] == "OTBR games is 'many'."
    assert len(done.findings) == 6
    assert (done.added, done.openings) == (4, 2)
    assert players.show(ADA)["name"] == "Ann"
    assert players.show(ADA)["ratings"]["OTBR"]["rating"] == 900
    born = dict(models.Player.objects.values_list("number", "birth_date"))
    assert (born[ADA], born[BEN], born[CAY]) == (None, date(2014, 5, 5), date(2013, 6, 7))


def test_a_list_of_the_far_future_is_refused(ready: str) -> None:
    with pytest.raises(OfficeError, match="2999-01-01"):
        players.import_list(OFFICER, io.BytesIO(b"id,OTBR\n30000001,1500\n"), date(2999, 1, 1))


def read_list(*lines: str, day: date = date(2025, 8, 1)) -> players.ListRead:
    return players.import_list(OFFICER, io.BytesIO("\n".join(lines).encode()), day)


def test_our_own_list_may_have_a_fide_column(ready: str) -> None:
    """Everybody with a FIDE rating was taken for a stranger of FIDE's list, and passed over without a word."""
    done = read_list(
        "ID,Name,Rating,Games,FIDE", f"{ADA},Ann,1500,30,1600", f"{BEN},Bob,1400,30,", "30000009,Cy,,,1700"
    )
    assert (done.added, done.openings, done.foreign) == (2, 2, 1)
    assert models.ExternalRating.objects.get(player__number=ADA, kind="fide").rating == 1600
    (only,) = done.findings  # whoever has a FIDE rating alone is of FIDE's list, and that is said
    assert "1 row (row 4) with a FIDE or CFC rating only" in only.message


def test_ratings_that_a_list_brings_for_players_we_know_are_named(ready: str) -> None:
    read_list("ID,Name,Rating,Games", f"{ADA},Ann,1500,30", f"{BEN},Bob,1400,30")
    again = read_list("ID,Name,Rating,Quick_Rating", f"{ADA},Ann,1510,1450P9", f"{BEN},Bob,1410,", day=date(2025, 8, 2))
    (only,) = again.findings  # the regular ratings are the ledger's own
    assert (only.code, only.message) == (
        "list-rating-not-taken",
        "the office knows these players, and their records have no such rating: Ann: OTBQ 1450.",
    )
    assert set(players.show(ADA)["ratings"]) == {"OTBR"}


def test_a_user_is_a_player_of_the_ledger(ready: str) -> None:
    with pytest.raises(users.PeopleError, match="no player '99'"):
        users.add_user(ADMIN, "ghost", Role.PLAYER, player_id="99")
