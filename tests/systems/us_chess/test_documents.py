"""Every worked example and table of the three documents, quoted by section."""

from __future__ import annotations

import math
from datetime import date

import pytest

from crosstable import rulebook
from crosstable.systems.us_chess import coefficients_on, initial
from crosstable.systems.us_chess.formulas import (
    ALL_LOSSES,
    ALL_WINS,
    MIXED,
    earned_floor,
    effective_games,
    history_of,
    k_factor,
    personal_floor,
    provisional_expectancy,
    rating_floor,
    round_half_up,
    special_rating,
    special_start,
    uses_special,
    winning_expectancy,
)
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.prizes import is_prize_floor, prize_floor

OTBR, OTBQ, OTBB, OLB = (KEYS.index(key) for key in ("OTBR", "OTBQ", "OTBB", "OLB"))
EDITIONS = (date(2015, 6, 1), date(2017, 4, 24), date(2025, 8, 1))
NAN = math.nan


@pytest.mark.clause("storage.floats")
def test_published_ratings_are_rounded_to_the_nearest_whole_number() -> None:
    # §1: "1643.759 and 1431.034 … (1644 and 1431 in the above example)"
    assert round_half_up(1643.759) == 1644
    assert round_half_up(1431.034) == 1431
    assert round_half_up(1500.5) == 1501  # conventional rounding


@pytest.mark.clause("effective_games.formula")
@pytest.mark.parametrize("day", EDITIONS)
def test_effective_games_example(day: date) -> None:
    # §3: R0 = 1700, N = 30: N* = 50/sqrt(6.24) = 20.0, so N' = 20.0
    rules = coefficients_on(day)
    printed = 0.662 + 0.00000739 * (2569 - 1700) ** 2
    assert printed == pytest.approx(6.24, abs=0.005)
    assert effective_games(rules, 1700, 30) == pytest.approx(20.0, abs=0.05)
    assert effective_games(rules, 1700, 12) == 12
    assert effective_games(rules, 2355, 900) == pytest.approx(50 / math.sqrt(0.662 + 0.00000739 * 214**2))
    assert effective_games(rules, 2355.01, 900) == 50


@pytest.mark.clause("effective_games.before-2013")
def test_effective_games_before_2013() -> None:
    # Glickman 2004: 50/sqrt(1 + 500²/100000) = 50/sqrt(3.5) = 26.7 at 1700, 50 at 2200 and above
    rules = coefficients_on(date(2013, 5, 7))
    assert effective_games(rules, 1700, 100) == pytest.approx(26.7, abs=0.05)
    assert effective_games(rules, 2200, 100) == 50
    assert effective_games(rules, 2300, 100) == 50


@pytest.mark.clause("standard.k")
@pytest.mark.parametrize("day", EDITIONS)
@pytest.mark.parametrize(
    ("effective", "games", "printed"),
    [
        (6, 4, 80),
        (6, 6, 66.67),
        (6, 10, 50),
        (20, 4, 33.33),
        (20, 6, 30.77),
        (20, 10, 26.67),
        (50, 4, 14.81),
        (50, 6, 14.29),
        (50, 10, 13.33),
    ],
)
def test_k_table(day: date, effective: float, games: int, printed: float) -> None:
    assert k_factor(coefficients_on(day), OTBR, False, 1500, effective, games, 1) == pytest.approx(printed, abs=0.005)


@pytest.mark.clause("dual_k.formula")
@pytest.mark.parametrize("day", EDITIONS)
def test_k_above_2200_in_dual_rated_events(day: date) -> None:
    rules = coefficients_on(day)
    # 2200 < R < 2500: 800 (6.5 − 0.0025 R)/(N' + m): at 2400, 800 × 0.5 / 50 = 8
    assert k_factor(rules, OTBR, True, 2400, 44, 6, 1) == pytest.approx(8.0)
    assert k_factor(rules, OTBR, True, 2200, 44, 6, 1) == pytest.approx(16.0)  # "greater than 2200"
    assert k_factor(rules, OTBR, True, 2500, 44, 6, 1) == pytest.approx(4.0)  # 200/50
    assert k_factor(rules, OTBR, False, 2400, 44, 6, 1) == pytest.approx(16.0)  # not dual-rated


