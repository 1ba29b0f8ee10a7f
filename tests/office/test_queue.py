"""The officer's queue: sorted by trouble and age, and as quick with five hundred events as with five."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from simulated import ADMIN, data, document

from crosstable import formats
from crosstable.cli import main
from crosstable.errors import EventRejected
from crosstable.office.jobs import running
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, Revision, Submission
from crosstable.office.notices import messages
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.queries import submission_page
from crosstable.office.queries.officer_queue import Line, queue
from crosstable.office.queries.review import review
from crosstable.office.reports import accepting, events, resubmitting, submission_status, submissions
from crosstable.office.reports import events as event_rows
from crosstable.office.requests import corrections, list_publication
from crosstable.office.storage import clock

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]
START = datetime(2025, 12, 20, 9, tzinfo=UTC)
#: What a report should have, so that nothing is found
WHOLE = {"city": "Toledo", "state": "OH", "country": "USA", "affiliate": "A6012345", "chief_td": "12345678"}


@pytest.fixture
def olive(office: str) -> Actor:
    office_settings.create()
    users.add_user(ADMIN, "olive", Role.OFFICER)
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    return users.acting_as("olive")


def submit(number: str, day: int, *games: tuple[int, int, int, str], **event: str) -> int:
    content = document(f"Open {number}", date(2025, 12, day), FOUR, [*GAMES, *games]) | WHOLE | event
    with clock.set_to(START + timedelta(days=day)):
        return submissions.submit(users.acting_as("dora"), data(content), "open.json", number).submission


def names(lines: list[Line]) -> list[str]:
    return [one.number for one in lines]


def test_by_trouble_and_age(olive: Actor) -> None:
    submit("LATE", 9, (3, 1, 9, "1-0"))  # a game against nobody: an error
    submit("NEW", 8)
    submit("LOOK", 7, state="Ohio")  # a warning
    old = submit("OLD", 3)
    with clock.set_to(START + timedelta(days=10)):
        found = queue(olive)
        assert names(found.needs) == ["LOOK"]
        assert names(found.waits) == ["LATE"]
        assert names(found.clean) == ["OLD", "NEW"]
        assert [one.days for one in found.clean] == [7, 2]
        assert found.clean[0].facts == "Toledo, OH · dora · 4 players"
        assert [section.state for section in found.needs[0].found.sections] == [
            "ready"
        ]  # the warning is about the event
        # the officer asks: it waits for its director; the director answers: it needs the officer again
        messages.write(olive, f"submission:{old}", "Was round 3 played?")
        assert names(queue(olive).waits) == ["OLD", "LATE"]
        messages.write(users.acting_as("dora"), f"submission:{old}", "No.")
        assert names(queue(olive).clean) == ["OLD", "NEW"]


def test_after_a_decision_the_next_thing_is_offered(
    olive: Actor, office: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order of the queue: what needs somebody, oldest first, then what is clean; never what waits for a
    director.
    """
    submit("LATE", 5, (3, 1, 9, "1-0"))  # a game against nobody: its director mends it
    submit("CLEAN", 3)
    submit("LOOK", 7, state="Ohio")
    submit("FIRST", 6, state="Ohio")
    with clock.set_to(START + timedelta(days=10)):

        def after(decided: str) -> str:
            found = queue(olive).after(decided, olive)
            return found.key if found else ""

        assert after("event:CLEAN") == "event:FIRST"
        assert after("event:FIRST") == "event:LOOK"  # nobody is sent back to what is decided in part
        office_args = ["office", "--db", office, "--as", "olive"]
        assert main([*office_args, "refuse-event", "FIRST", "--reason", "never announced"]) == 0
        told = capsys.readouterr().out
        assert "next: Open LOOK, waiting 3 days: `office review LOOK`\n" in told
        assert "1 to look at, 1 clean, 1 with their directors" in told
        assert main([*office_args, "accept", "LOOK"]) == 0
        assert "next: Open CLEAN, waiting 7 days" in capsys.readouterr().out
        assert main([*office_args, "accept", "CLEAN"]) == 0
        assert "next:" not in capsys.readouterr().out  # the last one waits for its director
        assert after("event:CLEAN") == ""


