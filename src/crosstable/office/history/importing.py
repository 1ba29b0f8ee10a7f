"""Whole histories at once: three tables of published crosstables become an office (`office import DIR`).

The tables bring their own systems and their own order, so a missing time control, an old match or an unknown type is no
error here. A player's first published pre-event rating opens the record; who was unrated then starts by the rulebook.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.office import titles
from crosstable.office.audit.log import record
from crosstable.office.history import decisions
from crosstable.office.history.tables import (
    KEYS,
    KINDS,
    TABLES,
    WEIGHTS,
    HistoryTablesError,
    documents,
    file_hash,
    packed_entries,
    packed_games,
    read,
)
from crosstable.office.ledger import order, revisions
from crosstable.office.ledger.office_settings import GAMES_OF_ESTABLISHED, office, other_keys, systems_of
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import age_dependence, run
from crosstable.office.rating.run import Progress
from crosstable.office.storage import bulk, clock
from crosstable.office.storage.database import writing
from crosstable.systems.us_chess.pools import OTB, POOLS

FIRST_RATING = "published pre-event rating of the first event on record"
Decided = tuple[int, str, str, date, str, str]  # player, pool, kind, day, fields as JSON, reason
PRE = {pool.key: pool.speed for pool in POOLS if pool.mode == OTB}


@dataclass(frozen=True, slots=True)
class Imported:
    sections: int
    players: int
    games: int
    ratings: int
    openings: int
    already: bool = False  # nothing was done: the ledger has it
    refused: int = 0  # sections that one of the office's systems does not rate


def import_history(actor: Actor, folder: Path, progress: Progress | None = None) -> Imported:
    """All sections of the three tables, rated, in one transaction."""
    require(actor, "history.import")
    tables, decided = read(folder), decisions.read(folder)
    digest = file_hash(folder)
    with writing():
        sections, entries, games = (tables[name] for name in TABLES)
        if _already(sections, digest):
            return Imported(len(sections), 0, len(games), 0, 0, already=True)
        players = _players(entries)
        openings = _write(actor, _openings(sections, entries) if decided is None else _decided(decided), players)
        _events(actor, tables, players, digest)
        outcome = run.compute(run.BEGINNING, progress)
        run.write(outcome)
        age_dependence.update()
        titles.after_rating(None)
        done = Imported(
            len(sections), len(players), len(games), len(outcome.added), openings, refused=len(outcome.refused)
        )
        details = {"sections": done.sections, "players": done.players, "games": done.games, "tables": digest}
        details |= {"documents": revisions.imported_hash()}
        details |= {"refused": done.refused} if done.refused else {}
        record(actor.name, "history.import", f"history:{digest[:16]}", f"import of {folder.name}", details)
    bulk.analyze()
    return done


def _number(section: int) -> str:
    return f"H{section:07d}"


def _already(sections: pl.DataFrame, digest: str) -> bool:
    """Tell whether the same tables are already here; other tables with the same section numbers are refused."""
    first = _number(int(sections["section"].min() or 0))  # type: ignore[arg-type]  # untyped
    found = bulk.rows("SELECT content_hash FROM ledger_event WHERE number = %s", [first])
    if not found:
        return False
    if found[0][0] == _event_hash(digest, first):
        return True
    raise HistoryTablesError(f"the ledger already has an event {first} from other tables: import into a new office")


def _event_hash(digest: str, number: str) -> str:
    return hashlib.sha256(f"{digest} {number}".encode()).hexdigest()


def _players(entries: pl.DataFrame) -> dict[int, int]:
    """Return the tables' players → rows of the ledger; new players are added."""
    everybody = entries["player"].unique().sort().to_list()
    have = dict(bulk.rows("SELECT number, id FROM ledger_player"))
    new = [player for player in everybody if str(player) not in have]
    ids = bulk.next_ids("ledger_player", len(new))
    columns: dict[str, list[Any]] = {
        "id": list(ids),
        "number": [str(player) for player in new],
        **{name: [""] * len(new) for name in ("name", "state", "country", "sex", "fide_id", "cfc_id")},
        **{name: [0] * len(new) for name in ("adult", "canadian_resident", "usa_flag", "fide_opt_in")},
    }
    bulk.insert_rows("ledger_player", list(columns), _plain(columns))
    bulk.ids_taken("ledger_player")
    return {player: have[str(player)] for player in everybody if str(player) in have} | dict(zip(new, ids, strict=True))


