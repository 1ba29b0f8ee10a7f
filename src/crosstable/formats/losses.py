"""What a format could not hold: the event that was to be written against the one that a reader gets back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from crosstable.formats.base import Loss
from crosstable.formats.crosstable import FLIPPED, game_order
from crosstable.formats.file_ratings import UNNAMED
from crosstable.model import Event, Game, Player, Section

_TOLD = ("total", UNNAMED)


def between(before: Event, after: Event) -> tuple[Loss, ...]:
    """Return each lost or changed field once, with how often."""
    return tuple(Loss(path, times) for path, times in sorted(Counter(_event(before, after)).items()))


def _event(before: Event, after: Event) -> Iterator[str]:
    yield from _fields("event", before, after, skip=("sections",))
    for index, section in enumerate(before.sections):
        if index < len(after.sections):
            yield from _section(section, after.sections[index])
        else:
            yield "section"


def _section(before: Section, after: Section) -> Iterator[str]:
    yield from _fields("section", before, after, skip=("players", "games", "colors"))
    if before.colors and not after.colors and before.games:
        yield "section.colors"
    players = {player.number: player for player in after.players}
    for player in before.players:
        if player.number in players:
            yield from _player(player, players[player.number])
        else:
            yield "player"
    yield from _games(before, after)


def _player(before: Player, after: Player) -> Iterator[str]:
    yield from _fields("player", before, after, skip=("ratings",))
    for key, rating in before.ratings.items():
        if key in after.ratings:
            yield from _fields(f"player.ratings.{key}", rating, after.ratings[key])
        else:
            yield f"player.ratings.{key}"


def _games(before: Section, after: Section) -> Iterator[str]:
    """By pairing and meeting, so that a game which only moved to another round is not lost twice."""
    for old, new in zip(_meetings(before), _meetings(after), strict=False):
        if (old.white, old.black) != (new.white, new.black):
            yield "game"
        else:
            yield from _fields("game", old, new)
    missing = len(before.games) - len(after.games)
    yield from ["game"] * missing


def _meetings(section: Section) -> list[Game]:
    games = [game if section.colors else _lower_first(game) for game in section.games]
    return sorted(games, key=lambda game: (min(game.white, game.black), max(game.white, game.black), game_order(game)))


def _lower_first(game: Game) -> Game:
    if game.white <= game.black:
        return game
    return Game(
        round=game.round,
        white=game.black,
        black=game.white,
        result=FLIPPED[game.result],
        handicap=game.handicap,
        komi=game.komi,
        notes=game.notes,
    )


def _fields(name: str, before: Any, after: Any, skip: tuple[str, ...] = ()) -> Iterator[str]:
    for item in fields(before):
        if item.name in skip:
            continue
        old, new = getattr(before, item.name), getattr(after, item.name)
        if (
            item.name == "notes"
        ):  # a total follows from the rounds; a format that names the pool says more than the note
            lost = (key for key, value in old.items() if key not in _TOLD and not _kept(value, new.get(key)))
            yield from (f"{name}.notes.{key}" for key in lost)
        elif old != new:
            yield f"{name}.{item.name}"


def _kept(old: Any, new: Any) -> bool:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        return all(_kept(value, new.get(key)) for key, value in old.items())
    return bool(old == new)
