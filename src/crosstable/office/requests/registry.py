"""All kinds of requests, and the functions that every page, command and job decides them with.

A new kind is a `Kind` in a module of its own (a `TwoOfficers` where two officers decide) and a line in `KINDS`.
A request is named by its key: "correction:7", "request:12", "floor:3", "proposal:5".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import lifecycle, two_officers
from crosstable.office.requests.adjustments import ADJUSTMENT
from crosstable.office.requests.claims import CLAIM
from crosstable.office.requests.corrections import CORRECTION
from crosstable.office.requests.floors import FLOOR
from crosstable.office.requests.lifecycle import Decision, Kind
from crosstable.office.requests.list_publication import PUBLICATION
from crosstable.office.requests.mistakes import MISTAKE
from crosstable.office.requests.models import Proposal, Request
from crosstable.office.requests.opting_out import OPT_OUT
from crosstable.office.requests.rights import RIGHTS

#: (first part of the key, kind within the table) → what is particular to it
KINDS: Mapping[tuple[str, str], Kind[Any]] = {
    ("correction", ""): CORRECTION,
    ("floor", ""): FLOOR,
    ("request", Request.CLAIM): CLAIM,
    ("request", Request.MISTAKE): MISTAKE,
    **{("proposal", kind.decide_right): kind for kind in (PUBLICATION, ADJUSTMENT, OPT_OUT, RIGHTS)},
}


def kind_of(key: str) -> tuple[Kind[Any], int]:
    """Return the kind of the request with this key, and its number."""
    prefix, _, text = key.partition(":")
    number = int(text) if text.isdecimal() and len(text) < 16 else 0
    within: str | None = ""
    if prefix == "request":
        within = Request.objects.filter(pk=number).values_list("kind", flat=True).first()
    elif prefix == "proposal":
        within = Proposal.objects.filter(pk=number).values_list("action", flat=True).first()
    kind = KINDS.get((prefix, within)) if within is not None else None
    if kind is None:
        raise OfficeError(f"there is no {prefix} {text}")
    return kind, number


def decide(actor: Actor, key: str, *, granted: bool, words: str = "") -> Decision[Any]:
    """Grant and carry out, or refuse, the request with this key."""
    return lifecycle.decide(actor, *kind_of(key), granted=granted, words=words)


def preview(actor: Actor, key: str) -> Any:
    """Return what granting the request with this key would do today. Nothing is written."""
    return lifecycle.preview(actor, *kind_of(key))


def take_back(actor: Actor, key: str, words: str = "") -> None:
    """End a request of one's own."""
    lifecycle.take_back(actor, *kind_of(key), words)


def approve(actor: Actor, proposal: int) -> Mapping[str, Any]:
    """Make the second officer's half: carry a proposal out. Both names are in the log, all in one transaction."""
    done: Mapping[str, Any] = decide(actor, f"proposal:{proposal}", granted=True).outcome
    return done


def may_approve(actor: Actor, proposal: int) -> str:
    """Return what it is about, if this person's approval would count: asked before a job carries it out."""
    kind, _ = kind_of(f"proposal:{proposal}")
    require(actor, kind.decide_right)
    row = lifecycle.waiting(actor, kind, proposal)
    kind.check(actor, row, granted=True)
    return two_officers.in_words(row)
