"""Scores where results were corrected for the record only: the players' pages say what the crosstable says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crosstable.model import PLAYED_RESULTS, Section
from crosstable.office.ledger import models, revisions
from crosstable.office.ledger.for_the_record import NOTE, rated_result

#: Event, section and pairing number
Place = tuple[str, int, int]


def corrections(events: Iterable[str]) -> dict[Place, float]:
    """Return what such corrections add to the score of a rating row in these events, by the row's place."""
    kept = models.Revision.objects.filter(kind="recorded", event__number__in=set(events))
    return {
        (number, section.number, player): points
        for number in set(kept.values_list("event__number", flat=True))
        for section in revisions.document(number=number).sections
        for player, points in _of_section(section).items()
    }


def _of_section(section: Section) -> Mapping[int, float]:
    """Return the points by the lowest pairing number of each player, as rating rows have it (readings 21)."""
    first: dict[str, int] = {}
    for player in sorted(section.players, key=lambda one: one.number):
        first.setdefault(player.id or f"#{player.number}", player.number)
    row_of = {player.number: first[player.id or f"#{player.number}"] for player in section.players}
    added: dict[int, float] = {}
    for game in section.games:
        if NOTE not in game.notes:
            continue
        now, rated = (PLAYED_RESULTS.get(one, (0, 0)) for one in (game.result, rated_result(game)))
        for number, points in ((game.white, now[0] - rated[0]), (game.black, now[1] - rated[1])):
            row = row_of.get(number, number)
            added[row] = added.get(row, 0.0) + points / 2
    return added
