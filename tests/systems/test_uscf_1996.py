"""The system of the 1996 report: the numbers that it prints on K and floors, and the order of an event."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from crosstable.errors import CrosstableError, EventRejected, NoRulesOnDate
from crosstable.model import Event, ForeignRating, Player, Rating
from crosstable.rulebook import rulebook
from crosstable.systems import system
from crosstable.systems.privacy import public
from crosstable.systems.uscf_1996 import (
    EventPerformance,
    Uscf1996,
    floor_of,
    k_factor,
    may_appear_on_top_lists,
    released,
    scheduled,
)
from tests.derivations import shown_steps
from tests.systems.events_of_1996 import DAY, RULES, event, player


def rate(players: list[Player], games: list[tuple[int, int, str]], method: Uscf1996 | None = None, **more: object):
    rated = (method or Uscf1996()).rate(event(players, games, **more))
    return {answer.number: answer for answer in rated.answers}


# --- K of section 4 ---------------------------------------------------------------------------------------------------
@pytest.mark.clause("1996.k")
@pytest.mark.parametrize(
    ("rating", "games", "rounds", "k"),
    [
        (1500, 4, 4, 600 / 7),
        (1500, 15, 5, 600 / 19),  # N + m = 20 still
        (1500, 16, 5, 32),
        (2099, 100, 5, 32),
        (2100, 100, 5, 24),
        (2399, 100, 5, 24),
        (2400, 100, 5, 16),
        (2400, None, 5, 16),
    ],
)
def test_k_of_4_2(rating: float, games: int | None, rounds: int, k: float) -> None:
    assert k_factor(RULES, rating, games, rounds, "4.2") == pytest.approx(k)


def test_the_alternative_k() -> None:
    assert k_factor(RULES, 1500, 10, 6, "800") == 800 / 16
    assert k_factor(RULES, 1500, 16, 5, "800") == 32
    with pytest.raises(CrosstableError, match="no K of form 'other'"):
        k_factor(RULES, 1500, 10, 6, "other")


@pytest.mark.clause("1996.k-low-rated")
@pytest.mark.parametrize(
    ("rating", "games", "rounds", "k"),
    [
        (400, 50, 5, 600 / 12),  # N* = 8: "near 50 for an established rating of 400 or below"
        (100, 50, 5, 600 / 12),
        (600, 50, 5, 600 / 16),  # N* = 12: "around 38-40 for a 600-rated player"
        (600, 50, 4, 600 / 15),
        (900, 50, 5, 32),  # N* = 18, 18 + 5 > 20, R < 1000: no printed value (readings 16)
        (900, 50, 2, 600 / 19),
        (600, 6, 5, 600 / 10),  # N below N*
        (1500, None, 5, 32),
        (2250, 9, 4, 600 / 12),
    ],
)
def test_k_of_4_3(rating: float, games: int | None, rounds: int, k: float) -> None:
    assert k_factor(RULES, rating, games, rounds) == pytest.approx(k)


# --- floors -----------------------------------------------------------------------------------------------------------
@pytest.mark.clause("1996.floor")
@pytest.mark.clause("1996.floor-strict")
@pytest.mark.parametrize(
    ("peak", "floor"), [(1705, 1500), (1695, 1400), (1550, 0), (1700, 1400), (1600, 1300), (None, 0)]
)
def test_floor_of_the_motion(peak: float | None, floor: float) -> None:
    assert floor_of(RULES["floor"], peak) == floor


def test_a_floor_holds_in_an_event() -> None:
    loser = player(1, Rating(1502, games=60, peak=1705))
    answer = rate([loser, player(2, Rating(1300, games=60))], [(1, 2, "0-1")])[1]
    assert answer.values["unfloored"] < 1500
    assert (answer.post, answer.values["floor"]) == (1500, 1500)
    assert "raised" in shown_steps(answer)[-1].text


@pytest.mark.clause("1996.floor-attained")
def test_a_provisional_peak_gives_a_floor() -> None:
    """The motion: "a player's highest attained rating". 1705 on 8 games has the floor of 1500 (readings 33)."""
    loser = player(1, Rating(1505, games=8, wins=4, draws=0, losses=4, peak=1705))
    answer = rate([loser, player(2, Rating(1300, games=60))], [(1, 2, "0-1")])[1]
    assert (answer.post, answer.values["floor"]) == (1500, 1500)
    newer = player(1, Rating(1705, games=8, wins=4, draws=0, losses=4))
    assert rate([newer, player(2, Rating(1300, games=60))], [(1, 2, "0-1")])[1].state.peak == 1705


def test_a_nominal_rating_is_no_peak() -> None:
    """Four wins and nothing else (4.2): the rating is nominal, the games are saved, and there is no floor yet."""
    games = [(1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "1-0")]
    answer = rate([player(1), *(player(n, Rating(1800, games=60)) for n in range(2, 6))], games)[1]
    assert (answer.values["formula"], answer.state.peak) == ("nominal", None)


def test_a_schedule_lowers_and_abolishes_floors() -> None:
    steps = [{"from": date(1997, 1, 1), "drop": 300}, {"from": date(1998, 1, 1), "abolished": True}]
    book = scheduled(rulebook("uscf_1996"), steps, "our club's vote")
    floors = [floor_of(book.on(day)["floor"], 1705) for day in (DAY, date(1997, 6, 1), date(1998, 1, 1))]
    assert floors == [1500, 1400, 0]
    assert book.on(date(1998, 1, 1))["floor"].section == "our club's vote"
    assert scheduled(rulebook("uscf_1996"), []).on(DAY)["floor"]["drop"] == 200


def test_floors_before_the_motion() -> None:
    book = rulebook("uscf_1994")
    assert floor_of(book.on(date(1996, 1, 1))["floor"], 1450) == 1300  # the motion "drops the floors by 100 points"
    assert floor_of(book.on(DAY)["floor"], 1705) == 1600
    assert floor_of(book.on(DAY)["floor"], 1450) == 0  # floors below 1400 went in February 1996
    assert floor_of(book.on(DAY)["floor"], 1501) == 1400


# --- an event ---------------------------------------------------------------------------------------------------------
def test_established_players_among_themselves() -> None:
    """1500 beats 1500: 1500 + 32 x 0.5; the loser has a floor of 0 and loses as much."""
    answers = rate([player(1, Rating(1500, games=60)), player(2, Rating(1500))], [(1, 2, "1-0")])
    assert [answers[n].post for n in (1, 2)] == [1516, 1484]
    assert answers[1].values["k"] == 32
    assert answers[1].state.games == 61
    assert answers[2].state.games is None
    assert answers[1].state.peak == 1516


@pytest.mark.clause("1996.order")
def test_each_group_meets_the_new_ratings_of_those_before() -> None:
    """The newcomer comes first; the provisional player meets that new rating, the established one the provisional's."""
    players = [
        player(1, Rating(1600, games=99)),
        player(2, Rating(1500, games=10)),
        player(3),
        player(4, Rating(1700, games=99)),
    ]
    answers = rate(players, [(3, 4, "1/2-1/2"), (2, 3, "1-0"), (1, 2, "1-0")])
    newcomer = answers[3].post  # half a point from two games against 1700 and 1500
    assert newcomer == pytest.approx(1400)  # (R-1700)/800 + (R-1500)/800 + 1 = 0.5: R = 1400
    k = 600 / (10 + 2 - 1)
    expected = 1 / (1 + 10 ** ((1400 - 1500) / 400)) + 1 / (1 + 10 ** ((1600 - 1500) / 400))
    assert answers[2].post == pytest.approx(1500 + k * (1 - expected))
    we = 1 / (1 + 10 ** ((answers[2].post - 1600) / 400))
    assert answers[1].post == pytest.approx(1600 + 32 * (1 - we))


