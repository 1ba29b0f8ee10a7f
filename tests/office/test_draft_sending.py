"""Drafts on their way to the office: what is sent is what was mended, and gives what the preview showed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from director_desk import DAY, DIRK, DORA, GAMES, IDS, look, press
from simulated import OFFICER, data, document
from tests.desk_files import CLASH

from crosstable.errors import OfficeError
from crosstable.office.audit.ledger_against_log import problems
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Event, Player, RatingRow
from crosstable.office.people.rights import Actor, NotAllowedError
from crosstable.office.queries import draft_preview, submission_page
from crosstable.office.rating import run
from crosstable.office.reports import accepting, drafts, events, fixing, review_queue, sending, submissions
from crosstable.office.reports.sending import sent_before
from crosstable.office.reports.submissions import original
from crosstable.office.storage import clock
from crosstable.systems.us_chess.formulas import round_half_up


def mend_all_of(number: int) -> None:
    press(number, "result-clash", "It was a draw")
    press(number, "missing-date", "Use these days", start="2025-08-02", end="2025-08-03")
    press(number, "missing-time-control", "Use this time control", time_control="G/60;d5")
    press(number, "missing-event-name", "Use this name", name="Clash Open")
    press(number, "missing-id", "Use these IDs", ids="\n".join(IDS))


@pytest.mark.both_databases
def test_a_file_is_mended_previewed_and_sent(clash: int) -> None:
    assert {one.code for one in look(clash).all if one.must} == {
        "result-clash",
        "missing-date",
        "no-id",
        "missing-time-control",
    }
    mend_all_of(clash)
    seen = look(clash)
    assert (seen.must, [part.pools for part in seen.parts]) == (0, [("OTBR", "OTBQ")])
    assert len(draft_preview.preview(seen).parts[0].rows) == 7
    done = sending.send(DORA, clash)
    assert done.outcome == "queued"
    assert original(DORA, done.submission) == CLASH.read_bytes()  # the file as it came
    sent = events.document(done.event)
    game = next(one for one in sent.sections[0].games if one.round == 5 and {one.white, one.black} == {2, 3})
    assert (game.result, sent.name) == ("1/2-1/2", "Clash Open")
    assert [line.after for line in sending.mends_of(OFFICER, done.submission)][:2] == [
        "Joel Barlow (2) drew",
        "2 August 2025 to 3 August 2025",
    ]
    assert AuditEntry.objects.get(action="draft.send").actor == "dora"
    assert drafts.drafts(DORA) == []
    with pytest.raises(OfficeError, match="sent"):
        fixing.undo(DORA, clash)
    accepting.accept(OFFICER, done.event)


def test_said_to_be_right_is_said_to_the_reviewer(ready: str) -> None:
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    report = data(document("Tree Open", DAY, [*IDS[:3], "39999999"], GAMES, facts={}))
    number = drafts.start(DORA, report, "tree.json").id
    assert [one.code for one in look(number).all if one.look] == ["unknown-id"]
    press(number, "unknown-id", "Keep it: a new member")
    assert look(number).look == 0
    done = sending.send(DORA, number)
    assert [line.after for line in sending.mends_of(OFFICER, done.submission)] == ["it is right"]


def without_ids(*names: str, second: tuple[str, ...] = ()) -> bytes:
    """Three members and somebody new in each section; the new ones have no id."""
    made = document("Tree Open", DAY, [*IDS[:3], ""], GAMES, facts={"": {"name": names[0]}})
    for place, name in enumerate(second, start=2):
        other = document("", DAY, [*IDS[3:6], ""], GAMES, facts={"": {"name": name}})["sections"][0]
        made["sections"].append({**other, "number": place, "name": f"Section {place}"})
    return data(made)


def test_the_office_gives_a_new_member_an_id_when_it_accepts(ready: str) -> None:
    """Nobody at the desk has an id for the child: born when is said, the rest is the office's.

    2025 section 2: the adult starts at 1300.
    """
    number = drafts.start(DORA, without_ids("Ek, Ada", second=("Bo Muller", "Ada Ek")), "tree.json").id
    assert [one.place.section for one in look(number).all if one.code == "no-id"] == [1, 2, 3]
    press(number, "no-id", "A new member, no ID yet", day="2015-03-04")
    press(number, "no-id", "A new adult member, no ID yet")
    press(number, "no-id", "A new member, no ID yet", day="2016-01-01")
    seen = look(number)
    assert (seen.must, [part.rows[3].new for part in seen.parts]) == (0, [True, True, True])
    assert len(draft_preview.preview(seen).parts[0].rows) == 4
    done = sending.send(DORA, number)
    (waiting,) = review_queue.review(OFFICER)
    assert waiting.acceptable
    assert sum(one.code == "id-to-come" for one in waiting.findings) == 3
    accepting.accept(OFFICER, done.event, preview=True)
    assert not Player.objects.filter(number__startswith="9").exists()
    accepting.accept(OFFICER, done.event)
    new = Player.objects.filter(number__startswith="9").order_by("number").values_list("number", "birth_date", "adult")
    assert list(new) == [
        ("90000001", date(2015, 3, 4), False),
        ("90000002", None, True),
        ("90000003", date(2016, 1, 1), False),
    ]
    assert RatingRow.objects.get(player__number="90000002", pool="OTBR").prior == 1300
    words = "New members and their ids: Ada Ek 90000001, Bo Muller 90000002, Ada Ek 90000003."
    assert events.revisions(done.event)[-1]["reason"] == words  # two children of one name and two birth dates
    assert run.compute(run.BEGINNING).nothing
    assert problems() == []


def test_the_preview_is_what_acceptance_gives(ready: str) -> None:
    facts = {one: {"ratings": {"OTBR": {"rating": 1400 + 50 * place, "games": 30}}} for place, one in enumerate(IDS)}
    adults = {one: {**facts[one], "adult": True} for one in IDS}
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:4], GAMES, facts=adults)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    later = document("Later", date(2025, 9, 6), [*IDS[1:5]], GAMES, facts=adults)
    number = drafts.start(DORA, data(later), "later.json").id
    shown = {
        (row.player.number, one.pool): (one.before, one.after, one.after_games)
        for part in draft_preview.preview(look(number)).parts
        for row in part.rows
        for one in row.numbers
    }
    done = sending.send(DORA, number)
    accepting.accept(OFFICER, done.event)
    rows = RatingRow.objects.filter(section__event__number=done.event)
    assert shown == {
        (row.number, row.pool): (
            None if row.initialized else round_half_up(row.prior or 0),
            round_half_up(row.post),
            row.state_games,
        )
        for row in rows
    }


def test_no_preview_gives_an_age_away(ready: str) -> None:
    """A child whom the office knows by birth date and who has not played: whatever the age, the same is shown."""
    rated = {one: {"ratings": {"OTBR": {"rating": 1000, "games": 30}}, "adult": True} for one in IDS[:3]}
    submissions.submit(OFFICER, data(document("Before", DAY, IDS[:3], GAMES[:1], facts=rated)), "before.json", "A")
    accepting.accept(OFFICER, "A")
    child = Player.objects.create(number="31234567", name="Kim Kale", birth_date=date(2015, 3, 3))
    games = [(1, 1, 2, "0-1"), (2, 1, 3, "0-1")]
    report = document("Later", date(2025, 9, 6), ["31234567", *IDS[1:3]], games)
    number = drafts.start(DORA, data(report), "later.json").id
    seen = []
    for born in (date(2015, 3, 3), date(2015, 1, 3), date(2014, 12, 6)):  # ten years old on that day
        Player.objects.filter(id=child.id).update(birth_date=born)
        seen.append(draft_preview.preview(look(number)))
    assert seen[0] == seen[1] == seen[2]


def test_a_waiting_report_is_mended_and_sent_again(ready: str) -> None:
    """First with an error; the director mends it, the same event waits on; another director may not touch it."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES, control="G/6O;d5"))
    first = sending.send(DORA, drafts.start(DORA, report, "tree.json").id)
    with pytest.raises(OfficeError, match="no submission"):
        sending.reopen(DIRK, first.submission)
    again = sending.reopen(DORA, first.submission)
    assert sending.reopen(DORA, first.submission).id == again.id  # one desk, one draft
    press(again.id, "unreadable-time-control", "Use G/60;d5")
    second = sending.send(DORA, again.id)
    assert (second.event, second.outcome) == (first.event, "queued")
    assert [one["kind"] for one in events.revisions(first.event)] == ["submitted", "submitted"]
    accepting.accept(OFFICER, first.event)
    with pytest.raises(OfficeError, match="correction"):
        sending.reopen(DORA, second.submission)


