"""Incremental ratings are those of a replay from scratch, bit for bit, on both databases."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
import simulated
from django.db import connection, transaction
from new_office import Content
from simulated import OFFICER, Federation, adjusted

from crosstable.errors import OfficeError
from crosstable.model import PLAYED_RESULTS
from crosstable.office import players, setup
from crosstable.office.ledger import office_settings
from crosstable.office.rating import run
from crosstable.office.reports import accepting
from crosstable.office.requests import prize_floors
from crosstable.office.requests.prize_floors import Prize

pytestmark = pytest.mark.both_databases


def from_scratch() -> str:
    """The hash of all ratings as a run over an empty ledger of ratings gives them; afterwards nothing has happened."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM ledger_ratingrow")
            cursor.execute("UPDATE ledger_section SET signature = ''")
        run.write(run.compute(run.BEGINNING))
        found = run.fingerprint()
        transaction.set_rollback(True)
    return found


def assert_a_new_office_has_the_same_ratings(office: str, new: str) -> None:
    """What the new office would not accept is withdrawn first: nothing else may differ."""
    content = Content.of_this_office()
    setup(new)
    refused = content.enter()
    found = run.fingerprint()
    setup(office)
    for number in refused:
        accepting.withdraw(OFFICER, number, "a new office does not accept it")
    assert run.fingerprint() == found


#: One hash per seed, whatever the database: filled by the first database, held against by the second
_SEEN: dict[int, str] = {}


@pytest.mark.parametrize("seed", [1, 2])
def test_corrections_withdrawals_and_merges(spare: Callable[[], str], office: str, seed: int) -> None:
    """Incremental, from scratch, and in a new office that gets the final content and decisions (readings 44)."""
    office_settings.create()
    federation = Federation(seed, size=40)
    federation.fill(40, step=20)
    done = [federation.change() for _ in range(60)]
    assert {"correct", "withdraw", "merge", "partly", "complete", "match", "grant", "reopen"} <= set(done)
    found = run.fingerprint()
    assert found == from_scratch()
    assert _SEEN.setdefault(seed, found) == found
    assert run.compute(run.BEGINNING).nothing
    assert_a_new_office_has_the_same_ratings(office, spare())


def test_other_systems_beside_us_chess(office: str) -> None:
    office_settings.create(systems={"default": ["us_chess", "glicko", "elo"], "round-robin": ["glicko2"]})
    federation = Federation(5, size=24)
    federation.fill(12)
    for _ in range(8):
        federation.change()
    assert run.fingerprint() == from_scratch()
    after = run.compute(run.BEGINNING)
    assert after.nothing
    assert not after.signatures


def has_played(section: dict[str, Any], player: str) -> bool:
    own = {entry["number"] for entry in section["players"] if entry["id"] == player}
    return any(own & {game["white"], game["black"]} for game in section["games"] if game["result"] in PLAYED_RESULTS)


def test_decisions_of_officers_stand_in_the_order(office: str) -> None:
    office_settings.create()
    federation = Federation(9, size=20)
    federation.fill(20)
    someone = players.find(federation.people[3]).number
    adjusted(someone, "OTBR", date(2023, 6, 1), {"rating": 1777.5, "games": 30}, "an error")
    adjusted(someone, "OTBR", date(2023, 9, 1), {"ceiling": 1780.0}, "sandbagging")
    players.change(OFFICER, federation.people[5], "a form came in", birth_date=date(2012, 5, 1))
    players.join(OFFICER, federation.people[6], "regular", date(2022, 1, 1))
    event = next(
        number
        for number, made in sorted(federation.made.items())
        if made["start"] < "2024" and has_played(made["sections"][0], someone)
    )
    with pytest.raises(OfficeError, match="earns no floor"):
        prize_floors.prize_floor(OFFICER, someone, Prize(event, 1, 1800, 100), "prize")
    prize_floors.prize_floor(OFFICER, someone, Prize(event, 1, 1800, 5000), "first prize under 1800")
    for _ in range(4):
        federation.change()
    assert run.fingerprint() == from_scratch()


def test_the_order_of_arrival_does_not_matter(spare: object, office: str) -> None:
    """The same events accepted in another order give the same ratings (readings 14)."""
    office_settings.create()
    first = Federation(11, size=16)
    contents = [first.event() for _ in range(10)]
    hashes = []
    for seed in (0, 1, 2):
        if seed:
            setup(spare())
            office_settings.create()
        for content in contents:  # facts about a person are the office's from the first report on; ratings are not
            for one in content["sections"][0]["players"]:
                for fact in ("fide", "cfc", "birth_date", "adult"):
                    one.pop(fact, None)
        order = random.Random(seed).sample(contents, len(contents))
        for content in order:
            done = simulated.submissions.submit(OFFICER, simulated.data(content), "event.json")
            simulated.accepting.accept(OFFICER, done.event)
        hashes.append(run.fingerprint())
    assert len(set(hashes)) == 1