@pytest.mark.clause("dual_k.pools")
@pytest.mark.parametrize(
    ("day", "quick"), [(date(2015, 6, 1), 8.0), (date(2020, 5, 31), 8.0), (date(2020, 6, 1), 16.0)]
)
def test_which_rating_the_dual_k_applies_to(day: date, quick: float) -> None:
    # 2015, 2017: no system is named; 2025: "In updating the OTBR rating"
    assert k_factor(coefficients_on(day), OTBQ, True, 2400, 44, 6, 1) == pytest.approx(quick)


@pytest.mark.clause("half_k.formula")
def test_half_k() -> None:
    # algorithms 4: K = 800/(2N' + m); for N' = 50, m = 6 the page prints 7.54 (800/106 = 7.547)
    assert k_factor(coefficients_on(date(2005, 1, 1)), OTBR, False, 1500, 50, 6, 2) == pytest.approx(7.547, abs=0.001)
    assert "half_k" in rulebook.on(date(2006, 2, 28))
    assert "half_k" not in rulebook.on(date(2006, 3, 1))


@pytest.mark.clause("standard.expectancy")
def test_standard_winning_expectancy() -> None:
    rules = coefficients_on(EDITIONS[2])
    assert winning_expectancy(rules, 1500, 1500) == 0.5
    assert winning_expectancy(rules, 1900, 1500) == pytest.approx(1 / (1 + 10**-1))  # 400 points: 10/11
    assert winning_expectancy(rules, 1500, 1700) == pytest.approx(1 / (1 + 10**0.5))


@pytest.mark.clause("special.expectancy")
def test_provisional_winning_expectancy() -> None:
    rules = coefficients_on(EDITIONS[2])
    assert provisional_expectancy(rules, 1100, 1500) == 0
    assert provisional_expectancy(rules, 1300, 1500) == 0.25  # 0.5 − 200/800
    assert provisional_expectancy(rules, 1500, 1500) == 0.5
    assert provisional_expectancy(rules, 1900, 1500) == 1


@pytest.mark.clause("special.who")
def test_who_uses_the_special_formula() -> None:
    rules = coefficients_on(EDITIONS[2])
    assert uses_special(rules, 8, MIXED)
    assert not uses_special(rules, 9, MIXED)
    assert uses_special(rules, 30, ALL_WINS)
    assert uses_special(rules, 30, ALL_LOSSES)


@pytest.mark.clause("special.all-wins")
@pytest.mark.clause("special.all-losses")
@pytest.mark.clause("special.otherwise")
def test_adjusted_prior_and_score() -> None:
    rules = coefficients_on(EDITIONS[2])
    assert special_start(rules, 1500, 6, ALL_WINS, 2.5) == (1100, 8.5)
    assert special_start(rules, 1500, 6, ALL_LOSSES, 2.5) == (1900, 2.5)
    assert special_start(rules, 1500, 6, MIXED, 2.5) == (1500, 5.5)
    assert history_of(3, 0, 0) == ALL_WINS
    assert history_of(0, 0, 3) == ALL_LOSSES
    assert history_of(0, 3, 0) == MIXED
    assert history_of(0, 0, 0) == MIXED  # an initialised player has no previous games (readings 3)


@pytest.mark.clause("special.root")
@pytest.mark.parametrize("day", EDITIONS)
def test_special_rating_is_the_old_provisional_formula_when_nobody_is_far(day: date) -> None:
    # §4.1: "For most situations, the resulting rating will be identical to the old provisional rating formula":
    # (4 × 1500 + 1600 + 1400 + 1500 + 400 × (2 − 1)) / (4 + 3) = 10900/7
    rating = special_rating(coefficients_on(day), 1500, 4, MIXED, 2.0, [1600.0, 1400.0, 1500.0], 0, 3)
    assert rating == pytest.approx((4 * 1500 + 4500 + 400) / 7)


