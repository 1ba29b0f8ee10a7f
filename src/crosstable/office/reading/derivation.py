"""The work behind one rating, told from top to bottom: before, the games, what a point is worth, bonus, floor, after.

All numbers come from the public form of the trace: what it leaves out or rounds is left out or rounded here too. That form
is sentences with numbers in them; the games and sums are read back from those, so that nothing else can come through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import RatingRow, Section
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.rating import trace
from crosstable.office.reading import crosstable as tables
from crosstable.office.reading import history, story
from crosstable.office.reading.crosstable import CrosstablePage, Row
from crosstable.office.reading.people import Person
from crosstable.office.reading.story import Part, Told, read_gain
from crosstable.office.reading.story_numbers import shown
from crosstable.office.reading.story_words import floor_holds
from crosstable.office.reading.words import count, points, pool, signed, small, whole
from crosstable.systems.privacy import NOT_SHOWN
from crosstable.systems.us_chess.pools import KEYS


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


@dataclass(frozen=True, slots=True)
class DerivationPage:
    table: CrosstablePage
    row: Row
    pool: str
    lead: str
    parts: tuple[Part, ...]
    whatif: WhatIf
    sums: tuple[float, float, float, float] | None = None  # before, gain, bonus, after: for the drawing
    rounded: bool = False
    without_game: tuple[int, ...] = ()  # rounds that were asked for and in which the player had no game

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
        return ("won", "Won"), ("drew", "Drew"), ("lost", "Lost")


def derivation(
    number: str, section: int, player: int, key: str, asked: Mapping[int, float] | None = None
) -> DerivationPage:
    """The rating of one pairing number in one pool; `asked`: other scores by round."""
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
    told, own = Told(answer, table, row, work.system, _facts(stored, row, work)), row.in_pool(key)
    parts = story.us_chess(told) if key in KEYS else story.other(told)
    return DerivationPage(
        table=table, row=row, pool=key, lead=_lead(told, own.after), parts=parts,
        whatif=_what_if(told, work, own, asked or {}), sums=_sums(told),
        without_game=tuple(sorted(set(asked or ()) - {cell.round for cell in row.cells if cell.opponent})),
        rounded=any(story.ROUNDED.search(step.text) for step in answer.trace),
    )  # fmt: skip


def _facts(section: Section, row: Row, work: trace.Work) -> dict[str, str]:
    """Where the rating came from, and from which list on the new one was official."""
    rows = RatingRow.objects.filter(player_id=row.person.row, pool=work.pool, position__lt=section.position)
    last = rows.order_by("-position").values_list("section__event__number", "section__event__name").first()
    listed = history.official_since(row.person, work.pool, section, work.starts)
    return {
        "from": last[0] if last else "",
        "from_name": last[1] if last else "",
        "list": listed.isoformat() if listed else "",
    }


def _lead(told: Told, after: float | None) -> str:
    """The whole story in a sentence."""
    name, values = told.row.person.name, told.answer.values
    score, games = values.get("score"), values.get("games") or 0
    if after is None:
        return f"{name} scored {points(score or 0)} out of {games}. The new rating is not shown yet: it could still tell an age."
    if values.get("formula") == "standard":
        return _standard_lead(told, name)
    if values.get("formula") == "special":
        kind = "the first rating" if values.get("initialized") else "the new rating"
        against = f"these {small(games)} opponents" if (games or 0) > 1 else "this opponent"
        before = _counted_before(told)
        return f"{name} scored {points(score or 0)} out of {games}. A player of {whole(after)} would be expected to score just that against {against}{before} so {whole(after)} is {kind}."
    played = f"{name} scored {points(score or 0)} out of {games}: " if games else f"{name}: "
    prior = told.value("prior")
    return (
        f"{played}{shown(prior)} became {whole(after)} in {pool(told.answer.pool)}."
        if prior is not None
        else f"{played}the first rating is {whole(after)}."
    )


def _counted_before(told: Told) -> str:
    """What counts beside the games, in the special formula."""
    values, prior, worth = told.answer.values, told.value("prior"), told.value("effective_games")
    if not values.get("prior_games"):
        return ","
    if not values.get("initialized"):
        return f", together with the {count(values['prior_games'], 'game')} before,"
    if prior is None or worth is None:
        return ", together with the rating from elsewhere that it starts from,"
    return f", with the start of {whole(prior)} counting as {shown(worth).removesuffix('.0')} games more,"


def _standard_lead(told: Told, name: str) -> str:
    expected, gain, bonus = told.value("expected"), read_gain(told), told.value("bonus")
    score = points(told.answer.values["score"])
    if expected is None:
        return f"{name} scored {score} out of {told.answer.values['games']}. What was expected is not shown: it would tell somebody’s age."
    text = f"{name} scored {score} where {shown(expected, 2)} was expected"
    if gain is None:
        return f"{text.replace('≈', 'about ')}. What that was worth is not shown: it would tell somebody’s age."
    text += f": {signed(gain, 1)}"
    if bonus:
        text += f", and a bonus of {shown(bonus)} because the gain was exceptional"
    text = text.replace("≈", "about ")
    if "Match limits" in told.steps:
        before, reached = told.value("prior"), told.steps["Match limits"].value
        by = f", here {signed(reached - before, 1)}" if before is not None and reached is not None else ""
        text += f"; a match may move a rating only so far{by}"
    return f"{text}, and the floor stopped the fall." if floor_holds(told.text("Floor")) else f"{text}."


def _sums(told: Told) -> tuple[float, float, float, float] | None:
    """Before, gain, bonus and after, where they add up: for the drawing."""
    before, gain, bonus, after = told.value("prior"), read_gain(told), told.value("bonus"), told.value("post")
    if before is None or gain is None or bonus is None or after is None or abs(before + gain + bonus - after) > 1.6:
        return None
    return before, gain, bonus, after


def _what_if(told: Told, work: trace.Work, own: Numbers, scores: Mapping[int, float]) -> WhatIf:
    """Other results through the same function; not where a number is held back, because trying would reveal it."""
    if told.answer.values.get("initialized"):
        return WhatIf(
            False,
            "For a first rating this is offered to nobody: where it starts from an age, other results would reveal it. Later events offer it as soon as their numbers can be shown.",
        )
    hidden = own.after is None or told.value("post") is None
    if hidden or any(NOT_SHOWN in step.text.lower() for step in told.answer.trace):
        return WhatIf(
            False,
            "Here it is not offered: some numbers are not shown because they would tell somebody’s age, and trying other results would reveal them.",
        )
    words = {1.0: "won", 0.5: "drew", 0.0: "lost"}
    cells = [cell for cell in told.row.cells if cell.opponent]
    people = {number: row.person for row in told.table.rows for number in (row.number, *row.again)}
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
        return WhatIf(True, asked=asked, published=own.after, sentence="As played")
    found = work.what_if(told.row.number, wanted)
    said = {1.0: "a win", 0.5: "a draw", 0.0: "a loss"}
    sentence = "With " + " and ".join(f"{said[score]} in round {turn}" for turn, score in sorted(wanted.items()))
    published = None if found is None or found.published is None else float(found.published)
    return WhatIf(True, asked=asked, changed=True, published=published, sentence=sentence)
