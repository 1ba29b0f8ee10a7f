"""Section 2: the five priority lists of 2015 and 2017, and the blended rating since 2020."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from crosstable.model import Event, ForeignRating, Player, Rating
from crosstable.systems.us_chess import SYSTEM, rate

from .builders import event, games, player, section

D2015, D2017, D2025 = date(2016, 5, 1), date(2018, 5, 1), date(2025, 8, 1)
FIDE, CFC = ForeignRating(2200), ForeignRating(1600)
FIDE_US, CFC_US = 20 + 1.02 * 2200, 1.1 * 1600 - 240  # 2264 and 1520


def first(day: date, key: str, **player: object) -> tuple[float, int]:
    """(R0, N) of an unrated player."""
    ratings = player.pop("ratings", {})
    state = SYSTEM.start(Player(1, "1", ratings=ratings, **player), day, key)
    return state.rating, state.games or 0


def rated(rating: float, games: int, day: date | None = None) -> Rating:
    return Rating(rating, games, day)


@pytest.mark.clause("initial.regular-list")
@pytest.mark.parametrize("day", [D2015, D2017])
def test_regular_list(day: date) -> None:
    everything = {"fide": FIDE, "cfc": CFC, "ratings": {"OTBQ": rated(1444, 4)}, "adult": True}
    assert first(day, "OTBR", **everything) == (pytest.approx(FIDE_US), 10)
    assert first(day, "OTBR", **{**everything, "fide": ForeignRating(2150)}) == (pytest.approx(20 + 1.02 * 2150), 5)
    assert first(day, "OTBR", **{**everything, "fide": None}) == (pytest.approx(CFC_US), 5)
    assert first(day, "OTBR", cfc=ForeignRating(1500), adult=True) == (1410, 0)
    assert first(day, "OTBR", ratings={"OTBQ": rated(1444, 4)}, adult=True) == (1444, 0)
    assert first(day, "OTBR", ratings={"OTBQ": rated(1444, 3)}, adult=True) == (
        1300,
        0,
    )  # fewer than four games: by age
    assert first(day, "OTBR") == (750, 0)


@pytest.mark.clause("initial.quick-list")
@pytest.mark.parametrize("day", [D2015, D2017])
def test_quick_list(day: date) -> None:
    assert first(day, "OTBQ", ratings={"OTBR": rated(1700, 30)}, fide=FIDE) == (1700, 10)
    assert first(day, "OTBQ", ratings={"OTBR": rated(1700, 7)}, fide=FIDE) == (1700, 7)
    assert first(day, "OTBQ", ratings={"OTBR": rated(1700, 3)}, fide=FIDE) == (pytest.approx(FIDE_US), 10)
    assert first(day, "OTBQ", cfc=CFC) == (pytest.approx(CFC_US), 5)
    assert first(day, "OTBQ", adult=True) == (1300, 0)


@pytest.mark.clause("initial.blitz-list")
@pytest.mark.parametrize("day", [D2015, D2017])
def test_blitz_list(day: date) -> None:
    quick = {"OTBQ": rated(1600, 12)}
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 26), **quick}, fide=FIDE) == (1700, 10)
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 25), **quick}, fide=FIDE) == (pytest.approx(FIDE_US), 10)
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 25), **quick}, cfc=CFC) == (pytest.approx(CFC_US), 5)
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 25), **quick}) == (1700, 10)
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 6), **quick}) == (1700, 6)
    assert first(day, "OTBB", ratings={"OTBR": rated(1700, 3), **quick}) == (1600, 0)


@pytest.mark.clause("initial.online-quick-list")
def test_online_quick_list() -> None:
    ratings = {"OLB": rated(1500, 3), "OTBQ": rated(1600, 3), "OTBB": rated(1650, 3), "OTBR": rated(1700, 3)}
    assert first(D2015, "OLQ", ratings=ratings) == (1500, 10)  # 2015 §2.4: N = 10
    assert first(D2017, "OLQ", ratings=ratings) == (1500, 0)  # 2017 §2.4: N = 0
    for gone, expected in (("OLB", 1600), ("OTBQ", 1650), ("OTBB", 1700)):
        del ratings[gone]
        assert first(D2017, "OLQ", ratings=ratings, fide=FIDE) == (expected, 0)
    assert first(D2017, "OLQ", fide=FIDE, cfc=CFC) == (pytest.approx(FIDE_US), 0)
    assert first(D2017, "OLQ", cfc=CFC) == (pytest.approx(CFC_US), 0)


@pytest.mark.clause("initial.online-blitz-list")
@pytest.mark.parametrize("day", [D2015, D2017])
def test_online_blitz_list(day: date) -> None:
    ratings = {"OLQ": rated(1500, 3), "OTBB": rated(1650, 3), "OTBQ": rated(1600, 3), "OTBR": rated(1700, 3)}
    for gone, expected in ((None, 1500), ("OLQ", 1650), ("OTBB", 1600), ("OTBQ", 1700)):
        ratings.pop(str(gone), None)
        assert first(day, "OLB", ratings=ratings, fide=FIDE) == (expected, 0)
    assert first(day, "OLB", fide=FIDE) == (pytest.approx(FIDE_US), 0)


@pytest.mark.clause("initial.foreign")
@pytest.mark.parametrize("day", [D2015, D2017])
def test_a_foreign_rating_stands_on_no_games(day: date) -> None:
    assert first(day, "OTBR", foreign_rating=1850.0, adult=True) == (1850, 0)
    rating, _ = first(day, "OTBR", foreign_rating=1850.0, fide=FIDE, canadian_resident=True)
    assert rating == pytest.approx(20 + 1.02 * 2200)  # only where there is no FIDE or CFC rating


@pytest.mark.clause("blend.game-factors")
def test_game_factors() -> None:
    on = D2025
    assert first(on, "OTBQ", ratings={"OTBR": rated(1700, 60, on)}) == (1700, 10)
    assert first(on, "OTBQ", ratings={"OTBR": rated(1700, 7, on)}) == (1700, 7)
    assert first(on, "OTBR", ratings={"OTBQ": rated(1700, 60, on)}) == (1700, 5)
    assert first(on, "OLB", ratings={"OTBB": rated(1700, 60, on)}) == (1700, 10)
    assert first(on, "OLQ", ratings={"OTBQ": rated(1700, 60, on)}) == (1700, 10)
    assert first(on, "OLB", ratings={"OTBQ": rated(1700, 60, on)}) == (1700, 5)
    assert first(on, "OLR", ratings={"OTBR": rated(1700, 60, on)}) == (1700, 10)


@pytest.mark.clause("blend.games")
def test_n_is_rounded_up_and_capped() -> None:
    two = {"OTBR": rated(1700, 60, D2025), "OTBQ": rated(1600, 60, D2025)}
    # fresh: weights 10 and 5, so (10 × 1700 + 5 × 1600)/15 = 1666.67, rounded to 1667, and N = min(10, 15)
    assert first(D2025, "OTBB", ratings=two) == (1667, 10)
    # one source of five games, a year stale: 5 × S < 5, rounded up
    stale = {"OTBQ": rated(1600, 60, D2025 - timedelta(days=365))}
    # no birth date, not an adult: P = 750, Z = (1600 − 750)/350, S = exp(.06 (Z − 6) 365/365.25) = 0.8072; 4.036 → 5
    assert first(D2025, "OTBR", ratings=stale) == (1600, 5)


@pytest.mark.clause("blend.no-source")
def test_a_source_without_games_carries_no_weight() -> None:
    assert first(D2025, "OTBR", ratings={"OTBQ": rated(1600, 0, D2025)}, adult=True) == (1300, 0)


@pytest.mark.clause("cfc_conversion.residents")
def test_cfc_counts_only_for_canadian_residents_since_2025() -> None:
    assert first(date(2024, 12, 31), "OTBR", cfc=CFC, adult=True) == (pytest.approx(CFC_US), 5)
    assert first(date(2025, 1, 1), "OTBR", cfc=CFC, adult=True) == (1300, 0)
    expected = -650 + 1.28 * 1600  # 1398
    assert first(date(2025, 1, 1), "OTBR", cfc=CFC, adult=True, canadian_resident=True) == (pytest.approx(expected), 5)


@pytest.mark.clause("age_rating.formula")
def test_age_counts_to_the_end_of_the_event() -> None:
    """2025 §2.3 and readings 27: born 2016-01-01, the event ends on 2026-01-01, 3653 days later: 50 × 3653/365.25 =
    500.07.

    By the section's end, 183 days earlier, it would be 475.
    """
    child = Player(1, "1", birth_date=date(2016, 1, 1))
    early = section([child, player(2, 1000.0)], games((1, 2, "1-0")), start=date(2025, 7, 2), end=date(2025, 7, 2))
    whole = Event("League", date(2025, 7, 2), date(2026, 1, 1), (early,))
    assert next(answer.prior for answer in rate(whole).answers if answer.number == 1) == pytest.approx(
        50 * 3653 / 365.25
    )


@pytest.mark.clause("initial.foreign-ended")
def test_a_foreign_rating_is_no_source_of_the_2025_edition() -> None:
    """2015 and 2017 §2 let the office convert it; the 2025 edition, in force for sections from 2020-06-01, names
    none.
    """
    for day, start, codes in (
        (date(2020, 5, 31), 1800.0, []),
        (date(2020, 6, 1), 1300.0, ["foreign-rating-unused"]),
    ):
        part = section([player(1, foreign_rating=1800.0), player(2, 1500.0)], games((1, 2, "1-0")), on=day)
        outcome = rate(event(part))
        assert outcome.answers[0].prior == start
        assert [finding.code for finding in outcome.findings] == codes
