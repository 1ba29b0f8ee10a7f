"""Something to do on every desk of the example: reports, drafts, requests and proposals of the last two weekends."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from importlib.resources import files

from crosstable.model import Event, ForeignRating, Game, Player, Section
from crosstable.office import players
from crosstable.office.example import slips
from crosstable.office.example.calendar import SEED, Calendar, Reported, last_weekend
from crosstable.office.example.events import event_near
from crosstable.office.example.load import ACCEPTED, LISTS, Loaded, Progress, Staff, as_file, hold, publish_list, staff
from crosstable.office.example.people import Member
from crosstable.office.jobs import running
from crosstable.office.lab_reports import publishing
from crosstable.office.ledger.models import Player as Row
from crosstable.office.ledger.models import Submission
from crosstable.office.notices import messages
from crosstable.office.people import one_time_links, tokens, users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.players.rating_lists import import_list
from crosstable.office.rating import states
from crosstable.office.reports import accepting, announcements, drafts, fixing, submissions
from crosstable.office.reports.fide_events import import_fide_batch
from crosstable.office.requests import (
    adjustments,
    claims,
    correction_drafts,
    corrections,
    floors,
    lifecycle,
    mistakes,
    opting_out,
    prize_floors,
)
from crosstable.office.requests.prize_floors import Prize
from crosstable.office.storage import clock
from crosstable.simulation.kinds import KINDS, EventKind
from crosstable.systems.us_chess.pools import MAIN

#: The office of the demo: as many players as a small federation has, and as many events as they play in three years
PLAYERS, EVENTS = 360, 60
REPORT = "lab-report.json"
#: No more than so many acts fill the desks
ACTS = 100
_KINDS = {kind.name.removeprefix("{city} "): kind for kind in KINDS}
#: As Canada's federation publishes its list
_CANADIANS = """CFC#,Expiry,Last,First,Prov,City,Rating,High,Active Rtg,Active High
177001,2030-01-01,Tremblay,Odile,ON,Windsor,1540,1588,,
"""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the demo tells a visitor to try first, by role."""

    draft: str  # the director's draft to fix
    correction: str  # the event whose correction waits
    player: str  # whose account the player's is

    def as_json(self) -> dict[str, str]:
        return asdict(self)


@dataclass(slots=True)
class _Desks:
    """The example while its desks are being filled."""

    calendar: Calendar
    reported: Sequence[Reported]
    today: date
    staff: Staff
    rng: random.Random
    moments: Iterator[datetime]
    used: set[str] = field(default_factory=set)

    @contextmanager
    def next_act(self) -> Iterator[None]:
        """Let the next act happen a little later than the last one."""
        with clock.set_to(next(self.moments)):
            yield

    def event(self, kind: str, city: str, state: str, weeks: int = 0) -> Event:
        """One that was played last weekend, or so many weeks earlier, without re-entries: there is nothing to say about
        it.
        """
        near = last_weekend(self.today) - timedelta(weeks=weeks)
        while not _plain(found := event_near(self.rng, self.calendar.members, _kind(kind), near, (city, state))):
            pass
        return found

    def send(self, actor: Actor, event: Event, data: bytes | None = None, name: str = "report.json") -> str:
        """Send a director's report; return the event's number."""
        with self.next_act():
            return submissions.submit(actor, data or as_file(event), name).event

    def sent_by(self, actor: Actor) -> list[Reported]:
        """Return a director's events over the board that have been rated."""
        return [one for one in self.reported if self.staff.director_of(one.number) == actor and _swiss(one.event)]

    def rated_by(self, actor: Actor) -> Reported:
        """Return the last rated event of a director's; each is used once."""
        own = [one for one in self.sent_by(actor) if _plain(one.event)]
        found = [one for one in own if one.number not in self.used][-1]
        self.used.add(found.number)
        return found


def make(today: date, progress: Progress | None = None) -> tuple[Loaded, Shown]:
    """Make the whole demo in an empty, migrated database: three years, and desks on which something waits."""
    calendar = Calendar.drawn(today, SEED, PLAYERS, EVENTS)
    sunday = _first_moment(today)
    reported = [one for one in calendar.events if one.end + ACCEPTED < sunday]
    loaded = hold(calendar, reported, sunday, LISTS, progress)
    rng = random.Random(SEED + 1)  # noqa: S311  a made-up office is no secret
    desks = _Desks(calendar, reported, today, staff=staff(), rng=rng, moments=_moments(today))
    pia = _players_desk(desks)
    _rated_by_a_job(desks)
    _queue(desks)
    draft = _drafts(desks)
    _announcements(desks)
    correction = _corrections(desks)
    _registers(desks)
    _proposals(desks)
    _office(desks)
    _list_of_the_month(desks)
    return loaded, Shown(draft, correction, pia)


