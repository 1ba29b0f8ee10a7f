"""Who played in a FIDE report: what an office needs to find its own members among the players of an event abroad."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from crosstable.formats import trf
from crosstable.formats.base import Reading
from crosstable.formats.fields import note_text
from crosstable.model import Event, Section

FOREIGN = "fide:"  # before the FIDE id of a player who is not ours: it must not be taken for a member's id


def is_foreign(number: str) -> bool:
    """Return whether an id is that of a player abroad, whom no register has."""
    return number.startswith(FOREIGN)


@dataclass(frozen=True, slots=True, kw_only=True)
class FideEntrant:
    """A player of a FIDE report. No birth date: matching needs none."""

    section: int
    number: int  # pairing number
    fide_id: str  # empty where the report has none
    name: str
    federation: str
    title: str
    rating: float | None
    games: int  # played over the board; forfeits and byes are none
    rated_games: int  # of those, against opponents with a FIDE rating


def entrants(reading: Reading) -> tuple[FideEntrant, ...]:
    """Return the players of a report by section and number. Raises EventRejected if it cannot be read."""
    by_fide = reading.format == trf.NAME  # the ids of a TRF are FIDE's
    return tuple(one for section in reading.event.sections for one in _entrants(section, by_fide=by_fide))


def _entrants(section: Section, *, by_fide: bool) -> list[FideEntrant]:
    rated = {player.number for player in section.players if player.fide is not None}
    games: Counter[int] = Counter()
    against_rated: Counter[int] = Counter()
    for game in section.games:
        for one, other in ((game.white, game.black), (game.black, game.white)):
            if game.played:
                games[one] += 1
                against_rated[one] += other in rated
    return [
        FideEntrant(
            section=section.number,
            number=player.number,
            fide_id=player.id if by_fide else note_text(player.notes, "fide_id"),
            name=player.name,
            federation=note_text(player.notes, "federation").upper(),
            title=note_text(player.notes, "title"),
            rating=player.fide.rating if player.fide else None,
            games=games[player.number],
            rated_games=against_rated[player.number],
        )
        for player in section.players
    ]


def foreign_event(event: Event, members: Mapping[tuple[int, int], str]) -> Event:
    """Return a FIDE report as a foreign event (2025 §6): members under our ids, everyone else under `fide:` and theirs.

    `members`: (section, pairing number) → the member's id. Only the section's kind and the ids change.
    """
    return replace(event, sections=tuple(_foreign_section(section, members) for section in event.sections))


def _foreign_section(section: Section, members: Mapping[tuple[int, int], str]) -> Section:
    players = tuple(
        replace(
            player,
            id=members.get((section.number, player.number)) or f"{FOREIGN}{player.id or player.number}",
            notes={**player.notes, **({"fide_id": player.id} if player.id else {})},
        )
        for player in section.players
    )
    return replace(section, kind="fide", players=players)
