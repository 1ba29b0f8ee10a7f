"""The AGA: unit vectors, newcomers, seeding, the published cases, wrong input, options."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crosstable.errors import EventRejected, UnknownSystem
from crosstable.model import Game, Player, Rating
from crosstable.rulebook import rulebook
from crosstable.systems.aga import SYSTEM, Aga, NotARank, chess, formulas, matthews, parse_rank, posterior
from crosstable.systems.aga.model import game_model
from crosstable.systems.aga.seeding import Prior, SeedingFacts, newcomer_sigma, prior_of
from tests.derivations import shown_steps
from tests.systems.small_events import DAY, event

RULES = SYSTEM.latest
MODEL = game_model(RULES)


def player(
    number: int, rank: str | None, state: tuple[float, float] | None = None, days: int | None = None, **more: Any
) -> Player:
    ratings = {}
    if state is not None:
        day = None if days is None else DAY - timedelta(days=days)
        ratings["AGA"] = Rating(state[0], sigma=state[1], date=day)
    return Player(number, str(number), name=f"P{number}", rank=rank, ratings=ratings, **more)


@pytest.mark.parametrize(
    ("handicap", "komi", "d", "s"),
    [
        (0, -7.5, 1.14775, 1.089811),
        (0, 0.5, 0.54215, 1.063839),
        (0, 7.5, 0.01225, 1.056846),
        (2, -2, 2.1514, 1.143754),
        (5, -5, 5.3785, 1.292154),
        (9, -9, 9.6813, 1.467792),
    ],
)
def test_the_unit_vectors_of_the_game_model(handicap: int, komi: float, d: float, s: float) -> None:
    assert formulas.advantage(MODEL, handicap, komi) == pytest.approx(d, abs=5e-7)
    assert formulas.spread(MODEL, handicap, komi) == pytest.approx(s, abs=5.0001e-7)  # half a unit of the last digit


@pytest.mark.parametrize(
    ("seed", "sigma"),
    [(-48, 5.491812), (-38, 4.512207), (-28, 3.544011), (-18, 2.599999), (-8, 1.720464), (2, 1.166191), (12, 1.0)],
)
def test_a_newcomers_sigma(seed: float, sigma: float) -> None:
    assert newcomer_sigma(seed, RULES) == pytest.approx(sigma, abs=1e-6)


def test_beyond_the_spline() -> None:
    assert newcomer_sigma(7.6, RULES) == 1.0
    assert newcomer_sigma(-50.6, RULES) == 6.0


@pytest.mark.parametrize(("rating", "closed"), [(1.5, 0.5), (-1.5, -0.5), (3.0, 2.0), (-1.0, 0.0)])
def test_the_scale_has_a_hole(rating: float, closed: float) -> None:
    assert formulas.closed(rating) == closed
    assert formulas.opened(closed) == rating


def test_the_two_game_case() -> None:
    """B 1.1/0.1 beats W 2.1/0.2, 2 stones; W 2.2/0.22 beats B 1.2/0.12, komi 7.5 (the program counts 7)."""
    players = [
        player(1, "1d", (1.1, 0.1)),
        player(2, "2d", (2.1, 0.2)),
        player(3, "1d", (1.2, 0.12)),
        player(4, "2d", (2.2, 0.22)),
    ]
    games = [Game(1, 2, 1, "0-1", handicap=2, komi=0.5), Game(1, 4, 3, "1-0", komi=7.5)]
    answers = SYSTEM.rate(event(players, games)).answers
    published = [(1.1029, 0.099849), (2.08842, 0.198769), (1.19566, 0.119699), (2.21463, 0.218145)]
    for answer, (rating, sigma) in zip(answers, published, strict=True):
        assert answer.post == pytest.approx(rating, abs=1.5e-5)
        assert answer.values["sigma"] == pytest.approx(sigma, abs=5.5e-6)  # the program stops early: gradient 1e-3


def test_the_raago_example() -> None:
    """Three players, one a newcomer, records 12 and 60 days old; the values are of another program (Newton and
    grid).
    """
    players = [player(1, "3d"), player(2, "2d", (2.32, 1.0), days=12), player(3, "10k", (-10.0, 3.2), days=60)]
    games = [Game(1, 2, 3, "0-1", handicap=5), Game(1, 1, 2, "1-0", komi=6)]
    answers = SYSTEM.rate(event(players, games)).answers
    found = [(round(answer.post, 6), round(answer.values["sigma"], 6)) for answer in answers]
    assert found == [(3.618009, 0.997074), (1.726182, 0.818638), (-4.923985, 1.719399)]


class TestSeeding:
    def prior(
        self, rank: str | None, state: tuple[float, float] | None, days: int = 0, won: bool = True
    ) -> tuple[float, float]:
        record = None if state is None else Rating(state[0], sigma=state[1])
        found = prior_of(SeedingFacts(rank, record, days, won), RULES)
        return found.mu, found.sigma

    def test_a_newcomer_starts_in_the_middle_of_the_rank(self) -> None:
        assert self.prior("3d", None)[0] == 3.5
        assert self.prior("5k", None)[0] == -5.5

    @pytest.mark.parametrize("state", [(0.0, 1.0), (2.0, 0.0)])
    def test_no_rating_or_no_sigma_is_a_newcomer(self, state: tuple[float, float]) -> None:
        assert self.prior("3d", state) == (3.5, newcomer_sigma(3.5, RULES))

    def test_nobody_demotes_themself(self) -> None:
        assert self.prior("1d", (4.0, 0.3)) == (4.0, 0.3)

    def test_ageing_is_quadratic_in_time(self) -> None:
        assert self.prior("4d", (4.2, 0.3), days=1000)[1] == pytest.approx(math.sqrt(0.3**2 + 0.5**2), abs=1e-12)

    def test_a_claim_of_three_ranks_with_a_win_is_a_new_start(self) -> None:
        assert self.prior("5d", (2.5, 0.3)) == (5.5, newcomer_sigma(5.5, RULES))
        assert self.prior("5d", (2.5, 0.3), days=1000, won=False) == (2.5, pytest.approx(math.sqrt(0.34)))

    def test_a_claim_of_one_rank_moves_up_by_a_third_and_does_not_age(self) -> None:
        mu, sigma = self.prior("4d", (2.5, 0.3), days=1000)  # D = 2
        assert mu == pytest.approx(2.5 + 0.024746 + 0.32127 * 2, abs=1e-12)
        assert sigma == pytest.approx(math.sqrt(0.09 + 0.256 * 2**1.9475), abs=1e-12)

    def test_less_than_one_rank_changes_nothing(self) -> None:
        assert self.prior("3d", (2.6, 0.3)) == (2.6, 0.3)  # D = 0.9

    def test_across_the_hole_a_claim_is_two_less(self) -> None:
        # 1k at -1.2 enters as 1d: 1.5 + 1.2 - 2 = 0.7, no promotion; as 2d: 1.7
        assert self.prior("1d", (-1.2, 0.3)) == (-1.2, 0.3)
        assert self.prior("2d", (-1.2, 0.3))[0] == pytest.approx(-1.2 + 0.024746 + 0.32127 * 1.7, abs=1e-12)

    def test_a_promotion_may_land_in_the_hole_and_is_closed_from_there(self) -> None:
        players = [player(1, "2d", (-1.2, 0.3)), player(2, "1d", (1.5, 0.3))]
        answer = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0", komi=7)])).answers[0]
        assert answer.values["seed"] == pytest.approx(-0.629095, abs=1e-6)
        assert not -1 < answer.post < 1

    def test_a_rated_player_without_a_rank_keeps_the_rating(self) -> None:
        assert self.prior(None, (-7.3, 0.4)) == (-7.3, 0.4)


@pytest.mark.parametrize(("text", "rank"), [("3d", 3), ("5k", -5), ("30K", -30), (" 1 D ", 1)])
def test_ranks(text: str, rank: int) -> None:
    assert parse_rank(text) == rank


@pytest.mark.parametrize("text", ["0d", "3x", "d", "", "-3k", "3", "3.5d", "0k", "3dan"])
def test_what_is_no_rank(text: str) -> None:
    with pytest.raises(NotARank, match="is not a go rank"):
        parse_rank(text)


def test_wrong_input_is_reported_all_at_once() -> None:
    players = [
        player(1, "0d"),
        player(2, "3x"),
        player(3, None),
        player(4, "2d", (2.5, -1.0)),
        player(5, "1d", (0.5, 1.0)),
        Player(6, "6", rank="1d", ratings={"AGA": Rating(1.5)}),
    ]
    games = [Game(1, 1, 2, "1/2-1/2"), Game(1, 3, 4, "1-0", handicap=-1), Game(1, 5, 6, "1-0")]
    with pytest.raises(EventRejected) as caught:
        SYSTEM.rate(event(players, games))
    codes = [finding.code for finding in caught.value.findings]
    assert codes == [
        "draw-in-go",
        "negative-handicap",
        "wrong-rank",
        "wrong-rank",
        "no-rank",
        "wrong-sigma",
        "wrong-rating",
        "missing-sigma",
    ]


@pytest.mark.parametrize(
    ("handicap", "komi", "skipped"),
    [
        (10, 0, True),
        (9, 0, False),
        (2, 10, True),
        (2, -10.5, True),
        (2, 9.5, False),
        (0, -20, True),
        (1, -19.5, False),
        (0, 50, False),
    ],
)
def test_games_that_the_program_skips(handicap: int, komi: float, skipped: bool) -> None:
    players = [player(1, "3d"), player(2, "5k"), player(3, "1k")]
    rated = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0", handicap, komi), Game(2, 1, 3, "1-0")]))
    codes = [finding.code for finding in rated.findings if finding.code == "game-skipped"]
    assert codes == ["game-skipped"] * skipped
    assert len(rated.answers) == 3 - skipped  # a player with only skipped games has no row


def test_online_games_are_skipped() -> None:
    rated = SYSTEM.rate(event([player(1, "3d"), player(2, "5k")], [Game(1, 1, 2, "1-0")], mode="online"))
    assert rated.answers == ()
    assert [finding.code for finding in rated.findings] == ["game-skipped"]


def test_an_improbable_result_is_worth_a_question() -> None:
    players = [player(1, "5d", (5.5, 0.3)), player(2, "5k", (-5.5, 0.3))]
    rated = SYSTEM.rate(event(players, [Game(1, 1, 2, "0-1", komi=7)]))
    assert [finding.code for finding in rated.findings] == ["improbable-game"]
    assert not SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0", komi=7)])).findings


def test_a_director_may_certify_a_strength() -> None:
    note = {"certified": {"rating": 5.5, "sigma": 0.2, "by": "TD 7"}}
    players = [player(1, None, notes=note), player(2, "5d", (5.5, 0.3))]
    rated = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0", komi=7)]))
    assert (rated.answers[0].values["seed"], rated.answers[0].values["seed_sigma"]) == (5.5, 0.2)
    assert "certified by TD 7" in shown_steps(rated.answers[0])[0].text
    assert [finding.code for finding in rated.findings] == ["certified-strength"]
    for wrong in ({"rating": 5.5}, {"rating": 5.5, "sigma": 0, "by": "x"}, {"rating": 0.5, "sigma": 1, "by": "x"}, 3):
        with pytest.raises(EventRejected, match="wrong-certificate"):
            SYSTEM.rate(event([player(1, None, notes={"certified": wrong}), player(2, "5d")], [Game(1, 1, 2, "1-0")]))


def test_a_certified_strength_is_combined_with_the_record() -> None:
    """1996 report, chapter 6, and readings 32: precisions 1/0.3² = 11.111 and 1/0.4² = 6.25 add up to 17.361.

    The mean is (11.111 × 3.5 + 6.25 × 5.5) / 17.361 = 4.22, and sigma 17.361^-1/2 = 0.24. The record is of the event's
    day.
    """
    note = {"certified": {"rating": 5.5, "sigma": 0.4, "by": "TD 7"}}
    players = [player(1, "9d", (3.5, 0.3), notes=note), player(2, "5d", (5.5, 0.3))]
    seeded = SYSTEM.rate(event(players, [Game(1, 1, 2, "1-0", komi=7)])).answers[0].values
    assert (seeded["seed"], seeded["seed_sigma"]) == (pytest.approx(4.22), pytest.approx(0.24))


def test_the_record_ages_before_it_is_combined() -> None:
    """400 days at 0.0005 a day add 0.2² to 0.3²: 0.13; with 0.13 certified on the other side both count half."""
    entry = SeedingFacts(None, Rating(3.5, sigma=0.3), 400, False, Prior(5.5, math.sqrt(0.13), "certified by TD 7"))
    prior = prior_of(entry, rulebook("aga").on(DAY))
    assert (prior.mu, prior.sigma) == (pytest.approx(4.5), pytest.approx(math.sqrt(0.13 / 2)))


def test_a_certified_strength_across_the_hole() -> None:
    """1.2 dan and -1.2 kyu lie 0.4 apart, not 2.4: half way is 1, the edge of both."""
    entry = SeedingFacts(None, Rating(1.2, sigma=0.3), 0, False, Prior(-1.2, 0.3, "certified by TD 7"))
    assert abs(prior_of(entry, rulebook("aga").on(DAY)).mu) == pytest.approx(1.0)


def test_exact_komi_is_an_option() -> None:
    players = [player(1, "3d", (3.5, 0.5)), player(2, "3d", (3.5, 0.5))]
    with_half, with_seven = ([Game(1, 1, 2, "1-0", komi=komi)] for komi in (7.5, 7.0))
    assert (
        SYSTEM.rate(event(players, with_half)).answers[0].post
        == SYSTEM.rate(event(players, with_seven)).answers[0].post
    )
    exact = Aga(exact_komi=True)
    assert (
        exact.rate(event(players, with_half)).answers[0].post < exact.rate(event(players, with_seven)).answers[0].post
    )
    # komi -7.5 counts -7: toward zero, not down
    minus = [Game(1, 1, 2, "1-0", komi=-7.5)]
    assert (
        SYSTEM.rate(event(players, minus)).answers[0].post
        == exact.rate(event(players, [Game(1, 1, 2, "1-0", komi=-7.0)])).answers[0].post
    )


def test_the_papers_sigma_by_hand() -> None:
    """One game of equals: H = [[1/σ² + w, -w], [-w, 1/σ² + w]], so σ'² = (1/σ² + w)/((1/σ² + w)² - w²)."""
    players = [player(1, "3d", (3.5, 0.5)), player(2, "3d", (3.5, 0.5))]
    answers = Aga(laplace=True).rate(event(players, [Game(1, 1, 2, "1-0", komi=7)])).answers
    d, s = formulas.advantage(MODEL, 0, 7), formulas.spread(MODEL, 0, 7)
    v = (answers[0].post - answers[1].post - d) / s
    hazard = math.exp(-v * v / 2) / math.sqrt(2 * math.pi) / (0.5 * math.erfc(-v / math.sqrt(2)))
    w = hazard * (hazard + v) / s**2
    variance = (4 + w) / ((4 + w) ** 2 - w**2)
    assert answers[0].values["sigma"] == pytest.approx(math.sqrt(variance), abs=1e-9)


