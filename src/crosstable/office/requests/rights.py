"""Giving rights of the office: an administrator proposes, another officer or administrator confirms with a second
factor.

For links and roles the second person is given a code, and hands it to the person meant. The administrator has the link,
the second person has the code: neither can become, or take over, the new officer alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from crosstable.office.ledger import free_text
from crosstable.office.people import one_time_links, second_factors, second_person, users
from crosstable.office.people.rights import Actor, Role, require
from crosstable.office.requests.two_officers import TwoOfficers, propose
from crosstable.office.storage.database import writing

ACTION = "user.rights"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of giving rights: a link that is shown once, and the proposal if a second person has to confirm it.

    `count`: second factors that were removed.
    """

    secret: str = ""
    proposal: int | None = None
    count: int = 0


def invite(actor: Actor, role: Role, player_id: str = "", days: int = 7, reason: str = "") -> Outcome:
    """Make an invitation; one for an officer or administrator works after a second person has confirmed it."""
    require(actor, "user.write")
    free_text.refuse(reason, "the reason")
    with writing():
        secret = one_time_links.invite(actor, role, player_id, days)
        given = {"act": "invitation", "link": secret[: one_time_links.START], "role": role.value, "player": player_id}
        needed = second_person.is_needed(actor, role)
        return Outcome(secret, _propose(actor, f"invitation:{given['link']}", given, reason) if needed else None)


def reset(actor: Actor, name: str, reason: str = "") -> Outcome:
    """Make a link to a new password; one for an officer or administrator works after a second person has
    confirmed it.
    """
    require(actor, "user.write")
    free_text.refuse(reason, "the reason")
    with writing():
        secret = one_time_links.reset(actor, name)
        given = {"act": "reset", "link": secret[: one_time_links.START], "user": name}
        needed = second_person.is_needed(actor, users.acting_as(name).role)
        return Outcome(secret, _propose(actor, f"user:{name}:reset", given, reason) if needed else None)


def set_role(actor: Actor, name: str, role: Role, reason: str = "") -> Outcome:
    """Give a user another role; that of an officer or administrator is confirmed, and then taken with a code."""
    require(actor, "user.write")
    if not second_person.is_needed(actor, role):
        users.set_role(actor, name, role, reason)
        return Outcome()
    person = users.person_of(name)
    users.refuse_own_role(actor, person)
    second_person.refuse_second_account(role, person.player_id, person.user.email, person.user_id)
    given = {"act": "role", "user": name, "before": person.role, "role": role.value}
    return Outcome(proposal=_propose(actor, f"user:{name}:role", given, reason))


def activate(actor: Actor, name: str, reason: str) -> Outcome:
    """Let a user act again; an officer or administrator after a second person has confirmed it."""
    require(actor, "user.write")
    role = users.person_of(name).role
    if not second_person.is_needed(actor, role):
        users.activate(actor, name, reason)
        return Outcome()
    given = {"act": "activate", "user": name, "role": role}
    return Outcome(proposal=_propose(actor, f"user:{name}:activate", given, reason))


def remove_second_factor(actor: Actor, name: str, reason: str) -> Outcome:
    """Remove a lost second factor; that of an officer or administrator after a second person has confirmed it."""
    require(actor, "user.write")
    whose = users.acting_as(name)
    if not second_person.is_needed(actor, whose.role) or whose.user_id == actor.user_id:  # one's own is refused there
        return Outcome(count=second_factors.remove(actor, name, reason))
    given = {"act": "second-factor", "user": name, "role": whose.role.value}
    return Outcome(proposal=_propose(actor, f"user:{name}:second-factor", given, reason))


def _propose(actor: Actor, subject: str, given: Mapping[str, Any], reason: str) -> int:
    second_person.refuse_program(actor)
    second_person.refuse_without_confirmer(actor, _whose(given))
    return int(propose(actor, RIGHTS, subject, given, reason).pk)


def _whose(given: Mapping[str, Any]) -> int | None:
    return users.person_of(given["user"]).user_id if "user" in given else None


def _confirmed(given: Mapping[str, Any], proposer: str, approver: str) -> Mapping[str, Any]:
    """Do what was confirmed.

    The answer has the code, where there is one: it is shown to the approver and kept nowhere.
    """
    first, second = users.acting_as(proposer), users.acting_as(approver)
    require(first, "user.write")
    second_person.refuse_own_half(first, second, _whose(given))
    code = _ACTS[given["act"]](first, given, approver)
    return {"act": given["act"], **({"code": code} if code else {})}


def _confirm_link(first: Actor, given: Mapping[str, Any], approver: str) -> str:
    return one_time_links.confirm(first, given["link"], approver)


def _offer_role(first: Actor, given: Mapping[str, Any], approver: str) -> str:
    return one_time_links.offer_role(first, given["user"], Role(given["role"]), approver)


def _activate(first: Actor, given: Mapping[str, Any], approver: str) -> str:
    users.activate(first, given["user"], f"confirmed by {approver}", confirmed_by=approver)
    return ""


def _remove_second_factor(first: Actor, given: Mapping[str, Any], approver: str) -> str:
    second_factors.remove(first, given["user"], f"confirmed by {approver}", confirmed_by=approver)
    return ""


_ACTS: Mapping[str, Callable[[Actor, Mapping[str, Any], str], str]] = {
    "invitation": _confirm_link,
    "reset": _confirm_link,
    "role": _offer_role,
    "activate": _activate,
    "second-factor": _remove_second_factor,
}

RIGHTS = TwoOfficers(ACTION, _confirmed, lambda _: {})
