"""What every mend is made of: its values, and small changes of an event document that leave the rest as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import OfficeError
from crosstable.formats.crosstable import FLIPPED
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Game, Player, Section

Values = Mapping[str, str]


class MendRefused(OfficeError):
    """A mend that does not fit the draft (any more), with the reason."""


@dataclass(frozen=True, slots=True)
class Mended:
    """The event after a mend, and the line that is kept: where, what from, what to."""

    event: Event
    place: str
    before: str
    after: str


Action = Callable[[Event, Values], Mended]
ACTIONS: dict[str, Action] = {}


def action(name: str) -> Callable[[Action], Action]:
    """Registers a mend under its name."""

    def register(function: Action) -> Action:
        ACTIONS[name] = function
        return function

    return register


def whole(values: Values, name: str) -> int:
    text = values.get(name, "").strip()
    if not text.isdecimal() or len(text) > 5:
        raise MendRefused(f"{text or 'nothing'} is no number: {name.replace('_', ' ')} needs one")
    return int(text)


def text_of(values: Values, name: str, longest: int = 200) -> str:
    """A value that a person typed: on one line, without odd characters."""
    return " ".join("".join(one if one.isprintable() else " " for one in values.get(name, "")).split())[:longest]


def day_of(values: Values, name: str) -> date:
    text = values.get(name, "").strip()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise MendRefused(f"{text[:20]!r} is no date: write it as YYYY-MM-DD") from None


def section_of(event: Event, values: Values) -> Section:
    number = whole(values, "section")
    found = [one for one in event.sections if one.number == number]
    if not found:
        raise MendRefused(f"there is no section {number} any more")
    return found[0]


def player_of(section: Section, number: int) -> Player:
    found = [one for one in section.players if one.number == number]
    if not found:
        raise MendRefused(f"nobody has the number {number} in section {section.number}")
    return found[0]


def game_of(section: Section, values: Values) -> Game | None:
    """The game of two numbers in a round, whoever had White."""
    round_, pair = whole(values, "round"), {whole(values, "one"), whole(values, "other")}
    return next((one for one in section.games if one.round == round_ and {one.white, one.black} == pair), None)


def with_section(event: Event, changed: Section, old: Section | None = None) -> Event:
    """`old`: the section that goes for it, where the number alone does not say."""
    sections = [
        changed if (one is old if old is not None else one.number == changed.number) else one for one in event.sections
    ]
    return replace(event, sections=tuple(sections))


def with_player(event: Event, section: Section, number: int, change: Callable[[Player], Player]) -> Event:
    player_of(section, number)
    players = tuple(change(one) if one.number == number else one for one in section.players)
    return with_section(event, replace(section, players=players))


def with_game(event: Event, section: Section, old: Game | None, new: Game | None) -> Event:
    """The game in place of the old one; added where there was none, gone where there is none."""
    games = [new if one is old else one for one in section.games]
    if old is None and new is not None:
        games.append(new)
    kept = tuple(sorted((one for one in games if one is not None), key=lambda one: one.round))
    return with_section(event, replace(section, games=kept))


def with_opponent(game: Game, old: int, new: int) -> Game:
    """Another number on one side. A game against oneself has the old one twice: the second side changes."""
    return replace(game, black=new) if game.black == old else replace(game, white=new)


def turned(game: Game) -> Game:
    """The same game with the colours changed and the same winner."""
    return replace(game, white=game.black, black=game.white, result=FLIPPED.get(game.result, game.result))


def called(player: Player) -> str:
    """`Ahmed Dale (2)`."""
    return f"{first_name_first(player.name) or player.id or 'number'} ({player.number})"