@pytest.mark.clause("special.cap")
def test_special_rating_is_at_most_2700() -> None:
    assert special_rating(coefficients_on(EDITIONS[2]), 2600, 2, MIXED, 3.0, [2650.0] * 3, 0, 3) == 2700


@pytest.mark.clause("special.flat")
def test_where_f_is_flat_the_prior_decides() -> None:
    rules = coefficients_on(EDITIONS[2])
    # N' = 0: a loss to 2000 and a win against 1000: f is 0 from 1400 to 1600, and the prior picks within it
    assert special_rating(rules, 1500, 0, MIXED, 1.0, [2000.0, 1000.0], 0, 2) == 1500
    assert special_rating(rules, 1100, 0, MIXED, 1.0, [2000.0, 1000.0], 0, 2) == 1400
    assert special_rating(rules, 1900, 0, MIXED, 1.0, [2000.0, 1000.0], 0, 2) == 1600


@pytest.mark.clause("special.flat")
def test_a_missing_knot_is_infinite() -> None:
    # N' = 0, only losses: everything from 1600 down is a root; R0 = 700 is out of reach of all, and stays (readings 2)
    assert special_rating(coefficients_on(EDITIONS[2]), 700, 0, MIXED, 0.0, [2000.0], 0, 1) == 700


@pytest.mark.clause("special.start")
def test_each_edition_keeps_its_own_start() -> None:
    # N' = 0, a win against 1000: all of 1400 and above is a root. 2025 starts at R0 = 1800, which is one, and stays;
    # 2015 and 2017 start at the pooled 1000 + 400 = 1400, a knot within 400 of the opponent, and stop there.
    assert special_rating(coefficients_on(EDITIONS[2]), 1800, 0, MIXED, 1.0, [1000.0], 0, 1) == 1800
    for day in EDITIONS[:2]:
        assert special_rating(coefficients_on(day), 1800, 0, MIXED, 1.0, [1000.0], 0, 1) == 1400


@pytest.mark.clause("personal_floor.formula")
@pytest.mark.parametrize("day", EDITIONS)
def test_personal_floor_example(day: date) -> None:
    # §5: 3 wins, 1 draw, 10 events: 100 + 12 + 2 + 10 = 124; never higher than 150
    rules = coefficients_on(day)
    assert personal_floor(rules, OTBR, 3, 1, 10) == 124
    assert personal_floor(rules, OTBR, 300, 0, 0) == 150


@pytest.mark.clause("personal_floor.online")
@pytest.mark.parametrize(("day", "floor"), [(date(2015, 6, 1), 124), (date(2020, 5, 31), 124), (date(2020, 6, 1), 100)])
def test_personal_floor_online(day: date, floor: float) -> None:
    assert personal_floor(coefficients_on(day), OLB, 3, 1, 10) == floor
    assert personal_floor(coefficients_on(day), OTBB, 3, 1, 10) == 124


@pytest.mark.clause("earned_floor.formula")
@pytest.mark.parametrize("day", EDITIONS)
def test_earned_floor_examples(day: date) -> None:
    rules = coefficients_on(day)
    assert earned_floor(rules, 1941) == 1700
    assert earned_floor(rules, 1999.51) == 1800
    assert earned_floor(rules, 1388) == 0  # only the absolute floor
    assert earned_floor(rules, 1400) == 1200
    assert earned_floor(rules, 2850) == 2100
    assert earned_floor(rules, NAN) == 0


