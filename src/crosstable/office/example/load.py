"""Loading the example through the office's own functions: submitted, accepted, corrected, published."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from crosstable.formats import event_json
from crosstable.model import Event, Rating
from crosstable.office import events, players
from crosstable.office.audit.log import head, record
from crosstable.office.decisions import adjustments
from crosstable.office.example import events as made
from crosstable.office.example import people
from crosstable.office.example.people import Member
from crosstable.office.ledger import models, names, office_settings
from crosstable.office.lists import publish
from crosstable.office.notices import inbox
from crosstable.office.people import proposals, users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.players import opening_ratings
from crosstable.office.rating import run
from crosstable.office.storage.database import writing
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import MAIN

SEED = 1996
START = date(2023, 1, 1)
DAYS = 3 * 365
PLAYERS, EVENTS = 2000, 300
#: Lists for the last months of the three years
LISTS = 12
USERS = {
    "chief": Role.ADMIN, "olive": Role.OFFICER, "oscar": Role.OFFICER, "dora": Role.DIRECTOR, "dirk": Role.DIRECTOR,
    "pia": Role.PLAYER,
}  # fmt: skip

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Loaded:
    players: int
    events: int
    games: int
    corrections: int
    lists: int
    fingerprint: str
    audit_head: str


@dataclass(frozen=True, slots=True)
class _Staff:
    director: Actor
    officer: Actor
    second: Actor


def load(
    seed: int = SEED,
    count: int = PLAYERS,
    tournaments: int = EVENTS,
    lists: int = LISTS,
    progress: Progress | None = None,
) -> Loaded:
    """Fill an empty, migrated database. The same seed gives the same ratings, to the last bit."""
    rng = random.Random(seed)  # noqa: S311  a made-up office is no secret
    members = people.members(rng, count, START)
    calendar = made.events(rng, members, tournaments, START, DAYS)
    staff = _open(members)
    days = _list_days(lists)
    corrected = 0
    for index, event in enumerate(calendar):
        while days and event.end is not None and event.end >= days[0]:
            _publish(staff, days.pop(0))
        corrected += _hold(rng, staff, event, index)
        if progress:
            progress(index + 1, len(calendar))
    for day in days:
        _publish(staff, day)
    _decide(staff, members)
    for one in (staff.director, staff.officer, staff.second):
        inbox.mark_read(one)  # three years of messages; what comes now is new
    games = sum(len(section.games) for event in calendar for section in event.sections)
    return Loaded(len(members), len(calendar), games, corrected, lists, run.fingerprint(), str(head()))


def _open(members: Sequence[Member]) -> _Staff:
    """The office, its people, and the players that it took over from its predecessor."""
    chief = Actor.installation()
    with writing():
        office_settings.create("Example Chess Federation", titles="2010", prison_rules=True)
        record(chief.name, "office.init", "office", "example")
    for name, role in USERS.items():
        users.add_user(chief, name, role)
    with writing():
        _take_over(chief, members)
        record(chief.name, "example.players", "players", "example", {"players": len(members)})
    return _Staff(users.acting_as("dora"), users.acting_as("olive"), users.acting_as("oscar"))


def _take_over(chief: Actor, members: Sequence[Member]) -> None:
    models.Player.objects.bulk_create(
        models.Player(
            number=one.number, name=one.name, state=one.state, country="USA", sex=one.sex, birth_date=one.born,
            adult=not one.child, fide_id=one.fide_id, usa_flag=bool(one.fide), fide_opt_in=bool(one.fide),
        )
        for one in members
    )  # fmt: skip
    rows = dict(models.Player.objects.values_list("number", "id"))
    names.add((rows[one.number], one.name) for one in members)
    models.Membership.objects.bulk_create(
        models.Membership(player_id=rows[one.number], kind=one.membership, since=START - timedelta(days=400))
        for one in members
    )
    models.ExternalRating.objects.bulk_create(
        models.ExternalRating(player_id=rows[one.number], kind="fide", rating=one.fide, date=START)
        for one in members
        if one.fide
    )
    models.Adjustment.objects.bulk_create(
        opening_ratings.opening(
            rows[one.number], MAIN, START, _record(one), chief.name, "taken over from the last office"
        )
        for one in members
        if one.rating is not None
    )


def _record(one: Member) -> Rating:
    rating = one.rating or 100.0
    return Rating(
        rating, one.games, START, one.games // 2, one.games // 8, one.games - one.games // 2 - one.games // 8,
        three_game_events=one.games // 4, peak=rating if one.games > provisional_games() else None,
    )  # fmt: skip


def _hold(rng: random.Random, staff: _Staff, event: Event, index: int) -> int:
    """One event comes in and is accepted; every twentieth has a misprint that is corrected, every hundredth is withdrawn."""
    number = f"{event.end:%Y%m%d}{index:04}"
    wrong = index % 20 == 7 and event.sections[0].kind != "match"
    reported = made.misprint(rng, event) if wrong else event
    events.submit(staff.director, _file(reported), f"{number}.json", number)
    events.accept(staff.officer, number, "in order")
    if wrong:
        events.correct(staff.officer, number, _file(event), f"{number}-2.json", "a result was the wrong way round")
    if index % 100 == 41:
        events.withdraw(staff.officer, number, "reported twice by mistake")
        events.accept(staff.officer, number, "it was not reported twice after all")
    return int(wrong)


def _file(event: Event) -> bytes:
    return json.dumps(event_json.to_json(event)).encode()


def _list_days(count: int) -> list[date]:
    """The firsts of the last months."""
    end = START + timedelta(days=DAYS)
    months = [end.year * 12 + end.month - 1 - back for back in reversed(range(count))]
    return [date(month // 12, month % 12 + 1, 1) for month in months]


def _publish(staff: _Staff, day: date) -> None:
    proposal = publish.propose(staff.officer, day, "the list of the month")
    proposals.approve(staff.second, proposal.id)


def _decide(staff: _Staff, members: Sequence[Member]) -> None:
    """A merge, a ceiling and a new name, so that there is something of everything to look at."""
    end = START + timedelta(days=DAYS)
    best = max((one for one in members if one.games > 40), key=lambda one: one.rating or 0)
    proposal = adjustments.propose(staff.officer, best.number, MAIN, end, {"ceiling": 2700}, "an example of a ceiling")
    proposals.approve(staff.second, proposal.id)
    newcomer = next(one for one in members if one.rating is None and one.games == 0)
    players.add(staff.officer, "39999999", "entered under a wrong number", name=newcomer.name, state=newcomer.state)
    players.merge(staff.officer, "39999999", newcomer.number, "the same person")
    players.change(staff.officer, members[0].number, "a wedding", name=f"{members[0].name}-Knight")
