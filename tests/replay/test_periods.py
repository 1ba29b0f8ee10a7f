"""The array loops against `rate`, event by event: one truth at two speeds, compiled or not."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from importlib import resources

import numpy as np
import pytest

from crosstable.model import Event, Game, Player, Rating, Section
from crosstable.replay import aga as aga_replay
from crosstable.replay import club as club_replay
from crosstable.replay import elo as elo_replay
from crosstable.replay import fide as fide_replay
from crosstable.replay import glicko as glicko_replay
from crosstable.replay.periods import Opening, Periods, WrongHistory, history
from crosstable.rulebook import build, rulebook
from crosstable.systems import RatingSystem, aga, elo, fide, glicko, glicko2, st_charles

PLAYERS = 24
FIRST = date(2022, 2, 1)
RESULTS = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}


def random_history(seed: int, periods: int = 18, games: int = 14, draws: bool = True) -> Periods:
    """Periods about 80 days apart, so that FIDE's three texts all get their turn."""
    rng = np.random.default_rng(seed)
    total = periods * games
    white = rng.integers(0, PLAYERS, total)
    black = (white + rng.integers(1, PLAYERS, total)) % PLAYERS
    score = rng.choice([0.0, 0.5, 1.0] if draws else [0.0, 1.0], total)
    days = FIRST.toordinal() + np.cumsum(rng.integers(60, 100, periods))
    return history(white, black, score, np.repeat(np.arange(periods), games), days)


def event_of(
    past: Periods, period: int, players: Sequence[Player], games: Callable[[int], Game] | None = None
) -> Event:
    day = date.fromordinal(int(past.day[period]))
    first = int(past.first[period])
    drawn = tuple(
        games(game) if games else Game(game - first + 1, *_pair(past, game), RESULTS[float(past.score[game])])
        for game in range(first, int(past.first[period + 1]))
    )
    return Event("Period", day, day, (Section(1, "Open", day, day, tuple(players), drawn),))


def _pair(past: Periods, game: int) -> tuple[int, int]:
    return int(past.white[game]) + 1, int(past.black[game]) + 1


def rate_all(system: RatingSystem, past: Periods, states: dict[int, Rating] | None = None) -> dict[int, Rating]:
    """Event by event with `rate`, states carried on."""
    now = dict(states or {})
    key = system.pools[0]  # without a time control FIDE's is the standard one
    for period in range(len(past.day)):
        players = [
            Player(number + 1, f"id{number}", ratings={key: now[number]} if number in now else {})
            for number in range(past.players)
        ]
        for answer in system.rate(event_of(past, period, players)).answers:
            now[answer.number - 1] = answer.state
    return now


def with_a_schedule() -> elo.Elo:
    text = resources.files("crosstable.rulebook").joinpath("elo.toml").read_text(encoding="utf-8")
    lines = "{ games_below = 8, k = 40 }, { rating_below = 1520, k = 20 }, { k = 10 }"
    index = tomllib.loads(text.replace("[{ k = 32 }]", f"[{lines}]"))
    return elo.Elo(build("elo", index, index.pop("rule")))


@pytest.mark.parametrize(
    "system", [elo.SYSTEM, elo.Elo(k=24, curve="normal", scale=200 * math.sqrt(2)), with_a_schedule()]
)
def test_elo(system: elo.Elo) -> None:
    past = random_history(1)
    rated = rate_all(system, past)
    fast = elo_replay.replay(past, system, predict=True)
    slow = elo_replay.replay(past, system, predict=True, fast=False)
    assert fast.rating == pytest.approx(slow.rating, abs=1e-12)
    assert fast.predictions == pytest.approx(slow.predictions, abs=1e-15)
    for player, state in rated.items():
        assert fast.rating[player] == pytest.approx(state.rating, abs=1e-9)
        assert fast.games[player] == state.games


@pytest.mark.parametrize("book", ["st_charles", "cxr", "harkness"])
def test_club(book: str) -> None:
    past = random_history(2)
    system = st_charles.StCharles(rulebook(book))
    begin = np.linspace(400, 900, past.players).round()
    rated = rate_all(system, past, {player: Rating(float(rating), games=0) for player, rating in enumerate(begin)})
    fast = club_replay.replay(past, system, Opening(begin))
    slow = club_replay.replay(past, system, Opening(begin), fast=False)
    assert fast.rating.tolist() == slow.rating.tolist()
    assert [rated[player].rating for player in range(past.players)] == pytest.approx(fast.rating.tolist(), abs=1e-9)


def test_glicko() -> None:
    past = random_history(3)
    rated = rate_all(glicko.SYSTEM, past)
    fast = glicko_replay.replay(past, predict=True)
    slow = glicko_replay.replay(past, predict=True, fast=False)
    assert fast.rating == pytest.approx(slow.rating, abs=1e-12, rel=1e-14)
    assert fast.deviation == pytest.approx(slow.deviation, abs=1e-12, rel=1e-14)
    assert fast.predictions == pytest.approx(slow.predictions, abs=1e-15)
    for player, state in rated.items():
        assert (fast.rating[player], fast.deviation[player]) == pytest.approx((state.rating, state.deviation), abs=1e-9)