def test_nobody_is_offered_a_proposal_of_their_own(olive: Actor) -> None:
    users.add_user(ADMIN, "oscar", Role.OFFICER)
    oscar = users.acting_as("oscar")
    list_publication.propose(olive, date(2026, 1, 1), "the January list")
    assert queue(olive).after("", olive) is None
    offered = queue(oscar).after("", oscar)
    assert offered is not None
    assert offered.kind == "proposal"


def test_another_members_id_is_not_clean(olive: Actor, office: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Patrick O'Brien stands under the id of Igor Webb; Jo's nickname, order and spelling are no question."""
    known = [
        ("IGOR WEBB", "Igor Webb"),
        ("Newman, Joseph", "Jo Neuman"),
        ("Zoé Łukasz", "Z. Lukasz"),
        ("Al Li", "Li, A"),
    ]
    first = {number: {"name": name} for number, (name, _) in zip(FOUR, known, strict=True)}
    second = {number: {"name": name} for number, (_, name) in zip(FOUR, known, strict=True)}
    wrong = second | {FOUR[0]: {"name": "Patrick O'Brien"}}
    for number, day, facts in (("A", 3, first), ("B", 4, second), ("C", 5, wrong)):
        content = document(f"Open {number}", date(2025, 12, day), FOUR, GAMES, facts=facts) | WHOLE
        with clock.set_to(START + timedelta(days=day)):
            done = submissions.submit(users.acting_as("dora"), data(content), "open.json", number)
        if number == "A":
            accepting.accept(olive, "A")
    told = "30000001 is the id of IGOR WEBB"
    assert [one.message for one in done.findings if one.code == "name-differs"] == [f"{told}."]
    found = queue(olive)
    assert (names(found.clean), names(found.needs)) == (["B"], ["C"])
    assert found.needs[0].words == f"Patrick O'Brien (no. 1): {told}."
    (section,) = review(olive, "C").sections
    assert [one.text for one in section.lines] == [f"Patrick O'Brien (no. 1): {told}. Check the ID."]
    assert main(["office", "--db", office, "--as", "olive", "review", "C"]) == 0
    assert f"Patrick O'Brien (no. 1): {told}" in capsys.readouterr().err
    accepting.accept(olive, "C")  # the officer decides


def test_two_newcomers_are_not_one_person(olive: Actor) -> None:
    facts = {"new": {"name": "Ada Ek"}, "TBD": {"name": "Bo Muller"}}
    content = document("Open", date(2025, 12, 3), ["new", "TBD"], [(1, 1, 2, "1-0")], facts=facts) | WHOLE
    with clock.set_to(START):
        done = submissions.submit(users.acting_as("dora"), data(content), "open.json", "A")
    assert [one.message for one in done.findings if one.code == "no-id"] == [
        "'new' is not an ID.",
        "'TBD' is not an ID.",
    ]
    with pytest.raises(EventRejected, match="'new' is not an ID"):
        accepting.accept(olive, "A")


def test_sections_that_can_be_rated_need_the_officer_and_then_the_director(olive: Actor) -> None:
    content = document("Open", date(2025, 12, 6), FOUR, GAMES) | WHOLE
    content["sections"].append({**content["sections"][0], "number": 2, "name": "Reserve"})
    content["sections"][1] = content["sections"][1] | {"games": [{"round": 1, "white": 1, "black": 9, "result": "1-0"}]}
    submissions.submit(users.acting_as("dora"), data(content), "open.json", "H")
    (line,) = queue(olive).needs
    assert (line.some, line.found.ready, [one.state for one in line.found.sections]) == (True, (1,), ["ready", "mend"])
    accepting.accept(olive, "H", sections=[1])
    assert queue(olive).needs == []
    (line,) = queue(olive).waits
    assert [one.state for one in line.found.sections] == ["rated", "mend"]


def test_corrections_and_jobs_stand_in_it(olive: Actor) -> None:
    submit("A", 3)
    accepting.accept(olive, "A")
    other = document("Open A", date(2025, 12, 3), FOUR, [*GAMES[1:], (1, 1, 2, "0-1")]) | WHOLE
    asked = corrections.ask(users.acting_as("dora"), "A", data(other), "open.json", "The slip says so.")
    job = running.start(olive, "rerate", "Everything", {})
    found = queue(olive)
    assert [(one.kind, one.number) for one in found.needs] == [("correction", str(asked.id))]
    assert found.needs[0].words == "1 result would change in Open. The slip says so."
    assert [one.number for one in found.jobs] == [job.id]
    with pytest.raises(NotAllowedError):
        queue(users.acting_as("dora"))


def test_five_hundred_take_as_many_queries_as_one(olive: Actor) -> None:
    submit("A", 3)
    few = _counted(olive)
    _five_hundred()
    assert _counted(olive) == few
    assert len(queue(olive).lines) == 500


def _counted(olive: Actor) -> int:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        queue(olive)
    return len(queries)


def _five_hundred() -> None:
    """499 more of the same, outside the office: submitting them all would take minutes."""
    one, revision = events.find("A"), event_rows.in_force(events.find("A"))
    file = Submission.objects.get()
    rows = [
        Event(number=f"N{place}", name=one.name, start=one.start, end=one.end, content_hash=f"{place}", city=one.city)
        for place in range(499)
    ]
    for row in Event.objects.bulk_create(rows):
        sent = Submission.objects.create(
            event=row, file_name="open.json", data=b"", sha256=file.sha256, outcome="queued", author="dora"
        )
        Revision.objects.create(
            event=row,
            number=1,
            kind="submitted",
            document=revision.document,
            summary=revision.summary,
            content_hash=row.content_hash,
            author="dora",
            submission=sent,
        )


def test_a_file_that_is_sent_again_waits_anew(olive: Actor) -> None:
    submit("A", 3, (3, 1, 9, "1-0"))
    accepting.refuse(olive, "A", "a game against nobody")
    dora = users.acting_as("dora")
    better = data(document("Open A", date(2025, 12, 3), FOUR, GAMES) | WHOLE)
    with clock.set_to(START + timedelta(days=8)):
        resubmitting.send_again(dora, "A", better, "open.json", formats.read(better, "open.json"))
    with clock.set_to(START + timedelta(days=9)):
        (line,) = queue(olive).clean
        assert (line.number, line.days) == ("A", 1)
        messages.write(olive, f"submission:{Submission.objects.order_by('id').last().id}", "All well?")
        assert names(queue(olive).waits) == ["A"]


def test_a_question_of_the_office_is_the_directors_next_step(olive: Actor) -> None:
    """Page and program say the same, until the director answers or the event is decided."""
    dora, sent = users.acting_as("dora"), submit("A", 3)
    assert submission_status.status(dora, sent).next_step == "It waits for review: there is nothing to do."
    with clock.set_to(START):
        messages.write(olive, f"submission:{sent}", "Who is number 3?")
    asked = "The office asked you something on 20 December 2025: read the messages and answer."
    assert submission_status.status(dora, sent).next_step == asked
    page = submission_page.page(dora, sent)
    assert (page.line.whose, page.line.next_step, page.asked) == (submission_page.YOURS, asked, True)
    assert [one.whose for one in submission_page.submissions(dora)] == [submission_page.YOURS]
    messages.write(dora, f"submission:{sent}", "Ada.")
    assert submission_status.status(dora, sent).next_step == "It waits for review: there is nothing to do."
    messages.write(olive, f"submission:{sent}", "Thank you.")
    accepting.accept(olive, "A")
    assert submission_status.status(dora, sent).next_step == "It is rated."
    assert submission_page.page(dora, sent).line.whose == submission_page.NOBODYS


def test_the_rows_in_doubt_stand_before_the_officer(olive: Actor) -> None:
    submit("A", 3, (3, 1, 9, "1-0"))  # number 1 against nobody in round 3
    (section,) = review(olive, "A").sections
    assert [(one.player.number, one.bad) for one in section.concerned] == [(1, frozenset({3}))]
    submit("B", 4)
    (section,) = review(olive, "B").sections
    assert section.concerned == ()
