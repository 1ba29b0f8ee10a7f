"""A user says which player the user is; an officer confirms it or refuses."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import find, main_record
from crosstable.office.notices import messages
from crosstable.office.people import users
from crosstable.office.people.own_player import own_player, users_of
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import lifecycle
from crosstable.office.requests.lifecycle import Step
from crosstable.office.requests.models import Request
from crosstable.office.requests.player_requests import STATES, PlayerRequest, refuse_flood
from crosstable.office.storage.database import writing


class Claim(PlayerRequest):
    """Confirmed, the account is the player's."""

    kind = Request.CLAIM

    def asked(self, actor: Actor, row: Request, words: str) -> Step:
        return Step(
            action="request.claim",
            target=f"player:{row.player}",
            details={"request": row.id},
            to=messages.officers(),
            subject=f"{actor.user} claims to be player {row.player}",
            words=words,
        )

    def check(self, actor: Actor, row: Request, *, granted: bool) -> None:
        who = main_record(find(row.player))
        if granted and (taken := users_of(who)):
            raise OfficeError(f"player {who.number} has an account already: {', '.join(taken)}")

    def carry_out(self, actor: Actor, row: Request) -> None:
        if row.user_id is not None:  # a visitor opens an account by the private link (`visitors.open_account`)
            users.set_player(actor, row.author_name, _player(row).number)

    def answer_subject(self, row: Request) -> str:
        return f"Your claim to be player {_player(row).number}: {STATES[self.kind][row.state]}"


CLAIM = Claim()


def claim(actor: Actor, player: str, words: str) -> Request:
    """Ask to be taken for a player: the words say how the office can tell."""
    require(actor, "request.make")
    lifecycle.refuse_words(words, "a claim")
    with writing():
        refuse_flood(actor)
        who = main_record(find(player.strip()))
        _refuse_second(actor)
        row = Request(kind=Request.CLAIM, user_id=actor.user_id, player=who.number, words=words.strip())
        return lifecycle.ask(actor, CLAIM, row, row.words)


def _player(row: Request) -> Player:
    return main_record(find(row.player))


def _refuse_second(actor: Actor) -> None:
    """Raise if the account is a player's already or has asked. Whether the player has another account is not told."""
    own = own_player(actor)
    if own is not None:
        raise OfficeError(f"your account is player {own.number}'s already: write to the office if that is wrong")
    if Request.objects.filter(user_id=actor.user_id, kind=Request.CLAIM, state=Request.WAITING).exists():
        raise OfficeError("you already have an open claim: take it back first")
