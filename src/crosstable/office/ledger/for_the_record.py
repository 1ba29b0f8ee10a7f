"""Results corrected for the record only: the crosstable shows what was played, the ratings stay as they were computed.

A club may leave the ratings alone ("calculation mistakes discovered after the fact are usually not corrected", St.
Charles). Such a game carries the note `rated_as`: the result that its rating was, and will be, computed from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from crosstable.model import PLAYED_RESULTS, Event, Game, Section

NOTE = "rated_as"

#: section, round, ids of White and Black
Place = tuple[int, int, str, str]


def rated_result(game: Game) -> str:
    """Return the result that counts for ratings."""
    noted = game.notes.get(NOTE)
    return noted if isinstance(noted, str) and noted in PLAYED_RESULTS else game.result


def as_rated(section: Section) -> Section:
    """Return the section with the results that count for ratings."""
    if not any(NOTE in game.notes for game in section.games):
        return section
    return replace(section, games=tuple(replace(game, result=rated_result(game)) for game in section.games))


def without_choices(event: Event) -> Event:
    """Remove such notes from a file that comes in: the choice is the office's."""
    return _changed(event, {})


def with_choices(old: Event, new: Event, *, record_only: bool) -> Event:
    """Return the new content with the choices of the old one, where a game's result stands;
    and with the choice made now.
    """
    before = {place: game for section in old.sections for place, game in _places(section).items()}
    rated: dict[Place, str] = {}
    for section in new.sections:
        for place, game in _places(section).items():
            was = before.get(place)
            if was is None or not (record_only or was.result == game.result):
                continue
            if rated_result(was) != game.result:
                rated[place] = rated_result(was)
    return _changed(new, rated)


def other_differences(old: Event, new: Event) -> bool:
    """Whether more than results of games differ: then a correction cannot be for the record only."""
    return _blank(old) != _blank(new)


def choices(event: Event) -> list[dict[str, str | int]]:
    """Return the games that are rated by another result than the one recorded, for the log and for pages."""
    return [
        {
            "section": place[0],
            "round": place[1],
            "white": place[2],
            "black": place[3],
            "recorded": game.result,
            "rated_as": rated_result(game),
        }
        for section in event.sections
        for place, game in _places(section).items()
        if rated_result(game) != game.result
    ]


def _places(section: Section) -> dict[Place, Game]:
    ids = {player.number: player.id or f"#{player.number}" for player in section.players}
    return {
        (section.number, game.round, ids.get(game.white, ""), ids.get(game.black, "")): game for game in section.games
    }


def _changed(event: Event, rated: Mapping[Place, str]) -> Event:
    return replace(event, sections=tuple(_section(section, rated) for section in event.sections))


def _section(section: Section, rated: Mapping[Place, str]) -> Section:
    if not rated and not any(NOTE in game.notes for game in section.games):
        return section
    games = []
    for place, game in _places(section).items():
        notes = {name: value for name, value in game.notes.items() if name != NOTE}
        games.append(replace(game, notes=notes | ({NOTE: rated[place]} if place in rated else {})))
    if len(games) != len(section.games):  # the same game twice: checks say so, and nothing is noted
        return section
    return replace(section, games=tuple(games))


def _blank(event: Event) -> Event:
    """Return the event without results and without these notes."""
    plain = _changed(event, {})
    return replace(
        plain,
        sections=tuple(
            replace(section, games=tuple(replace(game, result="") for game in section.games))
            for section in plain.sections
        ),
    )
