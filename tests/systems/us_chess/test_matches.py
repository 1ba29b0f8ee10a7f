"""Section 7's matches and section 6's foreign FIDE events."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from crosstable.errors import EventRejected
from crosstable.model import ForeignRating, MatchChange, Rating
from crosstable.replay.from_event import history_of_events
from crosstable.replay.history import GRANTED
from crosstable.replay.us_chess import replay
from crosstable.systems.us_chess import rate
from tests.derivations import shown_steps
from tests.replay.comparison import compare

from .builders import by_number, event, games, player, rated, section

WINS = [(1, 2, "1-0")] * 6


def match(first: float, second: float, played: list[tuple[int, int, str]] = WINS, **record: object):
    return section([player(1, first, **record), player(2, second)], games(*played), kind="match")


@pytest.mark.clause("matches.limits")
def test_a_match_moves_a_rating_by_50_at_most() -> None:
    answers = by_number(rated(match(1500.0, 1600.0)))
    assert answers[1].values["unfloored"] > 1550
    assert (answers[1].post, answers[2].post) == (1550, 1550)
    assert answers[1].state.match_changes == (MatchChange(date(2025, 8, 2), 50.0),)


@pytest.mark.clause("matches.limits")
def test_net_limits_of_180_days_and_three_years() -> None:
    recent = (MatchChange(date(2025, 5, 1), 70.0),)
    assert by_number(rated(match(1500.0, 1600.0, match_changes=recent)))[1].post == 1530  # 100 − 70
    older = (MatchChange(date(2024, 5, 1), 90.0), MatchChange(date(2023, 5, 1), 80.0))
    assert by_number(rated(match(1500.0, 1600.0, match_changes=older)))[1].post == 1530  # 200 − 170
    beyond = (MatchChange(date(2022, 8, 1), 190.0),)  # more than three years ago
    assert by_number(rated(match(1500.0, 1600.0, match_changes=beyond)))[1].post == 1550
    losses = (MatchChange(date(2025, 5, 1), -70.0),)  # net: 100 + 70 are left, but 50 at most
    assert by_number(rated(match(1500.0, 1600.0, match_changes=losses)))[1].post == 1550
    spent = (MatchChange(date(2025, 5, 1), 100.0),)
    assert by_number(rated(match(1500.0, 1600.0, match_changes=spent)))[1].post == 1500


@pytest.mark.clause("matches.no-bonus")
def test_matches_earn_no_bonus() -> None:
    assert by_number(rated(match(1500.0, 1600.0)))[1].values["bonus"] == 0
    swiss = section(
        [player(1, 1500.0), player(2, 1600.0), player(3, 1600.0)],
        games((1, 2, "1-0"), (1, 3, "1-0"), (1, 2, "1-0"), (1, 3, "1-0")),
    )
    assert by_number(rated(swiss))[1].values["bonus"] > 0


@pytest.mark.clause("matches.eligibility")
def test_both_must_be_established_and_within_400_points() -> None:
    for part, code in (
        (match(1500.0, 1901.0), "match-gap"),
        (section([player(1, 1500.0, 25), player(2, 1500.0)], games(*WINS), kind="match"), "match-not-established"),
        (section([player(1), player(2, 1500.0)], games(*WINS), kind="match"), "match-not-established"),
    ):
        with pytest.raises(EventRejected) as caught:
            rated(part)
        assert [finding.code for finding in caught.value.findings] == [code]
        if 1 in by_number(rated(part, profile="as-practised")):  # rated, and capped, with a warning
            assert rate(event(part), "as-practised").findings[0].code == code
    assert by_number(rated(match(1500.0, 1901.0), profile="as-practised"))[1].post == 1550
    assert 1 in by_number(rated(match(1500.0, 1900.0)))  # 400 apart is allowed


@pytest.mark.clause("matches.dual")
def test_a_dual_rated_match_counts_in_the_pools_in_which_both_qualify() -> None:
    """Readings 30: both are established in OTBR, one of them is not in OTBQ."""
    first = player(1, ratings={"OTBR": Rating(1500.0, 40), "OTBQ": Rating(1500.0, 40)})
    for quick in ({}, {"OTBQ": Rating(1500.0, 25)}, {"OTBQ": Rating(1901.0, 40)}):
        second = player(2, ratings={"OTBR": Rating(1600.0, 40), **quick})
        part = section([first, second], games(*WINS), kind="match", time_control="G/30;d5")
        outcome = rate(event(part))
        assert {(answer.number, answer.pool) for answer in outcome.answers} == {(1, "OTBR"), (2, "OTBR")}
        assert [finding.code for finding in outcome.findings] == ["match-pool-left-out"]
    neither = section([first, player(2, ratings={})], games(*WINS), kind="match", time_control="G/30;d5")
    with pytest.raises(EventRejected) as caught:
        rate(event(neither))
    assert [finding.code for finding in caught.value.findings] == ["match-not-established"] * 2


def test_the_ratings_of_an_event_may_stand_in_one_of_its_sections() -> None:
    """A match in section 2 between two players whose ratings the report gives in section 1: 1500 + 50."""
    known = [player(1, 1500.0), player(2, 1600.0)]
    bare = [player(1, ratings={}), player(2, ratings={})]
    first = section(known, games((1, 2, "1-0")), time_control="G/5;d0", number=1)
    second = section(bare, games(*WINS), kind="match", number=2)
    found = rated(first, second)
    assert (found[2, "OTBR", 1].values["prior"], found[2, "OTBR", 1].post) == (1500, 1550)
    assert compare([event(first, second)], "as-written") == 4


@pytest.mark.clause("dual_k.time-control")
def test_the_time_control_decides_on_k_above_2200_also_where_a_match_counts_in_one_pool() -> None:
    """Readings 39: K = 800(6.5 − 0.0025 · 2300)/(N' + 2) = 600/(45.706 + 2) = 12.577; 1½ of an expected 1 gains half of
    it.
    """
    quick = {"OTBQ": Rating(2300.0, 10)}
    field = [player(number, ratings={"OTBR": Rating(2300.0, 100), **quick}) for number in (1, 2)]
    part = section(field, games((1, 2, "1-0"), (1, 2, "1/2-1/2")), kind="match", time_control="G/45;d5")
    winner = rated(part)[1, "OTBR", 1]
    assert winner.values["effective_games"] == pytest.approx(45.706, abs=5e-4)
    assert winner.values["k"] == pytest.approx(600 / 47.706, abs=5e-4)
    assert winner.post == pytest.approx(
        2306.06, abs=0.005
    )  # Step 5 meets the loser's Step 4 rating, a little below 2300
    slow = replace(part, time_control="G/90;+30")
    assert rated(slow)[1, "OTBR", 1].values["k"] == pytest.approx(800 / 47.706, abs=5e-4)


@pytest.mark.clause("matches.special")
@pytest.mark.parametrize(
    ("own", "games_before", "opponent", "points", "played", "published"),
    [  # of the published record, sections 13714, 20681, 60688 and 18742
        (818.0, 3, 1155.0, 0, 2, 818),
        (779.0, 6, 847.0, 4, 2, 829),
        (1177.0, 8, 1897.0, 1, 8, 1227),
        (1576.0, 8, 1565.0, 0, 5, 1576),
    ],
)
def test_as_practised_the_special_formula_gives_50_or_nothing(
    own: float, games_before: int, opponent: float, points: int, played: int, published: int
) -> None:
    """Readings 35. `points` are half points: won games first, then a draw, the rest lost."""
    won, drawn = points // 2, points % 2
    results = ["1-0"] * won + ["1/2-1/2"] * drawn + ["0-1"] * (played - won - drawn)
    part = section(
        [player(1, own, games_before), player(2, opponent)],
        games(*((1, 2, result) for result in results)),
        kind="match",
        on=date(2012, 6, 21),
        time_control="G/30;d5",
    )
    answer = by_number(rated(part, profile="as-practised"))[1]
    assert (answer.values["formula"], answer.published) == ("special", published)


@pytest.mark.clause("matches.floor-request")
def test_a_result_below_the_floor_is_a_request_to_lower_it() -> None:
    losing = [(1, 2, "0-1")] * 6
    outcome = rate(event(match(1710.0, 1600.0, losing, peak=1941.0)))
    answers = {a.number: a for a in outcome.answers}
    assert (answers[1].values["floor"], answers[1].post) == (1700, 1700)
    assert [finding.code for finding in outcome.findings] == ["floor-request"]
    assert "1600" in outcome.findings[0].advice
    granted = by_number(rated(match(1710.0, 1600.0, losing, peak=1941.0, lowered_floor=1600)))[1]
    assert (granted.values["floor"], granted.post) == (1600, 1660)  # −50
    assert granted.state.lowered_floor == 1600


@pytest.mark.clause("matches.floor-request")
def test_no_request_asks_for_less_than_the_personal_floor() -> None:
    """§5 and readings 23: where the personal absolute floor binds nobody can lower it; 100 + 4 × 10 wins + 3 events =
    143.
    """
    losing = [(1, 2, "0-1")] * 6
    poor = match(145.0, 400.0, losing, games=60, wins=10, draws=0, losses=50, three_game_events=2)
    outcome = rate(event(poor))
    assert {a.number: (a.values["floor"], a.post) for a in outcome.answers}[1] == (143, 143)
    assert outcome.findings == ()


@pytest.mark.clause("matches.floor-lowered")
@pytest.mark.parametrize(
    ("record", "floor"),
    [
        ({"lowered_floor": 1600, "peak": 1941.0}, 1600),  # the earned 1700 is what was lowered
        (
            {"lowered_floor": 1600, "prize_floor": 1800},
            1800,
        ),  # set after the lowering: before it 1800 would have been lowered
        ({"lowered_floor": 1600, "prize_floor": 1700}, 1600),  # this one was lowered
        ({"lowered_floor": 1700, "prize_floor": 1800, "peak": 1841.0}, 1700),  # an earned 1600 changes nothing
        ({"lowered_floor": 1700, "prize_floor": 1800, "peak": 2000.0}, 1700),  # nor does one that reaches 1800
        ({"lowered_floor": 1700, "prize_floor": 1800, "peak": 2141.0}, 1900),  # 1900 is higher than what was lowered
        ({"lowered_floor": 1600, "life_master": True}, 2200),
        ({"lowered_floor": 2100, "life_master": True}, 2100),  # the life-master floor itself was lowered
        ({"lowered_floor": 1600, "lowered_from": 1800, "peak": 2041.0}, 1600),  # the earned 1800 was lowered twice
        ({"lowered_floor": 1600, "lowered_from": 1800, "peak": 2141.0}, 1900),  # 1900 is higher than what was lowered
        ({"lowered_floor": 1600, "lowered_from": 1800, "prize_floor": 1800}, 1600),  # a prize's, lowered twice
        ({"lowered_floor": 1600, "lowered_from": 1800, "prize_floor": 1900}, 1900),
        ({"lowered_floor": 2000, "lowered_from": 2200, "life_master": True}, 2000),  # and a life master's
    ],
)
def test_floors_after_a_granted_lowering(record: dict[str, object], floor: float) -> None:
    losses = section([player(1, 1500.0, **record), player(2, 1500.0)], games(*[(1, 2, "0-1")] * 2))
    assert by_number(rated(losses))[1].values["floor"] == floor


@pytest.mark.clause("matches.floor-lowered")
def test_a_lowering_does_nothing_where_its_floor_is_gone() -> None:
    """Readings 44: without the peak that earned 1700 there is only the personal floor; 705 − 50 = 655."""
    losing = [(1, 2, "0-1")] * 6
    lost, _ = rate(event(match(705.0, 700.0, losing, lowered_floor=1600, lowered_from=1700))).answers
    assert (lost.values["floor"], lost.post) == (101, 655)  # 100 + one event of three games
    (step,) = [one for one in shown_steps(lost) if one.title == "Floor"]
    assert "personal" in step.text


@pytest.mark.clause("matches.floor-lowered")
@pytest.mark.parametrize(
    ("record", "lowered", "post"),
    [
        ({"rating": 1710.0, "peak": 1941.0}, (1600, 1700), 1660),  # 50 at most
        ({"rating": 1510.0, "peak": 1741.0}, (1400, 1500), 1460),  # a correction took the higher peak away
        ({"rating": 1710.0, "peak": 2041.0, "lowered_floor": 1700.0}, (1600, 1800), 1660),  # a second request
        ({"rating": 1390.0}, (None, None), 1340),  # it earns no floor: nothing to lower
        ({"rating": 1710.0, "peak": 1841.0}, (None, None), 1660),  # the result is above the floor of 1600
    ],
)
def test_a_granted_request_lowers_the_floor_that_binds_in_the_match(
    record: dict[str, float], lowered: tuple[float | None, float | None], post: float
) -> None:
    """§7 and readings 44: the replay lowers it; `rate` of the same match with the lowered floor in the record
    agrees.
    """
    own = Rating(games=40, **record)
    losing = [(1, 2, "0-1")] * 6
    part = match(own.rating, own.rating, losing)
    part = replace(part, players=(player(1, ratings={"OTBR": own}), part.players[1]))
    history, states = history_of_events([event(part)])
    replayed = replay(replace(history, entry_facts=np.array([GRANTED, 0], np.int16)), states).states.rating(0, 0)
    assert replayed is not None
    assert (replayed.rating, replayed.lowered_floor, replayed.lowered_from) == (post, *lowered)
    given = own if lowered[0] is None else replace(own, lowered_floor=lowered[0], lowered_from=lowered[1])
    plain = rated(replace(part, players=(player(1, ratings={"OTBR": given}), part.players[1])))[1, "OTBR", 1]
    assert replayed == plain.state


@pytest.mark.clause("matches.floor-lowered")
@pytest.mark.parametrize(
    ("time_control", "pool", "lowered"),
    [("G/120;d5", "OTBR", 2200), ("G/20;d5", "OTBQ", 2100)],  # 2025 §5: the floor is of the regular rating only
)
def test_becoming_a_life_master_after_a_lowering(time_control: str, pool: str, lowered: float) -> None:
    """A money floor of 2200 lowered to 2100; then the 300th game above 2200 (§5): that floor is set after the
    lowering.
    """
    record = {"lowered_floor": 2100, "prize_floor": 2200, "games_above_2200": 298}
    field = [player(1, 2230.0, 400, system=pool, **record), player(2, 2230.0, 400, system=pool)]
    two = section(field, games(*[(1, 2, "1/2-1/2")] * 2), time_control=time_control)
    state = by_number(rated(two), pool)[1].state
    assert (state.life_master, state.lowered_floor) == (True, lowered)


@pytest.mark.clause("matches.floor-lowered")
def test_the_same_floor_lowered_twice() -> None:
    """§7: each granted request takes the floor 100 lower. Peak 2041: 1800, then 1700, then 1600."""
    losing = [(1, 2, "0-1")] * 6
    once = rate(event(match(1740.0, 1700.0, losing, peak=2041.0, lowered_floor=1700)))
    asked = {a.number: a for a in once.answers}[1]
    assert (asked.values["floor"], asked.post) == (1700, 1700)
    assert "to 1600" in once.findings[0].advice
    assert "lowered_from to 1800" in once.findings[0].advice
    granted = match(1740.0, 1700.0, losing, peak=2041.0, lowered_floor=1600, lowered_from=1800)
    twice = by_number(rated(granted))[1]
    assert (twice.values["floor"], twice.post) == (1600, 1690)  # −50
    assert (twice.state.lowered_floor, twice.state.lowered_from) == (1600, 1800)
    (step,) = [one for one in shown_steps(twice) if one.title == "Floor"]
    assert "lowered on request" in step.text


def test_two_entrants_in_a_swiss_are_not_a_match() -> None:
    swiss = section([player(1, 1500.0), player(2, 1600.0)], games(*WINS))
    assert by_number(rated(swiss))[1].post > 1550


def foreign(opponents: list[float | None], us: dict[str, object], *, on: date = date(2025, 8, 2), youth: bool = False):
    """A FIDE event: number 1 is ours and wins every game."""
    others = [player(n, fide=ForeignRating(r) if r else None, member=False) for n, r in enumerate(opponents, 2)]
    ours = player(1, us.pop("rating", 2300.0), us.pop("games", 400), **us)
    played = games(*((1, n, "1-0") for n in range(2, 2 + len(opponents))))
    return section([ours, *others], played, kind="fide", time_control=None, on=on, youth=youth)


@pytest.mark.clause("fide_events.one-pass")
@pytest.mark.clause("fide_events.opponents")
def test_one_pass_against_converted_ratings() -> None:
    part = foreign([2300.0, None, 1900.0], {"usa_flag": True, "fide": ForeignRating(2200)})
    answers = by_number(rated(part))
    assert list(answers) == [1]
    answer = answers[1]
    # the opponent without a FIDE rating is ignored: two games, against 20 + 1.02·2300 and −1073 + 1.5667·1900
    expected = sum(1 / (1 + 10 ** ((r - 2300) / 400)) for r in (20 + 1.02 * 2300, -1073 + 1.5667 * 1900))
    assert answer.values["games"] == 2
    assert answer.values["expected"] == pytest.approx(expected)
    assert answer.values["intermediate"] is None
    # N* at 2300: 50/sqrt(0.662 + 0.00000739 · 269²)
    k = 800 / (50 / (0.662 + 0.00000739 * 269**2) ** 0.5 + 2)
    assert answer.post == pytest.approx(2300 + k * (2 - expected))
    assert answer.state.games == 402


@pytest.mark.clause("fide_events.standard")
@pytest.mark.parametrize(
    ("control", "name", "speed", "why"),
    [
        ("G/3;+2", "Open", "", "'G/3;+2'"),
        ("G/20;+5", "Open", "", "'G/20;+5'"),
        ("G/1", "Open", "", "'G/1'"),  # too fast for any rating
        ("15 min rapid", "Open", "", "'rapid'"),  # not a control that we can read
        (None, "World Rapid Championship", "", "'rapid'"),
        (None, "Open", "blitz", "'blitz'"),  # the file's type of tournament
        ("G/25;+5", "Open", "", None),  # mm + ss = 30 is Regular
        ("40/90,SD/30;+30", "Rapid City Open", "", None),  # the control decides, not the name of a town
        (None, "Rapids Open", "", None),
        (None, "Open", "", None),
    ],
)
def test_only_standard_events_abroad_count(control: str | None, name: str, speed: str, why: str | None) -> None:
    """Readings 40: a foreign G/3+2 event does not move the Regular rating, and a finding says so."""
    part = foreign([2300.0], {"usa_flag": True, "fide": ForeignRating(2200)})
    part = replace(part, time_control=control, name=name, notes={"speed": speed})
    outcome = rate(event(part))
    assert bool(outcome.answers) is (why is None)
    found = [finding for finding in outcome.findings if finding.code == "fide-not-standard"]
    assert [why in finding.message for finding in found] == ([True] if why else [])
    assert compare([event(part)], "as-written") == len(outcome.answers)


def test_youth_events_have_their_own_conversion() -> None:
    part = foreign([1800.0], {"usa_flag": True, "fide": ForeignRating(2200)}, youth=True)
    opponent = -453 + 1.2667 * 1800
    assert by_number(rated(part))[1].values["expected"] == pytest.approx(1 / (1 + 10 ** ((opponent - 2300) / 400)))


@pytest.mark.clause("fide_events.eligibility")
@pytest.mark.parametrize(
    ("us", "on", "counts"),
    [
        ({"usa_flag": True, "fide": ForeignRating(2200)}, date(2025, 8, 2), True),
        ({"usa_flag": True, "fide": ForeignRating(2199)}, date(2025, 8, 2), False),
        ({"usa_flag": True, "fide": ForeignRating(2199), "fide_opt_in": True}, date(2025, 8, 2), True),
        ({"fide_opt_in": True}, date(2025, 8, 2), True),
        ({"fide": ForeignRating(2500)}, date(2025, 8, 2), False),
        ({"fide_opt_in": True, "member": False}, date(2025, 8, 2), False),
        ({"fide_opt_in": True, "games": 25}, date(2025, 8, 2), False),
        ({"fide_opt_in": True, "games": 25}, date(2017, 4, 23), True),  # the 2015 text does not ask for it
        ({"fide_opt_in": True, "games": 25}, date(2017, 4, 24), False),
    ],
)
def test_who_is_eligible(us: dict[str, object], on: date, counts: bool) -> None:
    outcome = rate(event(foreign([2300.0], dict(us), on=on)))
    assert bool(outcome.answers) is counts
    if not counts:
        assert [finding.code for finding in outcome.findings] == ["fide-not-counted"]


@pytest.mark.parametrize(
    ("day", "edition"), [(date(2016, 3, 5), "2015"), (date(2018, 3, 3), "2017"), (date(2025, 8, 2), "2025")]
)
def test_an_explanation_cites_the_edition_in_force(day: date, edition: str) -> None:
    """2025 §8: a section's start date chooses the text; every step names that one, whichever edition first had the
    rule.
    """
    one = section([player(1, 1710.0, peak=1941.0), player(2, 1600.0)], games((1, 2, "0-1")), on=day)
    sources = {step.title: step.source for step in shown_steps(by_number(rated(one))[1])}
    assert sources["Floor"].startswith(f"{edition} §5")
    assert {source.split(" ")[0] for source in sources.values() if source} == {edition}
    dated = "" if edition == "2025" else " (2025 §8)"  # the history list says since when
    assert sources["Effective games (Step 2)"] == f"{edition} §3, since 2013-05-08{dated}".replace(
        "2025 §3,", "2025 §3, 8,"
    )
