"""Where a finding is: the section, the players and the round that its words name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crosstable.model import Event, Finding, Section

_SECTION = re.compile(r"\bsection (\d+)")
_PLAYER = re.compile(r"\bplayer (\d{1,4})\b(?! (?:and|have|has)\b)")
_PLAYERS = re.compile(r"\bplayers (\d{1,4}) and (\d{1,4})\b")
_ROUND = re.compile(r"\bround (-?\d+)")
_GAME = re.compile(r"\bgame (\d+)-(\d+)")
_POOL = re.compile(r"\brating (\w+)")
#: `player 2 met 3, who …`: the other one of a game that stands in one row only
_MET = re.compile(r"\bplayer \d+ met (\d+)")
#: `12345671 is player 1 and 3`
_ENTRIES = re.compile(r"^(\S+) is player ([\d and]+)\.?$")

#: Of a list of games: the row stands in front, round and players in the words
_LISTED_GAMES = frozenset({"unreadable-cell", "no-result", "invalid-line"})


@dataclass(frozen=True, slots=True)
class Place:
    """Nothing where the finding does not say, or says it of the whole event."""

    section: int | None = None
    players: tuple[int, ...] = ()
    round: int | None = None
    pool: str = ""

    @property
    def player(self) -> int | None:
        return self.players[0] if self.players else None


def place_of(finding: Finding, event: Event) -> Place:
    """The place that a finding's words name. A table of several sections names rows: who is there tells the section."""
    where = finding.where
    players = _players(finding)
    game = "game" in where or finding.code in _LISTED_GAMES
    round_ = _ROUND.search(where) or (_ROUND.search(finding.message) if game else None)
    pool = _POOL.search(where)
    number = int(round_[1]) if round_ else None
    found = _SECTION.search(where)
    section = int(found[1]) if found else _only(event, players, number) if players else None
    if finding.code == "new-player":  # it names the id, not the number
        return _by_id(event, where)
    if section is None:
        return Place()
    return Place(section, tuple(players), number, pool[1] if pool else "")


def _players(finding: Finding) -> list[int]:
    if game := _GAME.search(finding.where):
        return [int(game[1]), int(game[2])]
    if both := _PLAYERS.search(finding.where) or _PLAYERS.search(finding.message):
        return [int(both[1]), int(both[2])]
    if finding.code == "re-entry" and (entries := _ENTRIES.match(finding.message)):
        return [int(number) for number in re.findall(r"\d+", entries[2])]
    one = _PLAYER.search(finding.where)
    met = _MET.search(finding.message)
    return ([int(one[1])] if one else []) + ([int(met[1])] if one and met else [])


def _only(event: Event, players: Sequence[int], round_: int | None) -> int | None:
    """The one section that has these players; of several the one in which they met in that round."""
    if len(event.sections) == 1:
        return event.sections[0].number
    fitting = [one for one in event.sections if set(players) <= {player.number for player in one.players}]
    met = [one for one in fitting if _met(one, players, round_)]
    chosen = met if len(met) == 1 else fitting
    return chosen[0].number if len(chosen) == 1 else None


def _met(section: Section, players: Sequence[int], round_: int | None) -> bool:
    return any(game.round == round_ and {game.white, game.black} == set(players) for game in section.games)


def _by_id(event: Event, where: str) -> Place:
    wanted = where.removeprefix("player ")
    for section in event.sections:
        for player in section.players:
            if player.id == wanted:
                return Place(section.number, (player.number,))
    return Place()