@pytest.mark.clause("life_master.floor")
@pytest.mark.clause("life_master.pools")
def test_life_master_floor() -> None:
    assert rating_floor(coefficients_on(EDITIONS[2]), OTBR, 150, 2100, True, NAN, NAN, NAN) == 2200
    assert rating_floor(coefficients_on(EDITIONS[2]), OTBQ, 150, 2100, True, NAN, NAN, NAN) == 2100
    assert rating_floor(coefficients_on(EDITIONS[1]), OTBQ, 150, 2100, True, NAN, NAN, NAN) == 2200


@pytest.mark.clause("prize_floor.level")
@pytest.mark.clause("prize_floor.levels")
@pytest.mark.clause("prize_floor.threshold")
def test_prize_floors() -> None:
    # 2017, 2025 §5: "$4,000 in an under-1800 section … rating floor would be 1800"; any 100-point level, up to 2000
    rules = rulebook.on(EDITIONS[2])
    assert prize_floor(rules, 4000, 1800) == 1800
    assert prize_floor(rules, 3999, 1800) is None
    assert prize_floor(rules, 9000, 1250) == 1300
    assert prize_floor(rules, 9000, 2200) is None
    assert [level for level in (1750, 1800, 2000, 2100, 2300, 0, -100) if is_prize_floor(rules, level)] == [1800, 2000]
    # 2015 §5: "over $2,000"
    assert prize_floor(rulebook.on(date(2017, 4, 23)), 2000, 1800) is None
    assert prize_floor(rulebook.on(date(2017, 4, 23)), 2001, 1800) == 1800
    assert prize_floor(rulebook.on(date(2017, 4, 24)), 2001, 1800) is None


@pytest.mark.clause("blend.example")
def test_blended_initial_rating_example() -> None:
    # 2025 §2: born 2000-07-01, OLB tournament ending 2020-09-01
    rules, birth, end = coefficients_on(date(2020, 9, 1)), date(2000, 7, 1).toordinal(), date(2020, 9, 1).toordinal()
    printed = [
        (OTBR, 1759, date(2018, 3, 25), 10, 891, 886.52, 0.60, 5.98),
        (OTBQ, 1643, date(2018, 1, 13), 5, 962, 876.80, 0.55, 2.74),
        (OTBB, 1658, date(2016, 7, 16), 10, 1508, 802.05, 0.41, 4.15),
    ]
    ratings, games, days = [NAN] * initial.SOURCES, [0] * initial.SOURCES, [0] * initial.SOURCES
    for source, rating, day, factor, stale_days, age_based, stale, weight in printed:
        on = day.toordinal()
        assert end - on == stale_days
        assert initial.age_rating(rules, birth, True, on) == pytest.approx(age_based, abs=0.005)
        assert initial.game_factor(rules, OLB, source, rating, 40) == factor
        assert initial.staleness(
            rules, rating, initial.age_rating(rules, birth, True, on), stale_days
        ) == pytest.approx(stale, abs=0.005)
        assert initial.adjusted_weight(rules, OLB, source, rating, 40, on, birth, True, end) == pytest.approx(
            weight, abs=0.005
        )
        ratings[source], games[source], days[source] = rating, 40, on
    assert initial.blended(rules, OLB, ratings, games, days, birth, True, False, end) == (1702, 10)


@pytest.mark.clause("fide_conversion.formula")
@pytest.mark.parametrize(
    ("day", "fide", "rating"),
    [
        (date(2025, 8, 1), 1900, -1073 + 1.5667 * 1900),
        (date(2025, 8, 1), 2000, -1073 + 1.5667 * 2000),
        (date(2025, 8, 1), 2001, 20 + 1.02 * 2001),
        (date(2024, 2, 29), 1900, 180 + 0.94 * 1900),
        (date(2015, 6, 1), 2000, 180 + 0.94 * 2000),
        (date(2015, 6, 1), 2001, 20 + 1.02 * 2001),
    ],
)
def test_fide_conversion(day: date, fide: float, rating: float) -> None:
    assert initial.from_fide(coefficients_on(day), fide) == pytest.approx(rating)


