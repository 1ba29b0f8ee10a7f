"""The title system deployed in 2010, against an award that is on record."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable.rulebook import AS_PRACTISED
from crosstable.titles import EventRecord, Met, Titles2010, standing

TITLES = Titles2010()
#: A player's real event (chess.com forum, "USCF Norms"): a second-category norm, and no first-category one.
REAL = EventRecord(
    date(2013, 5, 1),
    4,
    3.0,
    tuple(Met(None, float(post), str(post)) for post in (1464, 2032, 1811, 1877)),
    rating=1700,
)


def test_an_award_on_record() -> None:
    posts = [met.post or 0 for met in REAL.opponents]
    assert TITLES.expected(1800, posts) == pytest.approx(1 + 0.21 + 0.48625 + 0.40375)  # 2.10
    assert TITLES.expected(1600, posts) == pytest.approx(0.84 + 0 + 0.23625 + 0.15375)  # 1.23
    assert TITLES.norms(REAL, 1800) == 0  # 3 - 2.10 = 0.90
    assert TITLES.norms(REAL, 1600) == 1
    assert TITLES.highest_norm(REAL) == 1600


@pytest.mark.clause("2010.norm")
@pytest.mark.clause("2010.norm-rounds-missed")
def test_the_margin_is_strict_and_two_with_a_round_missed() -> None:
    level = tuple(Met(None, 1600.0, str(i)) for i in range(4))
    assert TITLES.norms(replace(REAL, opponents=level, score=3.0), 1600) == 0  # exactly 1 over
    assert TITLES.norms(replace(REAL, opponents=level, score=3.5), 1600) == 1
    assert TITLES.norms(replace(REAL, opponents=level, score=3.5, rounds=5), 1600) == 0
    assert TITLES.norms(replace(REAL, opponents=level, score=4.0, rounds=5), 1600) == 0  # exactly 2 over


def test_the_published_record_counts_games_not_rounds() -> None:
    """As practised: four games of six, 1.5 over: a norm. Three games, or half-K: none."""
    practised = Titles2010(AS_PRACTISED)
    level = tuple(Met(None, 1600.0, str(i)) for i in range(4))
    missed_two = replace(REAL, opponents=level, score=3.5, rounds=6)
    assert practised.highest_norm(missed_two) == 1600
    assert TITLES.highest_norm(missed_two) is None
    assert "3 games" in (practised.barred(replace(missed_two, opponents=level[:3], score=3.0)) or "")
    assert "half-K" in (practised.barred(replace(missed_two, weight="half")) or "")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rounds": 3, "opponents": REAL.opponents[:3]}, "3 rounds"),
        ({"system": "quick"}, "regular"),
        ({"online": True}, "over the board"),
        ({"rounds": 6}, "2 rounds not played"),
        ({"opponents": REAL.opponents[:2]}, "2 games"),
        ({"opponents": (Met(None, 1600.0, "x"),) * 4}, "met more than 2 times"),
        ({"opponents": (Met(1600.0, None, "x"),) * 4}, "met more than 2 times"),
        ({"opponents": tuple(Met(1600.0, None, str(i)) for i in range(4))}, "without a post-event rating"),
    ],
)
def test_events_without_norms(change: dict[str, object], reason: str) -> None:
    assert reason in (TITLES.barred(replace(REAL, **change)) or "")


@pytest.mark.clause("2010.title-levels")
def test_five_norms_and_from_2000_on_the_rating() -> None:
    strong = tuple(Met(None, 2100.0, str(i)) for i in range(4))
    events = [replace(REAL, date=date(2010 + 2 * i, 1, 1), opponents=strong, score=3.5, rating=1950) for i in range(5)]
    state = standing(events, TITLES)
    assert state.titles[1800].earned == date(2018, 1, 1)  # norms never expire
    assert state.titles[2000].earned is None
    assert state.titles[2000].need is not None
    assert (state.titles[2000].need.norms, state.titles[2000].need.rating) == (0, 2000)
    provisional = replace(REAL, date=date(2019, 1, 1), score=0, rating=2010, established=False)
    assert standing([*events, provisional], TITLES).titles[2000].earned is None
    reached = replace(provisional, date=date(2020, 1, 1), established=True)
    assert standing([*events, provisional, reached], TITLES).titles[2000].earned == date(2020, 1, 1)
    assert standing(events, TITLES).titles[2400].supernorms == 0
