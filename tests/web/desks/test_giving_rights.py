"""Every address that gives rights asks for a fresh second factor, and no other address reaches what gives them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from crosstable import web
from crosstable.office.audit.log import record
from crosstable.office.audit.models import AuditEntry
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.requests import registry, rights, two_officers
from crosstable.office.requests.models import Proposal
from crosstable.office.storage.database import writing
from tests.web import accounts

NEW = "nine pawns on a tenth file"
CONFIRM = "/desk/account/confirm/code/"
Desk = Callable[[str], Client]


@dataclass(frozen=True)
class Giving:
    """One form that gives rights: who sends it, where, and what it calls in the office."""

    role: str
    address: str
    calls: str
    form: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.address} {self.form.get('do', '')}"


WHY = {"reason": "came with a passport"}
TABLE = [
    Giving("admin", "/desk/admin/invitations/", "rights.invite", {"role": "director", "days": "7"}),
    Giving("admin", "/desk/admin/invitations/", "rights.invite", {"role": "admin", "days": "7", **WHY}),
    Giving("admin", "/desk/admin/users/{olive}/role/", "rights.set_role", {"role": "admin", **WHY}),
    Giving("admin", "/desk/admin/users/{dora}/role/", "rights.set_role", {"role": "player", **WHY}),
    Giving("admin", "/desk/admin/users/{gone}/activate/", "rights.activate", WHY),
    Giving("admin", "/desk/admin/users/{olive}/reset/", "rights.reset", WHY),
    Giving("admin", "/desk/admin/users/{dora}/reset/", "rights.reset"),
    Giving("admin", "/desk/admin/users/{olive}/second-factor/", "rights.remove_second_factor", WHY),
    Giving("officer", "/desk/proposals/{proposal}/", "registry.approve", {"do": "approve", **WHY}),
    Giving("officer", "/desk/account/role/", "one_time_links.take_role", {"code": "AAAA-AAAA"}),
    Giving(
        "officer",
        "/desk/account/tokens/",
        "office_tokens.create_token",
        {"label": "ours", "days": "7", "scope": ["event.submit"]},
    ),
    Giving("officer", "/desk/account/app/remove/", "DeactivateTOTPView"),
    Giving("officer", "/desk/account/passkeys/", "AddWebAuthnView", {"name": "mine", "credential": "{}"}),
    Giving("officer", "/desk/account/recovery/new/", "GenerateRecoveryCodesView"),
]

#: What gives rights, or opens an account, in the office → the module of the web that may call it, and whom that asks
CALLERS = {
    "rights.invite": "desks/admin/people.py",
    "rights.reset": "desks/admin/people.py",
    "rights.set_role": "desks/admin/people.py",
    "rights.activate": "desks/admin/people.py",
    "rights.remove_second_factor": "desks/admin/people.py",
    "registry.approve": "desks/decisions/publishing.py",
    "office_tokens.create_token": "desks/account/own.py",
    "one_time_links.take_role": "desks/account/own.py",
    "users.set_password": "desks/account/own.py",  # one's own, with the old one
    "users.set_email": "desks/account/own.py",  # one's own
    "one_time_links.accept": "desks/account/links.py",  # with the link, and for the office with the code
    "one_time_links.set_password": "desks/account/links.py",
    "one_time_links.reset_by_mail": "desks/account/links.py",  # to the person's own address
}
#: What no module of the web calls at all: only `requests.rights` asks for the second person
LOWER = {
    "users.add_user",
    "users.set_role",
    "users.activate",
    "second_factors.remove",
    "one_time_links.invite",
    "one_time_links.reset",
    "one_time_links.confirm",
    "one_time_links.offer_role",
    "tokens.create_token",
}


@pytest.fixture
def places(desk_office: str) -> Mapping[str, int]:
    """Numbers for the addresses: users, one of them deactivated, and a proposal of the administrator."""
    operator = Actor.installation()
    users.add_user(operator, "gone", Role.OFFICER)
    users.deactivate(operator, "gone", "away")
    found = {name: User.objects.get(username=name).pk for name in ("olive", "dora", "gone")}
    proposal = rights.set_role(users.acting_as("chief"), "dora", Role.OFFICER, "elected").proposal
    assert proposal is not None
    return {**found, "proposal": proposal}


@pytest.mark.parametrize("one", TABLE, ids=str)
def test_what_gives_rights_asks_for_a_fresh_second_factor(places: Mapping[str, int], one: Giving) -> None:
    stale = accounts.signed_in(one.role, fresh=False)
    before = AuditEntry.objects.count()
    answer = stale.post(one.address.format(**places), one.form)
    assert answer.status_code == 302, answer.content.decode()
    assert answer["Location"].startswith(CONFIRM)
    assert AuditEntry.objects.count() == before


def test_only_the_addresses_of_the_table_reach_what_gives_rights() -> None:
    """Read in the source of the web, pages and API alike."""
    found = dict(_calls())
    assert found == CALLERS
    assert {one.calls for one in TABLE if "." in one.calls} <= set(CALLERS)


def _calls() -> Iterator[tuple[str, str]]:
    folder = Path(web.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = f"{node.value.id}.{node.attr}"
                if name in CALLERS or name in LOWER:
                    yield name, path.relative_to(folder).as_posix()


def test_a_director_without_a_second_factor_gives_the_password_for_a_token(desk_office: str) -> None:
    director = accounts.signed_in("director", fresh=False)
    form = {"label": "ours", "days": "7", "scope": ["event.submit"]}
    answer = director.post("/desk/account/tokens/", form)
    assert answer["Location"].startswith("/desk/account/confirm/?next=")
    done = director.post(answer["Location"], {"password": accounts.PASSWORD})
    assert re.search(r"ct_[\w-]{43}", done.content.decode())


def test_a_new_officer_from_the_invitation_to_the_first_sign_in(desk: Desk) -> None:
    admin, officer, guest = desk("admin"), desk("officer"), Client(headers=accounts.HOST)
    form = {"role": "officer", "days": "7", "reason": "Nina Nowak, elected in May"}
    assert "needs a reason" in admin.post("/desk/admin/invitations/", {**form, "reason": ""}).content.decode()
    page = admin.post("/desk/admin/invitations/", form).content.decode()
    link = re.search(r"http://localhost(/desk/join/[\w-]{43}/)", page)
    assert link is not None
    assert "has not confirmed" in guest.get(link[1]).content.decode()
    proposal = Proposal.objects.order_by("-id")[0].pk
    own = admin.post(f"/desk/proposals/{proposal}/", {"do": "approve", "reason": ""}).content.decode()
    assert "needs another officer" in own
    shown = officer.post(f"/desk/proposals/{proposal}/", {"do": "approve", "reason": ""}).content.decode()
    code = re.search(r"[2-9A-Z]{4}-[2-9A-Z]{4}", shown)
    assert code is not None
    for client in (admin, officer):
        assert code[0] not in client.get(f"/desk/proposals/{proposal}/").content.decode()
    answers = {"login": "nina", "new": NEW, "again": NEW}
    assert "code is wrong" in guest.post(link[1], answers).content.decode()
    assert guest.post(link[1], {**answers, "code": code[0]})["Location"] == "/desk/sign-in/"
    assert users.acting_as("nina").role is Role.OFFICER


def test_a_director_takes_a_confirmed_role_with_the_code(desk: Desk) -> None:
    admin, director = desk("admin"), desk("director")
    number = User.objects.get(username="dora").pk
    admin.post(f"/desk/admin/users/{number}/role/", {"role": "officer", "reason": "elected"})
    oscar = users.acting_as("oscar")
    code = registry.approve(oscar, two_officers.waiting(oscar)[-1]["number"])["code"]
    assert "The role officer is waiting for you." in director.get("/desk/account/").content.decode()
    assert "code is wrong" in director.post("/desk/account/role/", {"code": "AAAA"}).content.decode()
    assert director.post("/desk/account/role/", {"code": code}).status_code == 302
    assert users.acting_as("dora").role is Role.OFFICER


def test_the_administrators_page_shows_who_was_let_in_by_one_person(desk: Desk) -> None:
    admin = desk("admin")
    assert "Weaknesses" not in admin.get("/desk/admin/").content.decode()
    with writing():  # as in an office in which she was the second person
        record("chief", "user.role", "user:olive", "", {"before": "officer", "after": "officer", "alone": True})
    page = admin.get("/desk/admin/").content.decode()
    assert "Weaknesses" in page
    assert "<b>olive</b>, officer: by chief" in page
