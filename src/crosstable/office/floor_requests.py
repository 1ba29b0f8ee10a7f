"""Floor requests follow from ratings: a match result below a floor opens one, and takes it along when it goes (2025 §7)."""

from __future__ import annotations

import polars as pl

from crosstable.office.choices import office
from crosstable.office.ledger import models
from crosstable.office.ledger.models import FloorRequest
from crosstable.office.rating.run import Outcome
from crosstable.replay.us_chess import FLOOR_REQUEST
from crosstable.rulebook import AS_PRACTISED, Rules, rulebook


def follow(outcome: Outcome) -> None:
    """A match result below a floor opens a request (2025 §7); one whose reason is gone is closed."""
    asks = outcome.added.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    wanted = {(row["section_id"], row["player_id"], row["system"]): row for row in asks.iter_rows(named=True)}
    _close(outcome, set(wanted))
    for (section, player, system), row in wanted.items():
        _open(section, player, system, row["post"])


def _close(outcome: Outcome, still: set[tuple[int, int, str]]) -> None:
    was = outcome.removed.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    for section, player, system in was.select("section_id", "player_id", "system").iter_rows():
        if (section, player, system) not in still:
            open_ones = FloorRequest.objects.filter(player_id=player, system=system, status=FloorRequest.ASKED)
            open_ones.filter(section_id=section).update(status=FloorRequest.GONE)
    FloorRequest.objects.filter(section=None, status=FloorRequest.ASKED).update(status=FloorRequest.GONE)


def _open(section: int, player: int, system: str, floor: float) -> None:
    if FloorRequest.objects.filter(section_id=section, player_id=player, system=system).exclude(status="gone").exists():
        return
    row = models.Section.objects.select_related("event").get(id=section)
    if row.history:  # whoever published it has decided
        return
    FloorRequest.objects.create(
        section=row, event_number=row.event.number, section_number=row.number, player_id=player, system=system,
        floor=floor, wanted=floor - rules_of(row)["matches"]["floor_request"],
    )  # fmt: skip


def rules_of(section: models.Section) -> Rules:
    profile = office().profile
    return rulebook("us_chess").on(section.event_end if profile == AS_PRACTISED else section.start, profile)
