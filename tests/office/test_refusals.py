"""What an office refuses before it accepts, and what it tells when an accepted section can no longer be rated."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, data, document

from crosstable.errors import EventRejected
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, RatingRow
from crosstable.office.rating import rerating, run
from crosstable.office.reports import accepting, events, review_queue, submissions
from crosstable.systems import system
from crosstable.words.places import place_text

ADA, BEN, CAY, DOT = "30000001", "30000002", "30000003", "30000004"
PAIR = [(1, 1, 2, "1-0"), (2, 2, 1, "0-1")]


def two(
    name: str, day: int, games: list[tuple[int, int, int, str]], people: list[str] | None = None, **facts: Any
) -> bytes:
    entered = dict.fromkeys((ADA, BEN), facts) if facts else {}
    return data(document(name, date(2025, 6, day), people or [ADA, BEN], games, control="G/120;d5", facts=entered))


def wait(content: bytes, number: str) -> None:
    assert submissions.submit(OFFICER, content, "event.json", number).outcome == submissions.QUEUED


def take(content: bytes, number: str) -> rerating.Rerated:
    wait(content, number)
    return accepting.accept(OFFICER, number)


@pytest.mark.parametrize(
    ("games", "facts", "code"),
    [([(1, 1, 2, "1/2-1/2")], {"rank": "5k"}, "draw-in-go"), (PAIR, {}, "no-rank")],
    ids=["a draw", "no rank"],
)
def test_an_office_asks_its_own_systems_before_it_accepts(
    office: str, games: list[tuple[int, int, int, str]], facts: dict[str, Any], code: str
) -> None:
    office_settings.create(systems={"default": ["aga"]}, titles="")
    wait(two("Go", 1, games, **facts), "A")
    with pytest.raises(EventRejected, match=code):  # what `rate --system aga` says
        system("aga").rate(events.document("A"))
    (waiting,) = review_queue.review(OFFICER)
    assert not waiting.acceptable
    assert code in {finding.code for finding in waiting.findings}
    for act in (lambda: accepting.accept(OFFICER, "A"), lambda: accepting.accept_many(OFFICER, ["A"])):
        with pytest.raises(EventRejected, match=code):
            act()
    assert events.find("A").status == Event.SUBMITTED


def test_the_ledgers_own_rating_makes_up_for_a_missing_rank(office: str) -> None:
    office_settings.create(systems={"default": ["aga"]}, titles="")
    take(two("First", 1, PAIR, rank="5k"), "A")
    wait(two("Second", 2, PAIR), "B")
    (waiting,) = review_queue.review(OFFICER)
    assert waiting.acceptable
    assert accepting.accept(OFFICER, "B").players == 2


def test_a_section_that_drops_out_is_told(office: str) -> None:
    """Without the first event nobody has a rank or a rating in the second: it cannot be rated any more."""
    office_settings.create(systems={"default": ["aga"]}, titles="")
    take(two("First", 1, PAIR, rank="5k"), "A")
    take(two("Second", 2, PAIR), "B")
    before = run.fingerprint()
    preview = accepting.withdraw(OFFICER, "A", "never played", preview=True)
    assert [(one.event, one.section) for one in preview.refused] == [("B", 1)]
    done = accepting.withdraw(OFFICER, "A", "never played")
    (gone,) = done.refused
    assert (gone.event, gone.section) == ("B", 1)
    assert {finding.code for finding in gone.findings} == {"no-rank"}
    assert done.as_json()["refused"][0]["event"] == "B"
    entry = AuditEntry.objects.filter(action="event.withdraw").get()
    assert json.loads(entry.details)["refused"] == [{"codes": ["no-rank"], "event": "B", "section": 1}]
    assert not RatingRow.objects.exists()
    assert run.compute(run.BEGINNING).nothing  # from scratch: the same
    assert not accepting.accept(OFFICER, "A", "played after all").refused
    assert run.fingerprint() == before


def test_the_shell_tells_what_dropped_out(office: str, capsys: pytest.CaptureFixture[str]) -> None:
    from crosstable.cli import main

    office_settings.create(systems={"default": ["aga"]}, titles="")
    take(two("First", 1, PAIR, rank="5k"), "A")
    take(two("Second", 2, PAIR), "B")
    assert main(["office", "--db", office, "withdraw", "A", "--reason", "never played"]) == 0
    assert "event B is no longer rated:\n  error" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["us_chess", "glicko"])
def test_two_merged_players_who_met_in_a_waiting_event_are_two_people(office: str, name: str) -> None:
    office_settings.create(systems={"default": [name]}, titles="")
    take(two("First", 1, [(1, 1, 2, "1-0")], [ADA, CAY]), "A")
    take(two("Second", 2, [(1, 1, 2, "1-0")], [BEN, DOT]), "B")
    wait(two("Third", 3, [(1, 1, 2, "1-0"), (1, 3, 4, "1-0")], [ADA, BEN, CAY, DOT]), "C")
    players.merge(OFFICER, BEN, ADA, "one person")
    (waiting,) = review_queue.review(OFFICER)
    found = [finding for finding in waiting.findings if finding.code == "merged-players-met"]
    assert [place_text(finding.place) for finding in found] == ["section 1, round 1, game 1-2"]
    assert "they are two people" in found[0].message
    for act in (lambda: accepting.accept(OFFICER, "C"), lambda: accepting.accept_many(OFFICER, ["C"])):
        with pytest.raises(EventRejected, match="they are two people"):
            act()
    with pytest.raises(EventRejected, match="they are two people"):
        accepting.correct(OFFICER, "A", two("First", 1, [(1, 1, 2, "1-0")], [ADA, BEN]), "event.json", "the opponent")
    players.unmerge(OFFICER, BEN, "two people after all")
    accepting.accept(OFFICER, "C")
    assert RatingRow.objects.filter(section__event__number="C", player__number=BEN).exists()


def test_merged_players_may_stand_in_one_section_without_meeting(office: str) -> None:
    """A re-entry under the other record: one player, all games together (readings, as practised and 21)."""
    office_settings.create()
    take(two("First", 1, [(1, 1, 2, "1-0")], [ADA, CAY]), "A")
    take(two("Second", 2, [(1, 1, 2, "1-0")], [BEN, DOT]), "B")
    players.merge(OFFICER, BEN, ADA, "one person")
    take(two("Third", 3, [(1, 1, 3, "1-0"), (2, 2, 3, "1-0")], [ADA, BEN, CAY]), "C")
    assert RatingRow.objects.get(section__event__number="C", player__number=ADA).games == 2