def _plain(columns: dict[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    return zip(*columns.values(), strict=True)


def _openings(sections: pl.DataFrame, entries: pl.DataFrame) -> Iterator[Decided]:
    """Yield openings: the rating with which a player first appears in a pool becomes the opening of the record."""
    rated = sections.select("row", "system", "event_end")
    unknown = {"wins": None, "draws": None, "losses": None}
    for key, column in PRE.items():
        letters = [letter for letter, keys in KEYS.items() if key in keys]
        first = (
            entries.join(rated.filter(pl.col("system").is_in(letters)), on="row")
            .sort("row", "number")
            .unique("player", keep="first", maintain_order=True)
            .filter(
                pl.col(f"{column}_pre").is_not_null()
                & (pl.col(f"{column}_pre_games").fill_null(GAMES_OF_ESTABLISHED) > 0)
            )
        )
        columns = ("player", "event_end", f"{column}_pre", f"{column}_pre_games")
        for player, day, rating, games in first.select(columns).iter_rows():
            known = GAMES_OF_ESTABLISHED if games is None else games
            fields = {"rating": float(rating), "games": known, "date": day.isoformat(), **unknown}
            yield player, key, "opening", day, json.dumps(fields), FIRST_RATING


def _decided(table: pl.DataFrame) -> Iterator[Decided]:
    """Yield what the office that wrote the tables had decided."""
    for player, pool, kind, day, fields in table.select(*decisions.SCHEMA).iter_rows():
        yield player, pool, kind, day, fields, "decision of the office that wrote the tables"


def _write(actor: Actor, found: Iterable[Decided], players: Mapping[int, int]) -> int:
    """Write openings and other decisions into the ledger, in their order; return how many there were."""
    columns = (
        "player_id",
        "pool",
        "kind",
        "date",
        "position",
        "fields",
        "details",
        "status",
        "author",
        "reason",
        "second",
        "at",
    )
    rows = [
        (
            players[player],
            pool,
            kind,
            day.isoformat(),
            order.day_of(day),
            fields,
            "{}",
            "granted",
            actor.name,
            reason,
            "",
            _now(),
        )
        for player, pool, kind, day, fields, reason in found
        if player in players
    ]
    bulk.insert_rows("ledger_adjustment", columns, rows)
    return len(rows)


def _now() -> str:
    return f"{clock.now():%Y-%m-%d %H:%M:%S.%f}"


def _events(actor: Actor, tables: dict[str, pl.DataFrame], players: dict[int, int], digest: str) -> None:
    """Each section of the tables is an event of its own, with a revision that holds its document."""
    sections = tables["sections"]
    count = len(sections)
    events, numbers, ids = (bulk.next_ids(f"ledger_{name}", count) for name in ("event", "revision", "section"))
    heads = list(sections.iter_rows(named=True))
    now = _now()
    bulk.insert_rows(
        "ledger_event",
        ("id", "number", "name", "city", "state", "start", "end", "status", "content_hash", "affiliate", "chief_td"),
        (
            (
                event,
                (number := _number(head["section"])),
                "",
                "",
                "",
                str(head["start"]),
                str(head["event_end"]),
                "accepted",
                _event_hash(digest, number),
                "",
                "",
            )
            for event, head in zip(events, heads, strict=True)
        ),
    )
    bulk.insert_rows(
        "ledger_revision",
        ("id", "event_id", "number", "kind", "document", "content_hash", "findings", "author", "reason", "at"),
        (
            (
                revision,
                event,
                1,
                "imported",
                document,
                _event_hash(digest, _number(head["section"])),
                "[]",
                actor.name,
                "history tables",
                now,
            )
            for revision, event, head, document in zip(numbers, events, heads, documents(tables), strict=True)
        ),
    )
    _sections(tables, heads, events, ids, players)
    for name in ("event", "revision", "section", "adjustment"):
        bulk.ids_taken(f"ledger_{name}")


def _sections(
    tables: dict[str, pl.DataFrame], heads: list[dict[str, Any]], events: range, ids: range, players: dict[int, int]
) -> None:
    chosen = office()
    others = {kind: other_keys(systems_of(chosen, kind)) for kind in (*KINDS.values(), "other")}
    places = tables["sections"].select(pl.int_range(pl.len()).over("event_end")).to_series().to_list()
    bulk.insert_rows(
        "ledger_section",
        (
            "id",
            "event_id",
            "number",
            "name",
            "start",
            "end",
            "event_end",
            "mode",
            "kind",
            "weight",
            "time_control",
            "rounds",
            "position",
            "keys",
            "entries",
            "games",
            "history",
            "youth",
            "signature",
        ),
        (
            (
                own,
                event,
                1,
                "",
                str(head["start"]),
                str(head["end"]),
                str(head["event_end"]),
                "otb",
                (kind := KINDS.get(head["type"], "other")),
                WEIGHTS.get(head["k"], "full"),
                (head["time_control"] or "")[:200],
                head["rounds"],
                order.day_of(head["event_end"]) + order.STEP * (place + 1),
                ",".join((*KEYS[head["system"]], *others[kind])),
                entries,
                games,
                1,
                0,
                "",
            )
            for own, event, head, place, entries, games in zip(
                ids, events, heads, places, packed_entries(tables, players), packed_games(tables), strict=True
            )
        ),
    )
