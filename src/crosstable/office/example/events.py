"""The events of the example: opens, quads, scholastics, club nights, matches, blitz and online evenings."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from crosstable.model import Event, Game, Player, Section
from crosstable.office.example.people import Member

CITIES = (
    ("Dayton", "OH"), ("Columbus", "OH"), ("Toledo", "OH"), ("Akron", "OH"), ("Erie", "PA"), ("Pittsburgh", "PA"),
    ("Buffalo", "NY"), ("Rochester", "NY"), ("Detroit", "MI"), ("Lansing", "MI"), ("Gary", "IN"), ("Muncie", "IN"),
    ("Lexington", "KY"), ("Peoria", "IL"), ("Wheeling", "WV"), ("St. Louis", "MO"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: how it is called, how fast it is, who comes."""

    name: str
    share: int
    days: int
    rounds: int
    controls: Sequence[str]
    sections: Sequence[tuple[str, float, float]]  # name, lowest and highest strength
    entrants: tuple[int, int]  # fewest and most in a section
    mode: str = "otb"
    form: str = "swiss"
    children: bool = False


OPEN = (("Open", 0.0, 3000.0), ("Under 1800", 0.0, 1800.0), ("Under 1400", 0.0, 1400.0))
ALL = (("Open", 0.0, 3000.0),)

KINDS = (
    Kind("{city} Open", 42, 2, 5, ("G/90;d5", "40/90, SD/30;d5", "G/120;d5"), OPEN, (14, 40)),
    Kind("{city} Action", 40, 1, 4, ("G/45;d5", "G/60;d5", "G/30;d5"), OPEN[:2], (12, 30)),
    Kind("{city} Quads", 36, 1, 3, ("G/61;d5", "G/80;d5"), ALL, (4, 4), form="round-robin"),
    Kind("{city} Scholastic", 44, 1, 5, ("G/30;d5", "G/25;d5"), (("K-5", 0, 1200), ("K-12", 0, 2400)), (18, 60),
         children=True),
    Kind("{city} Chess Club Ladder", 50, 28, 4, ("G/75;d5", "G/90;d5"), ALL, (8, 18)),
    Kind("{city} Quick Night", 26, 1, 5, ("G/15;d3", "G/12;d3"), ALL, (10, 24)),
    Kind("{city} Blitz", 22, 1, 7, ("G/5;d0", "G/3;+2", "G/5;d2"), ALL, (10, 26)),
    Kind("{city} Match", 12, 7, 4, ("G/90;d5",), ALL, (2, 2), form="match"),
    Kind("Online Evening", 12, 1, 5, ("G/10;+5", "G/15;+2"), ALL, (12, 30), mode="online"),
    Kind("Online Blitz Arena", 10, 1, 7, ("G/3;+2", "G/5;+0"), ALL, (12, 30), mode="online"),
    Kind("Online Classical", 6, 14, 4, ("G/60;+10", "G/90;+5"), ALL, (8, 20), mode="online"),
)  # fmt: skip


@dataclass(slots=True)
class _Entry:
    member: Member
    number: int
    points: float = 0.0
    met: set[int] = field(default_factory=set)
    whites: int = 0
    withdrawn: bool = False


