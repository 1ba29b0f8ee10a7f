"""Facts that hold from a day on (readings 25): a change never touches an earlier event, and what was true before is
kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from crosstable.office.ledger import models
from crosstable.office.ledger.models import DatedFact
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.facts import facts


def write(player: int, given: Mapping[str, bool], since: date, author: str, reason: str, second: str = "") -> list[str]:
    """Write the facts that differ from before, from a day on; return their names."""
    known = facts([player])[player]
    changed = sorted(name for name, value in given.items() if known.on(name, since) != value)
    DatedFact.objects.bulk_create(
        DatedFact(
            player_id=player, name=name, value=given[name], since=since, author=author, reason=reason, second=second
        )
        for name in changed
    )
    return changed


def opted_in(row: models.Player, day: date) -> bool:
    return facts([row.id])[row.id].on("fide_opt_in", day)


def history(actor: Actor, number: str) -> list[dict[str, Any]]:
    """Return what was said about a player's facts, oldest first; what holds from the beginning has no day."""
    require(actor, "player.read_private")
    row = main_record(find(number))
    begun: list[dict[str, Any]] = [
        {"fact": name, "value": True, "since": None, "by": "", "second": "", "reason": ""}
        for name in DatedFact.NAMES
        if getattr(row, name)
    ]
    return begun + [
        {
            "fact": one.name,
            "value": one.value,
            "since": str(one.since),
            "by": one.author,
            "second": one.second,
            "reason": one.reason,
        }
        for one in DatedFact.objects.filter(player=row).order_by("since", "id")
    ]
