"""The second factor: set up, asked for, used once, kept secret; and wrong codes count."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from crosstable import office as the_office
from crosstable.office import backup
from crosstable.office.people import second_factors
from crosstable.office.people.rights import Actor
from tests.web import accounts


def password_alone(name: str) -> Client:
    client = Client(headers=accounts.HOST)
    client.post("/desk/sign-in/", {"login": name, "password": accounts.PASSWORD})
    return client


def test_an_officer_sets_up_an_app_and_is_let_in(desk_office: str) -> None:
    Authenticator.objects.filter(user__username="olive").delete()
    client = password_alone("olive")
    page = client.get("/desk/account/").content.decode()
    assert "First, set up your second factor." in page
    setup = client.get("/desk/account/app/").content.decode()
    assert "<svg" in setup
    secret = re.search(r'class="hash">([A-Z2-7]{32})<', setup)
    assert secret is not None
    done = client.post("/desk/account/app/", {"code": accounts.code_now(secret[1])})
    assert done["Location"] == "/desk/account/recovery/"
    codes = re.findall(r'class="hash">(\d{8})<', client.get("/desk/account/recovery/").content.decode())
    assert len(set(codes)) == 10
    assert client.get("/desk/").status_code == 200
    assert secret[1] not in str(Authenticator.objects.filter(user__username="olive").values_list("data", flat=True))
    other = password_alone("olive")
    assert other.get("/desk/")["Location"].startswith("/desk/sign-in/")
    assert other.post("/desk/sign-in/code/", {"code": codes[0]}).status_code == 302
    assert other.get("/desk/").status_code == 200
    again = password_alone("olive")
    assert "is wrong" in again.post("/desk/sign-in/code/", {"code": codes[0]}).content.decode()


def test_a_code_fits_only_once_whichever_process_is_asked(desk_office: str) -> None:
    code = accounts.code_now()
    client = password_alone("olive")
    assert client.post("/desk/sign-in/code/", {"code": code}).status_code == 302
    cache.clear()  # what another process remembers of it
    assert password_alone("olive").post("/desk/sign-in/code/", {"code": code}).status_code == 200
    assert client.post("/desk/account/confirm/code/", {"code": f"{code[:3]} {code[3:]}"}).status_code == 200


def test_wrong_codes_count_and_another_password_entry_does_not_take_them_back(desk_office: str) -> None:
    client = password_alone("olive")
    first = client.post("/desk/sign-in/code/", {"code": "000000"}).content.decode()
    assert "4 tries are left" in first
    for _ in range(3):
        client = password_alone("olive")
        last = client.post("/desk/sign-in/code/", {"code": "000000"})
    assert "One try is left" in last.content.decode()
    assert client.post("/desk/sign-in/code/", {"code": "000000"}).status_code == 429
    resting = client.post("/desk/sign-in/code/", {"code": accounts.code_now()})
    assert resting.status_code == 429
    assert "Wait 15 minutes" in resting.content.decode()


def test_an_officer_keeps_the_last_factor_and_a_director_need_not(desk: Callable[[str], Client]) -> None:
    officer = desk("officer")
    assert "need a second factor" in officer.post("/desk/account/app/remove/").content.decode()
    assert Authenticator.objects.filter(user__username="olive", type="totp").exists()
    assert desk("director").get("/desk/").status_code == 200
    assert not Authenticator.objects.filter(user=User.objects.get(username="dora")).exists()


def test_changing_the_factor_needs_a_fresh_factor(desk_office: str) -> None:
    client = accounts.signed_in("officer", fresh=False)
    for address in ("/desk/account/app/remove/", "/desk/account/recovery/", "/desk/account/passkeys/"):
        assert client.get(address)["Location"].startswith("/desk/account/confirm/code/?next=")


def test_a_password_confirmed_again_is_no_second_factor(desk_office: str) -> None:
    """Otherwise a stolen password would do for half of what takes two officers."""
    from crosstable.web.desks.access import FRESH, second_factor_at

    client = accounts.signed_in("officer", fresh=False)
    assert client.post("/desk/account/confirm/", {"password": accounts.PASSWORD}).status_code == 302
    records = client.session["account_authentication_methods"]
    assert records[-1]["method"] == "password"
    request = type("Request", (), {"session": client.session, "user": User.objects.get(username="olive")})()
    assert records[-1]["at"] - second_factor_at(request) > FRESH


def test_another_persons_session_record_does_not_count(desk_office: str) -> None:
    from crosstable.web.desks.access import second_factor_at

    session = accounts.signed_in("officer").session
    request = type("Request", (), {"session": session, "user": User.objects.get(username="oscar")})()
    assert second_factor_at(request) == 0


def test_after_a_restore_a_password_alone_opens_nothing_until_an_administrator_says_so(
    desk_office: str, migrated: Path, tmp_path: Path
) -> None:
    """By the log olive has an app; a backup does not hold it. Nobody sets up another one with the password alone."""
    Authenticator.objects.filter(user__username="olive").delete()
    olive = password_alone("olive")
    secret = re.search(r'class="hash">([A-Z2-7]{32})<', olive.get("/desk/account/app/").content.decode())
    assert secret is not None
    olive.post("/desk/account/app/", {"code": accounts.code_now(secret[1])})
    archive, chief = tmp_path / "office.zip", Actor.installation()
    backup.backup(chief, archive)
    shutil.copyfile(migrated, tmp_path / "restored.db")
    the_office.setup(f"sqlite:///{tmp_path / 'restored.db'}")
    backup.restore(chief, archive)
    assert second_factors.all_missing(chief) == ["olive"]
    for address in ("/desk/", "/desk/account/", "/desk/account/app/", "/desk/queue/"):
        answer = password_alone("olive").get(address)
        assert (answer.status_code, "Your second factor is missing" in answer.content.decode()) == (403, True), address
    second_factors.remove(chief, "olive", "olive came by, and we know her")
    assert second_factors.all_missing(chief) == []
    assert password_alone("olive").get("/desk/account/app/").status_code == 200