def test_the_grid_sigma_by_numpy() -> None:
    """The grid about the new mode, written out again with arrays: another hand, the same numbers."""
    from scipy.special import log_ndtr

    mode, mu, sigma, others = 2.3, 2.1, 0.6, np.array([2.0, 3.0])
    d, s, white_score, sides = (
        np.array([0.05, 2.1]),
        np.array([1.06, 1.13]),
        np.array([1.0, 0.0]),
        np.array([1.0, -1.0]),
    )
    x = -5.05 * sigma + np.arange(100) * sigma / 10
    u = (sides * (mode + x[:, None] - others) - d) / s
    logs = -(((mode + x - mu) / sigma) ** 2) / 2 + log_ndtr(np.where(white_score == 1, u, -u)).sum(axis=1)
    w = np.exp(logs - logs.max())
    expected = math.sqrt((x**2 * w).sum() / w.sum())
    lists = [part.tolist() for part in (others, sides, d, s, white_score)]
    assert formulas.grid_sigma(mode, mu, sigma, *lists, 0, 2, 100, -5.05, 0.1, [0.0] * 100) == pytest.approx(
        expected, abs=1e-12
    )


@given(st.floats(-60, 40))
def test_the_normal_distribution_in_its_tails(v: float) -> None:
    from scipy.special import log_ndtr

    assert formulas.log_cdf(v) == pytest.approx(float(log_ndtr(v)), rel=1e-11, abs=1e-16)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), players=st.integers(2, 12), games=st.integers(1, 40))
