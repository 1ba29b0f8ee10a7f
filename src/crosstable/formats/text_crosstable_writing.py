"""An event as a published text crosstable, in the columns that `text_crosstable` reads back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from crosstable.formats import crosstable, encoding, fields, file_ratings, limits, losses
from crosstable.formats.base import Written
from crosstable.formats.crosstable import RoundCell
from crosstable.formats.text_crosstable import (
    KINDS,
    LABELS,
    LONGEST_FACT,
    MOST_ROUNDS,
    WEIGHTS,
    published,
    shown_pools,
)
from crosstable.model import Event, Place, Player, Rating, Section
from crosstable.systems.us_chess.coefficients import provisional_games


def writable_event(event: Event) -> Event:
    """Return the event as such a text can hold it."""
    numbers = [section.number for section in event.sections]
    in_order = len(set(numbers)) == len(numbers) and all(0 <= number <= 999 for number in numbers)
    sections = [
        _held_section(section, section.number if in_order else place, event)
        for place, section in enumerate(event.sections, start=1)
    ]
    starts, ends = [s.start for s in sections if s.start], [s.end for s in sections if s.end]
    dated = event.start is not None and event.end is not None
    return Event(
        _label(event.name),
        event.start if dated else min(starts, default=None),
        event.end if dated else max(ends, default=None),
        tuple(sections),
        city=_label(event.city),
        state=_label(event.state),
        country=_label(event.country),
        affiliate=event.affiliate if re.fullmatch(r"[A-Z]\d{7}", event.affiliate) else "",
        chief_td=event.chief_td if re.fullmatch(r"\d{8}", event.chief_td) else "",
    )


def _label(text: str) -> str:
    """Text beside a label: without bars, and not taken for another label or an event number."""
    text = fields.cut(text.replace("|", "/"), LONGEST_FACT - 50)
    return re.sub(r"(?<!\s)\s*+\(\d{9,12}\)$", "", text) if not _misread(text) else ""


def _misread(text: str) -> bool:
    return any(pattern.search(text) for name, pattern in LABELS if name in ("time_control", "kind", "weight", "mode"))


def _held_section(section: Section, number: int, event: Event) -> Section:
    settled = crosstable.settled_without_marks(section)
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, MOST_ROUNDS, Place(section=section.number))
    start, end = section.start or event.start, section.end or event.end
    dated = start is not None and end is not None
    points = crosstable.scores(settled)
    shown = shown_pools(section.players)
    name = _label(section.name)
    control = fields.cut((section.time_control or "").replace("|", "/"), LONGEST_FACT - 50)
    if _misread(control):
        control = ""
    return Section(
        number=number,
        name=name,
        start=start if dated else None,
        end=end if dated else None,
        players=tuple(_held_player(player, points[player.number], shown) for player in settled.players),
        games=settled.games,
        mode=section.mode,
        kind=section.kind if section.kind != "fide" else "swiss",
        weight=section.weight,
        colors=settled.colors,
        time_control=control or None,
        notes={"rounds": width, **({"pools": shown} if shown else {})},
    )


def _held_player(player: Player, half_points: int, shown: Sequence[str]) -> Player:
    notes: dict[str, object] = {"total": half_points / 2}
    if re.fullmatch(r"[A-Za-z]{2}", state := fields.note_text(player.notes, "state")):
        notes["state"] = state
    if re.fullmatch(r"[A-Za-z0-9]", norm := fields.note_text(player.notes, "norm")):
        notes["norm"] = norm
    if after := published(player):
        notes["published"] = {key: after[key] for key in shown if key in after}
    if byes := crosstable.page_byes(player):
        notes["byes"] = byes
    ratings: dict[str, Rating] = {}
    for key in shown:
        rating = player.ratings.get(key)
        value = file_ratings.whole(rating.rating) if rating else None
        if rating and value:
            few = (
                rating.games is not None and 0 <= rating.games <= provisional_games()
            )  # P: provisional; the page does not count on
            ratings[key] = Rating(float(value), games=rating.games if few else None)
    return Player(
        player.number,
        fields.identity(re.sub(r"[\s/|]", "", encoding.clean(player.id)), 12),
        fields.cut(player.name.replace("|", "/"), 60),
        ratings=ratings,
        notes=notes,
    )


def write(event: Event) -> Written:
    kept = writable_event(event)
    lines = list(_event_lines(kept))
    for section in kept.sections:
        lines += _section_lines(section)
    return Written(("\n".join(lines) + "\n").encode("utf-8"), losses.between(event, kept))


def _event_lines(event: Event) -> Iterator[str]:
    for label, text in (
        ("Event", event.name),
        ("Event Date(s)", _thru(event.start, event.end)),
        ("City", event.city),
        ("State", event.state),
        ("Country", event.country),
        ("Affiliate", event.affiliate),
        ("Chief TD", event.chief_td),
    ):
        if text:
            yield f"{label}: {text}"


def _thru(start: date | None, end: date | None) -> str:
    return f"{start} thru {end}" if start and end else ""


def _section_lines(section: Section) -> Iterator[str]:
    width = crosstable.rounds(section)
    shown = shown_pools(section.players)
    column = max([31, *(len(player.name) for player in section.players)])
    rule = "-" * (column + 16 + 6 * width)
    kinds = {kind: letter for letter, kind in KINDS.items()}
    weights = {weight: letter for letter, weight in WEIGHTS.items()}
    yield f"Section {section.number} - {section.name}"
    if section.start:
        yield f"Section Date(s): {_thru(section.start, section.end)}"
    if section.time_control:
        yield f"Time Control: {section.time_control}"
    yield f"K Factor: {weights[section.weight]}  Tnmt Type: {kinds[section.kind]}  Mode: {section.mode}"
    yield rule
    yield f" Pair | {'Player Name':<{column}} |Total|" + "Round|" * width
    yield f" Num  | {'USCF ID / Rtg (Pre->Post)':<{column}} | Pts |" + "".join(f"{r:^5}|" for r in range(1, width + 1))
    yield rule
    table = crosstable.cells(section)
    for player in section.players:
        yield from _player_lines(player, table[player.number], shown, column)
        yield rule


def _player_lines(
    player: Player, cells: Sequence[RoundCell | None], shown: Sequence[str], column: int
) -> Iterator[str]:
    total, norm = player.notes.get("total"), player.notes.get("norm")
    ratings = [_rating_text(player, key) for key in shown] or [""]
    colors = "".join(f"{cell.color.upper() if cell else '':<5}|" for cell in cells)
    blank = "     |" * len(cells)
    yield f"{player.number:>5} | {player.name:<{column}} |{total:<5}|" + "".join(f"{_cell_text(c)}|" for c in cells)
    head = f"{player.id} / {ratings[0]}"
    yield f"{player.notes.get('state', ''):>5} | {head:<{column}} |{f'N:{norm}' if norm else '':<5}|{colors}"
    for text in ratings[1:]:
        yield f"      | {'':<11}{text:<{column - 11}} |     |{blank}"


def _rating_text(player: Player, key: str) -> str:
    rating = player.ratings.get(key)
    pre = "Unrated"
    if rating:
        pre = f"{rating.rating:>4.0f}" + (f"P{rating.games}" if rating.games is not None else "")
    post = published(player).get(key, {})
    after = f"{post['rating']:>4}" + (f"P{post['games']}" if "games" in post else "") if post else ""
    return f"{file_ratings.KEY_LETTERS[key]}: {pre:<7}->{after:<7}".rstrip()


def _cell_text(cell: RoundCell | None) -> str:
    if cell is None:
        return "U    "
    return f"{cell.outcome}{cell.opponent:>4}" if cell.opponent else f"{cell.outcome}    "
