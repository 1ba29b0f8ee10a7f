"""A message to whoever sent an event in, with every decision on it."""

from __future__ import annotations

from crosstable.office.ledger.models import Event, Submission
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor

#: What each decision means to the director, where the officer adds no words
MEANS = {
    "accepted": "It is rated.",
    "corrected": "The office put another content in its place.",
    "withdrawn": "It no longer counts.",
    "refused": "It will not be rated as it is.",
}


def tell_author(actor: Actor, event: Event, decision: str, words: str = "") -> None:
    """Say to the author of the file what was decided on its event, in the decision's own transaction."""
    file = Submission.objects.filter(event=event, outcome="queued").only("id", "author").order_by("-id").first()
    if file is None or messages.user_name(file.author) == messages.user_name(actor.name):
        return  # it came with a history, or its own author decides
    said = f"{MEANS[decision]} {words}".strip()
    messages.send(file.author, f"{event.name}: {decision}", said, about=f"submission:{file.id}", by=actor.name)
