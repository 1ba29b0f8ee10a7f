"""A correction request beside what is rated: old and new, how far it reaches, whose ratings move, which lists stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import CrosstableError
from crosstable.model import Section as Document
from crosstable.model.difference import RESULT, Difference
from crosstable.office.ledger import order, revisions
from crosstable.office.ledger.models import Event, Player, RatingRow, Section
from crosstable.office.ledger.revisions import called
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.official import shown
from crosstable.office.people.rights import Actor
from crosstable.office.queries.status import after
from crosstable.office.queries.words import pool
from crosstable.office.rating.changes import Change
from crosstable.office.rating.rerating import Refused, Rerated
from crosstable.office.rating.trace import Work
from crosstable.office.reports.crosstable_cells import Cell, by_number
from crosstable.office.requests import corrections, lifecycle
from crosstable.office.requests.corrections import Asked

#: With more sections than these from the event on, whose ratings move is computed as a job
LONG = 60_000
#: So many of those who move are shown, the largest first
LARGEST = 12
#: So many rows of a section stand side by side
MOST_ROWS = 30
#: The bars: from so many points on
STEPS = ((0.05, "under 0.05"), (0.5, "0.05 to 0.5"), (1.0, "0.5 to 1"), (5.0, "1 to 5"), (20.0, "5 to 20"))
MOST = "20 or more"


@dataclass(frozen=True, slots=True)
class SideRow:
    number: int
    name: str
    cells: tuple[tuple[Cell, bool], ...]  # with whether it differs
    score: float
    after: float | None


@dataclass(frozen=True, slots=True)
class Sides:
    """The rows of one section that differ, as rated and as asked for."""

    section: Document  # as asked for
    rounds: range
    old: tuple[SideRow, ...]
    new: tuple[SideRow, ...]
    left_out: int

    @property
    def name(self) -> str:
        return called(self.section)

    @property
    def ids(self) -> set[str]:
        """The players of these rows."""
        numbers = {row.number for row in (*self.old, *self.new)}
        return {one.id for one in self.section.players if one.number in numbers}


@dataclass(frozen=True, slots=True)
class Moved:
    player: str
    name: str
    pool: str
    why: str
    now: float | None
    would_be: float | None
    lists: int

    @property
    def change(self) -> float | None:
        return None if self.now is None or self.would_be is None else self.would_be - self.now


@dataclass(frozen=True, slots=True)
class Reach:
    """How many move, and by how much."""

    players: int
    published: int  # in a published number
    whole: int  # by a whole point or more
    bars: tuple[tuple[str, int], ...]
    sections: int
    rows: int
    since: date


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    request: Asked
    revision: int  # in force now
    accepted: bool
    differences: tuple[Difference, ...]
    sides: tuple[Sides, ...]
    later: int | None  # so many sections lie after it that whose ratings move is computed as a job
    reach: Reach | None
    moved: tuple[Moved, ...]
    untouched: tuple[date, ...]
    next_list: date | None
    titles: tuple[str, ...]
    norms: tuple[str, ...]
    floors: tuple[str, ...]
    refused: tuple[Refused, ...]  # sections that could no longer be rated

    @property
    def revision_text(self) -> str:
        return str(self.revision)

    @property
    def results(self) -> int:
        return sum(one.counts_as == RESULT for one in self.differences)

    @property
    def others(self) -> int:
        return len(self.differences) - self.results


def correction(actor: Actor, number: int) -> CorrectionPage:
    """Compute what granting it would do, on the ledger as it is. Nothing is written.

    Of an event with very many sections after it only what it would say: a page does not wait for a minute.
    """
    row = lifecycle.find(actor, corrections.CORRECTION, number).event
    later = _sections_after(row)
    long = later > LONG
    found = corrections.asked_for(actor, number) if long else corrections.preview(actor, number)
    sides = tuple(_sides(row, found.content.sections))
    own = {player for one in sides for player in one.ids}
    done = found.ratings if isinstance(found, corrections.Preview) else None
    changes = done.changes if done else ()
    newest = PublishedList.objects.order_by("date").values_list("date", flat=True)
    return CorrectionPage(
        request=found.request,
        revision=revisions.in_force(id=row.id).number,
        accepted=row.status == Event.ACCEPTED,
        differences=found.differences,
        sides=sides,
        later=later if long else None,
        reach=_reach(done, row) if done else None,
        moved=tuple(_published(changes, own))[:LARGEST],
        untouched=tuple(day for day in newest if day > row.end),
        next_list=first_list(newest.last(), row.end),
        titles=tuple(dict.fromkeys(one.title_words for one in changes if one.title_words)),
        norms=tuple(str(one) for one in done.norms) if done else (),
        floors=tuple(_floor(one) for one in changes if one.floor_before != one.floor_after),
        refused=done.refused if done else (),
    )


def first_list(newest: date | None, ended: date) -> date | None:
    """Return the day of the first list with the new numbers: after the newest list, and after the event."""
    return None if newest is None else after(max(newest, ended))


def _sections_after(row: Event) -> int:
    first = Section.objects.filter(event=row).order_by("position").values_list("position", flat=True).first()
    return Section.objects.filter(position__gte=first).count() if first else 0


def all_moved(actor: Actor, number: int) -> list[Moved]:
    """Everybody, for the table that can be taken home."""
    found = corrections.preview(actor, number)
    return [_moved(one, set()) for one in found.ratings.changes]


def _published(changes: Iterable[Change], own: set[str]) -> Iterable[Moved]:
    """Those whose published number is another; the others are counted."""
    return (one for one in (_moved(change, own) for change in changes) if one.now != one.would_be)


def _moved(change: Change, own: set[str]) -> Moved:
    now, would_be = (None if one is None else shown(change.pool, one) for one in (change.before, change.after))
    why = "own result" if change.player in own else f"since {change.event or change.since}"
    return Moved(
        player=change.player,
        name=change.name,
        pool=change.pool,
        why=why,
        now=now,
        would_be=would_be,
        lists=len(change.lists),
    )


def _reach(done: Rerated, row: Event) -> Reach:
    largest: dict[str, float] = {}
    published, whole = set(), set()
    for one in done.changes:
        size = abs(one.change) if one.change is not None else float("inf")
        largest[one.player] = max(size, largest.get(one.player, 0.0))
        moved = _moved(one, set())
        if moved.now != moved.would_be:
            published.add(one.player)
        if size >= 1:
            whole.add(one.player)
    bars = dict.fromkeys([*(label for _, label in STEPS), MOST], 0)
    for size in largest.values():
        bars[next((label for limit, label in STEPS if size < limit), MOST)] += 1
    first = Section.objects.filter(event=row).order_by("position").values_list("position", flat=True).first()
    since = order.date_of(first) if first else row.end
    return Reach(
        players=len(largest),
        published=len(published),
        whole=len(whole),
        bars=tuple(bars.items()),
        sections=done.sections,
        rows=done.rows_added,
        since=since,
    )


def _floor(one: Change) -> str:
    was, now = (f"{floor:g}" if floor is not None else "none" for floor in (one.floor_before, one.floor_after))
    return f"{one.name}, {pool(one.pool)}: {was} → {now}"


def _sides(row: Event, new: Iterable[Document]) -> Iterable[Sides]:
    """Yield the sections in which rows differ, of the content in force and of the one that is asked for."""
    old = {one.number: one for one in revisions.document(id=row.id).sections}
    for section in new:
        before = old.get(section.number)
        if before is None:
            continue
        rounds = max((game.round for game in (*before.games, *section.games)), default=0)
        one, other = by_number(before, rounds), by_number(section, rounds)
        ids = {player.number: player.id for player in before.players}
        others = {player.number: player.id for player in section.players}
        numbers = [
            number
            for number in sorted({*one, *other})
            if one.get(number) != other.get(number) or ids.get(number) != others.get(number)
        ]
        if numbers:
            was, would_be = _posts(row, before, section)
            some = numbers[:MOST_ROWS]
            yield Sides(
                section,
                range(1, rounds + 1),
                _rows(before, some, one, other, was),
                _rows(section, some, other, one, would_be),
                max(0, len(numbers) - MOST_ROWS),
            )


Cells = Mapping[int, tuple[tuple[Cell, ...], float]]
Posts = Mapping[int, float | None]


def _rows(section: Document, numbers: Sequence[int], own: Cells, other: Cells, posts: Posts) -> tuple[SideRow, ...]:
    players = {player.number: player for player in section.players}
    known = dict(Player.objects.filter(number__in=[one.id for one in section.players]).values_list("number", "name"))
    found = []
    for number in numbers:
        if number not in own:
            continue
        cells, score = own[number]
        against = other.get(number, ((), 0.0))[0]
        marked = tuple(
            (cell, place >= len(against) or _key(cell) != _key(against[place])) for place, cell in enumerate(cells)
        )
        name = known.get(players[number].id) or players[number].name
        found.append(SideRow(number, name, marked, score, posts.get(number)))
    return tuple(found)


def _key(cell: Cell) -> tuple[str, int | None]:
    return cell.letter, cell.opponent


def _posts(row: Event, before: Document, new: Document) -> tuple[Posts, Posts]:
    """Return the ratings after the section in its first pool, as rated; and with the new results, where the players
    are the same.
    """
    placed = Section.objects.filter(event=row, number=before.number).first()
    if placed is None:
        return {}, {}
    pool = placed.keys.split(",")[0]
    stored = RatingRow.objects.filter(section=placed, pool=pool).values_list("number", "post")
    old = {number: shown(pool, post) for number, post in stored}
    if [(one.number, one.id) for one in before.players] != [(one.number, one.id) for one in new.players]:
        return old, {}
    try:
        work = Work(placed, pool)
        event = replace(work.event, sections=tuple(replace(one, games=new.games) for one in work.event.sections))
        answers = work.rated(event, public=False).answers
    except CrosstableError:  # the systems do not rate it so: the page says why elsewhere
        return old, {}
    after_it = {one.number: shown(pool, one.state.rating) for one in answers if one.pool == pool}
    return old, after_it
