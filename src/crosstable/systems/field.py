"""The field of a section as most systems need it: one entrant per person, the rated games, who met whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from crosstable.findings import declare
from crosstable.model import PLAYED_RESULTS, Finding, Game, Level, Place, Player, Rating, Section
from crosstable.systems.structure import error

declare(
    "reentry-differs",
    Level.ERROR,
    "The same id has two different records in one section.",
    "Give both the same ratings.",
)


@dataclass(frozen=True, slots=True)
class PlayedPairing:
    """A played game between two entrants, given by their place in the field."""

    place: int  # in the field's list of games
    round: int
    white: int
    black: int
    score: float  # White's
    game: Game

    def score_of(self, entrant: int) -> float:
        return self.score if entrant == self.white else 1.0 - self.score

    def opponent_of(self, entrant: int) -> int:
        return self.black if entrant == self.white else self.white


@dataclass(frozen=True, slots=True)
class SectionPlayers:
    """The players with a rated game, by lowest pairing number, each with a state; games in round order."""

    section: Section
    start: date
    end: date
    entrants: tuple[Player, ...]
    states: tuple[Rating | None, ...]
    pairings: tuple[PlayedPairing, ...]

    def schedule(self) -> list[list[PlayedPairing]]:
        """Each entrant's games."""
        schedule: list[list[PlayedPairing]] = [[] for _ in self.entrants]
        for pairing in self.pairings:
            schedule[pairing.white].append(pairing)
            schedule[pairing.black].append(pairing)
        return schedule

    def where(self, entrant: int) -> Place:
        return Place(section=self.section.number, players=(self.entrants[entrant].number,))

    def where_played(self, pairing: PlayedPairing) -> Place:
        game = pairing.game
        return Place(section=self.section.number, round=game.round, players=(game.white, game.black))

    def called(self, entrant: int) -> str:
        player = self.entrants[entrant]
        return player.name or f"player {player.number}"

    def days_since(self, state: Rating) -> int:
        """Days without games: from the rating's date to the section's start (no date: none)."""
        return 0 if state.date is None else max(0, (self.start - state.date).days)

    def keeping(self, wanted: Callable[[PlayedPairing], bool]) -> SectionPlayers:
        """Return the field with only those games, and only the players who still have one."""
        kept = [pairing for pairing in self.pairings if wanted(pairing)]
        left = sorted({place for pairing in kept for place in (pairing.white, pairing.black)})
        moved = {old: new for new, old in enumerate(left)}
        return replace(
            self,
            entrants=tuple(self.entrants[place] for place in left),
            states=tuple(self.states[place] for place in left),
            pairings=tuple(
                replace(pairing, place=place, white=moved[pairing.white], black=moved[pairing.black])
                for place, pairing in enumerate(kept)
            ),
        )


def white_edge(game: Game | None, points: float) -> float:
    """White's points, seen by the lower pairing number; no game: the colours are not known, and even out."""
    if game is None:
        return 0.0
    return points if game.white < game.black else -points


def person(player: Player) -> str:
    """Whose games count together: the id, and without one the pairing number."""
    return player.id or f"#{player.number}"


def seated(section: Section) -> tuple[list[Player], list[tuple[Game, int, int]]]:
    """Everybody with a rated game, a re-entry under its lowest pairing number; the games with the places of both sides.

    Players by pairing number, games by round. The section is one that `structure.problems` found in order.
    """
    who = {player.number: person(player) for player in section.players}
    games = sorted((game for game in section.games if game.played), key=lambda game: game.round)
    active = {who[number] for game in games for number in (game.white, game.black)}
    people: dict[str, Player] = {}
    for player in sorted(section.players, key=lambda player: player.number):
        if who[player.number] in active:
            people.setdefault(who[player.number], player)
    place = {name: index for index, name in enumerate(people)}
    return list(people.values()), [(game, place[who[game.white]], place[who[game.black]]) for game in games]


def field_of(section: Section, pool: str, carried: Mapping[str, Rating]) -> SectionPlayers:
    """Return the section as one pool sees it. `carried`: what earlier sections of the event left, by id."""
    if section.start is None or section.end is None:
        raise ValueError(f"section {section.number} has no dates")
    people, games = seated(section)
    states = tuple(carried.get(player.id, player.ratings.get(pool)) for player in people)
    pairings = tuple(
        PlayedPairing(place, game.round, white, black, PLAYED_RESULTS[game.result][0] / 2, game)
        for place, (game, white, black) in enumerate(games)
    )
    return SectionPlayers(section, section.start, section.end, tuple(people), states, pairings)


def clashing_entries(section: Section, pool: str) -> Iterator[Finding]:
    """Report entries of one person that bring different records (readings 22)."""
    first: dict[str, Player] = {}
    for player in sorted(section.players, key=lambda player: player.number):
        known = first.setdefault(person(player), player)
        if known.ratings.get(pool) != player.ratings.get(pool):
            yield error(
                "reentry-differs",
                Place(section=section.number, players=(player.number,)),
                f"a re-entry of player {known.number} with another {pool} record.",
                "Give both entries the same record.",
            )
