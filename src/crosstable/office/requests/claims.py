"""A user says which player the user is; an officer confirms it or not."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import input_checks
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import find, main_record
from crosstable.office.notices import messages
from crosstable.office.people.models import Person
from crosstable.office.people.own_player import own_player, users_of
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import lifecycle
from crosstable.office.requests.models import Request
from crosstable.office.storage.database import writing


def claim(actor: Actor, player: str, words: str) -> Request:
    """Ask to be taken for a player: the words say how the office can tell."""
    require(actor, "request.make")
    lifecycle.refuse_words(words, "a claim")
    with writing():
        lifecycle.refuse_flood(actor)
        who = main_record(find(player.strip()))
        _refuse_second(actor)
        row = Request(kind=Request.CLAIM, user_id=actor.user_id, player=who.number, words=words.strip())
        row.save()
        subject = f"{actor.user} claims to be player {who.number}"
        messages.send(messages.officers(), subject, row.words, about=lifecycle.about(row), by=actor.name)
        record(actor.name, "request.claim", f"player:{who.number}", "", {"request": row.id})
    return row


def decide(actor: Actor, number: int, confirmed: bool, words: str = "") -> Request:
    """Confirm a claim, and the account is that player's; or refuse it, with the reason."""
    require(actor, "request.decide")
    input_checks.refuse(input_checks.reasons(words, "a refusal", optional=confirmed))
    with writing():
        row = lifecycle.waiting(actor, number, Request.CLAIM)
        who = main_record(find(row.player))
        if confirmed:
            _refuse_taken(who)
            Person.objects.filter(user_id=row.user_id).update(player_id=who.number)
        answer = "confirmed" if confirmed else "refused"
        lifecycle.decide(actor, row, confirmed, words, f"Your claim to be player {who.number}: {answer}")
    return row


def _refuse_second(actor: Actor) -> None:
    """An account is one player's, and asks once. Whether another account has the player is for the officer to know."""
    own = own_player(actor)
    if own is not None:
        raise OfficeError(f"your account is player {own.number}'s already: write to the office if that is wrong")
    if Request.objects.filter(user_id=actor.user_id, kind=Request.CLAIM, state=Request.WAITING).exists():
        raise OfficeError("a claim of yours waits already: take it back first")


def _refuse_taken(who: Player) -> None:
    if taken := users_of(who):
        raise OfficeError(f"player {who.number} has an account already: {', '.join(taken)}")
