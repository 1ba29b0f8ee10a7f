"""Sections 5.2 to 5.5 of the 1996 report."""

from __future__ import annotations

import math
from datetime import date

import pytest

from crosstable.errors import CrosstableError
from crosstable.titles import EventRecord, Met, Titles1996, is_supernorm_event, norms_in_event

TITLES = Titles1996()


@pytest.mark.clause("1996.title-levels")
def test_fourteen_levels() -> None:
    """Even hundreds from 400 to 1800, then every hundred through 2400 (section 1); supernorms from 2200 on (5.4)."""
    assert list(TITLES.levels) == [*range(400, 1900, 200), *range(1900, 2500, 100)]
    assert len(TITLES.levels) == 14
    assert [TITLES.levels[level] for level in (400, 1800, 1900, 2000, 2100, 2200, 2300, 2400)] == [
        "Category VIII",
        "Category I",
        "Candidate Expert",
        "Expert",
        "Candidate Master",
        "Master",
        "Candidate Senior Master",
        "Senior Master",
    ]
    assert {level: TITLES.supernorms_for(level) for level in TITLES.levels if TITLES.supernorms_for(level)} == {
        2200: 2,
        2300: 2,
        2400: 2,
    }


@pytest.mark.clause("1996.delta")
@pytest.mark.parametrize(("score", "norms"), [(2, 0), (2.5, 1), (3, 1), (3.5, 2), (4, 3)])
def test_four_rounds_against_ones_own_level(score: float, norms: int) -> None:
    """n = 4: expected 2, Delta 0.454, 1.25, 1.82, 2.284, 2.686: margins 0, 0.5, 1, 1.5, 2."""
    assert norms_in_event(1800, score, [1800] * 4).norms == norms


def test_a_title_in_one_event() -> None:
    """Nine wins of nine at one's own level: 4.5 over; Delta for the title 1.343 x 3 = 4.029."""
    assert norms_in_event(1800, 9, [1800] * 9).norms == 5
    assert norms_in_event(1800, 8.5, [1800] * 9).norms == 4  # 4.0 over: 1.142 x 3 = 3.426


def test_a_margin_of_exactly_delta_earns_the_norm() -> None:
    """readings 17. Against x, x', … the margin is made exactly Delta(1) x sqrt(4) = 0.454 by choosing one opponent."""
    wanted = 2.5 - 0.454 - 1.5  # what the fourth opponent must contribute to the expectation
    opponent = 1800 + 400 * math.log10(1 / wanted - 1)
    assert norms_in_event(1800, 2.5, [1800, 1800, 1800, opponent]).norms == 1
    assert norms_in_event(1800, 2.5, [1800, 1800, 1800, opponent - 0.001]).norms == 0


def test_the_example_of_the_command_table() -> None:
    """Expected 2.5 against 2100 … 2300; 2.0 over; Delta(2) = 0.625 x 2.236 = 1.398, Delta(3) = 2.035."""
    answer = norms_in_event(2200, 4.5, [2100, 2150, 2200, 2250, 2300])
    assert answer.norms == 2
    assert answer.expected == pytest.approx(2.5)


@pytest.mark.clause("1996.norm-rounds")
def test_wrong_questions_get_clear_errors() -> None:
    with pytest.raises(CrosstableError, match="3 rounds are too few for a norm: it takes 4"):
        norms_in_event(1800, 3, [1800] * 3)
    with pytest.raises(CrosstableError, match="no title of level 2250: the levels are 400, 600"):
        norms_in_event(2250, 3, [1800] * 4)
    for score in (4.5, -1, 2.25):
        with pytest.raises(CrosstableError, match="impossible in 4 games"):
            norms_in_event(1800, score, [1800] * 4)
    with pytest.raises(CrosstableError, match="rating that is a number"):
        norms_in_event(1800, 3, [1800, 1800, 1800, math.nan])


@pytest.mark.clause("1996.norm-events")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rounds": 3}, "3 rounds"),
        ({"system": "quick"}, "quick"),
        ({"weight": "half"}, "half-K"),
        ({"weight": "quarter"}, "quarter-K"),
        ({"opponents": (Met(None),)}, "without a pre-event rating"),
        ({"opponents": ()}, "no games"),
    ],
)
def test_events_without_norms(change: dict[str, object], reason: str) -> None:
    fields = {"date": date(1996, 9, 1), "rounds": 4, "score": 4, "opponents": (Met(1800),) * 4}
    assert TITLES.barred(EventRecord(**fields)) is None
    assert reason in (TITLES.barred(EventRecord(**{**fields, **change})) or "")


@pytest.mark.clause("1996.supernorm-events")
def test_supernorm_events() -> None:
    events = TITLES.rules["supernorm_events"]["events"]
    assert len(events) == 19
    assert all(is_supernorm_event(name) for name in events)
    assert is_supernorm_event("97th Annual U.S. Open (Orlando)")
    assert is_supernorm_event("Big Weekend", grand_prix_points=20)
    assert not is_supernorm_event("Big Weekend", grand_prix_points=19)
    assert not is_supernorm_event("Texas Open")


@pytest.mark.clause("1996.supernorm-kinds")
@pytest.mark.parametrize(
    "name",
    [
        "US Class Champs",
        "1997 US Amateur Team East",  # section 1: "any of the U.S. Amateur Team Championships"
        "Pan-American Intercollegiate Team Championship",
        "Pan Am Intercollegiate 1996",
        "United States Senior Open",
        "National HS Championship",
        "National Jr. High School Championships",
        "The U.S. Women's Closed Championship",
        "U. S. Masters",
        "Mid-West Master",
        "7th Annual Supernationals",
        "Supernationals IV",
        "U.S. Championship",  # readings 45
        "2024 U.S. Chess Championships",
        "US Women's Championship",
        "Pan American Intercollegiate Team Championship",
        "National Junior High Championship",
        "National Junior High Championships 1996",
        "Denker Tournament of High School Champions",
    ],
)
def test_supernorm_events_are_known_by_their_kind(name: str) -> None:
    assert is_supernorm_event(name)


@pytest.mark.parametrize(
    "name",
    [
        "Corpus Open",
        "Texas Masters",
        "US Chess Masters Camp Quads",
        "Nationals Warm-up",
        "World Open Warmup Quads",  # readings 45: a part of a name is not the name
        "US Open Side Quads",
        "Denker Qualifier Ohio",
        "",
    ],
)
def test_other_events_give_no_supernorms(name: str) -> None:
    assert not is_supernorm_event(name)


def test_an_officers_mark_decides() -> None:
    assert is_supernorm_event("Texas Open", mark=True)
    assert not is_supernorm_event("The World Open", grand_prix_points=200, mark=False)


def test_what_a_score_must_be() -> None:
    """Four opponents of the level: 2 norms need 1.25 over 2, so 3.5; the title (2.686 over) is out of reach."""
    assert TITLES.score_needed(1800, 2, [1800] * 4) == 3.5
    assert TITLES.score_needed(1800, 5, [1800] * 4) is None
    assert TITLES.margin_needed(1, 9) == pytest.approx(0.681)


def test_absurd_ratings_are_answered_not_crashed_on() -> None:
    """Nobody is expected to score against 900,000, so four draws are four halves over."""
    assert norms_in_event(400, 2, [900_000] * 4).margin == pytest.approx(2)
    assert norms_in_event(400, 2, [-900_000] * 4).margin == pytest.approx(-2)
