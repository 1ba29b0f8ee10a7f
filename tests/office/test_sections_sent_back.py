"""One section of several goes back to its director with a message, and the others go on."""

from __future__ import annotations

import json

import pytest
from simulated import ADMIN, OFFICER, data
from test_sections_that_wait import DORA, holiday, rated, submitted

from crosstable import formats
from crosstable.cli import main
from crosstable.errors import OfficeError
from crosstable.office.audit.ledger_against_log import problems
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Event, Revision
from crosstable.office.notices import inbox
from crosstable.office.people import users
from crosstable.office.people.rights import NotAllowedError, Role
from crosstable.office.queries import changes, submission_page
from crosstable.office.queries.officer_queue import queue
from crosstable.office.rating import run
from crosstable.office.reports import accepting, events, fixing, resubmitting, review_queue, sending, submission_status

WHY = "Two games of round 2 are missing."


@pytest.fixture
def waiting(ready: str) -> int:
    """dora's submission of three clean sections; dora has an account, so that messages arrive."""
    users.add_user(ADMIN, "dora", Role.DIRECTOR)
    return submitted(())


def test_one_goes_back_and_the_others_are_rated(waiting: int) -> None:
    with pytest.raises(NotAllowedError):
        accepting.refuse(DORA, "H", WHY, [2])
    with pytest.raises(OfficeError, match="reason"):
        accepting.refuse(OFFICER, "H", " ", [2])
    accepting.refuse(OFFICER, "H", WHY, [2])
    assert (events.find("H").status, events.find("H").sent_back) == (Event.SUBMITTED, {"2": WHY})
    (seen,) = review_queue.review(OFFICER)
    assert [one.state for one in seen.sections] == ["ready", "sent back", "ready"]
    assert seen.ready == (1, 3)
    told = inbox.inbox(users.acting_as("dora"))[0]
    assert told.subject == "Holiday Open: Reserve sent back"
    assert told.words == f"It cannot be rated yet: fix it and send it again. The other sections go ahead. {WHY}"
    accepting.accept(OFFICER, "H")  # without naming any: all but what went back
    assert (events.find("H").held, events.find("H").sent_back, rated()) == ("2", {"2": WHY}, [1, 3])
    (line,) = queue(OFFICER).lines
    assert line.group == "waits"
    entry = json.loads(AuditEntry.objects.get(action="event.refuse").details)
    assert entry["sent_back"] == [2]
    assert problems() == []


def test_the_director_has_the_next_step(waiting: int) -> None:
    dora = users.acting_as("dora")
    accepting.refuse(OFFICER, "H", WHY, [2])
    back = f"Reserve came back: {WHY} Fix it and send the report again."
    assert submission_status.status(dora, waiting).next_step == back
    accepting.accept(OFFICER, "H")
    assert submission_status.status(dora, waiting).next_step == f"Rated: Open, Booster. {back}"
    page = submission_page.page(dora, waiting)
    assert (page.line.state, page.line.whose, page.line.next_step) == (
        "Rated in part",
        "yours",
        f"Rated: Open, Booster. {back}",
    )
    assert page.may_mend
    assert [one.sent_back for one in page.sections] == ["", WHY, ""]
    assert ("Sent back", f"Section 2: {WHY}") in [(one.title, one.words) for one in page.happened]


def test_it_comes_again_and_is_looked_at_anew(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [2])
    accepting.accept(OFFICER, "H")
    content = holiday(())
    content["sections"][1]["games"] += [{"round": 3, "white": 1, "black": 3, "result": "1-0"}]
    again = data(content)
    resubmitting.send_again(users.acting_as("dora"), "H", again, "holiday.json", formats.read(again, "holiday.json"))
    assert (events.find("H").held, events.find("H").sent_back) == ("2", {})
    assert [one.group for one in queue(OFFICER).lines] == ["needs"]
    accepting.accept(OFFICER, "H")
    assert (events.find("H").held, rated()) == ("", [1, 2, 3])
    assert run.compute(run.BEGINNING).nothing


def test_what_went_back_is_rated_only_by_name(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [2])
    accepting.accept(OFFICER, "H")
    with pytest.raises(OfficeError, match="section 2 went back to its director: name it"):
        accepting.accept(OFFICER, "H")
    accepting.accept(OFFICER, "H", sections=[2])
    assert (events.find("H").held, events.find("H").sent_back, rated()) == ("", {}, [1, 2, 3])


