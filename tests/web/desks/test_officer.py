"""The officer's desk: the queue, some sections of an event, corrections side by side, and jobs."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from crosstable.formats import event_json
from crosstable.office.jobs import running
from crosstable.office.jobs.models import Job
from crosstable.office.ledger.models import Event, Player, Revision, Section, Submission
from crosstable.office.lists.models import TitleNorm
from crosstable.office.notices import inbox
from crosstable.office.people.users import acting_as
from crosstable.office.queries import correction, words
from crosstable.office.rating import run
from crosstable.office.reports import events, fixing, schedule, submissions
from crosstable.office.reports import events as event_rows
from crosstable.office.reports.models import Draft
from crosstable.office.requests import correction_drafts, corrections, lifecycle
from tests.web.desks import stage

Desk = Callable[[str], Client]


def old_event(before: str = "2024-06-01") -> str:
    """An event of the example of two years ago that dora sent in."""
    return (
        Event.objects.filter(status="accepted", end__lt=before, submissions__author="dora")
        .order_by("-end", "number")
        .values_list("number", flat=True)[0]
    )


def content_of(number: str) -> dict[str, Any]:
    found: dict[str, Any] = event_json.to_json(events.document(number))
    return found


def as_file(content: dict[str, Any]) -> bytes:
    return json.dumps(content).encode()


def three_sections(wrong: bool = True) -> str:
    """An event of three sections with people of the example; the second has a game against nobody."""
    content = content_of(old_event())
    content |= {"name": "Desk Open", "start": "2025-12-20", "end": "2025-12-20", "notes": {}}
    first = {key: value for key, value in content["sections"][0].items() if key not in ("start", "end", "notes")}
    content["sections"] = []
    for number, name in enumerate(("Open", "Reserve", "Booster"), 1):
        content["sections"].append({**copy.deepcopy(first), "number": number, "name": name})
    if wrong:
        content["sections"][1]["games"].append({"round": 1, "white": 1, "black": 99, "result": "1-0"})
    done = submissions.submit(acting_as("dora"), as_file(content), "desk.json", "DESK1")
    assert done.outcome == submissions.QUEUED, done.message
    return done.event


def corrected(number: str) -> tuple[bytes, Any]:
    """The event with the first decisive game of its first section turned round."""
    content = content_of(number)
    game = next(one for one in content["sections"][0]["games"] if one["result"] in ("1-0", "0-1"))
    game["result"] = "0-1" if game["result"] == "1-0" else "1-0"
    return as_file(content), game


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.content.decode()[:2000]
    return answer.content.decode()


def test_the_queue_and_two_of_three_sections(desk: Desk) -> None:
    number = three_sections()
    olive = desk("officer")
    text = page(olive, "/desk/queue/")
    assert "Desk Open" in text
    assert "2 sections can be rated now." in text
    text = page(olive, f"/desk/review/{number}/")
    assert "Needs fixing." in text
    assert text.count('name="section"') == 3
    assert "disabled" in text
    answer = olive.post(f"/desk/review/{number}/", {"do": "accept", "section": ["1", "3"], "message": "Thank you."})
    assert answer.status_code == 302
    assert sorted(Section.objects.filter(event__number=number).values_list("number", flat=True)) == [1, 3]
    assert events.find(number).held == "2"
    told = inbox.inbox(acting_as("dora"))[0]
    assert (told.subject, told.words) == (
        "Desk Open: accepted in part",
        "It is rated in part. Waiting: Reserve. Thank you.",
    )
    assert "Waits for its director: 1" in page(olive, "/desk/queue/")
    public = page(Client(headers={"host": "localhost"}), f"/events/{number}/")
    assert "Not rated yet: Reserve" in " ".join(public.split())


def test_a_section_that_must_be_mended_is_refused_with_its_findings(desk: Desk) -> None:
    number = three_sections()
    olive = desk("officer")
    answer = olive.post(f"/desk/review/{number}/", {"do": "accept", "section": ["1", "2", "3"]}, follow=True)
    assert "Not done. Section 2" in answer.content.decode()
    assert events.find(number).status == Event.SUBMITTED


def test_asked_and_refused(desk: Desk) -> None:
    number = three_sections(wrong=False)
    olive = desk("officer")
    address = f"/desk/review/{number}/"
    answer = olive.post(address, {"do": "ask", "message": ""}, follow=True)
    assert "Not done." in answer.content.decode()
    olive.post(address, {"do": "ask", "message": "Was it played in December?"})
    assert "Was it played in December?" in page(olive, address)
    assert "Asked on" in page(olive, "/desk/queue/")
    olive.post(address, {"do": "refuse", "message": "It was never announced."})
    assert events.find(number).status == Event.REFUSED
    assert inbox.inbox(acting_as("dora"))[0].subject == "Desk Open: refused"


def test_one_section_goes_back_and_the_officer_goes_on_with_the_others(desk: Desk) -> None:
    number = three_sections(wrong=False)
    olive, address = desk("officer"), f"/desk/review/{number}/"
    text = page(olive, address)
    assert text.count('value="send-back"') == 3
    answer = olive.post(address, {"do": "send-back", "back": "2", "message": ""}, follow=True)
    assert "Not done." in answer.content.decode()
    answer = olive.post(address, {"do": "send-back", "back": "2", "message": "Round 2 is missing."})
    assert answer["Location"] == address  # two are still to be decided on
    text = page(olive, address)
    assert "Reserve went back to dora, with the reason." in text
    assert "Reserve went back to dora. 2 sections of 3 can be rated now." in text
    assert "It can be rated:" not in text
    assert "← sent back" in text
    assert text.count('value="send-back"') == 2
    answer = olive.post(address, {"do": "accept", "section": ["1", "3"]})
    assert answer["Location"] == "/desk/queue/?decided=event%3ADESK1"
    assert events.find(number).held == "2"
    assert "← Reserve sent back" in page(olive, "/desk/queue/")
    sent = Submission.objects.latest("id").id
    text = page(desk("director"), f"/desk/submissions/{sent}/")
    assert "Next step: yours" in text
    assert "Reserve came back: Round 2 is missing. Fix it and send the report again." in text
    assert "Open the report and fix it" in text
    # the office may think otherwise
    olive.post(address, {"do": "accept", "section": ["2"]})
    assert (events.find(number).held, events.find(number).sent_back) == ("", {})


def test_several_clean_events_are_accepted_by_a_job(desk: Desk) -> None:
    content = content_of(old_event())
    numbers = []
    for place in range(2):
        content |= {"name": f"Night {place}", "start": f"2025-12-2{place}", "end": f"2025-12-2{place}", "notes": {}}
        for section in content["sections"]:
            section.pop("start", None)
            section.pop("end", None)
        numbers.append(submissions.submit(acting_as("dora"), as_file(content), "night.json", f"N{place}").event)
    olive = desk("officer")
    answer = olive.post("/desk/queue/", {"event": numbers})
    job = Job.objects.get()
    assert answer["Location"] == f"/desk/jobs/{job.id}/"
    text = page(olive, answer["Location"])
    assert "It is waiting to start." in text
    assert 'http-equiv="refresh"' in text
    part = olive.get(answer["Location"], headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert running.run(job.id) == "done"
    assert olive.get(answer["Location"], headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "2 events rated." in page(olive, answer["Location"])
    assert {events.find(number).status for number in numbers} == {Event.ACCEPTED}


def test_after_a_decision_the_queue_offers_the_next_event(desk: Desk) -> None:
    number = three_sections(wrong=False)
    content = content_of(old_event())
    for place, day in ((1, "21"), (2, "22")):
        content |= {"name": f"Night {place}", "start": f"2025-12-{day}", "end": f"2025-12-{day}", "notes": {}}
        for section in content["sections"]:
            section.pop("start", None)
            section.pop("end", None)
        submissions.submit(acting_as("dora"), as_file(content), "night.json", f"N{place}")
    olive = desk("officer")
    assert 'id="next"' not in page(olive, "/desk/queue/")
    first = olive.post("/desk/queue/", {"event": "N1"}, follow=True).content.decode()
    assert f'href="/desk/review/{number}/">Look at it' in first
    told = olive.post(f"/desk/review/{number}/", {"do": "refuse", "message": "Never announced."}, follow=True)
    text = " ".join(re.sub(r"<[^>]+>", " ", told.content.decode()).split())
    assert "Desk Open is refused. dora gets the reason." in text
    assert "Next Night 2 " in text
    assert "Look at it : Night 2 1 is clean." in text
    last = olive.post("/desk/review/N2/", {"do": "ask", "message": "Was it in December?"}, follow=True)
    assert "Nothing else waits for you." in last.content.decode()


@pytest.fixture
def asked(desk_office: str) -> tuple[int, str, Any]:
    number = old_event()
    data, game = corrected(number)
    return (
        corrections.ask(acting_as("dora"), number, data, "<b>file</b>.json", "The <i>slip</i> says so.").id,
        number,
        game,
    )


def test_a_name_in_the_table_of_those_who_move_is_no_formula(
    desk: Desk, asked: tuple[int, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        correction.Moved(player="31000001", name="=1+1", pool="OTBR", why="", now=1500.0, would_be=1490.5, lists=0)
    ]
    monkeypatch.setattr(correction, "all_moved", lambda *_: found)
    lines = desk("officer").get(f"/desk/corrections/{asked[0]}/moved.csv").content.decode().splitlines()
    assert lines[1] == "31000001,'=1+1,OTBR,1500.0,1490.5,-9.5,,0"


def test_a_correction_side_by_side_and_applied(desk: Desk, asked: tuple[int, str, Any]) -> None:
    request, number, game = asked
    olive = desk("officer")
    address = f"/desk/corrections/{request}/"
    text = page(olive, address)
    assert "1 result would change." in text
    assert "<del><b>" in text
    assert "<ins><b>" in text
    assert "The &lt;i&gt;slip&lt;/i&gt; says so." in text
    assert "They do not change" in text  # lists have been published in two years
    table = olive.get(f"{address}moved.csv")
    assert table["Content-Disposition"] == f'attachment; filename="correction-{request}.csv"'
    file = olive.get(f"{address}file/")
    assert (file["Content-Type"], file["X-Content-Type-Options"]) == ("application/octet-stream", "nosniff")
    before = schedule.entrants_of(events.find(number))
    answer = olive.post(address, {"do": "apply", "message": "Both slips agree."})
    job = Job.objects.get()
    assert answer["Location"] == f"/desk/jobs/{job.id}/"
    assert running.run(job.id) == "done"
    text = page(olive, f"/desk/jobs/{job.id}/")
    assert "Largest changes" in text
    assert "Nothing else waits for you." in text
    assert corrections.shown(lifecycle.find(acting_as("olive"), corrections.CORRECTION, request)).state == "granted"
    again = next(
        one
        for one in content_of(number)["sections"][0]["games"]
        if (one["round"], one["white"], one["black"]) == (game["round"], game["white"], game["black"])
    )
    assert again["result"] == game["result"]
    assert schedule.entrants_of(events.find(number)) == before
    assert "Granted by olive" in page(olive, address)
    assert "Granted by olive" in page(desk("director"), address)


def test_a_very_long_preview_runs_as_a_job(
    desk: Desk, asked: tuple[int, str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says what would change in the event, and does not wait for whose ratings move."""
    monkeypatch.setattr(correction, "LONG", 0)
    olive, address = desk("officer"), f"/desk/corrections/{asked[0]}/"
    text = page(olive, address)
    assert "1 result would change. Whose ratings move is not computed yet." in text
    assert "<del><b>" in text
    assert 'value="apply"' in text
    answer = olive.post(address, {"do": "preview"})
    job = Job.objects.get()
    assert answer["Location"] == f"/desk/jobs/{job.id}/"
    assert running.run(job.id) == "done"
    text = page(olive, answer["Location"])
    assert "Nothing was written." in text
    assert "Largest changes that it would make" in text
    assert f'href="{address}">Decide on the correction' in text
    assert corrections.shown(lifecycle.find(acting_as("olive"), corrections.CORRECTION, asked[0])).state == "waiting"


