"""What an act does to people: whose rating, floor or title changes, from what to what, on which lists, and why.

The same rows are a preview's, an answer's and the log's. An act that changes decisions looks at the people concerned
before it writes (`watch`), because a decision may move a rating that no later section shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any, NamedTuple

import polars as pl

from crosstable.model import Rating
from crosstable.office import titles
from crosstable.office.ledger import order
from crosstable.office.ledger.models import Event, Office, Player, Section
from crosstable.office.ledger.players import merged_players, with_duplicates
from crosstable.office.ledger.rating_change import PlayersChange
from crosstable.office.rating import floors, rows, states, timeline
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.run import Outcome
from crosstable.office.rating.states import Records
from crosstable.office.storage import bulk, clock
from crosstable.systems.us_chess.formulas import round_half_up

# Norms that come and go with an act: whose, in which section, towards which title.

#: Player and section → how many norms towards each title, lowest first, as `lists.models.TitleNorm` has it
Held = Mapping[tuple[int, int], str]


@dataclass(frozen=True, slots=True)
class NormChange:
    """A player's norms of one section towards the highest title at which they differ."""

    player: str
    name: str
    event: str
    section: int
    title: str
    before: int
    after: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        """ "Ada Strong, Riverside Open: Candidate Master norms 2 → 1"."""
        return f"{self.name or self.player}, {self.event}: {self.title} norms {self.before} → {self.after}"


def held_in(sections: Sequence[int]) -> Held:
    """Return the norms of these sections as they stand."""
    if not sections:
        return {}
    sql = (
        f"SELECT player_id, section_id, counts FROM {titles.NORMS} WHERE "  # noqa: S608  our own name and numbers
        f"section_id IN ({bulk.numbers(sections)})"
    )
    return {(player, section): counts for player, section, counts in bulk.rows(sql)}


def norm_changes(before: Held, after: Held, gone: str = "") -> list[NormChange]:
    """Return what differs, in the order of sections. `gone`: the event of sections that are no more."""
    differ = sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
    office = Office.objects.filter(id=1).first() if differ else None
    rules = titles.rules_of(office) if office else None
    if rules is None:
        return []
    names = [rules.levels[level] for level in sorted(rules.levels)]
    players = dict(_named(Player, {player for player, _ in differ}, "number", "name"))
    sections = dict(_named(Section, {section for _, section in differ}, "event_id", "number"))
    events = dict(_named(Event, {event for event, _ in sections.values()}, "name", "number"))
    found = []
    for player, section in sorted(differ, key=lambda key: (key[1], key[0])):
        was, now = before.get((player, section), ""), after.get((player, section), "")
        place = max(one for one in range(max(len(was), len(now))) if was[one : one + 1] != now[one : one + 1])
        event, number = sections.get(section, (0, 0))
        name = next((one for one in events.get(event, ()) if one), gone)
        old, new = (int(one[place : place + 1] or 0) for one in (was, now))
        who, called = players[player]
        found.append(
            NormChange(player=who, name=called, event=name, section=number, title=names[place], before=old, after=new)
        )
    return found


def _named(model: Any, ids: set[int], *columns: str) -> list[tuple[int, tuple[Any, ...]]]:
    rows = model.objects.filter(id__in=ids).values_list("id", *columns)
    return [(row[0], tuple(row[1:])) for row in rows]


#: More people than this are read all together, and are not looked at one by one
FEW = 20_000
#: So many changes stand in the log, the largest; how many there are in all stands beside them
LOGGED = 200


@dataclass(frozen=True, slots=True)
class Change(PlayersChange):
    """A player's live rating, with all that follows from its change."""

    rows: int  # how many of the player's rows change
    lists: tuple[str, ...] = ()  # published lists that show the player, and would have shown another rating
    floor_before: float | None = None
    floor_after: float | None = None
    title_before: str = ""
    title_after: str = ""
    tells_an_age: bool = False  # then the log does not say the numbers
    event: str = ""  # the name of the event with which it begins; its number if it has none

    @property
    def title_words(self) -> str:
        """ "Ada Strong: no title → Candidate Master"; nothing where the title stays."""
        if self.title_before == self.title_after:
            return ""
        return f"{self.name or self.player}: {self.title_before or 'no title'} → {self.title_after or 'no title'}"

    def as_json(self) -> dict[str, Any]:
        row = {**asdict(self), "difference": self.change, "lists": list(self.lists)}
        del row["tells_an_age"], row["event"]
        return row

    def as_logged(self) -> dict[str, Any]:
        """Whose, from what, to what, as published; nothing that would tell an age."""
        row: dict[str, Any] = {"player": self.player, "pool": self.pool}
        if not self.tells_an_age:
            row |= {"before": _published_number(self.before), "after": _published_number(self.after)}
        if self.floor_before != self.floor_after:
            row |= {"floor_before": self.floor_before, "floor_after": self.floor_after}
        if self.title_before != self.title_after:
            row |= {"title_before": self.title_before, "title_after": self.title_after}
        return row


