"""US Chess sections of a run, through the array kernel: ledger → arrays → replay → rating rows."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

from crosstable.model import KINDS
from crosstable.office.ledger.packing import Array
from crosstable.office.rating import facts, rows, signature, timeline
from crosstable.office.rating.crosstables import Crosstables, crosstables
from crosstable.office.rating.signature import Signature
from crosstable.office.rating.timeline import Decision, Placed
from crosstable.replay import history as arrays
from crosstable.replay.history import History
from crosstable.replay.rules import deciding_days, rules_in_force
from crosstable.replay.state import MATCH_CHANGE, NO_MATCH, States, record_of, unrated
from crosstable.replay.us_chess import RATED, Replayed, replay
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.coefficients import SYSTEMS

NAME = "us_chess"

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Computed:
    """What the sections give: rating rows, and each section's signature."""

    rows: pl.DataFrame
    signatures: dict[int, Signature]


@dataclass(frozen=True, slots=True)
class _Material:
    """A run's sections as the kernel reads them."""

    sections: Sequence[Placed]
    tables: Crosstables
    players: Array  # the ledger's rows of players, ascending; their places are the kernel's players
    history: History
    before: States


def rate(sections: Sequence[Placed], position: int, profile: str, progress: Progress | None = None) -> Computed:
    """All these sections in their order, from everybody's state before `position`."""
    sections = [section for section in sections if section.us_chess_keys]
    if not sections:
        return Computed(rows.empty(), {})
    material = _material(sections, position, profile)
    done = replay(material.history, material.before, profile=profile, keep_states=True, progress=progress)
    return _computed(material, done, profile)


def _material(sections: Sequence[Placed], position: int, profile: str) -> _Material:
    tables = crosstables(sections)
    players = np.unique(tables.player)
    before, absorbed = _states(players, position)
    history = History(
        sections=_headings(sections, profile),
        entry_start=tables.entry_start,
        entry_player=np.searchsorted(players, tables.player).astype(np.int32),
        entry_counts=np.ones(len(tables.player), np.bool_),
        game_start=tables.game_start,
        opponent=tables.opponent,
        half_points=tables.half_points,
        players=facts.player_table(players),
        ids=players.tolist(),
        foreign=facts.foreign_table(players, known := facts.external(players.tolist())),
        adjustments=_adjustments(sections, players, position, absorbed),
    )
    _count_fide_games(sections, tables, history, known)
    return _Material(sections, tables, players, history, before)


def _headings(sections: Sequence[Placed], profile: str) -> Array:
    """Sections of history tables may have begun before the first rules, and their half-K after its end: they were rated."""
    table = np.zeros(len(sections), arrays.SECTION)
    for index, section in enumerate(sections):
        first, second = (*section.us_chess_keys, None)[:2]
        table[index] = (
            section.start.toordinal(), section.end.toordinal(), section.event_end.toordinal(),
            SYSTEMS.index(first or ""), SYSTEMS.index(second) if second else arrays.NO_SYSTEM,
            KINDS.index(section.kind), arrays.HALF if section.weight == "half" else arrays.FULL, section.youth,
        )  # fmt: skip
    brought = np.array([section.history for section in sections])
    first_day = rulebook(NAME).first.toordinal()
    table["start_day"] = np.where(brought, np.maximum(table["start_day"], first_day), table["start_day"])
    rules = rules_in_force(profile)
    no_half = rules.rows["half_k_weight"][rules.in_force(deciding_days(table, profile))] == 0
    table["weight"] = np.where(brought & no_half, arrays.FULL, table["weight"])
    return table


def _states(players: Array, position: int) -> tuple[States, dict[tuple[int, str], int]]:
    """Everybody's last ratings before a position, and where in the order those stand."""
    states = unrated(len(players))
    found = rows.latest_before(position, None if len(players) > facts.MANY else players.tolist())
    found = found.filter(pl.col("system").is_in(SYSTEMS) & pl.col("player_id").is_in(players.tolist()))
    if not len(found):
        return states, {}
    player = np.searchsorted(players, found["player_id"].to_numpy())
    system = found["system"].replace_strict({name: index for index, name in enumerate(SYSTEMS)}).to_numpy()
    table = np.zeros(len(found), states.ratings.dtype)
    for field, column in (
        ("rating", "post"),
        *((name, name) for name in ("peak", "prize_floor", "ceiling", "lowered_floor")),
    ):
        table[field] = found[column].fill_null(float("nan")).to_numpy()
    for field in ("wins", "draws", "losses"):
        table[field] = found[field].fill_null(-1).to_numpy()
    for field, column in (("games", "state_games"), *((name, name) for name in _COUNTS)):
        table[field] = found[column].to_numpy()
    table["life_master"] = found["life_master"].to_numpy() == 1
    table["day"] = [date.fromisoformat(day).toordinal() for day in found["day"]]
    table["last_match"], matches = _match_log(found["extra"])
    states.ratings[player, system] = table
    absorbed = dict(zip(zip(found["player_id"], found["system"], strict=True), found["position"], strict=True))
    return States(states.ratings, matches), absorbed


