"""US Chess sections of a run, through the array kernel: ledger → arrays → replay → rating rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

import numpy as np
import polars as pl

from crosstable.model import KINDS, MatchChange, Rating
from crosstable.office.ledger.packing import Array
from crosstable.office.rating import rows, signature
from crosstable.office.rating.before import Before
from crosstable.office.rating.kernel_input import COUNTS, KernelInput, kernel_input
from crosstable.office.rating.section_results import Computed
from crosstable.office.rating.signature import Signature
from crosstable.office.rating.timeline import Placed
from crosstable.replay.history import GRANTED
from crosstable.replay.rules import rows_of_sections, rules_in_force
from crosstable.replay.state import NO_MATCH, match_changes
from crosstable.replay.us_chess import RATED, Replayed, replay, replay_few, worth_compiling
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.pools import KEYS

Progress = Callable[[int, int], None]

#: What a rating row is made of, as bytes that have one order and no gaps
_OUTCOME = np.dtype(
    [
        ("player", np.int64),
        ("number", np.int32),
        ("pool", np.int8),
        ("prior", np.float64),
        ("post", np.float64),
        ("prior_games", np.int32),
        ("source", np.int8),
        ("flags", np.uint8),
        ("peak", np.float64),
        ("prize_floor", np.float64),
        ("ceiling", np.float64),
        ("lowered_floor", np.float64),
        ("lowered_from", np.float64),
        ("games", np.int32),
        ("wins", np.int32),
        ("draws", np.int32),
        ("losses", np.int32),
        ("three_game_events", np.int32),
        ("games_above_2200", np.int32),
        ("assigned_games", np.int32),
        ("life_master", np.bool_),
        ("extra", np.int64),
    ]
)


def rate(sections: Sequence[Placed], start: Before, profile: str, progress: Progress | None = None) -> Computed:
    """All these sections in their order, from everybody's state before the first."""
    sections = [section for section in sections if section.us_chess_keys]
    if not sections:
        return Computed({}, lambda _: rows.empty())
    read = kernel_input(sections, start, profile)
    if worth_compiling(read.history):
        done = replay(read.history, read.before, profile=profile, keep_states=True, progress=progress)
    else:
        done = replay_few(read.history, read.before, profile=profile)
    rated = ~np.isnan(done.rows["post"])
    assert done.row_states is not None  # asked for  # noqa: S101
    done.row_states["last_match"][~rated] = NO_MATCH  # a row without a new rating has no state
    history = read.history
    width = np.diff(history.entry_start)
    section = np.repeat(np.arange(len(sections)), np.diff(done.row_start))
    entry = history.entry_start[section] + (np.arange(len(section)) - done.row_start[section]) % width[section]
    extra = _extras(done)
    signatures = _signatures(
        read, done, _inputs(read, done, entry, extra, rated), _outcomes(read, done, entry, extra), profile
    )
    ids = np.array([placed.id for placed in sections], np.int64)

    def of(wanted: set[int] | None) -> pl.DataFrame:
        chosen = rated if wanted is None else rated & np.isin(ids, list(wanted))[section]
        return _frame(read, done, np.flatnonzero(chosen), sections=section, entries=entry, extra=extra)

    return Computed(signatures, of)


def _extras(done: Replayed) -> list[str | None]:
    """Only those who played matches carry more than the columns hold."""
    assert done.row_states is not None  # noqa: S101  asked for
    extra: list[str | None] = [None] * len(done.rows)
    log = done.row_states["last_match"]
    words: dict[int, str | None] = {}
    for index in np.flatnonzero(log != NO_MATCH).tolist():
        last = int(log[index])
        if last not in words:
            changes = match_changes(last, done.states.matches)
            words[last] = _words_of(changes) if changes else None
        extra[index] = words[last]
    return extra


@lru_cache(maxsize=2**16)
def _words_of(changes: tuple[MatchChange, ...]) -> str | None:
    """Return the matches as text; a player carries the same ones from row to row."""
    return rows.extra_of(Rating(0.0, match_changes=changes))


def _frame(
    read: KernelInput, done: Replayed, chosen: Array, sections: Array, entries: Array, extra: list[str | None]
) -> pl.DataFrame:
    """Return the chosen rows as the ledger has them."""
    assert done.row_states is not None  # noqa: S101  asked for
    result, state, tables = done.rows[chosen], done.row_states[chosen], read.tables
    section, entry = sections[chosen], entries[chosen]
    ids = np.array([placed.id for placed in read.sections], np.int64)
    positions = np.array([placed.position for placed in read.sections], np.int64)
    points = np.concatenate([[0], np.cumsum(tables.half_points * read.counted, dtype=np.int64)])
    games = np.concatenate([[0], np.cumsum(read.counted, dtype=np.int64)])
    first, last = tables.game_start[entry], tables.game_start[entry + 1]
    columns: dict[str, Any] = {
        "section_id": ids[section],
        "pool": np.array(KEYS)[result["pool"]],
        "player_id": tables.player[entry],
        "position": positions[section],
        "number": tables.number[entry],
        "prior": result["prior"],
        "prior_games": result["prior_games"],
        "initialized": result["source"] != RATED,
        "games": games[last] - games[first],
        "score": (points[last] - points[first]) / 2,
        "post": result["post"],
        "state_games": state["games"],
        "life_master": state["life_master"],
        "flags": result["flags"],
        "extra": pl.Series([extra[row] for row in chosen.tolist()], dtype=pl.String),
        **{name: state[name] for name in ("wins", "draws", "losses", *COUNTS)},
        **{name: state[name] for name in ("peak", "prize_floor", "ceiling", "lowered_floor", "lowered_from")},
    }
    table = pl.DataFrame({name: columns[name] for name in rows.COLUMNS}, schema_overrides={"pool": pl.String})
    unknown = [pl.col(name).replace(-1, None) for name in ("wins", "draws", "losses")]
    numbers = ("prior", "peak", "prize_floor", "ceiling", "lowered_floor", "lowered_from")
    none = [pl.col(name).fill_nan(None) for name in numbers]
    return table.cast(pl.Schema(rows.COLUMNS)).with_columns(unknown + none)