def test_every_first_rating_says_that_it_is_a_stand_in() -> None:
    answers = rate([player(1), player(2, Rating(1500, games=60))], [(1, 2, "1/2-1/2")])
    assert "stand-in" in " ".join(step.text for step in shown_steps(answers[1]) if step.title == "First rating")
    mine = EventPerformance("average", "our own choice", lambda *given: sum(given[1]) / len(given[1]) + 7)
    answers = rate([player(1), player(2, Rating(1500, games=60))], [(1, 2, "1/2-1/2")], Uscf1996(first=mine))
    assert answers[1].post == 1507
    assert "our own choice" in shown_steps(answers[1])[-2].text


@pytest.mark.clause("1996.perfect-scores")
def test_wins_only_are_saved_until_the_score_is_mixed() -> None:
    """Wins over 1400 and 1500 are nominally 1900. With a later loss to 1800 the three games count as one event:
    (R-1400)/800 + (R-1500)/800 + (R-1800)/800 + 1.5 = 2 without a limit gives 1700, within 400 of all three."""
    first = rate(
        [player(1), player(2, Rating(1400, games=60)), player(3, Rating(1500, games=60))],
        [(1, 2, "1-0"), (3, 1, "0-1")],
    )[1]
    assert (first.post, first.values["formula"]) == (1900, "nominal")
    assert first.state.pending == ((1400, 1.0), (1500, 1.0))
    second = rate([player(1, first.state), player(2, Rating(1800, games=60))], [(1, 2, "0-1")])[1]
    assert second.post == pytest.approx(1700)
    assert second.state.games == 3
    assert len(second.state.pending) == 3  # fewer than four games: still the unrated procedure
    third = rate([player(1, second.state), player(2, Rating(1700, games=60))], [(1, 2, "1/2-1/2")])[1]
    assert third.post == pytest.approx(1700)
    assert third.state.pending == ()


