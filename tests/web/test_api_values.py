"""What a program may ask for: a value that does not fit is refused by its name, never bent or passed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

API = "/api/v1/"


def asked(visitor: Client, address: str) -> Any:
    answer = visitor.get(API + address)
    assert answer.status_code == 200, (address, answer.content[:500])
    return answer.json()


def refused(visitor: Client, address: str) -> list[dict[str, str]]:
    """The findings of a 422."""
    answer = visitor.get(API + address)
    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json"), answer.content[:500]
    found: list[dict[str, str]] = answer.json()["findings"]
    return found


# the estimate


@pytest.mark.parametrize(("score", "why"), [("3", "0 to 2"), ("0.3", "half points"), ("2.5", "0 to 2")])
def test_a_score_that_two_games_cannot_give_is_refused(visitor: Client, score: str, why: str) -> None:
    (found,) = refused(visitor, f"estimate?rating=1500&games=30&opponents=1500,1600&score={score}")
    assert found["where"] == "query score"
    assert why in found["message"]


def test_a_score_below_what_is_won_already_is_refused(visitor: Client) -> None:
    """One game won, one open: 1 to 2 points."""
    (found,) = refused(visitor, "estimate?rating=1500&games=30&opponents=1500,1600&results=won,&score=0.5")
    assert "1 to 2" in found["message"]


def test_the_page_takes_the_nearest_score(visitor: Client) -> None:
    """Whoever takes an opponent out of the form still has the score of before in the address."""
    page = visitor.get("/estimate/?rating=1500&games=30&opponents=1500,1600&score=3").content.decode()
    assert "2 out of 2 against this field" in page


# rules


def test_a_value_says_its_last_day(visitor: Client) -> None:
    """B = 12 held until 31 December 2024; from 1 January 2025 it is 10 (2025 §8), and no end of that is known."""
    newest, before = asked(visitor, "rules/bonus")["values"][:2]
    assert (newest["until"], before["until"]) == (None, "2024-12-31")
    then = {one["rule"]: one for one in asked(visitor, "rules?on=2024-06-01")["rules"]}
    assert then["bonus"]["until"] == "2024-12-31"


# what if


@pytest.mark.parametrize(("results", "turn"), [("99:won", 99), ("0:won", 0), ("1:drew,1:lost", 1)])
def test_a_what_if_of_no_game_names_the_round(
    visitor: Client, sample: Mapping[str, str], results: str, turn: int
) -> None:
    address = f"events/{sample['event']}/sections/{sample['section']}/{sample['number']}/OTBR"
    (found,) = refused(visitor, f"{address}?results={results}")
    assert found["where"] == "query results"
    assert f"Round {turn} " in found["message"]
