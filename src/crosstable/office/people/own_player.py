"""The player that a user is, once an officer has confirmed it."""

from __future__ import annotations

from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import main_record
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor


def own_player(actor: Actor) -> Player | None:
    """Return the ledger's record of this user, if the office has confirmed it."""
    if actor.user_id is None:
        return None
    number = Person.objects.filter(user_id=actor.user_id).values_list("player_id", flat=True).first()
    row = Player.objects.filter(number=number).first() if number else None
    return None if row is None else main_record(row)


def users_of(player: Player) -> list[str]:
    """Return the active users who are this player, under any of the person's ids."""
    numbers, new = set[str](), {player.id}
    while new:
        numbers |= set(Player.objects.filter(id__in=new).values_list("number", flat=True))
        new = set(Player.objects.filter(merged_into__in=new).values_list("id", flat=True))
    found = Person.objects.filter(player_id__in=numbers, user__is_active=True)
    return sorted(found.values_list("user__username", flat=True))