def test_without_saved_games_the_nominal_rating_speaks_for_them() -> None:
    """Nominal 1900 on four wins: four wins over 1500. A loss to 1900: 4(R-1500)/800 + 2 + (R-1900)/800 + 1/2 = 4."""
    state = Rating(1900, games=4, wins=4, draws=0, losses=0)
    answer = rate([player(1, state), player(2, Rating(1900, games=60))], [(1, 2, "0-1")])[1]
    assert answer.post == pytest.approx((4 * 1500 + 1900 + 1.5 * 800) / 5)


@pytest.mark.clause("1996.fewer-than-four-games")
def test_fewer_than_four_games_is_the_unrated_procedure() -> None:
    """Two mixed games at 1500 are two draws with 1500; two draws with 1600 beside them: 1550."""
    state = Rating(1500, games=2, wins=1, draws=0, losses=1)
    answer = rate([player(1, state), player(2, Rating(1600, games=60))], [(1, 2, "1/2-1/2"), (2, 1, "1/2-1/2")])[1]
    assert answer.post == pytest.approx(1550)
    assert answer.values["k"] is None


@pytest.mark.clause("1996.unrated-opponent")
def test_an_unrated_opponent_counts_by_conversion_else_by_age() -> None:
    """Age 10 by the stand-in: 300 + 50 x 10 = 800 (to the day of 365.25); adult 1300; nobody knows: 750."""
    child = player(2, birth_date=date(1986, 9, 1))
    answers = rate([player(1, adult=True), child], [(1, 2, "1/2-1/2")])
    assert answers[1].post == pytest.approx(300 + 50 * 3653 / 365.25)
    assert answers[2].post == pytest.approx(1300)
    master = player(2, fide=ForeignRating(2400))
    imputing = Uscf1996(convert_on_entry=False)
    assert rate([player(1), master], [(1, 2, "1/2-1/2")], imputing)[1].post == pytest.approx(2463)
    assert rate([player(1), player(2)], [(1, 2, "1/2-1/2")])[1].post == pytest.approx(750)


def test_the_public_form_tells_nobodys_age() -> None:
    """A draw with a ten-year-old newcomer gives that child's age-based rating; saved games would show it as well."""
    child = player(2, birth_date=date(1986, 9, 1))
    friends = event([player(1, adult=True), child], [(1, 2, "1/2-1/2")])
    shown = public(friends, Uscf1996().rate).answers[0]
    assert shown.published is None
    assert shown.values["post"] is None
    assert all("800" not in step.text for step in shown_steps(shown))
    assert shown.state.pending == ()
    won = event([child, player(3, Rating(1500, games=60))], [(2, 3, "1-0")])
    winner = public(won, Uscf1996().rate).answers[0]
    assert winner.published == 1900
    assert winner.state.pending == ((1500, 1.0),)  # the opponent's rating is nobody's age


@pytest.mark.clause("1996.converted")
def test_a_converted_rating_is_provisional_on_ten_games_fide_first() -> None:
    both = player(1, fide=ForeignRating(2250), cfc=ForeignRating(2440))
    answer = rate([both, player(2, Rating(2282, games=99))], [(1, 2, "1-0")])[1]
    assert (answer.prior, answer.values["k"]) == (2282, 600 / 10)
    assert answer.post == 2282 + 60 * 0.5
    assert answer.state.games == 11
    fallback = player(1, fide=ForeignRating(2100), cfc=ForeignRating(2440))  # FIDE 2100 is NA: the CFC rating converts
    assert rate([fallback, player(2, Rating(2282, games=99))], [(1, 2, "1-0")])[1].prior == 2445


@pytest.mark.clause("1996.fide-events")
def test_fide_events_weigh_a_quarter() -> None:
    """2200 beats FIDE 2250 = 2282: K = 24/4 = 6. The opponent has no USCF rating and gets none."""
    players = [
        player(1, Rating(2200, games=60)),
        player(2, fide=ForeignRating(2250)),
        player(3, fide=ForeignRating(2000)),
    ]
    rated = Uscf1996().rate(event(players, [(1, 2, "1-0"), (1, 3, "1-0")], kind="fide"))
    (answer,) = rated.answers
    assert answer.values["k"] == 6
    assert answer.post == pytest.approx(2200 + 6 * (1 - 1 / (1 + 10 ** (82 / 400))))
    assert answer.values["games"] == 1
    assert [finding.code for finding in rated.findings] == ["no-conversion"]


