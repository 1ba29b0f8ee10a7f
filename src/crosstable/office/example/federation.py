"""A small living office of any federation: a season of events up to last week, one that waits, and a list."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta

from crosstable.federations import Federation
from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.office.audit.log import record
from crosstable.office.example.calendar import SEED
from crosstable.office.example.load import ACCEPTED, REPORTED, USERS, as_file, publish_list, staff
from crosstable.office.example.people import Member, members
from crosstable.office.ledger import office_settings
from crosstable.office.people import users
from crosstable.office.people.rights import Actor
from crosstable.office.reports import accepting, submissions
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.simulation.results import half_points

PLAYERS, EVENTS, FIELD, ROUNDS = 32, 10, 16, 5
RESULTS = {2: "1-0", 1: "1/2-1/2", 0: "0-1"}
#: Go: so many points of a chess strength make a rank, and the rank of an average player
POINTS_A_RANK, AVERAGE = 100.0, 1300.0
#: Where a time control counts: standard, rapid and standard again, and blitz
CONTROLS = ("G/90;+30", "G/15;+10", "G/90;+30", "G/3;+2")
KINDS = {"G/15;+10": "Rapid", "G/3;+2": "Blitz"}
TOWNS = ("Akron", "Bexley", "Dayton", "Findlay", "Lima", "Mentor", "Oxford", "Solon", "Toledo", "Wooster")


@dataclass(frozen=True, slots=True)
class Made:
    """What was made: the numbers that the demo prints."""

    players: int
    events: int
    waiting: str


def make(federation: Federation, today: date, seed: int = SEED) -> Made:
    """Fill an empty, migrated database with an office of this federation. Ten events are rated, the last one waits."""
    rng = random.Random(seed)  # noqa: S311  made-up results
    start = today - timedelta(weeks=EVENTS + 2, days=today.weekday() + 1)  # Sundays
    chief = Actor.installation()
    with clock.set_to(_at(start, 8)):
        with writing():
            office_settings.create(federation.name, titles=federation.titles, works_for=federation)
            record(chief.name, "office.init", "office", "example")
            record(chief.name, "example.players", "players", "example", {"players": PLAYERS})
        for name, role in USERS.items():
            users.add_user(chief, name, role)
    people = [_as_strong_as_rated(federation, one) for one in members(rng, PLAYERS, start)]
    acting, waiting = staff(), ""
    for place in range(EVENTS + 1):
        day = start + timedelta(weeks=place + 1)
        event = _event(rng, federation, people, day, place)
        with clock.set_to(min(_at(day) + REPORTED, _at(today))):
            sent = submissions.submit(acting.directors[place % 2], as_file(event), f"{event.name}.json")
        if place == EVENTS:
            waiting = sent.event
            break
        with clock.set_to(min(_at(day) + ACCEPTED, _at(today))):
            accepting.accept(acting.officer, sent.event, "in order")
    listed = _last_list(federation, today)
    with clock.set_to(_at(listed, 9)):
        publish_list(acting, listed)
    return Made(PLAYERS, EVENTS, waiting)


def _at(day: date, hour: int = 0) -> datetime:
    return datetime.combine(day, time(hour), UTC)


def _last_list(federation: Federation, today: date) -> date:
    """Return the last day of the federation's calendar on or before today."""
    day = federation.lists.after(today - timedelta(days=400))
    while (following := federation.lists.after(day)) <= today:
        day = following
    return day


def _event(rng: random.Random, federation: Federation, people: Sequence[Member], day: date, place: int) -> Event:
    town = TOWNS[place % len(TOWNS)]
    field = sorted(rng.sample(people, FIELD), key=lambda one: -one.strength)
    entries = tuple(_entry(federation, number, one) for number, one in enumerate(field, start=1))
    control = CONTROLS[place % len(CONTROLS)] if federation.report.time_control else None
    games = _games(rng, federation, field)
    section = Section(number=1, name="Open", start=day, end=day, players=entries, games=games, time_control=control)
    kind = "Go Tournament" if federation.game == "go" else KINDS.get(control or "", "Open")
    return Event(f"{town} {kind}", day, day, (section,), city=town, state="OH", country="USA")


def _entry(federation: Federation, number: int, one: Member) -> Player:
    """Return an entry with what the federation asks for: an ID, or a name alone; in go a rank."""
    known = "" if federation.ids.by_name else str(federation.ids.first + int(one.number) % 10_000)
    rank = None
    if federation.game == "go":
        steps = _steps(one)
        rank = f"{steps + 1}d" if steps >= 0 else f"{-steps}k"
    born = one.born if federation.ages else None
    listed = {"FIDE": Rating(round(one.strength), 40)} if "fide" in federation.systems["default"] else {}
    return Player(number, known, one.name, birth_date=born, rank=rank, ratings=listed)


def _as_strong_as_rated(federation: Federation, one: Member) -> Member:
    """Return the player; in a FIDE country between 1600 and 2300, since FIDE rates no one below 1400."""
    return replace(one, strength=1600 + one.strength / 4) if "fide" in federation.systems["default"] else one


def _steps(one: Member) -> int:
    """Return the ranks above 1 kyu: 0 is 1 dan, −1 is 1 kyu."""
    return round((one.strength - AVERAGE) / POINTS_A_RANK) - 5


def _games(rng: random.Random, federation: Federation, field: Sequence[Member]) -> tuple[Game, ...]:
    """Return the games of a Swiss in which each round pairs neighbours who have not met."""
    points = [0.0] * len(field)
    met: set[frozenset[int]] = set()
    games = []
    go = federation.game == "go"
    for round_ in range(1, ROUNDS + 1):
        free = sorted(range(len(field)), key=lambda one: (-points[one], one))
        while len(free) > 1:
            white = free.pop(0)
            black = next((one for one in free if frozenset((white, one)) not in met), free[0])
            free.remove(black)
            met.add(frozenset((white, black)))
            stones = min(9, _steps(field[white]) - _steps(field[black])) if go else 0
            if go and stones < 0:  # the stronger player takes White, and gives the stones
                white, black, stones = black, white, min(9, -stones)
            handicap, komi = (stones, 0.5) if stones > 1 else (0, 7.5 if go else 0.0)
            stronger = field[white].strength - handicap * POINTS_A_RANK
            halves = half_points(rng, stronger, field[black].strength, 0.0)
            if go and halves == 1:  # half a point of komi leaves no draw
                halves = 2
            points[white] += halves / 2
            points[black] += 1 - halves / 2
            games.append(Game(round_, white + 1, black + 1, RESULTS[halves], handicap=handicap, komi=komi))
    return tuple(games)