def test_a_director_reads_and_takes_back_own_requests_only(desk: Desk, asked: tuple[int, str, Any]) -> None:
    address = f"/desk/corrections/{asked[0]}/"
    text = page(desk("director"), address)
    assert "It waits for an officer." in text
    assert 'value="apply"' not in text
    assert desk("director").post(address, {"do": "apply"}).status_code == 403
    assert "Corrections" in page(desk("director"), "/desk/corrections/")
    desk("director").post(address, {"do": "take-back"})
    assert corrections.shown(lifecycle.find(acting_as("olive"), corrections.CORRECTION, asked[0])).state == "taken back"


def test_a_correction_is_rejected_with_words(desk: Desk, asked: tuple[int, str, Any]) -> None:
    olive = desk("officer")
    address = f"/desk/corrections/{asked[0]}/"
    assert "Not done." in olive.post(address, {"do": "reject"}, follow=True).content.decode()
    olive.post(address, {"do": "reject", "message": "The wall chart says otherwise."})
    assert "The wall chart says otherwise." in page(desk("director"), address)


def test_a_stopped_job_is_shown_as_such_and_started_again(desk: Desk) -> None:
    olive = desk("officer")
    olive.post("/desk/jobs/", {"message": "to be sure", "do": "rerate"})
    job = Job.objects.get()
    Job.objects.filter(id=job.id).update(state=Job.RUNNING)  # whoever ran it is gone
    text = page(olive, f"/desk/jobs/{job.id}/")
    assert "It was stopped in the middle. Nothing was changed" in text
    assert "Stopped." in page(olive, "/desk/jobs/")
    assert "Stopped." in page(olive, "/desk/queue/")
    olive.post(f"/desk/jobs/{job.id}/")
    assert running.run(job.id) == "done"
    assert "Done." in page(olive, f"/desk/jobs/{job.id}/")


