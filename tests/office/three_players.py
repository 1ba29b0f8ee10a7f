"""Ada, Ben and Cay: a match between the first two, and where a player stands now."""

from __future__ import annotations

from datetime import date
from typing import Any

from simulated import document

from crosstable.office.ledger.models import RatingRow

ADA, BEN, CAY = "30000001", "30000002", "30000003"


def match(day: date, result: str, games: int = 6, **facts: Any) -> dict[str, Any]:
    played = [(number, 1, 2, result) for number in range(1, games + 1)]
    return document(f"Match {day}", day, [ADA, BEN], played, kind="match", control="G/120;d5", facts=facts)


def last(player: str, pool: str = "OTBR") -> RatingRow:
    row = RatingRow.objects.filter(player__number=player, pool=pool).order_by("position").last()
    assert row is not None
    return row
