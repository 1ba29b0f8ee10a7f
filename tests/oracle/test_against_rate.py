"""The product against the oracle: the 400 vectors first, then random events of all dates and kinds.

`python -m tests.oracle.test_against_rate FIRST LAST` compares the events of many more seeds.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Answer
from crosstable.rulebook import rulebook
from crosstable.systems.us_chess import coefficients_on, rate
from crosstable.systems.us_chess.formulas import special_rating
from tests.oracle import us_chess as oracle
from tests.oracle.events import random_event

SEEDS, BATCH = 600, 50
PROFILES = ("as-written", "as-practised")
STATE = {  # the oracle's name of each field of a record, and the product's
    "rating": "rating",
    "games": "games",
    "day": "date",
    "wins": "wins",
    "draws": "draws",
    "losses": "losses",
    "three_game_events": "three_game_events",
    "peak": "peak",
    "prize_floor": "prize_floor",
    "life_master": "life_master",
    "ceiling": "ceiling",
    "games_above_2200": "games_above_2200",
    "lowered_floor": "lowered_floor",
    "lowered_from": "lowered_from",
}


def same(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, bool | str | date) or mine is None or theirs is None:
        return bool(mine == theirs)
    if isinstance(mine, int):
        return bool(mine == theirs)
    return abs(float(mine) - float(theirs)) < 1e-6


def product_answers(document: dict[str, Any], profile: str) -> dict[tuple[int, str, int], Answer] | None:
    reading = event_json.read(json.dumps(document).encode())
    if not reading.ok:
        return None
    try:
        return {(a.section, a.pool, a.number): a for a in rate(reading.event, profile).answers}
    except EventRejected:
        return None


def differences(document: dict[str, Any], profile: str) -> Iterator[str]:
    """What the two engines do not agree on, in words."""
    found = product_answers(document, profile)
    try:
        rows = oracle.rate(document, profile)
    except oracle.NotRatable as problem:
        if found is not None:
            yield f"the oracle refuses it ({problem}), the product rates it"
        return
    if found is None:
        yield "the product refuses it"
        return
    expected = {(row["section"], row["pool"], row["number"]): row for row in rows}
    if expected.keys() != found.keys():
        yield f"rows: {sorted(expected.keys() ^ found.keys())}"
        return
    for key, row in expected.items():
        answer = found[key]
        for name, value in row.items():
            if name != "state" and not same(value, answer.values[name]):
                yield f"{key} {name}: oracle {value}, product {answer.values[name]}"
        yield from state_differences(key, row["state"], answer)


def state_differences(key: tuple[int, str, int], mine: oracle.Record, answer: Answer) -> Iterator[str]:
    for own, theirs in STATE.items():
        if not same(getattr(mine, own), getattr(answer.state, theirs)):
            yield f"{key} state {own}: oracle {getattr(mine, own)}, product {getattr(answer.state, theirs)}"
    logged = [(one.date, one.change) for one in answer.state.match_changes]
    if len(logged) != len(mine.match_changes) or not all(
        day == other_day and same(change, other)
        for (day, change), (other_day, other) in zip(mine.match_changes, logged, strict=True)
    ):
        yield f"{key} state match_changes: oracle {mine.match_changes}, product {logged}"


def undecided(document: dict[str, Any], profile: str) -> bool:
    """As practised, whether the event's or the section's end decides on the effective games of May 2013 is not
    settled.
    """
    turn = "2013-05-18"
    ends = [section.get("end", document["end"]) for section in document["sections"]]
    return profile == "as-practised" and min(ends) < turn <= document["end"]


def compare(seed: int) -> list[str]:
    document = random_event(Random(seed))
    return [
        f"seed {seed}, {profile}, {document['start']}: {words}"
        for profile in PROFILES
        if not undecided(document, profile)
        for words in differences(document, profile)
    ]


@pytest.mark.shared
def test_the_oracle_agrees_with_the_vectors(shared: Path) -> None:
    vectors = json.loads((shared / "vectors" / "uschess-events.json").read_text())
    compared = 0
    for place, vector in enumerate(vectors):
        rows = {(row["section"], row["pool"], row["number"]): row for row in oracle.rate(vector["event"])}
        answers = [{"pool": row.pop("system"), **row} for row in vector["ratings"]]  # the vectors' word for a pool
        expected = {(row["section"], row["pool"], row["number"]): row for row in answers}
        assert rows.keys() == expected.keys(), place
        for key, row in expected.items():
            for name, value in row.items():
                assert same(Decimal(str(value)) if isinstance(value, float) else value, rows[key][name]), (place, key)
            compared += 1
    assert compared == 3904


def test_whole_ratings_give_the_special_rating_to_the_last_bit() -> None:
    """No dust: a rating of 226.5 is published as 227, not stored as 226.4999999999999 and published as 226."""
    random = Random(11)
    for edition, day in ((2015, date(2016, 1, 1)), (2017, date(2018, 1, 1)), (2025, date(2025, 8, 2))):
        rules = coefficients_on(day)
        for _ in range(1000):
            prior, games = random.randint(100, 2400), random.randint(0, 6)
            history = random.randrange(3) if games else 0
            opponents = [random.randint(100, 2600) for _ in range(random.randint(1, 9))]
            score = random.randint(0, 2 * len(opponents)) / 2
            case = oracle.SpecialCase(
                Decimal(prior),
                Decimal(games),
                ("mixed", "wins", "losses")[history],
                [*map(Decimal, opponents)],
                Decimal(score),
            )
            found = special_rating(rules, prior, games, history, score, opponents, 0, len(opponents))
            assert found == float(oracle.special(case, edition)), case


@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_random_events_come_out_the_same(first: int) -> None:
    found = [words for seed in range(first, first + BATCH) for words in compare(seed)]
    advice = "If a rule has changed: next edit tests/oracle/us_chess.py, which has its own numbers."
    assert not found, "\n".join([advice, *found[:20]])


def test_the_second_hand_knows_every_bonus_multiplier() -> None:
    for value in rulebook("us_chess").rules["bonus"].written:
        known = oracle.Law(False, value.since).bonus_multiplier
        advice = f"Next edit: tests/rules/us_chess.toml, the bonus from {value.since} on."
        assert known == Decimal(value["multiplier"]), advice


def test_the_random_events_reach_every_corner() -> None:
    """A generator that had stopped making matches, re-entries or odd histories would compare nothing."""
    seen: set[str] = set()
    for seed in range(SEEDS):
        document = random_event(Random(seed))
        try:
            rows = oracle.rate(document)
        except oracle.NotRatable:
            seen.add("refused")
            continue
        for section in document["sections"]:
            ids = [player["id"] for player in section["players"]]
            seen |= {section["kind"], section["mode"], section.get("weight", "full")}
            seen |= {"re-entry"} if len(set(ids)) < len(ids) else set()
        seen |= {"chained"} if len(document["sections"]) > 1 else set()
        for row in rows:
            seen |= {row["pool"], row["formula"], "initialized" if row["initialized"] else "rated"}
            seen |= {"first estimate"} if row["first_estimate"] is not None else set()
            seen |= {"bonus"} if row["bonus"] else set()
            seen |= {"floored"} if row["post"] == row["floor"] > row["unfloored"] else set()
            seen |= {"2700"} if row["unfloored"] == 2700 else set()
            seen |= {"100"} if row["unfloored"] == 100 else set()
    assert seen == {
        "OTBR",
        "OTBQ",
        "OTBB",
        "OLR",
        "OLQ",
        "OLB",
        "otb",
        "online",
        "swiss",
        "round-robin",
        "other",
        "match",
        "fide",
        "full",
        "half",
        "refused",
        "re-entry",
        "chained",
        "special",
        "standard",
        "initialized",
        "rated",
        "first estimate",
        "bonus",
        "floored",
        "2700",
        "100",
    }


if __name__ == "__main__":
    for one in range(int(sys.argv[1]), int(sys.argv[2])):
        for difference in compare(one):
            print(difference)
