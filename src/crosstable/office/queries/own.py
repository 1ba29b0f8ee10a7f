"""A user's own player: what the public sees of it, for the desk of that user."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import ratings
from crosstable.office.queries.ratings import InPool, Newest


@dataclass(frozen=True, slots=True)
class Own:
    person: Person
    pools: tuple[InPool, ...]
    list: Newest | None


def own(actor: Actor) -> Own | None:
    """Return the player that this user is, with official and live ratings; None before an officer has confirmed it."""
    row = own_player(actor)
    if row is None:
        return None
    newest = ratings.newest_list()
    official = ratings.official(newest, [row.number]).get(row.number, {})
    live = ratings.live([row.id]).get(row.id, {})
    return Own(people.of(row), ratings.pools(official, live), newest)
