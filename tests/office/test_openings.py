"""Ratings do not depend on the order in which reports come in (readings 14): a record opens with the player's first
event.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from io import BytesIO
from itertools import permutations
from typing import Any

import pytest
from simulated import OFFICER, Document, data, document

from crosstable.office import players
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import RatingRow
from crosstable.office.rating import run
from crosstable.office.reports import accepting, review_queue, submissions

ADA, BEN, CAY = "30000001", "30000002", "30000003"
GAMES = [(1, 1, 2, "1-0"), (2, 2, 3, "1/2-1/2"), (3, 3, 1, "0-1")]


def event(name: str, day: date, **ratings: float) -> Document:
    """Three established players; `ratings` are those that the report shows."""
    shown = {ADA: 1500.0, BEN: 1600.0, CAY: 1400.0}
    facts: dict[str, Any] = {
        one: {"ratings": {"OTBR": {"rating": ratings.get(f"p{one}", rating), "games": 40}}}
        for one, rating in shown.items()
    }
    return document(name, day, [ADA, BEN, CAY], GAMES, control="G/120;d5", facts=facts)


MARCH, APRIL, MAY = (event(name, date(2025, month, 5)) for month, name in ((3, "March"), (4, "April"), (5, "May")))


def submitted(content: Document) -> str:
    return submissions.submit(OFFICER, data(content), "event.json", content["name"]).event


def accepted(*contents: Document) -> str:
    for content in contents:
        accepting.accept(OFFICER, submitted(content))
    return run.fingerprint()


def prior(name: str, player: str) -> tuple[float | None, int | None]:
    row = RatingRow.objects.get(section__event__number=name, player__number=player, pool="OTBR")
    return row.prior, row.prior_games


@pytest.fixture
def fresh(spare: Callable[[], str]) -> Callable[[], None]:
    from conftest import connect

    def make() -> None:
        connect(spare())
        office_settings.create()

    return make


def test_late_reports_are_rated_as_if_they_had_been_in_time(fresh: Callable[[], None]) -> None:
    found = set()
    for order in permutations((MARCH, APRIL, MAY)):
        fresh()
        found.add(accepted(*order))
        assert prior("March", ADA) == (1500.0, 40)
        assert prior("May", ADA)[1] == 44  # 40 games, and two in each event before
        assert run.compute(run.BEGINNING).nothing
    assert len(found) == 1


def test_a_late_report_brings_its_own_ratings(fresh: Callable[[], None]) -> None:
    fresh()
    accepted(APRIL, event("March", date(2025, 3, 5), p30000001=1450.0))
    assert prior("March", ADA) == (1450.0, 40)
    accepting.withdraw(OFFICER, "March", "never played")
    assert prior("April", ADA) == (1500.0, 40)  # as its own report says
    accepting.accept(OFFICER, "March")
    assert prior("March", ADA) == (1450.0, 40)


def corrected(number: str, content: Document) -> None:
    accepting.correct(OFFICER, number, data(content), "event.json", "a mistake")


def withdrawn(number: str) -> None:
    accepting.withdraw(OFFICER, number, "a mistake")


def bare(name: str, day: date, **more: Any) -> Document:
    return document(name, day, [ADA, BEN, CAY], GAMES, control="G/120;d5", **more)


def in_two_sections(name: str, day: date) -> Document:
    """One section shows the slow rating, the other the blitz one."""
    content = event(name, day)
    second = json.loads(json.dumps(content["sections"][0])) | {"number": 2, "time_control": "G/5;d0"}
    for one in second["players"]:
        one["ratings"] = {"OTBB": {"rating": 1300.0, "games": 30}}
    content["sections"].append(second)
    return content


HIGH = event("May", date(2025, 5, 5), p30000001=1800.0)
TWIN = event("Twin", date(2025, 4, 5), p30000001=1800.0)

#: What happened, and the same ending reached another way: the ratings are the same
HISTORIES: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
    "withdrawn before the next event came": (
        lambda: (accepted(APRIL), withdrawn("April"), accepted(HIGH)),
        lambda: accepted(HIGH),
    ),
    "withdrawn, corrected, accepted again": (
        lambda: (
            accepted(APRIL),
            withdrawn("April"),
            corrected("April", {**HIGH, "name": "April"}),
            accepting.accept(OFFICER, "April"),
        ),
        lambda: accepted({**HIGH, "name": "April"}),
    ),
    "two events of one day": (lambda: accepted(APRIL, TWIN), lambda: accepted(TWIN, APRIL)),
    "a correction without ratings": (
        lambda: (accepted(APRIL), corrected("April", bare("April", date(2025, 4, 5)))),
        lambda: accepted(bare("April", date(2025, 4, 5))),
    ),
    "an unrated start withdrawn": (
        lambda: (accepted(bare("March", date(2025, 3, 5)), APRIL), withdrawn("March")),
        lambda: accepted(APRIL),
    ),
    "several sections": (
        lambda: accepted(in_two_sections("March", date(2025, 3, 5)), APRIL),
        lambda: accepted(APRIL, in_two_sections("March", date(2025, 3, 5))),
    ),
    "several at once": (
        lambda: accepting.accept_many(OFFICER, [submitted(bare("March", date(2025, 3, 5))), submitted(APRIL)]),
        lambda: accepted(APRIL, bare("March", date(2025, 3, 5))),
    ),
}


@pytest.mark.parametrize("name", HISTORIES)
def test_only_what_is_in_force_counts(fresh: Callable[[], None], name: str) -> None:
    found = set()
    for history in HISTORIES[name]:
        fresh()
        history()
        assert run.compute(run.BEGINNING).nothing
        found.add(run.fingerprint())
    assert len(found) == 1


def test_a_merged_record_opens_with_the_first_event_of_both(fresh: Callable[[], None]) -> None:
    """Ada's second number played in April (1480) and May (1700); what is in force at the end decides."""
    other = "30000009"

    def renumbered(content: Document, rating: float) -> Document:
        text = json.dumps(content).replace(ADA, other)
        return json.loads(text.replace('"rating": 1500.0', f'"rating": {rating}'))

    found = set()
    for first in ("merge", "withdraw"):
        fresh()
        accepted(MARCH, renumbered(APRIL, 1480.0), renumbered(MAY, 1700.0))
        apart = run.fingerprint()
        players.merge(OFFICER, other, ADA, "one person")
        players.unmerge(OFFICER, other, "two after all")
        assert run.fingerprint() == apart
        acts = [lambda: players.merge(OFFICER, other, ADA, "one person"), lambda: withdrawn("March")]
        for act in acts if first == "merge" else reversed(acts):
            act()
        assert prior("April", ADA) == (1480.0, 40)
        assert prior("May", ADA)[1] == 42
        assert run.compute(run.BEGINNING).nothing
        found.add(run.fingerprint())
    assert len(found) == 1


