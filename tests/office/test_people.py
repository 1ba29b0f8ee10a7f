"""Default deny, two officers, tokens with scope, Argon2 passwords."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from crosstable import office as office_package
from crosstable.errors import OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.verify import verify
from crosstable.office.notices import inbox
from crosstable.office.people import tokens, users
from crosstable.office.people.models import Token
from crosstable.office.people.rights import RIGHTS, TWO_OFFICERS, Actor, NotAllowedError, Role, require
from crosstable.office.requests import registry, two_officers
from crosstable.office.requests.adjustments import ADJUSTMENT
from crosstable.office.requests.models import Proposal

pytestmark = pytest.mark.both_databases

ADMIN = Actor.installation()
PHRASE = "four knights on the rim"
READING = {"list.read", "event.read", "rating.read", "trace.read", "player.read", "audit.verify"}


def officer(name: str, role: Role = Role.OFFICER) -> Actor:
    users.add_user(ADMIN, name, role)
    return users.acting_as(name)


@pytest.fixture
def carried(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What an approved adjustment did: here it is only written down."""
    done: list[tuple[Any, ...]] = []

    def carry(payload: Mapping[str, Any], first: str, second: str) -> Mapping[str, Any]:
        done.append((dict(payload), first, second))
        return {"done": True}

    monkeypatch.setattr(ADJUSTMENT, "do", carry)
    return done


def test_the_public_may_only_read_and_write_to_the_office() -> None:
    """Without an account: report a mistake, claim a player, and open an account where the office lets people."""
    public = Actor.nobody()
    assert {action for action in RIGHTS if public.may(action)} == READING | {"request.visit", "account.open"}


@pytest.mark.parametrize("role", list(Role))
def test_what_the_table_does_not_know_is_refused_to_everybody(role: Role) -> None:
    with pytest.raises(NotAllowedError, match="no such right"):
        require(Actor("ada", role), "rating.invent")


def test_nobody_below_officer_touches_ratings_and_no_administrator_does() -> None:
    for action in ("event.accept", "event.correct", "rating.adjust", "rating.rerate", "list.publish"):
        for role in Role:
            assert Actor("ada", role).may(action) == (role is Role.OFFICER)


def test_every_action_that_takes_two_officers_is_in_the_table() -> None:
    assert set(RIGHTS) >= TWO_OFFICERS


def test_users_have_argon2_passwords_and_roles(office: str) -> None:
    users.add_user(ADMIN, "ada", Role.DIRECTOR, password=PHRASE)
    assert User.objects.get(username="ada").password.startswith("argon2$argon2id$")
    actor = users.sign_in("ada", PHRASE)
    assert (actor.name, actor.role) == ("ada", Role.DIRECTOR)
    with pytest.raises(NotAllowedError, match="wrong name or password"):
        users.sign_in("ada", "another phrase")
    with pytest.raises(NotAllowedError, match="wrong name or password"):
        users.sign_in("nobody", PHRASE)
    users.set_role(ADMIN, "ada", Role.OFFICER, "elected")
    assert users.acting_as("ada").role is Role.OFFICER
    users.deactivate(ADMIN, "ada", "moved away")
    with pytest.raises(NotAllowedError):
        users.sign_in("ada", PHRASE)
    assert [entry.action for entry in AuditEntry.objects.all()] == ["user.add", "user.role", "user.deactivate"]
    assert verify().ok


def test_only_an_administrator_makes_users_and_nobody_promotes_themselves(office: str) -> None:
    boris = officer("boris")
    with pytest.raises(NotAllowedError, match=r"may not user\.write"):
        users.add_user(boris, "friend", Role.OFFICER)
    chief = officer("chief", Role.ADMIN)
    with pytest.raises(NotAllowedError, match="another administrator"):
        users.set_role(chief, "chief", Role.OFFICER)
    with pytest.raises(users.PeopleError, match="already a user"):
        users.add_user(chief, "boris", Role.PLAYER)
    with pytest.raises(users.PeopleError, match="too short"):
        users.add_user(chief, "short", Role.PLAYER, password=PHRASE[:3])


