"""The ledger as the array kernel reads it: sections, crosstables, people, decisions, and everybody's state before."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

from crosstable.model import KINDS, Section
from crosstable.office.ledger import revisions
from crosstable.office.ledger.packing import GAME_WIDTH, INT, Array
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.rating import facts, timeline
from crosstable.office.rating.before import Before, Stretches
from crosstable.office.rating.timeline import Decision, Placed, entry_table
from crosstable.replay import history as arrays
from crosstable.replay.history import History
from crosstable.replay.rules import rows_of_sections, rules_in_force
from crosstable.replay.state import MATCH_CHANGE, NO_MATCH, UNRATED, States, unrated
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.classification import dual_rated
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.fide_events import not_asked_for, not_standard
from crosstable.systems.us_chess.pools import KEYS

# From packed crosstables to the arrays of a replay: re-entries merged, everybody's games in order of rounds.

_ROUND_BITS, _FIELD_BITS, _RESULT_BITS = 12, 17, 2


@dataclass(frozen=True, slots=True)
class Crosstables:
    """Many sections at once: entries by section and pairing number, games by entry and round (see replay.history)."""

    entry_start: Array
    number: Array  # the entry's lowest pairing number
    player: Array  # the player's row in the ledger
    game_start: Array
    opponent: Array  # the opponent's place in the section
    half_points: Array

    def section_of(self) -> Array:
        """Each entry's section."""
        return np.repeat(np.arange(len(self.entry_start) - 1), np.diff(self.entry_start))


def crosstables(sections: Sequence[Placed]) -> Crosstables:
    """Everybody with a game, in the order in which the rules look at them (readings 21)."""
    section, entries = entry_table(sections)
    standing = _standing(section, entries)
    game_section, games = _game_table(sections)
    white = standing[_entry_of(section, entries, game_section, games[:, 1])]
    black = standing[_entry_of(section, entries, game_section, games[:, 2])]
    met = white != black
    white, black, games = white[met], black[met], games[met]

    owner, other = np.concatenate([white, black]), np.concatenate([black, white])
    played = np.bincount(owner, minlength=len(entries)) > 0
    place = np.cumsum(played) - 1
    entry_start = np.concatenate([[0], np.cumsum(np.bincount(section[played], minlength=len(sections)))]).astype(
        np.int64
    )
    in_section = place - entry_start[section] if len(entries) else place

    keys = place[owner].astype(np.int64) << (_ROUND_BITS + _FIELD_BITS + _RESULT_BITS)
    rounds = np.clip(np.tile(games[:, 0], 2), 0, 2**_ROUND_BITS - 1).astype(np.int64)
    keys |= rounds << (_FIELD_BITS + _RESULT_BITS)
    keys |= in_section[other].astype(np.int64) << _RESULT_BITS
    keys |= np.concatenate([games[:, 3], 2 - games[:, 3]])
    keys.sort()
    sides = keys >> (_ROUND_BITS + _FIELD_BITS + _RESULT_BITS)
    return Crosstables(
        entry_start=entry_start,
        number=entries[played, 0],
        player=entries[played, 1],
        game_start=np.concatenate([[0], np.cumsum(np.bincount(sides, minlength=int(played.sum())))]).astype(np.int64),
        opponent=(keys >> _RESULT_BITS & (2**_FIELD_BITS - 1)).astype(np.int32),
        half_points=(keys & (2**_RESULT_BITS - 1)).astype(np.int8),
    )


def _standing(section: Array, entries: Array) -> Array:
    """For each entry the first one of the same player in the section: entries stand by pairing number."""
    keys = section.astype(np.int64) << 32 | entries[:, 1]
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    found: Array = first[inverse]
    return found


