"""The games of a derivation page: each opponent's strength, what was expected, and the sum behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from crosstable.model.us_chess_steps import GameFact
from crosstable.office.reading import crosstable as tables
from crosstable.office.reading.opponents_met import SCORES, VERBS
from crosstable.office.reading.people import Person
from crosstable.office.reading.words import points, signed
from crosstable.web.presenters.figures import above, figure, or_none, sum_of
from crosstable.words.numbers import equals, number

if TYPE_CHECKING:
    from crosstable.web.presenters.derivation import Story


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """One game: the opponent's strength, what was expected, what was scored."""

    round: int
    verb: str
    person: Person | None
    number: int
    strength: str
    expected: str
    bar: float | None  # the expected score as a number, for the bar
    score: float
    words: tuple[str, ...]


def game_lines(story: Story) -> tuple[GameLine, ...]:
    """Return the games in the order of the rounds."""
    cells = [cell for cell in story.row.cells if cell.opponent]
    after, before = _games_of(story, 5), _games_of(story, 4)
    if len(after) != len(cells):
        return tuple(_line(story, cell, None, None) for cell in cells)
    earlier: Sequence[GameFact | None] = before if len(before) == len(after) else [None] * len(after)
    return tuple(_line(story, cell, first, last) for cell, first, last in zip(cells, earlier, after, strict=True))


def _games_of(story: Story, step: int) -> tuple[GameFact, ...]:
    return story.passes[step].games if step in story.passes else ()


def _line(story: Story, cell: tables.Cell, first: GameFact | None, last: GameFact | None) -> GameLine:
    people = {number: row.person for row in story.page.table.rows for number in (row.number, *row.again)}
    person = people.get(cell.opponent or 0)
    strength = None if last is None else or_none(last.rating)
    expected = None if last is None else or_none(last.expected)
    return GameLine(
        round=cell.round,
        verb=VERBS[cell.letter],
        person=person,
        number=cell.opponent or 0,
        strength="" if strength is None else number(strength, 1, fixed=True),
        expected="" if expected is None else number(expected, 3, fixed=True),
        bar=expected,
        score=SCORES[cell.letter],
        words=_game_words(story, person, first, last, SCORES[cell.letter]),
    )


def _game_words(
    story: Story, person: Person | None, first: GameFact | None, last: GameFact | None, score: float
) -> tuple[str, ...]:
    """Say what opens under a game."""
    name = person.name if person else "The opponent"
    strength = None if last is None else or_none(last.rating)
    if last is None or strength is None:
        return (f"The strength of {name} in this event is not shown: it would reveal a player’s age.",)
    shown, before = number(strength, 1, fixed=True), None if first is None else or_none(first.rating)
    found = [f"{name} counts with a strength of {shown}."]
    if before is not None:
        came = number(before, 1, fixed=True)
        found = [
            f"{name} started with {came}{_first_pass(strength - before, equals(before, strength))}: strength {shown}."
        ]
    prior, expected = story.value("prior"), or_none(last.expected)
    if expected is not None and prior is not None:
        left = f"Expected = 1 ÷ (1 + 10^(({shown} − {figure(prior, 2)}) ÷ 400))"
        text = sum_of(left, expected, number(expected, 3, fixed=True), strength, prior)
        found.append(f"{text}. Scored {points(score)}: {signed(above(score, expected), 3)}.")
    return tuple(found)


def _first_pass(moved: float, sign: str) -> str:
    about = "about " if sign == "≈" else ""
    least, places = (0.5, 0) if about else (0.05, 1)
    if abs(moved) < least:
        return f"; the first pass left it {about}there"
    return f"; the first pass {'raised' if moved > 0 else 'lowered'} it by {about}{abs(moved):.{places}f}"
