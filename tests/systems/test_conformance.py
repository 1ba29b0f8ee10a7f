"""One suite that every rating system passes: the registered ones, and their variants."""

from __future__ import annotations

import copy
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crosstable
from crosstable import formats
from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Answer, Event, Game, Player, Rated, Rating, Section
from crosstable.model.derivation import kinds
from crosstable.model.system_steps import NewRating
from crosstable.rulebook import rulebook
from crosstable.systems import SYSTEMS, RatingSystem, system
from crosstable.systems.aga import Aga
from crosstable.systems.elo import Elo
from crosstable.systems.estimate import needed_for, outcomes
from crosstable.systems.glicko2 import Glicko2
from crosstable.words.derivation import derivation_json
from tests.derivations import shown_steps
from tests.systems.second_federation import NAME as SECOND_FEDERATION

SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}
#: A round robin of six: every player once per round
ROUNDS = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


#: Games of every kind: even, with komi, with stones
GO = (Game(1, 1, 2, "1-0"), Game(1, 1, 2, "1-0", komi=6.5), Game(1, 1, 2, "1-0", handicap=3))


DERIVATION_SCHEMA = Path(formats.__file__).parent / "derivation.schema.json"


@dataclass(frozen=True)
class Sample:
    """A system with an event that suits it."""

    system: RatingSystem
    pool: str
    day: date
    states: tuple[Rating, ...]
    player: Mapping[str, Any]
    section: Mapping[str, Any]
    draws: bool = True
    whole_period: bool = True  # one section is one period: the order of its rounds does not count

    def event(self, results: Callable[[int, int], str], games: list[Game] | None = None) -> Event:
        players = tuple(
            Player(number, f"id{number}", f"P{number}", ratings={self.pool: state}, **self.player)
            for number, state in enumerate(self.states, start=1)
        )
        drawn = [
            Game(number, white, black, self._allowed(results(white, black)))
            for number, pairs in enumerate(ROUNDS, start=1)
            for white, black in pairs
        ]
        section = Section(1, "Open", self.day, self.day, players, tuple(games or drawn), **self.section)
        return Event("Six", self.day, self.day, (section,))

    def _allowed(self, result: str) -> str:
        return "1-0" if result == "1/2-1/2" and not self.draws else result


def mixed(white: int, black: int) -> str:
    return ("1-0", "1/2-1/2", "0-1")[(white * 2 + black) % 3]


def _states(
    make: Callable[[float], Rating], ratings: tuple[float, ...] = (1400, 1500, 1550, 1620, 1800, 1905)
) -> tuple[Rating, ...]:
    return tuple(make(rating) for rating in ratings)


_GO = (-12.3, -4.5, -1.2, 1.4, 2.8, 5.1)
_AUTUMN = date(2025, 11, 5)
_SPRING = date(2025, 4, 5)


def _counted(rating: float) -> Rating:
    return Rating(rating, games=60, date=_SPRING, wins=30, draws=0, losses=30)


