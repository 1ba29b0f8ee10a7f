"""One game in one friendly sentence, for the board it was played at."""

from __future__ import annotations

from typing import NamedTuple

from crosstable.office.queries.words import signed
from crosstable.systems import RatingSystem
from crosstable.systems.st_charles import Points, StCharles

MINUS = "−"


class Sentence(NamedTuple):
    """ "Leo beat Nora, who was 100 points higher:" and "21 + 4 = 25." """

    head: str
    sum: str

    def __str__(self) -> str:
        return " ".join(self)


class Side(NamedTuple):
    """A player of a game: name, and rating before and after."""

    name: str
    before: float
    after: float


def of_game(white: Side, black: Side, score: float, system: RatingSystem) -> Sentence:
    """From the winner's side, or White's if it was a draw. `score`: White's."""
    first, second, result = (black, white, 1.0) if score == 0.0 else (white, black, score)
    head = f"{first.name} {'beat' if result == 1.0 else 'drew with'} {second.name}, {_apart(first, second, system)}:"
    if isinstance(system, StCharles):
        mine, theirs = system.score(first.before, second.before, result)
        return Sentence(head, _sum(first, second, result, mine, theirs))
    return Sentence(head, f"{first.name} {signed(first.after - first.before, 1)}.")


def _apart(first: Side, second: Side, system: RatingSystem) -> str:
    gap = second.before - first.before
    if gap == 0:
        return "who had the same rating"
    side = "higher" if gap > 0 else "lower"
    points = "1 point" if abs(gap) == 1 else f"{abs(gap):g} points"
    equal = isinstance(system, StCharles) and system.score(first.before, second.before, 0.5)[0].adjustment == 0
    return f"who was only {points} {side}" if equal else f"who was {points} {side}"


def _sum(first: Side, second: Side, result: float, mine: Points, theirs: Points) -> str:
    if result == 0.5:
        return _draw(first, second, mine)
    text = f"{mine.at_risk:g}"
    if mine.adjustment:
        sign = "+" if mine.adjustment > 0 else MINUS
        text = f"{mine.at_risk:g} {sign} {abs(mine.adjustment):g} = {_signed(mine.sum)}"
    if mine.limited > mine.sum:
        text += f", but a winner always gains at least {mine.limited:g}: {mine.limited:g}"
    elif mine.limited < mine.sum:
        text += f", but nobody moves more than {mine.limited:g}: {mine.limited:g}"
    if theirs.post != second.before + theirs.limited:
        text += f"; {second.name} stays at {theirs.post:g}, for nobody falls lower"
    return f"{text}."


def _draw(first: Side, second: Side, mine: Points) -> str:
    if mine.limited == 0:
        return "nothing changes."
    points = abs(mine.limited)
    gains = first if mine.limited > 0 else second
    return f"{points:g} {'point goes' if points == 1 else 'points go'} to {gains.name}."


def _signed(value: float) -> str:
    return f"{value:g}" if value >= 0 else f"{MINUS}{-value:g}"