def test_many_at_once_leave_out_what_went_back(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [2])
    accepting.accept_many(OFFICER, ["H"])
    assert (events.find("H").held, rated()) == ("2", [1, 3])
    (entry,) = AuditEntry.objects.filter(action="event.accept")
    assert json.loads(entry.details)["events"][0]["held"] == [2]


def test_a_correction_of_another_section_does_not_rate_it(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [2])
    accepting.accept(OFFICER, "H")
    content = holiday(())
    content["sections"][0]["games"][0]["result"] = "0-1"
    accepting.correct(OFFICER, "H", data(content), "holiday.json", "the first slip")
    assert (events.find("H").held, events.find("H").sent_back, rated()) == ("2", {"2": WHY}, [1, 3])
    content["sections"][1]["games"][0]["result"] = "0-1"
    accepting.correct(OFFICER, "H", data(content), "holiday.json", "and the second")
    assert (events.find("H").held, events.find("H").sent_back, rated()) == ("", {}, [1, 2, 3])


def test_all_that_wait_are_the_event_itself(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [1, 2, 3])
    assert (events.find("H").status, events.find("H").sent_back) == (Event.REFUSED, {})
    assert Revision.objects.latest("id").kind == "refused"


@pytest.mark.parametrize(
    ("sections", "words"), [([1], "section 1 is rated already"), ([7], "none of its sections"), ([], "at least one")]
)
def test_sections_that_cannot_go_back(waiting: int, sections: list[int], words: str) -> None:
    accepting.accept(OFFICER, "H", sections=[1, 3])
    with pytest.raises(OfficeError, match=words):
        accepting.refuse(OFFICER, "H", WHY, sections)
    with pytest.raises(OfficeError, match="does not wait for review: it is accepted"):
        accepting.refuse(OFFICER, "H", WHY)  # what is rated is withdrawn, not refused
    assert events.find("H").sent_back == {}


def test_a_withdrawn_event_forgets_it(waiting: int) -> None:
    accepting.refuse(OFFICER, "H", WHY, [2])
    accepting.withdraw(users.acting_as("dora"), "H", "it comes again")
    assert events.find("H").sent_back == {}


def test_from_the_shell(waiting: int, ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    users.add_user(ADMIN, "olive", Role.OFFICER)
    who = ["office", "--db", ready, "--as", "olive"]
    assert main([*who, "refuse-event", "H", "--section", "2", "--reason", WHY]) == 0
    assert "H: section 2 sent back; its director gets the reason" in capsys.readouterr().out
    assert main([*who, "review", "H"]) == 0
    assert f"H: Reserve was sent back: {WHY}" in capsys.readouterr().out
    assert main([*who, "refuse-event", "H", "--section", "3", "--reason", WHY, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"event": "H", "status": "submitted", "sent_back": [2, 3]}


def test_the_draft_and_the_new_file_keep_what_the_office_asked(waiting: int) -> None:
    dora = users.acting_as("dora")
    accepting.refuse(OFFICER, "H", WHY, [2])
    draft = sending.reopen(dora, waiting)
    assert submission_page.asked_in(draft.replaces) == [f"Reserve: {WHY}"]
    again = sending.send(dora, draft.id)
    first, second = submission_page.page(dora, waiting), submission_page.page(dora, again.submission)
    assert (first.newer, first.earlier) == (again.submission, ())
    assert (second.newer, second.earlier) == (None, (waiting,))
    (told,) = submission_page.said(dora, second)
    assert (told.decision, WHY in told.words) == ("Holiday Open: Reserve sent back", True)
    assert submission_page.asked_in("H") == []  # it has come again


def test_what_changed_before_it_was_rated_moved_nothing_and_says_so(waiting: int) -> None:
    dora = users.acting_as("dora")
    accepting.accept(OFFICER, "H", sections=[1, 3])
    draft = sending.reopen(dora, waiting)
    fixing.mend(dora, draft.id, "result", {"section": "2", "round": "1", "one": "1", "other": "2", "score": "drew"})
    sending.send(dora, draft.id)
    row = events.find("H")
    last = Revision.objects.filter(event=row).latest("number").number
    assert changes.one("H", row.id, last).counted == "What changed had not been rated yet."
