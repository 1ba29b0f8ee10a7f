"""The field of a section: who played whom, re-entries merged, forfeits left out (2025 §7, readings 21)."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import PLAYED_RESULTS, Player, Section
from crosstable.systems.field import person


@dataclass(frozen=True, slots=True)
class Entry:
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


def field_of(section: Section) -> tuple[Entry, ...]:
    """Everybody with a rated game, by pairing number; games in order of rounds."""
    players = sorted(section.players, key=lambda player: player.number)
    lowest: dict[str, Player] = {}
    for player in players:
        lowest.setdefault(person(player), player)
    standing = {player.number: lowest[person(player)].number for player in players}
    games: dict[int, list[tuple[int, int, int]]] = {}
    for game in section.games:
        if game.played:
            white, black = standing[game.white], standing[game.black]
            for_white, for_black = PLAYED_RESULTS[game.result]
            games.setdefault(white, []).append((game.round, black, for_white))
            games.setdefault(black, []).append((game.round, white, for_black))
    active = [player for player in lowest.values() if player.number in games]
    position = {player.number: index for index, player in enumerate(active)}
    return tuple(_entry(player, sorted(games[player.number]), position) for player in active)


def _entry(player: Player, games: list[tuple[int, int, int]], position: dict[int, int]) -> Entry:
    return Entry(
        player.number,
        player,
        tuple(position[opponent] for _, opponent, _ in games),
        tuple(half_points for _, _, half_points in games),
        tuple(round_number for round_number, _, _ in games),
    )
