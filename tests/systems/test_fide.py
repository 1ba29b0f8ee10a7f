"""FIDE: published calculations, every line of K, the 400-point rule by date, newcomers, the floor."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.errors import EventRejected
from crosstable.model import ForeignRating, Game, Player, Rating
from crosstable.systems.fide import SYSTEM, Fide, differences, first_rating, formulas, lifted, pace_of
from tests.derivations import shown_steps
from tests.systems.small_events import DAY, against_all, entrants, event, posts

RULES = SYSTEM.latest
EDGES = RULES["expected"]["edges"]
DP = RULES["performance"]["differences"]


def old_hand(rating: float) -> Rating:
    return Rating(rating, games=500, ever_2300=rating >= 2300, ever_2400=rating >= 2400)


def test_a_published_calculation_of_november_2025() -> None:
    """2813, K 10: wins v 1787, 2025, 2310, 2400, a draw v 2505 are .00 .00 .04 .07 -.36, so -2.50, so -3."""
    players = entrants("FIDE", [old_hand(rating) for rating in (2813, 1787, 2025, 2310, 2400, 2505)])
    answers = SYSTEM.rate(event(players, against_all(["1-0"] * 4 + ["1/2-1/2"]))).answers
    first = answers[0]
    rounds = [step.value for step in shown_steps(first) if step.title.startswith("Round ")]
    assert rounds == pytest.approx([0.0, 0.0, 0.4, 0.7, -3.6])
    assert (first.post, first.values["change"], first.values["k"]) == (2810, -3, 10)
    assert first.values["exact_change"] == -2.5
    assert answers[4].derivation[1].value == pytest.approx(-0.8)  # the 2400 player counts "2800": -.08 × 10


def test_a_published_newcomer() -> None:
    """5 games, 3 points, opponents who sum up to 9507: Ra 1872.43, p .57, dp 50: 1922."""
    opponents = [1901, 1902, 1901, 1902, 1901]
    assert sum(opponents) == 9507
    players = entrants("FIDE", [None, *map(old_hand, opponents)])
    rated = SYSTEM.rate(event(players, against_all(["1-0", "1-0", "1-0", "0-1", "0-1"])))
    (answer,) = rated.answers  # the rated players' games against an unrated one do not count for them
    assert (answer.post, answer.published, answer.values["status"]) == (1922, 1922, "rated")
    assert answer.values["first_estimate"] == pytest.approx(1872.43 + 50, abs=0.005)
    assert {finding.code for finding in rated.findings} == {"game-half-rated"}


def test_a_published_month_of_39_games() -> None:
    """K 20 × 39 exceeds 700: K 17 = floor(700/39); 5.44 × 17 = 92.48, so +92."""
    assert formulas.k_for_period(20, 39, 700) == 17
    assert formulas.rounded_change(17, 544) == 92
    assert formulas.k_for_period(20, 35, 700) == 20
    assert formulas.k_for_period(20, 36, 700) == 19


@pytest.mark.parametrize(
    ("hundredths", "change"), [(25, 3), (-25, -3), (5, 1), (-5, -1), (4, 0), (-4, 0), (15, 2), (-15, -2)]
)
def test_a_half_is_rounded_away_from_zero(hundredths: int, change: int) -> None:
    assert formulas.rounded_change(10, hundredths) == change


def test_the_table_is_the_normal_curve_but_for_six_differences() -> None:
    rounded = {
        d
        for d in range(736)
        if math.floor(50 * math.erfc(-7 * d / 2000 / math.sqrt(2)) + 0.5) != formulas.expected_hundredths(d, EDGES)
    }
    assert rounded == {54, 343, 344, 358, 392, 620}
    assert formulas.expected_hundredths(735, EDGES) == 99
    assert formulas.expected_hundredths(736, EDGES) == 100


@given(st.integers(-1500, 1500))
def test_two_players_of_a_game_expect_one_point(difference: int) -> None:
    assert formulas.expected_hundredths(difference, EDGES) + formulas.expected_hundredths(-difference, EDGES) == 100


@pytest.mark.parametrize(("percent", "dp"), [(50, 0), (57, 50), (100, 800), (49, -7), (0, -800), (43, -50), (99, 677)])
def test_the_dp_table_is_mirrored(percent: int, dp: int) -> None:
    assert formulas.performance_difference(percent, DP) == dp


class TestK:
    def k(self, state: Rating, born: int | None = None, day: date = DAY) -> int:
        return SYSTEM.k_of(state, None if born is None else date(born, 12, 31), day, RULES)

    def test_40_for_the_first_30_games(self) -> None:
        assert self.k(Rating(2000, games=29)) == 40
        assert self.k(Rating(2000, games=30)) == 20
        assert self.k(Rating(2350, games=29)) == 40

    def test_10_once_2400_was_reached_for_ever(self) -> None:
        assert self.k(Rating(2400, games=29)) == 10
        assert self.k(Rating(2399, games=500)) == 20
        assert self.k(Rating(2200, games=500, ever_2400=True)) == 10
        assert self.k(Rating(2200, games=10, ever_2400=True), born=2015) == 10

    def test_40_for_juniors_below_2300_to_the_end_of_the_year_of_the_18th_birthday(self) -> None:
        assert self.k(Rating(2299, games=500), born=2007) == 40  # 18 in 2025
        assert self.k(Rating(2299, games=500), born=2006) == 20
        assert self.k(Rating(2300, games=500), born=2007) == 20
        assert self.k(Rating(2250, games=500, ever_2300=True), born=2007) == 20

    def test_a_junior_once_2300_with_few_games_is_still_new(self) -> None:
        assert self.k(Rating(2250, games=20, ever_2300=True), born=2007) == 40

    def test_games_that_nobody_counted_are_many(self) -> None:
        assert self.k(Rating(2000)) == 20

    @pytest.mark.parametrize(
        ("state", "born", "words"),
        [
            (Rating(2500, games=900), None, "10: a rating of 2400 was reached once"),
            (Rating(2000, games=900), None, "20: never 2400, and 30 games or more"),
            (Rating(2000, games=3), 2015, "40: fewer than 30 games so far"),
            (Rating(2000, games=90), 2015, "40: not over 18 this year, and never 2300"),
        ],
    )
    def test_the_reason_is_said(self, state: Rating, born: int | None, words: str) -> None:
        birth_date = None if born is None else date(born, 5, 5)
        players = entrants("FIDE", [state, old_hand(2000)], birth_date=birth_date)
        step = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")])).answers[0]
        assert shown_steps(step)[0].text == words

    def test_a_k_that_is_cut_says_why(self) -> None:
        players = entrants("FIDE", [Rating(2000, games=900), old_hand(2000)])
        games = [Game(round, 1, 2, "1/2-1/2") for round in range(1, 40)]
        step = SYSTEM.rate(event(players, games)).answers[0]
        assert shown_steps(step)[0].text.endswith("20 × 39 games exceed 700, so 17")

    def test_the_flags_travel_in_the_state(self) -> None:
        players = entrants("FIDE", [Rating(2399, games=100), old_hand(2390)])
        answer = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")])).answers[0]
        assert answer.post == 2409  # D = 9 expects .51: .49 × 20 = 9.8, so 10
        assert answer.state.ever_2300
        assert answer.state.ever_2400
        assert answer.state.games == 101


class TestFourHundredPoints:
    """8.3.1 through its three texts. 2700 against 2100, 2000 and 2250, then 2000 against 2700."""

    OPPONENTS = (2100.0, 2000.0, 2250.0)

    def on(self, day: date, own: float = 2700, pace: str = "standard") -> list[float]:
        return differences(own, self.OPPONENTS, pace, SYSTEM.rules(day))

    def test_until_february_2024_one_upgrade_for_the_greatest_difference(self) -> None:
        assert self.on(date(2024, 2, 29)) == [600, 400, 450]

    def test_the_lower_player_always_counts_400(self) -> None:
        assert differences(1500, self.OPPONENTS, "standard", SYSTEM.rules(date(2023, 1, 1))) == [-400, -400, -400]

    def test_from_march_2024_every_game(self) -> None:
        assert self.on(date(2024, 3, 1)) == [400, 400, 400]
        assert self.on(date(2025, 9, 30)) == [400, 400, 400]

    def test_from_october_2025_not_for_2650_and_above(self) -> None:
        assert self.on(date(2025, 10, 1)) == [600, 700, 450]
        assert self.on(date(2025, 10, 1), own=2650) == [550, 650, 400]
        assert self.on(date(2025, 10, 1), own=2649) == [400, 400, 399]

    def test_rapid_and_blitz_know_no_exemption(self) -> None:
        assert self.on(date(2025, 10, 1), pace="rapid") == [400, 400, 400]


@pytest.mark.parametrize(
    ("time_control", "pace"),
    [
        (None, "standard"),
        ("G/90;+30", "standard"),
        ("G/60;d0", "standard"),
        ("G/59;d0", "rapid"),
        ("G/15;+10", "rapid"),
        ("G/10;d0", "blitz"),
        ("G/3;+2", "blitz"),
        ("as agreed", "standard"),
    ],
)
def test_the_pace_follows_the_time_control(time_control: str | None, pace: str) -> None:
    assert pace_of(time_control, RULES) == pace


def test_uneven_rapid_games_are_unrated_from_december_2024() -> None:
    players = entrants("FIDE", [old_hand(2601), old_hand(2001)])
    rated = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")], date(2024, 12, 1), time_control="G/15;+10"))
    assert rated.answers == ()
    assert [finding.code for finding in rated.findings] == ["game-not-rated"]
    for day, first, time_control in (
        (date(2024, 11, 30), 2601, "G/15;+10"),
        (date(2024, 12, 1), 2600, "G/15;+10"),
        (date(2024, 12, 1), 2601, "G/90;+30"),
    ):
        players = entrants("FIDE", [old_hand(first), old_hand(2001 if first == 2601 else 1990)])
        assert SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")], day, time_control=time_control)).answers


class TestNewcomers:
    def rate(self, opponents: list[float], results: list[str], day: date = DAY, before: Rating | None = None) -> tuple:
        players = entrants("FIDE", [before, *map(old_hand, opponents)])
        return SYSTEM.rate(event(players, against_all(results), day)).answers

    def test_a_first_event_without_a_point_is_disregarded(self) -> None:
        assert self.rate([1800] * 5, ["0-1"] * 5) == ()

    def test_games_are_saved_until_there_are_five(self) -> None:
        (first,) = self.rate([1900, 1900, 1900], ["1-0", "1/2-1/2", "0-1"])
        assert (first.published, first.values["status"], len(first.state.pending)) == (0, "unrated", 3)
        (second,) = self.rate([1900, 1900], ["0-1", "1-0"], before=first.state)
        # 2.5 of 5 against 1900: Ra = (9500 + 3600)/7 = 1871.43, p = 3.5/7 = .50, dp 0
        assert (second.post, second.published, second.state.pending) == (1871, 1871, ())
        assert second.state.games == 5

    def test_after_26_months_a_new_pool_begins(self) -> None:
        saved = Rating(1900, games=3, date=date(2023, 8, 1), pending=((1900.0, 1.0),) * 3)
        (answer,) = self.rate([1900, 1900], ["1-0", "0-1"], before=saved)
        assert len(answer.state.pending) == 2

    def test_at_most_2200(self) -> None:
        assert first_rating([(2400.0, 1.0)] * 9, RULES)[1] == 2200

    def test_below_1400_nobody_is_published(self) -> None:
        # Ra = (5 × 1400 + 3600)/7 = 1514.29, p = 1.5/7 = .21, dp -230: 1284
        (answer,) = self.rate([1400] * 5, ["1/2-1/2", "0-1", "0-1", "0-1", "0-1"])
        assert (answer.post, answer.published, answer.values["status"]) == (1284, 0, "unrated")

    def test_the_rule_of_2022(self) -> None:
        rules = SYSTEM.rules(date(2023, 6, 1))
        # 3 of 5 is one half point... two half points are one point: 3 - 2.5 = 0.5 point = 1 half point over: + 20
        assert first_rating([(1800.0, 1.0)] * 3 + [(1800.0, 0.0)] * 2, rules) == (1820, 1820)
        assert first_rating([(1800.0, 0.5)] * 5, rules) == (1800, 1800)
        assert first_rating([(1800.0, 1.0)] * 2 + [(1800.0, 0.0)] * 3, rules) == (1728, 1728)  # 40 %: dp -72

    def test_two_unrated_players_have_no_rated_game(self) -> None:
        rated = SYSTEM.rate(event(entrants("FIDE", [None, None]), [Game(1, 1, 2, "1-0")]))
        assert rated.answers == ()
        assert [finding.code for finding in rated.findings] == ["game-not-rated"]

    def test_a_match_with_an_unrated_player_is_not_rated(self) -> None:
        players = entrants("FIDE", [None, old_hand(2000)])
        games = [Game(number, 1, 2, "1-0") for number in range(1, 6)]
        assert SYSTEM.rate(event(players, games, kind="match")).answers == ()

    def test_a_plain_fide_rating_starts_one_who_is_unrated_in_rapid(self) -> None:
        players = [Player(1, "a", fide=ForeignRating(2000)), *entrants("FIDE", [None, old_hand(2000)])[1:]]
        rated = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")], time_control="G/15;+10"))
        assert posts(rated.answers) == {1: 2010, 2: 1990}


def test_below_the_floor_a_player_is_unrated() -> None:
    players = entrants("FIDE", [Rating(1405, games=100), old_hand(1405)])
    answer = SYSTEM.rate(event(players, [Game(1, 1, 2, "0-1")])).answers[0]
    assert (answer.post, answer.published, answer.values["status"]) == (1395, 0, "unrated")
    again = SYSTEM.rate(event(entrants("FIDE", [answer.state, old_hand(1500)]), [Game(1, 1, 2, "1-0")]))
    assert len(again.answers[0].state.pending) == 1  # thereafter like any other unrated player


def test_the_step_of_a_rating_that_ends_is_called_as_its_rule() -> None:
    """1401, K 20, one loss to 1400: .50 expected, so -10, 1391, which is below 1400."""
    answer = SYSTEM.rate(event(entrants("FIDE", [old_hand(1401), old_hand(1400)]), against_all(["0-1"]))).answers[0]
    assert answer.post == 1391
    assert shown_steps(answer)[-1].title == SYSTEM.book.rules["floor"].title == "Lowest rating"


def test_the_lift_of_march_2024() -> None:
    assert lifted(1400) == 1640  # 1400 + 0.40 × 600
    assert lifted(2000) == 2000
    assert lifted(2500) == 2500


def test_before_2022_there_are_no_rules() -> None:
    with pytest.raises(EventRejected, match="first day of this rulebook is 2022-01-01"):
        SYSTEM.rate(
            event(entrants("FIDE", [old_hand(2000), old_hand(2000)]), [Game(1, 1, 2, "1-0")], date(2021, 12, 31))
        )


def test_the_pace_may_be_said() -> None:
    players = entrants("FIDE", [old_hand(2700), old_hand(2250)])
    games = [Game(1, 1, 2, "1-0")]
    assert Fide(pace="rapid").rate(event(players, games)).answers[0].values["exact_change"] == pytest.approx(0.8)
    assert SYSTEM.rate(event(players, games)).answers[0].values["exact_change"] == pytest.approx(0.6)  # D 450: .94


def test_each_pace_has_a_pool_of_its_own() -> None:
    """A rapid section moves the rapid rating; the standard one only starts a player who has none there."""
    players = entrants("FIDE", [old_hand(1800), old_hand(1800)])
    slow, fast = (
        SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0")], time_control=control))
        for control in ("G/90;+30", "G/15;+10")
    )
    assert {one.pool for one in slow.answers} == {"FIDE"}
    assert {one.pool for one in fast.answers} == {"FIDE_R"}
    assert fast.answers[0].post == 1810  # from the standard 1800, half a point over 0.50 at K 20
    assert SYSTEM.pools == ("FIDE", "FIDE_R", "FIDE_B")
    assert Fide(pace="rapid").pools == ("FIDE",)
