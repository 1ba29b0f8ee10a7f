"""Players' own pages, the inbox, and requests with their answers, through the pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

import pytest
from django.core import mail as outbox
from django.test import Client, override_settings

from crosstable.office.audit.models import AuditEntry
from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger.models import Player, Submission
from crosstable.office.notices import inbox, mail, messages
from crosstable.office.notices.models import Message
from crosstable.office.people import users
from crosstable.office.people.models import Person
from crosstable.office.queries.crosstable import crosstable
from crosstable.office.requests.models import Request
from crosstable.office.storage.database import writing
from tests.web.test_privacy import forms

Desk = Callable[[str], Client]


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


@pytest.fixture
def place(desk_office: str, sample: Mapping[str, str]) -> Mapping[str, str]:
    """An event and a player of the copy, and dora as the one who sent the event in."""
    from crosstable import office as the_office

    the_office.setup(desk_office)
    Submission.objects.filter(event__number=sample["event"]).update(author="dora", outcome="queued")
    return sample


def be(name: str, player: str) -> None:
    Person.objects.filter(user__username=name).update(player_id=player)


def report(client: Client, place: Mapping[str, str], words: str = "My round 1 was a draw.") -> Request:
    given = {"event": place["event"], "section": place["section"], "round": "1", "result": "draw", "words": words}
    answer = client.post("/desk/mine/report/", given)
    assert answer.status_code == 302, answer.content.decode()
    return Request.objects.order_by("-id")[0]


def test_a_player_claims_an_id_and_sees_own_ratings_once_it_is_confirmed(place: Mapping[str, str], desk: Desk) -> None:
    be("pia", "")
    pia, olive = desk("player"), desk("officer")
    assert "Which player are you?" in text(pia, "/desk/mine/")
    assert pia.post("/desk/mine/claim/", {"player": place["player"], "words": "Ask my club."}).status_code == 302
    assert "Your claim waits for an officer" in text(pia, "/desk/mine/")
    claim = Request.objects.get()
    name = Player.objects.get(number=place["player"]).name
    assert name in text(olive, "/desk/requests/")
    assert name not in text(pia, "/desk/mine/")  # a claim tells nothing that is not public
    answer = olive.post(f"/desk/requests/{claim.id}/decide/", {"answer": "no", "words": ""})
    assert (answer.status_code, "a refusal needs a reason" in answer.content.decode().lower()) == (400, True)
    assert olive.post(f"/desk/requests/{claim.id}/decide/", {"answer": "yes", "words": "Welcome."}).status_code == 302
    page = text(pia, "/desk/mine/")
    assert "Your ratings" in page
    assert place["player"] in page
    assert "✓ confirmed" in page
    assert "Welcome." in text(pia, "/desk/inbox/")


def test_a_report_is_answered_and_director_and_player_read_it(place: Mapping[str, str], desk: Desk) -> None:
    pia, olive, dora = desk("player"), desk("officer"), desk("director")
    assert "The whole event" in text(pia, f"/desk/mine/report/?event={place['event']}&section={place['section']}")
    asked = report(pia, place)
    for reader in (olive, dora):
        assert "My round 1 was a draw." in text(reader, "/desk/requests/")
        assert "1 unread" in text(reader, "/desk/")
    dora.post("/desk/messages/", {"about": f"request:{asked.id}", "words": "The slip says so.", "next": "/desk/inbox/"})
    assert "The slip says so." in text(olive, f"/desk/requests/{asked.id}/")
    assert "The slip says so." not in text(pia, f"/desk/requests/{asked.id}/")  # director and office among themselves
    olive.post(f"/desk/requests/{asked.id}/decide/", {"answer": "yes", "words": "You are right."})
    assert "✓ corrected" in text(pia, f"/desk/requests/{asked.id}/")
    for reader in (pia, dora):
        assert "You are right." in text(reader, "/desk/inbox/")
    assert "Recently answered" in text(olive, "/desk/requests/")


def test_a_report_becomes_a_correction_request_by_one_button(place: Mapping[str, str], desk: Desk) -> None:
    table = crosstable(place["event"], int(place["section"]))
    winner = next(row for row in table.rows if row.cells[0].letter == "W")  # of round 1; the report says: a draw
    be("pia", winner.person.number)
    olive, asked = desk("officer"), report(desk("player"), place)
    assert "Make it a correction request" in text(olive, f"/desk/requests/{asked.id}/")
    page = olive.post(f"/desk/requests/{asked.id}/correct/")["Location"]
    asked.refresh_from_db()
    assert page == f"/desk/corrections/{asked.correction}/"
    assert f"Correction request {asked.correction} : waiting" in text(olive, f"/desk/requests/{asked.id}/")
    assert olive.post(f"/desk/requests/{asked.id}/correct/").status_code == 400
    assert "This answers the report of pia too." in text(olive, page)
    olive.post(page, {"do": "apply", "message": "The slip agrees with you."})
    assert running.run(Job.objects.get().id) == "done"
    asked.refresh_from_db()
    assert (asked.state, asked.answer) == ("granted", "The slip agrees with you.")
    for reader in ("player", "director"):
        assert "round 1: corrected" in text(desk(reader), "/desk/inbox/")


def test_a_refused_correction_answers_its_report_with_the_same_words(place: Mapping[str, str], desk: Desk) -> None:
    table = crosstable(place["event"], int(place["section"]))
    be("pia", next(row for row in table.rows if row.cells[0].letter == "W").person.number)
    olive, asked = desk("officer"), report(desk("player"), place)
    page = olive.post(f"/desk/requests/{asked.id}/correct/")["Location"]
    olive.post(page, {"do": "reject", "message": "Both slips say a win."})
    asked.refresh_from_db()
    assert (asked.state, asked.answer) == ("refused", "Both slips say a win.")


def test_the_inbox_is_read_by_pressing_not_by_looking(place: Mapping[str, str], desk: Desk) -> None:
    report(desk("player"), place)
    olive = desk("officer")
    before = AuditEntry.objects.count()
    for _ in range(2):
        assert "1 message to read" in text(olive, "/desk/inbox/")
    answer = olive.post("/desk/inbox/read/", {"next": "https://elsewhere.example/"})
    assert answer["Location"] == "/desk/inbox/"
    assert "Nothing to read" in text(olive, "/desk/inbox/")
    assert AuditEntry.objects.count() == before


def test_words_that_are_refused_are_not_lost(place: Mapping[str, str], desk: Desk) -> None:
    pia = desk("player")
    given = {"event": place["event"], "section": "", "round": "1", "words": "A sentence of mine"}
    answer = pia.post("/desk/mine/report/", given)
    assert answer.status_code == 400
    assert "A round belongs to a section: say which." in answer.content.decode()
    assert "A sentence of mine" in answer.content.decode()
    answer = pia.post("/desk/mine/claim/", {"player": "no such", "words": "<b>me</b>"})
    assert "&lt;b&gt;me&lt;/b&gt;" in answer.content.decode()
    answer = pia.post("/desk/messages/", {"about": "request:1", "words": "x" * 5000})
    assert "x" * 5000 in answer.content.decode()
    assert not Request.objects.exists()


def test_strangers_do_not_see_a_request(place: Mapping[str, str], desk: Desk) -> None:
    asked = report(desk("second officer"), place)
    pia = desk("player")
    assert pia.get(f"/desk/requests/{asked.id}/").status_code == 404
    assert pia.post(f"/desk/requests/{asked.id}/take-back/").status_code == 404
    answer = pia.post("/desk/messages/", {"about": f"request:{asked.id}", "words": "Hello"})
    assert answer.status_code == 403
    assert Message.objects.filter(about=f"request:{asked.id}").count() == 1


def test_taking_back_ends_it(place: Mapping[str, str], desk: Desk) -> None:
    pia = desk("player")
    asked = report(pia, place)
    assert pia.post(f"/desk/requests/{asked.id}/take-back/")["Location"] == "/desk/mine/"
    assert "taken back" in text(pia, "/desk/mine/")
    answer = desk("officer").post(f"/desk/requests/{asked.id}/decide/", {"answer": "yes", "words": "Done."})
    assert "is taken back already" in answer.content.decode()


def test_public_pages_lead_to_the_report_with_and_without_an_account(
    place: Mapping[str, str], desk_office: str
) -> None:
    visitor = Client(headers={"host": "localhost"})
    wanted = f"/report/?event={place['event']}&amp;section={place['section']}"
    table = f"/events/{place['event']}/{place['section']}/"
    for address in (table, f"{table}{place['number']}/OTBR/"):
        assert wanted in visitor.get(address).content.decode()
    page = visitor.get(wanted.replace("&amp;", "&"))
    assert page.status_code == 200
    assert "/desk/mine/report/" in page.content.decode()
    answer = visitor.get(f"/desk/mine/report/?event={place['event']}&section={place['section']}")
    assert answer["Location"].startswith("/desk/sign-in/?next=/desk/mine/report/")


def test_no_birth_date_in_pages_messages_mails_and_the_log(
    place: Mapping[str, str], desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """Pia is a child born on 23 July 2013, whose name is withheld; her words with that date are refused everywhere."""
    born = date(2013, 7, 23)
    Player.objects.filter(number=place["player"]).update(birth_date=born, withheld=True)
    withheld = Player.objects.get(number=place["player"]).name
    be("pia", place["player"])
    user = users.person_of("pia").user
    user.email = "pia@example.org"
    user.save()
    pia, olive = desk("player"), desk("officer")
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        outbox.outbox = []
        refused = {"event": place["event"], "section": place["section"], "words": "I was born on July 23, 2013"}
        assert pia.post("/desk/mine/report/", refused).status_code == 400
        asked = report(pia, place)
        answer = olive.post(f"/desk/requests/{asked.id}/decide/", {"answer": "no", "words": "born 2013-07-23"})
        assert answer.status_code == 400
        olive.post(f"/desk/requests/{asked.id}/decide/", {"answer": "no", "words": "The slip says a win."})
        mail.finish()
    (sent,) = outbox.outbox
    pages = [pia.get(one).content.decode() for one in ("/desk/mine/", "/desk/inbox/", f"/desk/requests/{asked.id}/")]
    pages += [
        olive.get(one).content.decode() for one in ("/desk/requests/", f"/desk/requests/{asked.id}/", "/desk/inbox/")
    ]
    log = "".join(
        f"{one.subject}{one.reason}{one.details}" for one in AuditEntry.objects.filter(action__startswith="request")
    )
    told = "".join(f"{one.subject}{one.words}" for one in Message.objects.all())
    everything = [*pages, f"{sent.subject}{sent.body}", log, told, caplog.text]
    for one in everything:
        found = re.sub(r"[0-9a-f]{32,}", "", one)
        assert not [form for form in forms(born) if form in found]
    for one in (f"{sent.subject}{sent.body}", log, told, *pages[:3]):
        assert withheld not in one
    assert "The slip says" not in sent.body


def test_the_unread_count_costs_one_question(place: Mapping[str, str], desk: Desk) -> None:
    with writing():
        for turn in range(30):
            messages.send("pia", f"Message {turn}", "", about="event:A", by="olive")
    assert inbox.unread(users.acting_as("pia")) == 30
    assert "30 unread" in text(desk("player"), "/desk/mine/")