def test_the_page_of_a_queue_of_five_hundred(desk: Desk) -> None:
    """A hundred lines of a group are shown at once; the rest is a click away."""
    number = three_sections()
    one, revision = events.find(number), event_rows.in_force(events.find(number))
    made = [
        Event(number=f"N{place}", name=one.name, start=one.start, end=one.end, content_hash=f"{place}")
        for place in range(499)
    ]
    Revision.objects.bulk_create(
        Revision(
            event=row,
            number=1,
            kind="submitted",
            document=revision.document,
            summary=revision.summary,
            content_hash=row.content_hash,
            author="dora",
        )
        for row in Event.objects.bulk_create(made)
    )
    olive = desk("officer")
    assert "400 more lines" in page(olive, "/desk/queue/")
    assert page(olive, "/desk/queue/?all=1").count("Look<span") == 500


def test_days_and_entries() -> None:
    assert [words.count(*one) for one in ((1, "day"), (337, "day"), (2, "entry"))] == ["1 day", "337 days", "2 entries"]


def test_the_first_page_counts_what_waits_at_each_desk(desk: Desk) -> None:
    three_sections()
    corrections.ask(acting_as("dora"), old_event(), corrected(old_event())[0], "slips.json", "Both slips are attached.")
    text = page(desk("officer"), "/desk/")
    assert "2 things wait: 2 for you." in text
    assert re.search(r'href="/desk/queue/#needs">Events to look at</a></th><td class="r"><b>1</b>', text)
    assert re.search(r'href="/desk/corrections/">Correction requests of directors</a></th><td class="r"><b>1</b>', text)
    assert '<span class="soft">Clean events to accept</span>' in text
    assert 'Decide<span class="hide"> about' in text
    assert len(re.findall(r'<li><a href="/desk/[^"]*"[^>]*>', text.split("</header>")[0])) == 6


