"""Events: finding them, and the page of one: sections, winners, gains, revisions, and the director's report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.db.models import Count, Max, Min, QuerySet
from django.db.models.functions import Length

from crosstable.errors import OfficeError
from crosstable.formats.crosstable import bye_letters, scores
from crosstable.formats.crosstable import people as people_in
from crosstable.model import Section as Document
from crosstable.office.ledger import pending_sections, revisions
from crosstable.office.ledger.models import Event, RatingRow, Revision, Section, Submission
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import merged_players
from crosstable.office.ledger.rating_change import WithChange
from crosstable.office.ledger.revisions import SectionTab, called
from crosstable.office.lists.models import Title
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import changes, deciders, history
from crosstable.office.queries.changes import Changes
from crosstable.office.queries.search import begins, in_name
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.storage.row import first_or
from crosstable.words.language import _, gettext_noop

PAGE = 50
GAINS = 5
#: The revisions' kinds in words
KINDS = {
    "submitted": gettext_noop("as reported"),
    "corrected": gettext_noop("corrected"),
    "recorded": gettext_noop("corrected for the record"),
    "numbered": gettext_noop("new members got their IDs"),
    "completed": gettext_noop("remaining sections rated"),
    "withdrawn": gettext_noop("withdrawn"),
    "restored": gettext_noop("withdrawal undone"),
    "refused": gettext_noop("refused"),
    "imported": gettext_noop("imported from the history"),
}


#: After these the event is rated again
ANEW = ("corrected", "completed", "restored")


@dataclass(frozen=True, slots=True)
class Line:
    """An event in a list of events."""

    number: str
    name: str
    city: str
    state: str
    end: date
    sections: int
    pools: tuple[str, ...]
    players: int

    @property
    def place(self) -> str:
        return ", ".join(part for part in (self.city, self.state) if part)


@dataclass(frozen=True, slots=True)
class Found:
    query: str
    year: int | None
    state: str
    total: int
    lines: tuple[Line, ...]
    page: int
    years: tuple[int, ...]
    states: tuple[str, ...]

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE))


def rated() -> QuerySet[Event]:
    return Event.objects.filter(status=Event.ACCEPTED)


def latest(count: int) -> tuple[Line, ...]:
    return lines_of(rated().order_by("-end", "-number")[:count])


def matching(query: str = "", year: int | None = None, state: str = "") -> QuerySet[Event]:
    """Rated events with these words in their names, or numbers that begin so."""
    found = rated()
    for word in query.split()[:6]:
        found = (
            found.filter(begins("number", word)) if word.isdigit() and len(word) > 4 else found.filter(in_name(word))
        )
    if year is not None:
        found = found.filter(end__year=year)
    return found.filter(state=state) if state else found


def events(query: str = "", year: int | None = None, state: str = "", page: int = 1) -> Found:
    """Rated events, newest first."""
    found = matching(query, year, state)
    page = max(1, page)
    lines = lines_of(found.order_by("-end", "-number")[(page - 1) * PAGE : page * PAGE])
    span = rated().aggregate(first=Min("end"), last=Max("end"))
    years = range(span["last"].year, span["first"].year - 1, -1) if span["last"] else ()
    states = rated().exclude(state="").values_list("state", flat=True).distinct().order_by("state")
    return Found(
        query=query,
        year=year,
        state=state,
        total=found.count(),
        lines=lines,
        page=page,
        years=tuple(years),
        states=tuple(states),
    )


def lines_of(found: QuerySet[Event]) -> tuple[Line, ...]:
    """Two queries: the events, and their sections with the packed entries."""
    events = list(found)
    sections: dict[int, list[tuple[str, int]]] = {}
    rows = Section.objects.filter(event_id__in=[one.id for one in events]).values_list("event_id", "keys", "entries")
    people: dict[int, set[int]] = {}
    for event, keys, entries in rows:
        sections.setdefault(event, []).append((keys, 0))
        people.setdefault(event, set()).update(entries_of(bytes(entries))[:, 1].tolist())
    return tuple(
        Line(
            number=one.number,
            name=one.name or f"Event {one.number}",
            city=one.city,
            state=one.state,
            end=one.end,
            sections=len(sections.get(one.id, ())),
            pools=_pools(keys for keys, _ in sections.get(one.id, ())),
            players=len(people.get(one.id, ())),
        )
        for one in events
    )


def _pools(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key for one in keys for key in one.split(",") if key))


@dataclass(frozen=True, slots=True)
class SectionLine(SectionTab):
    """A section on the event's page."""

    time_control: str
    rounds: int
    kind: str
    mode: str
    pools: tuple[str, ...]
    games: int
    winners: tuple[Gain, ...]
    average: float | None
    rose: int
    fell: int
    new: int


