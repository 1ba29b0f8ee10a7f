"""A federation's history, replayed under the US Chess rules: every section, every pool, from the first day on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from crosstable.errors import CrosstableError
from crosstable.model import KINDS
from crosstable.replay import compiled, kernel
from crosstable.replay.arrays import Floats
from crosstable.replay.history import HALF, NO_POOL, Array, History, layout
from crosstable.replay.kernel import FIDE_EVENT, FLOOR_REQUEST, FLOORED, LIMITED, LOWERED, MATCH, RATED, SPECIAL
from crosstable.replay.periods import loop
from crosstable.replay.rules import RulesByDay, RuleTable, deciding_days, rows_by_days, rules_by_day, rules_in_force
from crosstable.replay.state import MATCH_CHANGE, STATE, States, unrated
from crosstable.rulebook import AS_WRITTEN
from crosstable.systems.us_chess.initial import SOURCES
from crosstable.systems.us_chess.update import years_before

#: What a section did to one entry in one pool. A row without a new rating (a FIDE event that does not count for this
#: player) has `post` NaN. `source` says where an initial rating came from (see systems.us_chess.initial), or RATED.
ROW = layout({np.float64: "prior post", np.int32: "prior_games post_games", np.int8: "source pool", np.uint8: "flags"})

#: The modules that make one compiled program; a later one may use an earlier one
PROGRAM = (
    "crosstable.systems.us_chess.pools",
    "crosstable.systems.us_chess.formulas",
    "crosstable.systems.us_chess.initial",
    "crosstable.systems.us_chess.steps",
    "crosstable.systems.us_chess.aftermath",
    "crosstable.replay.kernel",
)
CHUNK = 1_000_000  # games between two reports of progress
#: So many sides of games a process replays with the kernel as it is written, before it takes the time to compile it
PLAIN = 60_000


class Checkpoint(NamedTuple):
    """Return all players' ratings just before a section."""

    section: int
    states: States


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay found. Section s has rows from `row_start[s - first]` on: entries in its first pool, then its
    second.
    """

    first: int  # the first section replayed
    rows: Array  # ROW
    row_start: Array  # int64, one more than the sections replayed
    states: States  # after the last section
    checkpoints: tuple[Checkpoint, ...]
    row_states: Array | None  # STATE after each row, if asked for


Progress = Callable[[int, int], None]


@dataclass(slots=True)
class _Run:
    """A replay on its way: the kernel's arrays, and how far it has come."""

    tables: kernel.Tables
    carried: kernel.Carried
    scratch: tuple[Any, ...]
    section: int
    adjusted: int
    logged: int
    source: ModuleType = kernel  # compiled or not

    def advance(self, last: int) -> None:
        """Up to section `last`."""
        if last > self.section:
            run = self.source.replay_sections
            counters = run(self.section, last, self.adjusted, self.logged, self.tables, self.carried, *self.scratch)
            self.adjusted, self.logged = (int(number) for number in counters)
            self.section = last

    def replayed(self, first: int, kept: Sequence[Checkpoint], keep_states: bool) -> Replayed:
        return Replayed(
            first=first,
            rows=np.asarray(self.carried.rows),
            row_start=self.tables.row_start[first:],
            states=self.states(),
            checkpoints=tuple(kept),
            row_states=np.asarray(self.carried.row_states) if keep_states else None,
        )

    def states(self) -> States:
        """As they stand; the match log without the room left in it."""
        return States(np.asarray(self.carried.states), np.asarray(self.carried.matches)[: self.logged])


def replay(
    history: History,
    states: States | None = None,
    *,
    profile: str = AS_WRITTEN,
    rules: RulesByDay | RuleTable | None = None,
    first: int = 0,
    checkpoints: Sequence[int] = (),
    keep_states: bool = False,
    progress: Progress | None = None,
) -> Replayed:
    """Every section from `first` on, starting from `states` (without them no one is rated), which stay as they are.

    `rules` gives other numbers than the profile's, by deciding day. `checkpoints` are section numbers before which the
    states are kept; `keep_states` keeps each row's state after it. `progress` hears (games done, games in all).
    """
    run = _start(history, states or unrated(len(history.players)), profile, rules, first, keep_states)
    run.source = program()
    kept = []
    for stop in _stops(history, first, checkpoints, progress is not None):
        run.advance(stop)
        if stop in checkpoints:
            kept.append(Checkpoint(stop, run.states().copy()))
        if progress is not None:
            progress(_games(history, first, stop), _games(history, first, len(history.sections)))
    return run.replayed(first, kept, keep_states)


