"""An event as a FIDE report, in the columns that `trf` reads back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.formats import crosstable, encoding, fields, file_ratings, limits, losses
from crosstable.formats.base import Loss, Written
from crosstable.formats.crosstable import RoundCell
from crosstable.formats.trf import KEPT, LETTERS, MOST_ROUNDS, uses_common_points
from crosstable.model import Event, ForeignRating, Level, Place, Player, Rating, Section
from crosstable.systems.us_chess.pools import MAIN

ONE_SECTION = declare("one-section", Level.ERROR, "The format holds one section; the event has several.", "Choose one.")


def writable_event(event: Event, section: int | None = None) -> Event:
    """Return the event as a TRF can hold it: one section. Raises EventRejected if there is none to choose."""
    chosen = one_section(event, section, "TRF")
    crosstable.require_table(chosen)
    settled = crosstable.settled(_as_short_games(chosen))
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, MOST_ROUNDS, Place(section=chosen.number))
    points = crosstable.scores(settled)
    players = tuple(_held_player(player, points[player.number]) for player in settled.players)
    name, start, end = encoding.clean(event.name), chosen.start or event.start, chosen.end or event.end
    arbiter = encoding.clean(fields.note_text(event.notes, "chief_arbiter")) or encoding.clean(event.chief_td)
    arbiter_id = re.search(r"\((\d{4,11})\)\s*$", arbiter)
    notes: dict[str, object] = {"chief_arbiter": arbiter} if arbiter_id else {}
    if kept := _held_lines(event):
        notes["trf"] = kept
    if not uses_common_points(kept):
        own = {player.number: player.notes.get("points") for player in chosen.players}
        players = tuple(_with_points(player, own[player.number]) for player in players)
    section_held = Section(
        number=1,
        name=name,
        start=start,
        end=end,
        players=players,
        games=settled.games,
        kind=chosen.kind if chosen.kind in ("swiss", "round-robin", "match", "other") else "swiss",
        colors=settled.colors,
        time_control=encoding.clean(chosen.time_control or "") or None,
        notes={"rounds": width},
    )
    return Event(
        name,
        start,
        end,
        (section_held,),
        city=encoding.clean(event.city),
        country=encoding.clean(event.country),
        chief_td=arbiter_id[1] if arbiter_id else arbiter,
        notes=notes,
    )


def _with_points(player: Player, points: object) -> Player:
    """Under another point system the points are those that the file gave: no one here can count them."""
    notes = {key: value for key, value in player.notes.items() if key != "total"}
    if isinstance(points, int | float) and not isinstance(points, bool) and 0 <= points < 1000:
        notes["points"] = round(points, 1)
    return replace(player, notes=notes)


def one_section(event: Event, number: int | None, what: str) -> Section:
    """Return the section to write into a format that holds only one."""
    if number is None and len(event.sections) == 1:
        return event.sections[0]
    for section in event.sections:
        if section.number == number:
            return section
    there = ", ".join(str(section.number) for section in event.sections) or "none"
    raise EventRejected([ONE_SECTION.at("event", f"{what} holds one section, and there are {there}")])


def _as_short_games(section: Section) -> Section:
    """Return drawn games without a result as games under one move: TRF has no other form for them."""
    games = [
        replace(game, notes={**game.notes, "under_one_move": True})
        if game.notes.get("drawn") and not game.played
        else replace(game, notes={k: v for k, v in game.notes.items() if k == "color"})
        if game.played
        else game
        for game in section.games
    ]
    return replace(section, games=tuple(games))


def _held_lines(event: Event) -> list[str]:
    """Lines that an earlier file brought along; nothing that could pass for a player or a tournament line."""
    lines = event.notes.get("trf")
    if not isinstance(lines, list | tuple):
        return []
    texts = [line.rstrip() for line in lines if isinstance(line, str) and line.isprintable() and len(line) < 2000]
    return [line for line in texts if line[:3] in KEPT or (LETTERS.match(line) and line[:3] != "USA")]


def _held_player(player: Player, half_points: int) -> Player:
    fide = player.ratings.get("FIDE") or player.fide
    rating = file_ratings.whole(fide.rating) if fide else None
    notes: dict[str, object] = {"total": half_points / 2}
    for key, width in (("sex", 1), ("title", 3), ("federation", 3)):
        if text := fields.cut(fields.note_text(player.notes, key), width):
            notes[key] = text
    rank = player.notes.get("rank")
    if isinstance(rank, int) and not isinstance(rank, bool) and 0 <= rank <= 9999:
        notes["rank"] = rank
    year = player.notes.get("birth_year")
    if player.birth_date is None and isinstance(year, int) and 1000 <= year <= 9999:
        notes["birth_year"] = year
    byes = {r: "half" if b == "forfeit-draw" else b for r, b in crosstable.player_byes(player.notes).items()}
    if byes:
        notes["byes"] = dict(sorted(byes.items(), key=lambda bye: int(bye[0])))
    ratings = {"FIDE": Rating(float(rating))} if rating else {}
    return Player(
        player.number,
        fields.identity(player.id, 11),
        fields.cut(player.name, 33),
        birth_date=player.birth_date,
        ratings={**ratings, **file_ratings.only_rating(player.ratings, MAIN)},
        fide=ForeignRating(float(rating)) if rating else None,
        notes=notes,
    )


def write(event: Event, section: int | None = None) -> Written:
    kept = writable_event(event, section)
    (chosen,) = kept.sections
    rated = sum("FIDE" in player.ratings for player in chosen.players)
    kinds = {"round-robin": "Individual: Round-Robin", "match": "Individual: Match", "other": "Individual: Other"}
    lines = [
        ("012", kept.name),
        ("022", kept.city),
        ("032", kept.country),
        ("042", _slashed(kept.start)),
        ("052", _slashed(kept.end)),
        ("062", str(len(chosen.players))),
        ("072", str(rated)),
        ("082", "0"),
        ("092", kinds.get(chosen.kind, "Individual: Swiss-System")),
        ("102", fields.note_text(kept.notes, "chief_arbiter") or kept.chief_td),
        ("122", chosen.time_control or ""),
    ]
    out = [f"{code} {text}" for code, text in lines if text]
    extra = kept.notes.get("trf")
    out += extra if isinstance(extra, list) else []
    table = crosstable.cells(chosen)
    out += [_player_line(player, table[player.number]) for player in chosen.players]
    out += [_columns("USA", p, p.ratings[MAIN].rating) for p in chosen.players if MAIN in p.ratings]
    others = () if len(event.sections) == 1 else (Loss("section", len(event.sections) - 1, counted=True),)
    alone = replace(event, sections=tuple(s for s in event.sections if s.number == section or len(event.sections) == 1))
    return Written(("\n".join(out) + "\n").encode("utf-8"), (*others, *losses.between(alone, kept)))


def _slashed(day: date | None) -> str:
    return day.isoformat().replace("-", "/") if day else ""


def _columns(code: str, player: Player, rating: float | None) -> str:
    number = f"{rating:.0f}" if rating else ""
    sex, title = fields.note_text(player.notes, "sex"), fields.note_text(player.notes, "title")
    return f"{code} {player.number:>4} {sex:1}{title:>3} {player.name:<33} {number:>4}"


def _player_line(player: Player, cells: Sequence[RoundCell | None]) -> str:
    rating = player.ratings["FIDE"].rating if "FIDE" in player.ratings else None
    year = player.notes.get("birth_year")
    birth = _slashed(player.birth_date) or (f"{year}/00/00" if year else "")
    rank, total = player.notes.get("rank", ""), player.notes.get("total", player.notes.get("points"))
    points = f"{total:.1f}" if isinstance(total, float) else str(total) if isinstance(total, int) else ""
    start = f"{_columns('001', player, rating)} {fields.note_text(player.notes, 'federation'):>3} {player.id:>11}"
    row = "".join(f"  {_cell_text(cell)}" for cell in cells)
    return f"{start} {birth:>10} {points:>4} {rank:>4}{row}".rstrip()


_LETTER = {"W": "1", "D": "=", "L": "0", "X": "+", "F": "-", "Z": "D"}
_SHORT = {"X": "W", "F": "L", "Z": "D"}
_BYE_LETTER = {"B": "F", "P": "U", "H": "H", "X": "+", "F": "-"}


def _cell_text(cell: RoundCell | None) -> str:
    if cell is None:
        return "0000 - Z"
    if not cell.opponent:
        return f"0000 - {_BYE_LETTER[cell.outcome]}"
    letters = _LETTER if cell.rated else _SHORT
    return f"{cell.opponent:>4} {cell.color or '-'} {letters[cell.outcome]}"
