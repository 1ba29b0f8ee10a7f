"""Comments on the rows of a report, and what has changed since an officer's last review."""

from __future__ import annotations

from collections.abc import Callable

from django.test import Client

from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import free_text
from crosstable.office.ledger.models import Submission
from crosstable.office.notices import inbox
from crosstable.office.people.users import acting_as
from crosstable.office.reports import fixing, sending, submissions
from crosstable.office.reports.models import RowComment
from crosstable.office.reports.submission_status import status
from crosstable.office.reports.submissions import QUEUED
from tests.web import accounts
from tests.web.desks import stage
from tests.web.desks.stage import ADA, BEN, CAY, TWIN

Desk = Callable[[str], Client]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "1-0"), (2, 1, 3, "1-0"), (2, 2, 4, "1/2-1/2")]


def sent(games: list[tuple[int, int, int, str]] = GAMES) -> int:
    data = stage.report("Row Open", stage.MATCH, [ADA, BEN, CAY, TWIN], games, "swiss", {})
    done = submissions.submit(acting_as("dora"), data, "rows.json", "ROWS1")
    assert done.outcome == QUEUED, done.message
    assert done.submission is not None
    return done.submission


def comment(client: Client, **values: str) -> int:
    return client.post("/desk/comments/ROWS1/", {"next": "/desk/review/ROWS1/", **values}).status_code


def test_an_officer_comments_the_director_answers_and_the_officer_resolves(desk: Desk) -> None:
    number, olive, dora = sent(), desk("officer"), desk("director")
    assert "Comment on a row" in olive.get("/desk/review/ROWS1/").content.decode()
    words = "Row 4 has a draw here. Is there a slip?"
    assert comment(olive, do="comment", row="1-2", words=words) == 302
    first = RowComment.objects.get()
    assert (first.section, first.number, first.author) == (1, 2, "olive")
    assert AuditEntry.objects.filter(action="event.comment", subject="event:ROWS1").count() == 1
    told = inbox.inbox(acting_as("dora"))[0]
    assert told.words == f"Row 2, Ben Weaver: {words}"
    assert "The office asked you something" in dora.get(f"/desk/submissions/{number}/").content.decode()
    shown = dora.get(f"/desk/submissions/{number}/").content.decode()
    assert words in shown
    assert "Row 2, Ben Weaver" in shown
    assert 'value="resolve"' not in shown  # the office's question: the office resolves it
    assert comment(dora, do="answer", thread=str(first.id), words="Both players say a draw.") == 302
    page = olive.get("/desk/review/ROWS1/").content.decode()
    assert "Both players say a draw." in page
    assert "(1 not resolved)" in page
    assert "<b>1 comment</b> on rows not resolved" in page
    assert comment(olive, do="resolve", thread=str(first.id)) == 302
    page = olive.get("/desk/review/ROWS1/").content.decode()
    assert "✓ Resolved by you" in page
    assert "not resolved" not in page
    assert "Resolved by olive" in dora.get(f"/desk/submissions/{number}/").content.decode()
    assert comment(dora, do="answer", thread=str(first.id), words="One more thing.") == 302
    assert "(1 not resolved)" in olive.get("/desk/review/ROWS1/").content.decode()  # an answer opens it again


def test_a_comment_waits_for_the_director_until_it_is_resolved(desk: Desk) -> None:
    number, olive = sent(), desk("officer")
    for row in ("1", "2"):
        comment(olive, do="comment", row=f"1-{row}", words="Please check.")
    one, two = RowComment.objects.order_by("id")
    asked = "The office asked you something"
    comment(olive, do="resolve", thread=str(one.id))
    assert asked in status(acting_as("dora"), number).next_step  # the other one is open
    comment(olive, do="resolve", thread=str(two.id))
    assert asked not in status(acting_as("dora"), number).next_step


def test_what_is_refused_keeps_its_words_and_strangers_see_nothing(desk: Desk) -> None:
    sent()
    olive = desk("officer")
    values = {"do": "comment", "row": "1-2", "next": "/desk/review/ROWS1/"}
    typed = "Please note: she was born 5/3/2014."
    refused = olive.post("/desk/comments/ROWS1/", {**values, "words": typed})
    assert refused.status_code == 400
    assert typed in refused.content.decode()
    assert 'name="row" value="1-2"' in refused.content.decode()
    assert comment(olive, do="comment", row="1-9", words="Who?") == 400
    assert comment(olive, do="comment", row="1-2", words=" ") == 400
    assert comment(olive, do="resolve", thread="77") == 400
    assert not RowComment.objects.exists()
    assert comment(desk("player"), do="comment", row="1-2", words="Mine") == 403
    Submission.objects.filter(event__number="ROWS1").update(author="dan")
    assert comment(desk("director"), do="comment", row="1-2", words="Not mine") in (403, 404)


def test_changes_since_the_last_review(desk: Desk) -> None:
    number, olive = sent(), desk("officer")
    since = "Changes since your last review"
    assert since not in olive.get("/desk/review/ROWS1/").content.decode()
    comment(olive, do="comment", row="1-2", words="Was it a draw?")
    assert since not in olive.get("/desk/review/ROWS1/").content.decode()  # nothing came since
    dora = acting_as("dora")
    draft = sending.reopen(dora, number)
    fixing.mend(dora, draft.id, "result", {"section": "1", "round": "2", "one": "2", "other": "4", "score": "lost"})
    sending.send(dora, draft.id)
    page = olive.get("/desk/review/ROWS1/").content.decode()
    assert since in page
    section = page.split(since)[1].split("</section>")[0]
    assert section.count("<li>") == 1
    assert "<del>½–½</del>" in section
    assert "<ins>0–1</ins>" in section
    assert page.count(", changed since your last review</span></ins>") >= 2  # both cells of the game are shaded
    assert "Was it a draw?" in page  # the comment stays with the row
    assert since not in desk("second officer").get("/desk/review/ROWS1/").content.decode()  # oscar has not looked yet


def test_a_comment_needs_its_right_the_forms_token_and_a_length(desk: Desk) -> None:
    sent()
    olive, values = desk("officer"), {"do": "comment", "row": "1-2", "words": "Please check."}
    strict = Client(enforce_csrf_checks=True, headers=accounts.HOST)
    strict.cookies = olive.cookies
    assert strict.post("/desk/comments/ROWS1/", values).status_code == 403
    anyone = Client(headers=accounts.HOST).post("/desk/comments/ROWS1/", values)
    assert (anyone.status_code, anyone["Location"].partition("?")[0]) == (302, "/desk/sign-in/")
    assert olive.get("/desk/comments/ROWS1/").status_code == 405
    assert comment(olive, **{**values, "words": "x" * (free_text.LONGEST_MESSAGE + 1)}) == 400
    assert not RowComment.objects.exists()
    assert comment(olive, **{**values, "words": "x" * free_text.LONGEST_MESSAGE}) == 302
    answer = {"do": "answer", "thread": str(RowComment.objects.get().id), "words": "Mine"}
    for event in ("ROWS1", "NOTHING"):  # a player learns nothing of which reports there are
        assert desk("player").post(f"/desk/comments/{event}/", answer).status_code == 403
    assert RowComment.objects.count() == 1
    far = {**values, "next": "https://elsewhere.example/"}
    assert "elsewhere" not in olive.post("/desk/comments/ROWS1/", far)["Location"]
