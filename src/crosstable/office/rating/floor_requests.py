"""Floor requests follow from ratings: a match result below a floor opens one, and takes it along when it goes (2025
§7).

What was granted follows the match too: the lower floor holds from the match's day, and while the match ends below the
floor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl
from django.db.models import Q

from crosstable.errors import OfficeError
from crosstable.office.ledger import models, order
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating.run import Outcome
from crosstable.replay.us_chess import FLOOR_REQUEST
from crosstable.rulebook import Rules
from crosstable.systems.us_chess import deciding
from crosstable.systems.us_chess.aftermath import floor_request
from crosstable.systems.us_chess.coefficients import coefficients
from crosstable.systems.us_chess.formulas import personal_floor
from crosstable.systems.us_chess.pools import KEYS

Key = tuple[int, int, str]  # section, player, pool


@dataclass(frozen=True, slots=True)
class MovedFloor:
    """A lower floor that had to follow its match, and from where on ratings may change because of that."""

    request: int
    what: str
    position: int
    player: int


@dataclass(frozen=True, slots=True)
class _Result:
    """How a match ended."""

    post: float
    flags: int
    counts: tuple[int, int, int]  # wins, draws and three-game events, which make the personal floor

    @property
    def asks(self) -> bool:
        return bool(self.flags & FLOOR_REQUEST)


@dataclass(frozen=True, slots=True)
class _Results:
    """What a run found in the matches of granted requests."""

    new: dict[Key, _Result]
    gone: set[Key]  # rows that are no more, or not as they were


def move_with_matches(outcome: Outcome) -> list[MovedFloor]:
    """Lower floors that were granted follow their matches. Nothing of the run is written yet: it has to be done again."""
    in_force = Q(status=FloorRequest.GRANTED, adjustment__status=Adjustment.GRANTED)
    lapsed = Q(status=FloorRequest.GONE, adjustment__status=Adjustment.WITHDRAWN)
    granted = FloorRequest.objects.filter(in_force | lapsed).select_related("adjustment", "section")
    requests = list(granted.order_by("id"))
    if not requests:
        return []
    sections = {request.id: _section_of(request) for request in requests}
    results = _results(outcome, [section.id for section in sections.values() if section is not None])
    same = merged_players()
    found = []
    for request in requests:
        section, player = sections[request.id], same.get(request.player_id, request.player_id)
        judge = _granted if request.status == FloorRequest.GRANTED else _lapsed
        moved = judge(request, section, results, (section.id if section else 0, player, request.pool))
        found += [moved] if moved else []
    return found


def _section_of(request: FloorRequest) -> models.Section | None:
    """The match's section; one that was withdrawn and came back is another row."""
    if request.section is not None:
        return request.section
    return models.Section.objects.filter(event__number=request.event_number, number=request.section_number).first()


def _results(outcome: Outcome, sections: Iterable[int]) -> _Results:
    wanted = pl.col("section_id").is_in(list(sections))
    columns = ["section_id", "player_id", "pool"]
    facts = ("post", "flags", "wins", "draws", "three_game_events")
    new = outcome.added.filter(wanted).select(*columns, *facts).iter_rows()
    return _Results(
        {
            (section, player, pool): _Result(post, flags, (wins or 0, draws or 0, events))
            for section, player, pool, post, flags, wins, draws, events in new
        },
        set(outcome.removed.filter(wanted).select(columns).iter_rows()),
    )


def _granted(request: FloorRequest, section: models.Section | None, results: _Results, key: Key) -> MovedFloor | None:
    """A granted floor: it moves with its match, and ends when the match is gone or its result is no longer below the
    floor.
    """
    if section is None:
        return _set(request, None)
    if _adjustment(request).date != section.event_end:
        return _set(request, section, "moved")
    if key not in results.new:
        return _set(request, None) if key in results.gone else None
    found, lowered = results.new[key], _adjustment(request).fields
    if found.asks and (found.post > lowered.get("lowered_from", request.floor) or found.post == request.wanted):
        return _lower_again(request, section, found, "of another floor")
    return None if found.post < request.floor or found.asks else _set(request, None)