def test_the_mode_is_where_nothing_pulls(seed: int, players: int, games: int) -> None:
    tournament = random_tournament(seed, players, games)
    modes = posterior.mode(tournament)
    data = [
        part.tolist()
        for part in (
            tournament.mu,
            tournament.sigma,
            tournament.white,
            tournament.black,
            tournament.d,
            tournament.s,
            tournament.score,
        )
    ]
    gradient, diagonal, coupling = [0.0] * players, [0.0] * players, [0.0] * games
    formulas.derivatives(modes.tolist(), *data, gradient, diagonal, coupling)
    assert max(map(abs, gradient)) < 1e-8


def random_tournament(seed: int, players: int, games: int) -> posterior.Tournament:
    rng = np.random.default_rng(seed)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    komi = rng.integers(-5, 8, games)
    return posterior.Tournament(
        mu=rng.normal(0, 5, players),
        sigma=rng.uniform(0.2, 3.0, players),
        white=white,
        black=black,
        d=np.array([formulas.advantage(MODEL, 0, float(k)) for k in komi]),
        s=np.array([formulas.spread(MODEL, 0, float(k)) for k in komi]),
        score=rng.integers(0, 2, games).astype(float),
    )


def test_a_big_field_goes_through_sparse_matrices_to_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = random_tournament(7, 60, 200)
    dense, laplace = posterior.mode(tournament), None
    laplace = posterior.laplace_sigmas(tournament, dense)
    monkeypatch.setattr(posterior, "DENSE", 10)
    assert posterior.mode(tournament) == pytest.approx(dense, abs=1e-9)
    assert posterior.laplace_sigmas(tournament, dense) == pytest.approx(laplace, abs=1e-9)


