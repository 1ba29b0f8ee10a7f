"""The API's contract: what each address answers, what it refuses, and how it describes itself."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

import pytest
from django.test import Client

from crosstable.office.ledger.models import Player, RatingRow
from crosstable.office.lists.models import ListRow
from tests.web.api_answers import API, asked, problem


def every_id(visitor: Client, address: str, rows: str) -> list[str]:
    """Of all pieces, one after the other."""
    found: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        piece = asked(visitor, f"{address}&cursor={cursor}")
        found += [one["id"] for one in piece[rows]]
        cursor = piece["next"]
    return found


# players
def test_half_a_name_finds_players_in_pieces_without_gaps_or_repeats(visitor: Client) -> None:
    wanted = list(
        Player.objects.filter(name_words__word__startswith="an", merged_into=None, withheld=False)
        .distinct()
        .order_by("name", "number")
        .values_list("number", flat=True)
    )
    assert len(wanted) > 6
    assert every_id(visitor, "players?q=an&limit=3", "players") == wanted


def test_the_link_header_leads_to_the_next_piece(visitor: Client) -> None:
    answer = visitor.get(f"{API}players?q=an&limit=3")
    address = answer["Link"].partition(">")[0].removeprefix("<")
    assert address.startswith("http://localhost/api/v1/players?")
    assert visitor.get(address).json()["players"][0]["id"] not in {one["id"] for one in answer.json()["players"]}


def test_official_and_live_ratings_are_those_of_the_list_and_the_last_event(
    visitor: Client, sample: Mapping[str, str]
) -> None:
    found = asked(visitor, f"players/{sample['player']}")
    regular = next(one for one in found["ratings"] if one["pool"] == "OTBR")
    listed = ListRow.objects.get(published__date=sample["list"], number=sample["player"], pool="OTBR")
    last = RatingRow.objects.filter(player__number=sample["player"], pool="OTBR").order_by("-position")[0]
    assert regular["official"]["rating"] == listed.rating
    assert regular["official"]["date"] == found["list_date"] == sample["list"]
    assert regular["live"]["rating"] == int(last.post + 0.5)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_look_up_keeps_the_order_and_names_the_missing(
    visitor: Client, sample: Mapping[str, str], method: str
) -> None:
    ids = [sample["other"], "99999999", sample["player"], sample["other"]]
    if method == "GET":
        answer = visitor.get(f"{API}players/lookup?ids={','.join(ids)}")
    else:
        answer = visitor.post(f"{API}players/lookup", {"ids": ids}, content_type="application/json")
    assert [one["id"] for one in answer.json()["players"]] == [sample["other"], sample["player"]]
    assert [one["asked"] for one in answer.json()["missing"]] == ["99999999"]


def test_a_merged_id_answers_with_the_record_that_is_kept(visitor: Client) -> None:
    duplicate = Player.objects.exclude(merged_into=None).select_related("merged_into")[0]
    assert duplicate.merged_into is not None
    for found in (
        asked(visitor, f"players/{duplicate.number}"),
        asked(visitor, f"players/lookup?ids={duplicate.number}")["players"][0],
    ):
        assert (found["id"], found["asked"]) == (duplicate.merged_into.number, duplicate.number)


def test_501_ids_are_too_many(visitor: Client) -> None:
    ids = [str(30000000 + one) for one in range(501)]
    body = problem(visitor.get(f"{API}players/lookup?ids={','.join(ids)}"), 422, "wrong-value")
    assert "501" in body["detail"]
    problem(visitor.post(f"{API}players/lookup", {"ids": ids}, content_type="application/json"), 422, "wrong-value")


def test_the_history_has_every_row_of_a_pool(visitor: Client, sample: Mapping[str, str]) -> None:
    found = asked(visitor, f"players/{sample['player']}/history?pool=OTBR")
    rows = RatingRow.objects.filter(player__number=sample["player"], pool="OTBR").order_by("position")
    assert [(one["games"], one["score"]) for one in found["played"]] == list(rows.values_list("games", "score"))
    assert {one["pool"] for one in (*found["played"], *found["lists"])} == {"OTBR"}
    assert visitor.get(found["played"][-1]["derivation"]).status_code == 200


# events
def test_events_come_newest_first_in_pieces(visitor: Client) -> None:
    whole = asked(visitor, "events?limit=200")["events"]
    first = asked(visitor, "events?limit=30")
    second = asked(visitor, f"events?limit=200&cursor={first['next']}")
    assert [one["end"] for one in whole] == sorted((one["end"] for one in whole), reverse=True)
    assert first["events"] + second["events"] == whole
    assert second["next"] is None


def test_events_by_year_and_words(visitor: Client) -> None:
    found = asked(visitor, "events?year=2025&q=online&limit=200")["events"]
    assert found
    assert all(one["end"].startswith("2025") and "online" in one["name"].lower() for one in found)


def test_the_crosstable_agrees_with_itself(visitor: Client, sample: Mapping[str, str]) -> None:
    found = asked(visitor, f"events/{sample['event']}/sections/{sample['section']}")
    rows = {row["number"]: row for row in found["rows"]}
    won = {"W": "L", "L": "W", "D": "D"}
    for row in found["rows"]:
        assert len(row["rounds"]) == found["rounds"]
        for one in row["rounds"]:
            if one["opponent"] is not None:
                other = rows[one["opponent"]]["rounds"][one["round"] - 1]
                assert (other["opponent"], other["result"]) == (row["number"], won[one["result"]])


def test_the_derivation_and_what_if_use_the_page_of_the_same_rating(visitor: Client, sample: Mapping[str, str]) -> None:
    address = f"events/{sample['event']}/sections/{sample['section']}/{sample['number']}/OTBR"
    found = asked(visitor, address)
    row = RatingRow.objects.get(
        section__event__number=sample["event"],
        section__number=sample["section"],
        number=sample["number"],
        pool="OTBR",
    )
    assert found["after"] == int(row.post + 0.5)
    assert found["derivation"][0]["kind"] == "own-rating"
    games = next(step["games"] for step in found["derivation"] if step["kind"] == "pass")
    assert len(games) == row.games
    if found["what_if"]["offered"]:
        results = ",".join(f"{one['round']}:won" for one in games)
        assert asked(visitor, f"{address}?results={results}")["what_if"]["published"] >= found["after"]


# lists, rules, estimate
def test_a_list_in_pieces_and_whole_as_csv(visitor: Client, sample: Mapping[str, str]) -> None:
    rows = ListRow.objects.filter(published__date=sample["list"], pool="OTBR").order_by("number")
    found = every_id(visitor, f"lists/{sample['list']}/OTBR?limit=150", "rows")
    assert found == list(rows.values_list("number", flat=True))
    answer = visitor.get(f"{API}lists/{sample['list']}/OTBR?format=csv")
    assert [row["id"] for row in csv.DictReader(io.StringIO(answer.content.decode()))] == found
    assert "immutable" in answer["Cache-Control"]


def test_csv_stands_beside_tables(visitor: Client, sample: Mapping[str, str]) -> None:
    for address in (
        "players?q=an",
        "players/lookup?ids={player}",
        "players/{player}/history",
        "events",
        "events/{event}/sections/{section}",
        "lists/{list}/OTBR",
        "rules",
        "rules/bonus",
    ):
        joiner = "&" if "?" in address else "?"
        answer = visitor.get(f"{API}{address.format(**sample)}{joiner}format=csv")
        assert answer["Content-Type"] == "text/csv; charset=utf-8", address
        assert answer.content.count(b"\n") > 1


def test_the_bonus_on_two_days(visitor: Client) -> None:
    """B = 12 until 31 December 2024, 10 from 1 January 2025 (2025 §8)."""
    changes = asked(visitor, "rules/diff?from=2024-12-31&to=2025-01-01")["changes"]
    bonus = next(one for one in changes if one["rule"] == "bonus")
    assert (bonus["before"][:6], bonus["after"][:6]) == ("B = 12", "B = 10")
    rules = {one["rule"]: one["says"] for one in asked(visitor, "rules?on=2024-12-31")["rules"]}
    assert rules["bonus"].startswith("B = 12")
    assert asked(visitor, "rules/bonus")["values"][0]["since"] == "2025-01-01"


def test_an_estimate(visitor: Client) -> None:
    """The sum stands in test_pages: 1665.83 + 33.69 + 13.69 = 1713.21."""
    found = asked(
        visitor,
        "estimate?rating=1665.83&games=87&opponents=1700,1650,1580,1720&score=3&target=1700&on=2025-12-29",
    )
    assert (round(found["post"], 2), found["published"], found["needed"]) == (1713.21, 1713, 3)
    assert [one["score"] for one in found["outcomes"]] == [4, 3.5, 3, 2.5, 2, 1.5, 1, 0.5, 0]


def test_an_estimate_that_cannot_be_made_says_why(visitor: Client) -> None:
    body = problem(visitor.get(f"{API}estimate?rating=1500&games=5&opponents=99999999"), 404, "not-found")
    assert body["findings"][0]["message"] == "No player has the ID 99999999."


def test_an_estimate_takes_unrated_players_and_says_what_it_assumed(visitor: Client) -> None:
    """One win of two against 1500 and 1500 is a performance of 1500 (2025 §4.1 with N' = 0)."""
    found = asked(visitor, "estimate?opponents=1500,1500P7&score=1&on=2025-12-29")
    assert (found["published"], found["assumed"]) == (1500, ["unrated: the start is 750"])
    found = asked(visitor, "estimate?rating=1500&opponents=unr,NEW&on=2025-12-29")
    assert len(found["assumed"]) == 2


# refusals
@pytest.mark.parametrize(
    "address",
    [
        "nothing",
        "players/1",
        "players/1/history",
        "events/1",
        "events/1/sections/1",
        "events/1/sections/1/1/OTBR",
        "lists/2001-01-01",
        "lists/2001-01-01/OTBR",
        "lists/soon",
        "rules/nothing",
        "rules?system=nothing",
        "rules?system=",
        "rules?system=../rulebook/us_chess",
        "rules/bonus?system=/etc",
        "players?q=an&cursor=nobody",
        "events?cursor=nothing",
    ],
)
def test_what_is_not_there_is_a_problem_not_a_page(visitor: Client, address: str) -> None:
    problem(visitor.get(API + address), 404, "not-found")


def test_wrong_values_are_named_all_at_once_and_not_repeated(visitor: Client) -> None:
    body = problem(visitor.get(f"{API}events?year=secret&limit=9999&format=xml"), 422, "wrong-value")
    assert sorted(one["where"] for one in body["findings"]) == ["query format", "query limit", "query year"]
    assert "secret" not in json.dumps(body)


def test_a_wrong_method_says_which_are_right(visitor: Client) -> None:
    answer = visitor.delete(f"{API}events")
    problem(answer, 405, "method-not-allowed")
    assert answer["Allow"] == "GET, HEAD"


def test_a_nul_in_the_address_is_refused(visitor: Client) -> None:
    problem(visitor.get(f"{API}players?q=%00"), 400, "bad-request")
    problem(visitor.get(f"{API}players/%00"), 400, "bad-request")


def test_a_fault_of_ours_tells_nothing(
    visitor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from crosstable.office.queries import player

    def broken(*_: object) -> None:
        raise RuntimeError("Maya, born 1 May 2011")

    monkeypatch.setattr(player, "player", broken)
    answer = visitor.get(f"{API}players/12345678")
    problem(answer, 500, "server-error")
    assert b"2011" not in answer.content
    assert b"Traceback" not in answer.content


def test_a_fault_before_the_door_and_a_strange_host_are_problems_too(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crosstable.office.queries import status

    def broken() -> None:
        raise RuntimeError("born 1 May 2011")

    problem(Client(headers={"host": "elsewhere.example"}).get(f"{API}rules"), 400, "bad-request")
    monkeypatch.setattr(status, "ledger_head", broken)
    visitor.raise_request_exception = False
    assert "2011" not in json.dumps(problem(visitor.get(f"{API}rules"), 500, "server-error"))


# the description
def test_the_description_has_an_example_or_default_for_every_needed_parameter(visitor: Client) -> None:
    schema = asked(visitor, "openapi.json")
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], path
            for one in operation.get("parameters", ()):
                assert one["in"] == "path" or "example" in one or "default" in one["schema"] or not one["required"], (
                    method,
                    path,
                    one["name"],
                )


def test_the_docs_page_names_every_address_and_has_nothing_inline(visitor: Client) -> None:
    page = visitor.get(f"{API}docs").content.decode()
    for path in asked(visitor, "openapi.json")["paths"]:
        assert path in page
    assert "<script>" not in page
    assert "style=" not in page
    assert "https://" not in page
    assert "default-src 'none'" in visitor.get(f"{API}docs")["Content-Security-Policy"]
