"""The player's page: who, which numbers, how they came about, what is missing for a title, what the next hundred
takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from crosstable.model import Rating
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.players import find, main_record, with_duplicates
from crosstable.office.lists.models import Title, TitleNorm
from crosstable.office.players import person as people
from crosstable.office.players.opening_ratings import assumed_games
from crosstable.office.players.person import Person
from crosstable.office.players.profiles import DecidedLine, decided
from crosstable.office.queries import history, ratings
from crosstable.office.queries.history import Played
from crosstable.office.queries.ratings import InPool, Newest, Shown
from crosstable.office.queries.status import after
from crosstable.office.rating import progress
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.floors import Floor, binding, every
from crosstable.office.rating.progress import LifeMasterGames, MatchTotal
from crosstable.office.titles.titles import rules_of
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess.estimate import needed_for
from crosstable.systems.us_chess.pools import KEYS

# Below what a rating cannot fall, and why: as the rating room says it.

__all__ = ["Floor", "binding", "every"]


#: On the player's page; the rest stands on the pools' pages
LAST = 8


@dataclass(frozen=True, slots=True)
class Held:
    """One pool: official, live, and what a rating is held by: floor, ceiling, the limits of matches."""

    numbers: InPool
    floor: Floor | None
    assumed: int | None = None  # of the games, those that no one counted
    ceiling: float | None = None
    life_master: LifeMasterGames | None = None
    matches: tuple[MatchTotal, ...] = ()

    @property
    def pool(self) -> str:
        return self.numbers.pool

    @property
    def games(self) -> int | None:
        shown = self.numbers.live or self.numbers.official
        return shown.games if shown else None


@dataclass(frozen=True, slots=True)
class TitleState:
    """A title that is earned, or on its way."""

    title: str
    earned: date | None
    norms: int
    needed: int
    last: tuple[str, str] | None  # number and name of the event that brought the last norm
    rating: float | None  # that must be reached once, if it has not

    @property
    def pips(self) -> str:
        full = min(self.norms, self.needed)
        return "●" * full + "○" * (self.needed - full)

    @property
    def missing(self) -> int:
        return max(0, self.needed - self.norms)


@dataclass(frozen=True, slots=True)
class NeedTable:
    """Points needed for a target, by number of games and strength of opponents; nothing where no score does it."""

    target: int
    rating: float
    games: int | None
    opponents: tuple[int, ...]
    rows: tuple[tuple[int, tuple[float | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class PlayerPage:
    person: Person
    also: tuple[str, ...]
    title: str
    events: int
    since: date | None
    published: Newest | None
    next_list: date | None
    pools: tuple[Held, ...]
    main: Held | None
    last_of_main: Played | None
    set_since: DecidedLine | None  # the decision that moved the main pool's number after its last event
    played: tuple[Played, ...]  # oldest first
    listed: dict[str, tuple[Shown, ...]]
    titles: tuple[TitleState, ...]
    norms: dict[int, str]  # section → the highest norm earned there
    record: Rating | None  # of the main pool: for working with, not for showing
    today: date

    @property
    def need(self) -> NeedTable | None:
        """What the next hundred takes; worked out where someone asks for it."""
        return _need(self.main, self.record, self.today)

    @property
    def assumes(self) -> bool:
        """Whether any number of games on the page was assumed."""
        return any(one.assumed for one in self.pools)

    @property
    def floor_rules(self) -> tuple[tuple[str, str], ...]:
        """The rules of the floor that everybody has and of the one that is earned: names, and what they say in plain
        words.
        """
        book = rulebook("us_chess")
        found = (
            (name, book.rules[name].on(max(self.today, book.first))) for name in ("personal_floor", "earned_floor")
        )
        return tuple((name, book.rules[name].plain_words(value)) for name, value in found if value is not None)

    @property
    def latest(self) -> tuple[Played, ...]:
        return tuple(reversed(self.played[-LAST:]))


def _held(one: InPool, record: Rating | None, assumed: int | None, today: date) -> Held:
    if record is None:
        return Held(one, None, assumed)
    return Held(
        numbers=one,
        floor=binding(one.pool, record, today),
        assumed=assumed,
        ceiling=record.ceiling,
        life_master=progress.life_master_games(one.pool, record, today),
        matches=progress.match_totals(record, today),
    )


def player(number: str, today: date) -> PlayerPage:
    """Everything about a player that everybody may know."""
    asked = find(number)
    row = main_record(asked)
    own, starts = ratings.records([row.id]), AgeStarts([row.id])
    live = ratings.live([row.id], own, starts).get(row.id, {})
    published = ratings.newest_list()
    official = ratings.official(published, [row.number]).get(row.number, {})
    records, assumed = own.get(row.id, {}), assumed_games(with_duplicates([row.id]))
    held = tuple(
        _held(one, records.get(one.pool), assumed.get(one.pool), today) for one in ratings.pools(official, live)
    )
    played = history.played([row.id], starts=starts)
    titles, norms = _titles(row.id, played)
    main = held[0] if held else None
    last = next((one for one in reversed(played) if main and one.pool == main.pool), None)
    return PlayerPage(
        person=people.of(row),
        also=tuple(sorted(one.number for one in people.by_row(with_duplicates([row.id]) - {row.id}).values())),
        title=next((one.title for one in reversed(titles) if one.earned), ""),
        events=len({one.event for one in played}),
        since=played[0].date if played else None,
        published=published,
        next_list=after(published.date if published else None),
        pools=held,
        main=main,
        last_of_main=last,
        set_since=_set_since(row, main, last),
        played=played,
        listed=history.listed(row.number),
        titles=titles,
        norms=norms,
        record=records.get(main.pool) if main else None,
        today=today,
    )


def _set_since(row: Player, main: Held | None, last: Played | None) -> DecidedLine | None:
    """Asked only where the live number is not the one that the last event gave: for most players it is."""
    live = main.numbers.live if main else None
    if main is None or live is None or live.rating is None or (last is not None and last.after == live.rating):
        return None
    return moved_last(decided(row, main.pool), last)


def moved_last(decisions: Sequence[DecidedLine], last: Played | None) -> DecidedLine | None:
    """Return the last decision that moved the number, if no event came after it."""
    since = [one for one in decisions if last is None or one.position > last.position]
    return next((one for one in reversed(since) if one.after is not None and one.after != one.before), None)


def _titles(player: int, played: Sequence[Played]) -> tuple[tuple[TitleState, ...], dict[int, str]]:
    """Titles from the lowest up to the first one without a norm, and the norms by section."""
    rules = rules_of(office())
    if rules is None:
        return (), {}
    earned = dict(Title.objects.filter(player_id=player).values_list("level", "earned"))
    norms = list(
        TitleNorm.objects.filter(player_id=player).order_by("position").values_list("section_id", "counts", "position")
    )
    sections = {one.section_id: (one.event, one.name) for one in played}
    names = rules.levels
    states, highest = [], {}
    for place, level in enumerate(sorted(names)):
        counted = [
            (section, int(counts[place]))
            for section, counts, _ in norms
            if place < len(counts) and counts[place] != "0"
        ]
        for section, _ in counted:
            highest[section] = names[level]
        if not counted and level not in earned:
            continue
        last = sections.get(counted[-1][0]) if counted else None
        waits = None if level in earned else rules.rating_for(level)
        total = sum(count for _, count in counted)
        states.append(
            TitleState(
                title=names[level],
                earned=earned.get(level),
                norms=total,
                needed=rules.norms_for_title,
                last=last,
                rating=waits,
            )
        )
    return tuple(states), highest


def _need(main: Held | None, record: Rating | None, today: date) -> NeedTable | None:
    """Return what the next hundred takes, from the live number."""
    live = main.numbers.live if main else None
    if main is None or record is None or live is None or live.rating is None or main.pool not in KEYS:
        return None
    target = (int(live.rating) // 100 + 1) * 100
    opponents = (
        tuple(range(target - 200, target + 101, 100)) if target > 300 else tuple(range(target, target + 301, 100))
    )
    start = Rating(
        rating=live.rating,
        games=record.games,
        date=record.date,
        wins=record.wins,
        draws=record.draws,
        losses=record.losses,
    )

    def points(games: int, opponent: int) -> float | None:
        found = needed_for(target, start, [float(opponent)] * games, today, pool=main.pool, dual=False)
        return found.score if found else None

    rows = tuple((games, tuple(points(games, opponent) for opponent in opponents)) for games in (4, 5, 6))
    return NeedTable(target, live.rating, record.games, opponents, rows)


@dataclass(frozen=True, slots=True)
class OverTime:
    """A player's ratings over time."""

    person: Person
    played: tuple[Played, ...]  # oldest first
    listed: dict[str, tuple[Shown, ...]]