def test_a_big_fields_grid_at_once_is_the_same_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, grid = random_tournament(8, 30, 100), posterior.Grid(100, -5.05, 0.1)
    tournament.score[:10] = 0.5  # the chess variant's draws too
    modes = posterior.mode(tournament)
    one_by_one = posterior.grid_sigmas(tournament, modes, grid)
    monkeypatch.setattr(posterior, "DENSE", 10)
    assert posterior.grid_sigmas(tournament, modes, grid) == pytest.approx(one_by_one, abs=1e-12)


def test_sections_are_fits_of_their_own_and_states_go_on() -> None:
    from crosstable.model import Event, Section

    later = DAY + timedelta(days=10)
    people = (player(1, "3d"), player(2, "5k"))
    one = Section(1, "Open", DAY, DAY, people, (Game(1, 1, 2, "1-0", 6),))
    two = Section(2, "Side", later, later, people, (Game(1, 1, 2, "0-1", 6),))
    both = SYSTEM.rate(Event("E", DAY, later, (two, one))).answers
    first = SYSTEM.rate(event(people, one.games)).answers
    carried = [
        Player(p.number, p.id, rank=p.rank, ratings={"AGA": a.state}) for p, a in zip(people, first, strict=True)
    ]
    second = SYSTEM.rate(event(carried, two.games, later)).answers
    assert [answer.post for answer in both] == [answer.post for answer in (*first, *second)]
    assert both[2].prior == first[0].post
    assert [answer.section for answer in both] == [1, 1, 2, 2]


