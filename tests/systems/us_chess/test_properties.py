"""Laws that hold for every event, tried on many (hypothesis)."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crosstable.model import Game, Player, Rating, Section
from crosstable.systems.us_chess import coefficients_on
from crosstable.systems.us_chess.estimate import estimate, needed_for, with_history
from crosstable.systems.us_chess.formulas import (
    ALL_LOSSES,
    ALL_WINS,
    MIXED,
    special_rating,
    special_start,
    special_surplus,
)

from .builders import by_number, rated, section

POOLED, PRIOR = coefficients_on(date(2017, 5, 1)), coefficients_on(date(2025, 8, 1))
ratings = st.floats(100, 2900).map(lambda value: round(value, 3))
fields = st.lists(ratings, min_size=1, max_size=8)


@st.composite
def special_cases(draw: st.DrawFn, least_games: int = 1) -> tuple[float, float, int, float, list[float]]:
    """(prior, effective games, history, score, opponents)."""
    opponents = draw(fields)
    score = draw(st.integers(0, 2 * len(opponents))) / 2
    return (
        draw(ratings),
        float(draw(st.integers(least_games, 8))),
        draw(st.sampled_from([MIXED, ALL_WINS, ALL_LOSSES])),
        score,
        opponents,
    )


def special(rules, prior: float, effective: float, history: int, score: float, opponents: list[float]) -> float:
    return special_rating(rules, prior, effective, history, score, opponents, 0, len(opponents))


@given(special_cases(), ratings)
@settings(max_examples=400, deadline=None)
def test_a_win_never_lowers_a_special_rating(case, opponent: float) -> None:
    prior, effective, history, score, opponents = case
    before = special(PRIOR, *case)
    after = special(PRIOR, prior, effective, history, score + 1, [*opponents, opponent])
    assert after >= before - 1e-6


@given(special_cases(), ratings)
@settings(max_examples=400, deadline=None)
def test_a_loss_never_raises_a_special_rating(case, opponent: float) -> None:
    prior, effective, history, score, opponents = case
    before = special(PRIOR, *case)
    after = special(PRIOR, prior, effective, history, score, [*opponents, opponent])
    assert after <= before + 1e-6


@pytest.mark.clause("special.root")
@given(special_cases(least_games=0), st.sampled_from([POOLED, PRIOR]))
@settings(max_examples=600, deadline=None)
def test_the_special_rating_is_a_root_or_the_prior_between_knots(case, rules) -> None:
    prior, effective, history, score, opponents = case
    rating = special(rules, *case)
    start, points = special_start(rules, prior, effective, history, score)
    surplus = special_surplus(rules, rating, start, effective, points, opponents, 0, len(opponents))
    knots = {middle + side for middle in (start, *opponents) for side in (-400, 400)}
    assert rating == 2700 or abs(surplus) <= 1e-6 or min(abs(rating - knot) for knot in knots) < 1e-6


def shuffled(original: Section, seed: int) -> Section:
    order = random.Random(seed)
    players, games = list(original.players), list(original.games)
    order.shuffle(players)
    order.shuffle(games)
    return section(players, games, time_control=original.time_control)


@st.composite
def sections(draw: st.DrawFn) -> Section:
    """A Swiss of up to eight players, some unrated, some provisional, in a dual-rated control."""
    count = draw(st.integers(2, 8))
    players = []
    for number in range(1, count + 1):
        kind = draw(st.sampled_from(["unrated", "provisional", "established"]))
        games = 0 if kind == "unrated" else draw(st.integers(1, 25) if kind == "provisional" else st.integers(26, 900))
        record = {} if kind == "unrated" else {"OTBR": Rating(draw(ratings), games)}
        players.append(
            Player(
                number, f"1{number:07d}", ratings=record, adult=draw(st.booleans()), birth_date=date(1999, 1, number)
            )
        )
    games = []
    for round_number in range(1, draw(st.integers(1, 5)) + 1):
        order = draw(st.permutations(range(1, count + 1)))
        for white, black in zip(order[::2], order[1::2], strict=False):
            games.append(Game(round_number, white, black, draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "+/-"]))))
    return section(players, games, time_control="G/60;d5")


@given(sections(), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_the_order_of_players_and_games_in_the_file_does_not_matter(part: Section, seed: int) -> None:
    assert {key: a.values for key, a in rated(part).items()} == {
        key: a.values for key, a in rated(shuffled(part, seed)).items()
    }


@given(sections(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_relabelling_players_changes_nothing(part: Section, order: random.Random) -> None:
    numbers = [player.number for player in part.players]
    order.shuffle(numbers)
    label = dict(zip((player.number for player in part.players), numbers, strict=True))
    players = [
        Player(label[p.number], p.id, ratings=p.ratings, adult=p.adult, birth_date=p.birth_date) for p in part.players
    ]
    games = [Game(g.round, label[g.white], label[g.black], g.result) for g in part.games]
    for system in ("OTBR", "OTBQ"):
        here, there = (
            by_number(rated(part), system),
            by_number(rated(section(players, games, time_control="G/60;d5")), system),
        )
        assert {label[number] for number in here} == set(there)
        for number, answer in here.items():
            assert there[label[number]].post == pytest.approx(answer.post, abs=1e-9)
            assert there[label[number]].values["post_games"] == answer.values["post_games"]


@given(sections())
@settings(max_examples=60, deadline=None)
def test_nobody_ends_below_a_floor(part: Section) -> None:
    for answer in rated(part).values():
        assert answer.post >= answer.values["floor"] >= 100


@given(ratings, st.integers(0, 30), fields, st.sampled_from(["all-wins", "all-losses", "mixed"]), ratings)
@settings(max_examples=60, deadline=None)
def test_the_lowest_score_for_a_target_is_the_first_that_reaches_it(
    rating: float, games: int, opponents: list[float], history: str, target: float
) -> None:
    """And half a point more never gives a lower rating."""
    day = date(2025, 8, 1)
    record = with_history(Rating(rating, games, day, wins=0, draws=games, losses=0), history)
    after = [estimate(record, opponents, half / 2, day).published for half in range(2 * len(opponents) + 1)]
    assert after == sorted(after)
    found = needed_for(target, record, opponents, day, pool="OTBR", dual=False)
    assert (found.score if found else None) == next((at / 2 for at, one in enumerate(after) if one >= target), None)