def _sample(name: str, chosen: RatingSystem) -> Sample:
    key = chosen.pools[0]
    match name:
        case "us_chess":
            return Sample(chosen, key, _AUTUMN, _states(_counted), {}, {"time_control": "G/120;d5"})
        case "uscf_1996" | "uscf_1994":
            summer = date(1996, 9, 1)
            states = _states(lambda r: replace(_counted(r), date=date(1996, 5, 1)))
            return Sample(chosen, key, summer, states, {}, {"time_control": "G/120;d5"})
        case "aga" | "aga_exact" | "aga_laplace":
            states = _states(lambda r: Rating(r, sigma=0.4, date=_SPRING), _GO)
            return Sample(chosen, key, _AUTUMN, states, {}, {}, draws=False)
        case "aga_matthews":
            return Sample(chosen, key, _AUTUMN, _states(lambda r: Rating(r, sigma=0.5), _GO), {}, {}, draws=False)
        case "aga_chess":
            return Sample(chosen, key, _AUTUMN, _states(lambda r: Rating(r, sigma=80.0, date=_SPRING)), {}, {})
        case "glicko" | "glicko_1995" | "stephenson" | "glicko_boost":
            states = _states(lambda r: Rating(r, games=9, deviation=80.0, date=_SPRING))
            return Sample(chosen, key, _AUTUMN, states, {}, {}, whole_period=name != "glicko_1995")
        case "glicko2" | "glicko2_fractional":
            states = _states(lambda r: Rating(r, games=9, deviation=80.0, volatility=0.06, date=_SPRING))
            return Sample(chosen, key, _AUTUMN, states, {}, {})
        case "st_charles" | "cxr" | "harkness":
            states = _states(lambda r: Rating(r, games=9), (400, 510, 655, 660, 700, 1000))
            return Sample(chosen, key, _AUTUMN, states, {}, {}, whole_period=False)
        case "trueskill" | "weng_lin":
            states = _states(
                lambda r: Rating(r, games=9, deviation=3.0, date=_SPRING), (15.0, 19.5, 22.0, 25.0, 28.0, 33.0)
            )
            return Sample(chosen, key, _AUTUMN, states, {}, {}, whole_period=False)
        case _:  # fide, elo and whatever needs a rating only
            return Sample(chosen, key, _AUTUMN, _states(lambda r: Rating(r, games=60, date=_SPRING)), {}, {})


VARIANTS: Mapping[str, Callable[[], RatingSystem]] = {
    "aga_exact": lambda: Aga(exact_komi=True),
    "aga_laplace": lambda: Aga(laplace=True),
    "glicko2_fractional": lambda: Glicko2(fractional=True),
    "elo_normal": lambda: Elo(curve="normal", scale=200 * math.sqrt(2)),
}


@pytest.fixture(autouse=True)
def second_federation(monkeypatch: pytest.MonkeyPatch) -> None:
    """A made-up federation's system from another package, for the length of a test."""
    monkeypatch.setitem(SYSTEMS, SECOND_FEDERATION, "tests.systems.second_federation")


@pytest.fixture(params=[*SYSTEMS, SECOND_FEDERATION, *VARIANTS])
def sample(request: pytest.FixtureRequest) -> Sample:
    name = request.param
    return _sample(name, VARIANTS[name]() if name in VARIANTS else system(name))


def numbers(rated: Rated) -> dict[tuple[int, str], tuple[float, ...]]:
    """Every player's new state as plain numbers."""
    return {
        (answer.number, answer.pool): tuple(
            float("nan") if value is None else float(value)
            for value in (
                answer.post,
                answer.state.games,
                answer.state.sigma,
                answer.state.deviation,
                answer.state.volatility,
            )
        )
        for answer in rated.answers
    }


def assert_same(one: Rated, other: Rated, tolerance: float = 1e-9) -> None:
    first, second = numbers(one), numbers(other)
    assert first.keys() == second.keys()
    for who, values in first.items():
        assert values == pytest.approx(second[who], abs=tolerance, nan_ok=True), who


def test_it_says_who_it_is(sample: Sample) -> None:
    assert sample.system.name in SYSTEMS
    assert sample.system.book.title == sample.system.title
    assert "rating" in sample.system.record
    lowest, highest = sample.system.limits
    assert all(lowest <= state.rating <= highest for state in sample.states)
    assert sample.system.title
    assert sample.system.pools
    assert sample.system.rules(sample.day).values


