"""Dates in free text that could be a birth date: by the text and today alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from crosstable.errors import OfficeError
from crosstable.office.ledger import free_text
from crosstable.office.storage import clock

BIRTH_DATES = (
    "K, born 2015-03-04, aged 10",
    "b. 4/3/2015",
    "b. 3/4/15",
    "04.03.2015",
    "4. 3. 2015",
    "(2015/3/4)",
    "born 20150304",
    "4 March 2015",
    "Mar. 4th, 2015",
    "the 4th of March 2015",
    "March 4 '15",
    "DOB: 2015",
    "she was born in 1998",
    "the last day that counts is 2023-02-27.",
)
HARMLESS = (
    "the game of 2026-02-14",
    "by letter of 2/14/26",
    "it will be played on 14.03.27",
    "from 2023-03-01 on",
    "K is 10",
    "event 12/2015",
    "in 1998",
    "boards 1, 2, 15 and section 4.3",
    "player 20150304 and not 20150305",  # members' IDs have eight digits
    "events 20150304-9f86d081 and night-2015-03-04",
    "1/2-1/2 in round 3, 31.31.15, 0000-00-00, 3.14.15.92",
    "the rating list of May",
)


@pytest.fixture(autouse=True)
def first_of_march() -> Iterator[None]:
    with clock.set_to(datetime(2026, 3, 1, 12, tzinfo=UTC)):
        yield


@pytest.mark.parametrize("text", BIRTH_DATES)
def test_a_full_date_of_more_than_three_years_ago_is_refused(text: str) -> None:
    with pytest.raises(OfficeError, match="leave birth dates out of the reason: it may hold no date before 2023-03-01"):
        free_text.refuse(text, "the reason")


@pytest.mark.parametrize("text", HARMLESS)
def test_dates_of_events_and_other_numbers_pass(text: str) -> None:
    free_text.refuse(text, "the reason")


def test_a_text_that_is_too_long_is_not_looked_through() -> None:
    (problem,) = free_text.problems("2015-03-04 " * 200, "a claim")
    assert problem == "a claim has 2200 characters; at most 2000 are allowed"