@dataclass(frozen=True, slots=True)
class Standing:
    """People's live records and titles at one moment."""

    records: Records
    titles: Mapping[int, str]


def watch(players: Iterable[int]) -> Standing:
    """How these people stand now, before an act writes."""
    same = merged_players()
    who = sorted(with_duplicates(same.get(player, player) for player in players))
    held = states.now(who)
    return Standing({player: held.get(player, {}) for player in who}, titles_of(who))


def before_run(outcome: Outcome, watched: Iterable[Standing]) -> Standing:
    """Return the standing of every player whom a run touches, before it writes its rows; of the watched,
    before the act.
    """
    who = sorted(_touched(outcome)["player_id"].unique().to_list())
    known = _records_of_rows(who)
    titles = titles_of(who)
    for one in watched:
        known |= one.records
        titles = {**titles, **one.titles}
        who = sorted({*who, *one.records})
    return Standing({player: known.get(player, {}) for player in who}, titles)


def changes(outcome: Outcome, before: Standing, reason: str, subject: str = "") -> list[Change]:
    """Everybody whose rating, floor or title has changed: records that begin or end first, then the largest changes.

    `subject`: what the act is about, as the log says it. Sections that are gone were of this event.
    """
    who = sorted(before.records)
    if not who:
        return []
    everybody = who if len(who) <= FEW else None
    after = Standing(states.now(everybody), titles_of(who))
    places: dict[int, dict[str, _Place]] = {}
    for player, pool, *place in _touched(outcome).iter_rows():
        places.setdefault(player, {})[pool] = _Place(*place)
    context = _Context(
        outcome,
        before,
        after,
        reason=reason,
        people=_people(who),
        stood_on=_stood_on(everybody, outcome.position),
        starts=AgeStarts(everybody),
        today=clock.today(),
        events=_events(outcome, sorted({place.section for own in places.values() for place in own.values()})),
        gone=_event_of(subject),
    )
    found = []
    for player in who:
        own = places.get(player, {})
        for pool in sorted({*before.records[player], *after.records.get(player, {}), *own}):
            change = _change(context, player, pool, own.get(pool))
            found += [change] if change else []
    return sorted(found, key=_largest_first)


def _largest_first(one: Change) -> tuple[bool, float, str, str]:
    return one.change is not None, -abs(one.change or 0.0), one.player, one.pool


class _Place(NamedTuple):
    """Where a player's first row of a pool changes."""

    section: int
    position: int
    rows: int


@dataclass(frozen=True, slots=True)
class _Context:
    """What the changes of one act have in common."""

    outcome: Outcome
    before: Standing
    after: Standing
    reason: str
    people: Mapping[int, tuple[str, str]]
    stood_on: Mapping[tuple[int, str], Sequence[date]]  # player and pool → the lists
    starts: AgeStarts
    today: date
    events: Mapping[int, _Since]
    gone: _Since  # the event of sections that are no more


def _change(context: _Context, player: int, pool: str, place: _Place | None) -> Change | None:
    """One player's change in one pool; nothing if all is as it was."""
    was, now = context.before.records[player].get(pool), context.after.records.get(player, {}).get(pool)
    if place is None and _undated(was) == _undated(now):
        return None
    number, name = context.people[player]
    first = _day(place.position if place else context.outcome.position)
    since, reason = _Since(str(first), ""), context.reason
    if place is not None:
        since = context.events.get(place.section, context.gone)
        reason = context.outcome.reasons.get(place.section, "it no longer counts")
    before, after = (None if one is None else one.rating for one in (was, now))
    return Change(
        player=number,
        name=name,
        pool=pool,
        before=before,
        after=after,
        since=since.text,
        event=since.event,
        reason=reason,
        rows=place.rows if place else 0,
        lists=tuple(str(day) for day in context.stood_on.get((player, pool), ()) if day > first),
        floor_before=_floor(pool, was, context.today),
        floor_after=_floor(pool, now, context.today),
        title_before=context.before.titles.get(player, ""),
        title_after=context.after.titles.get(player, ""),
        tells_an_age=context.starts.strict
        or any(context.starts.tells(player, pool, one, order.END) for one in (before, after)),
    )


def _day(position: int) -> date:
    """Return the day of a position; a run from the beginning begins before all days."""
    return order.date_of(max(position, order.day_of(date.min)))


def _undated(record: Rating | None) -> Rating | None:
    return None if record is None else replace(record, date=None)


def _published_number(rating: float | None) -> float | None:
    return None if rating is None else round_half_up(rating)


def _floor(pool: str, record: Rating | None, day: date) -> float | None:
    floor = floors.binding(pool, record, day) if record is not None else None
    return floor.rating if floor else None


