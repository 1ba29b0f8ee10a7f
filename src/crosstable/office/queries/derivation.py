"""The work behind one rating, as facts: the public steps, the crosstable around them, and the what-if."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from crosstable.errors import OfficeError
from crosstable.federations.current import current
from crosstable.model import Answer
from crosstable.model.derivation import HiddenStep
from crosstable.model.us_chess_steps import Pass
from crosstable.model.values import Hidden, known
from crosstable.office.ledger.models import RatingRow, Section
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.players.person import Person
from crosstable.office.queries import crosstable as tables
from crosstable.office.queries import history
from crosstable.office.queries.crosstable import CrosstablePage, Row
from crosstable.office.rating import trace
from crosstable.words.counts import joined
from crosstable.words.derivation import Names, contains, is_partial
from crosstable.words.language import _, gettext_noop

#: Rounded numbers may miss their sum by so much
ROUNDING = 1.6


@dataclass(frozen=True, slots=True)
class Asked:
    """A game in the what-if: how it was, how it is asked."""

    round: int
    person: Person | None
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Other results and what they would have given. `published` is nothing where it may not be shown."""

    offered: bool
    why_not: str = ""
    asked: tuple[Asked, ...] = ()
    changed: bool = False
    published: float | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DerivationPage:
    """One rating: the public answer with its steps, its row in the crosstable, and what belongs to them."""

    answer: Answer
    system: str
    table: CrosstablePage
    row: Row
    pool: str
    what_if: WhatIf
    origin: tuple[str, str] | None  # the event that gave the rating before: number and name
    official_since: date | None  # the first list with the new rating
    without_game: tuple[int, ...] = ()  # rounds that were asked for and in which the player had no game

    @property
    def names(self) -> Names:
        """The names of the crosstable's players by pairing number."""
        return {number: row.person.name for row in self.table.rows for number in (row.number, *row.again)}

    @property
    def sums(self) -> tuple[float, float, float, float] | None:
        """Return before, gain, bonus and after, where all are shown and add up."""
        last = next((one for one in self.answer.derivation if isinstance(one, Pass) and one.step == 5), None)
        values: Any = self.answer.values
        found: Any = (values.get("prior"), None if last is None else last.gain, values.get("bonus"), values.get("post"))
        if not all(known(one) for one in found) or abs(sum(found[:3]) - found[3]) > ROUNDING:
            return None
        return cast(tuple[float, float, float, float], found)

    @property
    def partial(self) -> bool:
        """Whether a number is rounded or not shown."""
        return any(is_partial(step) for step in self.answer.derivation)

    @property
    def numbers(self) -> Numbers:
        return self.row.in_pool(self.pool)

    @property
    def first(self) -> bool:
        """Whether there was no rating before; a rating that is not shown is one."""
        return self.numbers.before is None and not self.numbers.before_games

    @property
    def person(self) -> Person:
        return self.row.person

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        """How a game may have ended, in the address and in words."""
        drawn = () if current().game == "go" else (("drew", _("Drew")),)
        return ("won", _("Won")), *drawn, ("lost", _("Lost"))


def derivation(
    number: str, section: int, player: int, key: str, asked: Mapping[int, float] | None = None
) -> DerivationPage:
    """Return the rating of one pairing number in one pool; `asked`: other scores by round."""
    stored = Section.objects.filter(event__number=number, number=section).first()
    if stored is None or key not in stored.keys.split(","):
        raise OfficeError(f"section {section} of event {number} is not rated in {key}")
    work = trace.Work(stored, key)
    table = tables.with_opponents(number, section, player, tables.Known(work.document, work.starts))
    row = next((one for one in table.rows if player in (one.number, *one.again)), None)
    if row is None:
        raise OfficeError(f"number {player} has no rating in {key} from section {section} of event {number}")
    answer = work.answer(row.number)
    if answer is None:
        raise OfficeError(f"number {player} was not rated in {key}")
    own = row.in_pool(key)
    return DerivationPage(
        answer=answer,
        system=work.system,
        table=table,
        row=row,
        pool=key,
        what_if=_what_if(answer, table, row, own=own, work=work, scores=asked or {}),
        origin=_origin(stored, row, work),
        official_since=history.official_since(row.person, work.pool, stored, work.starts),
        without_game=tuple(sorted(set(asked or ()) - {cell.round for cell in row.cells if cell.opponent})),
    )


def _origin(section: Section, row: Row, work: trace.Work) -> tuple[str, str] | None:
    """Return the event that gave the rating before this one."""
    rows = RatingRow.objects.filter(player_id=row.person.row, pool=work.pool, position__lt=section.position)
    return rows.order_by("-position").values_list("section__event__number", "section__event__name").first()


def _what_if(
    answer: Answer, table: CrosstablePage, row: Row, own: Numbers, work: trace.Work, scores: Mapping[int, float]
) -> WhatIf:
    """Rate other results through the same function; not where a number is hidden, because trying would reveal it."""
    if answer.values.get("initialized"):
        return WhatIf(
            False,
            _(
                "This is not available for a first rating: where it starts from an age, other results would reveal it. "
                "Later events offer it as soon as their numbers can be shown."
            ),
        )
    hidden = own.after is None or answer.values.get("post") is None
    if hidden or any(contains(step, Hidden | HiddenStep) for step in answer.derivation):
        return WhatIf(
            False,
            _(
                "This is not available here: some numbers are hidden because they would reveal a player’s age, and"
                " trying other results would reveal them."
            ),
        )
    words = {1.0: gettext_noop("won"), 0.5: gettext_noop("drew"), 0.0: gettext_noop("lost")}
    cells = [cell for cell in row.cells if cell.opponent]
    people = {number: one.person for one in table.rows for number in (one.number, *one.again)}
    played = {cell.round: {"W": 1.0, "D": 0.5}.get(cell.letter, 0.0) for cell in cells}
    wanted = {turn: score for turn, score in scores.items() if turn in played and played[turn] != score}
    asked = tuple(
        Asked(
            cell.round,
            people.get(cell.opponent or 0),
            words[played[cell.round]],
            words[wanted.get(cell.round, played[cell.round])],
        )
        for cell in cells
    )
    if not wanted:
        return WhatIf(True, asked=asked, published=own.after, sentence=_("As played"))
    found = work.what_if(row.number, wanted)
    said = {
        1.0: _("a win in round {round}"),
        0.5: _("a draw in round {round}"),
        0.0: _("a loss in round {round}"),
    }
    changed = joined(said[score].format(round=turn) for turn, score in sorted(wanted.items()))
    sentence = _("With {results}").format(results=changed)
    published = None if found is None or found.published is None else float(found.published)
    return WhatIf(True, asked=asked, changed=True, published=published, sentence=sentence)
