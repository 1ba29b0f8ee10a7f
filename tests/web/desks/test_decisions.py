"""What officers decide besides events: each page shows what would come of it, does it, and says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from crosstable.office import players
from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger import order
from crosstable.office.ledger.models import Adjustment, FloorRequest, Membership, Player
from crosstable.office.lists.models import PublishedList
from crosstable.office.people import users
from crosstable.office.queries import changes
from crosstable.office.rating import states
from crosstable.office.requests.models import Proposal
from crosstable.office.storage import clock
from tests.web import accounts
from tests.web.desks import stage
from tests.web.desks.stage import BEN, CAY, DOUBLE, IVY, TWIN

Desk = Callable[[str], Client]


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.content.decode()


def sent(client: Client, address: str, **fields: Any) -> Any:
    """A form that is refused is a page with what was wrong; one that is done sends the browser on."""
    return client.post(address, {name: str(value) for name, value in fields.items()})


def live(player: str, pool: str = "OTBR") -> float:
    row = players.find(player)
    return states.now([row.id])[row.id][pool].rating


def test_a_floor_request_is_looked_at_and_granted_with_an_answer(desk: Desk) -> None:
    """From 1410 the lost match takes 50 points at most: 1360, once the floor of 1400 is lowered to 1300."""
    address = f"/desk/floors/{stage.lost_match()}/"
    olive = desk("officer")
    assert "1 request waits" in text(olive, "/desk/floors/")
    assert "Ben was ill that week" in text(olive, "/desk/floors/")
    page = text(olive, address)
    assert "▼ −40" in page
    assert live(BEN) == 1400.0
    assert "An officer decides." in text(desk("admin"), address)
    assert sent(desk("admin"), address, do="grant", reason="ill").status_code == 403
    assert "A decision needs a reason." in sent(olive, address, do="grant").content.decode()
    assert sent(olive, address, do="grant", reason="The doctor wrote.")["Location"] == "/desk/floors/"
    assert (live(BEN), FloorRequest.objects.get().answer) == (1360.0, "The doctor wrote.")
    assert "Granted by olive" in text(olive, address)
    assert "Nothing to answer." in text(olive, "/desk/floors/")


def test_decisions_stand_in_the_public_history_with_their_day(desk: Desk) -> None:
    request = stage.lost_match()
    sent(desk("officer"), f"/desk/floors/{request}/", do="grant", reason="The doctor wrote.")
    page = text(Client(headers=accounts.HOST), f"/players/{BEN}/OTBR/")
    assert "Floor lowered to 1300 on request" in page
    assert "14 Jun 2025" in page
    assert "lowered on request" in page  # the reason of the floor
    assert "The doctor wrote." not in page


def test_a_prize_floor_is_previewed_and_set_once(desk: Desk) -> None:
    """2025 §5: $5,000 in a section under 1800 gives 1800; Ben rises to it from 1400."""
    stage.lost_match()
    number = FloorRequest.objects.get().event_number
    olive, won = (
        desk("officer"),
        {"player": BEN, "event": number, "section": 1, "pool": "OTBR", "under": 1800, "money": 5000},
    )
    page = sent(olive, "/desk/prizes/", do="preview", **won).content.decode()
    assert "would have a Regular floor of 1800 from" in page
    assert (live(BEN), "▲ +400" in page) == (1400.0, True)
    assert "A prize floor needs a reason." in sent(olive, "/desk/prizes/", do="set", **won).content.decode()
    assert sent(olive, "/desk/prizes/", do="set", reason="won", **won)["Location"] == f"/desk/players/{BEN}/"
    assert live(BEN) == 1800.0
    again = sent(olive, "/desk/prizes/", do="set", reason="won", **won).content.decode()
    assert "floor of this prize already" in again
    assert "$100 earns no floor" in sent(olive, "/desk/prizes/", do="preview", **{**won, "money": 100}).content.decode()


def test_an_adjustment_takes_two_officers_each_with_a_fresh_second_factor(desk: Desk) -> None:
    stage.lost_match()
    given = {"player": BEN, "pool": "OTBR", "on": "2025-12-20", "rating": 1450, "reason": "an error of ours"}
    olive = desk("officer")
    assert "▲ +50" in sent(olive, "/desk/adjustments/", do="preview", **given).content.decode()
    assert (
        "nothing to adjust"
        in sent(olive, "/desk/adjustments/", do="preview", **{**given, "rating": ""}).content.decode().lower()
    )
    stale = accounts.signed_in("officer", fresh=False)
    assert sent(stale, "/desk/adjustments/", do="propose", **given)["Location"].startswith("/desk/account/confirm/")
    assert not Proposal.objects.filter(action="rating.adjust", state="waiting").exists()
    address = sent(desk("officer"), "/desk/adjustments/", do="propose", **given)["Location"]
    page = text(olive, address)
    assert "Another officer must decide." in page
    assert "Approve it" not in page
    assert sent(olive, address, do="approve").status_code == 403
    oscar = desk("second officer")
    assert "▲ +50" in text(oscar, address)
    stale = accounts.signed_in("second officer", fresh=False)
    assert sent(stale, address, do="approve")["Location"].startswith("/desk/account/confirm/")
    assert live(BEN) == 1400.0
    job = sent(desk("second officer"), address, do="approve")["Location"]
    assert (job.startswith("/desk/jobs/"), live(BEN)) == (True, 1400.0)
    stage.work()
    assert "Approved and carried out." in text(olive, job)
    assert (live(BEN), "Approved by oscar" in text(olive, address)) == (1450.0, True)
    row = Adjustment.objects.get(reason="an error of ours")
    assert (row.author, row.second) == ("olive", "oscar")
    back = f"/desk/players/{BEN}/adjustments/{row.id}/revoke/"
    assert "Rating 1450" in text(olive, back)
    revoking = sent(desk("officer"), back, do="propose", reason="no error")["Location"]
    assert "▼ −50" in text(oscar, revoking)
    sent(desk("second officer"), revoking, do="refuse", reason="it was one")
    assert "Refused by oscar: “it was one”" in text(olive, revoking)


def test_a_list_is_published_by_two(desk: Desk) -> None:
    olive, oscar = desk("officer"), desk("second officer")
    assert 'value="2026-01-01"' in text(olive, "/desk/lists/")  # the month after the last list
    given = {"date": "2026-01-01", "top": 100}
    page = sent(olive, "/desk/lists/", do="preview", **given).content.decode()
    assert "What the list would say" in page
    assert (
        "dated the first of a month"
        in sent(olive, "/desk/lists/", do="preview", **{**given, "date": "2026-01-02"}).content.decode()
    )
    address = sent(olive, "/desk/lists/", do="propose", **given)["Location"]
    assert "was proposed by olive" in text(oscar, "/desk/lists/")
    assert "Publish a list" in text(oscar, "/desk/proposals/")
    sent(oscar, address, do="approve")
    stage.work()
    published = PublishedList.objects.get(date=date(2026, 1, 1))
    assert (published.proposed_by, published.approved_by) == ("olive", "oscar")
    assert "Nothing to review for a second officer." in text(olive, "/desk/proposals/")


def test_facts_have_days_and_birth_dates_stay_inside(desk: Desk) -> None:
    number = stage.from_canada()
    olive = desk("officer")
    assert "Maple Leaf" in text(olive, "/desk/players/?q=maple")
    facts = {"name": "Maple Leaf", "birth_date": "2011-03-04", "canadian_resident": "on", "usa_flag": "on"}
    page = sent(olive, f"/desk/players/{number}/facts/", do="preview", since="2025-05-01", **facts).content.decode()
    assert "No rating changes." in page
    assert Player.objects.get(number=number).birth_date is None
    done = sent(olive, f"/desk/players/{number}/facts/", do="change", since="2025-05-01", reason="a form", **facts)
    assert done["Location"] == f"/desk/players/{number}/"
    page = text(olive, f"/desk/players/{number}/")
    assert 'value="2011-03-04"' in page
    assert "usa_flag: yes" in page
    assert "1 May 2025" in page
    written = text(olive, f"/desk/log/?about=player:{number}")
    assert "2011-03-04" not in written
    assert "4 March 2011" not in written
    again = sent(olive, f"/desk/players/{number}/facts/", do="change", **facts).content.decode()
    assert "Nothing was changed: the office already" in again
    assert (
        "born on 2999-01-01"
        in sent(olive, f"/desk/players/{number}/facts/", do="preview", **{**facts, "birth_date": "2999-01-01"})
        .content.decode()
        .lower()
    )
    refused = sent(
        olive, f"/desk/players/{number}/facts/", do="change", reason="born 2011-03-04", **{**facts, "state": "NY"}
    )
    assert "Leave birth dates out" in refused.content.decode()


def test_memberships_names_and_new_players(desk: Desk) -> None:
    olive = desk("officer")
    made = sent(olive, "/desk/players/add/", number="40000020", name="Nina Late", state="OH", reason="by letter")
    assert made["Location"] == "/desk/players/40000020/"
    assert (
        "already a player 40000020" in sent(olive, "/desk/players/add/", number="40000020", name="N").content.decode()
    )
    joined = sent(olive, f"{made['Location']}memberships/", do="join", kind="life", begins="2025-01-01")
    assert joined.status_code == 302
    assert Membership.objects.get(player__number="40000020").kind == "life"
    wrong = sent(
        olive, f"{made['Location']}memberships/", do="join", kind="life", begins="2025-01-01", ends="2024-01-01"
    )
    assert "before it begins" in wrong.content.decode()
    sent(olive, f"{made['Location']}facts/", do="change", name="Nina Late", state="OH", withheld="on", reason="asked")
    assert "Nina Late" not in text(Client(headers=accounts.HOST), "/players/40000020/")
    assert "name withheld" in text(olive, "/desk/players/?q=nina")
    assert "needs a reason" in sent(olive, f"{made['Location']}forget-name/").content.decode()
    assert sent(olive, f"{made['Location']}forget-name/", reason="asked").status_code == 302
    assert Player.objects.get(number="40000020").name == ""


def test_opting_out_is_proposed_by_one_and_approved_by_another(desk: Desk) -> None:
    stage.games_abroad()
    olive = desk("officer")
    ticked = {"name": "Ivy Stone", "adult": ""}
    assert (
        "opting out takes two officers"
        in sent(olive, f"/desk/players/{IVY}/facts/", do="change", reason="asked", **ticked).content.decode().lower()
    )
    sent(olive, f"/desk/players/{IVY}/opt-out/", since="2025-01-01", reason="asked")
    row = Proposal.objects.get(action="fide.opt_out")
    address = f"/desk/proposals/{row.pk}/"
    assert "Ivy Stone" in text(desk("second officer"), address)
    sent(desk("second officer"), address, do="approve")
    stage.work()
    assert "not opted in" in text(olive, "/desk/fide/")


def test_the_desks_for_fide_and_cfc(desk: Desk) -> None:
    olive = desk("officer")
    assert "No foreign events yet." in text(olive, "/desk/fide/")
    stage.games_abroad()
    page = text(olive, f"/desk/fide/?list={stage.FIDE_LIST}")
    assert "1 rating adjusted, 1 not." in page
    assert "nor opted in" in page
    stage.from_canada()
    assert "1270" in text(olive, "/desk/cfc/")  # 1.28 x 1500 - 650
    files = [SimpleUploadedFile("bad.json", b"{")]
    refused = olive.post("/desk/fide/", {"do": "take", "date": "2025-08-01", "files": files})
    assert "not-json" in refused.content.decode()
    assert desk("admin").post("/desk/fide/", {"do": "take", "date": "2025-08-01"}).status_code == 403


def test_the_fide_desk_asks_who_is_a_member(desk: Desk) -> None:
    """A report of FIDE's own: Ivy has no FIDE ID on record, and a player has her name."""
    stage.games_abroad()
    olive, name = desk("officer"), players.find(IVY).name
    line = f"001    1 m    {name:<33} 2305 USA     2000002 2001/01/02  1.0    1     2 w 1  "
    other = f"001    2 m    {'Dahl, Di':<33} 2300 SWE     1700001 2001/01/02  0.0    2     1 b 0  "
    report = "\n".join(["012 Autumn Open", "042 2025/06/07", "052 2025/06/08", line, other]).encode()

    def take(**answers: str) -> Any:
        files = [SimpleUploadedFile("report.trf", report)]
        return olive.post("/desk/fide/", {"do": "take", "date": "2025-08-01", "files": files, **answers})

    asked = take().content.decode()
    assert f'<option value="{IVY}">' in asked
    assert "choose the files again" in asked
    assert take(**{"member-2000002": IVY}).status_code == 302
    assert players.find(IVY).fide_id == "2000002"


