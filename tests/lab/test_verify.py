"""`lab verify` on small records whose numbers are worked out here, and on a chain of rated events."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from crosstable.lab import recompute, record
from crosstable.lab.verify import recomputed
from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.systems.us_chess import rate
from tests.lab.records import DAY, DOWN, K_1500, UP, Tables, expectancy, one_game, only, two_at_1500


def test_established_players_are_exact(tmp_path: Path) -> None:
    tables = Tables()
    two_at_1500(tables)
    assert (UP, DOWN) == (1518, 1482)
    row = only(tables.verified(tmp_path).rows())
    assert row == {
        "year": 2012,
        "pool": "OTBR",
        "class": "standard",
        "decidable": True,
        "n": 2,
        "exact": 2,
        "within_one": 2,
        "floored": 0,
    }


@pytest.mark.parametrize(("winner", "exact", "within_one"), [(UP + 1, 1, 2), (UP - 7, 1, 1)])
def test_misses_are_counted_and_listed(tmp_path: Path, winner: int, exact: int, within_one: int) -> None:
    tables = Tables()
    two_at_1500(tables, winner=winner)
    found = tables.verified(tmp_path)
    row = only(found.rows())
    assert (row["n"], row["exact"], row["within_one"]) == (2, exact, within_one)
    miss = only(found.misses())
    assert (miss["player"], miss["difference"], miss["reason"]) == (11, winner - UP, "unexplained")


def test_a_floor_that_nobody_can_know_is_neither_match_nor_miss(tmp_path: Path) -> None:
    tables = Tables()
    two_at_1500(tables, loser=1500)
    row = only(tables.verified(tmp_path).rows())
    assert (row["n"], row["exact"], row["floored"]) == (1, 1, 1)


def test_a_floor_that_the_record_shows_is_applied(tmp_path: Path) -> None:
    """1700 reached in March 2012 earns 1500: the loser of a game at 1500 stays there."""
    tables = Tables()
    tables.section(1, on=DAY)
    tables.entry(1, 1, 12, regular=(1695, None, 1700, None))
    tables.entry(1, 2, 13, regular=(None, None, 1000, 1))
    tables.played(1, (1, 2, 2))
    two_at_1500(tables, 2, loser=1500, on=DAY + timedelta(days=7))
    row = only(tables.verified(tmp_path).rows())
    assert (row["n"], row["exact"], row["floored"]) == (2, 2, 0)


def special_record(games_before: int) -> Tables:
    """A newcomer with a win, a draw and two losses; then one win on 1000 over an established 1200."""
    tables = Tables()
    tables.section(1, on=DAY)
    tables.entry(1, 1, 11, regular=(None, None, 1000, games_before))
    tables.entry(1, 2, 12, regular=(1200, None, 1200, None))
    tables.played(1, (1, 2, 2), (1, 2, 1), (1, 2, 0), (1, 2, 0))
    k = 800 / (50 / math.sqrt(1 + 10) + 1)
    first = 1200 - k * expectancy(1200, 1000)
    # 4 games at 1000 and one win: 4(0.5 + (R − 1000)/800) + 0.5 + (R − first)/800 = 4/2 + 1, so 5 R = 4000 + first +
    # 400
    special = (4000 + first + 400) / 5
    assert special - first < 400
    # Step 5 of the loser sees the winner's Step 4: the same formula against 1200
    fall = 1200 - k * expectancy(1200, (4000 + 1200 + 400) / 5)
    tables.section(2, on=DAY + timedelta(days=1))
    tables.entry(2, 1, 11, regular=(1000, games_before, math.ceil(special), games_before + 1))
    tables.entry(2, 2, 12, regular=(1200, None, math.floor(fall), None))
    tables.played(2, (1, 2, 2))
    return tables


def test_special_ratings_and_what_the_record_must_hold(tmp_path: Path) -> None:
    rows = special_record(4).verified(tmp_path).rows().to_dicts()
    assert [(row["class"], row["decidable"], row["n"], row["exact"]) for row in rows] == [
        ("special", True, 1, 1),
        ("standard", True, 1, 1),
    ]


def test_a_history_with_a_hole_is_not_decidable(tmp_path: Path) -> None:
    rows = special_record(6).verified(tmp_path).rows().to_dicts()
    assert [(row["class"], row["decidable"]) for row in rows] == [("special", False), ("standard", False)]


def test_all_wins_so_far(tmp_path: Path) -> None:
    """Ten wins so far: still the special formula, and the prior is a win over somebody 400 points below."""
    tables = Tables()
    tables.section(1, on=DAY)
    tables.entry(1, 1, 11, regular=(None, None, 1300, 10))
    tables.entry(1, 2, 12, regular=(1200, None, 1200, None))
    tables.played(1, *[(1, 2, 2)] * 10)
    # N' = 10 (N* of 1300 is 16.6), R'0 = 900, S' = 11: f is 0 from 1600 on, where all are beaten for certain; a win
    # changes 1300 to the nearest knot above, max(900, opponent) + 400, with the opponent's Step 4 rating below 1200
    k = 800 / (50 / math.sqrt(1 + 10) + 1)
    first = 1200 - k * expectancy(1200, 1300)
    tables.section(2, on=DAY + timedelta(days=1))
    tables.entry(2, 1, 11, regular=(1300, 10, math.ceil(first + 400), 11))
    tables.entry(2, 2, 12, regular=(1200, None, math.floor(1200 - k * expectancy(1200, 1600)), None))
    tables.played(2, (1, 2, 2))
    rows = tables.verified(tmp_path).rows().to_dicts()
    assert [(row["class"], row["n"], row["exact"]) for row in rows] == [("special", 1, 1), ("standard", 1, 1)]


def test_an_unbroken_chain_counts_the_games_of_an_established_player(tmp_path: Path) -> None:
    """At 1900 N* is 36.3 (before May 2013), but this player has 27 games: 25 and 2 more in the record."""
    tables = Tables()
    tables.section(1, on=DAY)
    tables.entry(1, 1, 11, regular=(1905, 25, 1900, None))
    tables.entry(1, 2, 12, regular=(None, None, 1000, 2))
    tables.played(1, (1, 2, 2), (1, 2, 1))
    rise, fall = one_game(1900, 1500, 800 / (27 + 1), K_1500)
    tables.section(2, on=DAY + timedelta(days=1))
    tables.entry(2, 1, 11, regular=(1900, None, math.ceil(rise), None))
    tables.entry(2, 2, 13, regular=(1500, None, math.floor(fall), None))
    tables.played(2, (1, 2, 2))
    assert math.ceil(rise) != math.ceil(one_game(1900, 1500, 800 / (50 / math.sqrt(1.9) + 1), K_1500)[0])
    row = only(tables.verified(tmp_path).rows())
    assert (row["decidable"], row["n"], row["exact"]) == (True, 2, 2)


def test_a_published_rating_shows_how_few_games_a_player_has(tmp_path: Path) -> None:
    """1900 with 28 games: the first event is a miss (taken as many), and from the second on the number is known."""
    tables = Tables()
    pre = 1900
    for place in range(3):
        k = 800 / (28 + place + 1)
        rise, fall = one_game(pre, 1500, k, K_1500)
        tables.section(place + 1, on=DAY + timedelta(days=place))
        tables.entry(place + 1, 1, 11, regular=(pre, None, math.ceil(rise), None))
        tables.entry(place + 1, 2, 12 + place, regular=(1500, None, math.floor(fall), None))
        tables.played(place + 1, (1, 2, 2))
        pre = math.ceil(rise)
    found = tables.verified(tmp_path)
    mine = found.ratings.filter(pl.col("player") == 11).sort("section")
    assert (mine["computed"] == mine["published"]).to_list()[1:] == [True, True]


def test_a_count_above_25_says_that_all_games_were_lost(tmp_path: Path) -> None:
    """28 losses, still shown as a count: one more against somebody 400 points and more above changes nothing."""
    tables = Tables()
    tables.section(1)
    tables.entry(1, 1, 11, regular=(500, 28, 500, 29))
    tables.entry(1, 2, 12, regular=(1500, None, 1501, None))
    tables.played(1, (1, 2, 0))
    rows = {row["class"]: row for row in tables.verified(tmp_path).rows().to_dicts()}
    # the winner gains K_1500 × We(500, 1500), which is 0.12 points: away from 1500 is 1501
    assert 0 < K_1500 * expectancy(500, 1500) < 1
    assert rows["special"]["exact"] == rows["standard"]["exact"] == 1


def test_a_reentry_is_one_player(tmp_path: Path) -> None:
    """A win and a loss against the same 1500: score and expectation are even, so nobody moves."""
    tables = Tables()
    tables.section(1)
    tables.entry(1, 1, 11, regular=(1500, None, 1500, None))
    tables.entry(1, 2, 12, regular=(1500, None, 1500, None))
    tables.entry(1, 3, 11, regular=(1500, None, 1500, None))
    tables.played(1, (1, 2, 2), (2, 3, 2))
    row = only(tables.verified(tmp_path).rows())
    assert (row["n"], row["exact"]) == (2, 2)


def test_a_match_moves_a_rating_by_fifty_at_most(tmp_path: Path) -> None:
    tables = Tables()
    tables.section(1, kind="M")
    tables.entry(1, 1, 11, regular=(1500, None, 1550, None))
    tables.entry(1, 2, 12, regular=(1500, None, 1450, None))
    tables.played(1, *[(1, 2, 2)] * 6)
    row = only(tables.verified(tmp_path).rows())
    assert (row["n"], row["exact"]) == (2, 2)


def test_matches_of_half_a_year_add_up(tmp_path: Path) -> None:
    """50 and 50 within 180 days: a third match has nothing left; another 50 in the same event as the second may still
    be had.
    """
    tables = Tables()
    for number, (days, change) in enumerate([(0, 50), (30, 50), (30, 50), (60, 0), (400, 50)], 1):
        tables.section(number, on=DAY + timedelta(days=days), kind="M")
        tables.entry(number, 1, 11, regular=(1300, None, 1300 + change, None))
        tables.entry(number, 2, 12 + number, regular=(1300, None, 1250, None))
        tables.played(number, *[(1, 2, 2)] * 6)
    rows = tables.verified(tmp_path).rows()
    assert (rows["n"].sum(), rows["exact"].sum()) == (10, 10)


def test_dual_sections_are_rated_twice_and_by_full_k_before_may_2013(tmp_path: Path) -> None:
    """Above 2200 N* is 50: K = 800/51 as practised in 2012, in both ratings."""
    rise, fall = one_game(2400, 2400, 800 / 51, 800 / 51)
    tables = Tables()
    tables.section(1, system="D")
    ratings = {word: (2400, None, math.ceil(rise), None) for word in ("regular", "quick")}
    tables.entry(1, 1, 11, **ratings)
    tables.entry(1, 2, 12, **{word: (2400, None, math.floor(fall), None) for word in ratings})
    tables.played(1, (1, 2, 2))
    rows = tables.verified(tmp_path).rows().to_dicts()
    assert [(row["pool"], row["decidable"], row["n"], row["exact"]) for row in rows] == [
        ("OTBQ", False, 2, 2),
        ("OTBR", False, 2, 2),
    ]


def test_the_smaller_k_of_2013_is_for_regular_ratings(tmp_path: Path) -> None:
    """From 2013-05-18 on K of a regular 2400 is 800(6.5 − 6)/51 in a dual-rated section; quick keeps 800/51."""
    regular, quick = one_game(2400, 2400, 400 / 51, 400 / 51), one_game(2400, 2400, 800 / 51, 800 / 51)
    tables = Tables()
    tables.section(1, system="D", on=date(2013, 5, 18))
    posts = {"regular": regular, "quick": quick}
    tables.entry(1, 1, 11, **{word: (2400, None, math.ceil(post[0]), None) for word, post in posts.items()})
    tables.entry(1, 2, 12, **{word: (2400, None, math.floor(post[1]), None) for word, post in posts.items()})
    tables.played(1, (1, 2, 2))
    rows = tables.verified(tmp_path).rows()
    assert (rows["n"].sum(), rows["exact"].sum()) == (4, 4)


def test_effective_games_go_by_the_sections_own_end(tmp_path: Path) -> None:
    tables = Tables()
    two_at_1500(tables, on=date(2013, 6, 27), end=date(2013, 5, 11))  # K_1500 is the old one
    row = only(tables.verified(tmp_path).rows())
    assert (row["n"], row["exact"]) == (2, 2)


def test_half_k_stands_apart(tmp_path: Path) -> None:
    half = 800 / (2 * 50 / math.sqrt(1 + 4.9) + 1)
    rise, fall = one_game(1500, 1500, half, half)
    tables = Tables()
    two_at_1500(tables, winner=math.ceil(rise), loser=math.floor(fall), on=date(2006, 1, 8), k="H")
    found = tables.verified(tmp_path)
    assert found.rows().is_empty()
    row = only(found.other())
    assert (row["k"], row["n"], row["exact"]) == ("H", 2, 2)


@pytest.mark.parametrize("change", [{"kind": "Time"}, {"kind": None}, {"k": "X"}, {"k": None}, {"system": "Z"}])
def test_codes_that_we_do_not_know_are_passed_over(tmp_path: Path, change: dict[str, Any]) -> None:
    tables = Tables()
    two_at_1500(tables, 1, **change)
    two_at_1500(tables, 2)
    assert only(tables.verified(tmp_path).rows())["n"] == 2


def test_unrated_and_unlisted_opponents_are_passed_over(tmp_path: Path) -> None:
    tables = Tables()
    two_at_1500(tables, 1)
    tables.entry(1, 3, 13, regular=(None, None, 900, 1))
    tables.played(1, (1, 3, 2))
    two_at_1500(tables, 2)
    tables.played(2, (1, 9, 2))
    two_at_1500(tables, 3, on=date(2000, 12, 31))  # before the first rules
    assert tables.verified(tmp_path).rows().is_empty()


def test_dates_are_event_ends(tmp_path: Path) -> None:
    tables = Tables()
    for number, day in enumerate((date(2011, 12, 31), date(2012, 1, 1), date(2012, 1, 2)), 1):
        two_at_1500(tables, number, on=day)
    found = tables.verified(tmp_path, date(2012, 1, 1), date(2012, 1, 1))
    assert found.ratings["section"].unique().to_list() == [2]


def test_plain_and_compiled_are_the_same(tmp_path: Path) -> None:
    tables = special_record(4)
    chain_of_events(tables, 10, seed=7, first=3)
    found = record.read(tables.write(tmp_path))
    for plain, compiled in zip(recomputed(found, kernel=recompute), recomputed(found), strict=True):
        assert np.array_equal(plain, compiled, equal_nan=True)


# ── Since 2014-09-01: published whole numbers hide the decimals
# ────────────────────────────────────────────────────────────
def published(rating: float) -> int:
    return math.floor(rating + 0.5)


def chain_of_events(tables: Tables, rounds: int, seed: int, first: int = 1) -> None:
    """Thirty players far below the floors, all whole numbers in September 2014, then event after event rated by `rate`
    with all decimals kept.
    """
    chance = random.Random(seed)
    states = {member: Rating(chance.randrange(400, 1100), 100, wins=40, draws=20, losses=40) for member in range(1, 31)}
    for number in range(first, first + rounds):
        day = date(2014, 9, 1) + timedelta(days=3 * number)
        members = chance.sample(sorted(states), 8)
        players = [
            Player(place, f"1{member:07d}", f"P{member}", ratings={"OTBR": states[member]})
            for place, member in enumerate(members, 1)
        ]
        pairs = [(chance.sample(range(1, 9), 8), turn) for turn in (1, 2, 3)]
        games = [
            Game(turn, order[i], order[i + 1], chance.choice(("1-0", "0-1", "1/2-1/2")))
            for order, turn in pairs
            for i in range(0, 8, 2)
        ]
        section = Section(1, "Open", day, day, tuple(players), tuple(games), time_control="G/120;d5")
        answers = {a.number: a for a in rate(Event("Chain", day, day, (section,)), "as-practised").answers}
        tables.section(number, on=day)
        for place, member in enumerate(members, 1):
            pre, post = states[member].rating, answers[place].post
            tables.entry(number, place, member, regular=(published(pre), None, published(post), None))
            states[member] = answers[place].state
        worth = {"1-0": 2, "0-1": 0, "1/2-1/2": 1}
        for game in games:
            half = worth[game.result]
            low, high = sorted((game.white, game.black))
            tables.played(number, (low, high, half if low == game.white else 2 - half))


def test_decimals_are_recovered_along_a_players_own_chain(tmp_path: Path) -> None:
    tables = Tables()
    chain_of_events(tables, 60, seed=2014)
    row = only(tables.verified(tmp_path).rows().group_by("pool").agg(pl.col("n", "exact").sum()))
    assert row["n"] > 400
    assert row["exact"] == row["n"]


def test_without_the_chain_they_are_within_one(tmp_path: Path) -> None:
    """Every other section withheld: what a player did there is seen only in the next published rating."""
    tables = Tables()
    chain_of_events(tables, 60, seed=2015)
    tables.sections = tables.sections[1::2]
    kept = {row["section"] for row in tables.sections}
    tables.entries = [row for row in tables.entries if row["section"] in kept]
    tables.games = [row for row in tables.games if row["section"] in kept]
    rows = tables.verified(tmp_path).rows()
    assert rows["within_one"].sum() == rows["n"].sum() > 200