def _inputs(read: KernelInput, done: Replayed, entry: Array, extra: list[str | None], rated: Array) -> Array:
    """Return what each row's player came with, as a few numbers: the state before, and what decisions made of it.

    They are the same wherever the run began: what came before is a row of the run, or the last one before it.
    """
    state, result = done.row_states, done.rows
    assert state is not None  # noqa: S101  asked for
    owner = read.history.entry_player[entry].astype(np.int64) * len(KEYS) + result["pool"]
    previous = _previous(owner, rated)
    first = read.before.ratings.reshape(-1)
    counts = ("wins", "draws", "losses", "three_game_events", "games_above_2200", "peak")
    own = [
        np.where(previous >= 0, state[field][previous], first[field][owner])
        for field in (*counts, "lowered_floor", "lowered_from")
    ]
    own += [state[field] for field in ("prize_floor", "ceiling", "life_master")]
    own += [result[field] for field in ("prior", "prior_games", "source")]
    table = np.stack([*own, np.zeros(len(owner))], axis=1, dtype=np.float64)
    kinds = read.history.sections["kind"]
    matches = np.repeat(kinds == KINDS.index("match"), np.diff(done.row_start))
    for index in np.flatnonzero(matches).tolist():
        if previous[index] >= 0:
            carried = extra[previous[index]]
        else:
            carried = read.extras.get((int(read.history.entry_player[entry[index]]), KEYS[result["pool"][index]]))
        table[index, -1] = _as_number(carried) if carried else 0.0
    return table


def _previous(owner: Array, rated: Array) -> Array:
    """Each row's last row before it of the same player and pool that has a rating; -1 where the run has none."""
    order = np.lexsort((np.arange(len(owner)), owner))
    place = np.where(rated[order], np.arange(len(order)), -1)
    before = np.concatenate([[-1], np.maximum.accumulate(place)[:-1]]) if len(place) else place
    same = (before >= 0) & (owner[order[before]] == owner[order])
    previous = np.full(len(owner), -1, np.int64)
    previous[order] = np.where(same, order[before], -1)
    return previous


def _outcomes(read: KernelInput, done: Replayed, entry: Array, extra: list[str | None]) -> Array:
    """Everything that a row says, so that two runs can be compared without reading the rows of the first."""
    state, result = done.row_states, done.rows
    assert state is not None  # noqa: S101  asked for
    table = np.zeros(len(result), _OUTCOME)
    table["player"], table["number"] = read.tables.player[entry], read.tables.number[entry]
    for name in ("pool", "prior", "post", "prior_games", "source", "flags"):
        table[name] = result[name]
    for name in _OUTCOME.names[8:-1] if _OUTCOME.names else ():
        table[name] = state[name]
    for index in np.flatnonzero(state["last_match"] != NO_MATCH).tolist():
        table["extra"][index] = _as_number(extra[index])
    return table


@lru_cache(maxsize=2**16)
def _as_number(text: str | None) -> int:
    return int(signature.short((text or "").encode())[:12], 16)


def _signatures(
    read: KernelInput, done: Replayed, inputs: Array, outcomes: Array, profile: str
) -> dict[int, Signature]:
    headings = read.history.sections
    _, in_force = rows_of_sections(rules_in_force(profile), headings, profile)
    rows_used, examples = np.unique(in_force, return_index=True)
    hashes = {int(row): _rules_hash(headings[one], profile) for row, one in zip(rows_used, examples, strict=True)}
    came, width = np.ascontiguousarray(inputs).tobytes(), inputs.shape[1] * inputs.itemsize
    went, size = outcomes.tobytes(), outcomes.itemsize
    found = {}
    for index, section in enumerate(read.sections):
        first, last = int(done.row_start[index]), int(done.row_start[index + 1])
        beside = _fide_inputs(read, index) if section.kind == "fide" else _granted_inputs(read, index)
        found[section.id] = Signature(
            signature.results_of(section),
            hashes[int(in_force[index])],
            signature.short(came[first * width : last * width], beside),
            signature.short(went[first * size : last * size]),
        )
    return found


def _rules_hash(heading: Any, profile: str) -> str:
    start, end, event_end = (date.fromordinal(int(heading[day])) for day in ("start_day", "end_day", "event_end_day"))
    return rules_of(start, end, event_end, profile).hash[:8]


def _granted_inputs(read: KernelInput, index: int) -> bytes:
    """Which lower floors were granted after this match; nothing in nearly all sections."""
    history = read.history
    facts = history.facts_of_entries()[int(history.entry_start[index]) : int(history.entry_start[index + 1])]
    granted: Array = facts // GRANTED
    return granted.tobytes() if granted.any() else b""


def _fide_inputs(read: KernelInput, index: int) -> bytes:
    """In a foreign FIDE event also the opponents' FIDE ratings and whose games count."""
    history = read.history
    entries = slice(int(history.entry_start[index]), int(history.entry_start[index + 1]))
    end = date.fromordinal(int(history.sections["end_day"][index])) + timedelta(days=1)
    known = history.foreign[np.isin(history.foreign["player"], history.entry_player[entries])]
    lists = known[known["day"] < end.toordinal()]
    listed = read.players[lists["player"]]
    parts: tuple[Array, ...] = (history.entry_counts[entries], listed, lists["rating"], lists["day"])
    return b"|".join(part.tobytes() for part in parts)
