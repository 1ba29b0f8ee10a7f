"""Invitations and ways back in: used once, by whoever has them, until they expire or their maker is no
administrator.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.verify import verify
from crosstable.office.people import one_time_links, second_factors, users
from crosstable.office.people.models import OneTimeLink
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.storage import clock

ADMIN = Actor.installation()
PHRASE, OTHER = "four knights on the rim", "three rooks in a boat"
WORN = "unknown, used or expired"


def admin(name: str = "chief") -> Actor:
    users.add_user(ADMIN, name, Role.ADMIN)
    return users.acting_as(name)


def test_an_invitation_makes_one_user_with_the_role_that_was_meant(office: str) -> None:
    secret = one_time_links.invite(admin(), Role.DIRECTOR)
    assert one_time_links.find(secret, OneTimeLink.INVITATION).role == "director"
    with pytest.raises(users.PeopleError, match="too short"):
        one_time_links.accept(secret, "dora", PHRASE[:3])
    one_time_links.accept(secret, "dora", PHRASE)
    assert users.sign_in("dora", PHRASE).role is Role.DIRECTOR
    with pytest.raises(users.PeopleError, match=WORN):
        one_time_links.accept(secret, "dirk", PHRASE)
    assert not User.objects.filter(username="dirk").exists()
    acts = [entry.action for entry in AuditEntry.objects.order_by("seq")]
    assert acts == ["user.add", "invitation.make", "user.add", "invitation.accept"]
    assert not AuditEntry.objects.filter(details__contains=secret).exists()
    assert verify().ok


def test_only_an_administrator_invites_and_only_while_one(office: str) -> None:
    chief = admin()
    users.add_user(ADMIN, "olive", Role.OFFICER)
    with pytest.raises(NotAllowedError, match=r"may not user\.write"):
        one_time_links.invite(users.acting_as("olive"), Role.OFFICER)
    secret = one_time_links.invite(chief, Role.DIRECTOR)
    users.set_role(ADMIN, "chief", Role.DIRECTOR, "stepped down")
    with pytest.raises(NotAllowedError, match=r"may not user\.write"):
        one_time_links.accept(secret, "friend", PHRASE)
    assert not User.objects.filter(username="friend").exists()


def test_links_expire_and_can_be_cancelled(office: str) -> None:
    chief, day = admin(), datetime(2026, 1, 10, 12, tzinfo=UTC)
    with clock.set_to(day):
        first, second = one_time_links.invite(chief, Role.PLAYER, days=7), one_time_links.invite(chief, Role.PLAYER)
        one_time_links.cancel(chief, second[:12])
        assert [row["start"] for row in one_time_links.waiting(chief)] == [first[:12]]
    with clock.set_to(day + timedelta(days=7)):
        assert one_time_links.waiting(chief) == []
        for secret in (first, second, "x" * 43):
            with pytest.raises(users.PeopleError, match=WORN):
                one_time_links.find(secret, OneTimeLink.INVITATION)


def test_a_way_back_in_sets_a_password_once_and_is_no_invitation(office: str) -> None:
    chief = admin()
    users.add_user(ADMIN, "dora", Role.DIRECTOR, PHRASE)
    secret = one_time_links.reset(chief, "dora")
    with pytest.raises(users.PeopleError, match=WORN):
        one_time_links.accept(secret, "friend", PHRASE)
    one_time_links.set_password(secret, OTHER)
    assert users.sign_in("dora", OTHER).name == "dora"
    with pytest.raises(users.PeopleError, match=WORN):
        one_time_links.set_password(secret, PHRASE)
    late = one_time_links.reset(chief, "dora")
    users.deactivate(chief, "dora", "moved away")
    with pytest.raises(users.PeopleError, match=WORN):
        one_time_links.set_password(late, PHRASE)


def test_by_mail_only_to_an_address_that_is_known_and_once_in_a_while(office: str) -> None:
    users.add_user(ADMIN, "dora", Role.DIRECTOR, PHRASE)
    assert one_time_links.reset_by_mail("nobody") is None
    assert one_time_links.reset_by_mail("dora") is None
    with pytest.raises(users.PeopleError, match="valid email"):
        users.set_email(ADMIN, "dora", "dora at home")
    users.set_email(users.acting_as("dora"), "dora", "dora@example.org")
    found = one_time_links.reset_by_mail("dora")
    assert found is not None
    assert found[0] == "dora@example.org"
    assert one_time_links.reset_by_mail("dora") is None
    one_time_links.set_password(found[1], OTHER)
    assert "dora@example.org" not in str(list(AuditEntry.objects.values()))


def test_nobody_deactivates_themselves_and_whoever_is_back_can_act(office: str) -> None:
    chief = admin()
    users.add_user(ADMIN, "dora", Role.DIRECTOR, PHRASE)
    with pytest.raises(NotAllowedError, match="another administrator"):
        users.deactivate(chief, "chief", "tired")
    users.deactivate(chief, "dora", "moved away")
    users.activate(chief, "dora", "moved back")
    assert users.sign_in("dora", PHRASE).name == "dora"


def test_a_second_factor_is_taken_away_with_a_reason_by_another(office: str) -> None:
    from allauth.mfa.totp.internal.auth import TOTP

    chief = admin()
    user = users.add_user(ADMIN, "olive", Role.OFFICER, PHRASE)
    TOTP.activate(user, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    assert second_factors.kinds(chief, "olive") == ["app"]
    with pytest.raises(users.PeopleError, match="how the person proved"):
        second_factors.remove(chief, "olive", " ")
    with pytest.raises(NotAllowedError, match=r"may not user\.write"):
        second_factors.remove(users.acting_as("olive"), "olive", "lost")
    with pytest.raises(NotAllowedError, match="another administrator"):
        second_factors.remove(chief, "chief", "lost")
    with pytest.raises(NotAllowedError, match="second person"):
        second_factors.remove(chief, "olive", "came to the office with a passport")
    assert second_factors.remove(ADMIN, "olive", "came to the office with a passport") == 1
    assert second_factors.kinds(chief, "olive") == []