def _kind(name: str) -> EventKind:
    return _KINDS[name]


def _swiss(event: Event) -> bool:
    return event.sections[0].kind == "swiss" and event.sections[0].mode == "otb"


def _plain(event: Event) -> bool:
    """Whether everybody entered once."""
    return all(len({one.id for one in section.players}) == len(section.players) for section in event.sections)


def _first_moment(today: date) -> datetime:
    return datetime.combine(last_weekend(today), time(17), UTC)


def _moments(today: date) -> Iterator[datetime]:
    """From Sunday evening on, always before the day on which the office is made."""
    first = _first_moment(today)
    step = (datetime.combine(today, time(), UTC) - first) / ACTS
    for place in range(ACTS):
        yield first + place * step


# the player


def _players_desk(desks: _Desks) -> str:
    """pia is confirmed as a player, has lost a match and asks for a lower floor, and reports a mistake; paul claims to
    be one.
    """
    pia, paul, olive = users.acting_as("pia"), users.acting_as("paul"), desks.staff.officer
    who, played = _regular(desks)
    with desks.next_act():
        asked = claims.claim(pia, who.number, "I play every month; my membership card has this number.")
    with desks.next_act():
        lifecycle.decide(olive, claims.CLAIM, asked.id, granted=True, words="Welcome.")
    floor = _live(who.number) // 100 * 100
    with desks.next_act():
        prize = Prize(played.number, 1, floor, 4000)
        prize_floors.prize_floor(olive, who.number, prize, f"first prize under {floor:.0f}")
    match = _lost_match(desks, who)
    with desks.next_act():
        floors.request(pia, who.number, match, 1, "I was ill that week and should not have played.")
    section, number = _own_section(played.event, who)
    game = next(one for one in section.games if number in (one.white, one.black) and one.result != "1/2-1/2")
    with desks.next_act():
        place = mistakes.Place(played.number, section.number, game.round)
        mistakes.report(pia, place, "Our game was a draw; the slip on the board says so.", "draw")
    other = [one for one in desks.calendar.members if one.games > 60 and one is not who and not one.child][4]
    with desks.next_act():
        claims.claim(paul, other.number, "This is me; my director knows me.")
    return who.name


def _regular(desks: _Desks) -> tuple[Member, Reported]:
    """Return the adult who has played most of those whose rating is a little above a hundred, and the last event over
    the board.
    """
    played: dict[str, list[Reported]] = {}
    for one in desks.sent_by(desks.staff.directors[0]):
        for player in one.event.sections[0].players:
            played.setdefault(player.id, []).append(one)
    fit = [
        one
        for one in desks.calendar.members
        if one.number in played
        and not one.child
        and one.games > 40
        and 5 <= _live(one.number) % 100 <= 35
        and 1200 <= _live(one.number) < 2000
    ]
    recent = {one.number for one in desks.sent_by(desks.staff.directors[0])[-6:]}
    who = max(fit, key=lambda one: (played[one.number][-1].number in recent, len(played[one.number]), one.number))
    return who, played[who.number][-1]


def _live(number: str) -> float:
    row = Row.objects.get(number=number)
    held = states.now([row.id]).get(row.id, {}).get(MAIN)
    return 0.0 if held is None else held.rating


def _lost_match(desks: _Desks, who: Member) -> str:
    """Play a match that brings the player below the floor: six losses against a slightly weaker opponent."""
    rating = _live(who.number)
    others = [one for one in desks.calendar.members if one.games > 40 and not one.child and one is not who]
    rival = min(others, key=lambda one: abs(_live_or_far(one) - rating + 60))
    entries = (Player(1, who.number, who.name), Player(2, rival.number, rival.name))
    games = tuple(Game(turn, *((1, 2, "0-1") if turn % 2 else (2, 1, "1-0"))) for turn in range(1, 7))
    end = last_weekend(desks.today) - timedelta(days=7)
    section = Section(
        number=1,
        name="Match",
        start=end,
        end=end,
        players=entries,
        games=games,
        mode="otb",
        kind="match",
        time_control="G/90;d5",
    )
    match = Event(
        name="Dayton Match",
        start=end,
        end=end,
        sections=(section,),
        city="Dayton",
        state="OH",
        country="USA",
        affiliate="A6000000",
        chief_td="31000008",
    )
    number = desks.send(desks.staff.directors[1], match, name="match.json")
    with desks.next_act():
        accepting.accept(desks.staff.officer, number, "in order")
    return number


def _live_or_far(one: Member) -> float:
    return one.rating or -1000.0


def _own_section(event: Event, who: Member) -> tuple[Section, int]:
    section = event.sections[0]
    return section, next(one.number for one in section.players if one.id == who.number)


# the officer's queue