_COUNTS = ("three_game_events", "games_above_2200", "assigned_games")


def _match_log(extras: pl.Series) -> tuple[Array, Array]:
    """The match changes that rows carry, as the kernel's log."""
    last = np.full(len(extras), NO_MATCH, np.int32)
    log: list[tuple[float, int, int, int]] = []
    for index, extra in enumerate(extras):
        if extra:
            for match in json.loads(extra).get("match_changes", ()):
                log.append((match["change"], date.fromisoformat(match["date"]).toordinal(), 0, int(last[index])))
                last[index] = len(log) - 1
    return last, np.array(log, MATCH_CHANGE)


def _adjustments(
    sections: Sequence[Placed], players: Array, position: int, absorbed: Mapping[tuple[int, str], int]
) -> Array:
    """The office's decisions as the kernel reads them: those that no row holds yet, then those that lie ahead."""
    wanted = None if len(players) > facts.MANY else timeline.with_duplicates(players.tolist())
    places = [section.position for section in sections]
    known = {player: index for index, player in enumerate(players.tolist())}
    found = []
    for decision in timeline.decisions(players=wanted):
        if decision.player not in known or decision.system not in SYSTEMS:
            continue
        if decision.position < position and decision.position < absorbed.get((decision.player, decision.system), 0):
            continue
        section = bisect(places, decision.position)
        if section < len(sections):
            found += _orders(decision, section, known[decision.player])
    return np.array(found, arrays.ADJUSTMENT)


def _orders(decision: Decision, section: int, player: int) -> list[tuple[float, int, int, int, int]]:
    system = SYSTEMS.index(decision.system)
    return [
        (_number(value), section, player, system, arrays.ADJUSTABLE.index(field))
        for field, value in decision.fields.items()
        if field in arrays.ADJUSTABLE
    ]


def _number(value: Any) -> float:
    if value is None:
        return float("nan")
    return float(date.fromisoformat(value).toordinal() if isinstance(value, str) else value)


def _count_fide_games(
    sections: Sequence[Placed],
    tables: Crosstables,
    history: History,
    known: Mapping[int, list[tuple[date, str, float]]],
) -> None:
    """2025 §6: members with the USA flag and a high FIDE rating, or who opted in, have their foreign games counted."""
    for index, section in enumerate(sections):
        if section.kind != "fide":
            continue
        first, last = tables.entry_start[index], tables.entry_start[index + 1]
        entrants = tables.player[first:last]
        people, members = facts.facts(entrants), facts.memberships(entrants)
        least = rulebook(NAME).on(section.start)["fide_events"]["automatic"]
        for entry, player in enumerate(entrants.tolist(), int(first)):
            fide = facts.on_day(known.get(player, ()), "fide", section.end)
            automatic = people[player].usa_flag and fide is not None and fide.rating >= least
            member = facts.is_member(members.get(player, ()), section.end)
            history.entry_counts[entry] = member and (automatic or people[player].fide_opt_in)


def _computed(material: _Material, done: Replayed, profile: str) -> Computed:
    assert done.row_states is not None  # asked for  # noqa: S101
    history = material.history
    width = np.diff(history.entry_start)
    section = np.repeat(np.arange(len(material.sections)), np.diff(done.row_start))
    entry = history.entry_start[section] + (np.arange(len(section)) - done.row_start[section]) % width[section]
    extra = _extras(done)
    table = _frame(material, done, section, entry, extra)
    inputs = _inputs(material, done, entry, extra)
    signatures = _signatures(material, done, inputs, profile)
    rated = ~np.isnan(done.rows["post"])
    return Computed(table if rated.all() else table.filter(pl.Series(rated)), signatures)


def _extras(done: Replayed) -> list[str | None]:
    """Only those who played matches carry more than the columns hold."""
    assert done.row_states is not None  # noqa: S101
    extra: list[str | None] = [None] * len(done.rows)
    log = done.row_states["last_match"]
    words: dict[int, str | None] = {}
    for index in np.flatnonzero(log != NO_MATCH).tolist():
        last = int(log[index])
        if last not in words:
            record = record_of(done.row_states[index], done.states.matches)
            words[last] = rows.extra_of(record) if record else None
        extra[index] = words[last]
    return extra


