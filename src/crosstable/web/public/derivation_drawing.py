"""A derivation as a drawing: from the old rating by the games and the bonus to the new one; a first one among
opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crosstable.model.values import Rounded
from crosstable.office.queries.opponents_met import Move
from crosstable.office.queries.words import signed
from crosstable.words.language import _
from crosstable.words.numbers import digits, number


@dataclass(frozen=True, slots=True)
class Sum:
    """One drawing: ticks on an axis, a bar for the games, one for the bonus, and the two ends."""

    css: str
    width: int
    ticks: tuple[tuple[float, str], ...]
    games: tuple[float, float]  # from and width
    bonus: tuple[float, float] | None
    ends: tuple[tuple[float, str], ...]
    labels: tuple[tuple[float, str, str], ...]  # where, text, class
    words: str


def drawings(sums: tuple[float, float, float, float] | None) -> tuple[Sum, ...]:
    """For a wide page and for a phone; none where the numbers are not shown."""
    return tuple(_drawn(sums, *size) for size in (("broad", 1000), ("narrow", 358))) if sums else ()


def _drawn(sums: tuple[float, float, float, float], css: str, width: int) -> Sum:
    before, gain, bonus, after = sums
    reached = before + gain
    low, high = min(before, reached, after), max(before, reached, after)
    span = max(high - low, 4.0)
    low, high = low - span * 0.12, high + span * 0.12

    def x(rating: float) -> float:
        return round((rating - low) / (high - low) * width, 1)

    step = next(
        one
        for one in (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
        if (high - low) / one <= (6 if width > 500 else 3)
    )
    first = int(low // step + 1) * step
    levels = ((x(level), str(level)) for level in range(first, int(high) + 1, step))
    ticks = tuple((at, text) for at, text in levels if at == _inside(at, width))
    games = min(x(before), x(reached)), abs(x(reached) - x(before))
    more = (x(reached), round(x(after) - x(reached), 1)) if bonus else None
    labels = (
        [(games[0] + games[1] / 2, _("games {points}").format(points=signed(gain, 1)), "on")] if games[1] > 110 else []
    )
    if more and more[1] > 95:
        labels.append((more[0] + more[1] / 2, _("bonus {points}").format(points=signed(bonus, 1)), "ink"))
    ends = ((_inside(x(before), width), _plain(before)), (_inside(x(after), width), _plain(after)))
    return Sum(
        css=css,
        width=width,
        ticks=ticks,
        games=games,
        bonus=more,
        ends=ends,
        labels=tuple(labels),
        words=_words(before, gain, bonus, after),
    )


def _words(before: float, gain: float, bonus: float, after: float) -> str:
    """Say what the drawing shows."""
    facts = {"before": _plain(before), "gain": _points(gain), "bonus": _points(bonus), "after": _plain(after)}
    if bonus:
        text = _("From {before}, {gain} for the games and {bonus} of bonus lead to {after}.")
    elif gain >= 0:
        text = _("From {before}, {gain} for the games lead to {after}.")
    else:
        text = _("From {before}, {gain} lost in the games lead to {after}.")
    return text.format(**facts)


def _inside(x: float, width: int) -> float:
    """Where a number's middle may stand without being cut off."""
    return min(max(x, 24.0), width - 24.0)


def _plain(rating: float) -> str:
    return number(rating, 1)


def _points(value: float) -> str:
    size = digits(Rounded(abs(value), value.parts) if isinstance(value, Rounded) else abs(value), 1, fixed=True)
    text = _("about {points} points") if isinstance(value, Rounded) else _("{points} points")
    return text.format(points=size)


@dataclass(frozen=True, slots=True)
class Dot:
    """An opponent on a line that is 100 long: where the rating was, where it went, and where the new rating stands."""

    move: Move
    at: float | None
    to: float | None
    line: float | None


def dots(moves: Sequence[Move], after: float | None) -> tuple[Dot, ...]:
    """All opponents on one scale."""
    known = [one for move in moves for one in (move.before, move.after, after) if one is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    span = max(high - low, 100.0)

    def x(rating: float | None) -> float | None:
        return None if rating is None else round(6 + (rating - low) / span * 88, 1)

    return tuple(Dot(one, x(one.before), x(one.after), x(after)) for one in moves)