def test_a_re_entry_is_seeded_by_the_rank_of_the_first_game() -> None:
    again = Player(3, "1", rank="4d")
    games = [Game(1, 3, 2, "1-0", 6), Game(2, 1, 2, "1-0", 6)]
    answers = SYSTEM.rate(event([player(1, "3d"), player(2, "5k"), again], games)).answers
    assert [answer.number for answer in answers] == [1, 2]
    assert answers[0].values["seed"] == 4.5


class TestMatthews:
    """The system of 1990: one constant s, sigma by the times rated, no hole."""

    SYSTEM = matthews()

    def test_ranks_without_a_hole(self) -> None:
        seeds = [self.SYSTEM.start(player(1, rank), date(1990, 7, 28)).rating for rank in ("2d", "1d", "1k", "2k")]
        assert seeds == [2, 1, 0, -1]  # kyu k is written 1 - k

    def test_sigmas(self) -> None:
        day = date(1990, 7, 28)
        assert [self.SYSTEM.start(player(1, rank), day).sigma for rank in ("1d", "10k", "11k")] == [1.0, 1.0, 2.0]
        people = [player(1, "1d"), player(2, "1k", (0.0, 0.8))]
        answers = self.SYSTEM.rate(event(people, [Game(1, 1, 2, "1-0")])).answers
        assert [answer.state.sigma for answer in answers] == [0.8, 0.5]

    def test_game_model(self) -> None:
        model = game_model(self.SYSTEM.latest)
        assert formulas.advantage(model, 0, 5.5) == pytest.approx(0.5 - 0.55)
        assert formulas.advantage(model, 4, 0.5) == pytest.approx(4 - 0.05)
        assert {formulas.spread(model, stones, 3.5) for stones in range(10)} == {1.04}

    def test_a_rating_of_zero_is_one_kyu_here_not_a_newcomer(self) -> None:
        people = [player(1, "5d", (0.0, 0.5)), player(2, "1k", (0.0, 0.5))]
        assert self.SYSTEM.rate(event(people, [Game(1, 1, 2, "1-0")])).answers[0].values["seed"] == 0.0


