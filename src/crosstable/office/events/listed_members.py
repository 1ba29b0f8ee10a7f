"""The office's register as the checks ask a rating list: whose id stands beside which name."""

from __future__ import annotations

from collections.abc import Iterable

from crosstable.checks.members import transposed
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.model import Event
from crosstable.office.ledger.models import Player

_NOBODY = {"": ListedPlayer("")}


def members(event: Event | None) -> dict[str, ListedPlayer]:
    """The report's ids, and those with two digits changed places. A withheld name is not told."""
    ids = {player.id for section in event.sections for player in section.players if player.id} if event else set()
    if not ids or not Player.objects.exists():
        return {}
    known = _listed(ids)
    near = {other for one in ids - known.keys() if len(one) <= 12 for other in transposed(one)}
    return {**_NOBODY, **known, **_listed(near)}


def _listed(ids: Iterable[str]) -> dict[str, ListedPlayer]:
    rows = Player.objects.filter(number__in=list(ids)).values_list("number", "name", "withheld")
    return {number: ListedPlayer(number, "" if withheld else name) for number, name, withheld in rows}
