"""Two officers: what one proposes, another approves, and never the same person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from crosstable.office.audit.log import canonical, record, refuse_private
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import TWO_OFFICERS, Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError, acting_as
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: Carries an approved proposal out: payload, who proposed, who approved → what to tell the approver
Carry = Callable[[Mapping[str, Any], str, str], Mapping[str, Any]]

#: The modules that know how, imported when an approval needs them
_MODULES = {
    "list.publish": "crosstable.office.lists.publish",
    "rating.adjust": "crosstable.office.decisions.adjustments",
    "fide.opt_out": "crosstable.office.players.dated_facts",
}
_CARRIERS: dict[str, Carry] = {}


def register(action: str, carry: Carry) -> None:
    """Say what approving a proposal of this kind does. It runs in the approval's own transaction."""
    if action not in TWO_OFFICERS:
        raise PeopleError(f"{action} does not take two officers")
    _CARRIERS[action] = carry


def propose(actor: Actor, action: str, subject: str, payload: Mapping[str, Any], reason: str) -> Proposal:
    """The first officer's half. Nothing happens yet but the proposal itself."""
    require(actor, action)
    if action not in TWO_OFFICERS:
        raise PeopleError(f"{action} does not take two officers: do it directly")
    if actor.user_id is None:
        raise NotAllowedError("a proposal needs an officer with a name: say who you are with --as USER")
    if not reason.strip():
        raise PeopleError("a proposal needs a reason")
    refuse_private(payload)
    with writing():
        if Proposal.objects.filter(action=action, subject=subject, state=Proposal.WAITING).exists():
            raise PeopleError(f"{action} {subject} has been proposed already and waits for a second officer")
        proposal = Proposal(action=action, subject=subject, payload=canonical(payload), reason=reason)
        proposal.proposed_by_id, proposal.proposed_at = actor.user_id, clock.stamp()
        proposal.save()
        record(actor.name, "proposal.make", f"proposal:{proposal.pk}", reason, {"action": action, "subject": subject})
    return proposal


def approve(actor: Actor, number: int) -> Mapping[str, Any]:
    """The second officer's half: carries the proposal out, both names in the log, all in one transaction."""
    with writing():
        proposal = _waiting(number)
        require(actor, proposal.action)
        if actor.user_id is None:
            raise NotAllowedError("an approval needs an officer with a name: say who you are with --as USER")
        if actor.user_id == proposal.proposed_by_id:
            raise NotAllowedError(f"proposal {number} needs another officer than the one who made it")
        _refuse_former(proposal)
        proposal.state, proposal.decided_at = Proposal.DONE, clock.stamp()
        proposal.decided_by_id = actor.user_id
        proposal.save()
        proposer = proposal.proposed_by.username
        details = {"action": proposal.action, "subject": proposal.subject, "proposed_by": proposer}
        record(actor.name, "proposal.approve", f"proposal:{number}", proposal.reason, details)
        return _carrier(proposal.action)(json.loads(proposal.payload), proposer, actor.name)


def refuse(actor: Actor, number: int, answer: str) -> None:
    """Another officer says no; or the proposer withdraws."""
    with writing():
        proposal = _waiting(number)
        require(actor, proposal.action)
        if not answer.strip():
            raise PeopleError("a refusal needs a reason")
        own = actor.user_id == proposal.proposed_by_id
        proposal.state = Proposal.WITHDRAWN if own else Proposal.REFUSED
        proposal.decided_at, proposal.answer = clock.stamp(), answer
        proposal.decided_by_id = actor.user_id
        proposal.save()
        details = {
            "action": proposal.action,
            "subject": proposal.subject,
        }  # whom it concerns: the answer is looked through
        record(actor.name, f"proposal.{'withdraw' if own else 'refuse'}", f"proposal:{number}", answer, details)


def waiting(actor: Actor) -> list[dict[str, Any]]:
    require(actor, "proposal.read")
    rows = Proposal.objects.select_related("proposed_by").filter(state=Proposal.WAITING).order_by("id")
    return [
        {
            "number": row.pk,
            "action": row.action,
            "subject": row.subject,
            "by": row.proposed_by.username,
            "at": row.proposed_at,
            "reason": row.reason,
        }
        for row in rows
    ]


def _waiting(number: int) -> Proposal:
    proposal = Proposal.objects.select_for_update().filter(pk=number).first()
    if proposal is None:
        raise PeopleError(f"there is no proposal {number}")
    if proposal.state != Proposal.WAITING:
        raise PeopleError(f"proposal {number} is {proposal.state} already")
    return proposal


def _refuse_former(proposal: Proposal) -> None:
    """Both halves are an officer's on the day of the approval: who was dismissed meanwhile no longer counts as one."""
    name = proposal.proposed_by.username
    try:
        require(acting_as(name), proposal.action)
    except NotAllowedError as former:
        words = f"proposal {proposal.pk} was made by {name}, who may no longer make it"
        raise NotAllowedError(f"{words}: refuse it, and propose it anew ({former})") from former


def _carrier(action: str) -> Carry:
    if action not in _CARRIERS:
        import_module(_MODULES[action])
    return _CARRIERS[action]
