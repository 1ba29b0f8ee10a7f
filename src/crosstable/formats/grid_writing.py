"""An event as the rows of a spreadsheet, in the columns that `grid` reads back."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date

from crosstable.formats import crosstable, encoding, fields, limits
from crosstable.formats.crosstable import RoundCell
from crosstable.formats.table_blocks import Grid
from crosstable.formats.table_heads import RATING_KEYS
from crosstable.model import Event, Place, Player, Rating, Section


def writable_event(event: Event) -> Event:
    """Return the event as a table can hold it."""
    numbers = [section.number for section in event.sections]
    in_order = len(set(numbers)) == len(numbers) and all(0 <= number <= 9999 for number in numbers)
    sections = tuple(
        _held_section(section, section.number if in_order else place, event)
        for place, section in enumerate(event.sections, start=1)
    )
    return Event(
        encoding.clean(event.name),
        event.start,
        event.end,
        sections,
        city=encoding.clean(event.city),
        state=encoding.clean(event.state),
        country=encoding.clean(event.country),
        affiliate=encoding.clean(event.affiliate),
        chief_td=encoding.clean(event.chief_td),
    )


def _held_section(section: Section, number: int, event: Event) -> Section:
    settled = crosstable.settled_without_marks(section)
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, 99, Place(section=section.number))
    points = crosstable.scores(settled)
    return Section(
        number=number,
        name=encoding.clean(section.name),
        start=section.start or event.start,
        end=section.end or event.end,
        players=tuple(_held_player(player, points[player.number]) for player in settled.players),
        games=settled.games,
        mode=section.mode,
        kind=section.kind,
        weight=section.weight,
        colors=settled.colors,
        time_control=encoding.clean(section.time_control or "") or None,
        notes={"rounds": width},
    )


def _held_player(player: Player, half_points: int) -> Player:
    notes: dict[str, object] = {"total": half_points / 2}
    if state := encoding.clean(fields.note_text(player.notes, "state")):
        notes["state"] = state
    if byes := crosstable.player_byes(player.notes):
        notes["byes"] = dict(sorted(byes.items(), key=lambda bye: int(bye[0])))
    ratings = {
        key: Rating(float(f"{rating.rating:.12g}"), games=rating.games if _few(rating.games) else None)
        for key in RATING_KEYS
        if (rating := player.ratings.get(key)) and math.isfinite(rating.rating) and 0.001 <= rating.rating < 9999.5
    }
    return Player(player.number, fields.identity(player.id), encoding.clean(player.name), ratings=ratings, notes=notes)


def _few(games: int | None) -> bool:
    return games is not None and 0 <= games < 1_000_000


def grids_of(event: Event) -> list[tuple[str, Grid]]:
    """One sheet per section of an event as `writable_event` returns it, event facts on each."""
    sheets = []
    for section in event.sections:
        facts = [
            ("Event", event.name),
            ("City", event.city),
            ("State", event.state),
            ("Country", event.country),
            ("Start", _iso(event.start)),
            ("End", _iso(event.end)),
            ("Affiliate", event.affiliate),
            ("Chief TD", event.chief_td),
            ("Section", str(section.number)),
            ("Section name", section.name),
            ("Section start", _iso(section.start)),
            ("Section end", _iso(section.end)),
            ("Mode", section.mode),
            ("Kind", section.kind),
            ("Weight", section.weight),
            ("Time control", section.time_control or ""),
            ("Rounds", str(crosstable.rounds(section))),
        ]
        grid = [[label, text] for label, text in facts if text]
        sheets.append((section.name or f"Section {section.number}", [*grid, *_table(section)]))
    return sheets


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _table(section: Section) -> Grid:
    shown = [key for key in RATING_KEYS if any(key in player.ratings for player in section.players)]
    width = crosstable.rounds(section)
    columns: list[tuple[str, Callable[[Player], str]]] = [
        ("No.", lambda p: str(p.number)),
        ("Name", lambda p: p.name),
        ("ID", lambda p: p.id),
        ("State", lambda p: fields.note_text(p.notes, "state")),
    ]
    for key in shown:
        columns += [(key, _rating_cell(key)), (f"{key} games", _games_cell(key))]
    columns.append(("Total", lambda p: f"{p.notes['total']:g}"))
    cells = crosstable.cells(section)
    heads = [title for title, _ in columns] + [f"Rnd {r}" for r in range(1, width + 1)]
    rows = [
        [text(player) for _, text in columns] + [_cell_text(cell) for cell in cells[player.number]]
        for player in section.players
    ]
    return [heads, *rows]


def _rating_cell(key: str) -> Callable[[Player], str]:
    return lambda player: f"{player.ratings[key].rating:.12g}" if key in player.ratings else ""


def _games_cell(key: str) -> Callable[[Player], str]:
    def text(player: Player) -> str:
        games = player.ratings[key].games if key in player.ratings else None
        return "" if games is None else str(games)

    return text


def _cell_text(cell: RoundCell | None) -> str:
    if cell is None:
        return "U"
    return f"{cell.outcome}{cell.opponent}{cell.color}" if cell.opponent else cell.outcome