def replay_few(history: History, states: States | None = None, *, profile: str = AS_WRITTEN) -> Replayed:
    """Replay without compiling, with each row's state: a few games take less time than the compilation would.

    The results are those of `replay`, bit for bit.
    """
    run = _start(history, states or unrated(len(history.players)), profile, None, 0, keep_states=True)
    run.tables = run.tables._replace(rules=_as_objects(run.tables.rules))
    run.advance(len(history.sections))
    return run.replayed(0, (), keep_states=True)


def predictions(
    history: History,
    replayed: Replayed,
    *,
    profile: str = AS_WRITTEN,
    rules: RulesByDay | RuleTable | None = None,
) -> Floats:
    """Return the expected score of every side of every game, in the order of `history.opponent`, before its section
    was rated.

    From the ratings (or initial ratings) with which the section began, in its first pool. Sections before the first one
    replayed, and foreign FIDE events, have none: NaN.
    """
    rows, in_force = _in_force(history, profile, rules)
    sections, entries = len(history.sections), len(history.entry_player)
    section = np.repeat(np.arange(sections), np.diff(history.entry_start))
    place = np.arange(entries) - history.entry_start[section]
    row = replayed.row_start[np.maximum(section - replayed.first, 0)] + place
    known = (section >= replayed.first) & (history.sections["kind"][section] != KINDS.index("fide"))
    prior = np.full(entries, np.nan)
    prior[known] = replayed.rows["prior"][row[known]]
    entry = np.repeat(np.arange(entries), np.diff(history.game_start))
    opponent = history.entry_start[section[entry]] + history.opponent
    return expectations(rows, in_force[section[entry]], prior[entry], prior[opponent])


def expectations(rows: Array, in_force: Array, own: Floats, opponent: Floats) -> Floats:
    """Return the expected score of games, by the row of rules that is in force for each."""
    found = np.zeros(len(own), np.float64)
    loop("us_chess").expect(rows, in_force, own, opponent, found)
    return found


def nearest(checkpoints: Sequence[Checkpoint], section: int) -> Checkpoint | None:
    """Return the last checkpoint from which a correction in this section can be replayed; None:
    start at the beginning.
    """
    return max((kept for kept in checkpoints if kept.section <= section), key=lambda kept: kept.section, default=None)


@cache
def program() -> ModuleType:
    """Return the kernel, compiled together with the formulas; once per process, from the cache where there is one."""
    return compiled.load(PROGRAM, allocates=False)[-1]


_sides_replayed = 0


def worth_compiling(history: History) -> bool:
    """Whether this history, or what this process has replayed before, is large enough to compile the kernel."""
    global _sides_replayed  # noqa: PLW0603  a count for the whole process
    _sides_replayed += len(history.opponent)
    return _sides_replayed > PLAIN


def _as_objects(rules: Array) -> list[SimpleNamespace]:
    """Return the rows of rules with plain numbers:
    without compilation a record array spends most of the time on attributes.
    """
    return [SimpleNamespace(**dict(zip(rules.dtype.names or (), row, strict=True))) for row in rules.tolist()]


def _start(
    history: History,
    states: States,
    profile: str,
    rules: RulesByDay | RuleTable | None,
    first: int,
    keep_states: bool,
) -> _Run:
    tables = _tables(history, profile, rules, first)
    orders = history.adjustments[history.adjustments["section"] >= first]
    matches = _match_rows(history, first) + int((orders["field"] == kernel.MATCH_DAY).sum())
    log = np.zeros(len(states.matches) + matches, MATCH_CHANGE)
    log[: len(states.matches)] = states.matches
    rows = int(tables.row_start[-1])
    carried = kernel.Carried(
        states=states.ratings.astype(STATE, copy=True).view(np.recarray),
        matches=log.view(np.recarray),
        rows=np.zeros(rows, ROW).view(np.recarray),
        row_states=np.zeros(rows if keep_states else 0, STATE).view(np.recarray),
    )
    adjusted = int(np.searchsorted(history.adjustments["section"], first))
    return _Run(tables, carried, _scratch(history), first, adjusted, len(states.matches))