def _frame(material: _Material, done: Replayed, section: Array, entry: Array, extra: list[str | None]) -> pl.DataFrame:
    result, state, tables = done.rows, done.row_states, material.tables
    assert state is not None  # noqa: S101
    ids = np.array([placed.id for placed in material.sections], np.int64)
    positions = np.array([placed.position for placed in material.sections], np.int64)
    points = np.concatenate([[0], np.cumsum(tables.half_points, dtype=np.int64)])
    first, last = tables.game_start[entry], tables.game_start[entry + 1]
    columns: dict[str, Any] = {
        "section_id": ids[section],
        "system": np.array(SYSTEMS)[result["system"]],
        "player_id": tables.player[entry],
        "position": positions[section],
        "number": tables.number[entry],
        "prior": result["prior"],
        "prior_games": result["prior_games"],
        "initialized": result["source"] != RATED,
        "games": last - first,
        "score": (points[last] - points[first]) / 2,
        "post": result["post"],
        "state_games": state["games"],
        "life_master": state["life_master"],
        "flags": result["flags"],
        "extra": pl.Series(extra, dtype=pl.String),
        **{name: state[name] for name in ("wins", "draws", "losses", *_COUNTS)},
        **{name: state[name] for name in ("peak", "prize_floor", "ceiling", "lowered_floor")},
    }
    table = pl.DataFrame({name: columns[name] for name in rows.COLUMNS}, schema_overrides={"system": pl.String})
    unknown = [pl.col(name).replace(-1, None) for name in ("wins", "draws", "losses")]
    none = [pl.col(name).fill_nan(None) for name in ("prior", "peak", "prize_floor", "ceiling", "lowered_floor")]
    return table.cast(pl.Schema(rows.COLUMNS)).with_columns(unknown + none)


def _inputs(material: _Material, done: Replayed, entry: Array, extra: list[str | None]) -> Array:
    """What each row's player came with, as a few numbers: the state before, and what decisions made of it."""
    state, result = done.row_states, done.rows
    assert state is not None  # noqa: S101
    owner = material.history.entry_player[entry].astype(np.int64) * len(SYSTEMS) + result["system"]
    order = np.argsort(owner, kind="stable")
    previous = np.full(len(owner), -1, np.int64)
    previous[order[1:]] = np.where(owner[order[1:]] == owner[order[:-1]], order[:-1], -1)
    before = np.where(previous >= 0, state[previous], material.before.ratings.reshape(-1)[owner])
    table = np.zeros((len(owner), 14))
    for column, field in enumerate(
        ("wins", "draws", "losses", "three_game_events", "games_above_2200", "peak", "lowered_floor")
    ):
        table[:, column] = before[field]
    for column, field in enumerate(("prize_floor", "ceiling", "life_master"), 7):
        table[:, column] = state[field]
    table[:, 10], table[:, 11], table[:, 12] = result["prior"], result["prior_games"], result["source"]
    kinds = material.history.sections["kind"]
    matches = np.repeat(kinds == KINDS.index("match"), np.diff(done.row_start))
    for index in np.flatnonzero(matches).tolist():
        if previous[index] >= 0 and extra[previous[index]]:
            table[index, 13] = int(signature.short(str(extra[previous[index]]).encode())[:12], 16)
    return table


def _signatures(material: _Material, done: Replayed, inputs: Array, profile: str) -> dict[int, Signature]:
    table = rules_in_force(profile)
    in_force = table.in_force(deciding_days(material.history.sections, profile))
    hashes = {int(row): _rules_hash(int(table.days[row]), profile) for row in np.unique(in_force)}
    data, width = np.ascontiguousarray(inputs).tobytes(), inputs.shape[1] * 8
    found = {}
    for index, section in enumerate(material.sections):
        first, last = int(done.row_start[index]) * width, int(done.row_start[index + 1]) * width
        beside = _fide_inputs(material, index) if section.kind == "fide" else b""
        own = Signature(
            signature.results_of(section), hashes[int(in_force[index])], signature.short(data[first:last], beside)
        )
        found[section.id] = own
    return found


def _rules_hash(day: int, profile: str) -> str:
    return rulebook(NAME).on(date.fromordinal(day), profile).hash[:8]


def _fide_inputs(material: _Material, index: int) -> bytes:
    """In a foreign FIDE event also the opponents' FIDE ratings and whose games count."""
    history = material.history
    entries = slice(int(history.entry_start[index]), int(history.entry_start[index + 1]))
    end = date.fromordinal(int(history.sections["end_day"][index])) + timedelta(days=1)
    known = history.foreign[np.isin(history.foreign["player"], history.entry_player[entries])]
    lists = known[known["day"] < end.toordinal()]
    listed = material.players[lists["player"]]
    parts: tuple[Array, ...] = (history.entry_counts[entries], listed, lists["rating"], lists["day"])
    return b"|".join(part.tobytes() for part in parts)
