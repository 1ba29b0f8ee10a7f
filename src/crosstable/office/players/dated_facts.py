"""Facts that hold from a day on (readings 25): a change never touches an earlier event, and what was true before is kept."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import DatedFact
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people import proposals
from crosstable.office.people.models import Proposal
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.facts import facts
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage.database import writing

OPT_OUT = "fide.opt_out"


def write(player: int, given: Mapping[str, bool], since: date, author: str, reason: str, second: str = "") -> list[str]:
    """The facts that are others than before, from a day on; their names."""
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
    """What was said about a player's facts, oldest first; what holds from the beginning has no day."""
    require(actor, "player.read_private")
    row = main_record(find(number))
    begun: list[dict[str, Any]] = [
        {"fact": name, "value": True, "since": None, "by": "", "second": "", "reason": ""}
        for name in DatedFact.NAMES
        if getattr(row, name)
    ]
    return begun + [
        {
            "fact": one.name, "value": one.value, "since": str(one.since), "by": one.author, "second": one.second,
            "reason": one.reason,
        }
        for one in DatedFact.objects.filter(player=row).order_by("since", "id")
    ]  # fmt: skip


def propose_opting_out(actor: Actor, number: str, since: date, reason: str) -> Proposal:
    """2025 §6: who has opted in leaves only with consent; the second officer stands for the Executive Director."""
    require(actor, OPT_OUT)
    input_checks.refuse([*input_checks.reasons(reason, "opting out"), *input_checks.fact_day(since)])
    with writing():
        _refuse_outsiders(number, since)
        payload = {"player": number, "since": since.isoformat(), "reason": reason}
        return proposals.propose(actor, OPT_OUT, f"player:{number}:fide_opt_out", payload, reason)


def _refuse_outsiders(number: str, since: date) -> None:
    if not opted_in(main_record(find(number)), since):
        raise OfficeError(f"player {number} has not opted in on {since}: there is nothing to opt out of")


def _opt_out(payload: Mapping[str, Any], first: str, second: str) -> Mapping[str, Any]:
    """In the approval's transaction."""
    number, since, reason = payload["player"], date.fromisoformat(payload["since"]), payload["reason"]
    _refuse_outsiders(number, since)
    who = main_record(find(number)).id
    write(who, {"fide_opt_in": False}, since, first, reason, second)
    details = {"from": since.isoformat(), "second": second}
    act = Act(Actor(first), OPT_OUT, f"player:{number}", reason, details)
    done: Rerated = rate_from(act, order.day_of(since), players=[who])
    return done.as_json()


proposals.register(OPT_OUT, _opt_out)
