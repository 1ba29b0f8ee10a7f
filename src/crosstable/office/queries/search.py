"""Finding players and events: by half a name, by an id, by many ids, and the nearest where nothing fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from typing import NamedTuple

from django.db import connection
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Value, Window
from django.db.models.functions import Concat

from crosstable.checks.members import transposed
from crosstable.model.states import STATES as STATE_NAMES
from crosstable.office.ledger.models import Event, EventHasWord, EventWord, NameWord, Player, RatingRow
from crosstable.office.ledger.names import without_accents, words_of
from crosstable.office.ledger.order import date_of, day_of
from crosstable.office.players import person as people
from crosstable.office.players.person import Person
from crosstable.office.queries import ratings
from crosstable.office.queries.ratings import InPool, Newest
from crosstable.office.queries.subject import Subject
from crosstable.systems.us_chess.pools import KEYS
from crosstable.words.language import _

#: So many on a page
PAGE = 20
#: So many ids are looked up at once
MOST_IDS = 500
#: No id is longer
LONGEST = 40
#: The pools that have columns of their own
COLUMNS = KEYS[:2]
#: By name. Not by the plain column: PostgreSQL would walk its index through half of all players to find the few
BY_NAME = (Concat("name", Value("")), "number")
#: A part of a word that more events than this have in their names is common
COMMON = 2000
#: Up to so many are put in order of their last event; more stand by name
FEW = 300
#: Of those who are found, the players of so many states can be shown alone
STATES = 2


@dataclass(frozen=True, slots=True)
class Hit:
    """A player who was found."""

    person: Person
    pools: tuple[InPool, ...]
    last: date | None
    asked: str = ""  # the id that was asked for, where another one is kept now

    def pool(self, key: str) -> InPool:
        return next((one for one in self.pools if one.pool == key), InPool(key, None, None))

    @property
    def two(self) -> tuple[InPool, InPool]:
        return self.pool(COLUMNS[0]), self.pool(COLUMNS[1])

    @property
    def others(self) -> tuple[InPool, ...]:
        return tuple(one for one in self.pools if one.pool not in COLUMNS and one.live and one.live.rating)


@dataclass(frozen=True, slots=True)
class Missing:
    """An id that no one has, and who has one like it."""

    asked: str
    near: Person | None


@dataclass(frozen=True, slots=True)
class Limits:
    """Only players of a state, or only those with a rated event in a year."""

    state: str = ""
    played: int | None = None

    @property
    def words(self) -> str:
        """ "from Ohio who played in 2025"."""
        state = _("from {state}").format(state=STATE_NAMES.get(self.state, self.state)) if self.state else ""
        played = _("who played in {year}").format(year=self.played) if self.played else ""
        return f"{state} {played}".strip()

    def among(self, rows: QuerySet[Player]) -> QuerySet[Player]:
        rows = rows.filter(state=self.state) if self.state else rows
        if self.played is None:
            return rows
        first, end = (day_of(date(year, 1, 1)) for year in (self.played, self.played + 1))
        return rows.filter(
            Exists(RatingRow.objects.filter(player=OuterRef("id"), position__gte=first, position__lt=end))
        )


class Narrower(NamedTuple):
    """A part of those who were found, that can be shown alone."""

    words: str
    total: int
    limits: Limits


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found. `many`: ids were looked up, and `hits` stand in their order with the missing ones."""

    total: int
    hits: tuple[Hit, ...]
    published: Newest | None
    many: bool = False
    missing: tuple[Missing, ...] = ()
    near: tuple[Person, ...] = ()
    events: tuple[tuple[str, str], ...] = ()  # number and name
    by_last: bool = False
    page: int = 1
    counted: bool = True  # otherwise there are at least `total`, and no one has waited for the rest to be counted
    limits: Limits = Limits()
    narrower: tuple[Narrower, ...] = ()

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE))

    @property
    def size(self) -> int:
        """How many are on the next page."""
        return min(PAGE, self.total - self.page * PAGE)

    @property
    def asked(self) -> int:
        return len(self.hits) + len(self.missing)


def players(
    query: str,
    page: int = 1,
    limits: Limits = Limits(),  # noqa: B008  frozen
    *,
    typing: bool = False,
) -> Found:
    """Players by what was typed: words of a name in any order, an id, or many ids.

    `typing`: someone is still at it, so events are looked for only where no player is found.
    """
    ids = ids_in(query)
    if len(ids) > 1:
        return look_up(ids[:MOST_IDS])
    page = max(1, page)
    rows, total, by_last, narrower = _found(query, page, limits, typing=typing)
    published = ratings.newest_list()
    hits = hits_of(rows, published)
    near = _nearest(query) if not total and words_of(query) and not limits.words else ()
    events = () if typing and total else events_named(query)
    return Found(
        total,
        hits,
        published,
        near=near,
        events=events,
        by_last=by_last,
        page=page,
        counted=by_last or not typing,
        limits=limits,
        narrower=narrower,
    )


