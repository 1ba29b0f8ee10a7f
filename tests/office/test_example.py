"""The made-up office is the same for everybody, sound in all its parts, and has something of everything."""

from __future__ import annotations

import random
from datetime import date, timedelta

import logical
import pytest

from crosstable import checks
from crosstable.model import errors
from crosstable.office.audit.models import AuditEntry
from crosstable.office.example import events, people
from crosstable.office.example.calendar import DAYS, DRAWN, EVENTS, PLAYERS, SEED, START, Calendar
from crosstable.office.example.load import load
from crosstable.office.ledger.models import Event, Player
from crosstable.office.lists.models import PublishedList
from crosstable.office.lists.official import shown, standings
from crosstable.office.rating import states


def test_the_full_calendar_is_what_a_federation_sees() -> None:
    rng = random.Random(SEED)
    members = people.members(rng, PLAYERS, START)
    calendar = events.events(rng, members, EVENTS, START, DAYS)
    sections = [section for event in calendar for section in event.sections]
    assert (len(members), len(calendar)) == (2000, 300)
    assert not [finding for event in calendar for finding in errors(checks.check(event))]
    assert {section.kind for section in sections} == {"swiss", "round-robin", "match"}
    assert {section.mode for section in sections} == {"otb", "online"}
    assert any(len({one.id for one in section.players}) < len(section.players) for section in sections)  # re-entries
    assert {one.membership for one in members} == {"youth", "regular", "life", "prison"}


def test_the_full_calendar_is_the_one_that_was_drawn() -> None:
    """The drawings show Ahmed Dale of Ohio, and the Toledo Open of July 2025: Igor Ruiz won 5 of 5 in the Open; 71
    entries of 67 players in three sections; 173 rated games, and two forfeits in the Open."""
    rng = random.Random(SEED)
    members = people.members(rng, PLAYERS, START)
    assert [(one.name, one.state) for one in members if one.number == "31005559"] == [("Ahmed Dale", "OH")]
    toledo = next(
        event for event in events.events(rng, members, EVENTS, START, DAYS) if event.name == "Toledo Open July 2025"
    )
    games = [game for section in toledo.sections for game in section.games]
    entries = [player for section in toledo.sections for player in section.players]
    assert (len(entries), len({player.id for player in entries})) == (71, 67)
    assert [game.result for game in games].count("+/-") == len(games) - 173 == 2
    ruiz = next(player.number for player in toledo.sections[0].players if player.name == "Igor Ruiz")
    won = [game for game in toledo.sections[0].games if ruiz == (game.white if game.result == "1-0" else game.black)]
    assert len(won) == 5


@pytest.mark.parametrize("today", [date(2025, 12, 31), date(2026, 11, 16), date(2026, 11, 18), date(2026, 11, 22)])
def test_an_office_of_any_day_ends_on_the_weekend_before_it(today: date) -> None:
    """16 November 2026 is a Monday, 22 November a Sunday. The people are as old, and the results the same."""
    drawn, moved = (Calendar.drawn(day, count=120, tournaments=40) for day in (DRAWN, today))
    weeks, rest = divmod((moved.start - drawn.start).days, 7)
    assert rest == 0
    ends = [one.event.end for one in moved.events if one.event.end]
    assert today - timedelta(days=8) <= max(ends) < today
    assert [(one.name, one.strength) for one in moved.members] == [(one.name, one.strength) for one in drawn.members]
    assert {one.born and one.born - timedelta(weeks=weeks) for one in moved.members} == {
        one.born for one in drawn.members
    }
    sections = [[section.games for section in one.event.sections] for one in moved.events]
    assert sections == [[section.games for section in one.event.sections] for one in drawn.events]


def test_everything_happened_on_its_day(office: str) -> None:
    """An event is rated within days; a list appears on its day, and the one of this month has."""
    today = date(2026, 3, 18)
    load(count=60, tournaments=12, lists=2, today=today)
    for event in Event.objects.filter(status=Event.ACCEPTED):
        assert event.rated_at is not None
        assert event.end < event.rated_at.date() <= min(event.end + timedelta(days=15), today)
    published = PublishedList.objects.order_by("date").values_list("date", "published_at")
    assert [(day, at[:10]) for day, at in published] == [
        (date(2026, 2, 1), "2026-02-01"),
        (date(2026, 3, 1), "2026-03-01"),
    ]
    assert not AuditEntry.objects.filter(at__gte="2026-03-19").exists()


@pytest.mark.both_databases
def test_the_seed_decides_and_everything_agrees(office: str) -> None:
    done = load(count=80, tournaments=24, lists=2)
    for name, found in (("ratings", done.fingerprint), ("log", done.audit_head)):
        assert found == FINGERPRINTS.setdefault(name, found)  # on both databases
    assert done.corrections > 0
    assert logical.problems() == []


#: The first database to run leaves its hash for the other
FINGERPRINTS: dict[str, str] = {}


def test_official_ratings_are_the_ledgers_own(office: str) -> None:
    """The lists read the ledger in bulk; the ledger's own reading of everybody's state must agree."""
    load(count=60, tournaments=10, lists=1)
    for day in (date(2024, 1, 1), date(2025, 4, 1), date(2026, 2, 1)):  # no event ends on one of these
        numbers = dict(Player.objects.filter(merged_into=None).values_list("id", "number"))
        wanted = {
            (numbers[player], system): (shown(system, held.rating), held.games)
            for player, records in states.on(day).items()
            for system, held in records.items()
            if player in numbers
        }
        found = {(one.number, one.pool): (one.rating, one.games) for one in standings(day)}
        hidden = {key for key, (rating, _) in found.items() if rating is None}
        assert found.keys() == wanted.keys()
        assert {key: found[key] for key in found.keys() - hidden} == {key: wanted[key] for key in found.keys() - hidden}
