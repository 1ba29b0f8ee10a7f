"""Four eyes: an officer does not decide on what the officer has sent in or asked for.

An office with one officer can switch it off; the administrator's page then shows it as a weakness. It does not hold at
the server's own shell, where the operator can act under any name.
"""

from __future__ import annotations

from crosstable.office.ledger.office_settings import office
from crosstable.office.people.rights import Actor, NotAllowedError, user_name


def refuse_own(actor: Actor, author: str, what: str) -> None:
    """Raise if the actor is the author of what is decided. `what`: "event 2026-open", "this claim"."""
    if is_own(actor, author):
        raise NotAllowedError(
            f"{actor.user} sent in {what}: another officer must decide on it. "
            "An office with one officer can allow it under Installation."
        )


def is_own(actor: Actor, author: str) -> bool:
    """Whether another officer has to decide on what this author sent in."""
    person = actor.user_id is not None and not actor.console
    return person and user_name(author) == actor.user and office().four_eyes
