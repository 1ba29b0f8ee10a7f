"""Whose ratings an act moves, as pages show it: published numbers first, what moves only behind the point is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crosstable.office.ledger.rating_change import PlayersChange
from crosstable.office.lists.official import shown

#: So many are shown
MOST = 100


@dataclass(frozen=True, slots=True)
class Line(PlayersChange):
    """A player's live rating as it is published."""

    lists: int  # published lists that show the player in this pool, and keep the old number
    floor: tuple[float | None, float | None] | None  # where it changes
    title: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Moved:
    """What an act does, or would do."""

    preview: bool
    players: int
    sections: int
    rows: tuple[Line, ...]  # those whose published number, floor or title changes, the largest first
    total: int  # how many such lines there are
    behind: int  # changes that no published number shows
    refused: tuple[str, ...]  # sections that would no longer be rated


def moved(answer: Mapping[str, Any]) -> Moved:
    """From what an act answers (`Rerated.as_json`)."""
    lines = [_line(one) for one in answer["changes"]]
    plain = [one for one in lines if one.change != 0 or one.floor or one.title]
    refused = tuple(f"event {one['event']}, section {one['section']}" for one in answer["refused"])
    behind = len(lines) - len(plain)
    counts = answer["preview"], answer["players"], answer["sections"]
    return Moved(*counts, tuple(plain[:MOST]), len(plain), behind, refused)


def _line(one: Mapping[str, Any]) -> Line:
    before, after = (None if one[side] is None else shown(one["pool"], one[side]) for side in ("before", "after"))
    floors, titles = (one["floor_before"], one["floor_after"]), (one["title_before"], one["title_after"])
    return Line(
        one["player"], one["name"], one["pool"], before, after, one["since"], one["reason"], len(one["lists"]),
        floors if floors[0] != floors[1] else None, titles if titles[0] != titles[1] else None,
    )  # fmt: skip