def test_two_records_are_found_merged_and_told_apart(desk: Desk) -> None:
    stage.games_abroad()
    stage.twins()
    olive = desk("officer")
    page = text(olive, "/desk/merges/")
    assert "the same birth date, nearly the same name" in page
    assert f"duplicate={TWIN}&amp;into={DOUBLE}" in page
    page = text(olive, f"/desk/merges/new/?duplicate={DOUBLE}&into={CAY}")
    assert f"{DOUBLE} would become {CAY}" in page
    assert "1 May 1990" in page
    table = olive.get(f"/desk/merges/new/?format=csv&duplicate={DOUBLE}&into={CAY}")
    assert table["Content-Type"].startswith("text/csv")
    assert table.content.decode().splitlines()[0] == "id,name,pool,now,would be,difference,since,why,lists"
    assert not Player.objects.get(number=DOUBLE).merged_into_id
    given = {"duplicate": DOUBLE, "into": CAY}
    refused = sent(olive, "/desk/merges/new/", do="merge", **given).content.decode()
    assert refused.count("A merge needs a reason.") == 1
    assert "carried over" in refused  # the comparison and the button stay
    assert "Merge them" in refused
    assert sent(olive, "/desk/merges/new/", do="merge", reason="one person", **given).status_code == 302
    assert "right way round" not in text(olive, f"/desk/players/{CAY}/")
    assert f"{DOUBLE} was merged into {CAY}" in text(olive, f"/desk/players/{DOUBLE}/")
    undo = f"/desk/players/{DOUBLE}/unmerge/"
    assert "a record of its own again" in text(olive, undo)
    assert sent(olive, undo, do="unmerge", reason="two people").status_code == 302
    assert not Player.objects.get(number=DOUBLE).merged_into_id
    assert "undone by olive" in text(olive, "/desk/merges/")
    text(olive, undo, status=404)


