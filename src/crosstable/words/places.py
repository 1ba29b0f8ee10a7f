"""Where something was found, in words."""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.formats.given import first_name_first
from crosstable.model import Event, Place, Section
from crosstable.words.language import _


def place_text(place: Place, event: Event | None = None) -> str:
    """Return a place in words: "section 2, player 3, round 1".

    With the event its players have their names, and a section that is the only one is not named beside other parts.
    """
    if place.text:
        return place.text
    parts = list(_parts(place, event))
    if event is not None and len(event.sections) == 1 and place.section is not None and not place.file and parts[1:]:
        parts = parts[1:]
    return ", ".join(parts)


def row_text(place: Place) -> str:
    """Return the row of a place, with its sheet: "sheet Open, row 3"."""
    return place_text(Place(sheet=place.sheet, row=place.row))


def player_text(number: int, section: Section | None) -> str:
    """Return a player in words: by name where the section has one, else "player 3"."""
    name = _name(number, section)
    return _("{name} (no. {number})").format(name=name, number=number) if name else f"{_('player')} {number}"


def section_of(place: Place, event: Event | None) -> Section | None:
    """Return the section of a place; without a number, the only one of the event."""
    if event is None:
        return None
    if place.section is None:
        return event.sections[0] if len(event.sections) == 1 else None
    return next((one for one in event.sections if one.number == place.section), None)


def _parts(place: Place, event: Event | None) -> Iterator[str]:
    if place.file:
        yield place.file
    for word, value in (
        (_("section"), place.section),
        (_("sheet"), place.sheet),
        (_("line"), place.line),
        (_("row"), place.row),
        (_("cell"), place.cell),
    ):
        if value not in ("", None):
            yield f"{word} {value}"
    if place.id:
        yield _person(place, event)
    yield from _players(place, section_of(place, event))
    if place.pool:
        yield f"{_('rating')} {place.pool}"
    if place.part:
        yield place.part


def _players(place: Place, section: Section | None) -> Iterator[str]:
    round_ = [] if place.round is None else [f"{_('round')} {place.round}"]
    match place.players:
        case ():
            yield from round_
        case (white, black) if round_:
            yield from round_
            yield _game(white, black, section)
        case (one,):
            yield player_text(one, section)
            yield from round_
        case several if all(_name(one, section) for one in several):
            yield _(" and ").join(player_text(one, section) for one in several)
            yield from round_
        case several:
            yield f"{_('players')} {_(' and ').join(map(str, several))}"
            yield from round_


def _game(white: int, black: int, section: Section | None) -> str:
    if _name(white, section) and _name(black, section):
        return _("{white} against {black}").format(white=player_text(white, section), black=player_text(black, section))
    return f"{_('game')} {white}-{black}"


def _name(number: int, section: Section | None) -> str:
    players = section.players if section else ()
    return first_name_first(next((one.name for one in players if one.number == number), ""))


def _person(place: Place, event: Event | None) -> str:
    """Return a player of whom only the id is known."""
    sections = event.sections if event else ()
    names = (one.name for section in sections for one in section.players if one.id == place.id)
    if name := first_name_first(next(names, "")):
        return f"{name} ({place.id})"
    return f"{_('player') if place.row is None else _('id')} {place.id}"