def titles_of(players: Sequence[int]) -> dict[int, str]:
    """Return the highest title of each of these players."""
    only = "" if len(players) > FEW else f"WHERE player_id IN ({bulk.numbers(players)})"
    return dict(
        bulk.rows(
            f"SELECT player_id, title FROM lists_title {only} ORDER BY "  # noqa: S608  our own names and numbers
            "level"
        )
    )


def _touched(outcome: Outcome) -> pl.DataFrame:
    """(player, pool, section, position, how many rows) where each player's first row changes."""
    columns = ["player_id", "pool", "section_id", "position"]
    both = pl.concat([outcome.added.select(columns), outcome.removed.select(columns)])
    first = both.sort("position", maintain_order=True).unique(["player_id", "pool"], keep="first")
    counts = both.unique().group_by("player_id", "pool").len()
    return first.join(counts, on=["player_id", "pool"])


def _records_of_rows(players: Sequence[int]) -> Records:
    """Return the last records of these players as the rows still say, wherever their sections stand by now, and the
    decisions since.
    """
    few = len(players) <= FEW
    only = f"WHERE player_id IN ({bulk.numbers(players)})" if few else ""
    last = (
        "SELECT player_id, pool, MAX(position) AS position FROM "  # noqa: S608  our own names and numbers
        f"{rows.TABLE} {only} GROUP BY player_id, pool"
    )
    last = rows.listed(last) if few else last
    sql = (
        f"SELECT {rows.selected('r', rows.STATE_COLUMNS)} FROM ({last}) "  # noqa: S608  our own names and numbers
        f"AS l JOIN {rows.TABLE} AS r "
        f"ON {rows.is_row_at('r', 'l', few=few)}"
    )
    found: Records = {}
    placed: dict[tuple[int, str], int] = {}
    for row in bulk.frame(sql, dict(rows.STATE_COLUMNS)).iter_rows(named=True):
        found.setdefault(row["player_id"], {})[row["pool"]] = rows.record_of(row, None)
        placed[row["player_id"], row["pool"]] = row["position"]
    wanted = with_duplicates(players) if few else None
    for decision in timeline.decisions(players=wanted):
        if decision.position > placed.get((decision.player, decision.pool), 0):
            states.apply(found, decision)
    return found


def _people(players: Sequence[int]) -> dict[int, tuple[str, str]]:
    found = {}
    for start in range(0, len(players), FEW):
        part = bulk.numbers(players[start : start + FEW])
        for player, number, name in bulk.rows(
            "SELECT id, number, name FROM ledger_player WHERE id IN "  # noqa: S608  our own names and numbers
            f"({part})"
        ):
            found[player] = (number, name)
    return found


class _Since(NamedTuple):
    """With which section a change begins."""

    text: str
    event: str


def _called(number: str, name: str) -> str:
    return f"{name} ({number})" if name else number


def _events(outcome: Outcome, sections: Sequence[int]) -> dict[int, _Since]:
    """Section → "Riverside Open (E17), section 1", and "Riverside Open"."""
    wanted = {outcome.sections[section].event for section in sections if section in outcome.sections}
    events: dict[int, tuple[str, str]] = {}
    for start in range(0, len(wanted), FEW):
        part = bulk.numbers(sorted(wanted)[start : start + FEW])
        for event, number, name in bulk.rows(
            "SELECT id, number, name FROM ledger_event WHERE id IN "  # noqa: S608  our own names and numbers
            f"({part})"
        ):
            events[event] = number, name
    return {
        section: _Since(
            f"{_called(*events[placed.event])}, section {placed.number}",
            events[placed.event][1] or events[placed.event][0],
        )
        for section, placed in outcome.sections.items()
        if placed.event in events
    }


def _event_of(subject: str) -> _Since:
    """ "Riverside Open (E17)" and "Riverside Open" for event:E17."""
    number = subject.removeprefix("event:")
    found = bulk.rows("SELECT name FROM ledger_event WHERE number = %s", [number]) if number != subject else []
    name = found[0][0] if found else ""
    return _Since(_called(number, name) or "an event that is gone", name or number or "an event that is gone")


def _stood_on(players: Sequence[int] | None, position: int) -> dict[tuple[int, str], list[date]]:
    """Return the published lists that show these people (or all), by player and pool: those that hold ratings from a
    position on.
    """
    only = "" if players is None else f"AND p.id IN ({bulk.numbers(players)})"
    sql = (
        "SELECT p.id, r.pool, l.date FROM lists_publishedlist AS l JOIN "  # noqa: S608  our own names and numbers
        "lists_listrow AS r ON r.published_id = l.id "
        f"JOIN ledger_player AS p ON p.number = r.number WHERE l.date > %s {only} ORDER BY l.date"
    )
    found: dict[tuple[int, str], list[date]] = {}
    for player, pool, day in bulk.rows(sql, [str(_day(position))]):
        found.setdefault((player, pool), []).append(bulk.as_date(day))
    return found
