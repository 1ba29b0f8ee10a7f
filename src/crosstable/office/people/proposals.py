"""Two officers: what one proposes, another approves, and never the same person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from django.db import transaction

from crosstable.office.audit.log import canonical, record, refuse_private
from crosstable.office.ledger import free_text
from crosstable.office.people import readable, second_person
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import TWO_OFFICERS, Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError, acting_as
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: Carries an approved proposal out: payload, who proposed, who approved → what to tell the approver
Carry = Callable[[Mapping[str, Any], str, str], Mapping[str, Any]]
#: Says of a payload what carrying it out would do, and writes nothing
Look = Callable[[Mapping[str, Any]], Mapping[str, Any]]

#: What is proposed, in words
WORDS = {
    "list.publish": "Publish a list",
    "rating.adjust": "Adjust a rating",
    "fide.opt_out": "Opt out of FIDE events",
    "user.rights": "Confirm rights",
}

#: The modules that know how, imported when an approval needs them
_MODULES = {
    "list.publish": "crosstable.office.lists.publish",
    "rating.adjust": "crosstable.office.decisions.adjustments",
    "fide.opt_out": "crosstable.office.players.dated_facts",
    "user.rights": "crosstable.office.people.granting",
}
_CARRIERS: dict[str, Carry] = {}
_LOOKS: dict[str, Look] = {}


def register(action: str, carry: Carry, look: Look | None = None) -> None:
    """Say what approving a proposal of this kind does. It runs in the approval's own transaction.

    `look`: a cheaper way to say what it would do; without one, `preview` carries it out and undoes it.
    """
    if action not in TWO_OFFICERS:
        raise PeopleError(f"{action} does not take two officers")
    _CARRIERS[action] = carry
    if look is not None:
        _LOOKS[action] = look


def propose(actor: Actor, action: str, subject: str, payload: Mapping[str, Any], reason: str) -> Proposal:
    """The first officer's half. Nothing happens yet but the proposal itself."""
    require(actor, action)
    if action not in TWO_OFFICERS:
        raise PeopleError(f"{action} does not take two officers: do it directly")
    if actor.user_id is None:
        raise NotAllowedError("a proposal needs an officer with a name: say who you are with --as USER")
    second_person.refuse_program(actor)
    if not reason.strip():
        raise PeopleError("a proposal needs a reason")
    free_text.refuse(reason, "the reason for a proposal")
    refuse_private(payload)
    with writing():
        if Proposal.objects.filter(action=action, subject=subject, state=Proposal.WAITING).exists():
            about = readable.subject(subject)
            raise PeopleError(f"this has been proposed already and waits for a second officer: {about}")
        proposal = Proposal(action=action, subject=subject, payload=canonical(payload), reason=reason)
        proposal.proposed_by_id, proposal.proposed_at = actor.user_id, clock.stamp()
        proposal.save()
        details = {"action": action, "subject": subject, **second_person.at_console(actor)}
        record(actor.name, "proposal.make", f"proposal:{proposal.pk}", reason, details)
        _tell(proposal, None, "waits for a second officer", reason, actor)
    return proposal


def approve(actor: Actor, number: int) -> Mapping[str, Any]:
    """The second officer's half: carries the proposal out, both names in the log, all in one transaction."""
    with writing():
        proposal = _waiting(number)
        require(actor, proposal.action)
        _refuse_same_officer(actor, proposal)
        proposal.state, proposal.decided_at = Proposal.DONE, clock.stamp()
        proposal.decided_by_id = actor.user_id
        proposal.save()
        proposer = proposal.proposed_by.username
        details = {"action": proposal.action, "subject": proposal.subject, "proposed_by": proposer}
        about = f"proposal:{number}"
        record(actor.name, "proposal.approve", about, proposal.reason, {**details, **second_person.at_console(actor)})
        _tell(proposal, proposer, f"approved by {actor.name}", "", actor)
        return _carrier(proposal.action)(json.loads(proposal.payload), proposer, actor.name)


