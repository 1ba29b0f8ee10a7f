"""Rating again as an act of the office: compute, write, let floors and titles follow, log; or preview and roll back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import polars as pl
from django.db import transaction

from crosstable.model import Finding
from crosstable.office import titles
from crosstable.office.audit.log import record
from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.models import Adjustment, Revision
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import merged_players, with_duplicates
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import age_dependence, floor_requests, followers, run
from crosstable.office.rating.changes import (
    LOGGED,
    Change,
    NormChange,
    Standing,
    before_run,
    changes,
    held_in,
    norm_changes,
    watch,
)
from crosstable.office.rating.filled_sections import entrants
from crosstable.office.rating.floor_requests import rules_of
from crosstable.office.rating.incremental import algorithm
from crosstable.office.rating.run import Outcome, Progress
from crosstable.office.storage import bulk, watching
from crosstable.office.storage.database import writing
from crosstable.systems.us_chess.formulas import round_half_up
from crosstable.systems.us_chess.prizes import prize_floor

# Whose published ratings a revision moved, in its own event and after it: kept with the revision, for everybody to see.
#
# Ratings can be computed anew at any time, but what they were before a correction would be gone.

#: So many rows are kept, the largest first
MOST = 2000
_KEY = ["section_id", "player_id", "pool"]


def keep(event: str, number: int, outcome: Outcome) -> None:
    """Keep the rows whose published number has changed; a change behind the decimal point alone is not kept."""
    revision = Revision.objects.filter(event__number=event, number=number).values_list("id", flat=True).first()
    if revision is None:
        return
    old = outcome.removed.select(*_KEY, "position", pl.col("post").alias("before"))
    new = outcome.added.select(*_KEY, "position", pl.col("post").alias("after"))
    both = old.join(new, on=_KEY, how="full", coalesce=True).with_columns(pl.coalesce("position", "position_right"))
    rows = []
    for row in both.iter_rows(named=True):
        before, after = row["before"], row["after"]
        difference = _whole(after) - _whole(before) if before is not None and after is not None else None
        if difference != 0:
            size = abs(difference) if difference is not None else 10_000
            rows.append(
                (size, (revision, row["section_id"], row["player_id"], row["pool"], row["position"], before, after))
            )
    rows.sort(key=lambda pair: -pair[0])
    columns = ("revision_id", "section_id", "player_id", "pool", "position", "before", "after")
    if rows:
        bulk.insert_rows("ledger_ratingmove", columns, [row for _, row in rows[:MOST]])


def _whole(rating: float) -> int:
    return int(round_half_up(rating))


# Floors by cash prizes follow their event: its day moves them, its withdrawal takes them along, its return brings them
# back.


@dataclass(frozen=True, slots=True)
class MovedFloor:
    """A prize's floor that had to follow its event, and from where on ratings may change because of that."""

    request: int
    what: str
    position: int
    player: int


#: In the details of a floor that went with its event: it comes back with it
LAPSED = "lapsed"


def move_with_events() -> tuple[list[MovedFloor], Standing | None]:
    """Move what must move with the events; return it, and how the players stood before."""
    rows = Adjustment.objects.filter(kind=Adjustment.PRIZE_FLOOR, details__has_key="money").order_by("id")
    found = [(row, *_wanted(row)) for row in rows]
    moves = [(row, section, level) for row, section, level in found if _differs(row, section, level)]
    if not moves:
        return [], None
    same = merged_players()
    standing = watch(same.get(row.player_id, row.player_id) for row, _, _ in moves)
    return [_move(row, section, level) for row, section, level in moves], standing


def _wanted(row: Adjustment) -> tuple[models.Section | None, float | None]:
    """Return the section of the prize and the floor that it gives there; nothing where there is none."""
    if row.status == Adjustment.WITHDRAWN and not row.details.get(LAPSED):
        return None, None  # two officers took it back
    details = row.details
    section = models.Section.objects.filter(event__number=details["event"], number=details["section"]).first()
    if section is None or not has_played(row.player_id, section):
        return None, None
    level = prize_floor(rules_of(section), details["money"], details["under"])
    return (section, level) if level is not None else (None, None)


