"""Results in the ledger as title systems see them: a record for each player of each section that may hold a norm.

Most results are nowhere near a norm. An estimate over whole arrays leaves those out; the title system decides on the
rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt

from crosstable.office.ledger import documents
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import merged_players
from crosstable.office.storage import bulk
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import POOLS
from crosstable.titles import EventRecord, Met, Titles1996, Titles2010
from crosstable.titles.norms import grand_prix_points, is_supernorm_event
from crosstable.titles.records import REGULAR

#: The estimate leaves out nothing that the title system could count: sums may differ in the last bits
SLACK = 1e-6

Array = npt.NDArray[Any]
Rules = Titles1996 | Titles2010

#: A section's first key of these says what chess it was; other systems' ratings earn no norms
KINDS = {**{pool.key: pool.speed for pool in POOLS}, "USCF": REGULAR}


@dataclass(frozen=True, slots=True)
class Result:
    player: int
    section: int
    position: int
    record: EventRecord


@dataclass(frozen=True, slots=True)
class _Section:
    id: int
    number: int
    event_id: int
    event: str
    day: date
    position: int
    rounds: int
    weight: str
    mode: str
    key: str
    entries: bytes
    games: bytes


@dataclass(frozen=True, slots=True)
class _Sides:
    """Every game twice, once from each side, sorted by record: places in `sections` and in the table of ratings."""

    section: Array
    own: Array
    opponent: Array
    score: Array
    starts: Array  # where a new record begins


def concerned(changed: Mapping[int, Collection[int]]) -> set[tuple[int, int]]:
    """(section, player) of those who are named and of whomever they met there: section → players."""
    found = {(section, player) for section, players in changed.items() for player in players}
    sections = _sections(sorted(changed))
    if not sections:
        return found
    place, white, black, _ = _games(sections)
    width = 1 + int(max(white.max(), black.max(), *(player for _, player in found)))
    named = np.sort([number * width + one for number, own in enumerate(sections) for one in changed[own.id]])
    named_there = [_found(named, place * width + side)[1] for side in (white, black)]
    met = np.flatnonzero(named_there[0] | named_there[1])
    ids = np.array([section.id for section in sections])[place[met]].tolist()
    return found.union(zip(ids, white[met].tolist(), strict=True), zip(ids, black[met].tolist(), strict=True))


def results(
    rules: Rules, sections: Sequence[int] | None, who: Collection[tuple[int, int]] | None = None
) -> Iterator[Result]:
    """Yield the records of these sections (nothing: of all) that can hold a norm; `who`: only those of (section,
    player).
    """
    found = [section for section in _sections(sections) if _counts(rules, section)]
    if not found:
        return
    ratings = _ratings(found, sections)
    sides = _sides(found, ratings)
    if not len(sides.starts):
        return
    scores = np.add.reduceat(sides.score, sides.starts)
    strengths = ratings["post" if isinstance(rules, Titles2010) else "prior"][sides.opponent]
    ends = np.append(sides.starts[1:], len(sides.own))
    margins = scores - np.add.reduceat(_expected(rules, strengths), sides.starts)
    likely = margins > _least_margin(rules, ends - sides.starts) - SLACK
    supernorms = _Supernorms(rules)
    for place in np.flatnonzero(likely):
        own = slice(int(sides.starts[place]), int(ends[place]))
        section = found[int(sides.section[own.start])]
        if who is not None and (section.id, int(ratings["player"][sides.own[own.start]])) not in who:
            continue
        yield _result(
            section,
            ratings,
            sides.own[own.start],
            opponents=sides.opponent[own],
            score=float(scores[place]),
            supernorms=supernorms,
        )


class _Supernorms:
    """Which sections give supernorms (1996, 5.3): by the event's name, its Grand Prix points, or its document's
    word.
    """

    def __init__(self, rules: Rules) -> None:
        self.wanted = isinstance(rules, Titles1996)
        self.known: dict[int, bool] = {}

    def of(self, section: _Section) -> bool:
        if self.wanted and section.id not in self.known:
            mark, points = self._document(section)
            self.known[section.id] = is_supernorm_event(section.event, points, mark=mark)
        return self.known.get(section.id, False)

    @staticmethod
    def _document(section: _Section) -> tuple[bool | None, float]:
        """Return the mark and the Grand Prix points that the section's document states."""
        sql = (
            "SELECT r.document, e.number FROM ledger_revision AS r JOIN ledger_event AS e ON e.id = r.event_id "
            "WHERE r.event_id = %s ORDER BY r.number DESC LIMIT 1"
        )
        for document, event in bulk.rows(sql, [section.event_id]):
            for one in documents.as_json(document, event)["sections"]:
                if one["number"] == section.number:
                    return one.get("supernorm"), grand_prix_points(one.get("notes", {}))
        return None, 0.0


def _result(
    section: _Section, ratings: dict[str, Array], own: int, opponents: Array, score: float, supernorms: _Supernorms
) -> Result:
    prior, post, players = (ratings[name][opponents].tolist() for name in ("prior", "post", "player"))
    met = tuple(Met(*one) for one in zip(prior, post, map(str, players), strict=True))
    games = int(ratings["games"][own])
    record = EventRecord(
        date=section.day,
        rounds=section.rounds,
        score=score,
        opponents=met,
        system=KINDS[section.key],
        weight=section.weight,
        supernorm=supernorms.of(section),
        rating=float(ratings["post"][own]),
        established=games > provisional_games(section.day),
        online=section.mode == "online",
        name=f"{section.position:020}",
    )
    return Result(int(ratings["player"][own]), section.id, section.position, record)


def _counts(rules: Rules, section: _Section) -> bool:
    """Whether norms can be earned there at all."""
    rule = rules.rules["norms"]
    return (
        section.rounds >= rule["fewest_rounds"]
        and KINDS[section.key] in rule["systems"]
        and section.weight in rule["weights"]
    )