def test_everybody_with_a_game_gets_an_answer(sample: Sample) -> None:
    rated = sample.system.rate(sample.event(mixed))
    answers = [answer for answer in rated.answers if answer.pool == sample.pool]
    assert [answer.number for answer in answers] == [1, 2, 3, 4, 5, 6]
    for answer in answers:
        assert answer.values["post"] == answer.post == answer.state.rating
        assert answer.values["published"] == answer.published
        assert (answer.values["section"], answer.values["pool"], answer.values["number"]) == (
            1,
            sample.pool,
            answer.number,
        )
        assert answer.values["id"] == f"id{answer.number}"
        assert answer.values["prior"] == answer.prior == sample.states[answer.number - 1].rating
        assert answer.values["games"] == 5


def public_facts(answer: Answer) -> tuple[Any, ...]:
    """Everything that the public form shows of an answer but the published rating and the change to it."""
    values = {name: value for name, value in answer.values.items() if name != "published"}
    published = [replace(step, change=0, result=0) for step in answer.derivation if isinstance(step, NewRating)]
    return values, published, [step for step in answer.derivation if not isinstance(step, NewRating)]


def test_no_public_step_tells_the_age_of_a_rated_player(sample: Sample) -> None:
    """Nor a class of ages: a junior's K, the reason for it, or what it makes of a game."""
    seen = []
    for born in (date(sample.day.year - 9, 3, 1), date(sample.day.year - 22, 3, 1), date(1950, 3, 1), None):
        event = replace(sample, player={**sample.player, "birth_date": born}).event(mixed)
        seen.append([public_facts(answer) for answer in crosstable.public(event, sample.system).answers])
    assert all(one == seen[0] for one in seen)


def test_rating_is_pure_and_deterministic(sample: Sample) -> None:
    event = sample.event(mixed)
    kept = copy.deepcopy(event)
    first, second = sample.system.rate(event), sample.system.rate(event)
    assert event == kept
    assert first == second


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_file_does_not_count(sample: Sample, seed: int) -> None:
    event = sample.event(mixed)
    (section,) = event.sections
    shuffled = random.Random(seed)
    players = tuple(shuffled.sample(section.players, len(section.players)))
    games = tuple(shuffled.sample(section.games, len(section.games)))
    mixed_up = replace(event, sections=(replace(section, players=players, games=games),))
    assert_same(sample.system.rate(event), sample.system.rate(mixed_up))


def test_the_order_inside_a_period_does_not_count(sample: Sample) -> None:
    event = sample.event(mixed)
    (section,) = event.sections
    turned = tuple(replace(game, round=6 - game.round) for game in section.games)
    backwards = sample.system.rate(replace(event, sections=(replace(section, games=turned),)))
    forwards = sample.system.rate(event)
    if sample.whole_period:
        assert_same(forwards, backwards)
    else:
        assert numbers(forwards) != numbers(backwards)  # one game at a time: the order is the point


def test_a_state_survives_the_event_document(sample: Sample) -> None:
    answers = [answer for answer in sample.system.rate(sample.event(mixed)).answers if answer.pool == sample.pool]
    states = tuple(answer.state for answer in answers)
    later = replace(sample, states=states, day=sample.day + timedelta(days=90)).event(mixed)
    read = event_json.read(event_json.write(later).data)
    assert read.event is not None, read.findings
    assert tuple(player.ratings[sample.pool] for player in read.event.sections[0].players) == states
    assert sample.system.rate(read.event) == sample.system.rate(later)


def test_expectations_are_sane(sample: Sample) -> None:
    """Between 0 and 1, two sides add up to 1, equals expect a half, and the stronger expects no less."""
    expect = sample.system.expect
    for a in sample.states:
        assert expect(a, a) == pytest.approx(0.5, abs=1e-12)
        chances = [expect(other, a) for other in sample.states]
        assert chances == sorted(chances)
        assert chances[0] < chances[-1]
        for b in sample.states:
            assert 0 <= expect(a, b) <= 1
            assert expect(a, b) + expect(b, a) == pytest.approx(1, abs=1e-12)
            for game in GO if not sample.draws else GO[:1]:
                turned = replace(game, white=game.black, black=game.white)
                assert expect(a, b, game) + expect(b, a, turned) == pytest.approx(1, abs=1e-12)
                assert 0 <= expect(a, b, game) <= 1