def may_approve(actor: Actor, number: int) -> str:
    """What it is about, if this person's approval would count: asked before a job carries it out."""
    with writing():
        proposal = _waiting(number)
        require(actor, proposal.action)
        _refuse_same_officer(actor, proposal)
        line = _line(proposal)
    return f"{line['words']}, {line['about']}"


def _refuse_same_officer(actor: Actor, proposal: Proposal) -> None:
    """Two people, each with a name, and the first still an officer."""
    if actor.user_id is None:
        raise NotAllowedError("an approval needs an officer with a name: say who you are with --as USER")
    if actor.user_id == proposal.proposed_by_id:
        raise NotAllowedError(f"proposal {proposal.id} needs another officer than the one who made it")
    second_person.refuse_program(actor)
    _refuse_former(proposal)


def refuse(actor: Actor, number: int, answer: str) -> None:
    """Another officer says no; or the proposer withdraws."""
    free_text.refuse(answer, "the answer")
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
        details = {"action": proposal.action, "subject": proposal.subject}
        record(actor.name, f"proposal.{'withdraw' if own else 'refuse'}", f"proposal:{number}", answer, details)
        _tell(proposal, None if own else proposal.proposed_by.username, proposal.state, answer, actor)


def waiting(actor: Actor) -> list[dict[str, Any]]:
    """What waits for a second officer, oldest first."""
    require(actor, "proposal.read")
    rows = Proposal.objects.select_related("proposed_by").filter(state=Proposal.WAITING).order_by("id")
    return [_line(row) for row in rows]


def decided(actor: Actor, count: int = 20) -> list[dict[str, Any]]:
    """The last ones that were approved, refused or withdrawn, newest first."""
    require(actor, "proposal.read")
    rows = Proposal.objects.select_related("proposed_by", "decided_by").exclude(state=Proposal.WAITING)
    return [_line(row) | _answer(row) for row in rows.order_by("-decided_at", "-id")[:count]]


def show(actor: Actor, number: int) -> dict[str, Any]:
    """One proposal with everything that approving it would carry out."""
    require(actor, "proposal.read")
    row = Proposal.objects.select_related("proposed_by", "decided_by").filter(pk=number).first()
    if row is None:
        raise PeopleError(f"there is no proposal {number}")
    own = actor.user_id == row.proposed_by_id
    return _line(row) | _answer(row) | {"payload": json.loads(row.payload), "own": own}


def preview(actor: Actor, number: int) -> Mapping[str, Any]:
    """What approving it would do today, computed on the ledger as it stands. Nothing is written."""
    require(actor, "proposal.read")
    with writing():
        row = _waiting(number)
        carry = _carrier(row.action)
        if look := _LOOKS.get(row.action):
            return look(json.loads(row.payload))
        done = carry(json.loads(row.payload), row.proposed_by.username, actor.name)
        transaction.set_rollback(True)
        return done


def _line(row: Proposal) -> dict[str, Any]:
    return {
        "number": row.pk,
        "action": row.action,
        "words": WORDS.get(row.action, row.action),
        "subject": row.subject,
        "about": readable.subject(row.subject),
        "by": row.proposed_by.username,
        "at": row.proposed_at,
        "reason": row.reason,
    }


def _answer(row: Proposal) -> dict[str, Any]:
    decided_by = row.decided_by.username if row.decided_by else ""
    return {"state": row.state, "decided_by": decided_by, "decided_at": row.decided_at, "answer": row.answer}


def _waiting(number: int) -> Proposal:
    proposal = Proposal.objects.select_for_update().filter(pk=number).first()
    if proposal is None:
        raise PeopleError(f"there is no proposal {number}")
    if proposal.state != Proposal.WAITING:
        raise PeopleError(f"proposal {number} is {proposal.state} already")
    return proposal


def _tell(proposal: Proposal, to: str | None, state: str, words: str, actor: Actor) -> None:
    """One officer, or all others, read what has become of it. Messages stand above people, so they are asked for by name."""
    messages = import_module("crosstable.office.notices.messages")
    line = _line(proposal)
    subject = f"{line['words']}, {line['about']}: {state}"
    deciders = messages.having(proposal.action)
    messages.send(to or deciders, subject, words, about=f"proposal:{proposal.pk}", by=actor.name)


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