def _least_margin(rules: Rules, games: Array) -> Array:
    """By how much, at least, a norm must beat the expectation."""
    if isinstance(rules, Titles1996):
        least: Array = min(rules.rules["delta"]["per_root_game"]) * np.sqrt(games)
        return least
    rule = rules.rules["norms"]
    return np.full(len(games), float(min(rule["margin"], rule["margin_missed"])))


def _expected(rules: Rules, opponents: Array) -> Array:
    """Return the lowest title's expectation of each game, never too high: a score that does not beat it earns no norm.

    The title rules give it for every whole rating; an opponent counts as the next whole rating up.
    """
    level, whole = min(rules.levels), np.ceil(opponents).astype(np.int64)
    first = int(whole.min())
    table = np.array([rules.expected(level, [float(one)]) for one in range(first, int(whole.max()) + 1)])
    expected: Array = table[whole - first]
    return expected


def _sections(wanted: Sequence[int] | None) -> list[_Section]:
    only = "1 = 1" if wanted is None else f"s.id IN ({bulk.numbers(wanted)})"
    sql = (
        'SELECT s.id, s.number, s.event_id, e.name, s."end", '  # noqa: S608  our own names and numbers
        "s.position, s.rounds, s.weight, s.mode, s.keys, s.entries, s.games "
        f"FROM ledger_section s JOIN ledger_event e ON e.id = s.event_id WHERE {only} ORDER BY s.id"
    )
    found = []
    for section, number, event, name, day, position, rounds, weight, mode, keys, entries, games in bulk.rows(sql):
        key = next((key for key in keys.split(",") if key in KINDS), "")
        if key and len(games):
            data = (bytes(entries), bytes(games))
            which = (section, number, event, name, bulk.as_date(day), position)
            found.append(_Section(*which, rounds, weight, mode, key, *data))
    return found


def _ratings(sections: Sequence[_Section], wanted: Sequence[int] | None) -> dict[str, Array]:
    """Return the rating rows in each section's own key, sorted by section and player;
    `section` is the place in `sections`.
    """
    import polars as pl

    by_pool: dict[str, list[int]] = {}
    for one in sections:
        by_pool.setdefault(one.key, []).append(one.id)
    theirs = (f"pool = '{pool}' AND section_id IN ({bulk.numbers(ids)})" for pool, ids in by_pool.items())
    only = "1 = 1" if wanted is None else " OR ".join(theirs)
    types = {"section": pl.Int64, "pool": pl.String, "player": pl.Int64, "prior": pl.Float64, "post": pl.Float64}
    table = bulk.frame(
        "SELECT section_id, pool, player_id, COALESCE(prior, post), "  # noqa: S608  our own names and numbers
        "post, COALESCE(state_games, 1000) "
        f"FROM ledger_ratingrow WHERE {only}",
        {**types, "games": pl.Int64},
    )
    places = pl.DataFrame(
        {"section": [one.id for one in sections], "pool": [one.key for one in sections]},
        schema={"section": pl.Int64, "pool": pl.String},
    ).with_row_index("place")
    joined = table.join(places, on=["section", "pool"]).sort("place", "player")
    return {name: joined[name].to_numpy() for name in ("place", "player", "prior", "post", "games")}


def _sides(sections: Sequence[_Section], ratings: dict[str, Array]) -> _Sides:
    place, white, black, halves = _games(sections)
    section = np.concatenate([place, place])
    own, rival = np.concatenate([white, black]), np.concatenate([black, white])
    score = np.concatenate([halves, 2 - halves]) / 2.0
    width = 1 + int(max(own.max(initial=0), ratings["player"].max(initial=0)))
    known = ratings["place"].astype(np.int64) * width + ratings["player"]
    own_row, own_there = _found(known, section * width + own)
    rival_row, rival_there = _found(known, section * width + rival)
    both = np.flatnonzero(own_there & rival_there)
    order = both[np.argsort(own_row[both], kind="stable")]
    rows = own_row[order]
    starts = np.flatnonzero(np.append(True, rows[1:] != rows[:-1])) if len(rows) else rows
    return _Sides(section[order], rows, rival_row[order], score[order], starts)


def _games(sections: Sequence[_Section]) -> tuple[Array, Array, Array, Array]:
    """Of every game: the place of its section, White's and Black's row in the ledger, White's half points."""
    entry_section, entries = _stacked([entries_of(section.entries) for section in sections])
    game_section, games = _stacked([games_of(section.games) for section in sections])
    width = 1 + int(entries[:, 0].max(initial=0))
    numbers = entry_section * width + entries[:, 0]  # in order: a section's entries stand by number
    players = _as_kept(entries[:, 1])
    white, black = (players[np.searchsorted(numbers, game_section * width + games[:, side])] for side in (1, 2))
    return game_section, white, black, games[:, 3]


def _stacked(tables: Sequence[Array]) -> tuple[Array, Array]:
    place = np.repeat(np.arange(len(tables)), [len(table) for table in tables])
    return place, np.concatenate(tables).astype(np.int64)


def _as_kept(players: Array) -> Array:
    """Return the kept record's number for a duplicate's."""
    same = np.arange(1 + int(players.max(initial=0)))
    for duplicate, kept in merged_players().items():
        if duplicate < len(same):
            same[duplicate] = kept
    found: Array = same[players]
    return found


def _found(known: Array, wanted: Array) -> tuple[Array, Array]:
    """Where each wanted number stands among the known ones, and whether it does."""
    place = np.minimum(np.searchsorted(known, wanted), max(len(known) - 1, 0))
    return place, (known[place] == wanted) if len(known) else np.zeros(len(wanted), bool)