def test_a_list_from_elsewhere_is_looked_at_first(desk: Desk) -> None:
    olive = desk("officer")

    def given(do: str) -> str:
        file = SimpleUploadedFile("list.csv", b"id,name,OTBR,OTBR_GAMES,shoe\n40000030,Otto New,1500,12,44\n")
        answer = olive.post("/desk/players/import/", {"do": do, "date": "2025-12-20", "file": file})
        return str(answer.content.decode())

    page = given("preview")
    assert "It would add 1 new player, 1 opening rating" in page
    assert "not understood: SHOE" in page
    assert not Player.objects.filter(number="40000030").exists()
    assert "Added: 1 new player" in given("take")
    assert live("40000030") == 1500.0


def test_the_log_is_read_and_its_chain_proved(desk: Desk) -> None:
    olive = desk("officer")
    page = text(olive, "/desk/log/?act=list.publish")
    assert "3 entries" in page  # the example's three lists
    assert "list of 1 December 2025" in page
    assert "No matching entries." in text(olive, "/desk/log/?word=nothing+of+the+kind")
    assert "It has not been verified here yet." in text(olive, "/desk/log/chain/")
    sent(olive, "/desk/log/chain/")
    assert "It is waiting to start." in text(olive, "/desk/log/chain/")
    assert (stage.work()["ok"], "Nothing was changed." in text(olive, "/desk/log/chain/")) == (True, True)
    row = Adjustment.objects.get(kind=Adjustment.CEILING)
    row.id, row.fields = None, {"ceiling": 3000.0}
    row.save()
    sent(olive, "/desk/log/chain/")
    stage.work()
    assert f"player:{row.player.number} has a decision that is not in the log" in text(olive, "/desk/log/chain/")


