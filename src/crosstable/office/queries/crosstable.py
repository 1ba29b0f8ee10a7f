"""A section's crosstable: everybody's rounds, the score, the rating before and after, and the performance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from crosstable.errors import OfficeError
from crosstable.formats.crosstable import scores
from crosstable.model import Event as EventDocument
from crosstable.model import Section as Document
from crosstable.office.ledger import revisions
from crosstable.office.ledger.models import Event, RatingRow, Section
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.packing import entries_of
from crosstable.office.ledger.rating_change import Numbers
from crosstable.office.ledger.revisions import SectionTab, called
from crosstable.office.lists.models import TitleNorm
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import changes, history
from crosstable.office.queries import event as events
from crosstable.office.queries.event import RevisionLine
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reports.crosstable_cells import Cell, by_round, cells_of
from crosstable.office.titles.titles import rules_of
from crosstable.systems.us_chess.coefficients import coefficients_on
from crosstable.systems.us_chess.performance import performance
from crosstable.systems.us_chess.pools import KEYS
from crosstable.words.language import _, gettext_noop

SORTS = {
    "score": gettext_noop("score"),
    "number": gettext_noop("number"),
    "before": gettext_noop("rating before"),
    "change": gettext_noop("change"),
    "performance": gettext_noop("performance"),
}


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    person: Person
    again: tuple[int, ...]  # further pairing numbers of someone who entered again
    cells: tuple[Cell, ...]
    score: float
    numbers: tuple[Numbers, ...]  # one for each pool
    performance: float | None
    norm: str

    def in_pool(self, pool: str) -> Numbers:
        return next(one for one in self.numbers if one.pool == pool)


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    event: str
    event_name: str
    place: str
    start: date
    end: date
    section: int
    name: str
    rounds: int
    time_control: str
    pools: tuple[str, ...]
    tabs: tuple[SectionTab, ...]
    rows: tuple[Row, ...]
    sort: str
    chief_td: str
    affiliate: str
    corrected: RevisionLine | None
    revisions: int

    @property
    def sort_name(self) -> str:
        """What the rows are sorted by, in words."""
        return _(SORTS[self.sort])

    @property
    def turns(self) -> range:
        return range(1, self.rounds + 1)

    @property
    def rose(self) -> int:
        return sum(change > 0 for change in self._changes)

    @property
    def fell(self) -> int:
        return sum(change < 0 for change in self._changes)

    @property
    def _changes(self) -> list[float]:
        """In the section's first pool."""
        return [row.numbers[0].change or 0.0 for row in self.rows if row.numbers]

    @property
    def performances(self) -> bool:
        """Return whether the system has performances, and anyone here has one."""
        return any(row.performance is not None for row in self.rows)

    @property
    def marks(self) -> frozenset[str]:
        """Return what the cells show, for the legend: letters, sides, "–" for no game, and "stones"."""
        cells = [cell for row in self.rows for cell in row.cells]
        found = {cell.letter or "–" for cell in cells} | {cell.side for cell in cells if cell.side}
        return frozenset(found | {"stones"} if any(cell.handicap for cell in cells) else found)

    @property
    def komi(self) -> tuple[float, ...]:
        """Return the komi that games were played with; none in chess."""
        found = {cell.komi for row in self.rows for cell in row.cells if cell.opponent}
        return tuple(sorted(found)) if any(found) else ()

    @property
    def norms(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Norm → who earned it here."""
        found: dict[str, list[str]] = {}
        for row in self.rows:
            if row.norm:
                found.setdefault(row.norm, []).append(row.person.name)
        return tuple((norm, tuple(names)) for norm, names in found.items())


def crosstable(number: str, section: int, sort: str = "score") -> CrosstablePage:
    """Everybody in a section."""
    return _page(number, section, sort)


@dataclass(frozen=True, slots=True)
class Known:
    """What someone has read of the event already: its document, and the age starts of the section's players."""

    document: EventDocument
    starts: AgeStarts


def with_opponents(number: str, section: int, player: int, known: Known) -> CrosstablePage:
    """Of a crosstable, the row of one pairing number and those of the opponents, without performances: quick."""
    return _page(number, section, "number", player, known)


def _page(number: str, section: int, sort: str, only: int | None = None, read: Known | None = None) -> CrosstablePage:
    row = events.find(number)
    sections = list(Section.objects.filter(event=row).order_by("number"))
    here = next((one for one in sections if one.number == section), None)
    if here is None:
        raise OfficeError(f"event {number} has no section {section}")
    whole = read.document if read else revisions.document(id=row.id)
    document = next(one for one in whole.sections if one.number == section)
    rows = _rows(here, document, only, read.starts if read else None)
    pools = tuple(here.keys.split(","))
    sort = sort if sort in SORTS else "score"
    known = events.revisions_of(row)
    return CrosstablePage(
        event=row.number,
        event_name=row.name or f"Event {row.number}",
        place=", ".join(part for part in (row.city, row.state) if part),
        start=here.start,
        end=here.end,
        section=section,
        name=called(here),
        rounds=here.rounds,
        time_control=here.time_control,
        pools=pools,
        tabs=tuple(_tab(one) for one in sections),
        rows=tuple(sorted(rows, key=_order(sort))),
        sort=sort,
        chief_td=row.chief_td,
        affiliate=row.affiliate,
        corrected=_corrected(row, known, wanted=only is None),
        revisions=len(known),
    )


def _corrected(row: Event, known: Sequence[RevisionLine], *, wanted: bool) -> RevisionLine | None:
    """Return the last correction, with what it changed if that is asked for."""
    one = next((one for one in known if one.kind == "corrected"), None)
    if one is None or not wanted:
        return one
    return replace(one, changes=changes.one(row.number, row.id, one.number))


def _tab(section: Section) -> SectionTab:
    players = len({player for _, player in entries_of(bytes(section.entries)).tolist()})
    return SectionTab(section.number, called(section), players)


def _order(sort: str) -> Callable[[Row], tuple[float, int]]:
    def first(row: Row) -> float:
        if sort in ("before", "change"):
            value = getattr(row.numbers[0], sort) if row.numbers else None
            return -(value if value is not None else -1e9)
        return {"number": 0.0, "performance": -(row.performance or 0.0)}.get(sort, -row.score)

    return lambda row: (first(row), row.number)


@dataclass(frozen=True, slots=True)
class _Field:
    """Who plays in a section: entries of one person stand under the lowest pairing number, as they are rated."""

    stands: Mapping[int, int]  # pairing number → the one under which the person stands
    people: Mapping[int, Person]  # by pairing number
    numbers: Mapping[int, Mapping[str, Numbers]]  # by pairing number and pool


def _field(section: Section, entries: Mapping[int, int], starts: AgeStarts | None) -> _Field:
    everybody = people.by_row(entries.values())
    columns = (
        "pool",
        "player_id",
        "number",
        "position",
        "prior",
        "prior_games",
        "initialized",
        "post",
        "state_games",
    )
    starts = starts or AgeStarts(sorted(set(entries.values())))
    numbers: dict[int, dict[str, Numbers]] = {}
    for row in RatingRow.objects.filter(section_id=section.id, number__in=entries).values(*columns):
        before, after = history.before_and_after(row, starts)
        earlier = None if row["initialized"] else row["prior_games"]
        own = Numbers(row["pool"], before, earlier, after, row["state_games"])
        numbers.setdefault(row["number"], {})[row["pool"]] = own
    first: dict[int, int] = {}
    for number, player in sorted(entries.items()):
        first.setdefault(player, number)
    stands = {number: first[player] for number, player in entries.items()}
    return _Field(stands, {number: everybody[player] for number, player in entries.items()}, numbers)


def _around(entries: Mapping[int, int], document: Document, only: int) -> tuple[dict[int, int], Document]:
    """Return the entries of the person behind one pairing number and of everybody whom the person met,
    and those games.
    """
    mine = {number for number, player in entries.items() if player == entries.get(only)}
    games = tuple(game for game in document.games if game.white in mine or game.black in mine)
    met = {entries.get(number) for game in games for number in (game.white, game.black)}
    near = {number: player for number, player in entries.items() if player in met or number in mine}
    return near, replace(document, games=games)


def _rows(section: Section, document: Document, only: int | None, starts: AgeStarts | None) -> list[Row]:
    entries = events.entries(section)
    if only is not None:
        entries, document = _around(entries, document, only)
    field = _field(section, entries, starts)
    norms, pools = _norms(section.id), section.keys.split(",")
    cells, points = cells_of(document, field.people), scores(document)
    entered: dict[int, list[int]] = {}
    for other, stand in field.stands.items():
        entered.setdefault(stand, []).append(other)
    rows = []
    for number, own in sorted(entered.items()):
        mine = sorted((cell for other in own for cell in cells.get(other, ())), key=lambda cell: cell.round)
        person = field.people[number]
        row = Row(
            number=number,
            person=person,
            again=tuple(other for other in own if other != number),
            cells=by_round(mine, section.rounds),
            score=sum(points.get(other, 0) for other in own) / 2,
            numbers=tuple(field.numbers.get(number, {}).get(pool, Numbers(pool)) for pool in pools),
            performance=_performance(mine, field, pools[0], section.start) if only is None else None,
            norm=norms.get(person.row, ""),
        )
        rows.append(row)
    return rows


def _performance(cells: Sequence[Cell], field: _Field, pool: str, day: date) -> float | None:
    """Compute it by the opponents' published ratings before the event; unrated opponents do not count."""
    met = [(cell, field.numbers.get(field.stands[cell.opponent], {}).get(pool)) for cell in cells if cell.opponent]
    known = [(own.before, {"W": 1.0, "D": 0.5, "L": 0.0}[cell.letter]) for cell, own in met if own and own.before]
    if not known or pool not in KEYS:
        return None
    return performance(coefficients_on(day), [before for before, _ in known], sum(score for _, score in known))


def _norms(section: int) -> dict[int, str]:
    """Player → the highest norm earned in the section."""
    rules = rules_of(office())
    if rules is None:
        return {}
    titles = [rules.levels[level] for level in sorted(rules.levels)]
    found = TitleNorm.objects.filter(section_id=section).values_list("player_id", "counts")
    return {player: titles[len(counts.rstrip("0")) - 1] for player, counts in found if counts.rstrip("0")}