def test_a_correction_moves_the_opening(fresh: Callable[[], None]) -> None:
    fresh()
    accepted(APRIL)
    early = event("April", date(2025, 2, 5), p30000001=1490.0)
    accepting.correct(OFFICER, "April", data(early), "event.json", "it was in February, and Ada had 1490")
    assert prior("April", ADA) == (1490.0, 40)
    late = event("April", date(2025, 6, 5))
    accepted(MAY)
    assert prior("May", ADA)[1] == 42
    accepting.correct(OFFICER, "April", data(late), "event.json", "no: in June")
    assert (prior("May", ADA), prior("April", ADA)[1]) == ((1500.0, 40), 42)
    assert run.compute(run.BEGINNING).nothing


def test_a_late_report_without_ratings_is_pointed_out(fresh: Callable[[], None]) -> None:
    """It is the first event then, as if it had come in time, and shows nobody's rating."""
    bare = document("March", date(2025, 3, 5), [ADA, BEN, CAY], GAMES, control="G/120;d5")
    fresh()
    in_time = accepted(bare, APRIL)
    fresh()
    accepted(APRIL)
    number = submitted(bare)
    assert [one.code for one in review_queue.review(OFFICER, number)[0].findings if one.level == "warning"] == [
        "begins-unrated"
    ]
    accepting.accept(OFFICER, number)
    assert run.fingerprint() == in_time


def test_an_event_before_the_first_list_starts_from_its_own_ratings(fresh: Callable[[], None]) -> None:
    """The list of 1 April holds from that day on; March is rated from what March's report shows."""
    fresh()
    listed = f"id,name,OTBR\n{ADA},Ada,1700\n{BEN},Ben,1600\n{CAY},Cay,1400\n"
    players.import_list(OFFICER, BytesIO(listed.encode()), date(2025, 4, 1), assume_games=50)
    number = submitted(MARCH)
    (found,) = [one for one in review_queue.review(OFFICER, number)[0].findings if one.code == "before-record"]
    assert "3 players" in found.message
    assert "2025-04-01" in found.message
    accepting.accept(OFFICER, number)
    accepted(MAY)
    assert prior("March", ADA) == (1500.0, 40)
    assert prior("May", ADA)[0] == 1700.0
    accepting.withdraw(OFFICER, "March", "never played")
    assert prior("May", ADA)[0] == 1700.0
    assert run.compute(run.BEGINNING).nothing