def test_an_approval_that_is_started_again_asks_for_the_second_factor_again(desk: Desk) -> None:
    given = {"date": "2026-01-01", "top": 100, "reason": "the list of January"}
    address = sent(desk("officer"), "/desk/lists/", do="propose", **given)["Location"]
    job = sent(desk("second officer"), address, do="approve")["Location"]
    sent(desk("officer"), address, do="refuse", reason="too early")  # before the worker came to it
    assert running.run(Job.objects.latest("id").id) == "failed"
    assert "is taken back already" in text(desk("second officer"), job)
    stale = accounts.signed_in("second officer", fresh=False)
    assert sent(stale, job)["Location"].startswith("/desk/account/confirm/")
    assert sent(desk("second officer"), job)["Location"] == job


def test_adding_a_player_offers_the_next_id_and_refuses_what_is_none(desk: Desk) -> None:
    """The office's own ids begin at 90000001; a US Chess ID has eight digits."""
    olive = desk("officer")
    last = Player.objects.filter(number__regex=r"^9\d{7}$").order_by("-number").values_list("number", flat=True).first()
    offered = str(int(last) + 1) if last else "90000001"
    assert f'value="{offered}"' in text(olive, "/desk/players/add/")
    page = sent(olive, "/desk/players/add/", do="add", number="42", name="Zoe Quill").content.decode()
    assert "is not a player&#x27;s ID. Enter eight digits" in page
    assert "Zoe Quill" in page
    assert not Player.objects.filter(number="42").exists()