def test_one_officer_proposes_and_another_approves(office: str, carried: list[tuple[Any, ...]]) -> None:
    ada, boris = officer("ada"), officer("boris")
    proposal = two_officers.propose(ada, ADJUSTMENT, "player:12345678", {"ceiling": 1800}, "sandbagging")
    assert carried == []
    with pytest.raises(NotAllowedError, match="another officer"):
        registry.approve(ada, proposal.id)
    assert [row["number"] for row in two_officers.waiting(boris)] == [proposal.id]
    assert registry.approve(boris, proposal.id) == {"done": True}
    assert carried == [({"ceiling": 1800}, "ada", "boris")]
    told = [inbox.inbox(one)[0] for one in (boris, ada)]  # each hears of what the other did
    assert [(one.subject, one.words, one.about) for one in told] == [
        ("Adjust a rating, player 12345678: waits for a second officer", "sandbagging", f"proposal:{proposal.id}"),
        ("Adjust a rating, player 12345678: approved by boris", "", f"proposal:{proposal.id}"),
    ]
    with pytest.raises(OfficeError, match="granted already"):
        registry.approve(boris, proposal.id)
    assert two_officers.waiting(ada) == []


def test_the_database_too_knows_that_two_are_two(office: str) -> None:
    ada = officer("ada")
    proposal = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "why not")
    with pytest.raises(IntegrityError, match="two_officers"):
        Proposal.objects.filter(pk=proposal.id).update(state="granted", decided_by=ada.user_id)


def test_directors_and_administrators_neither_propose_nor_approve(office: str) -> None:
    ada, dan, chief = officer("ada"), officer("dan", Role.DIRECTOR), officer("chief", Role.ADMIN)
    for actor in (dan, chief, ADMIN):
        with pytest.raises(NotAllowedError):
            two_officers.propose(actor, ADJUSTMENT, "player:1", {}, "reason")
    proposal = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "reason")
    for actor in (dan, chief, ADMIN):
        with pytest.raises(NotAllowedError):
            registry.approve(actor, proposal.id)


@pytest.mark.parametrize("left", ["deactivated", "demoted"])
def test_what_a_former_officer_proposed_is_not_carried_out(
    office: str, carried: list[tuple[Any, ...]], left: str
) -> None:
    ada, boris = officer("ada"), officer("boris")
    proposal = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "reason")
    if left == "deactivated":
        users.deactivate(ADMIN, "ada", "dismissed")
    else:
        users.set_role(ADMIN, "ada", Role.DIRECTOR, "dismissed")
    with pytest.raises(NotAllowedError, match="may no longer"):
        registry.approve(boris, proposal.id)
    assert not carried
    registry.decide(
        boris, f"proposal:{proposal.id}", granted=False, words="she left"
    )  # so that it can be proposed anew
    two_officers.propose(boris, ADJUSTMENT, "player:1", {}, "reason")


def test_a_refused_or_withdrawn_proposal_does_nothing(office: str, carried: list[tuple[Any, ...]]) -> None:
    ada, boris = officer("ada"), officer("boris")
    first = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "reason")
    with pytest.raises(users.PeopleError, match="proposed already and waits for a second officer: player 1"):
        two_officers.propose(boris, ADJUSTMENT, "player:1", {}, "reason")
    registry.decide(boris, f"proposal:{first.id}", granted=False, words="no proof")
    second = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "reason")
    registry.decide(ada, f"proposal:{second.id}", granted=False, words="I was wrong")
    states = list(Proposal.objects.order_by("id").values_list("state", flat=True))
    assert (states, carried) == (["refused", "taken back"], [])