def ids_in(text: str) -> list[str]:
    """Return the ids in a list of ids; nothing else may stand in it."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    return list(dict.fromkeys(words)) if words and all(word.isdigit() and len(word) > 3 for word in words) else []


def fitting(query: str, state: str = "", *, all_records: bool = False) -> QuerySet[Player]:
    """Return the players whom anyone may find by what was typed. `all_records`: those withheld and merged, too."""
    query = query.strip()
    if query.isdigit():
        wanted = Player.objects.filter(begins("number", query))
    else:
        words = words_of(query)
        wanted = Player.objects.filter(id__in=_named(words)) if words else Player.objects.none()
    return Limits(state).among(wanted if all_records else _public(wanted))


def _public(rows: QuerySet[Player]) -> QuerySet[Player]:
    """Those whom everybody may find."""
    return rows.filter(merged_into=None, withheld=False)


def _found(query: str, page: int, limits: Limits, *, typing: bool) -> tuple[list[int], int, bool, tuple[Narrower, ...]]:
    """Return the rows of one page, how many there are, whether the most recent players come first, and which parts
    can be shown alone.
    """
    wanted = limits.among(fitting(query))
    first, end = (page - 1) * PAGE, page * PAGE
    few = list(
        wanted.values_list("id", "name", "number", "state")[: FEW + 1]
    )  # in no order, so that the database can stop early
    if len(few) > FEW and typing:
        return _first(query, limits), FEW, False, ()
    if len(few) > FEW:
        counted = wanted.annotate(total=Window(Count("id"))).order_by(*BY_NAME).values_list("id", "total")
        rows = list(counted[first:end])
        return [row for row, _ in rows], rows[0][1] if rows else wanted.count(), False, ()
    last = _last([one[0] for one in few])
    ordered = sorted(few, key=lambda one: (-last.get(one[0], 0), one[1], one[2]))
    narrower = _narrower(limits, [one[3] for one in few], [date_of(one).year for one in last.values()])
    return [one[0] for one in ordered[first:end]], len(few), True, narrower


def _narrower(limits: Limits, states: Sequence[str], years: Sequence[int]) -> tuple[Narrower, ...]:
    """Return the most common states, and the last year with play: where that leaves some out."""
    found = []
    if len(states) > 1 and not limits.state:
        common = sorted(Counter(state for state in states if state).items(), key=lambda one: (-one[1], one[0]))
        for state, number in common[:STATES]:
            name = STATE_NAMES.get(state, state)
            found.append(Narrower(_("Only {state}").format(state=name), number, replace(limits, state=state)))
    newest = max(years, default=0)
    if years.count(newest) < len(states) and not limits.played:
        found.append(
            Narrower(_("Played in {year}").format(year=newest), years.count(newest), replace(limits, played=newest))
        )
    return tuple(one for one in found if 0 < one.total < len(states))


def _first(query: str, limits: Limits) -> list[int]:
    """Return a page of very many: in the order of the words that begin so, as the index has them.

    Some may not be shown.
    """
    words = words_of(query)
    if query.strip().isdigit() or not words:
        return list(limits.among(fitting(query)).order_by("number").values_list("id", flat=True)[:PAGE])
    named = _named(words).filter(player__merged_into=None, player__withheld=False)
    rows = list(dict.fromkeys(named.order_by("word", "id")[: 4 * PAGE]))
    shown = set(limits.among(_public(Player.objects.filter(id__in=rows))).values_list("id", flat=True))
    return [row for row in rows if row in shown][:PAGE]


def _named(words: Sequence[str]) -> QuerySet[NameWord, int]:
    """Return the players with a word in their name that begins like each of these."""
    longest, *others = sorted(words, key=len, reverse=True)
    found = NameWord.objects.filter(begins("word", longest))
    for word in others:
        found = found.filter(player__in=NameWord.objects.filter(begins("word", word)).values("player"))
    return found.values_list("player_id", flat=True)


def begins(column: str, text: str) -> Q:
    """Return a range that the column's index serves, on SQLite (where LIKE knows no case) and on PostgreSQL."""
    if connection.vendor == "postgresql":
        return Q(**{f"{column}__startswith": text})
    return Q(**{f"{column}__gte": text, f"{column}__lt": f"{text}\U0010ffff"})


def _last(rows: Sequence[int]) -> dict[int, int]:
    found = RatingRow.objects.filter(player_id__in=rows).values("player_id").annotate(last=Max("position"))
    return dict(found.values_list("player_id", "last"))


