"""The slips of made-up directors: a report as it comes in, with one thing wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from crosstable import formats
from crosstable.model import Event, Game, Player
from crosstable.office.reports.typed_report import Row, Typed

#: How a crosstable as text begins the cell of a won game, and of a drawn one
_WON, _DREW = "|W ", "|D "


def as_text(event: Event, disagreeing: int | None = None) -> bytes:
    """Return the report as a crosstable in a text.

    In the section `disagreeing` the two sides of a game contradict each other.
    """
    text = formats.write(event, "text-crosstable").data.decode()
    if disagreeing is None:
        return text.encode()
    place = text.index(_WON, text.index(f"Section {disagreeing} - "))
    return (text[:place] + _DREW + text[place + len(_WON) :]).encode()


def with_player(event: Event, number: int, change: Callable[[Player], Player]) -> Event:
    """Return the player of a number in the first section changed."""
    section = event.sections[0]
    changed = tuple(change(one) if one.number == number else one for one in section.players)
    return replace(event, sections=(replace(section, players=changed), *event.sections[1:]))


def with_id(event: Event, number: int, id: str) -> Event:
    """Return the event with a slip in an ID: another member's, with the right name beside it."""
    return with_player(event, number, lambda one: replace(one, id=id))


def with_affiliate(event: Event, affiliate: str) -> Event:
    """Return the event with a slip in the affiliate's ID: the results are right, and the office should look."""
    return replace(event, affiliate=affiliate)


def with_newcomer(event: Event, number: int, name: str) -> Event:
    """Someone whom the office does not know yet, without an ID."""
    return with_player(event, number, lambda one: replace(one, id="", name=name))


def with_result_turned(event: Event) -> Event:
    """Return the first game that was won, won by the other side."""
    section = event.sections[0]
    place = next(index for index, game in enumerate(section.games) if game.result in ("1-0", "0-1"))
    games = (*section.games[:place], turned(section.games[place]), *section.games[place + 1 :])
    return replace(event, sections=(replace(section, games=games), *event.sections[1:]))


def turned(game: Game) -> Game:
    return replace(game, result="0-1" if game.result == "1-0" else "1-0")


def half_typed(event: Event) -> Typed:
    """Return the first section as a director types it, up to the middle of the second round."""
    section = event.sections[0]
    facts = {
        "event": event.name,
        "city": event.city,
        "state": event.state,
        "start": str(event.start),
        "end": str(event.end),
    }
    cells: dict[int, list[str]] = {one.number: [""] * 4 for one in section.players}
    played = [game for game in section.games if game.round <= 2]
    for game in played[: len(played) * 3 // 4]:
        outcome = {"1-0": "W", "0-1": "L"}.get(game.result, "D")
        cells[game.white][game.round - 1] = f"{outcome}{game.black}W"
    rows = tuple(Row(one.id, one.name, "", tuple(cells[one.number])) for one in section.players)
    return Typed(facts, 4, rows)