def _rated_by_a_job(desks: _Desks) -> None:
    """Two reports of the weekend before, which came on paper to the office, accepted together by a worker."""
    first = desks.send(desks.staff.second, desks.event("Quads", "Peoria", "IL", 1), name="peoria-quads.json")
    second = desks.send(users.acting_as("chief"), desks.event("Quads", "Gary", "IN", 1), name="gary-quads.json")
    with desks.next_act():
        numbers = [first, second]
        job = running.start(desks.staff.officer, "accept", "Accept 2 reports", {"events": numbers, "reason": "clean"})
    with desks.next_act():
        running.run(job.id)


def _queue(desks: _Desks) -> None:
    """Eight reports that wait, each for another reason, and one that went back with a question."""
    dora, dirk = desks.staff.directors
    desks.send(dora, desks.event("Quads", "Toledo", "OH"), name="toledo-quads.json")
    desks.send(dirk, desks.event("Quick Night", "Erie", "PA"), name="erie-quick.json")
    blitz = desks.event("Blitz", "Pittsburgh", "PA")
    desks.send(dirk, slips.with_affiliate(blitz, "A60"), name="pittsburgh-blitz.json")
    night = desks.event("Quick Night", "Dayton", "OH")
    desks.send(dora, night, slips.as_text(night, 1), "dayton-quick.txt")
    big = desks.event("Open", "Columbus", "OH")
    desks.send(dirk, big, slips.as_text(big, len(big.sections)), "columbus-open.txt")
    again = desks.rated_by(dora).event
    desks.send(dirk, again, as_file(slips.with_result_turned(again)), "sent-again.json")
    action = desks.event("Action", "Lansing", "MI")
    stranger = next(one for one in desks.calendar.members if one.number not in _ids(action))
    desks.send(dora, slips.with_id(action, 3, stranger.number), name="lansing-action.json")
    school = desks.event("Scholastic", "Buffalo", "NY")
    desks.send(dirk, slips.with_newcomer(school, 5, "Juno Applegate"), name="buffalo-scholastic.json")
    late = desks.event("Action", "Detroit", "MI")
    number = desks.send(dora, late, slips.as_text(late, 1), "detroit-action.txt")
    with desks.next_act():
        accepting.refuse(
            desks.staff.officer, number, "In the first section two sides disagree: who won? Please send it again."
        )


def _ids(event: Event) -> set[str]:
    return {player.id for section in event.sections for player in section.players}


# the director's drafts


def _drafts(desks: _Desks) -> str:
    """Four of dora's: to be fixed, ready to send, half typed, and the correction of a rated event. The name of the
    first.
    """
    dora = desks.staff.directors[0]
    typed = desks.event("Quick Night", "Wheeling", "WV")
    with desks.next_act():
        drafts.start_typed(dora, slips.half_typed(typed))
    ready = desks.event("Quads", "Rochester", "NY")
    with desks.next_act():
        drafts.start(dora, as_file(ready), "rochester-quads.json")
    rated = desks.rated_by(dora)
    with desks.next_act():
        draft = correction_drafts.correction(dora, rated.number)
    with desks.next_act():
        _turn_a_result(dora, draft.id, rated.event)
    action = desks.event("Action", "Akron", "OH")
    with desks.next_act():
        drafts.start(dora, slips.as_text(action, 1), "akron-action.txt")
    return action.name


def _announcements(desks: _Desks) -> None:
    """Two events that dora has announced: next weekend's and one of next month."""
    for weeks, name, city in ((1, "Akron Open", "Akron"), (5, "Toledo Swiss", "Toledo")):
        sunday = last_weekend(desks.today) + timedelta(weeks=weeks)
        announced = announcements.Details(
            name=name,
            start=sunday - timedelta(days=1),
            end=sunday,
            city=city,
            state="OH",
            time_control="G/60;d5",
            rounds=5,
        )
        with desks.next_act():
            announcements.announce(desks.staff.directors[0], announced)


def _turn_a_result(actor: Actor, draft: int, event: Event) -> None:
    section = event.sections[0]
    game = next(one for one in section.games if one.result == "1-0")
    values = {
        "section": str(section.number),
        "round": str(game.round),
        "one": str(game.white),
        "other": str(game.black),
    }
    fixing.mend(actor, draft, "result", {**values, "score": "lost"})


def _corrections(desks: _Desks) -> str:
    """Each director asks for one; the name of the event of the first."""
    found = []
    for actor, why in zip(desks.staff.directors, ("the wrong side won", "White and Black were mixed up"), strict=True):
        rated = desks.rated_by(actor)
        with desks.next_act():
            corrections.ask(actor, rated.number, as_file(slips.with_result_turned(rated.event)), "corrected.json", why)
        found.append(rated.event.name)
    return found[0]


# registers, proposals, the office itself


