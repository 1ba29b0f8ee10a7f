"""What one officer proposes and another approves, never the same person: lists, adjustments, opting out, rights."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import canonical, refuse_private
from crosstable.office.ledger import free_text
from crosstable.office.notices import messages
from crosstable.office.people import readable, seals, second_person
from crosstable.office.people.rights import TWO_OFFICERS, Actor, NotAllowedError, require
from crosstable.office.people.users import PeopleError, acting_as
from crosstable.office.requests import lifecycle
from crosstable.office.requests.lifecycle import Kind, Step
from crosstable.office.requests.models import Proposal
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: Carries a proposal out, in the approval's own transaction: payload, who proposed, who approved → what the approver
#: reads
CarryOut = Callable[[Mapping[str, Any], str, str], Mapping[str, Any]]
#: Says what carrying it out would do
Outlook = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class TwoOfficers(Kind[Proposal]):
    """A kind of proposal: the right that both officers need, and what approving it does.

    Without an `outlook`, a preview carries it out and undoes it.
    """

    prefix = noun = "proposal"
    preview_right = "proposal.read"
    author_withdraws = True

    def __init__(self, action: str, do: CarryOut, outlook: Outlook | None = None) -> None:
        if action not in TWO_OFFICERS:
            raise PeopleError(f"{action} does not take two officers: do it directly")
        self.ask_right = self.decide_right = action
        self.do, self.outlook = do, outlook

    def visible(self, actor: Actor) -> QuerySet[Proposal]:
        """Return all proposals of this kind: officers and administrators see every one."""
        return visible(actor).filter(action=self.decide_right)

    def author(self, row: Proposal) -> str:
        return row.proposed_by.username

    def asked(self, actor: Actor, row: Proposal, words: str) -> Step:
        details = {**_what(row), **second_person.at_console(actor), **sealed(row)}
        return self._step(row, "make", details, words, state="waits for a second officer", to=self._deciders())

    def decided(self, actor: Actor, row: Proposal) -> Step:
        to = [self.author(row)]
        if row.state == Proposal.GRANTED:
            details = {**_what(row), "proposed_by": self.author(row), **second_person.at_console(actor)}
            return self._step(row, "approve", details, state=f"approved by {actor.name}", to=to)
        return self._step(row, "refuse", _what(row), row.answer, state="refused", to=to)

    def taken_back(self, row: Proposal) -> Step:
        return self._step(row, "withdraw", _what(row), row.answer, state="withdrawn", to=self._deciders())

    def check(self, actor: Actor, row: Proposal, *, granted: bool) -> None:
        """Raise unless these are two people, each with a name, and the first is still an officer."""
        if not granted:
            return
        if actor.user_id is None:
            raise NotAllowedError("an approval needs an officer with a name: say who you are with --as USER")
        if actor.user_id == row.proposed_by_id:
            raise NotAllowedError(f"proposal {row.pk} needs another officer than the one who made it")
        second_person.refuse_program(actor)
        self._refuse_former(row)

    def carry_out(self, actor: Actor, row: Proposal) -> Mapping[str, Any]:
        return self.do(json.loads(row.payload), self.author(row), actor.name)

    def preview(self, actor: Actor, row: Proposal) -> Mapping[str, Any]:
        if self.outlook is not None:
            return self.outlook(json.loads(row.payload))
        found: Mapping[str, Any] = super().preview(actor, row)
        return found

    def _deciders(self) -> list[str]:
        return messages.having(self.decide_right)

    def _step(
        self, row: Proposal, act: str, details: Mapping[str, Any], words: str = "", *, state: str, to: list[str]
    ) -> Step:
        return Step(
            action=f"proposal.{act}",
            target=f"proposal:{row.pk}",
            reason=words or row.reason,
            details=details,
            to=to,
            subject=f"{in_words(row)}: {state}",
            words=words,
        )

    def _refuse_former(self, row: Proposal) -> None:
        """Raise if the proposer has lost the right meanwhile: both halves are an officer's on the day of approval."""
        name = self.author(row)
        try:
            require(acting_as(name), self.decide_right)
        except NotAllowedError as former:
            words = f"proposal {row.pk} was made by {name}, who may no longer make it"
            raise NotAllowedError(f"{words}: refuse it, and propose it again ({former})") from former