@dataclass(frozen=True, slots=True)
class Gain(WithChange):
    """Someone's numbers in one section: a winner, or one who gained."""

    person: Person
    section: int
    section_name: str
    number: int
    pool: str
    score: float  # with byes and forfeits, as in the crosstable
    rounds: int  # in which the player had a game, a forfeit or a bye
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class RevisionLine:
    """A revision in the event's list."""

    number: int
    kind: str
    words: str
    at: datetime
    by: str
    reason: str
    changes: Changes = field(default_factory=Changes)  # only where they are asked for
    asked: str = ""  # and who asked for it, in words


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came in."""

    name: str
    size: int
    sha256: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EventPage:
    number: str
    name: str
    start: date
    end: date
    city: str
    state: str
    affiliate: str
    chief_td: str
    director: Person | None  # the chief director, where the office knows the id
    sections: tuple[SectionLine, ...]
    players: int
    entries: int
    twice: int  # players who entered more than one section
    games: int
    forfeits: int
    gains: tuple[Gain, ...]
    titles: tuple[tuple[str, tuple[Person, ...]], ...]
    revisions: tuple[RevisionLine, ...]  # newest first
    rated_at: datetime | None  # for the first time; of a history's events no one knows
    file: File | None
    withdrawn: bool
    waiting: tuple[SectionTab, ...] = ()  # those that are not rated yet, though others are

    @property
    def pools(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(pool for one in self.sections for pool in one.pools))

    @property
    def place(self) -> str:
        return ", ".join(part for part in (self.city, self.state) if part)

    @property
    def online(self) -> bool:
        return any(one.mode == "online" for one in self.sections)

    @property
    def new(self) -> int:
        return sum(one.new for one in self.sections)

    @property
    def again(self) -> datetime | None:
        """When it was last rated anew."""
        return next((one.at for one in self.revisions if one.number > 1 and one.kind in ANEW), None)

    @property
    def winner(self) -> Gain | None:
        return next((one.winners[0] for one in self.sections if len(one.winners) == 1), None)


def find(number: str) -> Event:
    """Find a rated event, or one that was; events under review are not found."""
    return first_or(
        Event.objects.filter(number=number, status__in=(Event.ACCEPTED, Event.WITHDRAWN)),
        OfficeError(f"there is no event {number!r}"),
    )


def event(number: str) -> EventPage:
    row = find(number)
    sections = list(Section.objects.filter(event=row).order_by("number"))
    rows = _rows([one.id for one in sections])
    everybody = people.by_row(player for own in rows.values() for player in (one["player_id"] for one in own))
    starts = AgeStarts([*everybody])
    documents = {one.number: one for one in revisions.document(id=row.id).sections}
    gains = {
        one.id: _gains(one, rows.get(one.id, ()), everybody, starts, _points(one, documents[one.number]))
        for one in sections
    }
    entered = [entries_of(bytes(one.entries))[:, 1].tolist() for one in sections]
    often = Counter(player for who in entered for player in set(who))
    lines = tuple(_line(one, gains[one.id], len(set(who))) for one, who in zip(sections, entered, strict=True))
    best = sorted(
        (one for own in gains.values() for one in own if (one.change or 0) > 0), key=lambda one: -(one.change or 0)
    )
    return EventPage(
        number=row.number,
        name=row.name or f"Event {row.number}",
        start=row.start,
        end=row.end,
        city=row.city,
        state=row.state,
        affiliate=row.affiliate,
        chief_td=row.chief_td,
        director=people.by_number(row.chief_td),
        sections=lines,
        players=len(often),
        entries=often.total(),
        twice=sum(times > 1 for times in often.values()),
        games=sum(one.games for one in lines),
        forfeits=sum(not game.played for one in sections for game in documents[one.number].games),
        gains=tuple(best[:GAINS]),
        titles=_titles(row, everybody),
        revisions=_with_changes(row),
        rated_at=row.rated_at,
        file=_file(row),
        withdrawn=row.status == Event.WITHDRAWN,
        waiting=_held(row),
    )


def _held(row: Event) -> tuple[SectionTab, ...]:
    waiting = pending_sections.numbers(row)
    if not waiting:
        return ()
    found = [one for one in revisions.document(id=row.id).sections if one.number in waiting]
    return tuple(SectionTab(one.number, called(one), people_in([one])) for one in found)


def _rows(sections: Sequence[int]) -> Mapping[int, list[dict[str, Any]]]:
    columns = (
        "section_id",
        "pool",
        "player_id",
        "number",
        "position",
        "prior",
        "initialized",
        "post",
    )
    found: dict[int, list[dict[str, Any]]] = {}
    for row in RatingRow.objects.filter(section_id__in=sections).order_by("number", "pool").values(*columns):
        found.setdefault(row["section_id"], []).append(row)
    return found


def entries(section: Section) -> dict[int, int]:
    """Pairing number → player, duplicates under the record that is kept."""
    same = merged_players()
    return {number: same.get(player, player) for number, player in entries_of(bytes(section.entries)).tolist()}


def _points(section: Section, document: Document) -> dict[int, tuple[float, int]]:
    """Pairing number → the person's points, and in how many rounds; of someone who entered again, all together."""
    half_points = scores(document)
    turns = Counter(number for game in document.games for number in (game.white, game.black))
    turns.update({player.number: len(bye_letters(player)) for player in document.players})
    entered, found = entries(section), dict[int, tuple[float, int]]()
    for number, player in entered.items():
        points, rounds = found.get(player, (0.0, 0))
        found[player] = points + half_points.get(number, 0) / 2, rounds + turns[number]
    return {number: found[player] for number, player in entered.items()}


