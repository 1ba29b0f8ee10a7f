"""A parent reports a mistake, or claims a player, without an account: by mail or, where the office sends none,
with a private link.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.core import mail as outbox
from django.db import connections
from django.test import Client, override_settings

from crosstable import office as the_office
from crosstable.office.ledger.models import Player
from crosstable.office.notices import mail
from crosstable.office.people import settings, users
from crosstable.office.people.rights import Actor
from crosstable.office.requests import claims, lifecycle, mistakes
from crosstable.office.requests.models import Request
from crosstable.office.storage import mail_settings
from tests.web import accounts
from tests.web.conftest import speaking_to

BY_MAIL = override_settings(
    EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend", OFFICE_ADDRESS="https://ratings.example"
)
LINK = re.compile(r"https://ratings\.example(/report/\d+/[\w-]+/)")


@pytest.fixture
def office(example: str, tmp_path: Path) -> Iterator[str]:
    """A copy: reports are written."""
    the_office.setup(example)
    connections.close_all()
    shutil.copyfile(example.removeprefix("sqlite:///"), tmp_path / "mistakes.db")
    with speaking_to(f"sqlite:///{tmp_path / 'mistakes.db'}"):
        yield example


@pytest.fixture
def form(sample: Mapping[str, str]) -> dict[str, str]:
    """What a parent fills in."""
    game = {"event": sample["event"], "section": sample["section"], "round": "1"}
    return {**game, "player": sample["player"], "result": "draw", "words": "The slip on the board says a draw."}


def mails() -> list[str]:
    """Return the text of the mails that have gone out, and forget them."""
    mail.finish()
    found = [str(one.body) for one in outbox.outbox]
    outbox.outbox.clear()
    return found


@pytest.fixture
def by_mail() -> Iterator[None]:
    with BY_MAIL:
        outbox.outbox = []
        yield


def test_the_pages_of_an_event_lead_to_the_form(visitor: Client, sample: Mapping[str, str]) -> None:
    event, section = sample["event"], sample["section"]
    for page in (f"/events/{event}/", f"/events/{event}/{section}/"):
        assert f"/report/?event={event}" in visitor.get(page).content.decode()
    shown = visitor.get(f"/report/?event={event}&section={section}").content.decode()
    assert sample["player"] in shown
    assert "no-store" in visitor.get(f"/report/?event={event}")["Cache-Control"]


def test_without_mail_the_page_shows_a_private_link(visitor: Client, form: dict[str, str]) -> None:
    answer = visitor.post("/report/", form)
    assert (answer.status_code, re.fullmatch(r"/report/\d+/[\w-]{43}/", answer["Location"]) is None) == (302, False)
    shown = visitor.get(answer["Location"])
    assert f"http://localhost{answer['Location']}" in shown.content.decode()
    assert "Waiting for an answer" in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    row = Request.objects.latest("id")
    assert (row.state, row.user_id, row.email) == (Request.WAITING, None, "")
    queue = accounts.signed_in("officer").get(f"/desk/requests/{row.id}/").content.decode()
    assert "The slip on the board says a draw." in queue


@pytest.mark.usefixtures("by_mail")
def test_by_mail_the_link_confirms_and_later_shows_the_answer(visitor: Client, form: dict[str, str]) -> None:
    answer = visitor.post("/report/", {**form, "email": "parent@example.org"})
    assert answer["Location"] == "/report/sent/"
    (text,) = mails()
    link = LINK.search(text)
    assert link is not None
    page = link[1]
    assert visitor.get(page).status_code == 200
    row = Request.objects.latest("id")
    assert row.state == Request.UNCONFIRMED  # a program that scans mails opens links: opening alone confirms nothing
    assert visitor.post(page)["Location"] == page
    row.refresh_from_db()
    assert row.state == Request.WAITING
    mails()
    olive = users.acting_as("olive")
    lifecycle.decide(olive, mistakes.MISTAKE, row.id, granted=False, words="The scoresheet says a win.")
    shown = visitor.get(page).content.decode()
    assert "Not changed" in shown
    assert "The scoresheet says a win." in shown
    (told,) = (text for text in mails() if "has answered you" in text)
    assert "scoresheet" not in told


@pytest.mark.usefixtures("by_mail")
def test_the_answer_is_the_same_whatever_is_stored(visitor: Client, form: dict[str, str]) -> None:
    """The sixth report of an address sends nothing, and the page says what it says to every other."""
    given = [{**form, "email": "parent@example.org", "words": f"wrong {count}"} for count in range(6)]
    answers = [visitor.post("/report/", one) for one in given]
    assert {(one.status_code, one["Location"], one.content) for one in answers} == {(302, "/report/sent/", b"")}
    assert len(mails()) == 5


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"words": "Kim was born on 4 May 2015"}, "Leave birth dates out"),
        ({"words": ""}, "is empty"),
        ({"player": "99999999"}, "Choose one of its players"),
        ({"email": "parent"}, "is not an e-mail address"),
        ({"result": "1-0"}, "is not a result"),
    ],
)
@pytest.mark.usefixtures("by_mail")
def test_a_refused_report_comes_back_with_what_was_typed(
    visitor: Client, form: dict[str, str], change: dict[str, str], why: str
) -> None:
    given = {**form, "email": "parent@example.org", **change}
    answer = visitor.post("/report/", given)
    text = answer.content.decode()
    assert (answer.status_code, why in text) == (400, True)
    for name in ("words", "email"):
        assert given[name] in text
    assert not Request.objects.filter(user=None).exists()


def test_a_connection_sends_five_in_a_minute(visitor: Client, form: dict[str, str], tmp_path: Path) -> None:
    limits = {"API_LIMITS": {"report": 5}, "API_LIMITS_FILE": str(tmp_path / "limits.db")}
    with override_settings(**limits):
        answers = [visitor.post("/report/", {**form, "words": f"wrong {count}"}) for count in range(11)]
    # six in the last of at most two minutes
    assert answers[-1].status_code == 429
    assert int(answers[-1]["Retry-After"]) <= 60
    assert "wrong 10" in answers[-1].content.decode()
    assert visitor.get(f"/report/?event={form['event']}").status_code == 200


def test_without_mail_a_connection_does_not_fill_the_queue(
    visitor: Client, form: dict[str, str], tmp_path: Path, by_mail: None
) -> None:
    """The office takes 200 open requests of visitors: 40 minutes at five a minute. With mail, unconfirmed ones give
    way.
    """
    limits = {"API_LIMITS": {"report_day": 3}, "API_LIMITS_FILE": str(tmp_path / "limits.db")}
    with override_settings(**limits, EMAIL_BACKEND=mail_settings.NONE):
        answers = [visitor.post("/report/", {**form, "words": f"wrong {count}"}) for count in range(7)]
        other = visitor.post("/report/", form, REMOTE_ADDR="192.0.2.9")
    # four in the last of at most two days
    assert answers[-1].status_code == 429
    assert "Send this one tomorrow" in answers[-1].content.decode()
    assert "wrong 6" in answers[-1].content.decode()
    assert 0 < int(answers[-1]["Retry-After"]) <= 86_400
    assert other.status_code == 302
    with override_settings(**limits):
        assert visitor.post("/report/", {**form, "email": "a@example.org"})["Location"] == "/report/sent/"


def test_a_form_opened_before_signing_in_is_taken(form: dict[str, str]) -> None:
    answer = accounts.signed_in("player").post("/report/", form)
    assert answer["Location"].startswith("/report/")
    assert Request.objects.latest("id").words == form["words"]


def test_unknown_events_and_links_are_not_found(visitor: Client, form: dict[str, str]) -> None:
    assert visitor.get("/report/?event=nothing").status_code == 404
    assert visitor.get("/report/").status_code == 404
    page = visitor.post("/report/", form)["Location"]
    number = page.split("/")[2]
    for secret in ("nothing", Request.objects.latest("id").link):
        assert visitor.get(f"/report/{number}/{secret}/").status_code == 404
        assert visitor.post(f"/report/{number}/{secret}/").status_code == 404


def test_a_withheld_name_is_not_in_the_list_of_players(visitor: Client, sample: Mapping[str, str]) -> None:
    """The form shows what the crosstable shows: initials."""
    page = f"/report/?event={sample['event']}&section={sample['section']}"
    Player.objects.filter(number=sample["player"]).update(name="Quentin, Zyxwvut", withheld=True)
    shown = visitor.get(page).content.decode()
    assert "Zyxwvut" not in shown
    assert sample["player"] in shown


@pytest.mark.usefixtures("by_mail")
def test_a_parent_claims_a_player_and_gets_an_account(visitor: Client, sample: Mapping[str, str]) -> None:
    page = f"/claim/?player={sample['player']}"
    assert page in visitor.get(f"/players/{sample['player']}/").content.decode()
    assert visitor.get(page).status_code == 200
    given = {"player": sample["player"], "words": "The club in Dayton knows us.", "email": "parent@example.org"}
    refused = visitor.post("/claim/", {**given, "words": "born 4 May 2015"})
    assert (refused.status_code, "parent@example.org" in refused.content.decode()) == (400, True)
    assert visitor.post("/claim/", given)["Location"] == "/report/sent/"
    link = LINK.search(mails()[0])
    assert link is not None
    visitor.post(link[1])
    row = Request.objects.latest("id")
    shown = accounts.signed_in("officer").get(f"/desk/requests/{row.id}/").content.decode()
    assert "parent@example.org" in shown
    lifecycle.decide(users.acting_as("olive"), claims.CLAIM, row.id, granted=True)
    assert "Create the account" in visitor.get(link[1]).content.decode()
    joining = visitor.post(link[1])["Location"]
    account = {"login": "parent", "new": accounts.PASSWORD, "again": accounts.PASSWORD}
    assert visitor.post(joining, account)["Location"] == "/desk/sign-in/"
    accounts.sign_in_as(visitor, "parent", second=False)
    assert sample["player"] in visitor.get("/desk/mine/").content.decode()


@pytest.mark.parametrize("mail_is_sent", [True, False])
def test_an_account_is_opened_where_the_office_lets_people(visitor: Client, mail_is_sent: bool) -> None:
    closed = visitor.get("/desk/sign-up/").content.decode()
    assert "gives accounts to players and directors itself" in closed
    assert visitor.post("/desk/sign-up/", {"role": "director"}).status_code == 400
    settings.set_sign_up(Actor.installation(), "open")
    given = {"role": "director", "email": "dan@example.org"}
    if mail_is_sent:
        with BY_MAIL:
            outbox.outbox = []
            answers = [visitor.post("/desk/sign-up/", given) for _ in range(2)]
            assert {one["Location"] for one in answers} == {"/desk/sign-up/"}
            (text,) = mails()
        found = re.search(r"https://ratings\.example(/desk/join/[\w-]+/)", text)
        assert found is not None
        joining = found[1]
    else:
        joining = visitor.post("/desk/sign-up/", given)["Location"]
    account = {"login": "dan", "new": accounts.PASSWORD, "again": accounts.PASSWORD}
    assert visitor.post(joining, account)["Location"] == "/desk/sign-in/"
    accounts.sign_in_as(visitor, "dan", second=False)
    assert visitor.get("/desk/drafts/").status_code == 200


def test_the_contact_is_on_every_page(visitor: Client) -> None:
    admin = accounts.signed_in("admin")
    admin.post("/desk/admin/contact/", {"contact": "office@example.org"})
    for page in ("/", "/lists/", "/help/", "/nothing/", "/desk/sign-in/", "/desk/sign-up/"):
        assert 'href="mailto:office@example.org"' in visitor.get(page).content.decode(), page
