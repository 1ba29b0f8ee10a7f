"""What a program may ask for: a value that does not fit is refused by its name, never bent or passed over."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping

import pytest
from django.test import Client

from tests.web.api_answers import API, asked


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


# words


def test_wrong_values_are_told_in_plain_words(visitor: Client) -> None:
    found = {one["where"]: one for one in refused(visitor, "events?year=soon&limit=9999&format=xml")}
    assert found["query year"]["message"] == "It is not a whole number."
    assert found["query limit"]["message"] == "It is more than 200."
    assert "json" in found["query format"]["message"]
    assert all(one["advice"] for one in found.values())


def test_a_wrong_pattern_says_what_is_wanted_with_an_example(visitor: Client) -> None:
    (found,) = refused(visitor, "estimate?rating=1500&games=30&opponents=strong")
    assert found["where"] == "query opponents"
    assert "pattern" not in found["message"]
    assert "1700,1650,1580,1720" in found["advice"]


def test_a_wrong_id_in_a_body_is_named_by_its_place(visitor: Client) -> None:
    answer = visitor.post(f"{API}players/lookup", {"ids": ["30000004", "two words"]}, content_type="application/json")
    (found,) = answer.json()["findings"]
    assert (answer.status_code, found["where"]) == (422, "body ids number 2")
    assert found["advice"]


def test_pools_are_known_by_their_names(visitor: Client, sample: Mapping[str, str]) -> None:
    for code, name in (
        ("lists/{list}/OTBR?limit=1", "lists/{list}/regular?limit=1"),
        ("players/{player}/history?pool=OTBR", "players/{player}/history?pool=Regular"),
        ("events/{event}/sections/{section}/{number}/OTBR", "events/{event}/sections/{section}/{number}/regular"),
        (
            "estimate?rating=1500&games=30&opponents=1500&pool=OLQ",
            "estimate?rating=1500&games=30&opponents=1500&pool=online-quick",
        ),
    ):
        assert asked(visitor, name.format(**sample)) == asked(visitor, code.format(**sample))


# what is not taken


@pytest.mark.parametrize(
    ("address", "where"),
    [
        ("lists/{list}?format=csv", "query format"),
        ("events?lmit=1", "query lmit"),
        ("players/{player}/history?pool=ZZZ", "query pool"),
        ("events?state=Nowhere", "query state"),
        ("lists/{list}/OTBR?state=Nowhere", "query state"),
        ("lists/{list}/OTBR?state=Nowhere&format=csv", "query state"),
    ],
)
def test_what_an_address_does_not_take_is_refused(
    visitor: Client, sample: Mapping[str, str], address: str, where: str
) -> None:
    (found,) = refused(visitor, address.format(**sample))
    assert found["where"] == where
    assert found["advice"]


def test_a_state_filters_a_list_and_its_csv_alike(visitor: Client, sample: Mapping[str, str]) -> None:
    ohio = f"lists/{sample['list']}/OTBR?state=OH"
    rows = [one["id"] for one in asked(visitor, f"{ohio}&limit=200")["rows"]]
    table = visitor.get(f"{API}{ohio}&format=csv").content.decode().splitlines()
    assert rows
    assert [line.split(",")[0] for line in table[1:]] == rows
    assert (
        asked(visitor, f"lists/{sample['list']}/OTBR?state=Ohio&limit=200")["rows"]
        == asked(visitor, f"{ohio}&limit=200")["rows"]
    )


# what is not there


@pytest.mark.parametrize(
    ("address", "advice"),
    [
        ("events?cursor=nothing", "`next`"),
        ("lists/{list}/ZZZ", "/api/v1/lists"),
        ("rules?on=1990-01-01", "later day"),
        ("rules/diff?from=1990-01-01", "later day"),
        ("rules/nothing", "/api/v1/rules"),
    ],
)
def test_what_is_not_there_comes_with_advice_that_fits(
    visitor: Client, sample: Mapping[str, str], address: str, advice: str
) -> None:
    answer = visitor.get(API + address.format(**sample))
    assert answer.status_code == 404
    assert advice in answer.json()["advice"]
    assert advice in answer.json()["findings"][0]["advice"]


# files and the description


def test_a_crosstable_as_csv_has_colors_in_words_and_whole_performances(
    visitor: Client, sample: Mapping[str, str]
) -> None:
    address = f"events/{sample['event']}/sections/{sample['section']}"
    rows = {str(row["number"]): row for row in asked(visitor, address)["rows"]}
    table = list(csv.DictReader(io.StringIO(visitor.get(f"{API}{address}?format=csv").content.decode())))
    assert len(table) == len(rows)
    for line in table:
        row = rows[line["number"]]
        for one in row["rounds"]:
            assert line[f"round_{one['round']}"] == f"{one['result']}{one['opponent'] or ''}"
            assert line[f"round_{one['round']}_color"] == (one["color"] or "")
        if row["performance"] is not None:
            assert line["performance"] == str(math.floor(row["performance"] + 0.5))


def test_the_description_has_short_names_and_says_what_may_be_kept(visitor: Client) -> None:
    schema = asked(visitor, "openapi.json")
    operations = [one for methods in schema["paths"].values() for one in methods.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert {"players", "player", "lookup", "lookup_many", "derivation", "submit"} <= set(names)
    assert schema["servers"]
    events = schema["paths"]["/api/v1/events"]["get"]["responses"]
    assert {"ETag", "Link"} <= set(events["200"]["headers"])
    assert "304" in events
    parts = schema["components"]["schemas"]
    assert parts["PoolRating"]["properties"]["pool"]["enum"][:2] == ["OTBR", "OTBQ"]
    assert set(parts["SubmissionOut"]["properties"]["outcome"]["enum"]) == {
        "queued",
        "same",
        "refused",
        "unreadable",
        "correction",
    }