def test_a_report_that_was_taken_back_comes_again(ready: str) -> None:
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    first = sending.send(DORA, drafts.start(DORA, report, "tree.json").id)
    accepting.withdraw(DORA, first.event, "one result is wrong")
    again = sending.reopen(DORA, first.submission)
    fixing.mend(DORA, again.id, "result", {"section": "1", "round": "1", "one": "1", "other": "2", "score": "drew"})
    assert sending.send(DORA, again.id).event == first.event
    assert Event.objects.get(number=first.event).status == Event.SUBMITTED
    accepting.accept(OFFICER, first.event)
    accepting.withdraw(OFFICER, first.event, "not rated")
    with pytest.raises(OfficeError, match="correction"):  # what an officer withdrew stays withdrawn
        sending.reopen(DORA, first.submission)


def test_what_an_officer_withdrew_no_way_of_sending_brings_back(ready: str) -> None:
    """Not even the officer's own report: `accept` brings it back."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    first = sending.send(OFFICER, drafts.start(OFFICER, report, "tree.json").id)
    accepting.accept(OFFICER, first.event)
    accepting.withdraw(OFFICER, first.event, "not rated")
    with pytest.raises(OfficeError, match="is withdrawn"):
        sending.reopen(OFFICER, first.submission)
    other = data(document("Tree Open", DAY, IDS[:4], GAMES[:1]))
    assert submissions.submit(OFFICER, other, "tree.json", first.event).outcome == submissions.REFUSED
    accepting.accept(OFFICER, first.event)
    assert Event.objects.get(number=first.event).status == Event.ACCEPTED


def two_sections(control: str) -> bytes:
    """The same four in two sections; the second one's time control is as given."""
    first, second = (document("Tree Open", DAY, people, GAMES) for people in (IDS[:4], IDS[3:]))
    first["sections"].append({**second["sections"][0], "number": 2, "time_control": control})
    return data(first)


