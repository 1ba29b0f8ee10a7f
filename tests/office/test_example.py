"""The made-up office is the same for everybody, sound in all its parts, and has something of everything."""

from __future__ import annotations

import random
from datetime import date

import logical
import pytest

from crosstable import checks
from crosstable.model import errors
from crosstable.office.example import events, people
from crosstable.office.example.load import DAYS, EVENTS, PLAYERS, SEED, START, load
from crosstable.office.ledger.models import Player
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
    """The drawings show Ahmed Dale of Ohio, and the Toledo Open of July 2025: Igor Ruiz won 5 of 5 in the Open; 71 entries of
    67 players in three sections; 173 rated games, and two forfeits in the Open."""
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


@pytest.mark.both_databases
def test_the_seed_decides_and_everything_agrees(office: str) -> None:
    done = load(count=80, tournaments=24, lists=2)
    assert done.fingerprint == FINGERPRINTS.setdefault("small", done.fingerprint)  # on both databases
    assert done.corrections > 0
    assert logical.problems() == []


#: The first database to run leaves its hash for the other
FINGERPRINTS: dict[str, str] = {}


def test_official_ratings_are_the_ledgers_own(office: str) -> None:
    """The lists read the ledger in bulk; the ledger's own reading of everybody's state must agree."""
    load(count=60, tournaments=10, lists=1)
    for day in (date(2024, 1, 1), date(2025, 3, 1), date(2026, 2, 1)):
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
