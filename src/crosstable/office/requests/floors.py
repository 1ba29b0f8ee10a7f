"""A player's own floor requests: each lost match below a floor has opened one (see decisions.floors)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from crosstable.office.ledger.merges import with_duplicates
from crosstable.office.ledger.models import Event, FloorRequest
from crosstable.office.notices.models import Message
from crosstable.office.people.own_player import own_player
from crosstable.office.people.rights import Actor, require

STATES = {
    FloorRequest.ASKED: "open",
    FloorRequest.GRANTED: "granted",
    FloorRequest.REFUSED: "refused",
}


@dataclass(frozen=True, slots=True)
class OwnFloor:
    """A match that ended below a floor, what may be asked for, and what the office said."""

    number: int
    event: str
    event_name: str
    section: int
    pool: str
    floor: float
    wanted: float
    status: str
    asked: bool  # the player has written why
    answer: str
    decided_at: datetime | None

    @property
    def state_words(self) -> str:
        if self.status == FloorRequest.ASKED:
            return "waits for an officer" if self.asked else "you may ask for it"
        return STATES[self.status]

    @property
    def may_ask(self) -> bool:
        return self.status == FloorRequest.REFUSED or (self.status == FloorRequest.ASKED and not self.asked)


def own(actor: Actor) -> list[OwnFloor]:
    """The floor requests of the player that this user is, newest first; of each match the last."""
    require(actor, "floor.request")
    player = own_player(actor)
    if player is None:
        return []
    found = FloorRequest.objects.filter(player__in=with_duplicates([player.id]), status__in=STATES).order_by("id")
    rows = list({(row.event_number, row.section_number, row.pool): row for row in found}.values())[::-1]
    names = dict(Event.objects.filter(number__in={row.event_number for row in rows}).values_list("number", "name"))
    written = set(Message.objects.filter(about__in=[_about(row) for row in rows]).values_list("about", flat=True))
    return [
        OwnFloor(
            number=row.id, event=row.event_number, event_name=names.get(row.event_number, row.event_number),
            section=row.section_number, pool=row.pool, floor=row.floor, wanted=row.wanted, status=row.status,
            asked=_about(row) in written, answer=row.reason, decided_at=row.decided_at,
        )
        for row in rows
    ]  # fmt: skip


def _about(row: FloorRequest) -> str:
    return f"floor:{row.id}"
