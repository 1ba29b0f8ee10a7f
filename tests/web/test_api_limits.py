"""An unchanged answer of the API, how often a program may ask, and how many queries an answer takes."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext

from crosstable.office.ledger.models import Player, RatingRow, Section
from crosstable.web.api import limits
from tests.web.api_answers import API, problem


def test_an_unchanged_answer_is_a_304(visitor: Client, sample: Mapping[str, str]) -> None:
    for address in ("events", f"players/{sample['player']}", f"lists/{sample['list']}/OTBR", "rules", "docs"):
        first = visitor.get(API + address)
        again = visitor.get(API + address, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_limits_by_address_and_by_token(
    clients: Mapping[str, Client], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits.time, "time", lambda: 1_800_000_012.5)
    with override_settings(API_LIMITS={"address": 3, "token": 5}, API_LIMITS_FILE=str(tmp_path / "limits.db")):
        visitor, token = clients["anonymous"], clients["token"]
        etag = visitor.get(f"{API}rules")["ETag"]
        assert [visitor.get(f"{API}rules").status_code for _ in range(3)] == [200, 200, 429]
        refused = visitor.get(f"{API}rules")
        assert "seconds" in problem(refused, 429, "too-many-requests")["detail"]
        assert refused["Retry-After"] == "48"  # the minute began at …000, twelve seconds ago
        assert visitor.get(f"{API}rules", headers={"if-none-match": etag}).status_code == 304
        assert [token.get(f"{API}rules").status_code for _ in range(6)] == [200] * 5 + [429]
        monkeypatch.setattr(limits.time, "time", lambda: 1_800_000_060.0)
        assert visitor.get(f"{API}rules").status_code == 200


def test_wrong_tokens_count_for_the_address(office: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits.time, "time", lambda: 1_800_000_012.5)
    with override_settings(API_LIMITS={"address": 2, "token": 5}, API_LIMITS_FILE=str(tmp_path / "limits.db")):
        guesses = [
            Client(headers={"host": "localhost", "authorization": f"Bearer ct_{guess}"}).get(f"{API}rules").status_code
            for guess in range(3)
        ]
    assert guesses == [401, 401, 429]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::1", True),
        ("2001:db8:1:2::7", "2001:db8:1:3::7", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::1", "::2", False),
        ("", "not an address", False),
    ],
)
def test_an_ipv6_network_is_one_client(one: str, other: str, same: bool) -> None:
    """A home has a network of 2**64 addresses: each limit by address would be none."""
    found = [limits.network(RequestFactory().get("/", REMOTE_ADDR=address)) for address in (one, other)]
    assert (found[0] == found[1]) is same


def test_threads_share_the_counts(tmp_path: Path) -> None:
    counts, passed = limits.Counts(tmp_path / "limits.db"), []

    def ask() -> None:
        passed.extend(counts.wait("somebody", 100, now=1_800_000_000.0) for _ in range(25))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(passed), passed.count(0)) == (200, 100)
    assert counts.wait("somebody else", 100, now=1_800_000_000.0) == 0


def test_the_file_of_the_limits_holds_no_address(office: str, tmp_path: Path) -> None:
    file = tmp_path / "limits.db"
    with override_settings(API_LIMITS={"address": 5}, API_LIMITS_FILE=str(file)):
        Client(headers={"host": "localhost"}, REMOTE_ADDR="203.0.113.77").get(f"{API}rules")
    assert file.exists()
    assert not any(b"203.0.113.77" in part.read_bytes() for part in tmp_path.iterdir())


def queries(visitor: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert visitor.get(API + address).status_code == 200
    return sum(not query["sql"].startswith(("BEGIN", "COMMIT")) for query in found)


def test_the_number_of_queries_does_not_grow(visitor: Client, sample: Mapping[str, str]) -> None:
    ids = list(Player.objects.filter(merged_into=None).values_list("number", flat=True)[:400])
    day = sample["list"]
    sizes = {}
    for section in Section.objects.select_related("event").order_by("id"):
        sizes[RatingRow.objects.filter(section=section).count()] = (
            f"events/{section.event.number}/sections/{section.number}"
        )
    pairs = {
        (f"players/lookup?ids={ids[0]},{ids[1]}", f"players/lookup?ids={','.join(ids)}"): 8,
        ("players?q=an&limit=2", "players?q=an&limit=200"): 8,
        ("events?limit=2", "events?limit=200"): 4,
        (f"lists/{day}/OTBR?limit=2", f"lists/{day}/OTBR?limit=200"): 5,
        (sizes[min(sizes)], sizes[max(sizes)]): 16,
    }
    for (small, large), most in pairs.items():
        visitor.get(API + small)  # the first answer of a process also reads what all pages keep
        assert queries(visitor, small) == queries(visitor, large) <= most, small