def has_played(player: int, section: models.Section) -> bool:
    """Return whether a player, under any of the records that are merged, has a played game in a section."""
    own = with_duplicates([merged_players().get(player, player)])
    numbers = {int(number) for number, row in entries_of(section.entries) if int(row) in own}
    return any(numbers & {int(white), int(black)} for _, white, black, _ in games_of(section.games))


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
            Adjustment.GRANTED,
            section.event_end + timedelta(days=1),
            {"prize_floor": level},
        )
        row.position = order.day_of(row.date)
    row.save()
    return MovedFloor(row.id, what, min(before, row.position), row.player_id)


#: More sections than this, and titles are computed anew for everybody at once
MANY_SECTIONS = 20_000
#: More players than this, and it is quicker to rate everything again
MANY_PLAYERS = 5_000


@dataclass(frozen=True, slots=True)
class Refused:
    """An accepted section that a system does not rate any more, because of what came before it."""

    event: str
    section: int
    findings: tuple[Finding, ...]

    def as_json(self) -> dict[str, Any]:
        return {"event": self.event, "section": self.section, "findings": [str(one) for one in self.findings]}


@dataclass(frozen=True, slots=True)
class Rerated:
    """What a run did, or would do."""

    sections: int  # rated anew with another result
    rows_added: int
    rows_removed: int
    players: int  # whose ratings change
    preview: bool
    changes: tuple[Change, ...] = ()  # everybody, the largest first
    refused: tuple[Refused, ...] = ()  # sections that are no longer rated: the run had to leave them out
    later: int = 0  # of the sections, those of other events than the act is about
    norms: tuple[NormChange, ...] = ()  # that come and go
    note: str = ""  # a note for the officer

    def as_json(self) -> dict[str, Any]:
        return {
            "preview": self.preview,
            "sections": self.sections,
            "later_sections": self.later,
            "rows_added": self.rows_added,
            "rows_removed": self.rows_removed,
            "players": self.players,
            "changes": [change.as_json() for change in self.changes],
            "norms": [norm.as_json() for norm in self.norms],
            "refused": [one.as_json() for one in self.refused],
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Act:
    """Who does what to what, and why: what the log says of it. A preview does everything and is rolled back."""

    actor: Actor
    action: str  # as in people.rights
    subject: str
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    preview: bool = False
    watched: Standing | None = None  # those whose records the act itself changes, as they stood before it


def rerate(actor: Actor, reason: str = "", *, preview: bool = False, progress: Progress | None = None) -> Rerated:
    """Everything from the first section on; without a change of results or rules nothing changes."""
    require(actor, "rating.preview" if preview else "rating.rerate")
    input_checks.refuse(input_checks.reasons(reason, "rating again", optional=True))
    with writing():
        act = Act(actor, "rating.rerate", "ratings", reason, preview=preview)
        return _finish(act, *_compute_with_floors(run.BEGINNING, None, progress))


def rate_from(
    act: Act,
    position: int | None,
    gone: Iterable[int] = (),
    events: Collection[int] = (),
    players: Collection[int] | None = None,
) -> Rerated:
    """Rate from a position on, in the caller's transaction: write and log it, or preview it.

    `position`: None if the act touches no rating. `gone`: sections that have lost their place. `events`: those that the
    act is about; all others are counted as later ones. `players`: those whose records or facts the act changes beside
    results; None if it may be anybody, and everything is rated again.
    """
    if position is None:
        return _log_only(act)
    removed = tuple(gone)
    found = _compute_with_floors(position, removed, players=players)
    own = {*removed, *(section.id for section in found[0].sections.values() if section.event in events)}
    return _finish(act, *found, own)


def _compute_with_floors(
    position: int,
    gone: Sequence[int] | None,
    progress: Progress | None = None,
    players: Collection[int] | None = None,
) -> tuple[Outcome, dict[str, Any], Standing | None]:
    """Ratings that fit the floors of prizes, which follow their events; what became of those floors, and whom
    they moved.
    """
    prizes, standing = move_with_events()
    position = min(position, *(one.position for one in prizes)) if prizes else position
    touched = None if players is None else {*players, *(one.player for one in prizes)}
    told = {"prize_floors": {str(one.request): one.what for one in prizes}} if prizes else {}
    return _compute(position, gone, touched, progress), told, standing


def _compute(
    position: int, gone: Sequence[int] | None, players: Collection[int] | None, progress: Progress | None = None
) -> Outcome:
    if players is None or len(players) > MANY_PLAYERS:
        return run.compute(position, progress or watching.tell, gone=gone)
    return algorithm.compute(position, players, gone or ())


def _finish(
    act: Act, outcome: Outcome, floors: Mapping[str, Any], standing: Standing | None, own: Collection[int] = ()
) -> Rerated:
    """Write the ratings, then the floor requests and titles that follow from them, and log the act; or roll back."""
    before = before_run(outcome, [one for one in (standing, act.watched) if one is not None])
    if act.subject.startswith("event:") and act.details.get("revision", 1) > 1:
        keep(act.subject.removeprefix("event:"), act.details["revision"], outcome)
    run.write(outcome)
    age_dependence.update()
    floor_requests.open_and_close(outcome)
    lowered = floor_requests.follow_matches(outcome)
    changed = _whose_rows(outcome, own)
    few = sorted(changed) if len(changed) <= MANY_SECTIONS else []
    held = held_in(few)
    titles.after_rating(None if len(changed) > MANY_SECTIONS else changed)
    found = tuple(changes(outcome, before, act.reason or "the decision itself", act.subject))
    done = _summary(outcome, own, preview=act.preview, found=found)
    done = replace(done, norms=tuple(norm_changes(held, held_in(few), act.subject.removeprefix("event:"))))
    if act.preview:
        transaction.set_rollback(True)  # nothing can be read after this
        return done
    followers.tell(act.actor, act.action, act.subject, outcome=outcome, own=own, found=found)
    counts = {"sections": done.sections, "rows_added": done.rows_added, "rows_removed": done.rows_removed}
    moved = {"players": done.players, "changes": [change.as_logged() for change in found[:LOGGED]]} if found else {}
    floors = {**floors, **({"floor_requests": lowered} if lowered else {})}
    details = {**act.details, **floors, **counts, **moved, **_left_out(done)}
    record(act.actor.name, act.action, act.subject, act.reason, details)
    return done


def _log_only(act: Act) -> Rerated:
    if act.preview:
        transaction.set_rollback(True)
    else:
        record(act.actor.name, act.action, act.subject, act.reason, act.details)
    return Rerated(0, 0, 0, 0, act.preview)


def _left_out(done: Rerated) -> dict[str, Any]:
    """For the log: which sections are no longer rated, and the codes that say why."""
    rows = [
        {"event": one.event, "section": one.section, "codes": sorted({finding.code for finding in one.findings})}
        for one in done.refused
    ]
    return {"refused": rows} if rows else {}


def _refused(outcome: Outcome) -> tuple[Refused, ...]:
    if not outcome.refused:
        return ()
    events = {outcome.sections[section].event for section in outcome.refused}
    numbers = dict(models.Event.objects.filter(id__in=list(events)).values_list("id", "number"))
    placed = [(outcome.sections[section], findings) for section, findings in outcome.refused.items()]
    return tuple(Refused(numbers[one.event], one.number, findings) for one, findings in placed)


def _touched(outcome: Outcome) -> list[int]:
    """Sections with other rows than before, and those that are gone."""
    return sorted({*outcome.added["section_id"].unique(), *outcome.removed["section_id"].unique()})


def _whose_rows(outcome: Outcome, own: Collection[int]) -> dict[int, set[int]]:
    """Section → the players whose rows differ. In the act's own sections all: results, name or mark may differ."""
    found: dict[int, set[int]] = {}
    for table in (outcome.added, outcome.removed):
        for section, player in table["section_id", "player_id"].iter_rows():
            found.setdefault(section, set()).add(player)
    for section in outcome.sections.keys() & set(own):
        found.setdefault(section, set()).update(entrants(outcome.sections[section]).values())
    return found


def _summary(outcome: Outcome, own: Collection[int], *, preview: bool, found: tuple[Change, ...] = ()) -> Rerated:
    touched = _touched(outcome)
    players = len({one.player for one in found})
    rows = len(outcome.added), len(outcome.removed)
    later = len(set(touched) - set(own))
    return Rerated(len(touched), *rows, players, preview, found, _refused(outcome), later)
