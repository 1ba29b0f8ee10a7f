"""What every fix is made of: its values, and small changes of an event document that leave the rest as it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import OfficeError
from crosstable.formats.crosstable import FLIPPED
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Game, Player, Section

Values = Mapping[str, str]


class FixRefused(OfficeError):
    """A fix that does not fit the event, or no longer does, with the reason."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The event after a fix, and the line for its log: where, what it was, what it is."""

    event: Event
    place: str
    before: str
    after: str


Change = Callable[[Event, Values], Fixed]
KINDS: dict[str, Change] = {}


def fix(name: str) -> Callable[[Change], Change]:
    """Register a kind of fix under its name."""

    def register(function: Change) -> Change:
        KINDS[name] = function
        return function

    return register


def apply(event: Event, name: str, values: Values) -> Fixed:
    """Return the event with one fix carried out. Raises FixRefused where it does not fit."""
    if name not in KINDS:
        raise FixRefused(f"there is no fix called {name[:30]!r}")
    return KINDS[name](event, values)


def whole(values: Values, name: str) -> int:
    text = values.get(name, "").strip()
    if not text.isdecimal() or len(text) > 5:
        raise FixRefused(f"{text or 'nothing'} is not a number: {name.replace('_', ' ')} needs one")
    return int(text)


def text_of(values: Values, name: str, longest: int = 200) -> str:
    """Return a typed value on one line, without control characters."""
    return " ".join("".join(one if one.isprintable() else " " for one in values.get(name, "")).split())[:longest]


def day_of(values: Values, name: str) -> date:
    text = values.get(name, "").strip()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise FixRefused(f"{text[:20]!r} is not a date: write it as YYYY-MM-DD") from None


def section_of(event: Event, values: Values) -> Section:
    number = whole(values, "section")
    found = [one for one in event.sections if one.number == number]
    if not found:
        raise FixRefused(f"there is no section {number} any more")
    return found[0]


def player_of(section: Section, number: int) -> Player:
    found = [one for one in section.players if one.number == number]
    if not found:
        raise FixRefused(f"no player has the number {number} in section {section.number}")
    return found[0]


def game_of(section: Section, values: Values) -> Game | None:
    """Return the game of two numbers in a round, with either color."""
    round_, one, other = whole(values, "round"), whole(values, "one"), whole(values, "other")
    found = games_between(section, round_, one, other)
    return next((game for game in found if game.white == one), found[0] if found else None)


def games_between(section: Section, round_: int, one: int, other: int) -> list[Game]:
    """Return the games of two numbers in a round; a file can have several, no fix leaves two."""
    pair = {one, other}
    return [game for game in section.games if game.round == round_ and {game.white, game.black} == pair]


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
    """Return the event with the game in place of the old one: added where there was none,
    removed where there is none.
    """
    if new is not None and any(one is not old for one in games_between(section, new.round, new.white, new.black)):
        raise FixRefused(
            f"numbers {new.white} and {new.black} already have a game in round {new.round}: change that one"
        )
    games = [new if one is old else one for one in section.games]
    if old is None and new is not None:
        games.append(new)
    kept = tuple(sorted((one for one in games if one is not None), key=lambda one: one.round))
    return with_section(event, replace(section, games=kept))


def with_opponent(game: Game, old: int, new: int) -> Game:
    """Another number on one side. A game against oneself has the old one twice: the second side changes."""
    return replace(game, black=new) if game.black == old else replace(game, white=new)


def turned(game: Game) -> Game:
    """Return the same game with the colours changed and the same winner."""
    return replace(game, white=game.black, black=game.white, result=FLIPPED.get(game.result, game.result))


def called(player: Player) -> str:
    """`Ahmed Dale (2)`."""
    return f"{first_name_first(player.name) or player.id or 'number'} ({player.number})"
