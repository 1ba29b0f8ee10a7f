"""What a revision changed: results, players, ids and dates; and whose ratings moved, in the event and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from crosstable.errors import OfficeError
from crosstable.model import Event, Game, Player, Section
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Player as Row
from crosstable.office.ledger.models import RatingMove, Revision
from crosstable.office.ledger.models import Section as Part
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.official import shown
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.reading import event as events
from crosstable.office.reading import people
from crosstable.office.reading.event import KINDS
from crosstable.office.reading.people import Person

RESULTS = {"1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "+/-": "+ –", "-/+": "– +", "-/-": "– –"}


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry that is another now. `was` or `now` is empty where there was or is none."""

    where: str
    entry: str
    detail: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A published rating that is another since the revision."""

    person: Person
    pool: str
    event: str
    event_name: str
    section: int
    section_name: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class RevisionPage:
    event: str
    name: str
    number: int
    total: int
    kind: str
    words: str
    at: datetime
    by: str
    reason: str
    differences: tuple[Difference, ...]
    stands: tuple[date, ...]  # lists that were published with the old numbers
    here: tuple[Moved, ...]  # after this event, largest first
    later: tuple[Moved, ...]  # after the last event of each player, where that is another one

    @property
    def first(self) -> bool:
        return self.number == 1

    @property
    def groups(self) -> tuple[tuple[tuple[Moved, ...], str, str], ...]:
        """Who moved, under which heading."""
        return (self.here, "Moved in this event", "here"), (self.later, "Moved in later events", "later")


def revision(number: str, wanted: int) -> RevisionPage:
    row = events.find(number)
    known = {one.number: one for one in Revision.objects.filter(event=row).order_by("number")}
    if wanted not in known:
        raise OfficeError(f"event {number} has no revision {wanted}")
    here, before = known[wanted], known.get(wanted - 1)
    differences: tuple[Difference, ...] = ()
    if before is not None:
        pair = documents.unpack(before.document, number), documents.unpack(here.document, number)
        differences = tuple(_differences(*pair, _names(*pair)))
    here_moved, later = _moves(here.id, row.id)
    stands = PublishedList.objects.filter(date__gt=row.end, date__lte=here.at.date()).order_by("date")
    return RevisionPage(
        event=number, name=row.name, number=wanted, total=len(known), kind=here.kind,
        words=KINDS.get(here.kind, here.kind), at=here.at, by=here.author, reason=here.reason,
        differences=differences, stands=tuple(stands.values_list("date", flat=True)) if differences else (),
        here=here_moved, later=later,
    )  # fmt: skip


def _moves(revision: int, event: int) -> tuple[tuple[Moved, ...], tuple[Moved, ...]]:
    """In this event, and in the last one of everybody who has played since. What would tell an age is left out."""
    rows = list(RatingMove.objects.filter(revision_id=revision).order_by("position").values_list(
        "section_id", "player_id", "pool", "position", "before", "after"))  # fmt: skip
    sections = Part.objects.filter(id__in={row[0] for row in rows}).select_related("event").defer("entries", "games")
    known = {one.id: one for one in sections}
    everybody, starts = people.by_row(row[1] for row in rows), AgeStarts(sorted({row[1] for row in rows}))
    here: list[Moved] = []
    later: dict[tuple[int, str], Moved] = {}
    for section, player, pool, position, *both in rows:
        part = known.get(section)
        if part is None or player not in everybody or any(starts.tells(player, pool, one, position) for one in both):
            continue
        before, after = (None if one is None else shown(pool, one) for one in both)
        moved = Moved(
            everybody[player], pool, part.event.number, part.event.name, part.number, part.name, before, after
        )
        if part.event_id == event:
            here.append(moved)
        else:
            later[player, pool] = moved
    return _largest_first(here), _largest_first(later.values())


def _largest_first(moved: Iterable[Moved]) -> tuple[Moved, ...]:
    return tuple(sorted(moved, key=lambda one: (-abs(one.change) if one.change is not None else -1e9, one.person.name)))


def _names(*both: Event) -> dict[str, str]:
    """Id → the public name; of somebody whom the ledger does not know, the name in the report."""
    reported = {one.id: one.name for event in both for section in event.sections for one in section.players}
    rows = Row.objects.filter(number__in=[number for number in reported if number]).values_list(*people.COLUMNS)
    return reported | {row[1]: people.person(*row).name for row in rows}


def _differences(before: Event, after: Event, names: Mapping[str, str]) -> Iterator[Difference]:
    for what in ("name", "start", "end", "city", "state", "chief_td", "affiliate"):
        was, now = getattr(before, what), getattr(after, what)
        if was != now:
            yield Difference("Event", what.replace("_", " ").capitalize(), "", str(was or "none"), str(now or "none"))
    old, new = ({one.number: one for one in event.sections} for event in (before, after))
    for number in sorted({*old, *new}):
        if number not in old or number not in new:
            was, now = ("", "added") if number not in old else ("", "removed")
            yield Difference(f"Section {number}", (old.get(number) or new[number]).name, "", was, now)
        else:
            yield from _section(old[number], new[number], names)


def _section(before: Section, after: Section, names: Mapping[str, str]) -> Iterator[Difference]:
    where = after.name or f"Section {after.number}"
    for what in ("name", "start", "end", "time_control", "kind", "mode"):
        was, now = getattr(before, what), getattr(after, what)
        if was != now:
            yield Difference(where, what.replace("_", " ").capitalize(), "", str(was or "none"), str(now or "none"))
    old, new = ({one.number: one for one in section.players} for section in (before, after))
    yield from _players(old, new, names, where)
    yield from _games(before, after, new | {key: one for key, one in old.items() if key not in new}, names)


def _players(
    old: Mapping[int, Player], new: Mapping[int, Player], names: Mapping[str, str], where: str
) -> Iterator[Difference]:
    for number in sorted({*old, *new}):
        was, now = old.get(number), new.get(number)
        if was is None or now is None or was.id != now.id:
            one = now or was
            entry = names.get(one.id, one.name) if one else ""
            yield Difference(f"Number {number}", entry, where, was.id if was else "", now.id if now else "")


def _games(
    before: Section, after: Section, players: Mapping[int, Player], names: Mapping[str, str]
) -> Iterator[Difference]:
    def key(game: Game) -> tuple[int, frozenset[int]]:
        return game.round, frozenset((game.white, game.black))

    old, new = ({key(game): game for game in section.games} for section in (before, after))
    for pair in sorted({*old, *new}, key=lambda pair: (pair[0], sorted(pair[1]))):
        was, now = old.get(pair), new.get(pair)
        game = now or was
        if game is None or (was and now and (was.white, was.result) == (now.white, now.result)):
            continue
        who = " – ".join(_name(players, number, names) for number in (game.white, game.black))
        detail = f"{after.name or f'Section {after.number}'} · □ number {game.white}, ■ number {game.black}"
        yield Difference(f"Round {pair[0]}", who, detail, _result(was, game), _result(now, game))


def _name(players: Mapping[int, Player], number: int, names: Mapping[str, str]) -> str:
    one = players.get(number)
    return names.get(one.id, one.name) if one else f"number {number}"


def _result(game: Game | None, seen: Game) -> str:
    """A result as White of the game that is shown would read it."""
    if game is None:
        return ""
    words = RESULTS.get(game.result, game.result)
    return words if game.white == seen.white else f"{words}, colours changed"
