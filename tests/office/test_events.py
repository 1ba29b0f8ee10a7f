"""Submit, review, accept, correct, withdraw: nothing is lost, nothing counts twice, a preview is what happens."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date
from itertools import pairwise
from typing import Any

import pytest
from simulated import ADMIN, OFFICER, Federation, data, document
from tests.derivations import shown_steps

from crosstable.errors import EventRejected, OfficeError
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, Player, RatingRow, Revision, Section, Submission
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.rating import rerating, run, trace
from crosstable.office.reports import accepting, events, review_queue, schedule, submissions
from crosstable.office.reports import submissions as submitting
from crosstable.words.places import place_text

pytestmark = pytest.mark.both_databases

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0"), (3, 1, 3, "1-0"), (3, 2, 4, "0-1")]
RATED = {
    FOUR[0]: {"ratings": {"OTBR": {"rating": 1643.759, "games": 40}}},
    FOUR[1]: {"ratings": {"OTBR": {"rating": 1500.0, "games": 30}}},
}


def riverside(**changes: Any) -> dict[str, Any]:
    made = document("Riverside Open", date(2025, 8, 2), FOUR, GAMES, end=date(2025, 8, 3), facts=RATED)
    return {**made, **changes}


def submitted(content: dict[str, Any], name: str = "event.json") -> str:
    done = submitting.submit(OFFICER, data(content), name)
    assert done.outcome == submitting.QUEUED, done.message
    return done.event


def accepted(content: dict[str, Any]) -> str:
    number = submitted(content)
    accepting.accept(OFFICER, number)
    return number


def test_a_file_is_stored_as_it_came(ready: str) -> None:
    content = data(riverside())
    done = submitting.submit(OFFICER, content, "report.json")
    assert submissions.original(OFFICER, done.submission) == content
    row = Submission.objects.get(id=done.submission)
    assert (row.file_name, row.format, row.author) == ("report.json", "event-json", "olga")
    assert done.event.startswith("20250803-")


def test_the_same_event_again_is_the_same_event(ready: str) -> None:
    number = submitted(riverside())
    content = riverside()
    section = content["sections"][0]
    section["games"].reverse()
    section["players"].reverse()
    assert submitting.submit(OFFICER, data(content), "other-name.json").outcome == submitting.SAME
    renumbered = riverside()  # pairing numbers 4, 3, 2, 1
    for player in renumbered["sections"][0]["players"]:
        player["number"] = 5 - player["number"]
    for game in renumbered["sections"][0]["games"]:
        game["white"], game["black"] = 5 - game["white"], 5 - game["black"]
    assert submitting.submit(OFFICER, data(renumbered), "renumbered.json").event == number
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("event.json", json.dumps(riverside(), indent=3))
    again = submitting.submit(OFFICER, zipped.getvalue(), "event.zip")
    assert (again.outcome, again.event) == (submitting.SAME, number)
    assert Event.objects.count() == 1
    assert Submission.objects.count() == 4


def test_the_same_id_with_other_content_is_refused(ready: str) -> None:
    first = riverside(notes={"event_id": "202508030012"})
    assert submitted(first) == "202508030012"
    other = riverside(notes={"event_id": "202508030012"}, name="Another Open")
    done = submitting.submit(OFFICER, data(other), "other.json")
    assert done.outcome == submitting.REFUSED
    assert "ask for a correction (`office correct`)" in done.message
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    "content", [b"{", b"\xff\xfe\x00", b"", b'{"format": "crosstable-event/1"}', b"PK\x03\x04junk"]
)
def test_a_bad_file_is_kept_with_its_findings(ready: str, content: bytes) -> None:
    done = submitting.submit(OFFICER, content, "bad")
    assert done.outcome == submitting.UNREADABLE
    assert done.findings
    assert submissions.original(OFFICER, done.submission) == content
    assert not Event.objects.exists()


@pytest.mark.parametrize("number", ["a/b", ".", "..", 'a"b', "a b", "ä", "-a", "a\nb"])
def test_the_id_of_a_new_event_has_an_alphabet(ready: str, number: str) -> None:
    """It stands in addresses and names of files. An event that has another id keeps it."""
    content = document("Open", date(2024, 3, 2), ["30000001", "30000002"], [(1, 1, 2, "1-0")])
    with pytest.raises(OfficeError, match="can have only letters A to Z, digits"):
        submitting.submit(ADMIN, data(content), "open.json", number)
    assert not Event.objects.exists()
    submitting.submit(ADMIN, data(content), "open.json", "2024-03.open_1")
    Event.objects.update(number=number)
    other = document("Open", date(2024, 3, 2), ["30000001", "30000002"], [(1, 1, 2, "0-1")])
    assert submitting.submit(ADMIN, data(other), "open.json", number).event == number


def test_an_event_with_errors_waits_and_is_not_accepted(ready: str) -> None:
    wrong = riverside()
    wrong["sections"][0]["games"][0]["black"] = 9
    number = submitted(wrong)
    (waiting,) = review_queue.review(OFFICER)
    assert not waiting.acceptable
    with pytest.raises(EventRejected, match="9"):
        accepting.accept(OFFICER, number)
    assert events.find(number).status == Event.SUBMITTED
    assert not Section.objects.exists()
    accepting.correct(OFFICER, number, data(riverside()), "event.json", "the opponent was player 2")
    accepting.accept(OFFICER, number)
    assert [row["kind"] for row in events.revisions(number)] == ["submitted", "corrected"]
    assert RatingRow.objects.count() == 8  # dual-rated: four players in two systems


def test_only_officers_accept(ready: str) -> None:
    number = submitted(riverside())
    with pytest.raises(NotAllowedError):
        accepting.accept(ADMIN, number)


def test_accepting_starts_from_the_reports_ratings_of_newcomers(ready: str) -> None:
    number = accepted(riverside())
    row = RatingRow.objects.get(player__number=FOUR[0], pool="OTBR")
    assert (row.prior, row.prior_games, row.state_games) == (1643.759, 40, 43)
    newcomer = RatingRow.objects.get(player__number=FOUR[2], pool="OTBR")
    assert newcomer.initialized
    assert events.find(number).status == Event.ACCEPTED
    # what the next report claims does not count: the ledger knows better
    claims = {FOUR[0]: {"ratings": {"OTBR": {"rating": 2500.0, "games": 99}}}}
    accepted(document("Next", date(2025, 9, 1), FOUR[:2], [(1, 1, 2, "0-1")], facts=claims))
    assert RatingRow.objects.filter(player__number=FOUR[0], pool="OTBR").order_by("position").last().prior == row.post


def test_every_row_shows_its_trace(ready: str) -> None:
    federation = Federation(3, size=20)
    federation.fill(12)
    rows = list(RatingRow.objects.select_related("section__event", "player"))
    assert len(rows) > 100
    for row in rows[::7]:
        answer = trace.trace(row.section.event.number, row.section.number, row.player.number, row.pool, public=False)
        assert answer.post == row.post
        assert answer.state.games == row.state_games
        assert answer.state.peak == row.peak
        assert answer.derivation


def test_a_public_trace_hides_an_age(ready: str) -> None:
    child = {"30000009": {"birth_date": "2015-03-01"}}
    number = accepted(document("School", date(2025, 8, 2), [FOUR[0], "30000009"], [(1, 1, 2, "1-0")], facts=child))
    words = " ".join(step.text for step in shown_steps(trace.trace(number, 1, "30000009", "OTBR")))
    inner = " ".join(step.text for step in shown_steps(trace.trace(number, 1, "30000009", "OTBR", public=False)))
    assert "2015" not in words
    assert words != inner


def test_a_preview_is_what_happens_and_writes_nothing(ready: str) -> None:
    federation = Federation(4, size=24)
    federation.fill(15)
    number = sorted(federation.made)[2]
    content = json.loads(json.dumps(federation.made[number]))
    content["sections"][0]["games"][0]["result"] = "1/2-1/2"
    content["sections"][0]["games"][1]["result"] = "0-1"
    before, entries = run.fingerprint(), AuditEntry.objects.count()
    preview = accepting.correct(OFFICER, number, data(content), "event.json", "two results", preview=True)
    assert preview.preview
    assert preview.changes
    assert (run.fingerprint(), AuditEntry.objects.count()) == (before, entries)
    assert Revision.objects.filter(event__number=number).count() == 1
    done = accepting.correct(OFFICER, number, data(content), "event.json", "two results")
    assert (done.sections, done.rows_added, done.rows_removed, done.players) == (
        preview.sections,
        preview.rows_added,
        preview.rows_removed,
        preview.players,
    )
    for change in preview.changes:
        rows = RatingRow.objects.filter(player__number=change.player, pool=change.pool).order_by("position")
        assert rows.last().post == change.after
    sizes = [abs(change.change) for change in preview.changes]
    assert sizes == sorted(sizes, reverse=True)
    assert {change.reason for change in preview.changes} <= {
        "its results changed",
        "its players came with other ratings",
    }
    assert run.fingerprint() != before


def test_withdrawing_and_bringing_back(ready: str) -> None:
    federation = Federation(6, size=20)
    federation.fill(10)
    before = run.fingerprint()
    number = sorted(federation.made)[0]
    accepting.withdraw(OFFICER, number, "played without a licence")
    assert run.fingerprint() != before
    assert not RatingRow.objects.filter(section__event__number=number).exists()
    accepting.accept(OFFICER, number, "the licence was found")
    assert run.fingerprint() == before
    assert [row["kind"] for row in events.revisions(number)] == ["submitted", "withdrawn", "restored"]


def test_a_correction_needs_a_reason_and_a_difference(ready: str) -> None:
    number = accepted(riverside())
    with pytest.raises(OfficeError, match="reason"):
        accepting.correct(OFFICER, number, data(riverside(city="Dayton")), "event.json", " ")
    with pytest.raises(OfficeError, match="nothing to correct"):
        accepting.correct(OFFICER, number, data(riverside()), "event.json", "just so")
    done = accepting.correct(OFFICER, number, data(riverside(city="Dayton")), "event.json", "the city")
    assert (done.rows_added, done.rows_removed) == (0, 0)
    assert Event.objects.get(number=number).city == "Dayton"


def test_a_late_report_is_rated_at_its_place(ready: str) -> None:
    first = accepted(riverside())
    accepted(document("Later", date(2025, 10, 4), FOUR[:2], [(1, 1, 2, "1-0"), (2, 2, 1, "1-0")]))
    late = accepted(document("Late report", date(2025, 9, 6), FOUR[:2], [(1, 2, 1, "1-0"), (2, 1, 2, "0-1")]))
    rows = RatingRow.objects.filter(player__number=FOUR[0], pool="OTBR").order_by("position")
    posts = [(row.prior, row.post) for row in rows]
    assert [row.section.event.number for row in rows][:2] == [first, late]
    assert all(earlier[1] == later[0] for earlier, later in pairwise(posts))


def test_events_of_one_day_stand_by_id_whatever_the_order_of_arrival(ready: str) -> None:
    day = date(2025, 8, 9)
    for number in ("B", "D", "A", "C", "E"):
        content = document(f"Event {number}", day, FOUR[:2], [(1, 1, 2, "1-0")], facts=RATED)
        done = submitting.submit(OFFICER, data(content), "event.json", number)
        accepting.accept(OFFICER, done.event)
    rows = Section.objects.order_by("position").select_related("event")
    assert [row.event.number for row in rows] == ["A", "B", "C", "D", "E"]
    assert {row.position for row in RatingRow.objects.all()} == {row.position for row in rows}


def test_a_full_day_is_numbered_anew(ready: str) -> None:
    day = date(2025, 8, 9)
    for number in ("A", "B"):
        content = document(f"Event {number}", day, FOUR[:2], [(1, 1, 2, "1-0")], facts=RATED)
        accepting.accept(OFFICER, submitting.submit(OFFICER, data(content), "event.json", number).event)
    first, second = Section.objects.order_by("position")
    Section.objects.filter(id=second.id).update(position=first.position + 1)
    RatingRow.objects.filter(section=second).update(position=first.position + 1)
    content = document("Event between", day, FOUR[:2], [(1, 1, 2, "0-1")], facts=RATED)
    accepting.accept(OFFICER, submitting.submit(OFFICER, data(content), "event.json", "AB").event)
    assert [row.event.number for row in Section.objects.order_by("position")] == ["A", "AB", "B"]
    assert rerating.rerate(OFFICER).rows_added == 0
    assert schedule.arrange(day) is None


def test_rerate_finds_what_was_changed_past_the_office(ready: str) -> None:
    accepted(riverside())
    before = run.fingerprint()
    row = RatingRow.objects.first()
    assert row is not None
    RatingRow.objects.filter(id=row.id).update(post=row.post + 1)
    preview = rerating.rerate(OFFICER, preview=True)
    assert preview.rows_added == 1
    rerating.rerate(OFFICER, "somebody edited the table")
    assert run.fingerprint() == before


def test_an_event_moves_with_its_date(ready: str) -> None:
    number = accepted(riverside())
    accepted(document("Later", date(2025, 10, 4), FOUR[:2], [(1, 1, 2, "1-0")]))
    moved = riverside(start="2025-11-01", end="2025-11-02")
    for section in moved["sections"]:
        section["start"], section["end"] = "2025-11-01", "2025-11-02"
    accepting.correct(OFFICER, number, data(moved), "event.json", "wrong month")
    assert Section.objects.order_by("position").last().event.number == number
    assert rerating.rerate(OFFICER).rows_added == 0
    assert Event.objects.get(number=number).end == date(2025, 11, 2)


def test_a_section_without_a_played_game_rates_nobody(ready: str) -> None:
    content = document("Forfeits", date(2025, 8, 2), FOUR[:2], [(1, 1, 2, "+/-")], facts=RATED)
    number = accepted(content)
    assert events.find(number).status == Event.ACCEPTED
    assert not RatingRow.objects.exists()
    accepted(riverside())
    assert rerating.rerate(OFFICER).rows_added == 0


def test_accept_refuses_what_review_calls_an_error(ready: str) -> None:
    content = riverside()
    content["sections"][0]["players"][0]["birth_date"] = "2031-01-01"
    number = submitted(content)
    (waiting,) = review_queue.review(OFFICER, number)
    assert not waiting.acceptable
    with pytest.raises(EventRejected, match="birth date"):
        accepting.accept(OFFICER, number)


def test_letters_that_no_database_holds_are_replaced_and_said(ready: str) -> None:
    """A NUL and half a character in names and notes: both databases keep the file and rate the event."""
    content = document("Nul\0 Open", date(2025, 8, 2), FOUR, GAMES)
    content["sections"][0]["players"][2] |= {"name": "Pl\0ayer", "notes": {"state": "O\0H", "half": "\ud800"}}
    done = submitting.submit(OFFICER, data(content), "nul.json")
    assert done.outcome == submitting.QUEUED
    said = {place_text(finding.place) for finding in done.findings if finding.code == "odd-character"}
    player = "section 1, player 3"
    assert said == {"name", f"{player}, name", f"{player}, notes, state", f"{player}, notes, half"}
    accepting.accept(OFFICER, done.event)
    assert Player.objects.get(number=FOUR[2]).name == "Pl\ufffdayer"
    assert submissions.original(OFFICER, done.submission) == data(content)


def test_an_id_with_a_nul_is_nobodys(ready: str) -> None:
    content = document("Open", date(2025, 8, 2), [*FOUR[:3], "3000\0004"], GAMES)
    done = submitting.submit(OFFICER, data(content), "nul.json")
    assert done.outcome == submitting.UNREADABLE
    first = done.findings[0]
    assert (first.level, first.code, place_text(first.place)) == ("error", "odd-character", "section 1, player 4, id")
    unknown = json.dumps({**document("Open", date(2025, 8, 2), FOUR, GAMES), "fie\0ld\ud800": 1}).encode()
    assert submitting.submit(OFFICER, unknown, "odd\udcff.json").outcome == submitting.UNREADABLE


def test_ids_that_the_ledger_has_no_room_for_are_findings(ready: str) -> None:
    """40 letters for a player, 60 for an event."""
    content = document("Open", date(2025, 8, 2), [*FOUR[:3], "9" * 41], GAMES)
    content["sections"][0]["players"][0]["name"] = "x" * 300
    done = submitting.submit(OFFICER, data(content), "long.json")
    where = "section 1, player 4"
    assert [(place_text(one.place), one.message) for one in done.findings if one.code == "long-id"] == [
        (where, "the id 999999999999… has 41 characters; at most 40 are allowed.")
    ]
    assert "long-id" in {one.code for one in review_queue.review(OFFICER, done.event)[0].findings}
    with pytest.raises(EventRejected, match="at most 40"):
        accepting.accept(OFFICER, done.event)
    content["sections"][0]["players"][3]["id"] = "9" * 40
    with pytest.raises(OfficeError, match="61 characters; at most 60 are allowed"):
        submitting.submit(OFFICER, data(content), "long.json", "E" * 61)
    taken = submitting.submit(OFFICER, data(content), "long.json", "E" * 60)
    accepting.accept(OFFICER, taken.event)
    assert Player.objects.get(number=FOUR[0]).name == "x" * 200


def test_numbers_that_no_ledger_holds_are_findings(ready: str) -> None:
    content = document("Open", date(2025, 8, 2), FOUR, GAMES)
    content["sections"][0]["number"] = 3_000_000_000
    done = submitting.submit(OFFICER, data(content), "large.json")
    assert done.outcome == submitting.UNREADABLE
    assert {one.code for one in done.findings} >= {"wrong-type"}


def test_a_director_looks_at_what_that_director_submitted(ready: str) -> None:
    dora, dirk = (Actor(name, Role.DIRECTOR, number) for number, name in enumerate(("dora", "dirk"), 1))
    program = Actor("dora/ct_abcdefghi", Role.DIRECTOR, 1, frozenset({"submission.read"}))
    number = submitting.submit(dora, data(riverside()), "event.json").event
    bad = submitting.submit(dora, b"no event at all", "bad.txt").submission
    for actor in (dora, program, OFFICER):
        assert [one.event for one in review_queue.review(actor)] == [number]
        assert [one.event for one in review_queue.review(actor, number)] == [number]
        (kept,) = submissions.submissions(actor)
        assert (kept["number"], kept["file"], kept["outcome"], kept["bytes"]) == (bad, "bad.txt", "unreadable", 15)
        assert kept["findings"]
        assert submissions.original(actor, bad) == b"no event at all"
        assert [one["file"] for one in submissions.submissions(actor, number)] == ["event.json"]
    assert review_queue.review(dirk) == []
    assert submissions.submissions(dirk) == []
    with pytest.raises(NotAllowedError, match="dirk has submitted"):
        review_queue.review(dirk, number)
    with pytest.raises(OfficeError, match="no submission"):
        submissions.original(dirk, bad)
    with pytest.raises(NotAllowedError, match="may not"):
        review_queue.review(Actor("pia", Role.PLAYER, 3), number)


def test_directors_whose_names_differ_in_case_are_two_people(ready: str) -> None:
    """Such names are refused today, but an office may have them from before.

    SQLite's LIKE does not see the difference.
    """
    dora, other = (Actor(name, Role.DIRECTOR, number) for number, name in enumerate(("dora", "Dora"), 1))
    program = Actor("Dora/ct_abcdefghi", Role.DIRECTOR, 2)
    number = submitting.submit(program, data(riverside()), "event.json").event
    bad = submitting.submit(program, b"no event at all", "bad.txt").submission
    assert [one.event for one in review_queue.review(other)] == [number]
    assert submissions.original(other, bad) == b"no event at all"
    assert review_queue.review(dora) == []
    assert submissions.submissions(dora) == submissions.submissions(dora, number) == []
    with pytest.raises(OfficeError, match="no submission"):
        submissions.original(dora, bad)


def test_an_office_rates_kinds_of_sections_that_there_are(office: str) -> None:
    with pytest.raises(OfficeError, match="the kind 'kind': there are swiss"):
        office_settings.create(systems={"kind": ["elo"]})
    with pytest.raises(OfficeError, match="1 to 200 letters"):
        office_settings.create("x" * 201)
