"""The St. Charles document, sentence by sentence."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.errors import EventRejected, RulebookError
from crosstable.model import Game, Player, Rating
from crosstable.rulebook import build, rulebook
from crosstable.systems.st_charles import SYSTEM, StCharles
from crosstable.words.system_steps import club_game
from tests.derivations import shown_steps
from tests.systems.small_events import entrants, event, posts

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


def changes(own: float, opponent: float, result: float) -> tuple[float, float]:
    mine, theirs = SYSTEM.score(own, opponent, result)
    return mine.post - own, theirs.post - opponent


@pytest.mark.clause("st-charles.difference")
@pytest.mark.parametrize(
    ("result", "own", "opponent"),
    [(WIN, 25, -25), (LOSS, -17, 17), (DRAW, 4, -4)],  # the document's three examples: an opponent 100 points higher
)
def test_the_worked_examples(result: float, own: float, opponent: float) -> None:
    assert changes(500, 600, result) == (own, opponent)


@pytest.mark.clause("st-charles.within-12")
@pytest.mark.parametrize("gap", range(-12, 13))
def test_within_12_points_players_are_equal(gap: int) -> None:
    assert changes(600, 600 + gap, WIN) == (21, -21)
    assert changes(600, 600 + gap, DRAW) == (0, 0)


@pytest.mark.clause("st-charles.within-12")
def test_13_points_are_not_equal() -> None:
    assert changes(600, 613, WIN) == (22, -22)  # 13/25 = 0.52, nearest 1
    assert changes(600, 587, DRAW) == (-1, 1)


@pytest.mark.clause("st-charles.winner-gains")
@pytest.mark.clause("st-charles.loser-loses")
def test_a_winner_gains_and_a_loser_loses_at_least_two() -> None:
    assert changes(1000, 525, WIN) == (2, -2)  # 21 - 475/25 = 2
    assert changes(1000, 500, WIN) == (2, -2)  # 21 - 20 = 1
    assert changes(1500, 400, WIN) == (2, -2)  # 21 - 44 = -23


@pytest.mark.clause("st-charles.at-most-41")
def test_nobody_moves_more_than_41() -> None:
    assert changes(400, 900, WIN) == (41, -41)  # 21 + 500/25 = 41
    assert changes(400, 1000, WIN) == (41, -41)  # 21 + 24 = 45
    assert changes(400, 1500, DRAW) == (41, -41)  # 1100/25 = 44, and the limit binds draws too (reading 20)


@pytest.mark.clause("st-charles.floor")
def test_nobody_falls_under_300_while_the_winner_still_gains() -> None:
    assert changes(310, 310, LOSS) == (-10, 21)
    assert changes(300, 300, LOSS) == (0, 21)


@given(own=st.integers(300, 2500), opponent=st.integers(300, 2500), result=st.sampled_from([WIN, DRAW, LOSS]))
def test_points_add_up_to_nothing_except_at_the_floor(own: int, opponent: int, result: float) -> None:
    mine, theirs = SYSTEM.score(own, opponent, result)
    assert mine.limited == -theirs.limited
    if own + mine.limited >= 300 and opponent + theirs.limited >= 300:
        assert (mine.post - own) + (theirs.post - opponent) == 0
    else:
        assert 300 in (mine.post, theirs.post)
    assert float(mine.post).is_integer()


@pytest.mark.clause("st-charles.start")
@pytest.mark.clause("st-charles.status")
def test_a_newcomer_starts_at_400_and_earns_trust() -> None:
    rated = SYSTEM.rate(event(entrants("CLUB", [None, None]), [Game(1, 1, 2, "1-0")]))
    assert posts(rated.answers) == {1: 421, 2: 379}
    assert [SYSTEM.status(games) for games in (0, 4, 5, 9, 10)] == [
        "tentative",
        "tentative",
        "official",
        "official",
        "official",
    ]
    assert rated.answers[0].values["status"] == "tentative"


@pytest.mark.clause("st-charles.settling")
def test_from_5_to_10_games_a_rating_is_official_and_still_settling() -> None:
    assert [SYSTEM.mark(games) for games in (0, 4, 5, 9, 10)] == [
        "tentative",
        "tentative",
        "still settling",
        "still settling",
        "",
    ]
    players = entrants("CLUB", [Rating(500, games=4), Rating(500, games=9)])
    first, second = SYSTEM.rate(event(players, [Game(1, 1, 2, "1/2-1/2")])).answers
    assert shown_steps(first)[-1].text == "500 +0 = 500 after 5 club games (official, still settling)"
    assert shown_steps(second)[-1].text == "500 +0 = 500 after 10 club games (official)"
    assert [(one.values["status"], one.values["mark"]) for one in (first, second)] == [
        ("official", "still settling"),
        ("official", ""),
    ]


def test_games_count_one_at_a_time_in_round_order() -> None:
    players = entrants("CLUB", [Rating(500, games=4), Rating(600, games=9), Rating(525, games=9)])
    # round 1: 500 beats 600 (+25); round 2: now 525 beats 525 (+21). The file has them the other way round.
    rated = SYSTEM.rate(event(players, [Game(2, 3, 1, "0-1"), Game(1, 1, 2, "1-0")]))
    assert posts(rated.answers) == {1: 546, 2: 575, 3: 504}
    assert [answer.state.games for answer in rated.answers] == [6, 10, 10]


def test_one_friendly_sentence() -> None:
    def said(own: float, opponent: float, result: float) -> str:
        return club_game(SYSTEM.game(own, opponent, result), "Sam")

    assert said(500, 600, WIN) == "You beat Sam, who was 100 points higher: 21 + 4 = 25."
    assert said(500, 600, LOSS) == "You lost to Sam, who was 100 points higher: -21 + 4 = -17."
    assert "21 - 44 = -23, but a winner always gains at least 2: 2." in said(1500, 400, WIN)
    assert said(310, 310, LOSS).endswith("-21, and no rating falls below 300.")


def test_a_rating_under_the_floor_is_an_error() -> None:
    with pytest.raises(EventRejected, match="under the floor of 300"):
        SYSTEM.rate(event(entrants("CLUB", [Rating(299), None]), [Game(1, 1, 2, "1-0")]))


def test_another_club_changes_the_numbers_in_a_file() -> None:
    text = """
    title = "Riverside School"
    first = 2020-01-01
    [document]
    ours = "The school's notice board"
    [rule.start]
    title = "Start"
    says = "{rating}"
    fields = { rating = "integer" }
    value = [{ from = 2020-01-01, document = "ours", section = "1", rating = 1000 }]
    [rule.formula]
    title = "Points"
    says = "{at_risk}"
    fields = { at_risk = "number", divisor = "number", rounding = "text", largest_difference = "number?" }
    value = [{ from = 2020-01-01, document = "ours", section = "2", at_risk = 10, divisor = 50, rounding = "nearest" }]
    """
    index = tomllib.loads(text)
    club = StCharles(build("riverside", index, index.pop("rule")))
    rated = club.rate(event(entrants("CLUB", [None, Rating(1100)]), [Game(1, 1, 2, "1-0")]))
    assert posts(rated.answers) == {1: 1012, 2: 1088}  # 10 + 100/50
    assert club.title == "Riverside School"


def test_cxr_is_the_same_with_its_own_numbers() -> None:
    cxr = StCharles(rulebook("cxr"))
    mine, theirs = cxr.score(1800, 1900, WIN)
    assert (mine.post, theirs.post) == (1825, 1875)  # the example of the public page
    with pytest.raises(EventRejected, match="no starting rating"):
        cxr.rate(event(entrants("CLUB", [None, Rating(1500)]), [Game(1, 1, 2, "1-0")]))
    with pytest.raises(RulebookError, match="no starting rating"):
        cxr.start(Player(1, "x"), date(2020, 1, 1))


@pytest.mark.parametrize(("gap", "j"), [(0, 0), (24, 0), (25, 1), (299, 11), (300, 12), (800, 12)])
def test_harkness_is_16_and_a_point_per_25(gap: int, j: int) -> None:
    harkness = StCharles(rulebook("harkness"))
    favourite, underdog = harkness.score(1500 + gap, 1500, WIN)
    assert (favourite.limited, underdog.limited) == (16 - j, j - 16)
    favourite, underdog = harkness.score(1500 + gap, 1500, LOSS)
    assert (favourite.limited, underdog.limited) == (-16 - j, 16 + j)
    assert harkness.score(1500 + gap, 1500, DRAW)[0].limited == -j
