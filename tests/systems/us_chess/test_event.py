"""Sections 1, 5 and 7 on whole events: steps, floors, re-entries, dual rating, chains, the state that is carried on."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import pytest

from crosstable.errors import EventRejected
from crosstable.model import Event, ForeignRating, Game, Rating
from crosstable.systems.us_chess import rate
from tests.replay.comparison import compare

from .builders import by_number, event, games, player, rated, section


def expectancy(a: float, b: float) -> float:
    return 1 / (1 + 10 ** ((b - a) / 400))


def n_star(rating: float) -> float:
    return 50 / math.sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2)


@pytest.mark.clause("standard.update")
@pytest.mark.clause("initial.opponents")
def test_two_passes_of_the_standard_formula() -> None:
    # two players, one game each way drawn and won; no bonus with two games
    answers = by_number(rated(section([player(1, 1600.0), player(2, 1500.0)], games((1, 2, "0-1"), (2, 1, "1/2-1/2")))))
    k = {1: 800 / (n_star(1600) + 2), 2: 800 / (n_star(1500) + 2)}
    first = 1600 + k[1] * (0.5 - 2 * expectancy(1600, 1500))
    second = 1500 + k[2] * (1.5 - 2 * expectancy(1500, 1600))
    assert answers[1].values["intermediate"] == pytest.approx(first)
    assert answers[2].values["intermediate"] == pytest.approx(second)
    assert answers[1].post == pytest.approx(1600 + k[1] * (0.5 - 2 * expectancy(1600, second)))
    assert answers[2].post == pytest.approx(1500 + k[2] * (1.5 - 2 * expectancy(1500, first)))
    assert answers[2].values["bonus"] == 0


@pytest.mark.clause("initial.first-estimate")
def test_first_estimates_count_one_game() -> None:
    # an unrated adult (1300, N = 0) draws with 1500: Step 3 is the root of PWe(R,1300) + PWe(R,1500) = 1: 1400
    answers = by_number(rated(section([player(1), player(2, 1500.0)], games((1, 2, "1/2-1/2")))))
    assert answers[1].values["first_estimate"] == pytest.approx(1400)
    # Step 4 for the opponent: against 1400. For the newcomer N' = 0: PWe(R, 1500) = 0.5 at 1500
    k = 800 / (n_star(1500) + 1)
    assert answers[2].values["intermediate"] == pytest.approx(1500 + k * (0.5 - expectancy(1500, 1400)))
    assert answers[1].values["intermediate"] == pytest.approx(1500)
    assert answers[2].post == pytest.approx(1500)  # Step 5: against 1500
    assert answers[2].values["first_estimate"] is None


@pytest.mark.clause("absolute_floor.hundred")
def test_nothing_falls_below_100() -> None:
    born = date(2020, 8, 2)  # five years old: starts at 250
    answers = by_number(
        rated(
            section(
                [player(1, birth_date=born, adult=False), player(2, 300.0, 20)], games((1, 2, "0-1"), (2, 1, "1-0"))
            )
        )
    )
    assert answers[1].post >= 100
    assert answers[1].values["intermediate"] >= 100


@pytest.mark.clause("bonus.amount")
@pytest.mark.clause("bonus_eligibility.games")
def test_bonus_amount() -> None:
    field = [player(1, 1500.0), *(player(n, 1700.0) for n in range(2, 6))]
    four = games((1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "1-0"))
    answer = by_number(rated(section(field, four)))[1]
    gain = answer.values["k"] * (4 - answer.values["expected"])
    assert answer.values["bonus"] == pytest.approx(gain - 10 * math.sqrt(4))  # B = 10 in 2025
    assert answer.post == pytest.approx(1500 + 2 * gain - 20)
    three = by_number(rated(section(field, four[:3])))[1]
    gain = three.values["k"] * (3 - three.values["expected"])
    assert three.values["bonus"] == pytest.approx(gain - 10 * math.sqrt(4))  # three rounds count as four
    assert by_number(rated(section(field, four[:2])))[1].values["bonus"] == 0


@pytest.mark.clause("bonus_eligibility.meetings")
def test_no_bonus_against_one_opponent_three_times() -> None:
    field = [player(1, 1500.0), player(2, 1800.0), player(3, 1800.0)]
    twice = games((1, 2, "1-0"), (2, 1, "0-1"), (1, 3, "1-0"), (3, 1, "0-1"))
    thrice = games((1, 2, "1-0"), (2, 1, "0-1"), (1, 2, "1-0"), (3, 1, "0-1"))
    assert by_number(rated(section(field, twice)))[1].values["bonus"] > 0
    assert by_number(rated(section(field, thrice)))[1].values["bonus"] == 0


@pytest.mark.clause("bonus_eligibility.three-games")
@pytest.mark.parametrize(
    ("on", "profile", "bonus"),
    [
        (date(2016, 1, 9), "as-written", True),  # 2015 §4.2
        (date(2020, 5, 31), "as-written", True),  # 2017 §4.2
        (date(2020, 6, 1), "as-written", False),  # 2025 §4.2
        (date(2016, 1, 9), "as-practised", False),
    ],
)
def test_three_games_with_an_opponent_met_twice(on: date, profile: str, bonus: bool) -> None:
    field = [player(1, 1500.0), player(2, 1900.0), player(3, 1900.0)]
    three = games((1, 2, "1-0"), (2, 1, "0-1"), (1, 3, "1-0"))
    assert (by_number(rated(section(field, three, on=on), profile=profile))[1].values["bonus"] > 0) is bonus


@pytest.mark.clause("games.forfeits")
@pytest.mark.parametrize("result", ["+/-", "-/+", "-/-"])
def test_forfeits_are_not_rated(result: str) -> None:
    field = [player(1, 1600.0), player(2, 1500.0), player(3, 1550.0)]
    with_forfeit = rated(section(field, games((1, 2, "1-0"), (1, 3, result))))
    without = rated(section(field[:2], games((1, 2, "1-0"))))
    assert {key: a.post for key, a in with_forfeit.items()} == {key: a.post for key, a in without.items()}
    assert (1, "OTBR", 3) not in with_forfeit  # no rated game, no row


@pytest.mark.clause("games.count")
def test_the_state_is_carried_on() -> None:
    record = {"wins": 20, "draws": 5, "losses": 15, "three_game_events": 8, "peak": 1650.0, "date": date(2025, 1, 1)}
    field = [player(1, 1600.0, **record), player(2, 1500.0), player(3, 1550.0), player(4, 1400.0)]
    answer = by_number(rated(section(field, games((1, 2, "1-0"), (1, 3, "0-1"), (4, 1, "1/2-1/2")))))[1]
    state = answer.state
    assert (state.games, state.wins, state.draws, state.losses, state.three_game_events) == (43, 21, 6, 16, 9)
    assert (state.date, state.rating, state.peak) == (date(2025, 8, 2), answer.post, 1650.0)
    assert answer.values["post_games"] == 43


def test_a_newcomers_credited_games_are_remembered() -> None:
    # FIDE 2105: worth ten games; one draw makes eleven, of which one was played
    field = [player(1, fide=ForeignRating(2105, date(2025, 8, 2))), player(2, 2000.0)]
    state = by_number(rated(section(field, games((1, 2, "1/2-1/2")))))[1].state
    assert (state.games, state.wins, state.draws, state.losses, state.assigned_games) == (11, 0, 1, 0, 10)
    # and the record is valid in the next event
    again = [replace(field[0], ratings={"OTBR": state}), player(2, 2000.0)]
    assert by_number(rated(section(again, games((1, 2, "1-0")), on=date(2025, 9, 1))))[1].values["prior_games"] == 11


def test_wins_and_draws_on_record_count_where_earlier_ones_are_unknown() -> None:
    """Unknown results count as none (readings 5), those of rated events count; without losses the history stays
    mixed.
    """
    state = by_number(rated(section([player(1, 130.0), player(2, 130.0)], games((1, 2, "1-0")))))[1].state
    assert (state.wins, state.draws, state.losses, state.games) == (1, 0, None, 41)
    lost = [player(1, ratings={"OTBR": replace(state, rating=101.0)}), *(player(each, 200.0) for each in (2, 3, 4))]
    again = section(lost, games((2, 1, "1-0"), (1, 3, "1-0"), (4, 1, "1-0")), on=date(2025, 9, 1))
    after = by_number(rated(again))[1]
    assert after.values["floor"] == 100 + 4 * 2 + 1  # two wins on record, one event of three games (2025 §5)
    assert (after.state.wins, after.state.draws, after.state.losses) == (2, 0, None)


@pytest.mark.clause("games.reentry")
def test_a_reentry_is_one_player() -> None:
    one = [player(1, 1600.0), player(2, 1500.0), player(3, 1550.0)]
    two = [player(1, 1600.0), player(2, 1500.0), player(3, 1550.0), player(4, 1600.0, id=one[0].id)]
    whole = rated(section(one, games((1, 2, "1-0"), (3, 1, "0-1"), (1, 2, "1/2-1/2"))))
    split = rated(section(two, games((1, 2, "1-0"), (3, 4, "0-1"), (4, 2, "1/2-1/2"))))
    assert {key: a.values for key, a in whole.items()} == {key: a.values for key, a in split.items()}


def test_reentries_with_different_records_are_an_error() -> None:
    field = [player(1, 1600.0), player(2, 1500.0), player(3, 1601.0, id="10000001")]
    with pytest.raises(EventRejected) as caught:
        rated(section(field, games((1, 2, "1-0"))))
    assert [finding.code for finding in caught.value.findings] == ["reentry-differs"]


@pytest.mark.clause("games.dual")
@pytest.mark.clause("pools.separate")
def test_dual_rating_starts_from_both_pre_event_ratings() -> None:
    both = {"OTBR": Rating(1700.0, 40), "OTBQ": Rating(1600.0, 40)}
    field = [player(1, ratings=both), player(2, 1650.0)]
    dual = rated(section(field, games((1, 2, "1-0")), time_control="G/60;d5"))
    slow = rated(section(field, games((1, 2, "1-0")), time_control="G/61;d5"))
    assert dual[1, "OTBR", 1].post == slow[1, "OTBR", 1].post
    # number 2 has no quick rating: it starts from the regular one before the event, 1650 on 10 games
    assert (dual[1, "OTBQ", 2].values["prior"], dual[1, "OTBQ", 2].values["prior_games"]) == (1650, 10)


@pytest.mark.clause("games.order")
def test_sections_chain_by_end_date_and_number() -> None:
    field = [player(1, 1600.0), player(2, 1500.0)]
    early = section(field, games((1, 2, "0-1")), number=2, on=date(2025, 8, 2))
    late = section(field, games((1, 2, "0-1")), number=1, on=date(2025, 8, 3))
    answers = rated(late, early)
    assert answers[2, "OTBR", 1].values["prior"] == 1600
    assert answers[1, "OTBR", 1].values["prior"] == answers[2, "OTBR", 1].post
    assert answers[1, "OTBR", 1].state.games == 42


@pytest.mark.clause("personal_floor.current-event")
def test_the_current_event_counts_for_the_personal_floor() -> None:
    # 2 wins, 1 draw, 1 loss so far on four games; now one draw and three losses: 100 + 8 + 2·2 + (0 + 1) = 113
    low = player(1, 120.0, 4, wins=2, draws=1, losses=1)
    field = [low, *(player(n, 900.0) for n in range(2, 6))]
    answer = by_number(rated(section(field, games((1, 2, "0-1"), (1, 3, "0-1"), (4, 1, "1-0"), (1, 5, "1/2-1/2")))))[1]
    assert answer.values["floor"] == 113


@pytest.mark.clause("earned_floor.peak")
@pytest.mark.clause("established.more-than-25")
def test_the_earned_floor_counts_established_ratings_before_the_event() -> None:
    losing = games((1, 2, "0-1"), (1, 3, "0-1"), (1, 4, "0-1"))
    others = [player(n, 1500.0) for n in range(2, 5)]

    def floor(**record: float) -> float:
        return by_number(rated(section([player(1, 1750.0, **record), *others], losing)))[1].values["floor"]

    assert floor(peak=1941.0) == 1700
    assert floor() == 1500  # only the present rating: 1750 − 200 = 1550
    assert floor(games=25, peak=1941.0) < 1200  # not established: a peak does not count
    answer = by_number(rated(section([player(1, 1701.0, peak=1941.0), *others], losing)))[1]
    assert (answer.post, answer.values["unfloored"] < 1700) == (1700, True)
    winning = games((1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"))
    state = by_number(rated(section([player(1, 1490.0, 24), *others], winning)))[1].state
    assert state.peak == state.rating  # 24 + 3 games: established now


def test_prize_and_life_master_floors_stand_in_the_record() -> None:
    losing = games((1, 2, "0-1"), (1, 3, "0-1"), (1, 4, "0-1"))
    others = [player(n, 1500.0) for n in range(2, 5)]
    assert by_number(rated(section([player(1, 1810.0, prize_floor=1800), *others], losing)))[1].post == 1800
    assert by_number(rated(section([player(1, 2205.0, life_master=True), *others], losing)))[1].post == 2200


@pytest.mark.clause("life_master.current-event")
def test_the_event_that_makes_a_life_master_ends_on_its_floor() -> None:
    """Readings 41: no list shows 2175 beside a floor of 2200. The 297th to 300th game above 2200 are lost."""
    field = [player(1, 2210.0, 400, games_above_2200=296), *(player(n, 2000.0, 400) for n in range(2, 6))]
    losing = games(*((1, n, "0-1") for n in range(2, 6)))
    answer = by_number(rated(section(field, losing)))[1]
    assert answer.values["unfloored"] < 2180
    assert (answer.values["floor"], answer.post, answer.state.life_master) == (2200, 2200, True)
    one_less = replace(field[0], ratings={"OTBR": replace(field[0].ratings["OTBR"], games_above_2200=295)})
    assert by_number(rated(section([one_less, *field[1:]], losing)))[1].values["floor"] == 2000
    assert compare([event(section(field, losing))], "as-written") == 5


@pytest.mark.clause("life_master.floor")
def test_300_games_above_2200_make_a_life_master() -> None:
    others = [player(n, 2100.0) for n in range(2, 5)]
    four = games((1, 2, "1-0"), (1, 3, "1/2-1/2"), (1, 4, "1-0"))
    state = by_number(rated(section([player(1, 2250.0, 400, games_above_2200=296), *others], four)))[1].state
    assert (state.games_above_2200, state.life_master) == (299, False)
    state = by_number(rated(section([player(1, 2250.0, 400, games_above_2200=297), *others], four)))[1].state
    assert (state.games_above_2200, state.life_master) == (300, True)
    state = by_number(rated(section([player(1, 2200.0, 400, games_above_2200=297), *others], four)))[1].state
    assert state.games_above_2200 == 297  # 2200 is not above 2200


@pytest.mark.clause("adjustments.ceiling")
def test_a_ceiling_applies_after_floors() -> None:
    others = [player(n, 1500.0) for n in range(2, 5)]
    winning = games((1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"))
    assert by_number(rated(section([player(1, 1490.0, ceiling=1500), *others], winning)))[1].post == 1500
    answer = by_number(rated(section([player(1, 1490.0, ceiling=1500, prize_floor=1600), *others], winning)))[1]
    assert (answer.values["floor"], answer.post) == (1600, 1500)


@pytest.mark.clause("storage.integers-before")
@pytest.mark.parametrize(("on", "whole"), [(date(2014, 8, 31), True), (date(2014, 9, 1), False)])
def test_whole_numbers_until_august_2014(on: date, whole: bool) -> None:
    field = [player(1, 1600.0), player(2, 1500.0)]
    answers = by_number(rated(section(field, games((1, 2, "1-0")), on=on)))
    up, down = answers[1].values["unfloored"], answers[2].values["unfloored"]
    if whole:
        assert answers[1].post == math.ceil(up)
        assert answers[2].post == math.floor(down)
    else:
        assert (answers[1].post, answers[2].post) == (up, down)
        assert answers[1].published == math.floor(up + 0.5)


def test_no_change_is_no_change_in_whole_numbers() -> None:
    # a draw between equals, twice: E = 1 exactly up to floating-point dust
    field = [player(1, 1503.0), player(2, 1503.0)]
    answers = by_number(rated(section(field, games((1, 2, "1/2-1/2"), (2, 1, "1/2-1/2")), on=date(2012, 1, 1))))
    assert [answers[n].post for n in (1, 2)] == [1503, 1503]


def test_half_k_counts_half_the_games() -> None:
    # K = 800/(2 N' + m), N' = min(40, 50/sqrt(1 + 700²/100000)) = 20.58
    field = [player(1, 1500.0), player(2, 1500.0)]
    answer = by_number(rated(section(field, games((1, 2, "1-0"), (2, 1, "0-1")), on=date(2005, 5, 5), weight="half")))[
        1
    ]
    effective = 50 / math.sqrt(1 + 700**2 / 100000)
    assert answer.values["k"] == pytest.approx(800 / (2 * effective + 2))
    assert answer.values["post_games"] == 41


@pytest.mark.clause("deciding_date.section-start")
@pytest.mark.clause("edition.by-date")
def test_the_date_that_decides() -> None:
    # a section that starts before and ends after 2017-06-01, when B went from 12 to 14 (event end: as practised)
    field = [player(1, 1500.0), *(player(n, 1700.0) for n in range(2, 6))]
    wins = games((1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "1-0"))
    part = section(field, wins, start=date(2017, 5, 30), end=date(2017, 6, 2))
    for profile, multiplier in (("as-written", 12), ("as-practised", 14)):
        answer = by_number(rated(part, profile=profile))[1]
        gain = answer.values["k"] * (4 - answer.values["expected"])
        assert answer.values["bonus"] == pytest.approx(gain - multiplier * 2)


def test_nothing_is_lost_between_players_and_order_of_the_file() -> None:
    field = [player(n, 1400.0 + 37 * n) for n in range(1, 7)]
    played = (
        Game(1, 1, 2, "1-0"),
        Game(1, 3, 4, "1/2-1/2"),
        Game(1, 5, 6, "0-1"),
        Game(2, 1, 3, "1-0"),
        Game(2, 2, 5, "1-0"),
    )
    there = section(field, played)
    back = section(field[::-1], played[::-1])
    assert {k: a.values for k, a in rated(there).items()} == {k: a.values for k, a in rated(back).items()}


def test_an_event_without_dates_is_a_finding() -> None:
    nowhen = Event("Test", None, None, (section([player(1, 1500.0)], (), start=None, end=None),))
    with pytest.raises(EventRejected) as caught:
        rate(nowhen)
    assert {finding.code for finding in caught.value.findings} == {"missing-date"}


def test_every_mistake_is_reported_in_one_run() -> None:
    field = [
        player(1, 1500.0, wins=3, draws=0, losses=0),
        player(2, float("nan")),
        player(3, -5.0),
        player(4, 1500.0, date=date(2026, 1, 1)),
        player(5, 1500.0, 0),
        player(6, ratings={"OTBR": Rating(1500.0)}),
    ]
    with pytest.raises(EventRejected) as caught:
        rate(event(section(field, games((1, 2, "1-0")), time_control="G/6O;d5")))
    codes = sorted(finding.code for finding in caught.value.findings)
    assert codes == [
        "counts-differ",
        "impossible-rating",
        "impossible-rating",
        "no-game-count",
        "rating-after-event",
        "unreadable-time-control",
    ]
    with pytest.raises(EventRejected) as caught:
        rate(event(section([*field[4:5], player(9, 1500.0)], games((5, 9, "1-0")))))
    assert [finding.code for finding in caught.value.findings] == ["zero-games"]
    with pytest.raises(EventRejected) as caught:
        rate(event(section([player(1, 1500.0)], games((1, 1, "1-0"), (1, 7, "1-0"), (1, 8, "2-0")))))
    assert sorted(f.code for f in caught.value.findings) == [
        "self-pairing",
        "unknown-player",
        "unknown-player",
        "unknown-result",
    ]


@pytest.mark.clause("pools.begin")
@pytest.mark.parametrize(
    ("mode", "control", "on", "system"),
    [
        ("otb", "G/5;d0", date(2013, 3, 1), "OTBB"),
        ("online", "G/5;d0", date(2014, 10, 1), "OLB"),
        ("online", "G/15;d0", date(2015, 3, 1), "OLQ"),
        ("online", "G/90;d0", date(2020, 6, 1), "OLR"),
    ],
)
def test_a_system_that_does_not_exist_yet_is_an_error(mode: str, control: str, on: date, system: str) -> None:
    field = [player(1), player(2)]
    assert (1, system, 1) in rated(section(field, games((1, 2, "1-0")), on=on, mode=mode, time_control=control))
    before = date.fromordinal(on.toordinal() - 1)
    if system == "OTBB":  # before OTB blitz, 5 to 10 is quick
        assert (1, "OTBQ", 1) in rated(section(field, games((1, 2, "1-0")), on=before, mode=mode, time_control=control))
        return
    with pytest.raises(EventRejected) as caught:
        rated(section(field, games((1, 2, "1-0")), on=before, mode=mode, time_control=control))
    assert [finding.code for finding in caught.value.findings] == ["not-ratable"]
