"""An event as the three tables of a US Chess rating report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from crosstable.formats import archive, crosstable, dates, dbf, fields, file_ratings, limits, losses
from crosstable.formats.base import Loss, Written
from crosstable.formats.crosstable import RoundCell
from crosstable.formats.us_chess_report import DETAIL, EVENT_NOTES, HEADER, MOST_ROUNDS, SECTION, SECTION_NOTES, TYPES
from crosstable.model import Event, Game, Place, Player, Section
from crosstable.systems.us_chess.pools import MAIN


def writable_event(event: Event) -> Event:
    """Return the event as a report can hold it. Raises EventRejected where no report is possible."""
    limits.check_count("sections", len(event.sections), MOST_ROUNDS)
    numbers = [section.number for section in event.sections]
    in_order = len(set(numbers)) == len(numbers) and all(0 < number <= MOST_ROUNDS for number in numbers)
    sections = [
        _held_section(section, section.number if in_order else place, event)
        for place, section in enumerate(event.sections, start=1)
    ]
    widths = dict(HEADER)
    notes = {
        name: text
        for name, field in EVENT_NOTES.items()
        if (text := fields.ascii_text(fields.note_text(event.notes, name), widths[field]))
    }
    return Event(
        fields.ascii_text(event.name, 35),
        event.start,
        event.end,
        tuple(sections),
        city=fields.ascii_text(event.city, 21),
        state=fields.ascii_text(event.state, 2),
        country=fields.ascii_text(event.country, 21),
        affiliate=_short(event.affiliate),
        chief_td=_short(event.chief_td),
        notes=notes,
    )


def _short(id_: str) -> str:
    """Return an affiliate's or a director's id; half of one would be another's."""
    text = fields.ascii_text(id_, 100)
    return text if len(text) <= 8 else ""


def _held_section(section: Section, number: int, event: Event) -> Section:
    crosstable.require_table(section)
    forfeits: dict[int, dict[str, str]] = defaultdict(dict)
    played: list[Game] = []
    for game in crosstable.fitted(section.games):
        if game.played:
            played.append(game)
        else:  # in every real file forfeits name no opponent
            for player, name in zip((game.white, game.black), _forfeit(game), strict=True):
                forfeits[player][str(game.round)] = name
    with_byes = tuple(
        replace(p, notes={**p.notes, "byes": {**crosstable.player_byes(p.notes), **forfeits[p.number]}})
        for p in section.players
    )
    settled = crosstable.settled(replace(section, games=tuple(played), players=with_byes))
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, MOST_ROUNDS, Place(section=section.number))
    control = fields.ascii_text(section.time_control or "", 1000)
    control = control if len(control) <= 40 else ""  # half a time control would be another one
    widths = dict(SECTION)
    notes: dict[str, object] = {
        name: text
        for name, field in SECTION_NOTES.items()
        if (text := fields.ascii_text(fields.note_text(section.notes, name), widths[field]))
    }
    notes["rounds"] = width
    key = (
        file_ratings.main_pool(control)
        if control
        else file_ratings.LETTERS.get(str(notes.get("rating_system", "")), MAIN)
    )
    return Section(
        number=number,
        name=fields.ascii_text(section.name, 30),
        start=section.start or event.start,
        end=section.end or event.end,
        players=tuple(_held_player(player, key) for player in settled.players),
        games=settled.games,
        kind=section.kind if section.kind in ("swiss", "round-robin", "match", "other") else "swiss",
        colors=settled.colors,
        time_control=control or None,
        notes=notes,
    )


def _forfeit(game: Game) -> tuple[str, str]:
    if game.notes.get("drawn"):
        return "forfeit-draw", "forfeit-draw"
    white = {"+/-": "forfeit-win"}.get(game.result, "forfeit-loss")
    black = {"-/+": "forfeit-win"}.get(game.result, "forfeit-loss")
    return white, black


def _held_player(player: Player, key: str) -> Player:
    notes: dict[str, object] = {}
    if state := fields.ascii_text(fields.note_text(player.notes, "state"), 2):
        notes["state"] = state
    if byes := crosstable.page_byes(player):
        notes["byes"] = byes
    return Player(
        player.number,
        fields.identity(player.id, 8) if player.id.isascii() else "",
        fields.ascii_text(player.name, 30),
        ratings=file_ratings.only_rating(player.ratings, key),
        notes=notes,
    )


def write_files(event: Event) -> tuple[dict[str, bytes], tuple[Loss, ...]]:
    """Return the three tables by name, and what they could not hold."""
    kept = writable_event(event)
    width = max((crosstable.rounds(section) for section in kept.sections), default=0)
    header = {
        "H_FORMAT": "2C",
        "H_PROGRAM": "CROSSTABLE",
        "H_NAME": kept.name,
        "H_TOT_SECT": str(len(kept.sections)),
        "H_BEG_DATE": dates.compact(kept.start),
        "H_END_DATE": dates.compact(kept.end),
        "H_AFF_ID": kept.affiliate,
        "H_CITY": kept.city,
        "H_STATE": kept.state,
        "H_COUNTRY": kept.country,
        "H_CTD_ID": kept.chief_td,
        **{field: str(kept.notes.get(name, "")) for name, field in EVENT_NOTES.items()},
    }
    rounds = [(f"D_RND{n:02}", 7) for n in range(1, width + 1)]
    files = {
        "THEXPORT.DBF": dbf.write(_fields(HEADER), [header], kept.end),
        "TSEXPORT.DBF": dbf.write(_fields(SECTION), [_section_row(section) for section in kept.sections], kept.end),
        "TDEXPORT.DBF": dbf.write(
            _fields((*DETAIL, *rounds)), [row for s in kept.sections for row in _detail_rows(s, width)], kept.end
        ),
    }
    return files, losses.between(event, kept)


def write(event: Event) -> Written:
    """Write the report as one zip archive."""
    files, lost = write_files(event)
    return Written(archive.pack(files), lost)


def _fields(widths: Sequence[tuple[str, int]]) -> list[dbf.DbfField]:
    return [dbf.DbfField(name, width) for name, width in widths]


def _section_row(section: Section) -> dict[str, str]:
    return {
        "S_SEC_NUM": str(section.number),
        "S_SEC_NAME": section.name,
        "S_TIMECTL": section.time_control or "",
        "S_TRN_TYPE": TYPES[section.kind],
        "S_TOT_RNDS": str(crosstable.rounds(section)),
        "S_LST_PAIR": str(len(section.players)),
        "S_BEG_DATE": dates.compact(section.start),
        "S_END_DATE": dates.compact(section.end),
        **{field: str(section.notes.get(name, "")) for name, field in SECTION_NOTES.items()},
    }


def _detail_rows(section: Section, width: int) -> list[dict[str, str]]:
    table = crosstable.cells(section)
    rows = []
    for player in section.players:
        rating = next(iter(player.ratings.values()), None)
        row = {
            "D_SEC_NUM": str(section.number),
            "D_PAIR_NUM": str(player.number),
            "D_MEM_ID": player.id,
            "D_NAME": player.name,
            "D_STATE": fields.note_text(player.notes, "state"),
            "D_RATING": f"{rating.rating:.0f}" if rating else "0",
        }
        cells = [*table[player.number], *[None] * width][:width]
        row.update({f"D_RND{n:02}": _cell_text(cell) for n, cell in enumerate(cells, start=1)})
        rows.append(row)
    return rows


def _cell_text(cell: RoundCell | None) -> str:
    if cell is None:
        return "U0"
    return f"{cell.outcome}{cell.opponent}{cell.color.upper()}" if cell.opponent else f"{cell.outcome}0"