@pytest.mark.clause("youth_conversion.formula")
def test_youth_conversion() -> None:
    assert initial.from_fide_youth(coefficients_on(date(2024, 3, 1)), 1800) == pytest.approx(-453 + 1.2667 * 1800)
    assert initial.from_fide_youth(coefficients_on(date(2024, 3, 1)), 2100) == 2180
    assert initial.from_fide_youth(coefficients_on(date(2024, 2, 29)), 1800) == pytest.approx(560 + 0.76 * 1800)
    assert initial.from_fide_youth(coefficients_on(date(2015, 6, 1)), 2100) == 2180


@pytest.mark.clause("cfc_conversion.formula")
@pytest.mark.parametrize(
    ("day", "cfc", "rating"),
    [
        (date(2025, 1, 1), 1149, -115 + 0.815 * 1149),
        (date(2025, 1, 1), 1150, -650 + 1.28 * 1150),
        (date(2025, 1, 1), 1609, -650 + 1.28 * 1609),
        (date(2025, 1, 1), 1610, -856 + 1.41 * 1610),
        (date(2025, 1, 1), 1999, -856 + 1.41 * 1999),
        (date(2025, 1, 1), 2000, -240 + 1.1 * 2000),
        (date(2024, 12, 31), 1500, 1410),
        (date(2024, 12, 31), 1501, 1.1 * 1501 - 240),
        (date(2017, 4, 24), 1500, 1410),
    ],
)
def test_cfc_conversion(day: date, cfc: float, rating: float) -> None:
    assert initial.from_cfc(coefficients_on(day), cfc) == pytest.approx(rating)


@pytest.mark.clause("fide_conversion.games")
@pytest.mark.clause("cfc_conversion.games")
def test_games_behind_a_conversion() -> None:
    old, new = coefficients_on(date(2017, 4, 24)), coefficients_on(date(2020, 6, 1))
    assert [initial.converted_games(old, initial.FIDE, r) for r in (2150, 2151)] == [5, 10]
    assert [initial.converted_games(new, initial.FIDE, r) for r in (2000, 2001)] == [5, 10]
    assert [initial.converted_games(old, initial.CFC, r) for r in (1500, 1501)] == [0, 5]
    assert [initial.converted_games(new, initial.CFC, r) for r in (1200, 1501)] == [5, 5]


def age_based(day: date, born: date | None, adult: bool) -> float:
    return initial.age_rating(
        coefficients_on(day), born.toordinal() if born else initial.NO_DAY, adult, day.toordinal()
    )


@pytest.mark.clause("age_rating.formula")
@pytest.mark.parametrize("day", EDITIONS)
def test_age_rating(day: date) -> None:
    born = date(day.year - 10, day.month, day.day)
    years = (day - born).days / 365.25
    assert age_based(day, born, False) == pytest.approx(50 * years)
    assert age_based(day, date(day.year - 40, 1, 1), False) == 1300


@pytest.mark.clause("age_rating.before-2006")
def test_age_rating_before_2006() -> None:
    day, born = date(2005, 12, 31), date(1995, 12, 31)
    assert age_based(day, born, False) == pytest.approx(300 + 50 * (day - born).days / 365.25)
    assert age_based(day, date(1984, 1, 1), False) == 1300  # 21: from 20 on
    assert age_based(date(2006, 1, 1), date(1984, 1, 1), False) == pytest.approx(50 * 22, abs=1)


@pytest.mark.clause("age_rating.no-birth-date")
@pytest.mark.parametrize("day", EDITIONS)
def test_no_birth_date(day: date) -> None:
    assert age_based(day, None, True) == 1300
    assert age_based(day, None, False) == 750


@pytest.mark.clause("age_rating.below-three")
def test_an_age_below_three_is_a_mistake() -> None:
    for day, child in zip(EDITIONS, (1300, 1300, 750), strict=True):
        born = date(day.year - 2, day.month, day.day)
        assert age_based(day, born, False) == child
        assert age_based(day, born, True) == 1300
