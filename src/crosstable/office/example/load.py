"""Loading the example through the office's own functions: submitted, accepted, corrected, published, each on its
day.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Protocol

from crosstable.formats import event_json
from crosstable.model import Event, Rating
from crosstable.office import players
from crosstable.office.audit.log import head, record
from crosstable.office.example.calendar import DRAWN, EVENTS, PLAYERS, SEED, Calendar, Reported
from crosstable.office.example.events import misprint
from crosstable.office.example.people import Member
from crosstable.office.ledger import models, names, office_settings
from crosstable.office.notices import inbox
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.players import opening_ratings
from crosstable.office.rating import run
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import adjustments, list_publication, registry
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import MAIN

#: Lists for the last months of the three years
LISTS = 12
USERS = {
    "chief": Role.ADMIN,
    "olive": Role.OFFICER,
    "oscar": Role.OFFICER,
    "dora": Role.DIRECTOR,
    "dirk": Role.DIRECTOR,
    "pia": Role.PLAYER,
    "paul": Role.PLAYER,
}
#: A report comes on the evening after the event, and is accepted three mornings later; mistakes are found within a
#: fortnight
REPORTED, ACCEPTED, CORRECTED = timedelta(hours=43), timedelta(days=4, hours=10), timedelta(days=13, hours=15)

PUBLISHED = timedelta(hours=9)


class Progress(Protocol):
    """Hears how far it is, and in which month."""

    def __call__(self, done: int, total: int, /, words: str = "") -> None: ...


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
class Staff:
    """Who acts in the example."""

    directors: tuple[Actor, Actor]
    officer: Actor
    second: Actor

    def director_of(self, number: str) -> Actor:
        return self.directors[int(number) % 2]

    @property
    def everybody(self) -> tuple[Actor, ...]:
        return (*self.directors, self.officer, self.second)


def load(
    seed: int = SEED,
    count: int = PLAYERS,
    tournaments: int = EVENTS,
    lists: int = LISTS,
    progress: Progress | None = None,
    today: date = DRAWN,
) -> Loaded:
    """Fill an empty, migrated database. The same seed and the same day give the same ratings, to the last bit."""
    calendar = Calendar.drawn(today, seed, count, tournaments)
    return hold(calendar, calendar.events, datetime.combine(today, time(), UTC), lists, progress)


def hold(
    calendar: Calendar,
    reported: Sequence[Reported],
    now: datetime,
    lists: int = LISTS,
    progress: Progress | None = None,
) -> Loaded:
    """Open the office, and let its three years happen in order, up to now. `reported`: the events that are accepted by
    then.
    """
    with clock.set_to(datetime.combine(calendar.start, time(8), UTC)):
        staff = _open(calendar)
    wrong = {one.number for place, one in enumerate(reported) if place % 20 == 7 and _may_be_wrong(one.event)}
    days = _list_days(now, lists)
    acts = sorted([*_years(staff, reported, wrong), *_lists(staff, days)], key=lambda act: act[0])
    for place, (moment, act) in enumerate(acts, start=1):
        with clock.set_to(min(moment, now)):
            act()
        if progress:
            progress(place, len(acts), f": {moment:%B %Y}")
    with clock.set_to(now):
        _decide(staff, calendar.members, now.date())
        for one in staff.everybody:
            inbox.mark_read(one)  # three years of messages; what comes now is new
    games = sum(len(section.games) for one in reported for section in one.event.sections)
    audit = str(head())
    return Loaded(
        players=len(calendar.members),
        events=len(reported),
        games=games,
        corrections=len(wrong),
        lists=len(days),
        fingerprint=run.fingerprint(),
        audit_head=audit,
    )


def staff() -> Staff:
    dora, dirk, olive, oscar = (users.acting_as(name) for name in ("dora", "dirk", "olive", "oscar"))
    return Staff((dora, dirk), olive, oscar)


def _open(calendar: Calendar) -> Staff:
    """Open the office with its people and the players that it took over from its predecessor."""
    chief = Actor.installation()
    with writing():
        office_settings.create("Example Chess Federation", titles="2010", prison_rules=True)
        record(chief.name, "office.init", "office", "example")
    for name, role in USERS.items():
        users.add_user(chief, name, role)
    with writing():
        _take_over(chief, calendar.members, calendar.start)
        record(chief.name, "example.players", "players", "example", {"players": len(calendar.members)})
    return staff()


def _take_over(chief: Actor, members: Sequence[Member], start: date) -> None:
    models.Player.objects.bulk_create(
        models.Player(
            number=one.number,
            name=one.name,
            state=one.state,
            country="USA",
            sex=one.sex,
            birth_date=one.born,
            adult=not one.child,
            fide_id=one.fide_id,
            usa_flag=bool(one.fide),
            fide_opt_in=bool(one.fide),
        )
        for one in members
    )
    rows = dict(models.Player.objects.values_list("number", "id"))
    names.add((rows[one.number], one.name) for one in members)
    models.Membership.objects.bulk_create(
        models.Membership(player_id=rows[one.number], kind=one.membership, since=start - timedelta(days=400))
        for one in members
    )
    models.ExternalRating.objects.bulk_create(
        models.ExternalRating(player_id=rows[one.number], kind="fide", rating=one.fide, date=start)
        for one in members
        if one.fide
    )
    models.Adjustment.objects.bulk_create(
        opening_ratings.opening(
            rows[one.number],
            MAIN,
            start,
            record=_record(one, start),
            author=chief.name,
            reason="taken over from the last office",
        )
        for one in members
        if one.rating is not None
    )


def _record(one: Member, start: date) -> Rating:
    rating = one.rating or 100.0
    return Rating(
        rating=rating,
        games=one.games,
        date=start,
        wins=one.games // 2,
        draws=one.games // 8,
        losses=one.games - one.games // 2 - one.games // 8,
        three_game_events=one.games // 4,
        peak=rating if one.games > provisional_games() else None,
    )


Act = tuple[datetime, Callable[[], object]]


def _years(staff: Staff, reported: Sequence[Reported], wrong: set[str]) -> Iterator[Act]:
    """Every event comes in and is accepted; one in twenty has a misprint that is corrected, one in a hundred is
    withdrawn.
    """
    rng = random.Random(SEED)  # noqa: S311  as above
    for place, one in enumerate(reported):
        first = misprint(rng, one.event) if one.number in wrong else one.event
        file, corrected = f"{one.number}.json", f"{one.number}-2.json"
        yield (
            one.end + REPORTED,
            partial(submissions.submit, staff.director_of(one.number), as_file(first), file, one.number),
        )
        yield one.end + ACCEPTED, partial(accepting.accept, staff.officer, one.number, "in order")
        if one.number in wrong:
            why = "a result was the wrong way round"
            act = partial(accepting.correct, staff.officer, one.number, as_file(one.event), corrected, why)
            yield one.end + CORRECTED, act
        if place % 100 == 41:
            back = partial(accepting.withdraw, staff.officer, one.number, "reported twice by mistake")
            again = partial(accepting.accept, staff.officer, one.number, "it was not reported twice after all")
            yield from ((one.end + CORRECTED, back), (one.end + CORRECTED + timedelta(days=1), again))


def _may_be_wrong(event: Event) -> bool:
    section = event.sections[0]
    return section.kind != "match" and any(game.result in ("1-0", "0-1") for game in section.games)


def as_file(event: Event) -> bytes:
    return json.dumps(event_json.to_json(event)).encode()


def _list_days(now: datetime, count: int) -> list[date]:
    """Return the firsts of the last months. A list appears on the morning of its day."""
    last = (now - PUBLISHED).date()
    months = [last.year * 12 + last.month - 1 - back for back in reversed(range(count))]
    return [date(month // 12, month % 12 + 1, 1) for month in months]


def _lists(staff: Staff, days: Sequence[date]) -> Iterator[Act]:
    for day in days:
        yield datetime.combine(day, time(), UTC) + PUBLISHED, partial(publish_list, staff, day)


def publish_list(staff: Staff, day: date) -> None:
    proposal = list_publication.propose(staff.officer, day, "the list of the month")
    registry.approve(staff.second, proposal.id)


def _decide(staff: Staff, members: Sequence[Member], today: date) -> None:
    """Make a merge, a ceiling and a new name, so that there is something of everything to look at."""
    best = max((one for one in members if one.games > 40), key=lambda one: one.rating or 0)
    proposal = adjustments.propose(
        staff.officer, best.number, MAIN, day=today, fields={"ceiling": 2700}, reason="an example of a ceiling"
    )
    registry.approve(staff.second, proposal.id)
    newcomer = next(one for one in members if one.rating is None and one.games == 0)
    players.add(staff.officer, "39999999", "entered under a wrong number", name=newcomer.name, state=newcomer.state)
    players.merge(staff.officer, "39999999", newcomer.number, "the same person")
    players.change(staff.officer, members[0].number, "a wedding", name=f"{members[0].name}-Knight")
