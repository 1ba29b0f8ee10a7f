"""Follow players and events. Only the follower sees whom they follow; the log does not record it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.players import find, main_record
from crosstable.office.notices.models import Follow
from crosstable.office.people.rights import Actor, require
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

PLAYER, EVENT = "player", "event"
#: So many players and events one person can follow
MOST = 200


def target(kind: str, number: str) -> Player | Event:
    """Return what can be followed: a player's record, or an event that everybody can see."""
    if kind == PLAYER:
        return main_record(find(number))
    public = Event.objects.filter(number=number, status__in=(Event.ACCEPTED, Event.WITHDRAWN))
    return first_or(public if kind == EVENT else public.none(), OfficeError(f"there is no event {number!r}"))


def follows(actor: Actor, kind: str, number: str) -> bool:
    """Return whether this person follows a player or an event already."""
    return Follow.objects.filter(user_id=actor.user_id, **{kind: target(kind, number)}).exists()


def follow(actor: Actor, kind: str, number: str) -> None:
    """Follow a player or an event; twice is once."""
    require(actor, "notice.read")
    if actor.user_id is None:
        raise OfficeError("only a user can follow players and events")
    with writing():
        chosen: dict[str, Any] = {kind: target(kind, number)}
        if Follow.objects.filter(user_id=actor.user_id).count() >= MOST and not follows(actor, kind, number):
            raise OfficeError(f"you follow {MOST} players and events already, which is the most: stop following one")
        Follow.objects.get_or_create(user_id=actor.user_id, **chosen)


def stop(actor: Actor, kind: str, number: str) -> None:
    """Stop following, also under the number of a record that was merged since."""
    require(actor, "notice.read")
    with writing():
        numbers = {number, target(kind, number).number}
        Follow.objects.filter(user_id=actor.user_id, **{f"{kind}__number__in": numbers}).delete()


def own(actor: Actor) -> tuple[list[Player], list[Event]]:
    """Return the players and events that this person follows."""
    require(actor, "notice.read")
    rows = list(Follow.objects.filter(user_id=actor.user_id).select_related("player", "event").order_by("id"))
    players = {one.player.id: one.player for one in rows if one.player}
    return list(players.values()), [one.event for one in rows if one.event]


def followers(actor: Actor) -> tuple[dict[int, set[str]], dict[int, set[str]]]:
    """Return the users who follow each player, and each event, by their rows; the person who acts is left out."""
    rows = Follow.objects.filter(user__is_active=True).exclude(user__username=actor.user)
    found = list(rows.values_list("player_id", "event_id", "user__username"))
    return _grouped((one, user) for one, _, user in found), _grouped((one, user) for _, one, user in found)


def _grouped(pairs: Iterable[tuple[int | None, str]]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = {}
    for one, user in pairs:
        if one is not None:
            found.setdefault(one, set()).add(user)
    return found
