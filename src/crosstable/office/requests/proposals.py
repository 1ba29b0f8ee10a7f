"""Two officers: what one proposes, another approves, and never the same person."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text
from crosstable.office.lists import publish
from crosstable.office.people import second_person
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError, acting_as
from crosstable.office.requests import adjustments, list_publication, opting_out, proposing, rights
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing


@dataclass(frozen=True, slots=True)
class Handler:
    """What approving a proposal of one kind does."""

    #: Carries it out, in the approval's own transaction: payload, who proposed, who approved → what the approver reads
    carry_out: Callable[[Mapping[str, Any], str, str], Mapping[str, Any]]
    #: Says what carrying it out would do. Without it, a preview carries it out and undoes it.
    outlook: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None


#: A new kind of proposal goes here, and its words into `proposing.WORDS`
HANDLERS: dict[str, Handler] = {
    list_publication.ACTION: Handler(publish.publish, publish.outlook),
    adjustments.ACTION: Handler(adjustments.approved),
    opting_out.ACTION: Handler(opting_out.opt_out),
    rights.ACTION: Handler(rights.confirmed, lambda _: {}),
}


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
        proposing.notify(proposal, proposer, f"approved by {actor.name}", "", actor)
        return HANDLERS[proposal.action].carry_out(json.loads(proposal.payload), proposer, actor.name)


def may_approve(actor: Actor, number: int) -> str:
    """What it is about, if this person's approval would count: asked before a job carries it out."""
    with writing():
        proposal = _waiting(number)
        require(actor, proposal.action)
        _refuse_same_officer(actor, proposal)
        line = proposing.summary(proposal)
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
        proposing.notify(proposal, None if own else proposal.proposed_by.username, proposal.state, answer, actor)


def waiting(actor: Actor) -> list[dict[str, Any]]:
    """What waits for a second officer, oldest first."""
    require(actor, "proposal.read")
    rows = Proposal.objects.select_related("proposed_by").filter(state=Proposal.WAITING).order_by("id")
    return [proposing.summary(row) for row in rows]


def decided(actor: Actor, count: int = 20) -> list[dict[str, Any]]:
    """The last ones that were approved, refused or withdrawn, newest first."""
    require(actor, "proposal.read")
    rows = Proposal.objects.select_related("proposed_by", "decided_by").exclude(state=Proposal.WAITING)
    return [proposing.summary(row) | _answer(row) for row in rows.order_by("-decided_at", "-id")[:count]]


def show(actor: Actor, number: int) -> dict[str, Any]:
    """One proposal with everything that approving it would carry out."""
    require(actor, "proposal.read")
    row = Proposal.objects.select_related("proposed_by", "decided_by").filter(pk=number).first()
    if row is None:
        raise PeopleError(f"there is no proposal {number}")
    own = actor.user_id == row.proposed_by_id
    return proposing.summary(row) | _answer(row) | {"payload": json.loads(row.payload), "own": own}


def preview(actor: Actor, number: int) -> Mapping[str, Any]:
    """What approving it would do today, computed on the ledger as it stands. Nothing is written."""
    require(actor, "proposal.read")
    with writing():
        row = _waiting(number)
        handler, payload = HANDLERS[row.action], json.loads(row.payload)
        if handler.outlook is not None:
            return handler.outlook(payload)
        done = handler.carry_out(payload, row.proposed_by.username, actor.name)
        transaction.set_rollback(True)
        return done


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


def _refuse_former(proposal: Proposal) -> None:
    """Both halves are an officer's on the day of the approval: who was dismissed meanwhile no longer counts as one."""
    name = proposal.proposed_by.username
    try:
        require(acting_as(name), proposal.action)
    except NotAllowedError as former:
        words = f"proposal {proposal.pk} was made by {name}, who may no longer make it"
        raise NotAllowedError(f"{words}: refuse it, and propose it anew ({former})") from former