#: What each right proposes, for the pages; `registry` has the kinds themselves
TITLES = {
    "list.publish": "Publish a list",
    "rating.adjust": "Adjust a rating",
    "fide.opt_out": "Opt out of FIDE events",
    "user.rights": "Confirm rights",
}


def propose(actor: Actor, kind: TwoOfficers, subject: str, payload: Mapping[str, Any], reason: str) -> Proposal:
    """Make the first officer's half. Nothing happens yet but the proposal itself."""
    require(actor, kind.ask_right)
    if actor.user_id is None:
        raise NotAllowedError("a proposal needs an officer with a name: say who you are with --as USER")
    second_person.refuse_program(actor)
    if not reason.strip():
        raise PeopleError("a proposal needs a reason")
    free_text.refuse(reason, "the reason for a proposal")
    refuse_private(payload)
    with writing():
        if kind.visible(actor).filter(subject=subject, state=Proposal.WAITING).exists():
            about = readable.subject(subject)
            raise PeopleError(f"this has been proposed already and waits for a second officer: {about}")
        row = Proposal(action=kind.ask_right, subject=subject, payload=canonical(payload), reason=reason)
        row.proposed_by_id, row.proposed_at = actor.user_id, clock.stamp()
        return lifecycle.ask(actor, kind, row, reason)


def visible(actor: Actor) -> QuerySet[Proposal]:
    """Return the proposals that this person may see."""
    if not (actor.may("proposal.read") or any(actor.may(right) for right in TWO_OFFICERS)):
        require(actor, "proposal.read")
    return Proposal.objects.select_related("proposed_by", "decided_by")


def waiting(actor: Actor) -> list[dict[str, Any]]:
    """Return what waits for a second officer, oldest first."""
    require(actor, "proposal.read")
    return [summary(row) for row in visible(actor).filter(state=Proposal.WAITING).order_by("id")]


def decided(actor: Actor, count: int = 20) -> list[dict[str, Any]]:
    """Return the last ones that were approved, refused or withdrawn, newest first."""
    require(actor, "proposal.read")
    rows = visible(actor).exclude(state=Proposal.WAITING).order_by("-decided_at", "-id")
    return [summary(row) | _answer(row) for row in rows[:count]]


def show(actor: Actor, number: int) -> dict[str, Any]:
    """Return one proposal with everything that approving it would carry out."""
    require(actor, "proposal.read")
    row = visible(actor).filter(pk=number).first()
    if row is None:
        raise OfficeError(f"there is no proposal {number}")
    own = actor.user_id == row.proposed_by_id
    return summary(row) | _answer(row) | {"payload": json.loads(row.payload), "own": own}


def summary(row: Proposal) -> dict[str, Any]:
    """Return a proposal as lists of proposals show it."""
    return {
        "number": row.pk,
        "action": row.action,
        "words": TITLES.get(row.action, row.action),
        "subject": row.subject,
        "about": readable.subject(row.subject),
        "by": row.proposed_by.username,
        "at": row.proposed_at,
        "reason": row.reason,
    }


def in_words(row: Proposal) -> str:
    """Return what a proposal is about, such as "Publish a list, list of 1 March 2026"."""
    return f"{TITLES.get(row.action, row.action)}, {readable.subject(row.subject)}"


def sealed(row: Proposal) -> dict[str, str]:
    """Return the seal of what was proposed: what approving it carries out."""
    return seals.seal(row.action, row.subject, row.payload, row.reason, row.proposed_by_id)


def _what(row: Proposal) -> dict[str, Any]:
    return {"action": row.action, "subject": row.subject}


def _answer(row: Proposal) -> dict[str, Any]:
    decided_by = row.decided_by.username if row.decided_by else ""
    return {"state": row.state, "decided_by": decided_by, "decided_at": row.decided_at, "answer": row.answer}
