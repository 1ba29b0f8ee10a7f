"""The events of the example, as documents. Kinds, turnout, pairing and results are those of `crosstable.simulation`."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from crosstable.model import Event, Game, Player, Section
from crosstable.office.example.people import Member
from crosstable.simulation.kinds import KINDS, EventKind, by_share
from crosstable.simulation.pairing import NO_OPPONENT, QUAD, has_white, next_round
from crosstable.simulation.results import WHITE, half_points
from crosstable.simulation.turnout import choose

CITIES = (
    ("Dayton", "OH"),
    ("Columbus", "OH"),
    ("Toledo", "OH"),
    ("Akron", "OH"),
    ("Erie", "PA"),
    ("Pittsburgh", "PA"),
    ("Buffalo", "NY"),
    ("Rochester", "NY"),
    ("Detroit", "MI"),
    ("Lansing", "MI"),
    ("Gary", "IN"),
    ("Muncie", "IN"),
    ("Lexington", "KY"),
    ("Peoria", "IL"),
    ("Wheeling", "WV"),
    ("St. Louis", "MO"),
)


RESULTS = ("0-1", "1/2-1/2", "1-0")  # by White's half points


@dataclass(slots=True)
class _Entry:
    member: Member
    number: int
    whites: int = 0
    withdrawn: bool = False


@dataclass(slots=True)
class _Table:
    """A section while it is played: entries, and beside them their points and their opponents by place."""

    entries: list[_Entry]
    rounds: int
    points: list[float] = field(default_factory=list)
    opponents: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [0.0] * len(self.entries)
        self.opponents = [[NO_OPPONENT] * self.rounds for _ in self.entries]

    def enter(self, member: Member) -> None:
        """Someone who enters later."""
        self.entries.append(_Entry(member, len(self.entries) + 1))
        self.points.append(0.0)
        self.opponents.append([NO_OPPONENT] * self.rounds)


def events(rng: random.Random, members: Sequence[Member], count: int, start: date, days: int) -> list[Event]:
    """So many events, in the order of their ends."""
    kinds = by_share(KINDS)
    chosen = [kinds[index * len(kinds) // count] for index in range(count)]
    rng.shuffle(chosen)
    made = [
        event_near(rng, members, kind, start + timedelta(days=(index + 1) * days // (count + 1)))
        for index, kind in enumerate(chosen)
    ]
    return sorted(made, key=lambda event: (event.end, event.start, event.name))


def event_near(
    rng: random.Random, members: Sequence[Member], kind: EventKind, near: date, place: tuple[str, str] | None = None
) -> Event:
    """Return an event of a kind, on the weekend before a day or on it. `place`: city and state; else by lot."""
    first, last = kind.weekend(near)
    city, state = place or rng.choice(CITIES)
    sections = tuple(
        section
        for number, (name, least, most) in enumerate(kind.sections, start=1)
        if (section := _section(rng, members, kind, which=(number, name, least, most), span=(first, last), state=state))
        is not None
    )
    if not sections:  # no one to play a match with
        return event_near(rng, members, KINDS[0], near, place)
    name = f"{kind.name.format(city=city)} {first:%B %Y}"
    if kind.mode == "online":
        return Event(name, first, last, sections, country="USA", affiliate="A6099999", chief_td="31000001")
    return Event(
        name=name,
        start=first,
        end=last,
        sections=sections,
        city=city,
        state=state,
        country="USA",
        affiliate=f"A60{CITIES.index((city, state)):05}",
        chief_td="31000008",
    )


def _section(
    rng: random.Random,
    members: Sequence[Member],
    kind: EventKind,
    which: tuple[int, str, float, float],
    span: tuple[date, date],
    state: str,
) -> Section | None:
    number, name, least, most = which
    pool = [one for one in members if least <= one.strength < most and (one.child or not kind.children)]
    size = rng.randint(*kind.entrants)
    field_ = _field(rng, pool, size, state if kind.mode == "otb" else "")
    if kind.form == "match":
        field_ = _equals(rng, members)
    if len(field_) < 2:
        return None
    entries = [_Entry(member, place) for place, member in enumerate(_by_rating(field_), start=1)]
    table = _Table(entries, kind.rounds)
    games = list(_round_robin(rng, table) if kind.form == "round-robin" else _swiss(rng, table, kind))
    players = [_player(entry) for entry in table.entries]
    control = rng.choice(kind.controls)
    return Section(
        number=number,
        name=name,
        start=span[0],
        end=span[1],
        players=tuple(players),
        games=tuple(games),
        mode=kind.mode,
        kind=kind.form,
        time_control=control,
    )


def _field(rng: random.Random, pool: Sequence[Member], size: int, state: str) -> list[Member]:
    """Active players come more often, and mostly from near by."""
    weights = [one.activity * (4 if one.state == state else 1) for one in pool]
    places, keys = [0] * size, [0.0] * size
    count = choose(rng, weights, places, keys)
    return [pool[place] for place in places[:count]]


def _equals(rng: random.Random, members: Sequence[Member]) -> list[Member]:
    """Two established players close enough to play a match."""
    known = [one for one in members if one.games > 40 and one.rating is not None]
    first = rng.choice(known)
    near = [one for one in known if one is not first and abs((one.rating or 0) - (first.rating or 0)) < 150]
    return [first, rng.choice(near)] if near else []


def _by_rating(field_: Sequence[Member]) -> list[Member]:
    return sorted(field_, key=lambda one: (-(one.rating or 0), one.number))


def _player(entry: _Entry) -> Player:
    return Player(entry.number, entry.member.number, entry.member.name)


def _swiss(rng: random.Random, table: _Table, kind: EventKind) -> Iterator[Game]:
    """Neighbours in the standings meet; now and then a player leaves and enters again."""
    for number in range(1, kind.rounds + 1):
        if number == 3 and kind.form == "swiss" and len(table.entries) > 12 and rng.random() < 0.35:
            _re_enter(rng, table)
        order = [place for place, one in enumerate(table.entries) if not one.withdrawn]
        next_round(order, table.points, [-one.number for one in table.entries], table.opponents, halves=False)
        for first, rival in zip(order[::2], order[1::2], strict=False):
            if has_white(table.entries[first].whites, table.entries[rival].whites, otherwise=True):
                yield _game(rng, number, table, first, rival)
            else:
                yield _game(rng, number, table, rival, first)
        if len(order) % 2:
            table.points[order[-1]] += 1  # a bye, which is no game


def _game(rng: random.Random, number: int, table: _Table, white: int, black: int) -> Game:
    first, second = table.entries[white], table.entries[black]
    halves = half_points(rng, first.member.strength, second.member.strength, WHITE)
    absent = rng.random() < 0.006  # someone did not come
    table.points[white] += 1.0 if absent else halves / 2
    table.points[black] += 0.0 if absent else 1 - halves / 2
    first.whites += 1
    table.opponents[white][number - 1], table.opponents[black][number - 1] = black, white
    return Game(number, first.number, second.number, "+/-" if absent else RESULTS[halves])


def _re_enter(rng: random.Random, table: _Table) -> None:
    """One of those without a point begins again under another number."""
    losers = [one for one, points in zip(table.entries, table.points, strict=True) if points == 0]
    if losers:
        leaver = rng.choice(losers)
        leaver.withdrawn = True
        table.enter(leaver.member)


def _round_robin(rng: random.Random, table: _Table) -> Iterator[Game]:
    for number, pairs in enumerate(QUAD, start=1):
        for white, black in pairs:
            if max(white, black) < len(table.entries):
                yield _game(rng, number, table, white, black)


def misprint(rng: random.Random, event: Event) -> Event:
    """Return the event as it is first reported: one result the wrong way round. The correction puts it right."""
    section = event.sections[0]
    place = rng.choice([index for index, game in enumerate(section.games) if game.result in ("1-0", "0-1")])
    game = section.games[place]
    turned = replace(game, result="0-1" if game.result == "1-0" else "1-0")
    games = (*section.games[:place], turned, *section.games[place + 1 :])
    return replace(event, sections=(replace(section, games=games), *event.sections[1:]))