class TestChess:
    """`aga.chess`: no stones, draws as half, Elo's scale."""

    SYSTEM = chess()

    def test_elos_normal_curve(self) -> None:
        # 282.84 points are one standard deviation: Phi(1) = 0.8413447
        ahead = 200 * math.sqrt(2)
        assert self.SYSTEM.expect(Rating(1500 + ahead), Rating(1500)) == pytest.approx(0.8413447461, abs=1e-9)

    def test_a_draw_pulls_players_together(self) -> None:
        people = [player(1, None, (1700.0, 100.0)), player(2, None, (1500.0, 100.0))]
        answers = self.SYSTEM.rate(event(people, [Game(1, 1, 2, "1/2-1/2")])).answers
        assert 1600 < answers[0].post < 1700
        assert answers[0].post + answers[1].post == pytest.approx(3200, abs=1e-9)

    def test_a_newcomer_needs_no_rank(self) -> None:
        answers = self.SYSTEM.rate(event([player(1, None), player(2, None)], [Game(1, 1, 2, "1-0")])).answers
        assert answers[0].values["seed"] == 1500
        assert answers[0].published == round(answers[0].post)

    def test_stones_are_an_error(self) -> None:
        with pytest.raises(EventRejected, match="no-handicap"):
            self.SYSTEM.rate(event([player(1, None), player(2, None)], [Game(1, 1, 2, "1-0", handicap=2)]))


def test_the_variants_are_rulebooks() -> None:
    assert matthews().title != SYSTEM.title
    with pytest.raises(UnknownSystem):
        Aga(rulebook("aga_draughts"))