def test_norms_that_a_correction_moves_are_named(desk: Desk) -> None:
    """Held against the norms in the ledger before and after: those of players 1 and 6, whose game it was."""
    old = stage.old_event()
    norms = TitleNorm.objects.filter(section_id=Section.objects.get(event__number=old).id)
    before = dict(norms.values_list("player_id", "counts"))
    asked = corrections.ask(acting_as("dora"), old, corrected(old)[0], "slips.json", "Both slips are attached.")
    shown = page(desk("officer"), f"/desk/corrections/{asked.id}/")
    done = lifecycle.decide(acting_as("olive"), corrections.CORRECTION, asked.id, granted=True).outcome
    after = dict(norms.values_list("player_id", "counts"))
    differ = {player for player in {*before, *after} if before.get(player) != after.get(player)}
    assert differ
    assert {one.player for one in done.norms} == set(
        Player.objects.filter(id__in=differ).values_list("number", flat=True)
    )
    assert all(str(one) in shown for one in done.norms[:6])


def test_computing_every_rating_anew_asks_first_and_is_never_the_filled_button(desk: Desk) -> None:
    olive = desk("officer")
    index = page(olive, "/desk/jobs/")
    assert '<button class="btn main" name="do" value="look">Preview</button>' in index
    assert '<button class="btn">Recompute every rating …</button>' in index
    before = Job.objects.count()
    asks = olive.post("/desk/jobs/", {"message": "the rules of 2026"}).content.decode()
    assert Job.objects.count() == before
    assert "this cannot be undone" in asks
    assert 'name="message" value="the rules of 2026"' in asks  # the reason is kept
    assert '<button class="btn" name="do" value="rerate">' in asks
    olive.post("/desk/jobs/", {"message": "the rules of 2026", "do": "rerate"})
    assert Job.objects.latest("id").kind == "rerate"