def test_adding_a_player_warns_of_records_that_may_be_the_same_person(desk: Desk) -> None:
    stage.twins()  # Cay North and Carol North, both born on 1 May 1990
    olive = desk("officer")
    new = {"number": "90000077", "name": "North, Cay", "birth_date": "1990-05-01"}
    page = sent(olive, "/desk/players/add/", do="add", **new).content.decode()
    assert "Is it one of these players?" in page
    assert f"{DOUBLE}" in page
    assert "same name, same birth date" in page
    assert not Player.objects.filter(number="90000077").exists()
    done = sent(olive, "/desk/players/add/", do="add-anyway", **new)
    assert done["Location"] == "/desk/players/90000077/"
    others = {"number": "90000078", "name": "Quincy Zabriskie", "do": "add"}
    assert sent(olive, "/desk/players/add/", **others)["Location"] == "/desk/players/90000078/"  # no one is like that


def test_the_public_page_shows_what_holds_a_rating(desk: Desk) -> None:
    """2025 §5 and §7: a ceiling, games towards life master of 300, what matches did and may still do."""
    olive = users.acting_as("olive")
    today = clock.today()
    changes = [{"date": str(today), "change": 14.0}]
    fields = {"rating": 2210.0, "games": 400, "games_above_2200": 120, "ceiling": 2250.0, "match_changes": changes}
    players.add(olive, "40000030", name="Lee Moss")
    made = {"kind": Adjustment.OPENING, "date": today, "position": order.day_of(today), "author": "olive"}
    Adjustment.objects.create(player=players.find("40000030"), pool="OTBR", fields=fields, **made)
    said = " ".join(re.sub(r"<[^>]+>", " ", text(desk("officer"), "/players/40000030/")).split())
    assert "ceiling 2250" in said
    assert "Regular: 120 of 300 games above 2200" in said
    assert "+14 points; they may still gain 86 and lose 114." in said
    assert "+14 points; they may still gain 186 and lose 214." in said


def test_a_new_player_brings_a_record_along(desk: Desk) -> None:
    """2025 §5: a peak of 1941 gives a floor of 1700."""
    olive = desk("officer")
    record = {"pool": "OTBR", "rating": "1705", "games": "40", "on": "2025-06-01", "wins": "20", "draws": "8"}
    given = {"do": "add", "number": "40000031", "name": "Lee Moss", **record}
    refused = sent(olive, "/desk/players/add/", **given, peak="high").content.decode()
    assert "peak: &#x27;high&#x27;" in refused
    assert 'value="1705"' in refused
    assert sent(olive, "/desk/players/add/", **given, peak="1941").status_code == 302
    assert players.show("40000031")["ratings"]["OTBR"]["floor"] == {"rating": 1700.0, "reason": "earned by 1941"}
    alone = {"do": "add", "number": "40000032", "name": "Max Vail", "peak": "1941"}
    assert "needs a rating and the number of games" in sent(olive, "/desk/players/add/", **alone).content.decode()


def test_a_list_with_a_federations_own_codes(desk: Desk) -> None:
    """The page takes the mapping that the command takes."""
    rows = b"MEMBER,FULLNAME,KIND\n40000033,Lee Moss,XA\n"
    mapping = b'[columns]\nMEMBER = "ID"\nFULLNAME = "NAME"\nKIND = "MEMBERSHIP"\n[membership]\nXA = "senior"\n'
    files = {"file": SimpleUploadedFile("list.csv", rows), "mapping": SimpleUploadedFile("codes.toml", mapping)}
    done = desk("officer").post("/desk/players/import/", {"do": "take", "date": "2025-08-01", **files})
    assert done.status_code == 200
    assert Membership.objects.get(player__number="40000033").kind == "senior"


def test_a_page_shows_the_twenty_largest_and_the_table_all() -> None:
    line = {"name": "Ann Ash", "pool": "OTBR", "before": 1500, "since": "Open", "reason": "results", "lists": ()}
    same = dict.fromkeys(("floor_before", "floor_after", "title_before", "title_after"))
    lines = [{**line, **same, "player": str(number), "after": 1600 - number} for number in range(1, 31)]
    answer = {"preview": True, "players": 30, "sections": 1, "refused": (), "changes": lines}
    assert [(len(one.rows), one.total) for one in (changes.moved(answer), changes.moved(answer, None))] == [
        (20, 30),
        (30, 30),
    ]