def _registers(desks: _Desks) -> None:
    """Two records that may be doubles, a resident of Canada, a tournament abroad."""
    olive = desks.staff.officer
    for place, member in enumerate([one for one in desks.calendar.members if one.born and one.games > 20][3:5]):
        with desks.next_act():
            why, known = "from a membership form", member.name
            players.add(olive, str(38_000_001 + place), why, name=known, state=member.state, birth_date=member.born)
    with desks.next_act():
        players.add(olive, "38000010", "moved here", name="Odile Tremblay", cfc_id="177001", canadian_resident=True)
    with desks.next_act():
        import_list(olive, io.BytesIO(_CANADIANS.encode()), desks.today.replace(day=1), "tdlist.txt")
    strong = [one for one in desks.calendar.members if one.fide][:2]
    foreigners = [
        Player(3, "F1", "Jon Arnason", fide=ForeignRating(2210)),
        Player(4, "F2", "Karl Berg", fide=ForeignRating(2105)),
    ]
    ours = [Player(place, one.number, one.name) for place, one in enumerate(strong, start=1)]
    games = (Game(1, 1, 3, "1-0"), Game(1, 4, 2, "1/2-1/2"), Game(2, 4, 1, "0-1"), Game(2, 2, 3, "0-1"))
    end = desks.today.replace(day=1) - timedelta(days=9)
    section = Section(
        number=1,
        name="Open",
        start=end,
        end=end,
        players=(*ours, *foreigners),
        games=games,
        mode="otb",
        kind="fide",
        time_control="G/120;+30",
    )
    abroad = Event(
        name="Reykjavik Open", start=end, end=end, sections=(section,), city="Reykjavik", state="", country="ISL"
    )
    with desks.next_act():
        import_fide_batch(olive, desks.today.replace(day=1), [("reykjavik.json", as_file(abroad))])


def _proposals(desks: _Desks) -> None:
    """One of each officer's, for the other to approve."""
    olive, oscar = desks.staff.officer, desks.staff.second
    known = [one for one in desks.calendar.members if one.games > 60]
    with desks.next_act():
        fields = {"rating": round(_live(known[2].number)) + 40}
        why = "two events of another federation, counted by hand"
        adjustments.propose(olive, known[2].number, MAIN, day=last_weekend(desks.today), fields=fields, reason=why)
    with desks.next_act():
        abroad = next(one for one in known if one.fide)
        opting_out.propose(oscar, abroad.number, desks.today, "asked for by letter")


def _office(desks: _Desks) -> None:
    """Make an invitation, a program's token, a report of the lab, a question and its answer, and prove the log."""
    chief, olive, dora = users.acting_as("chief"), desks.staff.officer, desks.staff.directors[0]
    _members_too(desks, chief)
    with desks.next_act():
        one_time_links.invite(chief, Role.DIRECTOR)
    for one in (dora, olive, desks.staff.second, chief):
        with desks.next_act():
            tokens.create_token(one, one.name, "pairing program", ["event.submit", "submission.read"])
    with desks.next_act():
        publishing.publish(olive, files(__package__).joinpath(REPORT).read_bytes())
    acts: list[Callable[[], object]] = [
        lambda: messages.write(dora, _about_last(dora), "The paper slips are with me if you need them."),
        lambda: running.run(running.start(olive, "verify", "Prove the log", {}).id),
    ]
    for act in acts:
        with desks.next_act():
            act()


def _list_of_the_month(desks: _Desks) -> None:
    """Publish the list of the first of this month, where that day has come since the weekend."""
    day = desks.today.replace(day=1)
    if last_weekend(desks.today) < day < desks.today:
        with desks.next_act():
            publish_list(desks.staff, day)


def _members_too(desks: _Desks, chief: Actor) -> None:
    """Anyone who works in the office plays too, and has a report on the desk that came on paper."""
    adults = [one for one in desks.calendar.members if one.games > 20 and not one.child]
    olive, oscar = desks.staff.officer, desks.staff.second
    for actor, member in zip((*desks.staff.everybody, chief), reversed(adults), strict=False):
        with desks.next_act():
            asked = claims.claim(actor, member.number, "My card has this number.")
        with desks.next_act():
            lifecycle.decide(oscar if actor is olive else olive, claims.CLAIM, asked.id, granted=True)
    for place, actor in enumerate((olive, oscar, chief)):
        paper = desks.event("Quads", *(("Muncie", "IN"), ("Lexington", "KY"), ("St. Louis", "MO"))[place])
        with desks.next_act():
            drafts.start(actor, as_file(paper), "from-paper.json")


def _about_last(actor: Actor) -> str:
    found = Submission.objects.filter(author=actor.name, outcome="queued").order_by("-id").first()
    return f"submission:{found.id}" if found else ""