def _tables(history: History, profile: str, rules: RulesByDay | RuleTable | None, first: int) -> kernel.Tables:
    rule_rows, in_force = _in_force(history, profile, rules)
    _refuse_half_k(history, rule_rows, in_force)
    pools = 1 + (history.sections["second"] != NO_POOL)
    rows = np.where(np.arange(len(pools)) < first, 0, np.diff(history.entry_start) * pools)
    return kernel.Tables(
        sections=history.sections.view(np.recarray),
        entry_start=history.entry_start,
        entry_player=history.entry_player,
        entry_counts=history.entry_counts,
        entry_facts=history.facts_of_entries(),
        game_start=history.game_start,
        opponent=history.opponent,
        half_points=history.half_points,
        players=history.players.view(np.recarray),
        foreign=history.foreign.view(np.recarray),
        adjustments=history.adjustments.view(np.recarray),
        foreign_start=np.searchsorted(history.foreign["player"], np.arange(len(history.players) + 1)),
        rules=rule_rows,
        section_rules=in_force,
        match_since=_match_since(history.sections, rule_rows, in_force),
        row_start=np.concatenate([[0], np.cumsum(rows)]).astype(np.int64),
    )


def _in_force(history: History, profile: str, rules: RulesByDay | RuleTable | None) -> tuple[Array, Array]:
    """Rows of rules, and which of them applies to each section."""
    days = deciding_days(history.sections, profile)
    table = rules or rules_in_force(profile)
    if not isinstance(table, RuleTable):
        table = rules_by_day(table, days)
    return rows_by_days(table, days, history.sections["end_day"], profile)


def _refuse_half_k(history: History, rules: Array, in_force: Array) -> None:
    without = (history.sections["weight"] == HALF) & (rules["half_k_weight"][in_force] == 0)
    if without.any():
        place = int(np.argmax(without))
        day = date.fromordinal(int(history.sections["start_day"][place]))
        raise CrosstableError(
            f"section {place} of {day} is a half-K event, but the rules know none then; use full weight"
        )


def _match_since(sections: Array, rules: Array, in_force: Array) -> Array:
    """Return the first day of the three years before each match."""
    since = np.zeros(len(sections), np.int32)
    for place in np.flatnonzero(sections["kind"] == MATCH):
        end = date.fromordinal(int(sections["end_day"][place]))
        since[place] = years_before(end, int(rules["match_years"][in_force[place]])).toordinal()
    return since


def _match_rows(history: History, first: int) -> int:
    """How many match changes a replay can log."""
    sections = history.sections[first:]
    field = np.diff(history.entry_start)[first:] * (1 + (sections["second"] != NO_POOL))
    return int(field[sections["kind"] == MATCH].sum())


def _scratch(history: History) -> tuple[Any, ...]:
    """Return the kernel's room for the largest section."""
    field = int(np.diff(history.entry_start).max(initial=0))
    games = int(np.diff(history.game_start[history.entry_start]).max(initial=0))
    types = (np.float64, np.int64, np.int8, np.bool_, np.int64)
    return (
        kernel.KernelField(*(np.empty((2, field), kind) for kind in types)),
        kernel.StepScratch(
            start=np.empty(field + 1, np.int64),
            facing=np.empty(games),
            **{name: np.empty(field) for name in kernel.StepScratch._fields if name not in ("start", "facing")},
        ),
        kernel.SourceScratch(np.full(SOURCES, np.nan), np.zeros(SOURCES, np.int64), np.zeros(SOURCES, np.int64)),
        kernel.Abroad(np.empty(games), np.empty(games, np.int32), np.empty(games, np.int8)),
    )


def _stops(history: History, first: int, checkpoints: Sequence[int], often: bool) -> Iterator[int]:
    """Where the kernel pauses: at checkpoints, and every million games if someone watches."""
    last = len(history.sections)
    stops = {stop for stop in checkpoints if first <= stop <= last} | {last}
    if often:
        games = history.game_start[history.entry_start]
        marks = np.searchsorted(games, np.arange(games[first], games[-1], 2 * CHUNK))
        stops |= {int(mark) for mark in marks if first < mark < last}
    yield from sorted(stops)


def _games(history: History, first: int, last: int) -> int:
    games = history.game_start[history.entry_start[[first, last]]]
    return int(games[1] - games[0]) // 2


__all__ = [
    "FIDE_EVENT",
    "FLOORED",
    "FLOOR_REQUEST",
    "LIMITED",
    "LOWERED",
    "RATED",
    "ROW",
    "SPECIAL",
    "Checkpoint",
    "Replayed",
    "expectations",
    "nearest",
    "predictions",
    "program",
    "replay",
]
