"""Lists of games in a workbook: one sheet, a sheet for each round or section, and a sheet of the players beside
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from crosstable.formats import encoding, games, table_heads, tables
from crosstable.formats.base import Reading, in_section
from crosstable.formats.game_heads import head_of
from crosstable.formats.game_lines import plain_name
from crosstable.formats.games import SheetPlayer
from crosstable.formats.table_blocks import Grid, cell_at
from crosstable.model import Event, Finding, Place

_ROUND_SHEET = re.compile(r"(?:round|rd|rnd|r)[\s.#]*(\d{1,3})", re.IGNORECASE)

Sheets = Sequence[tuple[str, Grid]]


def are_lists(sheets: Sheets) -> bool:
    """Whether the first sheet that holds a table of ours is a list of games and no crosstable."""
    for _, rows in sheets:
        if any(map(head_of, rows)):
            return True
        if any(map(table_heads.header, table_heads.heads_as_numbers(rows))):
            return False
    return False


def read(data: bytes) -> Reading:
    findings: list[Finding] = []
    sheets = tables.sheets_of(data, findings)
    lists = [(name, rows) for name, rows in sheets if any(map(head_of, rows))]
    registers = [(name, _register(rows)) for name, rows in sheets if (name, rows) not in lists]
    known = {player: facts for _, register in registers for player, facts in register.items()}
    findings += tables.say_unread(sheets, [*(name for name, _ in lists), *(name for name, found in registers if found)])
    if all(_ROUND_SHEET.fullmatch(tables.title_of(name)) for name, _ in lists):
        event = _of_rounds(lists, known, findings)
    else:
        event = _of_sections(lists, known, findings)
    return Reading(games.LIST, event, tuple(findings))


def _of_rounds(lists: Sheets, known: Mapping[str, SheetPlayer], findings: list[Finding]) -> Event:
    """One section whose rounds have a sheet each. Rows are counted through, and said by their sheet."""
    numbered: list[tuple[int, list[str]]] = []
    places: dict[int, Place] = {}
    for name, rows in lists:
        numbered.append((len(places), [tables.title_of(name)]))
        for line, row in enumerate(rows, start=1):
            places[len(places) + 1] = Place(sheet=tables.title_of(name), row=line)
            numbered.append((len(places), row))
    own: list[Finding] = []
    event = games.event_of_rows(numbered, own, known)
    findings += [replace(one, place=_in_sheet(one.place, places)) for one in own]
    return event


def _in_sheet(place: Place, places: Mapping[int, Place]) -> Place:
    """Return a place whose row is counted in its sheet."""
    found = places.get(place.row or 0)
    return place if found is None else place.at(sheet=found.sheet, row=found.row)


def _of_sections(lists: Sheets, known: Mapping[str, SheetPlayer], findings: list[Finding]) -> Event:
    """Return a section for each sheet; what the first says about the event is said of all."""
    events = []
    for place, (name, rows) in enumerate(lists, start=1):
        own: list[Finding] = []
        events.append(games.event_of_rows(list(enumerate(rows, start=1)), own, known))
        of_sheet = [replace(one, place=one.place.at(sheet=tables.title_of(name))) for one in own]
        findings += in_section(place, of_sheet) if len(lists) > 1 else own
    sections = [section for event in events for section in event.sections]
    if len(lists) > 1:
        titles = [tables.title_of(name) for name, _ in lists]
        sections = [
            replace(section, number=place, name=title)
            for place, (section, title) in enumerate(zip(sections, titles, strict=True), start=1)
        ]
    days = [day for event in events for day in (event.start, event.end) if day]
    return replace(events[0], start=min(days, default=None), end=max(days, default=None), sections=tuple(sections))


def _register(rows: Grid) -> dict[str, SheetPlayer]:
    """Return a sheet of players and their ids and ratings, by name. Nothing if it is none."""
    for line, row in enumerate(rows):
        columns = table_heads.header(["No.", *row])  # players need no numbers here
        if columns is None or columns.name is None or columns.rounds or (columns.id, columns.rating) == (None, None):
            continue
        players = [["", *below] for below in rows[line + 1 :]]
        table_heads.settle(columns, players)
        return dict(_facts(columns, players))
    return {}


def _facts(columns: table_heads.ColumnPlaces, players: Grid) -> Iterator[tuple[str, SheetPlayer]]:
    for row in players:
        names = (cell_at(row, columns.first_name), cell_at(row, columns.name))
        name = encoding.clean(" ".join(filter(None, names)))
        if name:
            yield plain_name(name), SheetPlayer(cell_at(row, columns.id), cell_at(row, columns.rating))