def test_an_officer_withdraws_a_rated_event_and_restores_it(desk: Desk) -> None:
    olive, number = desk("officer"), old_event()
    name, before = events.find(number).name, run.fingerprint()
    assert f"/desk/review/{number}/" in page(olive, f"/desk/events/?q={number}")
    assert f"/desk/review/{number}/withdraw/" in page(olive, f"/desk/review/{number}/")
    asks = page(olive, f"/desk/review/{number}/withdraw/")
    assert "Whose ratings would move" in asks
    assert '<button class="btn">Withdraw the event</button>' in asks  # not the filled one
    assert (run.fingerprint(), events.find(number).status) == (before, "accepted")
    refused = olive.post(f"/desk/review/{number}/withdraw/", {"reason": ""})
    assert (refused.status_code, events.find(number).status) == (400, "accepted")
    olive.post(f"/desk/review/{number}/withdraw/", {"reason": "It was rated twice."})
    assert events.find(number).status == "withdrawn"
    assert run.fingerprint() != before
    assert f"/desk/review/{number}/restore/" in page(olive, f"/desk/review/{number}/")
    done = olive.post(f"/desk/review/{number}/restore/", {"reason": "It was not."}, follow=True).content.decode()
    assert f"{name} has been rated again." in done
    assert run.fingerprint() == before


def test_an_officer_begins_a_correction_and_edits_a_report_that_waits(desk: Desk) -> None:
    olive = desk("officer")
    for number, button in ((old_event(), "Correct it"), (three_sections(wrong=False), "Edit the report")):
        assert button in page(olive, f"/desk/review/{number}/")
        draft = olive.post(f"/desk/review/{number}/edit/")["Location"]
        assert "/desk/drafts/" in draft
        page(olive, draft)
        row = Draft.objects.latest("id")
        assert (row.owner, row.corrects) == ("olive", number)
        fixing.mend(acting_as("olive"), row.id, "facts", {"name": "Another name"})
        request = correction_drafts.ask(acting_as("olive"), row.id, "The name was wrong.")
        lifecycle.decide(acting_as("oscar"), corrections.CORRECTION, request, granted=True)
        assert events.find(number).name == "Another name"


def test_an_asked_correction_is_seen_until_it_is_decided_and_then_leaves_the_inbox(
    desk: Desk, asked: tuple[int, str, Any]
) -> None:
    request, number, _ = asked
    dora, sent = desk("director"), Submission.objects.filter(event__number=number).order_by("-id")[0]
    places = ["/desk/", "/desk/requests/", f"/desk/submissions/{sent.id}/"]
    link = f'<a href="/desk/corrections/{request}/">'
    assert [link in page(dora, place) for place in places] == [True] * 3
    unread = inbox.unread(acting_as("olive"))
    lifecycle.decide(acting_as("oscar"), corrections.CORRECTION, request, granted=False, words="The slip is unsigned.")
    assert inbox.unread(acting_as("olive")) == unread - 1
    assert "The slip is unsigned." in page(dora, "/desk/inbox/").partition("Read messages")[0]
    assert [link in page(dora, place) for place in places[:2]] == [False] * 2
