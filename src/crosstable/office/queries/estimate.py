"""The estimator with the players of an office: by their ids, with their live ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crosstable.model import Rating
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import main_record
from crosstable.office.players import person
from crosstable.office.queries import ratings
from crosstable.words import estimator
from crosstable.words.estimator import SCORES, EstimatePage, State

__all__ = ["SCORES", "EstimatePage", "State", "estimate"]


def estimate(state: State) -> EstimatePage:
    """Everything that follows from the address; what cannot be used is named, and the rest is worked out."""
    return estimator.estimate(state, _OfficePlayers())


class _OfficePlayers:
    """The players of this office, as far as their ratings are shown."""

    def record(self, player: str, pool: str) -> tuple[str, Rating] | None:
        found = Player.objects.filter(number=player).first()
        if found is None:
            raise LookupError(player)
        row = main_record(found)
        shown = ratings.live([row.id]).get(row.id, {}).get(pool)
        if shown is None or shown.rating is None:  # nothing of a record whose rating is not shown
            return None
        return person.of(row).name, ratings.records([row.id])[row.id][pool]

    def players(self, ids: Sequence[str], pool: str) -> Mapping[str, tuple[str, float | None]]:
        rows = {
            row[1]: person.person(*row) for row in Player.objects.filter(number__in=ids).values_list(*person.COLUMNS)
        }
        live = ratings.live([one.row for one in rows.values()]) if rows else {}
        shown = {number: live.get(one.row, {}).get(pool) for number, one in rows.items()}
        return {number: (one.name, mine.rating if (mine := shown[number]) else None) for number, one in rows.items()}
