"""The field of a section: who played whom, re-entries merged, forfeits left out (2025 §7, readings 21)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crosstable.model import PLAYED_RESULTS, Event, Player, Rating, Section
from crosstable.systems.field import seated


@dataclass(frozen=True, slots=True)
class SectionEntry:
    """One player of a section with all rated games; a re-entry stands under the lowest pairing number."""

    number: int
    player: Player
    opponents: tuple[int, ...]  # positions in the field
    half_points: tuple[int, ...]
    rounds: tuple[int, ...]

    @property
    def games(self) -> int:
        return len(self.half_points)

    @property
    def score(self) -> float:
        return sum(self.half_points) / 2

    def results(self) -> tuple[int, int, int]:
        """Wins, draws, losses."""
        return self.half_points.count(2), self.half_points.count(1), self.half_points.count(0)


def with_event_ratings(event: Event, section: Section) -> Section:
    """Return the section with the ratings that another section of the event gives for the same players.

    A report may say a player's ratings once. By id: without one, number 1 of two sections are two people.
    """
    if len(event.sections) == 1:
        return section
    said: dict[str, dict[str, Rating]] = {}
    for player in (player for other in event.sections for player in other.players if player.id):
        said[player.id] = {**player.ratings, **said.get(player.id, {})}
    players = [
        replace(player, ratings={**said[player.id], **player.ratings})
        if player.id and said[player.id].keys() - player.ratings.keys()
        else player
        for player in section.players
    ]
    return replace(section, players=tuple(players))


def entries_of(section: Section) -> tuple[SectionEntry, ...]:
    """Return the players with a rated game, by pairing number; games in order of rounds."""
    people, games = seated(section)
    played: list[list[tuple[int, int, int]]] = [[] for _ in people]
    for game, white, black in games:
        for_white, for_black = PLAYED_RESULTS[game.result]
        played[white].append((game.round, black, for_white))
        played[black].append((game.round, white, for_black))
    return tuple(_entry(player, sorted(played[place])) for place, player in enumerate(people))


def _entry(player: Player, games: list[tuple[int, int, int]]) -> SectionEntry:
    return SectionEntry(
        player.number,
        player,
        tuple(opponent for _, opponent, _ in games),
        tuple(half_points for _, _, half_points in games),
        tuple(round_number for round_number, _, _ in games),
    )
