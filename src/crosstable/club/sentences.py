"""One game in one friendly sentence, for the board it was played at."""

from __future__ import annotations

from typing import NamedTuple

from crosstable.office.queries.words import signed
from crosstable.systems import RatingSystem
from crosstable.systems.st_charles import Points, StCharles
from crosstable.words.language import _, ngettext
from crosstable.words.numbers import plain

MINUS = "−"


class Sentence(NamedTuple):
    """ "Leo beat Nora, who was 100 points higher:" and "21 + 4 = 25." """

    head: str
    sum: str

    def __str__(self) -> str:
        return " ".join(self)


class RatedPlayer(NamedTuple):
    """A player of a game: name, and rating before and after."""

    name: str
    before: float
    after: float


def of_game(white: RatedPlayer, black: RatedPlayer, score: float, system: RatingSystem) -> Sentence:
    """From the winner's side, or White's if it was a draw. `score`: White's."""
    first, second, result = (black, white, 1.0) if score == 0.0 else (white, black, score)
    text = _("{first} beat {second}, {apart}:") if result == 1.0 else _("{first} drew with {second}, {apart}:")
    head = text.format(first=first.name, second=second.name, apart=_apart(first, second, system))
    if isinstance(system, StCharles):
        mine, theirs = system.score(first.before, second.before, result)
        return Sentence(head, _sum(first, second, result, mine, theirs))
    return Sentence(head, f"{first.name} {signed(first.after - first.before, 1)}.")


def _apart(first: RatedPlayer, second: RatedPlayer, system: RatingSystem) -> str:
    gap = second.before - first.before
    if gap == 0:
        return _("who had the same rating")
    equal = isinstance(system, StCharles) and system.score(first.before, second.before, 0.5)[0].adjustment == 0
    if gap > 0:
        text = _("who was only {points} higher") if equal else _("who was {points} higher")
    else:
        text = _("who was only {points} lower") if equal else _("who was {points} lower")
    return text.format(points=_points(abs(gap)))


def _points(value: float) -> str:
    return ngettext("{count} point", "{count} points", value).format(count=plain(value))


def _sum(first: RatedPlayer, second: RatedPlayer, result: float, mine: Points, theirs: Points) -> str:
    if result == 0.5:
        return _draw(first, second, mine)
    text, limit = plain(mine.at_risk), plain(mine.limited)
    if mine.adjustment:
        sign = "+" if mine.adjustment > 0 else MINUS
        text = f"{plain(mine.at_risk)} {sign} {plain(abs(mine.adjustment))} = {_signed(mine.sum)}"
    if mine.limited > mine.sum:
        text += _(", but a winner always gains at least {points}: {points}").format(points=limit)
    elif mine.limited < mine.sum:
        text += _(", but no rating moves more than {points}: {points}").format(points=limit)
    if theirs.post != second.before + theirs.limited:
        stays = _("; {name} stays at {rating}, because no rating falls lower")
        text += stays.format(name=second.name, rating=plain(theirs.post))
    return f"{text}."


def _draw(first: RatedPlayer, second: RatedPlayer, mine: Points) -> str:
    if mine.limited == 0:
        return _("nothing changes.")
    points = abs(mine.limited)
    gains = first if mine.limited > 0 else second
    text = ngettext("{count} point goes to {name}.", "{count} points go to {name}.", points)
    return text.format(count=plain(points), name=gains.name)


def _signed(value: float) -> str:
    return plain(value) if value >= 0 else f"{MINUS}{plain(-value)}"
