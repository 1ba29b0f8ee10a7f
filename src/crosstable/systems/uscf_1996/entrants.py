"""Who played whom in a section: one entrant per person (a re-entry is one person), with the rated games."""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.model import PLAYED_RESULTS, Finding, Level, Player, Section


@dataclass(frozen=True, slots=True)
class Encounter:
    opponent: int  # the opponent's lowest pairing number
    score: float


@dataclass(frozen=True, slots=True)
class Entrant:
    number: int
    player: Player
    games: tuple[Encounter, ...]


def entrants(section: Section) -> tuple[dict[int, Entrant], list[Finding]]:
    """Everybody by number, and what is wrong. Unplayed games, drawn or not, are not rated (section 1)."""
    number_of, players, findings = _people(section)
    games: dict[int, list[Encounter]] = {number: [] for number in players}
    for game in section.games:
        where = f"section {section.number}, round {game.round}"
        missing = [number for number in (game.white, game.black) if number not in number_of]
        if missing:
            findings.append(Finding(Level.ERROR, "unknown-player", where, f"no player {missing[0]} in this section."))
            continue
        white, black = number_of[game.white], number_of[game.black]
        if white == black:
            findings.append(Finding(Level.ERROR, "self-pairing", where, f"player {white} meets themself."))
        elif game.played:
            halves = PLAYED_RESULTS[game.result]
            games[white].append(Encounter(black, halves[0] / 2))
            games[black].append(Encounter(white, halves[1] / 2))
    return {number: Entrant(number, player, tuple(games[number])) for number, player in players.items()}, findings


def _people(section: Section) -> tuple[dict[int, int], dict[int, Player], list[Finding]]:
    """Every pairing number's person: their lowest number, and their record."""
    lowest: dict[str, int] = {}
    players: dict[int, Player] = {}
    findings = []
    for player in sorted(section.players, key=lambda player: player.number):
        first = lowest.setdefault(player.id, player.number)
        known = players.setdefault(first, player)
        if known.ratings != player.ratings:
            where = f"section {section.number}, player {player.number}"
            message = f"re-entry of player {first} with another rating record."
            findings.append(Finding(Level.ERROR, "re-entry-differs", where, message, "Give both the same record."))
    return {player.number: lowest[player.id] for player in section.players}, players, findings
