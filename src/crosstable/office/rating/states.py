"""Everybody's rating records at a moment of the order: the last rows before it, and the decisions since."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl

from crosstable.model import Rating
from crosstable.office.ledger import order
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.rating import facts, rows, timeline
from crosstable.office.rating.timeline import Decision
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.aftermath import capped_rating, lifted_rating, lowered_floor_after, lowered_from_after
from crosstable.systems.us_chess.coefficients import Coefficients, coefficients_on
from crosstable.systems.us_chess.update import or_nan, some

Records = dict[int, dict[str, Rating]]  # player → rating key → record


def before(position: int, players: Iterable[int] | None = None, without: int | None = None) -> Records:
    """Return the records just before a position, of these players (all of them under one record) or of everybody.

    `without`: an event that is about to get another place, and whose old rows do not count.
    """
    wanted = None if players is None else list(players)
    few = wanted is not None and len(wanted) <= facts.MANY
    last = rows.latest_before(position, wanted if few else None, without)
    return from_rows(last, position, wanted if few else None)


def from_rows(last: pl.DataFrame, position: int, players: Sequence[int] | None = None) -> Records:
    """Return the records of last rows,
    and the decisions of these players (or of everybody) between those and a position.
    """
    found: Records = {}
    placed: dict[tuple[int, str], int] = {}
    for row in last.iter_rows(named=True):
        record = rows.record_of(row, date.fromisoformat(row["day"]))
        found.setdefault(row["player_id"], {})[row["pool"]] = record
        placed[row["player_id"], row["pool"]] = row["position"]
    asked = None if players is None else with_duplicates(players)
    for decision in timeline.decisions(until=position, players=asked):
        if decision.position > placed.get((decision.player, decision.pool), 0):
            apply(found, decision)
    return found


def on(day: date, players: Iterable[int] | None = None) -> Records:
    """Return the records at the end of a day: every event that ended by then, every decision dated up to then."""
    return before(order.day_of(day) + order.DAY, players)


def now(players: Iterable[int] | None = None) -> Records:
    """Return the live records, after everything that the ledger holds."""
    return before(order.END, players)


def apply(records: Records, decision: Decision) -> None:
    """Apply a decision to a record; without a record it must bring a rating."""
    own = records.setdefault(decision.player, {})
    changed = {name: revived(name, value) for name, value in decision.fields.items() if name != "lowered_from"}
    record = own.get(decision.pool)
    if record is not None:
        own[decision.pool] = _with_limits(
            replace(record, **changed, lowered_from=_lowered_from(record, decision)), decision
        )
    elif "rating" in changed:
        new = Rating(**_whole(changed), lowered_from=decision.fields.get("lowered_from"))
        own[decision.pool] = _with_limits(new, decision)


def _lowered_from(record: Rating, decision: Decision) -> float | None:
    """Return what a lowering has lowered: the highest floor of all lowerings (readings 23), as in replay.kernel."""
    if "lowered_floor" not in decision.fields:
        return record.lowered_from
    fields = decision.fields
    before = or_nan(record.lowered_floor), or_nan(record.lowered_from)
    highest = lowered_from_after(_rules(decision), *before, or_nan(fields["lowered_floor"]))
    given = or_nan(fields.get("lowered_from"))
    return some(given if highest < given or math.isnan(highest) else highest)


def _rules(decision: Decision) -> Coefficients:
    return coefficients_on(max(order.date_of(decision.position), rulebook("us_chess").first))


def _with_limits(record: Rating, decision: Decision) -> Rating:
    """Lower the rating to a ceiling that the decision sets (readings 43), as in replay.kernel.

    A floor that the decision sets holds beside a lowered one and lifts the rating (readings 23, 24).
    """
    if "ceiling" in decision.fields:
        record = replace(record, rating=capped_rating(record.rating, or_nan(record.ceiling)))
    if decision.lift is None:
        return record
    lowered = record.lowered_floor
    if "lowered_floor" not in decision.fields:
        before = or_nan(lowered), or_nan(record.lowered_from)
        lowered = some(lowered_floor_after(_rules(decision), *before, decision.lift))
    rating = lifted_rating(record.rating, decision.lift, or_nan(record.ceiling))
    return replace(record, rating=rating, lowered_floor=lowered)


def revived(name: str, value: Any) -> Any:
    """Return a field of a record from a decision's JSON."""
    if name == "date" and isinstance(value, str):
        return date.fromisoformat(value)
    return rows.revived(name, value) if name in ("match_changes", "pending") else value


def _whole(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a new record, which knows no results unless they are given."""
    counts = {"wins": 0, "draws": 0, "losses": 0} if fields.get("games") == 0 else {}
    return {**counts, **fields}
