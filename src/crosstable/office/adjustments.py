"""Adjustments: ratings, ceilings and life masters set by two officers, dated, with author and reason."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from crosstable.office import ratings
from crosstable.office.choices import OfficeError
from crosstable.office.database import writing
from crosstable.office.ledger import order
from crosstable.office.ledger.models import Adjustment
from crosstable.office.people import proposals
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.players import find, kept
from crosstable.office.rating import states
from crosstable.office.ratings import Rerated

ACTION = "rating.adjust"
#: What an adjustment may set, and of which kind it then is
SETTABLE: Mapping[str, str] = {
    "rating": Adjustment.RATING,
    "games": Adjustment.RATING,
    "ceiling": Adjustment.CEILING,
    "life_master": Adjustment.LIFE_MASTER,
    "prize_floor": Adjustment.PRIZE_FLOOR,
    "lowered_floor": Adjustment.LOWERED_FLOOR,
}


def adjust(
    actor: Actor,
    player: str,
    system: str,
    day: date,
    fields: Mapping[str, Any],
    reason: str,
    second: Actor | None = None,
    *,
    preview: bool = False,
) -> Rerated:
    """Set fields of a player's record from the beginning of a day on. It takes two officers; a preview takes one."""
    require(actor, "rating.preview" if preview else ACTION)
    if not preview:
        if second is None:
            raise NotAllowedError("an adjustment takes two officers: propose it, and let another officer approve it")
        require(second, ACTION)
        if second.name == actor.name:
            raise NotAllowedError("the second officer must be another one than the first")
    checked(player, system, day, fields, reason)
    return _carry_out(actor, player, system, day, fields, reason, second.name if second else "", preview=preview)


def propose(actor: Actor, player: str, system: str, day: date, fields: Mapping[str, Any], reason: str) -> Proposal:
    """The first officer's half; `people.proposals.approve` by another officer carries it out."""
    payload = {"player": player, "system": system, "date": day.isoformat(), "fields": dict(fields), "reason": reason}
    with writing():  # the look and the proposal in one transaction: nobody changes the ledger in between
        checked(player, system, day, fields, reason)
        return proposals.propose(actor, ACTION, f"player:{player}:{system}:{day}", payload, reason)


def approved(payload: Mapping[str, Any], proposed_by: str, approved_by: str) -> Mapping[str, Any]:
    """What approving does; called in the approval's transaction."""
    day = date.fromisoformat(payload["date"])
    done = _carry_out(
        Actor(proposed_by), payload["player"], payload["system"], day, payload["fields"], payload["reason"], approved_by,
        preview=False,
    )  # fmt: skip
    return done.as_json()


def checked(player: str, system: str, day: date, fields: Mapping[str, Any], reason: str) -> None:
    """Or OfficeError with what is wrong."""
    if not reason.strip():
        raise OfficeError("an adjustment needs a reason")
    if not fields:
        raise OfficeError(f"nothing to adjust: set one of {', '.join(SETTABLE)}")
    if unknown := set(fields) - set(SETTABLE):
        raise OfficeError(f"cannot adjust {', '.join(sorted(unknown))}: there are {', '.join(SETTABLE)}")
    row = kept(find(player))
    if "rating" not in fields and system not in states.before(order.day_of(day), [row.id]).get(row.id, {}):
        raise OfficeError(f"player {player} has no {system} rating before {day}")
    if "rating" in fields and "games" not in fields:
        held = states.before(order.day_of(day), [row.id]).get(row.id, {})
        if system not in held:
            raise OfficeError(f"player {player} has no {system} rating before {day}: say the number of games too")


def _carry_out(
    actor: Actor,
    player: str,
    system: str,
    day: date,
    fields: Mapping[str, Any],
    reason: str,
    second: str,
    *,
    preview: bool,
) -> Rerated:
    with writing():
        kinds = sorted({SETTABLE[name] for name in fields})
        Adjustment.objects.create(
            player=kept(find(player)), system=system, kind=kinds[0], date=day, position=order.day_of(day),
            fields=dict(fields), author=actor.name, second=second, reason=reason,
        )  # fmt: skip
        details = {"system": system, "date": day.isoformat(), "set": dict(fields), "second": second}
        position = order.day_of(day)
        return ratings.follow(actor, position, ACTION, f"player:{player}", reason, details, preview=preview)


proposals.register(ACTION, approved)