def _game_table(sections: Sequence[Placed]) -> tuple[Array, Array]:
    counts = [len(section.games) // (INT.itemsize * GAME_WIDTH) for section in sections]
    games = np.frombuffer(b"".join(section.games for section in sections), INT).reshape(-1, GAME_WIDTH)
    return np.repeat(np.arange(len(sections)), counts), games


def _entry_of(section: Array, entries: Array, game_section: Array, numbers: Array) -> Array:
    """Return the entry with that pairing number in the game's section."""
    have = section.astype(np.int64) << 32 | entries[:, 0]
    return np.searchsorted(have, game_section.astype(np.int64) << 32 | numbers)


NAME = "us_chess"
#: The first day of the count of days that polars keeps, as an ordinal
_EPOCH = date(1970, 1, 1).toordinal()
#: Counts of a state that are always known
COUNTS = ("three_game_events", "games_above_2200", "assigned_games")


@dataclass(frozen=True, slots=True)
class KernelInput:
    """A run's sections as the kernel reads them."""

    sections: Sequence[Placed]
    tables: Crosstables
    players: Array  # ids in the ledger, by the kernel's players: one for each stretch of a player's record (see before)
    history: History
    before: States
    counted: Array  # per game: does it count? In foreign FIDE events those against opponents without a rating do not
    extras: Mapping[tuple[int, str], str]  # (kernel's player, pool) → what the row before carries beyond the columns


@dataclass(frozen=True, slots=True)
class _Last:
    """The last rows before each stretch."""

    states: States
    position: Array  # [kernel's player, pool]; 0: there is none
    extras: Mapping[tuple[int, str], str]  # (kernel's player, pool) → what the row carries beyond the columns


def kernel_input(sections: Sequence[Placed], start: Before, profile: str) -> KernelInput:
    """Read all that a run of these sections needs."""
    tables = crosstables(sections)
    stretches = start.stretches(tables.player)
    positions = np.array([section.position for section in sections], np.int64)
    own = stretches.of(tables.player, positions[tables.section_of()])
    last = _last_rows(stretches, start)
    asked = _whose_facts(sections, tables, np.isnan(last.states.ratings["rating"])[own])
    people, person = np.unique(stretches.player, return_inverse=True)
    history = History(
        sections=_headings(sections, profile),
        entry_start=tables.entry_start,
        entry_player=own.astype(np.int32),
        entry_counts=np.ones(len(tables.player), np.bool_),
        game_start=tables.game_start,
        opponent=tables.opponent,
        half_points=tables.half_points,
        players=facts.player_table(people, asked)[person],
        entry_facts=facts.entry_facts(tables.player, _event_ends(sections, tables), asked) + _granted(sections, tables),
        ids=stretches.player.tolist(),
        foreign=facts.foreign_table(stretches.player, known := facts.external(asked)),
        adjustments=_adjustments(sections, stretches, start, last.position),
    )
    counted = _count_fide_games(sections, tables, history, known, profile)
    return KernelInput(
        sections=sections,
        tables=tables,
        players=stretches.player,
        history=history,
        before=last.states,
        counted=counted,
        extras=last.extras,
    )


def _whose_facts(sections: Sequence[Placed], tables: Crosstables, unrated_in: Array) -> list[int]:
    """Facts make first ratings, and whose games abroad count: those who are rated in a pool need none there.

    `unrated_in`: for each entry, the pools in which the player comes without a rating.
    """
    section = tables.section_of()
    abroad = np.array([one.kind == "fide" for one in sections])[section]
    pools = np.zeros((len(sections), len(KEYS)), np.bool_)
    for place, one in enumerate(sections):
        pools[place, [KEYS.index(key) for key in one.us_chess_keys]] = True
    new = (unrated_in & pools[section]).any(axis=1)
    return [int(player) for player in np.unique(tables.player[new | abroad])]


def _granted(sections: Sequence[Placed], tables: Crosstables) -> Array:
    """Each entry's granted lower floors: the kernel lowers the floor that binds in the match (readings 44)."""
    table = np.zeros(len(tables.player), np.int16)
    matches = [place for place, one in enumerate(sections) if one.kind == "match"]
    granted = timeline.granted_floors(sections[place].id for place in matches) if matches else {}
    for place in matches if granted else ():
        for entry in range(int(tables.entry_start[place]), int(tables.entry_start[place + 1])):
            pools = granted.get((sections[place].id, int(tables.player[entry])), ())
            table[entry] = sum(arrays.GRANTED << KEYS.index(pool) for pool in pools)
    return table


def _event_ends(sections: Sequence[Placed], tables: Crosstables) -> Array:
    """Return the last day of each entry's event."""
    return np.array([section.event_end.toordinal() for section in sections], np.int32)[tables.section_of()]


def _headings(sections: Sequence[Placed], profile: str) -> Array:
    """Sections of history tables may have begun before the first rules, and their half-K after its end: they were
    rated.
    """
    table = np.zeros(len(sections), arrays.SECTION)
    for index, section in enumerate(sections):
        first, second = (*section.us_chess_keys, None)[:2]
        table[index] = (
            section.start.toordinal(),
            section.end.toordinal(),
            section.event_end.toordinal(),
            KEYS.index(first or ""),
            KEYS.index(second) if second else arrays.NO_POOL,
            KINDS.index(section.kind),
            arrays.HALF if section.weight == "half" else arrays.FULL,
            section.youth,
            _dual(section, profile),
        )
    brought = np.array([section.history for section in sections])
    first_day = rulebook(NAME).first.toordinal()
    table["start_day"] = np.where(brought, np.maximum(table["start_day"], first_day), table["start_day"])
    rows, place = rows_of_sections(rules_in_force(profile), table, profile)
    no_half = rows["half_k_weight"][place] == 0
    table["weight"] = np.where(brought & no_half, arrays.FULL, table["weight"])
    return table


def _dual(section: Placed, profile: str) -> bool:
    """Return whether the time control is dual-rated. Only a match may count in fewer pools than its control gives
    (readings 39).
    """
    keys = section.us_chess_keys
    if section.kind != "match" or section.history or len(keys) == 2:
        return len(keys) == 2
    rules = rules_of(section.start, section.end, section.event_end, profile)
    return dual_rated(rules, section.mode, section.time_control, keys)


def _last_rows(stretches: Stretches, start: Before) -> _Last:
    """Everybody's last ratings before each stretch, and the rows that hold them."""
    players = stretches.player
    states, position = unrated(len(players)), np.zeros((len(players), len(KEYS)), np.int64)
    found = start.rows(None if len(players) > facts.MANY else players.tolist()).filter(pl.col("pool").is_in(KEYS))
    if start.known is None:
        found = found.filter(pl.col("player_id").is_in(players.tolist()))
        found = found.with_columns(stretch=np.searchsorted(players, found["player_id"].to_numpy()))
    if not len(found):
        return _Last(states, position, {})
    stretch = found["stretch"].to_numpy()
    pool = found["pool"].replace_strict({name: index for index, name in enumerate(KEYS)}).to_numpy()
    table = np.full(len(found), UNRATED, states.ratings.dtype)
    for field, column in (
        ("rating", "post"),
        *((name, name) for name in ("peak", "prize_floor", "ceiling", "lowered_floor", "lowered_from")),
    ):
        table[field] = found[column].fill_null(float("nan")).to_numpy()
    for field in ("wins", "draws", "losses"):
        table[field] = found[field].fill_null(-1).to_numpy()
    for field, column in (("games", "state_games"), *((name, name) for name in COUNTS)):
        table[field] = found[column].to_numpy()
    table["life_master"] = found["life_master"].to_numpy() == 1
    table["day"] = found["day"].str.to_date("%Y-%m-%d").to_physical().to_numpy() + _EPOCH
    texts = found["extra"]
    carried = [(place, texts[place]) for place in np.flatnonzero(texts.is_not_null().to_numpy()).tolist()]
    table["last_match"], matches = _match_log(len(found), carried)
    states.ratings[stretch, pool] = table
    position[stretch, pool] = found["position"].to_numpy()
    extras = {(int(stretch[place]), KEYS[pool[place]]): text for place, text in carried}
    return _Last(States(states.ratings, matches), position, extras)


def _match_log(count: int, carried: Iterable[tuple[int, str]]) -> tuple[Array, Array]:
    """Return the match changes that rows carry, as the kernel's log;
    rows that carry the same share their place in it.
    """
    last = np.full(count, NO_MATCH, np.int32)
    log: list[tuple[float, int, int, int]] = []
    places: dict[str, int] = {}
    for row, text in carried:
        if text not in places:
            place = NO_MATCH
            for match in json.loads(text).get("match_changes", ()):
                log.append((match["change"], date.fromisoformat(match["date"]).toordinal(), 0, place))
                place = len(log) - 1
            places[text] = place
        last[row] = places[text]
    return last, np.array(log, MATCH_CHANGE)


def _adjustments(sections: Sequence[Placed], stretches: Stretches, start: Before, held: Array) -> Array:
    """Return the office's decisions as the kernel reads them: those that no row holds yet, then those that lie ahead.

    `held`: the position of the last row before each stretch in each pool.
    """
    players = stretches.player
    wanted = None if len(players) > facts.MANY else with_duplicates(players.tolist())
    places = [section.position for section in sections]
    decisions = [one for one in start.decisions(places[-1], wanted) if one.pool in KEYS]
    position = np.array([one.position for one in decisions], np.int64)
    pool = np.array([KEYS.index(one.pool) for one in decisions], np.int64)
    section = np.searchsorted(places, position, side="right")
    who = np.array([one.player for one in decisions], np.int64)
    first = np.searchsorted(players, who)
    count = np.searchsorted(players, who, side="right") - first
    decision = np.repeat(np.arange(len(decisions)), count)  # once for each stretch of the player
    stretch = first[decision] + np.arange(len(decision)) - np.repeat(np.cumsum(count) - count, count)
    counts = (section[decision] < len(sections)) & (position[decision] >= held[stretch, pool[decision]])
    found = []
    for one, own in zip(decision[counts].tolist(), stretch[counts].tolist(), strict=True):
        found += _orders(decisions[one], int(section[one]), own)
    return np.array(found, arrays.ADJUSTMENT)


def _orders(decision: Decision, section: int, player: int) -> list[tuple[float, int, int, int, int]]:
    """Field by field, the rating first: only with one is there a record for the others."""
    pool = KEYS.index(decision.pool)
    fields = decision.fields if decision.lift is None else {**decision.fields, "at_least": decision.lift}
    orders = [(field, fields[field]) for field in arrays.ADJUSTABLE if field in fields]
    for match in fields.get("match_changes", ()):  # of a record that a report brought
        orders += [("match_day", match["date"]), ("match_change", match["change"])]
    return [(_number(value), section, player, pool, arrays.ADJUSTABLE.index(field)) for field, value in orders]


def _number(value: Any) -> float:
    if value is None:
        return float("nan")
    return float(date.fromisoformat(value).toordinal() if isinstance(value, str) else value)


def _section_of(placed: Placed) -> Section:
    """Return a section as its event's document has it."""
    return next(one for one in revisions.document(id=placed.event).sections if one.number == placed.number)


def _count_fide_games(
    sections: Sequence[Placed],
    tables: Crosstables,
    history: History,
    known: Mapping[int, list[tuple[date, str, float]]],
    profile: str,
) -> Array:
    """2025 §6: members with the USA flag and a high FIDE rating, or who opted in, have their foreign games counted.

    Whose games count goes into the history; which games count, those against FIDE-rated opponents, is the answer.
    """
    counted = np.ones(len(tables.opponent), np.bool_)
    abroad = [section.event for section in sections if section.kind == "fide"]
    starts, list_days = (timeline.event_starts(abroad), timeline.fide_list_days(abroad)) if abroad else ({}, {})
    for index, section in enumerate(sections):
        if section.kind != "fide":
            continue
        in_advance = starts[section.event] - timedelta(days=1)
        first, last = tables.entry_start[index], tables.entry_start[index + 1]
        entrants = tables.player[first:last]
        people, members = facts.facts(entrants), facts.memberships(entrants)
        rules = rules_of(section.start, section.end, section.event_end, profile)
        standard = not_standard(rules, _section_of(section)) is None
        listed = [facts.on_day(known.get(player, ()), "fide", section.end) for player in entrants.tolist()]
        games = slice(tables.game_start[first], tables.game_start[last])
        counted[games] = np.array([fide is not None for fide in listed], np.bool_)[tables.opponent[games]]
        for entry, player in enumerate(entrants.tolist(), int(first)):
            one, joined = people[player], members.get(player, ())
            member = facts.is_member(joined, section.event_end, otherwise=False)
            # readings 37: flag and rating of the list that includes the event
            on_list = max(section.end, list_days.get(section.event, section.end))
            fide = facts.on_day(known.get(player, ()), "fide", on_list)
            listing = fide.rating if fide is not None else None
            flag, opted_in = one.on("usa_flag", on_list), one.on("fide_opt_in", in_advance)
            why_not = not_asked_for(rules, member, flag, listing, opted_in)
            history.entry_counts[entry] = standard and why_not is None
    return counted
