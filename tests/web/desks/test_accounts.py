"""One's own account and the administrator's pages: passwords, sessions, tokens, invitations, ways back in."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client, override_settings

from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Office
from crosstable.office.notices import mail as postman
from crosstable.office.people import users
from crosstable.office.people.rights import Actor
from crosstable.office.requests import registry, two_officers
from tests.web import accounts

NEW = "nine pawns on a tenth file"
Desk = Callable[[str], Client]


def number(name: str) -> int:
    return User.objects.get(username=name).pk


def link_in(page: str) -> str:
    found = re.search(r"http://localhost(/desk/(?:join|sign-in/reset)/[\w-]{43}/)", page)
    assert found is not None
    return found[1]


def works(name: str, password: str) -> bool:
    answer = Client(headers=accounts.HOST).post("/desk/sign-in/", {"login": name, "password": password})
    return answer.status_code == 302


def test_a_new_password_wants_the_old_one_and_ends_other_sessions(desk_office: str) -> None:
    here, elsewhere = Client(headers=accounts.HOST), Client(headers=accounts.HOST)
    accounts.sign_in(here, "director")
    accounts.sign_in(elsewhere, "director")
    form = {"old": accounts.PASSWORD, "new": NEW, "again": NEW}
    assert "is wrong" in here.post("/desk/account/password/", {**form, "old": "guess"}).content.decode()
    assert "differ" in here.post("/desk/account/password/", {**form, "again": "other"}).content.decode()
    assert "too short" in here.post("/desk/account/password/", {**form, "new": "x", "again": "x"}).content.decode()
    before = here.cookies["sessionid"].value
    assert here.post("/desk/account/password/", form).status_code == 302
    assert here.cookies["sessionid"].value != before
    assert "You have a new password." in here.get("/desk/account/").content.decode()
    assert elsewhere.get("/desk/").status_code == 302
    assert works("dora", NEW)
    assert not works("dora", accounts.PASSWORD)


def test_sessions_are_listed_and_others_ended(desk_office: str) -> None:
    here, elsewhere = Client(headers=accounts.HOST), Client(headers={**accounts.HOST, "user-agent": "an old phone"})
    accounts.sign_in(here, "director")
    accounts.sign_in(elsewhere, "director")
    page = here.get("/desk/account/sessions/").content.decode()
    assert "an old phone" in page
    assert page.count("this one") == 1
    here.post("/desk/account/sessions/")
    assert here.get("/desk/").status_code == 200
    assert elsewhere.get("/desk/").status_code == 302


def test_a_token_is_shown_once_and_can_be_revoked(desk: Desk) -> None:
    director = desk("director")
    form = {"label": "our pairing program", "days": "30", "scope": ["event.submit", "submission.read"]}
    page = director.post("/desk/account/tokens/", form).content.decode()
    secret = re.search(r"ct_[\w-]{43}", page)
    assert secret is not None
    listed = director.get("/desk/account/tokens/").content.decode()
    assert secret[0] not in listed
    assert "our pairing program" in listed
    asked = Client(headers={**accounts.HOST, "authorization": f"Bearer {secret[0]}"}).get("/api/v1/submissions/1")
    assert asked.status_code in (200, 404)
    director.post(f"/desk/account/tokens/{secret[0][:12]}/")
    again = Client(headers={**accounts.HOST, "authorization": f"Bearer {secret[0]}"}).get("/api/v1/submissions/1")
    assert again.status_code == 401
    refused = director.post("/desk/account/tokens/", {**form, "scope": ["list.publish"]}).content.decode()
    assert "may not list.publish" in refused


def test_an_invitation_from_the_page_to_the_first_sign_in(desk: Desk) -> None:
    admin = desk("admin")
    page = admin.post("/desk/admin/invitations/", {"role": "director", "days": "7"}).content.decode()
    link, guest = link_in(page), Client(headers=accounts.HOST)
    assert "as director" in guest.get(link).content.decode()
    assert "already a user" in guest.post(link, {"login": "Dora", "new": NEW, "again": NEW}).content.decode()
    assert guest.post(link, {"login": "nina", "new": NEW, "again": NEW})["Location"] == "/desk/sign-in/"
    assert guest.get(link).status_code == 404
    assert works("nina", NEW)
    assert users.acting_as("nina").role == "director"


def test_an_invitation_can_be_cancelled(desk: Desk) -> None:
    admin = desk("admin")
    link = link_in(admin.post("/desk/admin/invitations/", {"role": "director", "days": "7"}).content.decode())
    start = link.split("/")[-2][:12]
    assert start in admin.get("/desk/admin/invitations/").content.decode()
    admin.post(f"/desk/admin/invitations/{start}/")
    assert Client(headers=accounts.HOST).get(link).status_code == 404


def test_an_administrator_hands_a_way_back_in_over(desk: Desk) -> None:
    admin = desk("admin")
    link = link_in(admin.post(f"/desk/admin/users/{number('dora')}/reset/").content.decode())
    guest = Client(headers=accounts.HOST)
    assert "differ" in guest.post(link, {"new": NEW, "again": "other"}).content.decode()
    assert guest.post(link, {"new": NEW, "again": NEW}).status_code == 302
    assert guest.get(link).status_code == 404
    assert works("dora", NEW)


@override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend")
def test_a_way_back_in_by_mail_says_the_same_for_every_name(desk_office: str) -> None:
    users.set_email(Actor.installation(), "dora", "dora@example.org")
    mail.outbox = []
    pages = []
    for name in ("dora", "oscar", "nobody"):
        client = Client(headers=accounts.HOST)
        answer = client.post("/desk/sign-in/help/", {"login": name})
        pages.append((answer.status_code, client.get(answer["Location"]).content.decode().split("<main")[1]))
    postman.finish()
    assert [re.sub(r'value="\w{64}"', "", page) for _, page in pages[1:]] == [
        re.sub(r'value="\w{64}"', "", pages[0][1])
    ] * 2
    assert [one.to for one in mail.outbox] == [["dora@example.org"]]
    guest = Client(headers=accounts.HOST)
    assert guest.post(link_in(mail.outbox[0].body), {"new": NEW, "again": NEW}).status_code == 302
    assert works("dora", NEW)


def test_roles_deactivation_and_the_second_factor(desk: Desk) -> None:
    admin, director = desk("admin"), desk("director")
    dora = f"/desk/admin/users/{number('dora')}/"
    assert admin.post(f"{dora}role/", {"role": "player", "reason": "no longer directs"}).status_code == 302
    assert director.get("/desk/account/tokens/").status_code == 403
    assert "needs a reason" in admin.post(f"{dora}deactivate/").content.decode()
    admin.post(f"{dora}deactivate/", {"reason": "moved away"})
    assert director.get("/desk/").status_code == 302
    assert not works("dora", accounts.PASSWORD)
    assert admin.get(dora).status_code == 200
    admin.post(f"{dora}activate/", {"reason": "back again"})
    assert works("dora", accounts.PASSWORD)
    admin.post(f"/desk/admin/users/{number('olive')}/second-factor/", {"reason": "came with a passport"})
    registry.approve(users.acting_as("oscar"), two_officers.waiting(users.acting_as("oscar"))[-1]["number"])
    olive = Client(headers=accounts.HOST)
    olive.post("/desk/sign-in/", {"login": "olive", "password": accounts.PASSWORD})
    assert olive.get("/desk/")["Location"] == "/desk/account/"
    own = admin.post(f"/desk/admin/users/{number('chief')}/role/", {"role": "officer"}).content.decode()
    assert "another administrator" in own
    last = AuditEntry.objects.order_by("-seq").values_list("action", flat=True)[:4]
    assert list(last) == ["user.second_factor", "proposal.approve", "proposal.make", "user.activate"]


def test_changing_users_takes_a_fresh_second_factor(desk_office: str) -> None:
    admin = accounts.signed_in("admin", fresh=False)
    answer = admin.post(f"/desk/admin/users/{number('dora')}/deactivate/", {"reason": "x"})
    assert answer["Location"].startswith("/desk/account/confirm/code/")
    assert User.objects.get(username="dora").is_active


def test_the_office_is_renamed_and_saved(desk: Desk) -> None:
    admin = desk("admin")
    assert admin.post("/desk/admin/name/", {"name": "Ohio Rating Office"}).status_code == 302
    page = admin.get("/desk/admin/").content.decode()
    assert page.count("Ohio Rating Office") >= 3  # the setting, its form and the foot of the page
    saved = admin.post("/desk/admin/backup/")
    assert 'attachment; filename="crosstable-' in saved["Content-Disposition"]
    assert "manifest.json" in ZipFile(BytesIO(b"".join(saved.streaming_content))).namelist()


def test_the_limit_of_previews_is_changed(desk: Desk) -> None:
    admin = desk("admin")
    assert admin.post("/desk/admin/previews/", {"most": "12"}).status_code == 302
    assert Office.objects.get().previews_a_day == 12
    for wrong in ("0", "1001", "many", ""):
        admin.post("/desk/admin/previews/", {"most": wrong})
        assert "enter a number from 1 to 1000" in admin.get("/desk/admin/").content.decode()
    assert Office.objects.get().previews_a_day == 12


@pytest.mark.parametrize("act", ["role", "reset", "deactivate", "activate", "second-factor"])
def test_an_unknown_user_is_not_found(desk: Desk, act: str) -> None:
    assert desk("admin").post(f"/desk/admin/users/99999/{act}/", {"reason": "x"}).status_code == 404
