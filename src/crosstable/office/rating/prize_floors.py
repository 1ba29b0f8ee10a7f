"""Floors by cash prizes follow their event: its day moves them, its withdrawal takes them along, its return brings them back."""

from __future__ import annotations

from datetime import timedelta

from crosstable.office.ledger import models, order
from crosstable.office.ledger.merges import merged_players
from crosstable.office.ledger.models import Adjustment
from crosstable.office.rating.changes import Standing, watch
from crosstable.office.rating.floor_requests import MovedFloor, rules_of
from crosstable.systems.us_chess.prizes import prize_floor

#: In the details of a floor that went with its event: it comes back with it
LAPSED = "lapsed"


def move_with_events() -> tuple[list[MovedFloor], Standing | None]:
    """What had to move, and how the players stood before."""
    rows = Adjustment.objects.filter(kind=Adjustment.PRIZE_FLOOR, details__has_key="money").order_by("id")
    found = [(row, *_wanted(row)) for row in rows]
    moves = [(row, section, level) for row, section, level in found if _differs(row, section, level)]
    if not moves:
        return [], None
    same = merged_players()
    standing = watch(same.get(row.player_id, row.player_id) for row, _, _ in moves)
    return [_move(row, section, level) for row, section, level in moves], standing


def _wanted(row: Adjustment) -> tuple[models.Section | None, float | None]:
    """The section of the prize and the floor that it gives there; nothing where there is none."""
    if row.status == Adjustment.WITHDRAWN and not row.details.get(LAPSED):
        return None, None  # two officers took it back
    details = row.details
    section = models.Section.objects.filter(event__number=details["event"], number=details["section"]).first()
    level = prize_floor(rules_of(section), details["money"], details["under"]) if section else None
    return (section, level) if level is not None else (None, None)


def _differs(row: Adjustment, section: models.Section | None, level: float | None) -> bool:
    if section is None:
        return row.status == Adjustment.GRANTED
    day = section.event_end + timedelta(days=1)
    return (row.status, row.date, row.fields) != (Adjustment.GRANTED, day, {"prize_floor": level})


def _move(row: Adjustment, section: models.Section | None, level: float | None) -> MovedFloor:
    before, what = row.position, "gone"
    if section is None:
        row.status, row.details = Adjustment.WITHDRAWN, {**row.details, LAPSED: True}
    else:
        what = "moved" if row.status == Adjustment.GRANTED else "back"
        row.details = {name: value for name, value in row.details.items() if name != LAPSED}
        row.status, row.date, row.fields = (
            Adjustment.GRANTED, section.event_end + timedelta(days=1), {"prize_floor": level},
        )  # fmt: skip
        row.position = order.day_of(row.date)
    row.save()
    return MovedFloor(row.id, what, min(before, row.position), row.player_id)
