"""An office as the three tables of published crosstables (`office export DIR`), so that every tool of the lab reads it.

The tables hold over-the-board sections in rating order, with whole numbers as published; a number that would tell an
age is left out. A fourth one, `decisions`, holds what two whole numbers cannot: openings as the office knew them,
adjustments and floors.
`office import` reads them again and comes to the same ratings, but for what `Exported.differs` names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.office.history import decisions
from crosstable.office.history.importing import PRE
from crosstable.office.history.tables import DECISIONS, KEYS, KINDS, TABLES, WEIGHTS
from crosstable.office.ledger.models import Player, Section
from crosstable.office.ledger.packing import games_of
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import facts, rows
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.filled_sections import entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.formulas import round_half_up

_LETTERS = {keys: letter for letter, keys in KEYS.items()}
_TYPES = {kind: letter for letter, kind in KINDS.items()}
_WEIGHTS = {weight: letter for letter, weight in WEIGHTS.items()}
_NUMBERS = {name: pl.Int16 for kind in PRE.values() for name in (f"{kind}_pre", f"{kind}_post")} | {
    name: pl.Int32 for kind in PRE.values() for name in (f"{kind}_pre_games", f"{kind}_post_games")
}
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "sections": {
        "section": pl.Int32,
        "start": pl.Date,
        "end": pl.Date,
        "event_end": pl.Date,
        "system": pl.String,
        "type": pl.String,
        "k": pl.String,
        "time_control": pl.String,
        "rounds": pl.Int32,
        "players": pl.Int32,
    },
    "entries": {"section": pl.Int32, "number": pl.Int32, "player": pl.Int64, **_NUMBERS},
    "games": {
        "section": pl.Int32,
        "round": pl.Int32,
        "number": pl.Int32,
        "opponent": pl.Int32,
        "half_points": pl.Int8,
    },
}


@dataclass(frozen=True, slots=True)
class Exported:
    sections: int
    players: int
    games: int
    left_out: int  # sections that the tables have no letter for: online, abroad, or rated by other systems only
    decisions: int
    differs: tuple[str, ...]  # why ratings made from the tables may be others than these; nothing: they are the same


@dataclass(slots=True)
class _Tables:
    """Rows on their way into the tables."""

    people: Mapping[int, int]
    starts: AgeStarts
    seen: set[int] = field(default_factory=set)  # rows of the ledger
    found: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {name: [] for name in TABLES})


def export_history(actor: Actor, folder: Path) -> Exported:
    """Write the three tables into a folder, in rating order."""
    require(actor, "event.review")
    placed = sections_from(0)
    wanted = [one for one in placed if one.us_chess_keys in _LETTERS and one.kind != "fide"]
    texts = {row[0]: row[1:] for row in Section.objects.values_list("id", "time_control", "rounds")}
    stored = rows.stored_from(0).partition_by("section_id", as_dict=True) if wanted else {}
    tables = _Tables(_people(), AgeStarts())
    for number, section in enumerate(wanted):
        _section(tables, number, section, texts[section.id], stored.get((section.id,), rows.empty()))
    folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        table = pl.DataFrame(tables.found[name], schema=pl.Schema(_SCHEMAS[name]), orient="row")
        table.write_parquet(folder / f"{name}.parquet")
    decided = decisions.table(tables.people, tables.seen)
    decided.write_parquet(folder / f"{DECISIONS}.parquet")
    left_out = len(placed) - len(wanted)
    differs = tuple(_differences(left_out, tables, {one.id for one in wanted}, stored))
    return Exported(
        sections=len(wanted),
        players=len(tables.seen),
        games=len(tables.found["games"]),
        left_out=left_out,
        decisions=len(decided),
        differs=differs,
    )


def _differences(
    left_out: int, tables: _Tables, sections: set[int], stored: Mapping[tuple[Any, ...], pl.DataFrame]
) -> Iterator[str]:
    """Yield what ratings follow from and no table holds: birth dates and other private facts."""
    if left_out:
        yield f"{left_out} sections are not in the tables (online, abroad, or of other systems)"
    started = {
        player
        for (section,), own in stored.items()
        if section in sections
        for player in own.filter(pl.col("initialized") == 1)["player_id"].to_list()
    }
    if by := started & _with_private_facts(started):
        yield (
            f"{len(by)} players began by age, membership, or a FIDE, CFC or foreign rating, which the tables do not"
            " hold"
        )
    renamed = sum(str(number) != text for number, text in _numbers_of(tables))
    if renamed:
        yield f"{renamed} players have IDs that are not plain numbers; the tables give them new numbers"


def _with_private_facts(players: set[int]) -> set[int]:
    """Those of these players whose first rating may have come from something that is not in the tables."""
    found = set()
    for player, one in facts.facts(sorted(players)).items():
        if one.birth_date or one.adult or one.canadian_resident or one.foreign_rating is not None or one.changes:
            found.add(player)
    members = facts.memberships(sorted(players))
    found |= {player for player, own in members.items() if own}
    return found | {player for player, lists in facts.external(sorted(players)).items() if lists}


def _numbers_of(tables: _Tables) -> Iterator[tuple[int, str]]:
    for row, text in Player.objects.filter(id__in=tables.seen).values_list("id", "number"):
        yield tables.people[row], text


def _people() -> dict[int, int]:
    """Assign each player a number for the tables: by their own id where it is a number, else by the next free one."""
    ids = dict(Player.objects.order_by("id").values_list("id", "number"))
    found = {
        row: int(text) for row, text in ids.items() if text.isascii() and text.isdigit() and str(int(text)) == text
    }
    free = max(found.values(), default=0) + 1
    others = [row for row in ids if row not in found]
    return found | {row: free + place for place, row in enumerate(others)}


def _section(tables: _Tables, number: int, section: Placed, text: tuple[str, int], stored: pl.DataFrame) -> None:
    games = [tuple(map(int, game)) for game in games_of(section.games)]
    played = {seat for _, one, other, _ in games for seat in (one, other)}
    seats = [(int(seat), player) for seat, player in entrants(section).items() if seat in played]
    ratings = {(row["player_id"], row["pool"]): row for row in stored.iter_rows(named=True)}
    tables.found["sections"].append(
        {
            "section": number,
            "start": section.start,
            "end": section.end,
            "event_end": section.event_end,
            "system": _LETTERS[section.us_chess_keys],
            "type": _TYPES.get(section.kind, "O"),
            "k": _WEIGHTS[section.weight],
            "time_control": text[0] or None,
            "rounds": text[1],
            "players": len(seats),
        }
    )
    tables.seen.update(player for _, player in seats)
    for seat, player in sorted(seats):
        own = {"section": number, "number": seat, "player": tables.people[player]}
        for key, kind in PRE.items():
            own |= _numbers(tables.starts, section, player, key=key, kind=kind, row=ratings.get((player, key)))
        tables.found["entries"].append(own)
    tables.found["games"] += [dict(zip(_SCHEMAS["games"], (number, *game), strict=True)) for game in games]


def _numbers(
    starts: AgeStarts, section: Placed, player: int, key: str, kind: str, row: Mapping[str, Any] | None
) -> dict[str, Any]:
    """One rating before and after, as published; games while provisional."""
    if row is None:
        return {}
    established = provisional_games(section.start)

    def shown(rating: float | None, *, before: bool = False) -> int | None:
        hidden = rating is None or starts.tells(player, key, rating, section.position, before=before)
        return None if hidden or rating is None else int(round_half_up(rating))

    def games(count: int | None) -> int | None:
        return None if count is None or count > established else count

    before = None if row["initialized"] else shown(row["prior"], before=True)
    return {
        f"{kind}_pre": before,
        f"{kind}_pre_games": None if before is None else games(row["prior_games"]),
        f"{kind}_post": shown(row["post"]),
        f"{kind}_post_games": games(row["state_games"]),
    }