def test_a_section_that_waits_is_mended_without_touching_the_rated_one(ready: str) -> None:
    """The first section is rated; the director mends the second, and whatever else was changed does not count."""
    number = drafts.start(DORA, two_sections("G/6O;d5"), "tree.json").id
    assert [(part.number, part.must) for part in look(number).ready] == [(1, 0)]
    assert draft_preview.preview(look(number)).waiting == (2,)
    first = sending.send(DORA, number)
    accepting.accept(OFFICER, first.event, sections=[1])
    again = sending.reopen(DORA, first.submission).id
    press(again, "unreadable-time-control", "Use G/60;d5")
    fixing.mend(DORA, again, "result", {"section": "1", "round": "1", "one": "1", "other": "2", "score": "lost"})
    sending.send(DORA, again)
    event = events.document(first.event)
    assert (event.sections[0].games[0].result, event.sections[1].time_control) == ("1-0", "G/60;d5")
    rated = RatingRow.objects.filter(section__event__number=first.event)
    assert {row.section.number for row in rated.select_related("section")} == {1}
    accepting.accept(OFFICER, first.event)
    assert {row.section.number for row in rated.all().select_related("section")} == {1, 2}


def test_an_event_that_is_not_over_is_asked_about_and_never_refused(ready: str) -> None:
    """On the day before its end; whoever says that the days are right sends it, and the officer reads the warning."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    with clock.set_to(datetime(2025, 8, 1, 23, tzinfo=UTC)):
        number = drafts.start(DORA, report, "tree.json").id
        (asked,) = [one for one in look(number).all if one.code == "future-event"]
        assert (asked.look, asked.must) == (True, False)
        assert asked.words == "It ends on 2 August 2025, a day that is still to come."
        press(number, "future-event", "It is right")
        assert look(number).look == 0
        sent = sending.send(DORA, number)
        assert "future-event" in {one.code for one in sent.findings}
    with clock.set_to(datetime(2025, 8, 5, tzinfo=UTC)):  # it came before its end, whenever it is looked at
        (waiting,) = review_queue.review(OFFICER)
        assert "future-event" in {one.code for one in waiting.findings}
        assert waiting.acceptable
        late = drafts.start(DORA, data(document("Leaf Open", DAY, IDS[:4], GAMES)), "leaf.json").id
        assert "future-event" not in {one.code for one in look(late).all}


def test_before_sending_the_desk_says_what_is_in_the_office_already(ready: str) -> None:
    """The same file of the same director, an event much like it that waits or is rated; nothing of what it replaces."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))

    def said(number: int, actor: Actor = DORA) -> list[tuple[str, int | None, str]]:
        return [(one.words, one.submission, one.event) for one in sent_before(actor, drafts.load(actor, number))]

    first = drafts.start(DORA, report, "tree.json").id
    assert said(first) == []
    with clock.set_to(datetime(2026, 5, 3, 12, tzinfo=UTC)):
        done = sending.send(DORA, first)
    same = f"An event with much the same players and games {{}} as {done.event}."
    again = drafts.start(DORA, report, "tree.json").id
    assert said(again) == [
        (f"You sent this very file on 3 May 2026 as submission {done.submission}.", done.submission, ""),
        (same.format("waits"), done.submission, ""),
    ]
    other = data(document("Tree Open", DAY, IDS[:4], [*GAMES[:3], (2, 2, 4, "0-1")]))
    dirks = drafts.start(DIRK, other, "tree.json").id
    assert said(dirks, DIRK) == [(same.format("waits"), None, "")]
    accepting.accept(OFFICER, done.event)
    assert said(dirks, DIRK) == [(same.format("is rated"), None, done.event)]
    accepting.withdraw(OFFICER, done.event, "the new one counts")
    assert said(dirks, DIRK) == []