@pytest.mark.parametrize("fractional", [False, True])
def test_glicko2(fractional: bool) -> None:
    past = random_history(4)
    system = glicko2.Glicko2(fractional=fractional)
    rated = rate_all(system, past)
    fast = glicko_replay.replay(past, system)
    slow = glicko_replay.replay(past, system, fast=False)
    assert fast.rating == pytest.approx(slow.rating, abs=1e-10)
    assert fast.volatility is not None
    assert slow.volatility is not None
    assert fast.volatility == pytest.approx(slow.volatility, abs=1e-13)
    for player, state in rated.items():
        found = fast.rating[player], fast.deviation[player], fast.volatility[player]
        assert found == pytest.approx((state.rating, state.deviation, state.volatility), abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("pace", [None, "rapid"])
def test_fide_with_newcomers_through_all_three_texts(seed: int, pace: str | None) -> None:
    past = random_history(10 + seed)
    system = fide.Fide(pace=pace)
    begin = np.random.default_rng(seed).integers(1400, 2700, past.players).astype(float)
    begin[::3] = 0  # newcomers
    states = {
        player: Rating(float(rating), games=20, ever_2300=rating >= 2300, ever_2400=rating >= 2400)
        for player, rating in enumerate(begin)
        if rating
    }
    rated = rate_all(system, past, states)
    games = np.where(begin > 0, 20, 0)
    fast = fide_replay.replay(past, system, rating=begin, games=games)
    slow = fide_replay.replay(past, system, rating=begin, games=games, fast=False)
    assert fast.tolist() == slow.tolist()
    published = {player: state for player, state in rated.items() if not state.pending}
    assert any(player % 3 == 0 for player in published)  # some newcomers made it
    for player, state in published.items():
        assert fast["rating"][player] == state.rating
        assert fast["games"][player] == state.games
        assert bool(fast["ever_2400"][player]) == state.ever_2400
    for player in rated.keys() - published.keys():
        assert fast["rating"][player] == 0
        assert fast["pool_games"][player] == len(rated[player].pending)


@pytest.mark.parametrize("laplace", [False, True])
def test_aga(laplace: bool) -> None:
    """Random ranks, stones and komi, some of them such that the program skips the game; players improve in between."""
    past = random_history(5, draws=False)
    rng = np.random.default_rng(6)
    handicap, komi = rng.integers(0, 11, past.games), rng.integers(-42, 24, past.games) / 2
    ranks = [[f"{number}k" for number in rng.integers(1, 25, PLAYERS)] for _ in past.day]
    ranks[-1] = [f"{number}d" for number in rng.integers(1, 8, PLAYERS)]
    period_of = np.repeat(np.arange(len(past.day)), np.diff(past.first))
    start = aga.SYSTEM.start
    seeds = [[start(Player(1, "x", rank=rank), FIRST).rating for rank in row] for row in ranks]
    games = aga_replay.go_games(
        handicap,
        komi,
        [seeds[period_of[game]][past.white[game]] for game in range(past.games)],
        [seeds[period_of[game]][past.black[game]] for game in range(past.games)],
    )
    system = aga.Aga(laplace=laplace)
    now: dict[int, Rating] = {}
    skipped = 0
    for period in range(len(past.day)):
        players = [
            Player(n + 1, f"id{n}", rank=ranks[period][n], ratings={"AGA": now[n]} if n in now else {})
            for n in range(past.players)
        ]

        def one(game: int) -> Game:
            return Game(
                game, *_pair(past, game), RESULTS[float(past.score[game])], int(handicap[game]), float(komi[game])
            )

        rated = system.rate(event_of(past, period, players, one))
        skipped += sum(finding.code == "game-skipped" for finding in rated.findings)
        now |= {answer.number - 1: answer.state for answer in rated.answers}
    fast = aga_replay.replay(past, games, system)
    slow = aga_replay.replay(past, games, system, fast=False)
    assert fast.skipped == skipped > 0
    assert fast.rating == pytest.approx(slow.rating, abs=1e-9)
    assert fast.sigma == pytest.approx(slow.sigma, abs=1e-10)
    for player, state in now.items():
        assert (fast.rating[player], fast.sigma[player]) == pytest.approx((state.rating, state.sigma), abs=1e-8)


@pytest.mark.parametrize(
    ("white", "black", "score", "period"),
    [
        ([0], [0], [1], [0]),
        ([-1], [0], [1], [0]),
        ([0], [1], [0.7], [0]),
        ([0, 0], [1, 1], [1, 1], [1, 0]),
        ([0], [1, 2], [1], [0]),
    ],
)
def test_arrays_that_are_no_history(white: list[int], black: list[int], score: list[float], period: list[int]) -> None:
    with pytest.raises(WrongHistory):
        history(white, black, score, period, [1] * len(set(period)))


def test_an_empty_history() -> None:
    past = history([], [], [], [], [])
    assert past.players == 0
    assert len(elo_replay.replay(past).rating) == 0


def test_without_the_compiler_the_loops_are_plain_python() -> None:
    """Coverage and debuggers see the loops with NUMBA_DISABLE_JIT=1; the ratings are the same to 1e-10."""
    code = (
        "from tests.replay.test_periods import random_history, glicko_replay, glicko2, fide_replay\npast ="
        " random_history(8)\nprint(*glicko_replay.replay(past, glicko2.SYSTEM).rating.tolist(),"
        " *fide_replay.replay(past, rating=[2000.0] * 24)['rating'])"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    past = random_history(8)
    here = [
        *glicko_replay.replay(past, glicko2.SYSTEM).rating,
        *fide_replay.replay(past, rating=[2000.0] * 24)["rating"],
    ]
    assert [float(word) for word in done.stdout.split()] == pytest.approx(here, abs=1e-10)


def test_periods_are_dated() -> None:
    past = random_history(9)
    assert glicko_replay.replay(past).last.max() == past.day[-1]
    assert date.fromordinal(int(past.day[0])) > FIRST + timedelta(days=59)
