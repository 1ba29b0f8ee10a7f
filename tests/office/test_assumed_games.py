"""Reports without the number of games behind the ratings: a person chooses one for all, and the log tells it."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import OFFICER, data, document

from crosstable import formats
from crosstable.cli import main
from crosstable.errors import EventRejected, OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import RatingRow
from crosstable.office.queries import desk
from crosstable.office.queries.player import player, pool
from crosstable.office.reports import accepting, file_reading, review_queue, submissions

ADA, BEN, CAY = "30000001", "30000002", "30000003"
#: A TRF or a US Chess report knows ratings, but no game counts; Cay's comes from an event document
RATED: dict[str, Any] = {
    ADA: {"ratings": {"OTBR": {"rating": 1600}}},
    BEN: {"ratings": {"OTBR": {"rating": 1500}}},
    CAY: {"ratings": {"OTBR": {"rating": 1400, "games": 12}}},
}
GAMES = [(1, 1, 2, "1-0"), (2, 1, 3, "1-0"), (3, 2, 3, "1-0")]


def report(first: str = "1-0") -> bytes:
    games = [(1, 1, 2, first), *GAMES[1:]]
    return data(document("Open", date(2025, 8, 2), [ADA, BEN, CAY], games, control="G/120;d5", facts=RATED))


def games_before() -> dict[str, int | None]:
    return dict(RatingRow.objects.values_list("player__number", "prior_games"))


def last(action: str) -> dict[str, Any]:
    entry = AuditEntry.objects.filter(action=action).order_by("seq").last()
    assert entry is not None
    details: dict[str, Any] = json.loads(entry.details)
    return details


def test_a_report_of_rated_newcomers_can_be_accepted(ready: str) -> None:
    submissions.submit(OFFICER, report(), "event.json", "A")
    with pytest.raises(EventRejected, match="choose one for all players"):
        accepting.accept(OFFICER, "A")
    accepting.withdraw(OFFICER, "A", "once more with a choice")
    done = submissions.submit(OFFICER, report(), "event.json", "B", added=file_reading.Added(assume_games=26))
    assert (done.outcome, last("event.submit")["assume_games"]) == (submissions.QUEUED, 26)
    accepting.accept(OFFICER, "B")
    assert games_before() == {ADA: 26, BEN: 26, CAY: 12}  # what the report says stands
    assert set(RatingRow.objects.values_list("player__number", "state_games")) == {(ADA, 28), (BEN, 28), (CAY, 14)}


def test_assumed_games_are_said_to_be_assumed(ready: str) -> None:
    """Ada and Ben came without counts, Cay with 12 games; each played two more."""
    submissions.submit(OFFICER, report(), "event.json", "A", added=file_reading.Added(assume_games=26))
    accepting.accept(OFFICER, "A")
    shown = {one: player(one, date(2025, 9, 1)).pools[0] for one in (ADA, BEN, CAY)}
    assert {one: (held.games, held.assumed) for one, held in shown.items()} == {
        ADA: (28, 26),
        BEN: (28, 26),
        CAY: (14, None),
    }
    page = pool(ADA, "OTBR", date(2025, 9, 1))
    assert page is not None
    assert page.held.assumed == 26


def test_a_correction_takes_the_choice_too(ready: str) -> None:
    submissions.submit(OFFICER, report(), "event.json", "A")
    accepting.correct(
        OFFICER, "A", report("0-1"), "event.json", "a result, and the games", added=file_reading.Added(assume_games=30)
    )
    assert last("event.correct")["assume_games"] == 30
    accepting.accept(OFFICER, "A")
    assert games_before() == {ADA: 30, BEN: 30, CAY: 12}
    with pytest.raises(OfficeError, match="0 is not a number of games"):
        accepting.correct(OFFICER, "A", report(), "event.json", "again", added=file_reading.Added(assume_games=0))


def test_the_choice_from_the_shell(ready: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.json"
    path.write_bytes(report())
    assert main(["office", "--db", ready, "submit", str(path), "--id", "A"]) == 1
    assert "--assume-games 26 of rate, office submit and office correct" in capsys.readouterr().err
    words = ["office", "--db", ready, "correct", "A", str(path), "--reason", "no counts", "--assume-games", "26"]
    assert main(words) == 0
    assert main(["office", "--db", ready, "accept", "A"]) == 0
    assert games_before() == {ADA: 26, BEN: 26, CAY: 12}
    path.write_bytes(report("0-1"))
    assert main(["office", "--db", ready, "submit", str(path), "--id", "B", "--assume-games", "26"]) == 0
    assert last("event.submit")["assume_games"] == 26


def test_what_a_file_does_not_say_can_be_said_with_a_correction_too(ready: str, tmp_path: Path) -> None:
    content = json.loads(report())
    del content["sections"][0]["time_control"]
    path = tmp_path / "open.json"
    path.write_text(json.dumps(content))
    assert main(["office", "--db", ready, "submit", str(path), "--id", "A", "--assume-games", "26"]) == 1
    words = ["office", "--db", ready, "correct", "A", str(path), "--reason", "the director says so"]
    assert main([*words, "--time-control", "G/120;d5", "--assume-games", "26"]) == 0
    assert main(["office", "--db", ready, "accept", "A"]) == 0
    assert set(RatingRow.objects.values_list("pool", flat=True)) == {"OTBR"}


TABLE = b"""No,Name,ID,Rating,Rd 1,Rd 2,Rd 3
1,Ada Example,30000001,1600,W2,W3,W4
2,Ben Example,30000002,1500,L1,W4,W3
3,Cay Example,30000003,1400%s,W4,L1,L2
4,Dee Example,30000004,1300,L3,L2,L1
"""
GIVEN = formats.Given(date(2025, 8, 2), date(2025, 8, 2), time_control="G/120;d5", name="Open")


def test_a_table_is_taken_as_rate_takes_it(ready: str) -> None:
    table = TABLE % b"P12"
    done = submissions.submit(
        OFFICER, table, "open.csv", "A", file_reading.Added(formats.read(table, "open.csv", GIVEN))
    )
    assert "taken-as-established" in {finding.code for finding in done.findings}
    assert last("event.submit")["taken_as_established"] == 26  # 2025 §2.1: established from the 26th game on
    accepting.accept(OFFICER, "A")
    assert games_before() == {ADA: 26, BEN: 26, CAY: 12, "30000004": 26}


def test_submit_shows_what_review_will_refuse(ready: str) -> None:
    table = TABLE % b"P"  # provisional, and nobody knows after how many games
    done = submissions.submit(
        OFFICER, table, "open.csv", "A", file_reading.Added(formats.read(table, "open.csv", GIVEN))
    )
    assert "no-game-count" in {finding.code for finding in done.findings}
    assert done.message == "waits for review with 1 error to correct"


def test_an_event_that_waits_shows_its_size(ready: str) -> None:
    submissions.submit(OFFICER, report(), "event.json", "A")
    (line,) = desk.events()
    assert (line.sections, line.players) == (1, 3)


def test_ratings_of_a_report_are_held_against_the_record(ready: str) -> None:
    """The record counts; who wrote 1450 for somebody who has 1500 hears it, all in one line."""
    given = formats.Given(date(2025, 8, 2), date(2025, 8, 2), time_control="G/120;d5", name="Open")
    first = TABLE % b"P12"
    submissions.submit(OFFICER, first, "open.csv", "A", file_reading.Added(formats.read(first, "open.csv", given)))
    accepting.accept(OFFICER, "A")
    record = {row.player.number: round(row.post) for row in RatingRow.objects.select_related("player")}
    stated = {**record, ADA: 1777, BEN: 1333}
    later = b"No,Name,ID,Rating,Rd 1\n" + b"".join(
        f"{at},{name},{number},{stated[number]},{cell}\n".encode()
        for at, (name, number, cell) in enumerate(
            [
                ("Ada Example", ADA, "W2"),
                ("Ben Example", BEN, "L1"),
                ("Cay Example", CAY, "W4"),
                ("Dee Example", "30000004", "L3"),
            ],
            1,
        )
    )
    given = formats.Given(date(2025, 9, 6), date(2025, 9, 6), time_control="G/120;d5", name="Fall")
    done = submissions.submit(
        OFFICER, later, "fall.csv", "B", file_reading.Added(formats.read(later, "fall.csv", given))
    )
    expected = (
        f"ratings in the report differ from the record, which is used: Ada Example: the report says 1777, the record "
        f"says {record[ADA]}; Ben Example: the report says 1333, the record says {record[BEN]}."
    )
    (waiting,) = review_queue.review(OFFICER)
    for found in (done.findings, waiting.findings):
        assert [one.message for one in found if one.code == "reported-rating-differs"] == [expected]
    accepting.accept(OFFICER, "B")
    assert RatingRow.objects.get(player__number=ADA, section__event__number="B").prior == pytest.approx(
        RatingRow.objects.get(player__number=ADA, section__event__number="A").post
    )


def test_a_rating_in_a_pool_that_the_record_lacks_is_named(ready: str) -> None:
    first = TABLE % b"P12"
    submissions.submit(OFFICER, first, "open.csv", "A", file_reading.Added(formats.read(first, "open.csv", GIVEN)))
    accepting.accept(OFFICER, "A")  # regular only
    later = f"Name,ID,Quick,Rd 1\nAda Example,{ADA},1450,W2\nEli New,30000009,1200P4,L1\n".encode()
    given = formats.Given(date(2025, 9, 6), date(2025, 9, 6), time_control="G/20;d3", name="Quick")
    done = submissions.submit(
        OFFICER, later, "quick.csv", "B", file_reading.Added(formats.read(later, "quick.csv", given))
    )
    (found,) = [one for one in done.findings if one.code.startswith("reported-rating")]
    assert found.code == "reported-rating-unused"
    assert found.message.endswith("none in those pools: Ada Example: OTBQ 1450.")  # a newcomer's report opens a record