def uncertainty(state: Rating) -> float:
    return state.sigma or state.deviation or 0.0


def test_inactivity_only_widens(sample: Sample) -> None:
    for state in sample.states:
        aged = [sample.system.age(state, days) for days in (0, 1, 30, 365, 3650)]
        widths = [uncertainty(one) for one in aged]
        assert widths == sorted(widths)
        assert widths[0] == pytest.approx(uncertainty(state), abs=1e-12)
        assert {one.rating for one in aged} == {state.rating}


def test_every_step_is_a_typed_record_that_the_schema_knows(sample: Sample) -> None:
    schema = jsonschema.Draft202012Validator(json.loads(DERIVATION_SCHEMA.read_text(encoding="utf-8")))
    for answer in sample.system.rate(sample.event(mixed)).answers:
        assert {step.kind for step in answer.derivation} <= kinds().keys()
        schema.validate(derivation_json(answer))


def test_the_schema_of_derivations_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(DERIVATION_SCHEMA.read_text(encoding="utf-8")))


def test_the_derivation_explains_the_change(sample: Sample) -> None:
    """A step names the new rating; where rounds carry points, they and the rounding add up to the change."""
    for answer in sample.system.rate(sample.event(mixed)).answers:
        assert answer.derivation
        assert all(step.title and step.text for step in shown_steps(answer))
        assert any(
            step.value is not None and math.isclose(step.value, answer.post, abs_tol=1e-9)
            for step in shown_steps(answer)
        )
        rounds = [step.value for step in shown_steps(answer) if step.title.startswith(("Round ", "Rounding"))]
        if rounds and None not in rounds:
            assert sum(rounds) == pytest.approx(moved(answer.prior, answer.post, sample), abs=1e-8)


def moved(prior: float | None, post: float, sample: Sample) -> float:
    """The change in points; on the AGA's scale the hole between -1 and 1 is no distance."""
    assert prior is not None
    gap = (
        2.0
        if sample.pool == "AGA" and sample.system.title == system("aga").title and (prior > 0) != (post > 0)
        else 0.0
    )
    return post - prior - math.copysign(gap, post - prior)


def test_a_better_result_never_hurts(sample: Sample) -> None:
    """Player 3's last game won, drawn or lost, all else the same."""
    posts = []
    for result in ("0-1", "1/2-1/2", "1-0"):
        if result == "1/2-1/2" and not sample.draws:
            continue
        event = sample.event(lambda white, black, r=result: r if (white, black) == (3, 6) else mixed(white, black))
        posts.append(next(answer.post for answer in sample.system.rate(event).answers if answer.number == 3))
    assert posts == sorted(posts)
    assert posts[0] < posts[-1]


def test_the_estimator_knows_every_score(sample: Sample) -> None:
    """More points never give less, and winning everything gains where losing everything does not."""
    own, *field = sample.states[2:5]
    found = outcomes(sample.system, own, field, sample.day, sample.pool, draws=sample.draws)
    assert [one.score for one in found] == [half / 2 for half in range(0, 5, 1 if sample.draws else 2)]
    ratings = [one.after.rating for one in found]
    assert ratings == sorted(ratings)
    assert ratings[0] <= own.rating <= ratings[-1]
    assert needed_for(ratings[-1], found) is not None
    assert needed_for(ratings[-1] + 1, found) is None


def test_unplayed_games_and_bystanders_leave_no_row(sample: Sample) -> None:
    games = [
        Game(1, 1, 2, "1-0"),
        Game(2, 1, 2, "0-1"),
        Game(3, 2, 1, "1-0"),
        Game(1, 3, 4, "+/-"),
        Game(2, 3, 4, "-/-"),
    ]
    rated = sample.system.rate(sample.event(mixed, games))
    assert {answer.number for answer in rated.answers} == {1, 2}


