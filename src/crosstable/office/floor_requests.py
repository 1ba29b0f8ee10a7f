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
    wanted = list(asks.select("section_id", "player_id", "system").iter_rows())
    _close(outcome, set(wanted))
    for section, player, system in wanted:
        _open(section, player, system)


def _close(outcome: Outcome, still: set[tuple[int, int, str]]) -> None:
    was = outcome.removed.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    for section, player, system in was.select("section_id", "player_id", "system").iter_rows():
        if (section, player, system) not in still:
            open_ones = FloorRequest.objects.filter(player_id=player, system=system, status=FloorRequest.ASKED)
            open_ones.filter(section_id=section).update(status=FloorRequest.GONE)
    FloorRequest.objects.filter(section=None, status=FloorRequest.ASKED).update(status=FloorRequest.GONE)


def _open(section: int, player: int, system: str) -> None:
    if FloorRequest.objects.filter(section_id=section, player_id=player, system=system).exclude(status="gone").exists():
        return
    row = models.RatingRow.objects.get(section_id=section, player_id=player, system=system)
    if not row.section.history:  # whoever published it has decided
        new(row)


def new(row: models.RatingRow) -> FloorRequest:
    """A request about the result of a match that ended on the floor."""
    section = row.section
    return FloorRequest.objects.create(
        section=section, event_number=section.event.number, section_number=section.number, player_id=row.player_id,
        system=row.system, floor=row.post, wanted=row.post - rules_of(section)["matches"]["floor_request"],
    )  # fmt: skip


def rules_of(section: models.Section) -> Rules:
    profile = office().profile
    return rulebook("us_chess").on(section.event_end if profile == AS_PRACTISED else section.start, profile)
