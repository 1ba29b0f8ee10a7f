"""The opponents of a first rating: their ratings before and after the event, as the crosstable shows them.

The strengths that the formula used would lead back to the number that a first rating starts from, and so to an age.
"""

from __future__ import annotations

from dataclasses import dataclass

from crosstable.office.players.person import Person
from crosstable.office.queries.crosstable import CrosstablePage, Row
from crosstable.words.language import _, gettext_noop

VERBS = {"W": gettext_noop("Beat"), "D": gettext_noop("Drew with"), "L": gettext_noop("Lost to")}
SCORES = {"W": 1.0, "D": 0.5, "L": 0.0}


@dataclass(frozen=True, slots=True)
class Move:
    """One game: who it was, and where the opponent's rating went in the event."""

    round: int
    verb: str
    person: Person | None
    number: int
    before: float | None
    after: float | None
    score: float


def moves(table: CrosstablePage, row: Row, pool: str) -> tuple[Move, ...]:
    """In the order of the rounds."""
    rows = {number: one for one in table.rows for number in (one.number, *one.again)}
    found = []
    for cell in row.cells:
        if not cell.opponent:
            continue
        other = rows.get(cell.opponent)
        numbers = next((one for one in other.numbers if one.pool == pool), None) if other else None
        found.append(
            Move(
                round=cell.round,
                verb=_(VERBS[cell.letter]),
                person=other.person if other else None,
                number=cell.opponent,
                before=numbers.before if numbers else None,
                after=numbers.after if numbers else None,
                score=SCORES[cell.letter],
            )
        )
    return tuple(found)