def _lapsed(request: FloorRequest, section: models.Section | None, results: _Results, key: Key) -> MovedFloor | None:
    """A floor that ended with its match: it comes back when the match ends below a floor again."""
    found = results.new.get(key)
    if section is None or found is None or not found.asks:
        return None
    return _lower_again(request, section, found, "granted again")


def _lower_again(request: FloorRequest, section: models.Section, found: _Result, what: str) -> MovedFloor:
    """A granted request lowers the floor in force on its day, which is another one by now (readings 23)."""
    request.floor, request.wanted = found.post, _wanted(section, request.pool, found.post, found.counts)
    _adjustment(request).fields = lowering(request)
    return _set(request, section, what)


def lowering(request: FloorRequest) -> dict[str, float]:
    """What a granted request sets."""
    return {"lowered_floor": request.wanted, "lowered_from": request.floor}


def _set(request: FloorRequest, section: models.Section | None, what: str = "gone") -> MovedFloor:
    """The lower floor from the day of this section on, or not at all."""
    adjustment = _adjustment(request)
    before = adjustment.position
    if section is None:
        request.status, adjustment.status = FloorRequest.GONE, Adjustment.WITHDRAWN
    else:
        request.status, adjustment.status = FloorRequest.GRANTED, Adjustment.GRANTED
        request.section, adjustment.date = section, section.event_end
        adjustment.position = order.day_of(section.event_end)
    adjustment.save()
    request.save()
    return MovedFloor(request.id, what, min(before, adjustment.position), request.player_id)


def _adjustment(request: FloorRequest) -> Adjustment:
    assert request.adjustment is not None  # only such are looked at  # noqa: S101
    return request.adjustment


def revoked(adjustment: Adjustment) -> None:
    """Two officers took a lower floor back: its request counts as refused, and may be made again."""
    FloorRequest.objects.filter(adjustment=adjustment).update(status=FloorRequest.REFUSED)


def open_and_close(outcome: Outcome) -> None:
    """A match result below a floor opens a request (2025 §7); one whose reason is gone is closed."""
    asks = outcome.added.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    wanted = list(asks.select("section_id", "player_id", "pool").iter_rows())
    _close(outcome, set(wanted))
    for section, player, pool in wanted:
        _open(section, player, pool)


def _close(outcome: Outcome, still: set[Key]) -> None:
    was = outcome.removed.filter(pl.col("flags") & FLOOR_REQUEST != 0)
    for section, player, pool in was.select("section_id", "player_id", "pool").iter_rows():
        if (section, player, pool) not in still:
            open_ones = FloorRequest.objects.filter(player_id=player, pool=pool, status=FloorRequest.ASKED)
            open_ones.filter(section_id=section).update(status=FloorRequest.GONE)
    FloorRequest.objects.filter(section=None, status=FloorRequest.ASKED).update(status=FloorRequest.GONE)


def _open(section: int, player: int, pool: str) -> None:
    if FloorRequest.objects.filter(section_id=section, player_id=player, pool=pool).exclude(status="gone").exists():
        return
    row = models.RatingRow.objects.get(section_id=section, player_id=player, pool=pool)
    if not row.section.history:  # whoever published it has decided
        new(row)


def new(row: models.RatingRow) -> FloorRequest:
    """A request about the result of a match that ended on the floor."""
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
    """What may be asked for: 100 points less, never under the personal floor, which nobody lowers (readings 23)."""
    rules = coefficients(rules_of(section))
    wanted = floor_request(rules, floor, personal_floor(rules, KEYS.index(pool), *counts))
    if math.isnan(wanted):
        raise OfficeError(f"a floor of {floor:g} is the personal one: no request can lower it")
    return wanted


def rules_of(section: models.Section) -> Rules:
    return deciding.rules_of(section.start, section.end, section.event_end, office().profile)
