"""Sections of the systems without a compiled replay (Glicko, AGA, a club …), one after the other through the system.

A section whose signature has not changed keeps its rows: only what must be is rated again.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Answer, Finding, Rating, errors
from crosstable.office.ledger import revisions
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.rating import facts, rows, signature, states, timeline
from crosstable.office.rating.before import Before
from crosstable.office.rating.filled_sections import AsRated, as_rated, entrants
from crosstable.office.rating.section_results import Computed
from crosstable.office.rating.signature import Signature
from crosstable.office.rating.states import Records
from crosstable.office.rating.timeline import Decision, Placed
from crosstable.systems import RatingSystem, StoredSection

Row = dict[str, Any]


def rate(system: RatingSystem, sections: Sequence[Placed], start: Before, profile: str) -> Computed:
    """All these sections in one system."""
    sections = [section for section in sections if set(section.keys) & set(system.pools)]
    if not sections:
        return Computed({}, lambda _: rows.empty())
    who = sorted({player for section in sections for player in entrants(section).values()})
    few = who if len(who) <= facts.MANY else None
    records, ahead = _at_first(system, start, few)
    begin = _stretches(start, [section.position for section in sections])
    mine = rows.stored_in(section.id for section in sections).filter(pl.col("pool").is_in(system.pools))
    kept = mine.partition_by("section_id", as_dict=True) if len(mine) else {}
    found: list[Row] = []
    signatures: dict[int, Signature] = {}
    refused: dict[int, tuple[Finding, ...]] = {}
    for section in sections:
        ahead = _decide(records, ahead, section.position)
        for come in begin.get(section.position, ()):
            theirs = states.from_rows(come.rows, section.position, come.players)
            records |= {player: theirs.get(player, {}) for player in come.players}
        before = kept.get((section.id,), rows.empty())
        new, own, wrong = _section(system, section, records, profile, before)
        if wrong:
            refused[section.id] = wrong
        signatures[section.id] = own._replace(outcome=signature.short(json.dumps(new, sort_keys=True).encode()))
        for row in new:
            records.setdefault(row["player_id"], {})[row["pool"]] = rows.record_of(row, section.end)
        found += new
    table = pl.DataFrame(found, schema=pl.Schema(rows.COLUMNS), orient="row")
    return Computed(
        signatures,
        lambda wanted: table if wanted is None else table.filter(pl.col("section_id").is_in(wanted)),
        refused,
    )


@dataclass(frozen=True, slots=True)
class _Come:
    """Players whose stretches begin with a section, and their last rows before it."""

    players: Sequence[int]
    rows: pl.DataFrame


def _at_first(system: RatingSystem, start: Before, players: Sequence[int] | None) -> tuple[Records, list[Decision]]:
    """Return the records with which a run begins, and the decisions from there on;
    a player with stretches has none yet.
    """
    if start.known is not None:
        return {}, [one for one in start.known.decisions if one.pool in system.pools]
    last = start.rows(players)
    held = {(player, pool): place for player, pool, place in last["player_id", "pool", "position"].iter_rows()}
    asked = None if players is None else with_duplicates(players)
    found = timeline.decisions(since=start.position, players=asked)
    ahead = [one for one in found if one.pool in system.pools and one.position > held.get((one.player, one.pool), 0)]
    return states.from_rows(last, start.position, players), ahead


def _stretches(start: Before, positions: Sequence[int]) -> dict[int, list[_Come]]:
    """Position → who comes in there, or has come in since the system's section before."""
    found: dict[int, list[_Come]] = {}
    if start.known is None:
        return found
    stretches = start.known.stretches
    table = pl.DataFrame({"player": stretches.player, "position": stretches.position}).with_row_index("stretch")
    for own in table.sort("position").partition_by("position", maintain_order=True):
        place = bisect_left(positions, own["position"][0])
        if place < len(positions):
            held = start.known.rows.filter(pl.col("stretch").is_in(own["stretch"].to_list()))
            found.setdefault(positions[place], []).append(_Come(own["player"].to_list(), held))
    return found


def _decide(records: Records, ahead: list[Decision], position: int) -> list[Decision]:
    """Decisions up to a position take effect; the others stay ahead."""
    for decision in ahead:
        if decision.position < position:
            states.apply(records, decision)
    return [decision for decision in ahead if decision.position >= position]


def _section(
    system: RatingSystem, section: Placed, records: Records, profile: str, before: pl.DataFrame
) -> tuple[list[Row], Signature, tuple[Finding, ...]]:
    """Return a section's rows and signature, and why it has no rows if the system does not rate it as it stands now."""
    event = revisions.document(id=section.event)
    ready = as_rated(section, records, system.pools, event)
    rules = system.rules(section.start, profile).hash[:8]
    inputs = [event_json.to_json(player) for player in ready.section.players]
    own = Signature(signature.results_of(section), rules, signature.short(json.dumps(inputs, sort_keys=True).encode()))
    if own.same_inputs(signature.parse(section.signature).get(system.name)):
        same = before.with_columns(position=pl.lit(section.position, pl.Int64))
        return same.select(list(rows.COLUMNS)).sort("pool", "number").to_dicts(), own, ()
    try:
        answers = system.rate_kept(ready.event, StoredSection(section.keys, section.history), profile).answers
    except EventRejected as rejected:  # it was ratable when it was accepted; what came before it has changed since
        return [], own, tuple(errors(rejected.findings))
    new = [_row(section, ready, answer, records) for answer in answers]
    return sorted(new, key=lambda row: (row["pool"], row["number"])), own, ()


def _row(section: Placed, ready: AsRated, answer: Answer, records: Mapping[int, Mapping[str, Rating]]) -> Row:
    player = ready.players[answer.number]
    prior = records.get(player, {}).get(answer.pool)
    row: Row = {
        "section_id": section.id,
        "pool": answer.pool,
        "player_id": player,
        "position": section.position,
        "number": answer.number,
        "prior": None if answer.prior is None else float(answer.prior),
        "prior_games": prior.games if prior else None,
        "initialized": int(prior is None),
        "games": answer.values.get("games", 0),
        "score": float(answer.values.get("score", 0.0)),
        "flags": rows.TELLS_AN_AGE if answer.by_age else 0,
    }
    row |= rows.row_of(answer.state)
    return {name: row[name] for name in rows.COLUMNS}
