"""Opting out of foreign FIDE events (2025 §6): one officer proposes it, another approves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, order
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import dated_facts
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.requests import two_officers
from crosstable.office.requests.models import Proposal
from crosstable.office.requests.two_officers import TwoOfficers
from crosstable.office.storage.database import writing

ACTION = "fide.opt_out"


def propose(actor: Actor, number: str, since: date, reason: str) -> Proposal:
    """2025 §6: who has opted in leaves only with consent; the second officer stands for the Executive Director."""
    require(actor, ACTION)
    input_checks.refuse([*input_checks.reasons(reason, "opting out"), *input_checks.fact_day(since)])
    with writing():
        _refuse_outsiders(number, since)
        payload = {"player": number, "since": since.isoformat(), "reason": reason}
        return two_officers.propose(actor, OPT_OUT, f"player:{number}:fide_opt_out", payload, reason)


def _refuse_outsiders(number: str, since: date) -> None:
    if not dated_facts.opted_in(main_record(find(number)), since):
        raise OfficeError(f"player {number} has not opted in on {since}: there is nothing to opt out of")


def _approved(payload: Mapping[str, Any], first: str, second: str) -> Mapping[str, Any]:
    """Opt the player out, in the approval's transaction."""
    number, since, reason = payload["player"], date.fromisoformat(payload["since"]), payload["reason"]
    _refuse_outsiders(number, since)
    who = main_record(find(number)).id
    dated_facts.write(who, {"fide_opt_in": False}, since, author=first, reason=reason, second=second)
    details = {"from": since.isoformat(), "second": second}
    act = Act(Actor(first), ACTION, f"player:{number}", reason, details)
    done: Rerated = rate_from(act, order.day_of(since), players=[who])
    return done.as_json()


OPT_OUT = TwoOfficers(ACTION, _approved)
