"""Matches: who may play one, and how much it may move, by what the office's own ledger holds."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, accept, adjusted, data, document, officers, rated
from three_players import ADA, BEN, CAY, last, match

from crosstable.errors import EventRejected
from crosstable.office.ledger.models import RatingRow
from crosstable.office.rating import run, states, trace
from crosstable.office.reports import accepting, events, submissions
from crosstable.office.requests import list_publication, registry


def test_match_eligibility_comes_from_the_ledger(ready: str) -> None:
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN],
            [(1, 1, 2, "1-0")],
            control="G/120;d5",
            facts={ADA: rated(1900), BEN: rated(1400)},
        )
    )
    claim = match(date(2025, 2, 1), "1-0", **{ADA: rated(1500), BEN: rated(1500)})  # the report says they are close
    number = submissions.submit(OFFICER, data(claim), "match.json").event
    with pytest.raises(EventRejected, match="points apart"):
        accepting.accept(OFFICER, number)
    assert events.find(number).status == "submitted"
    assert not RatingRow.objects.filter(section__event__number=number).exists()


def test_a_match_can_be_corrected_to_a_later_day(ready: str) -> None:
    """400 points apart before it, more after it: its own result is no reason to refuse it."""
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN, CAY],
            [(1, 1, 3, "1/2-1/2"), (2, 2, 3, "1/2-1/2")],
            control="G/120;d5",
            facts={ADA: rated(1890), BEN: rated(1500), CAY: rated(1690)},
        )
    )
    number = accept(match(date(2025, 2, 1), "1-0"))
    assert last(ADA).post - last(BEN).post > 400
    again = match(date(2025, 2, 8), "1-0")
    accepting.correct(OFFICER, number, data({**again, "name": "Match"}), "match.json", "a week later")
    assert last(ADA).section.end == date(2025, 2, 8)


def test_match_limits_add_up_over_the_ledger(ready: str) -> None:
    """2025 §7: 50 points a match, 100 in 180 days, 200 in three years."""
    facts = {ADA: rated(1900), BEN: rated(1890)}
    accept(match(date(2025, 1, 4), "1-0", 10, **facts))
    assert last(ADA).post == 1950.0
    accept(match(date(2025, 2, 1), "1-0", 10))
    assert last(ADA).post == 2000.0
    accept(match(date(2025, 3, 1), "1-0", 10))
    assert last(ADA).post == 2000.0  # 100 within 180 days are used up
    changes = states.now([last(ADA).player_id])[last(ADA).player_id]["OTBR"].match_changes
    assert [(change.date, change.change) for change in changes] == [
        (date(2025, 1, 4), 50.0),
        (date(2025, 2, 1), 50.0),
        (date(2025, 3, 1), 0.0),
    ]
    number = last(ADA).section.event.number
    assert trace.trace(number, 1, ADA, "OTBR").post == last(ADA).post


def two_pools(regular: float, quick: float, games: int = 60) -> dict[str, Any]:
    return {"ratings": {"OTBR": {"rating": regular, "games": 60}, "OTBQ": {"rating": quick, "games": games}}}


def test_a_dual_rated_match_is_rated_where_the_ledgers_ratings_qualify(ready: str) -> None:
    """Readings 30: OTBR 1500 and 1600 qualify; Ben's OTBQ stands on 10 games and does not.

    The report claims otherwise.
    """
    facts = {ADA: two_pools(1500, 1500), BEN: two_pools(1600, 1600, 10)}
    accept(document("Quick", date(2025, 1, 4), [ADA, CAY], [(1, 1, 2, "1-0")], control="G/15;d5", facts=facts))
    accept(document("Quick 2", date(2025, 1, 5), [BEN, CAY], [(1, 1, 2, "1-0")], control="G/15;d5", facts=facts))
    claim = {ADA: two_pools(1500, 1500), BEN: two_pools(1600, 1600)}
    played = [(number, 1, 2, "1-0") for number in range(1, 5)]
    number = accept(
        document("Match", date(2025, 2, 1), [ADA, BEN], played, kind="match", control="G/45;d5", facts=claim)
    )
    assert {row.pool for row in RatingRow.objects.filter(section__event__number=number)} == {"OTBR"}
    assert run.compute(run.BEGINNING).nothing


def test_a_player_who_is_not_on_the_last_list_has_no_published_rating(ready: str) -> None:
    """Readings 42: Ben got his rating after the list of February, so a match in that month is not ratable."""
    accept(
        document("Open", date(2025, 1, 4), [ADA, CAY], [(1, 1, 2, "1-0")], facts={ADA: rated(1500), CAY: rated(1500)})
    )
    first, second = officers()
    registry.approve(second, list_publication.propose(first, date(2025, 2, 1), "monthly").pk)
    later = {BEN: rated(1550)}
    accept(document("Next", date(2025, 2, 1), [BEN, CAY], [(1, 1, 2, "1/2-1/2")], control="G/120;d5", facts=later))
    with pytest.raises(EventRejected) as refused:
        accept(match(date(2025, 2, 8), "1-0", 4))
    assert "match" in str(refused.value)


def test_a_match_looks_at_the_last_list_before_it(ready: str) -> None:
    """Readings 30: 1500 and 1900 on the list are 400 apart; that Ada fell since then does not count."""
    facts = {ADA: rated(1500), BEN: rated(1900)}
    accept(
        document(
            "Open",
            date(2025, 1, 4),
            [ADA, BEN, CAY],
            [(1, 1, 3, "1/2-1/2"), (2, 2, 3, "1-0")],
            control="G/120;d5",
            facts={**facts, CAY: rated(1500)},
        )
    )
    adjusted(ADA, "OTBR", date(2025, 1, 5), {"rating": 1500.0}, "as before")
    adjusted(BEN, "OTBR", date(2025, 1, 5), {"rating": 1900.0}, "as before")
    first, second = officers()
    registry.approve(second, list_publication.propose(first, date(2025, 2, 1), "monthly").pk)
    adjusted(ADA, "OTBR", date(2025, 2, 2), {"rating": 1450.0}, "lower by now")
    number = accept(match(date(2025, 3, 1), "1-0"))
    assert RatingRow.objects.filter(section__event__number=number).count() == 2


def test_matches_that_a_report_tells_of_count_in_the_limits(ready: str) -> None:
    """2025 section 7: 100 net in 180 days, of which 70 are used, as the report's own record says: 30 are left."""
    before = [{"date": "2025-05-01", "change": 70.0}]
    accept(match(date(2025, 8, 2), "1-0", **{ADA: rated(1500.0, match_changes=before), BEN: rated(1600.0)}))
    assert (last(ADA).post, last(BEN).post) == (1530.0, 1550.0)
    assert trace.trace(last(ADA).section.event.number, 1, ADA, "OTBR").post == 1530.0
    assert run.compute(run.BEGINNING).nothing