def test_half_k_events_weigh_half() -> None:
    answers = rate([player(1, Rating(1500, games=60)), player(2, Rating(1500))], [(1, 2, "1-0")], weight="half")
    assert answers[1].post == 1508


@pytest.mark.clause("1996.unplayed")
def test_unplayed_games_are_not_rated() -> None:
    players = [player(1, Rating(1500, games=60)), player(2, Rating(1500, games=60)), player(3, Rating(1500))]
    answers = rate(players, [(1, 2, "-/-"), (1, 3, "+/-"), (2, 3, "1/2-1/2")])
    assert sorted(answers) == [2, 3]


def test_a_re_entry_is_one_player() -> None:
    state = Rating(1500, games=60)
    again = replace(player(3, state), id="P1")
    answers = rate([player(1, state), player(2, Rating(1500)), again], [(1, 2, "0-1"), (3, 2, "1-0")])
    assert sorted(answers) == [1, 2]
    assert (answers[1].values["games"], answers[1].post) == (2, 1500)


def test_sections_follow_one_another() -> None:
    first = event([player(1, Rating(1500, games=60)), player(2, Rating(1500))], [(1, 2, "1-0")]).sections[0]
    both = Event("Two", DAY, DAY, (first, replace(first, number=2)))
    answers = Uscf1996().rate(both).answers
    assert (answers[2].number, answers[2].prior) == (1, 1516)


def test_findings_not_tracebacks() -> None:
    with pytest.raises(EventRejected, match="no player has the number 9") as caught:
        rate([player(1), player(2)], [(1, 9, "1-0"), (2, 2, "1-0")])
    assert [finding.code for finding in caught.value.findings] == ["unknown-player", "self-pairing"]
    with pytest.raises(NoRulesOnDate, match="1996-01-01"):
        Uscf1996().rules(date(1995, 12, 31))
    undated = replace(event([player(1), player(2)], []), start=None, end=None)
    undated = replace(undated, sections=(replace(undated.sections[0], start=None, end=None),))
    with pytest.raises(EventRejected, match="date is missing"):
        Uscf1996().rate(undated)


# --- prison -----------------------------------------------------------------------------------------------------------
@pytest.mark.clause("1996.prison-top-lists")
def test_prison_members_stand_on_no_top_list() -> None:
    assert not may_appear_on_top_lists(RULES, "prison")
    assert may_appear_on_top_lists(RULES, "regular")


@pytest.mark.clause("1996.prison-release")
def test_a_released_player_is_provisional_on_one_game() -> None:
    """One draw with 2600 stands for the past: losses to 2000, 2100 and 2200 beside it.
    Four games, score 0.5: (R-2600)/800 + (R-2000)/800 + (R-2100)/800 + (R-2200)/800 + 2 = 0.5 would give 1925, where
    2600 is more than 400 above: three games remain, 3R - 6300 + 1200 = 400: R = 1833.33."""
    state = released(RULES, Rating(2600, games=300, peak=2650, wins=290, draws=5, losses=5))
    assert (state.rating, state.games, state.peak) == (2600, 1, None)
    opponents = [player(n + 2, Rating(rating, games=60)) for n, rating in enumerate((2000, 2100, 2200))]
    answer = rate([player(1, state), *opponents], [(1, n, "0-1") for n in (2, 3, 4)])[1]
    assert answer.post == pytest.approx(5500 / 3)


# --- the system then in force -----------------------------------------------------------------------------------------
@pytest.mark.clause("1994.provisional-average")
@pytest.mark.clause("1994.k")
def test_the_system_then_in_force() -> None:
    """1500 on 6 games; a win over 1400, a loss to 1550, a draw with 1650: (6 x 1500 + 4600 + 0)/9 = 1511.11."""
    others = [player(n + 2, Rating(rating, games=60)) for n, rating in enumerate((1400, 1550, 1650))]
    players = [player(1, Rating(1500, games=6)), *others]
    games = [(1, 2, "1-0"), (1, 3, "0-1"), (1, 4, "1/2-1/2")]
    answers = {answer.number: answer for answer in system("uscf_1994").rate(event(players, games)).answers}
    assert answers[1].post == pytest.approx(13600 / 9)
    assert answers[1].published == 1511
    we = 1 / (1 + 10 ** ((13600 / 9 - 1550) / 400))
    assert answers[3].post == pytest.approx(1550 + 32 * (1 - we))
    newcomer = (
        system("uscf_1994").rate(event([player(1), player(2, Rating(1500, games=60))], [(1, 2, "1-0")])).answers[0]
    )
    assert newcomer.post == 1900
