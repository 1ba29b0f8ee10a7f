"""A message to the sender of an event, with every decision on it."""

from __future__ import annotations

from crosstable.office.ledger import pending_sections, revisions
from crosstable.office.ledger.models import Event, Submission
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, user_name

#: What each decision means to the director, where the officer adds no words
MEANS = {
    "accepted": "It is rated.",
    "accepted in part": "It is rated in part.",
    "corrected": "The office replaced it with a corrected version.",
    "withdrawn": "It no longer counts.",
    "refused": "It will not be rated as it is.",
    "sent back": "It cannot be rated yet: fix it and send it again. The other sections go ahead.",
}


def tell_author(actor: Actor, event: Event, decision: str, words: str = "", part: str = "") -> None:
    """Say to the author of the file what was decided on its event, or on a part, in the decision's own transaction."""
    file = Submission.objects.filter(event=event, outcome="queued").only("id", "author").order_by("-id").first()
    if file is None or user_name(file.author) == actor.user:
        return  # it came with a history, or its own author decides
    waiting = f" Waiting: {_sections(event)}." if event.held and not part else ""
    said = f"{MEANS[decision]}{waiting} {words[:1].upper()}{words[1:]}".strip()
    messages.send(
        file.author, f"{event.name}: {f'{part} {decision}'.strip()}", said, about=f"submission:{file.id}", by=actor.name
    )


def _sections(event: Event) -> str:
    """Return the names of the sections that wait."""
    waiting = pending_sections.numbers(event)
    found = [one for one in revisions.document(id=event.id).sections if one.number in waiting]
    return ", ".join(one.name or f"section {one.number}" for one in found)