def events(rng: random.Random, members: Sequence[Member], count: int, start: date, days: int) -> list[Event]:
    """So many events, in the order of their ends."""
    kinds = [kind for kind in KINDS for _ in range(kind.share)]
    chosen = [kinds[index * len(kinds) // count] for index in range(count)]
    rng.shuffle(chosen)
    made = [
        _event(rng, members, kind, start + timedelta(days=(index + 1) * days // (count + 1)))
        for index, kind in enumerate(chosen)
    ]
    return sorted(made, key=lambda event: (event.end, event.start, event.name))


def _event(rng: random.Random, members: Sequence[Member], kind: Kind, near: date) -> Event:
    first = near - timedelta(days=(near.weekday() - 5) % 7)  # a Saturday
    last = first + timedelta(days=kind.days - 1)
    city, state = rng.choice(CITIES)
    sections = tuple(
        section
        for number, (name, least, most) in enumerate(kind.sections, start=1)
        if (section := _section(rng, members, kind, (number, name, least, most), (first, last), state)) is not None
    )
    if not sections:  # nobody to play a match with
        return _event(rng, members, KINDS[0], near)
    name = f"{kind.name.format(city=city)} {first:%B %Y}"
    if kind.mode == "online":
        return Event(name, first, last, sections, country="USA", affiliate="A6099999", chief_td="31000001")
    return Event(name, first, last, sections, city, state, "USA", f"A60{CITIES.index((city, state)):05}", "31000008")


def _section(
    rng: random.Random,
    members: Sequence[Member],
    kind: Kind,
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
    games = list(_round_robin(rng, entries) if kind.form == "round-robin" else _swiss(rng, entries, kind))
    players = [_player(entry) for entry in entries]
    control = rng.choice(kind.controls)
    return Section(
        number, name, span[0], span[1], tuple(players), tuple(games), kind.mode, kind.form, time_control=control
    )


def _field(rng: random.Random, pool: Sequence[Member], size: int, state: str) -> list[Member]:
    """Active players come more often, and mostly from near by."""
    weighed = [(rng.random() ** (1 / (one.activity * (4 if one.state == state else 1))), one) for one in pool]
    return [one for _, one in sorted(weighed, key=lambda pair: -pair[0])[:size]]


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


def _result(rng: random.Random, white: Member, black: Member) -> str:
    chance = 1 / (1 + 10 ** ((black.strength - white.strength - 30) / 400))
    draw = 0.24 * min(chance, 1 - chance) * 2 * (1.4 if min(white.strength, black.strength) > 1800 else 0.8)
    return rng.choices(("1-0", "1/2-1/2", "0-1"), (chance - draw / 2, draw, 1 - chance - draw / 2))[0]


def _swiss(rng: random.Random, entries: list[_Entry], kind: Kind) -> Iterator[Game]:
    """Score groups, nobody twice where it can be helped, and now and then a player who leaves and enters again."""
    for number in range(1, kind.rounds + 1):
        if number == 3 and kind.form == "swiss" and len(entries) > 12 and rng.random() < 0.35:
            _re_enter(rng, entries)
        waiting = sorted((one for one in entries if not one.withdrawn), key=lambda one: (-one.points, one.number))
        while len(waiting) > 1:
            first = waiting.pop(0)
            rival = next((one for one in waiting if one.number not in first.met or kind.form == "match"), waiting[0])
            waiting.remove(rival)
            yield _game(rng, number, first, rival)
        for last in waiting:
            last.points += 1  # a bye, which is no game


def _game(rng: random.Random, number: int, first: _Entry, rival: _Entry) -> Game:
    white, black = (first, rival) if first.whites <= rival.whites else (rival, first)
    result = _result(rng, white.member, black.member)
    if rng.random() < 0.006:
        result = "+/-"  # somebody did not come
    white.points += {"1-0": 1.0, "+/-": 1.0, "1/2-1/2": 0.5}.get(result, 0.0)
    black.points += {"0-1": 1.0, "1/2-1/2": 0.5}.get(result, 0.0)
    white.whites += 1
    white.met.add(black.number)
    black.met.add(white.number)
    return Game(number, white.number, black.number, result)


def _re_enter(rng: random.Random, entries: list[_Entry]) -> None:
    """One of those without a point begins again under another number."""
    losers = [one for one in entries if one.points == 0]
    if losers:
        leaver = rng.choice(losers)
        leaver.withdrawn = True
        entries.append(_Entry(leaver.member, len(entries) + 1, met={leaver.number}))


def _round_robin(rng: random.Random, entries: list[_Entry]) -> Iterator[Game]:
    rounds = (((1, 4), (2, 3)), ((3, 1), (4, 2)), ((1, 2), (3, 4)))
    for number, pairs in enumerate(rounds, start=1):
        for white, black in pairs:
            if max(white, black) <= len(entries):
                yield _game(rng, number, entries[white - 1], entries[black - 1])


def misprint(rng: random.Random, event: Event) -> Event:
    """The event as it is first reported: one result the wrong way round. The correction puts it right."""
    section = event.sections[0]
    place = rng.choice([index for index, game in enumerate(section.games) if game.result in ("1-0", "0-1")])
    game = section.games[place]
    turned = replace(game, result="0-1" if game.result == "1-0" else "1-0")
    games = (*section.games[:place], turned, *section.games[place + 1 :])
    return replace(event, sections=(replace(section, games=games), *event.sections[1:]))
