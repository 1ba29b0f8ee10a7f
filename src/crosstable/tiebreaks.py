"""Tie-breaks of a tournament section, as the Official Rules of Chess of US Chess define them (rules 34E1 to 34E7).

An opponent's unplayed rounds count as half a point each; a player's own unplayed round counts as an opponent with no
points. Ratings do not depend on any of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

#: From so many rounds on, the modified median leaves out two scores at an end (34E1)
LONG = 9


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a player: the points, and the opponent of a game that was played."""

    points: float
    opponent: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreaks:
    """The tie-breaks of one player, in the order in which they decide."""

    modified_median: float
    solkoff: float
    cumulative: float
    sonneborn_berger: float

    def __iter__(self) -> Iterator[float]:
        return (getattr(self, one.name) for one in fields(self))


def tie_breaks(section: Mapping[int, Sequence[Round]]) -> dict[int, TieBreaks]:
    """Return the tie-breaks of every player of a section. Each player has one entry for each round."""
    adjusted = {number: _adjusted(rounds) for number, rounds in section.items()}
    return {number: _of_player(rounds, adjusted) for number, rounds in section.items()}


def direct_encounter(section: Mapping[int, Sequence[Round]], tied: Sequence[int]) -> dict[int, float | None]:
    """Return the points of tied players in the games among them (34E4); None for a player without such a game."""
    found: dict[int, float | None] = {}
    for number in tied:
        among = [one.points for one in section[number] if one.opponent in tied]
        found[number] = sum(among) if among else None
    return found


def _adjusted(rounds: Sequence[Round]) -> float:
    """Return a score in which every unplayed round is worth half a point."""
    return sum(0.5 if one.opponent is None else one.points for one in rounds)


def _of_player(rounds: Sequence[Round], adjusted: Mapping[int, float]) -> TieBreaks:
    opponents = [0.0 if one.opponent is None else adjusted.get(one.opponent, 0.0) for one in rounds]
    score = sum(one.points for one in rounds)
    return TieBreaks(
        modified_median=_modified_median(opponents, score),
        solkoff=sum(opponents),
        cumulative=_cumulative(rounds),
        sonneborn_berger=sum(strength * one.points for one, strength in zip(rounds, opponents, strict=True)),
    )


def _modified_median(opponents: Sequence[float], score: float) -> float:
    """Leave out the lowest of a plus score, the highest of a minus score, both of an even one (34E1)."""
    out = 2 if len(opponents) >= LONG else 1
    half, ordered = len(opponents) / 2, sorted(opponents)
    first = out if score >= half else 0
    last = len(ordered) - (out if score <= half else 0)
    return sum(ordered[first:last])


def _cumulative(rounds: Sequence[Round]) -> float:
    """Add up the running scores, less a point for each win without a game (34E3)."""
    running = total = 0.0
    for one in rounds:
        running += one.points
        total += running
    return total - sum(one.opponent is None and one.points == 1 for one in rounds)
