"""What the office knows about a player: for officers only, because it holds birth dates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from crosstable.office.ledger import models
from crosstable.office.ledger.merges import with_duplicates
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import dated_facts
from crosstable.office.players.register import DATED, PLAIN, RATED
from crosstable.office.rating.facts import facts
from crosstable.office.storage import clock


@dataclass(frozen=True, slots=True)
class PrivateRecord:
    """Everything that an officer may look up about a player."""

    number: str
    name: str
    merged: tuple[str, ...]  # ids that were merged into this one
    former_names: tuple[str, ...]
    facts: dict[str, Any]  # as they are today, by their names in `change`
    said: tuple[dict[str, Any], ...]  # what was said about dated facts, oldest first
    memberships: tuple[dict[str, Any], ...]
    foreign: tuple[dict[str, Any], ...]  # FIDE and CFC ratings by list, newest first

    @property
    def born(self) -> date | None:
        return self.facts["birth_date"]  # type: ignore[no-any-return]  # facts hold values of several types

    def as_json(self) -> dict[str, Any]:
        born = str(self.born) if self.born else None
        return {**asdict(self), "facts": {**self.facts, "birth_date": born}}


def private_record(actor: Actor, number: str) -> PrivateRecord:
    """The record of a player, under the id that is kept."""
    require(actor, "player.read_private")
    row = main_record(find(number))
    who = with_duplicates([row.id])
    today = facts([row.id])[row.id]
    known = {name: getattr(row, name) for name in (*PLAIN, *RATED)}
    flags = {name: today.on(name, clock.today()) for name in DATED}
    return PrivateRecord(
        number=row.number,
        name=row.name,
        merged=tuple(
            models.Player.objects.filter(id__in=who - {row.id}).order_by("number").values_list("number", flat=True)
        ),
        former_names=tuple(one.name for one in models.FormerName.objects.filter(player=row).order_by("until")),
        facts=known | flags,
        said=tuple(dated_facts.history(actor, row.number)),
        memberships=tuple(
            {"kind": one.kind, "since": one.since.isoformat(), "until": one.until.isoformat() if one.until else None}
            for one in models.Membership.objects.filter(player_id__in=who).order_by("since")
        ),
        foreign=tuple(
            {"kind": one.kind, "rating": one.rating, "date": one.date.isoformat()}
            for one in models.ExternalRating.objects.filter(player_id__in=who).order_by("-date", "kind")
        ),
    )