def test_a_failing_approval_leaves_the_proposal_waiting(office: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, boris = officer("ada"), officer("boris")

    def fail(*_: object) -> Mapping[str, Any]:
        raise users.PeopleError("there is no such player")

    monkeypatch.setattr(ADJUSTMENT, "do", fail)
    proposal = two_officers.propose(ada, ADJUSTMENT, "player:1", {}, "reason")
    with pytest.raises(users.PeopleError, match="no such player"):
        registry.approve(boris, proposal.id)
    assert Proposal.objects.get(pk=proposal.id).state == Proposal.WAITING
    assert verify().ok


def test_a_token_acts_within_its_scope_only(office: str) -> None:
    dan = officer("dan", Role.DIRECTOR)
    with pytest.raises(
        users.PeopleError, match=r"no such right: 'submit'; dan has .*event\.submit, .*submission\.read"
    ):
        tokens.create_token(dan, "dan", "my pairing program", ["submit"])
    secret = tokens.create_token(dan, "dan", "my pairing program", ["event.submit"], days=30)
    actor = tokens.actor_with(secret)
    assert actor.may("event.submit")
    assert not actor.may("submission.read")
    with pytest.raises(NotAllowedError, match="scope"):
        require(actor, "submission.read")
    with pytest.raises(NotAllowedError):
        tokens.create_token(actor, "dan", "another", ["event.submit"])


@pytest.mark.parametrize("label", [" ", "x" * 101])
def test_a_token_says_what_it_is_for_in_a_few_words(office: str, label: str) -> None:
    with pytest.raises(users.PeopleError, match="label of 1 to 100"):
        tokens.create_token(officer("dan"), "dan", label, ["event.submit"])


def test_the_shell_without_a_name_is_no_second_officer(office: str, carried: list[tuple[Any, ...]]) -> None:
    proposal = two_officers.propose(officer("ada"), ADJUSTMENT, "player:1", {}, "reason")
    with pytest.raises(NotAllowedError, match="with a name"):
        registry.approve(Actor("root@local", Role.OFFICER), proposal.id)
    assert not carried


def test_tokens_are_hashed_shown_once_revocable_and_expire(office: str) -> None:
    dan, eva = officer("dan", Role.DIRECTOR), officer("eva", Role.DIRECTOR)
    secret = tokens.create_token(dan, "dan", "program", ["event.submit"])
    stored = Token.objects.get()
    assert secret not in (stored.hash, stored.start)
    assert all(secret not in f"{entry.details}{entry.subject}" for entry in AuditEntry.objects.all())
    assert secret not in str(tokens.tokens(dan))
    assert tokens.tokens(eva) == []
    with pytest.raises(NotAllowedError):
        tokens.revoke(eva, stored.start)
    tokens.revoke(dan, stored.start, "laptop lost")
    with pytest.raises(NotAllowedError, match="unknown, revoked or expired"):
        tokens.actor_with(secret)
    later = tokens.create_token(dan, "dan", "program", ["event.submit"])
    Token.objects.filter(revoked="").update(expires="2001-01-01T00:00:00.000000Z")
    with pytest.raises(NotAllowedError, match="unknown, revoked or expired"):
        tokens.actor_with(later)
    with pytest.raises(NotAllowedError, match="unknown, revoked or expired"):
        tokens.actor_with("ct_guess")


def test_a_token_never_exceeds_its_owner(office: str) -> None:
    dan = officer("dan", Role.DIRECTOR)
    with pytest.raises(NotAllowedError, match=r"may not event\.accept"):
        tokens.create_token(dan, "dan", "program", ["event.accept"])
    officer("eva", Role.DIRECTOR)
    with pytest.raises(NotAllowedError, match="only"):
        tokens.create_token(dan, "eva", "program", ["event.submit"])
    secret = tokens.create_token(dan, "dan", "program", ["event.submit"])
    users.set_role(ADMIN, "dan", Role.PLAYER, "licence ended")
    assert not tokens.actor_with(secret).may("event.submit")
    users.deactivate(ADMIN, "dan", "gone")
    with pytest.raises(NotAllowedError, match="revoked"):
        tokens.actor_with(secret)


def test_every_public_function_that_writes_asks_for_a_right_first() -> None:
    """Read in the source: whoever opens a writing transaction calls `require`, or the function that does."""
    folder = Path(office_package.__file__).parent
    asking = {"require", "propose"}
    for path in sorted(folder.rglob("*.py")):
        if path.parent.name in ("example", "migrations") or path.name == "database.py":
            continue
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef) and not function.name.startswith("_"):
                called = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
                names = {one.id if isinstance(one, ast.Name) else getattr(one, "attr", "") for one in called}
                assert "writing" not in names or names & asking, f"{path.name}: {function.name} writes for anybody"


def test_every_right_that_is_asked_for_is_in_the_table() -> None:
    folder = Path(office_package.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for action in re.findall(r'require\(\w+, "([a-z._]+)"', path.read_text()):
            assert action in RIGHTS, f"{path.name} asks for {action}"


@pytest.mark.parametrize(
    ("first", "second"), [("dora", "Dora"), ("Dora", "dora"), ("\u00c4nne", "\u00e4nne"), ("stra\u00dfe", "STRASSE")]
)
def test_names_that_differ_only_in_case_are_one_name(office: str, first: str, second: str) -> None:
    """Neither database is asked: SQLite folds no letters beyond English ones."""
    users.add_user(ADMIN, first, Role.DIRECTOR)
    with pytest.raises(users.PeopleError, match=f"already a user '{first}': names that differ only in case"):
        users.add_user(ADMIN, second, Role.OFFICER)
    with pytest.raises(users.PeopleError, match=f"already a user '{first}'$"):
        users.add_user(ADMIN, first, Role.OFFICER)
    assert [one["name"] for one in users.users(ADMIN)] == [first]