def ratings_over_time(number: str, key: str = "") -> OverTime:
    """In all pools, or in one."""
    row = main_record(find(number))
    return OverTime(people.of(row), history.played([row.id], key), history.listed(row.number, key))


@dataclass(frozen=True, slots=True)
class PoolPage:
    """One pool of a player: every event, floors with reasons, list values."""

    person: Person
    held: Held
    floors: tuple[Floor, ...]
    played: tuple[Played, ...]  # newest first
    listed: tuple[Shown, ...]  # newest first
    published: Newest | None
    decided: tuple[DecidedLine, ...]  # oldest first

    @property
    def pool(self) -> str:
        return self.held.pool

    @property
    def set_since(self) -> DecidedLine | None:
        """The decision that moved the number after the last event."""
        return moved_last(self.decided, self.played[0] if self.played else None)

    @property
    def rows(self) -> tuple[Played | DecidedLine, ...]:
        """Events and the office's decisions in one history, newest first; a decision holds from its day's beginning."""
        both: list[Played | DecidedLine] = [*self.played, *self.decided]
        return tuple(sorted(both, key=lambda one: -one.position))


def pool(number: str, key: str, today: date) -> PoolPage | None:
    """Nothing where the player has no rated game in this pool."""
    row = main_record(find(number))
    own, starts = ratings.records([row.id]), AgeStarts([row.id])
    live = ratings.live([row.id], own, starts).get(row.id, {})
    published = ratings.newest_list()
    official = ratings.official(published, [row.number]).get(row.number, {})
    record = own.get(row.id, {}).get(key)
    numbers = next((one for one in ratings.pools(official, live) if one.pool == key), None)
    if numbers is None and record is None:
        return None
    known = record is not None and key in KEYS
    return PoolPage(
        person=people.of(row),
        held=Held(
            numbers or InPool(key, None, None),  # unrated, with games here
            binding(key, record, today) if record else None,
            assumed_games(with_duplicates([row.id])).get(key),
        ),
        floors=every(key, record, today) if record and known else (),
        played=tuple(reversed(history.played([row.id], key, starts))),
        listed=tuple(reversed(history.listed(row.number, key).get(key, ()))),
        published=published,
        decided=tuple(decided(row, key)),
    )
