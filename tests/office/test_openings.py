"""Ratings do not depend on the order in which reports come in (readings 14): a record opens with the player's first event."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from io import BytesIO
from itertools import permutations
from typing import Any

import pytest
from simulated import OFFICER, Document, data, document

from crosstable.office import choices, events, players
from crosstable.office.ledger.models import RatingRow
from crosstable.office.rating import run

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
    return events.submit(OFFICER, data(content), "event.json", content["name"]).event


def accepted(*contents: Document) -> str:
    for content in contents:
        events.accept(OFFICER, submitted(content))
    return run.fingerprint()


def prior(name: str, player: str) -> tuple[float | None, int | None]:
    row = RatingRow.objects.get(section__event__number=name, player__number=player, system="OTBR")
    return row.prior, row.prior_games


@pytest.fixture
def fresh(spare: Callable[[], str]) -> Callable[[], None]:
    from conftest import connect

    def make() -> None:
        connect(spare())
        choices.create()

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
    events.withdraw(OFFICER, "March", "never played")
    assert prior("April", ADA) == (1500.0, 40)  # as its own report says
    events.accept(OFFICER, "March")
    assert prior("March", ADA) == (1450.0, 40)


def test_a_correction_moves_the_opening(fresh: Callable[[], None]) -> None:
    fresh()
    accepted(APRIL)
    early = event("April", date(2025, 2, 5), p30000001=1490.0)
    events.correct(OFFICER, "April", data(early), "event.json", "it was in February, and Ada had 1490")
    assert prior("April", ADA) == (1490.0, 40)
    late = event("April", date(2025, 6, 5))
    accepted(MAY)
    assert prior("May", ADA)[1] == 42
    events.correct(OFFICER, "April", data(late), "event.json", "no: in June")
    assert (prior("May", ADA), prior("April", ADA)[1]) == ((1500.0, 40), 42)
    assert run.compute(run.BEGINNING).nothing


def test_a_late_report_without_ratings_does_not_take_them_away(fresh: Callable[[], None]) -> None:
    fresh()
    accepted(APRIL, document("March", date(2025, 3, 5), [ADA, BEN, CAY], GAMES, control="G/120;d5"))
    assert prior("March", BEN) == (1600.0, 40)
    assert prior("April", BEN)[1] == 42


def test_an_event_before_the_first_list_starts_from_its_own_ratings(fresh: Callable[[], None]) -> None:
    """The list of 1 April holds from that day on; March is rated from what March's report shows."""
    fresh()
    listed = f"id,name,OTBR\n{ADA},Ada,1700\n{BEN},Ben,1600\n{CAY},Cay,1400\n"
    players.import_list(OFFICER, BytesIO(listed.encode()), date(2025, 4, 1))
    number = submitted(MARCH)
    (found,) = [one for one in events.review(OFFICER, number)[0].findings if one.code == "before-record"]
    assert "3 players" in found.message
    assert "2025-04-01" in found.message
    events.accept(OFFICER, number)
    accepted(MAY)
    assert prior("March", ADA) == (1500.0, 40)
    assert prior("May", ADA)[0] == 1700.0
    events.withdraw(OFFICER, "March", "never played")
    assert prior("May", ADA)[0] == 1700.0
    assert run.compute(run.BEGINNING).nothing
