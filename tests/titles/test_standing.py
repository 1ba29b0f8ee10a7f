"""Five norms, supernorms, three years; and a corrected history gives what the history from scratch gives."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.titles import EventRecord, Met, Norm, Titles1996, Titles2010, standing

DAY = date(1996, 9, 1)


def event(day: date, score: float, *, level: float = 1800, rounds: int = 4, **more: object) -> EventRecord:
    """Four games against opponents of a level: 2.5 earns one norm for it, 3.5 two, 4 three."""
    return EventRecord(day, rounds, score, (Met(level, level),) * rounds, **more)


def test_five_norms_make_the_title() -> None:
    history = [event(DAY + timedelta(days=30 * month), 2.5) for month in range(6)]
    before = standing(history[:4]).titles[1800]
    assert (before.norms, before.earned) == (4, None)
    assert before.need is not None
    assert before.need.norms == 1
    after = standing(history).titles[1800]
    assert after.earned == history[4].date
    assert after.need is None
    assert after.norms == 5  # the sixth event adds nothing to a title already earned


@pytest.mark.clause("1996.norm-several-titles")
def test_one_result_counts_for_several_titles() -> None:
    """All four against 1800: over 1600's expectation of 4 x 0.2402531 by 3.04: the title at once (2.686)."""
    now = standing([event(DAY, 4)])
    assert now.titles[1600].earned == DAY
    assert now.titles[1800].norms == 3
    assert now.titles[1900].norms == 2  # expected 4 x 0.6401 = 2.560, 1.44 over: more than 1.25
    assert now.titles[2000].norms == 1  # expected 4 x 0.7597 = 3.039, 0.961 over
    assert now.highest is not None
    assert now.highest.level == 1600


@pytest.mark.clause("1996.norm-expiry")
def test_a_norm_lasts_three_years() -> None:
    first = event(DAY, 2.5)
    later = [event(date(1999, 9, 1), 3.5), event(date(1999, 9, 2), 3.5)]
    state = standing([first, later[0]]).titles[1800]
    assert state.held[0] == Norm(DAY, 1, expires=date(1999, 9, 1))
    assert state.norms == 3
    state = standing([first, *later]).titles[1800]
    assert (state.norms, [norm.date for norm in state.expired]) == (4, [DAY])
    assert standing([first], on=date(1999, 9, 1)).titles[1800].norms == 1
    assert standing([first], on=date(1999, 9, 2)).titles[1800].norms == 0
    assert Titles1996().expires(date(1996, 2, 29)) == date(1999, 2, 28)


def test_a_title_does_not_expire() -> None:
    assert standing([event(DAY, 4)], on=date(2020, 1, 1)).titles[1600].earned == DAY


def test_from_2200_on_two_norms_must_be_supernorms() -> None:
    plain = [event(DAY + timedelta(days=day), 3.5, level=2200) for day in range(3)]  # two norms each
    state = standing(plain).titles[2200]
    assert (state.norms, state.earned) == (6, None)
    assert state.need is not None
    assert (state.need.norms, state.need.supernorms) == (2, 2)
    super_one = event(DAY + timedelta(days=9), 2.5, level=2200, supernorm=True)
    assert standing([*plain, super_one]).titles[2200].earned is None
    super_two = replace(super_one, date=DAY + timedelta(days=10))
    assert standing([*plain, super_one, super_two]).titles[2200].earned == super_two.date
    assert standing(plain).titles[2100].earned is not None


def test_an_empty_history() -> None:
    state = standing([])
    assert state.on is None
    assert state.highest is None
    assert all(title.need is not None and title.need.norms == 5 for title in state.titles.values())


# --- corrections ------------------------------------------------------------------------------------------------------

records = st.builds(
    lambda day, level, rounds, halves, supernorm, name: EventRecord(
        DAY + timedelta(days=day),
        rounds,
        min(halves, 2 * rounds) / 2,
        tuple(Met(level + 25 * i, level + 20 * i, str(i)) for i in range(rounds)),
        supernorm=supernorm,
        rating=level,
        name=f"event {name}",
    ),
    st.integers(0, 2500),
    st.sampled_from([800.0, 1500.0, 1800.0, 2150.0]),
    st.integers(3, 9),
    st.integers(4, 18),
    st.booleans(),
    st.integers(0, 99),
)


@given(st.lists(records, max_size=12), st.data(), st.sampled_from([Titles1996(), Titles2010()]))
def test_a_corrected_history_equals_one_from_scratch(history: list[EventRecord], data: st.DataObject, rules) -> None:
    """However often the history was wrong in between, and in whatever order it is told: the same standing."""
    wrong = list(history)
    if wrong:
        at = data.draw(st.integers(0, len(wrong) - 1))
        wrong[at] = replace(wrong[at], score=0)
        standing(wrong, rules)  # what was published meanwhile leaves no trace
        wrong[at] = history[at]
    shuffled = data.draw(st.permutations(wrong))
    assert standing(shuffled, rules) == standing(history, rules)


@given(st.lists(records, min_size=1, max_size=12), st.data(), st.sampled_from([Titles1996(), Titles2010()]))
def test_norms_won_and_lost_follow_a_correction(history: list[EventRecord], data: st.DataObject, rules) -> None:
    """A result corrected to nothing takes its own norms away and no others."""
    at = data.draw(st.integers(0, len(history) - 1))
    corrected = [*history[:at], replace(history[at], score=0), *history[at + 1 :]]
    without = [*history[:at], *history[at + 1 :]]
    on = max(record.date for record in history)
    after, scratch = standing(corrected, rules, on), standing(without, rules, on)
    for level in rules.levels:
        one, other = after.titles[level], scratch.titles[level]
        if rules.rating_for(level) is None:  # a rating reached in the corrected event still counts
            assert (one.norms, one.earned) == (other.norms, other.earned)


@given(st.lists(records, max_size=12))
def test_a_year_later_nothing_but_expiry_has_changed(history: list[EventRecord]) -> None:
    """Against a plain model: a title's norms are those of the last three years, unless it was earned before."""
    rules = Titles1996()
    for level, state in standing(history, rules).titles.items():
        last = max((record.date for record in history), default=DAY)
        if state.earned:
            continue
        expected = sum(
            rules.norms(record, level)
            for record in history
            if not rules.barred(record) and (rules.expires(record.date) or last) >= last
        )
        assert state.norms == expected