def _gains(
    section: Section,
    rows: Sequence[dict[str, Any]],
    everybody: Mapping[int, Person],
    starts: AgeStarts,
    points: Mapping[int, tuple[float, int]],
) -> list[Gain]:
    """Everybody in the section's first pool."""
    first = section.keys.split(",")[0]
    found = []
    for row in rows:
        if row["pool"] == first:
            before, after = history.before_and_after(row, starts)
            found.append(
                Gain(
                    everybody[row["player_id"]],
                    section.number,
                    section.name,
                    row["number"],
                    first,
                    *points[row["number"]],
                    before,
                    after,
                )
            )
    return found


def _line(section: Section, gains: Sequence[Gain], players: int) -> SectionLine:
    best = max((one.score for one in gains), default=0.0)
    known = [one.before for one in gains if one.before is not None]
    changes = Counter((one.change > 0) - (one.change < 0) for one in gains if one.change is not None)
    return SectionLine(
        number=section.number,
        name=called(section),
        time_control=section.time_control,
        rounds=section.rounds,
        kind=section.kind,
        mode=section.mode,
        pools=_pools([section.keys]),
        players=players,
        games=len(games_of(bytes(section.games))),
        winners=tuple(one for one in gains if one.score == best)[:3],
        average=sum(known) / len(known) if known else None,
        rose=changes[1],
        fell=changes[-1],
        new=sum(one.before is None for one in gains),
    )


def _titles(row: Event, everybody: Mapping[int, Person]) -> tuple[tuple[str, tuple[Person, ...]], ...]:
    """Titles that were earned on the day that the event ended, the highest first, each with its players."""
    found = Title.objects.filter(earned=row.end, player_id__in=list(everybody)).order_by("-level", "player_id")
    earned: dict[str, list[Person]] = {}
    for title, player in found.values_list("title", "player_id"):
        earned.setdefault(title, []).append(everybody[player])
    return tuple((title, tuple(who)) for title, who in earned.items())


def _with_changes(row: Event) -> tuple[RevisionLine, ...]:
    """With what each of them changed."""
    known = list(Revision.objects.filter(event=row))
    found, asked = changes.of(row.number, row.id, known), deciders.told(row)
    return tuple(replace(line, changes=found[line.number], asked=asked.get(line.number, "")) for line in _lines(known))


def revisions_of(row: Event) -> tuple[RevisionLine, ...]:
    """Newest first."""
    return _lines(Revision.objects.filter(event=row).defer("document"))


def _lines(rows: Iterable[Revision]) -> tuple[RevisionLine, ...]:
    newest = sorted(rows, key=lambda one: -one.number)
    return tuple(
        RevisionLine(
            number=one.number,
            kind=one.kind,
            words=_(KINDS.get(one.kind, one.kind)),
            at=one.at,
            by=one.author,
            reason=one.reason,
        )
        for one in newest
    )


def _file(row: Event) -> File | None:
    found = Submission.objects.filter(event=row).order_by("-id").annotate(size=Length("data"))
    one = found.values_list("file_name", "size", "sha256", "at").first()
    return File(*one) if one else None


def count() -> int:
    return int(rated().aggregate(number=Count("id"))["number"])