def test_a_report_that_is_sent_again_is_not_held_against_itself(ready: str) -> None:
    number = drafts.start(DORA, data(document("Tree Open", DAY, IDS[:4], GAMES)), "tree.json").id
    done = sending.send(DORA, number)
    again = sending.reopen(DORA, done.submission)
    assert sent_before(DORA, drafts.load(DORA, again.id)) == []


def test_a_refused_report_can_be_closed_by_its_director(ready: str) -> None:
    """It is no step any more, stays readable, and can still be mended; it is nobody else's to close."""
    report = data(document("Tree Open", DAY, IDS[:4], GAMES))
    done = sending.send(DORA, drafts.start(DORA, report, "tree.json").id)
    accepting.refuse(OFFICER, done.event, "it is here already")
    page = submission_page.page(DORA, done.submission)
    assert (page.may_close, page.line.whose) == (True, submission_page.YOURS)
    with pytest.raises(NotAllowedError):
        accepting.withdraw(DIRK, done.event, "not mine")
    accepting.withdraw(DORA, done.event, "agreed")
    page = submission_page.page(DORA, done.submission)
    assert (page.may_close, page.line.state, page.line.whose) == (False, "Taken back", submission_page.NOBODYS)
    assert [one.whose for one in submission_page.submissions(DORA)] == [submission_page.NOBODYS]
    assert [one.title for one in page.happened] == ["Received and checked", "Refused", "Withdrawn"]
    assert original(DORA, done.submission) == report
    assert sending.reopen(DORA, done.submission).replaces == done.event
    assert problems() == []


def test_a_rated_event_is_still_the_offices_to_withdraw(ready: str) -> None:
    done = sending.send(DORA, drafts.start(DORA, data(document("Tree Open", DAY, IDS[:4], GAMES)), "tree.json").id)
    accepting.accept(OFFICER, done.event)
    with pytest.raises(NotAllowedError):
        accepting.withdraw(DORA, done.event, "second thoughts")