def test_a_broken_event_is_refused_with_every_finding(sample: Sample) -> None:
    games = [Game(1, 1, 1, "1-0"), Game(2, 1, 9, "1-0"), Game(3, 1, 2, "2-0")]
    with pytest.raises(EventRejected) as caught:
        sample.system.rate(sample.event(mixed, games))
    assert {"self-pairing", "unknown-player", "unknown-result"} <= {finding.code for finding in caught.value.findings}


def test_before_its_time_there_are_no_rules(sample: Sample) -> None:
    """A finding that names the first day, not a crash (a club's undated document holds from 1900 on)."""
    early = replace(sample, day=date(1850, 1, 1), states=tuple(replace(state, date=None) for state in sample.states))
    with pytest.raises(EventRejected, match="first day"):
        sample.system.rate(early.event(mixed))


def test_a_newcomer_can_be_rated(sample: Sample) -> None:
    """Whoever the system can start (an AGA newcomer brings a rank; a club may know no start) gets a rating."""
    if sample.system.title in (rulebook("cxr").title, rulebook("harkness").title):
        with pytest.raises(EventRejected, match="no starting rating"):
            sample.system.rate(_with_a_newcomer(sample))
        return
    start = sample.system.start(_with_a_newcomer(sample).sections[0].players[0], sample.day)
    assert math.isfinite(start.rating)
    rated = sample.system.rate(_with_a_newcomer(sample))
    first = next(answer for answer in rated.answers if answer.number == 1)
    assert first.prior is None or first.values.get("initialized")
    assert math.isfinite(first.post)


def _with_a_newcomer(sample: Sample) -> Event:
    event = sample.event(mixed)
    (section,) = event.sections
    newcomer = replace(section.players[0], ratings={}, rank="5k", birth_date=date(1970, 1, 1))
    return replace(event, sections=(replace(section, players=(newcomer, *section.players[1:])),))


WILD = st.one_of(
    st.floats(), st.floats(-3000, 3000), st.sampled_from([0.0, -1.0, 1e-300, 1e300, math.nan, math.inf, 0.5, 1500.0])
)


@pytest.mark.parametrize("name", ["st_charles", "aga", "glicko", "glicko2", "fide", "elo", *VARIANTS])
@settings(max_examples=30, deadline=None)
@given(rating=WILD, spread=WILD, volatility=WILD, day=st.dates(date(1, 1, 1), date(9999, 12, 31)))
def test_wild_records_are_refused_or_rated(
    name: str, rating: float, spread: float, volatility: float, day: date
) -> None:
    """Whatever a record says: a finding, or finite numbers; never a crash."""
    sample = _sample(name, VARIANTS[name]() if name in VARIANTS else system(name))
    wild = replace(sample.states[0], rating=rating, date=day)
    if wild.sigma is not None:
        wild = replace(wild, sigma=spread)
    if wild.deviation is not None:
        wild = replace(wild, deviation=spread)
    if wild.volatility is not None:
        wild = replace(wild, volatility=volatility)
    try:
        rated = sample.system.rate(replace(sample, states=(wild, *sample.states[1:])).event(mixed))
    except EventRejected:
        return
    for values in numbers(rated).values():
        assert all(math.isnan(value) or math.isfinite(value) for value in values)
        assert math.isfinite(values[0])


def test_the_registry_is_light() -> None:
    """Nothing heavy is imported until a system needs it."""
    code = "import sys, crosstable.systems; print(sorted({'numpy', 'numba', 'scipy', 'polars'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_hash_order_gets_into_a_rating() -> None:
    code = (
        "from tests.systems.test_conformance import SYSTEMS, _sample, mixed, system\n"
        "for name in SYSTEMS:\n"
        "    s = _sample(name, system(name))\n"
        "    print([(a.number, a.post, a.derivation) for a in s.system.rate(s.event(mixed)).answers])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