def hits_of(rows: Sequence[int], published: Newest | None, asked: dict[int, str] | None = None) -> tuple[Hit, ...]:
    """Return the players of these rows, in this order, with their numbers."""
    if not rows:
        return ()
    everybody = people.by_row(rows)
    listed = ratings.official(published, (one.number for one in everybody.values()))
    live, last = ratings.live(rows), _last(rows)
    return tuple(
        Hit(
            everybody[row],
            ratings.pools(listed.get(everybody[row].number, {}), live.get(row, {})),
            date_of(last[row]) if row in last else None,
            (asked or {}).get(row, ""),
        )
        for row in rows
    )


def look_up(ids: Sequence[str]) -> Found:
    """Ids in the order in which they were given; a merged one leads to the record that is kept."""
    rows: dict[str, int] = {}
    asked: dict[int, str] = {}
    for number, row, kept in Player.objects.filter(number__in=ids).values_list("number", "id", "merged_into_id"):
        rows[number] = kept or row
        if kept:
            asked[kept] = number
    published = ratings.newest_list()
    hits = hits_of(list(dict.fromkeys(rows[number] for number in ids if number in rows)), published, asked)
    missing = tuple(_missing([number for number in ids if number not in rows]))
    return Found(len(hits), hits, published, many=True, missing=missing)


def _missing(numbers: Sequence[str]) -> Iterable[Missing]:
    """Return the unknown ids, each with the player who has it with two digits swapped."""
    meant = {other: number for number in numbers if len(number) <= LONGEST for other in transposed(number)}
    found = Player.objects.filter(number__in=list(meant), withheld=False).values_list(*people.COLUMNS)
    near = {meant[row[1]]: people.person(*row) for row in found}
    return [Missing(number, near.get(number)) for number in numbers]


def _nearest(query: str) -> tuple[Person, ...]:
    """Players with a name most like the longest word that was typed; who fits the other words comes first."""
    longest, *others = sorted(words_of(query), key=len, reverse=True)
    public = NameWord.objects.filter(player__merged_into=None, player__withheld=False)  # a hidden name displaces none
    known = list(public.filter(begins("word", longest[:2])).values_list("word", flat=True).distinct()[:5000])
    close = get_close_matches(longest, known, n=3, cutoff=0.7)
    rows = public.filter(word__in=close).values_list("player_id", flat=True)[:200]
    found = Player.objects.filter(id__in=list(rows), merged_into=None, withheld=False).values_list(*people.COLUMNS)
    everybody = sorted((people.person(*row) for row in found), key=lambda one: (-_fits(one, others), one.name))
    return tuple(everybody[:3])


def _fits(one: Person, words: Sequence[str]) -> int:
    own = words_of(one.name)
    return sum(any(mine.startswith(word) for mine in own) for word in words)


def events_named(query: str, most: int = 5) -> tuple[tuple[str, str], ...]:
    """Events by words of their names, or by the beginning of their numbers; newest first."""
    query = query.strip()
    if len(query) < 3:
        return ()
    found = Event.objects.filter(status=Event.ACCEPTED)
    if query.isdigit():
        found = found.filter(begins("number", query))
    else:
        for word in query.split()[:6]:
            found = found.filter(in_name(word))
    return tuple(found.order_by("-end", "-number").values_list("number", "name")[:most])


def in_name(part: str) -> Q:
    """Events with this part of a word in their names. Where few have it, their words lead to them; common ones soon
    show up.
    """
    words = EventWord.objects.filter(word__contains=without_accents(part))
    rows = list(EventHasWord.objects.filter(word__in=words).values_list("event_id", flat=True)[: COMMON + 1])
    return Q(name__icontains=part) if len(rows) > COMMON else Q(name__icontains=part, id__in=set(rows))


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest real page to an address that has none."""

    sentence: str
    name: str
    subject: Subject


def near(wanted: Subject | None) -> Near | None:
    """Return the event or player that was meant, or the one whose id has two digits exchanged."""
    if wanted is None or "\0" in wanted.id:
        return None
    number = wanted.id
    meant = [number, *(transposed(number) if number.isdigit() else ())]
    if wanted.kind == "event":
        events = Event.objects.filter(number__in=meant, status__in=(Event.ACCEPTED, Event.WITHDRAWN))
        event = min(events, key=lambda one: one.number != number, default=None)
        words = _("No event has the number {number}. With two digits swapped it is the").format(number=number)
        if event and event.number == number:
            words = _("This address is not a page of the")
        return Near(words, event.name, Subject("event", event.number)) if event else None
    players = Player.objects.filter(number__in=meant, withheld=False)
    player = min(players, key=lambda one: one.number != number, default=None)
    words = _("No player has the ID {number}. With two digits swapped it is").format(number=number)
    if player and player.number == number:
        words = _("This address is not a page of")
    return Near(words, people.of(player).name, Subject("player", player.number)) if player else None
