"""The first half of a two-officer decision: one officer proposes, and nothing happens yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crosstable.office.audit.log import canonical, record, refuse_private
from crosstable.office.ledger import free_text
from crosstable.office.notices import messages
from crosstable.office.people import readable, second_person
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import TWO_OFFICERS, Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: What is proposed, in words
WORDS = {
    "list.publish": "Publish a list",
    "rating.adjust": "Adjust a rating",
    "fide.opt_out": "Opt out of FIDE events",
    "user.rights": "Confirm rights",
}


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
        notify(proposal, None, "waits for a second officer", reason, actor)
    return proposal


def summary(row: Proposal) -> dict[str, Any]:
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


def notify(proposal: Proposal, to: str | None, state: str, words: str, actor: Actor) -> None:
    """Tell one officer, or all others, what has become of a proposal."""
    line = summary(proposal)
    subject = f"{line['words']}, {line['about']}: {state}"
    deciders = messages.having(proposal.action)
    messages.send(to or deciders, subject, words, about=f"proposal:{proposal.pk}", by=actor.name)
