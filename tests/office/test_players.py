"""Players: lists, facts, names, memberships, and the merging of two records of one person."""

from __future__ import annotations

import io
import json
from datetime import date

import pytest
from simulated import OFFICER, Federation, data, document

from crosstable.office import choices, events, players
from crosstable.office.ledger.models import ExternalRating, FormerName, Membership, Merge, RatingRow
from crosstable.office.rating import run, states

ADA, BEN, CAY = "30000001", "30000002", "30000003"


@pytest.fixture
def ready(office: str) -> str:
    choices.create()
    return office


def accept(name: str, day: date, people: list[str], games: list[tuple[int, int, int, str]]) -> str:
    done = events.submit(OFFICER, data(document(name, day, people, games, control="G/120;d5")), "event.json")
    events.accept(OFFICER, done.event)
    return done.event


def test_adding_and_showing(ready: str) -> None:
    players.add(OFFICER, ADA, name="Ada Example", state="OH", birth_date=date(2012, 5, 6))
    with pytest.raises(choices.OfficeError, match="already"):
        players.add(OFFICER, ADA)
    with pytest.raises(choices.OfficeError, match="shoe_size"):
        players.add(OFFICER, BEN, shoe_size=42)
    shown = players.show(ADA)
    assert (shown["name"], shown["state"], shown["ratings"]) == ("Ada Example", "OH", {})
    assert "2012" not in json.dumps(shown)
    with pytest.raises(choices.OfficeError, match="no player"):
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
    with pytest.raises(choices.OfficeError, match="merged already"):
        players.merge(OFFICER, CAY, BEN, "no")
    players.unmerge(OFFICER, CAY, "two people")
    assert run.fingerprint() == before
    assert Merge.objects.get().undone_by == "olga"


def test_two_who_played_each_other_are_two_people(ready: str) -> None:
    number = accept("Open", date(2025, 8, 2), [ADA, BEN], [(1, 1, 2, "1-0")])
    with pytest.raises(choices.OfficeError, match=f"played each other in event {number}"):
        players.merge(OFFICER, ADA, BEN, "same person")
    with pytest.raises(choices.OfficeError, match="same record"):
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
    done = players.import_list(OFFICER, io.BytesIO(content), date(2025, 8, 1), "list.json")
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
        f'{row["id"]},"{row["name"]}",{row.get("state", "")},{row["ratings"]["OTBR"]},'  # type: ignore[index]
        f"{row.get('games', {}).get('OTBR', '')},{row.get('expires', '')}"  # type: ignore[attr-defined]
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
        except choices.OfficeError:
            continue
    assert done
    for one in reversed(done):
        players.unmerge(OFFICER, one, "no")
    assert run.fingerprint() == before
