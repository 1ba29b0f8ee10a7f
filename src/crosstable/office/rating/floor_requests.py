"""Floor requests follow from ratings: a match result below a floor opens one, and takes it along when it goes (2025
§7).

A granted request is a decision about its match: the rating run lowers the floor that binds there, whatever floor that
is by now, and does nothing where none binds (readings 44). So ratings follow from results and decisions alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date

import polars as pl
from django.db.models import F

from crosstable.errors import OfficeError
from crosstable.office.ledger import models, order
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating.run import Outcome
from crosstable.office.storage import bulk
from crosstable.replay.us_chess import FLOOR_REQUEST, LOWERED
from crosstable.rulebook import Rules
from crosstable.systems.us_chess import deciding
from crosstable.systems.us_chess.aftermath import floor_request
from crosstable.systems.us_chess.coefficients import coefficients
from crosstable.systems.us_chess.formulas import personal_floor
from crosstable.systems.us_chess.pools import KEYS

Key = tuple[int, int, str]  # section, player, pool
#: What the log says of a granted request when ratings change
IN_EFFECT, NO_EFFECT = "lowers the floor", "without effect"


@dataclass(frozen=True, slots=True)
class Granted:
    """A granted request with its match as it is rated now."""

    request: int
    adjustment: int
    player: int
    pool: str
    section: int
    day: date  # the last of the match's event
    lowered_floor: float | None  # None: without effect
    lowered_from: float | None


def granted_requests() -> list[Granted]:
    """Return the granted requests whose matches are rated, in the order of the requests."""
    sql = (
        "SELECT f.id, f.adjustment_id, f.player_id, f.pool, s.id, s.event_end FROM ledger_floorrequest AS f "
        "JOIN ledger_adjustment AS a ON a.id = f.adjustment_id JOIN ledger_event AS e ON e.number = f.event_number "
        "JOIN ledger_section AS s ON s.event_id = e.id AND s.number = f.section_number "
        "WHERE f.state = 'granted' AND a.status = 'granted' ORDER BY f.id"
    )
    found, same = bulk.rows(sql), merged_players()
    rows = models.RatingRow.objects.filter(section_id__in={row[4] for row in found})
    lowered = {
        (row.section_id, row.player_id, row.pool): (row.lowered_floor, row.lowered_from)
        for row in rows
        if row.flags & LOWERED
    }
    answers = []
    for request, adjustment, player, pool, section, day in found:
        kept = same.get(player, player)
        floor, above = lowered.get((section, kept, pool), (None, None))
        answers.append(
            Granted(
                request=request,
                adjustment=adjustment,
                player=kept,
                pool=pool,
                section=section,
                day=bulk.as_date(day),
                lowered_floor=floor,
                lowered_from=above,
            )
        )
    return answers


def lowered_by_decision() -> dict[int, Granted]:
    """Return the granted requests that lower a floor, by the ids of their decisions."""
    return {one.adjustment: one for one in granted_requests() if one.lowered_floor is not None}


def follow_matches(outcome: Outcome) -> dict[str, str]:
    """Date granted requests by their matches; return what those do whose effect may have changed, by their ids."""
    if not FloorRequest.objects.filter(state=FloorRequest.GRANTED).exists():
        return {}
    requests = granted_requests()
    for one in requests:
        FloorRequest.objects.filter(id=one.request).exclude(section_id=one.section).update(section_id=one.section)
        if one.lowered_floor is not None:  # of the floor that binds now
            asked = FloorRequest.objects.filter(id=one.request).exclude(wanted=one.lowered_floor)
            asked.update(wanted=one.lowered_floor, floor=one.lowered_floor + F("floor") - F("wanted"))
        moved = Adjustment.objects.filter(id=one.adjustment).exclude(date=one.day)
        moved.update(date=one.day, position=order.day_of(one.day))
    touched = _whose_floors_changed(outcome)
    return {
        str(one.request): NO_EFFECT if one.lowered_floor is None else IN_EFFECT
        for one in requests
        if (one.player, one.pool) in touched
    }


def _whose_floors_changed(outcome: Outcome) -> set[tuple[int, str]]:
    """(player, pool) of matches in which a floor is lowered now and was not, or the other way round."""
    sides = []
    for table in (outcome.added, outcome.removed):
        rows = table.filter(pl.col("flags") & LOWERED != 0).select("section_id", "player_id", "pool").iter_rows()
        sides.append(set(rows))
    return {(player, pool) for _, player, pool in sides[0] ^ sides[1]}


def revoked(adjustment: Adjustment) -> None:
    """Two officers took a lower floor back: its request counts as refused, and may be made again."""
    FloorRequest.objects.filter(adjustment=adjustment).update(state=FloorRequest.REFUSED)


def open_and_close(outcome: Outcome) -> None:
    """Open a request where a match result is below a floor (2025 §7); close one whose reason is gone."""
    asks = outcome.added.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    wanted = list(asks.select("section_id", "player_id", "pool").iter_rows())
    _close(outcome, set(wanted))
    for section, player, pool in wanted:
        _open(section, player, pool)


def _close(outcome: Outcome, still: set[Key]) -> None:
    was = outcome.removed.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    for section, player, pool in was.select("section_id", "player_id", "pool").iter_rows():
        if (section, player, pool) not in still:
            open_ones = FloorRequest.objects.filter(player_id=player, pool=pool, state=FloorRequest.WAITING)
            open_ones.filter(section_id=section).update(state=FloorRequest.GONE)
    FloorRequest.objects.filter(section=None, state=FloorRequest.WAITING).update(state=FloorRequest.GONE)


def _open(section: int, player: int, pool: str) -> None:
    if (
        FloorRequest.objects.filter(section_id=section, player_id=player, pool=pool)
        .exclude(state=FloorRequest.GONE)
        .exists()
    ):
        return
    row = models.RatingRow.objects.get(section_id=section, player_id=player, pool=pool)
    if not row.section.history:  # decided by its publisher
        new(row)


def new(row: models.RatingRow) -> FloorRequest:
    """Make a request about the result of a match that ended on the floor."""
    section, counts = row.section, (row.wins or 0, row.draws or 0, row.three_game_events)
    return FloorRequest.objects.create(
        section=section,
        event_number=section.event.number,
        section_number=section.number,
        player_id=row.player_id,
        pool=row.pool,
        floor=row.post,
        wanted=_wanted(section, row.pool, row.post, counts),
    )


def _wanted(section: models.Section, pool: str, floor: float, counts: tuple[int, int, int]) -> float:
    """Return what may be asked for: 100 points less, never under the personal floor,
    which cannot be lowered (readings 23).
    """
    rules = coefficients(rules_of(section))
    wanted = floor_request(rules, floor, personal_floor(rules, KEYS.index(pool), *counts))
    if math.isnan(wanted):
        raise OfficeError(f"a floor of {floor:g} is the personal one: no request can lower it")
    return wanted


def rules_of(section: models.Section) -> Rules:
    return deciding.rules_of(section.start, section.end, section.event_end, office().profile)
