"""One administrator never becomes two officers: rights of the office take a second person, or the operator, or a new
office.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.verify import verify
from crosstable.office.ledger.models import Player
from crosstable.office.notices import inbox
from crosstable.office.people import one_time_links, second_factors, second_person, tokens, users
from crosstable.office.people.models import OneTimeLink, Person
from crosstable.office.people.rights import PEOPLE_ONLY, Actor, NotAllowedError, Role
from crosstable.office.requests import registry, rights

OPERATOR = Actor.installation()
PHRASE, OTHER = "four knights on the rim", "three rooks in a boat"


def made(name: str, role: Role) -> Actor:
    users.add_user(OPERATOR, name, role, PHRASE)
    return users.acting_as(name)


@pytest.fixture
def chief(office: str) -> Actor:
    """An administrator beside two officers and a director."""
    made("olive", Role.OFFICER)
    made("oscar", Role.OFFICER)
    made("dora", Role.DIRECTOR)
    return made("chief", Role.ADMIN)


def details(action: str) -> dict[str, object]:
    entry = AuditEntry.objects.filter(action=action).order_by("-seq")[0]
    found: dict[str, object] = json.loads(entry.details)
    found.pop("seal", None)  # a hash of the account, with its own tests
    return found


def confirmed(proposal: int | None, by: str = "olive") -> str:
    """The second person approves; the answer is the code."""
    assert proposal is not None
    return str(registry.approve(users.acting_as(by), proposal).get("code", ""))


@pytest.mark.parametrize("role", [Role.OFFICER, Role.ADMIN])
def test_an_invitation_to_the_office_needs_the_link_of_one_and_the_code_of_another(chief: Actor, role: Role) -> None:
    given = rights.invite(chief, role, reason="Nina Nowak, elected in May")
    with pytest.raises(users.PeopleError, match="has not confirmed"):  # the inviter has the link, and cannot use it
        one_time_links.accept(given.secret, "chief2", PHRASE)
    assert given.proposal is not None
    with pytest.raises(NotAllowedError, match="another officer"):
        registry.approve(chief, given.proposal)
    code = confirmed(given.proposal)
    with pytest.raises(NotAllowedError, match="code is wrong"):
        one_time_links.accept(given.secret, "chief2", PHRASE)
    one_time_links.accept(given.secret, "nina", PHRASE, code.lower())
    assert users.acting_as("nina").role is role
    assert details("user.add") == {"role": role.value, "confirmed_by": "olive"}
    assert code not in str(list(AuditEntry.objects.values()))
    assert second_person.given_alone() == []
    assert verify().ok


def test_five_wrong_codes_wear_a_link_out(chief: Actor) -> None:
    given = rights.invite(chief, Role.OFFICER, reason="Nina")
    code = confirmed(given.proposal)
    for _ in range(5):
        with pytest.raises(NotAllowedError, match="code is wrong"):
            one_time_links.accept(given.secret, "nina", PHRASE, "AAAA-AAAA")
    with pytest.raises(users.PeopleError, match="unknown, used or expired"):
        one_time_links.accept(given.secret, "nina", PHRASE, code)


def test_officers_and_administrators_are_told_that_a_confirmation_waits(chief: Actor) -> None:
    made("clara", Role.ADMIN)
    proposal = rights.set_role(chief, "dora", Role.OFFICER, "elected").proposal
    for name in ("olive", "clara"):
        assert inbox.inbox(users.acting_as(name))[0].about == f"proposal:{proposal}"


def test_a_role_of_the_office_is_taken_by_the_person_whom_the_second_one_spoke_to(chief: Actor) -> None:
    dora = users.acting_as("dora")
    given = rights.set_role(chief, "dora", Role.OFFICER, "elected")
    code = confirmed(given.proposal)
    assert users.acting_as("dora").role is Role.DIRECTOR
    for actor, typed in ((dora, "AAAA-AAAA"), (chief, code)):
        with pytest.raises((NotAllowedError, users.PeopleError)):
            one_time_links.take_role(actor, typed)
    assert one_time_links.take_role(dora, code) is Role.OFFICER
    assert details("user.role") == {"before": "director", "after": "officer", "confirmed_by": "olive"}
    with pytest.raises(users.PeopleError, match="no role for you"):
        one_time_links.take_role(users.acting_as("dora"), code)


def test_an_administrator_cannot_take_over_a_director_and_then_promote_the_account(chief: Actor) -> None:
    secret = rights.reset(chief, "dora").secret  # alone: dora has no rights of the office
    waiting = rights.reset(chief, "dora").secret
    one_time_links.set_password(secret, OTHER)
    code = confirmed(rights.set_role(chief, "dora", Role.OFFICER, "elected").proposal)
    assert users.sign_in("dora", OTHER).role is Role.DIRECTOR  # the code went to Dora herself
    one_time_links.take_role(users.acting_as("dora"), code)
    with pytest.raises(users.PeopleError, match="unknown, used or expired"):  # gone with the new password
        one_time_links.set_password(waiting, PHRASE)


def test_the_office_cannot_be_emptied_to_be_new_again(chief: Actor) -> None:
    users.deactivate(chief, "olive", "dismissed")
    users.set_role(chief, "oscar", Role.PLAYER, "dismissed")
    for act in _giving(chief):
        with pytest.raises(NotAllowedError, match="no other officer or administrator can confirm this"):
            act()
    assert not OneTimeLink.objects.exists()
    one_time_links.invite(OPERATOR, Role.OFFICER)  # the operator at the shell can


def _giving(chief: Actor) -> list[Callable[[], object]]:
    return [
        lambda: rights.invite(chief, Role.OFFICER, reason="me again"),
        lambda: rights.set_role(chief, "dora", Role.ADMIN, "elected"),
        lambda: rights.activate(chief, "olive", "back"),
    ]


@pytest.mark.parametrize("act", ["reset", "second factor", "activate", "password", "e-mail"])
def test_an_account_of_the_office_is_not_opened_by_one_administrator(chief: Actor, act: str) -> None:
    from allauth.mfa.totp.internal.auth import TOTP

    TOTP.activate(User.objects.get(username="oscar"), "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    if act == "reset":
        given = rights.reset(chief, "oscar", "came with a passport")
        with pytest.raises(users.PeopleError, match="has not confirmed"):
            one_time_links.set_password(given.secret, OTHER)
        one_time_links.set_password(given.secret, OTHER, confirmed(given.proposal))
        assert users.sign_in("oscar", OTHER).name == "oscar"
    elif act == "second factor":
        proposal = rights.remove_second_factor(chief, "oscar", "came with a passport").proposal
        assert second_factors.kinds(chief, "oscar") == ["app"]
        confirmed(proposal)
        assert second_factors.kinds(chief, "oscar") == []
    elif act == "activate":
        users.deactivate(chief, "oscar", "away")
        proposal = rights.activate(chief, "oscar", "back").proposal
        assert not User.objects.get(username="oscar").is_active
        confirmed(proposal)
        assert details("user.activate") == {"role": "officer", "confirmed_by": "olive"}
        assert User.objects.get(username="oscar").is_active
    else:
        with pytest.raises(NotAllowedError, match="second person"):
            users.set_password(chief, "oscar", OTHER) if act == "password" else users.set_email(
                chief, "oscar", "a@b.org"
            )


def test_nobody_confirms_their_own_account_or_their_own_proposal_under_another_name(chief: Actor) -> None:
    proposal = rights.remove_second_factor(chief, "oscar", "lost").proposal
    with pytest.raises(NotAllowedError, match="cannot confirm rights of oscar"):
        confirmed(proposal, by="oscar")
    Player.objects.create(number="30000001", name="One Person")
    Person.objects.filter(user__username__in=["chief", "olive"]).update(player_id="30000001")
    with pytest.raises(NotAllowedError, match="same player"):
        confirmed(proposal)


def test_one_person_has_one_account_in_the_office(chief: Actor) -> None:
    main = Player.objects.create(number="30000001", name="One Person")
    Player.objects.create(number="30000002", name="One Person", merged_into=main)
    Person.objects.filter(user__username="olive").update(player_id="30000001")
    Person.objects.filter(user__username="dora").update(player_id="30000002")
    for act in (
        lambda: rights.set_role(chief, "dora", Role.OFFICER, "elected"),
        lambda: rights.invite(chief, Role.OFFICER, "30000002", reason="elected"),
        lambda: users.add_user(OPERATOR, "second", Role.ADMIN, None, "30000002"),
    ):
        with pytest.raises(NotAllowedError, match=r"olive \(officer\) has the same player"):
            act()
    Person.objects.filter(user__username="dora").update(player_id="")
    users.set_email(users.acting_as("dora"), "dora", "one@example.org")
    users.set_email(users.acting_as("oscar"), "oscar", "One@example.org")
    with pytest.raises(NotAllowedError, match=r"oscar \(officer\) has the same e-mail"):
        rights.set_role(chief, "dora", Role.OFFICER, "elected")


def test_a_new_office_starts_with_one_administrator_and_says_so(office: str) -> None:
    chief = made("chief", Role.ADMIN)
    first, second = (rights.invite(chief, Role.OFFICER).secret for _ in range(2))
    assert details("invitation.make")["alone"] is True
    one_time_links.accept(first, "olive", PHRASE)
    assert details("user.add") == {"role": "officer", "alone": True}
    assert [(one.name, one.role, one.by) for one in second_person.given_alone()] == [("olive", "officer", "chief")]
    with pytest.raises(NotAllowedError, match="second person"):  # the office is no longer new
        one_time_links.accept(second, "oscar", PHRASE)
    made("oscar", Role.OFFICER)
    code = confirmed(rights.set_role(chief, "olive", Role.OFFICER, "confirmed later").proposal, by="oscar")
    one_time_links.take_role(users.acting_as("olive"), code)
    assert second_person.given_alone() == []


def test_the_operator_needs_no_second_person_and_the_log_says_so(chief: Actor) -> None:
    rights.set_role(OPERATOR, "dora", Role.OFFICER, "no one else is left")
    assert details("user.role") == {"before": "director", "after": "officer", "operator": True, "console": True}
    at_shell = replace(chief, console=True)  # crosstable office --as chief
    proposal = rights.set_role(at_shell, "dora", Role.ADMIN, "elected").proposal
    assert details("proposal.make")["console"] is True
    assert proposal is not None
    registry.approve(replace(users.acting_as("olive"), console=True), proposal)
    assert details("proposal.approve")["console"] is True


def test_no_token_gives_rights_or_is_made_for_another_person(chief: Actor) -> None:
    program = replace(chief, name="chief/ct_x", scopes=frozenset({"user.write", "user.rights"}))
    for act in _giving(program)[:2]:
        with pytest.raises(NotAllowedError, match="a token cannot give rights"):
            act()
    proposal = rights.set_role(chief, "dora", Role.OFFICER, "elected").proposal
    assert proposal is not None
    olive = replace(users.acting_as("olive"), scopes=frozenset({"user.rights"}))
    with pytest.raises(NotAllowedError, match="a token cannot"):
        registry.approve(olive, proposal)
    with pytest.raises(NotAllowedError, match="tokens for chief only"):
        tokens.create_token(chief, "olive", "hers", ["event.accept"])
    for right in sorted(right for right in PEOPLE_ONLY if chief.may(right)):
        with pytest.raises(NotAllowedError, match=re.escape(f"no token can hold {right}")):
            tokens.create_token(chief, "chief", "mine", [right])
