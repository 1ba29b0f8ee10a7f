"""Every decision on an event reaches its director; people write about a file; mail never holds anything up."""

from __future__ import annotations

import logging
from datetime import date

import pytest
from django.core import mail as outbox
from django.test import override_settings
from simulated import data, document

from crosstable.errors import OfficeError
from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.audit.verify import verify
from crosstable.office.backup.proof import verify_all
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Event, Office
from crosstable.office.notices import inbox, mail, messages
from crosstable.office.notices.models import Message, Notice
from crosstable.office.people import tokens, users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.reports import accepting, events, review_queue, submissions
from crosstable.office.reports.submission_status import status
from crosstable.office.storage import mail_settings
from crosstable.office.storage.database import writing

ADMIN = Actor.installation()
ADA, BEN = "30000001", "30000002"
DAY = date(2025, 8, 2)
MEMORY = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def ready(office: str) -> str:
    office_settings.create()
    for name, role in {
        "olga": Role.OFFICER,
        "oscar": Role.OFFICER,
        "dora": Role.DIRECTOR,
        "dan": Role.DIRECTOR,
    }.items():
        users.add_user(ADMIN, name, role)
    return office


def acting(name: str) -> Actor:
    return users.acting_as(name)


def report(result: str = "1-0", name: str = "Open") -> bytes:
    return data(document(name, DAY, [ADA, BEN], [(1, 1, 2, result)]))


def submitted(number: str = "A", actor: str = "dora") -> int:
    return submissions.submit(acting(actor), report(name=f"Open {number}"), "open.json", number).submission


def subjects(name: str) -> list[str]:
    return [one.subject for one in inbox.inbox(acting(name))]


def test_every_decision_on_an_event_reaches_its_director(ready: str) -> None:
    olga, file = acting("olga"), submitted()
    accepting.accept(olga, "A")
    accepting.correct(olga, "A", report("0-1", "Open A"), "open.json", "wrong way round")
    accepting.withdraw(olga, "A", "never played")
    accepting.accept(olga, "A", "it was, after all")
    received = inbox.inbox(acting("dora"))
    assert [(one.subject, one.words, one.by) for one in reversed(received)] == [
        ("Open A: accepted", "It is rated.", "olga"),
        ("Open A: corrected", "The office replaced it with a corrected version. Wrong way round", "olga"),
        ("Open A: withdrawn", "It no longer counts. Never played", "olga"),
        ("Open A: accepted", "It is rated. It was, after all", "olga"),
    ]
    assert {one.about for one in received} == {f"submission:{file}"}
    assert subjects("olga") == subjects("oscar") == subjects("dan") == []
    assert verify_all().ok


def test_several_events_accepted_together_tell_each_director(ready: str) -> None:
    submitted("A"), submitted("B", "dan")
    accepting.accept_many(acting("olga"), ["A", "B"])
    assert (subjects("dora"), subjects("dan")) == (["Open A: accepted"], ["Open B: accepted"])


def test_a_preview_a_failure_and_an_act_of_ones_own_tell_nobody(ready: str) -> None:
    submitted()
    accepting.accept(acting("olga"), "A", preview=True)
    with pytest.raises(OfficeError):
        accepting.accept_many(acting("olga"), ["A", "none such"])
    accepting.withdraw(acting("dora"), "A", "a typing error")
    assert not Message.objects.exists()
    Office.objects.update(four_eyes=False)  # so that one person may do both
    submitted("B", "olga")
    accepting.accept(acting("olga"), "B")
    assert not Notice.objects.exists()


def test_an_officer_refuses_an_event_that_waits_and_may_think_again(ready: str) -> None:
    olga, file = acting("olga"), submitted()
    with pytest.raises(OfficeError, match="a refusal needs a reason"):
        accepting.refuse(olga, "A", " ")
    for other in (acting("dora"), ADMIN):
        with pytest.raises(NotAllowedError, match=r"may not event\.refuse"):
            accepting.refuse(other, "A", "no")
    accepting.refuse(olga, "A", "It was a simul.")
    assert Event.objects.get(number="A").status == "refused"
    assert "refused it" in status(acting("dora"), file).next_step
    assert [(one.subject, one.words) for one in inbox.inbox(acting("dora"))] == [
        ("Open A: refused", "It will not be rated as it is. It was a simul.")
    ]
    with pytest.raises(OfficeError, match="it is refused"):
        accepting.refuse(olga, "A", "again")
    assert review_queue.review(olga) == []
    accepting.accept(olga, "A", "not a simul after all")
    assert [one["kind"] for one in events.revisions("A")] == ["submitted", "refused", "restored"]
    assert verify_all().ok


@pytest.mark.parametrize("gone", ["refused", "taken back"])
def test_what_was_refused_or_taken_back_comes_again_mended(ready: str, gone: str) -> None:
    first = submitted()
    if gone == "refused":
        accepting.refuse(acting("olga"), "A", "Round 1 is wrong.")
    else:
        accepting.withdraw(acting("dora"), "A", "a typing error")
    assert submissions.submit(acting("dan"), report("0-1", "Open A"), "open.json", "A").outcome == submissions.REFUSED
    again = submissions.submit(acting("dora"), report("0-1", "Open A"), "open.json", "A")
    assert (again.outcome, again.event) == (submissions.QUEUED, "A")
    accepting.accept(acting("olga"), "A")
    assert [game.result for game in events.document("A").sections[0].games] == ["0-1"]
    assert again.submission != first
    assert inbox.inbox(acting("dora"))[0].about == f"submission:{again.submission}"
    assert (
        submissions.submit(acting("dora"), report("1/2-1/2", "Open A"), "open.json", "A").outcome == submissions.REFUSED
    )
    accepting.withdraw(acting("olga"), "A", "never played")  # what the office withdrew, only the office brings back
    assert (
        submissions.submit(acting("dora"), report("1/2-1/2", "Open A"), "open.json", "A").outcome == submissions.REFUSED
    )
    assert verify_all().ok


def test_a_program_of_the_directors_counts_as_the_director(ready: str) -> None:
    secret = tokens.create_token(acting("dora"), "dora", "pairing program", ["event.submit"])
    submissions.submit(tokens.actor_with(secret), report(name="Open A"), "open.json", "A")
    accepting.accept(acting("olga"), "A")
    assert subjects("dora") == ["Open A: accepted"]


def test_director_and_office_write_about_a_file(ready: str) -> None:
    about = f"submission:{submitted()}"
    messages.write(acting("dora"), about, "Round 3 is on the second sheet.")
    assert subjects("olga") == subjects("oscar") == [f"A message about submission {about.split(':')[1]}"]
    messages.write(acting("olga"), about, "Thank you.")
    said = [(one.by, one.words) for one in messages.conversation(acting("dora"), about)]
    assert said == [("dora", "Round 3 is on the second sheet."), ("olga", "Thank you.")]
    assert messages.conversation(acting("oscar"), about) == messages.conversation(acting("dora"), about)
    assert len(subjects("dora")) == 1
    logged = AuditEntry.objects.filter(action="notice.write")
    assert [(one.actor, one.subject) for one in logged] == [("dora", about), ("olga", about)]
    assert "sheet" not in "".join(f"{one.reason}{one.details}" for one in logged)
    assert verify().ok


def test_nobody_else_reads_or_writes_there(ready: str) -> None:
    about = f"submission:{submitted()}"
    messages.write(acting("dora"), about, "Hello")
    assert messages.conversation(acting("dan"), about) == []
    with pytest.raises(NotAllowedError, match="does not take part"):
        messages.write(acting("dan"), about, "Let me in")
    with pytest.raises(NotAllowedError):
        messages.write(Actor.nobody(), about, "spam")
    with pytest.raises(NotAllowedError):
        inbox.inbox(Actor.nobody())
    assert inbox.unread(Actor.nobody()) == 0


@pytest.mark.parametrize(("words", "why"), [(" ", "is empty"), ("x" * 4001, "has 4001 characters")])
def test_a_message_has_words_but_no_novel(ready: str, words: str, why: str) -> None:
    about = f"submission:{submitted()}"
    with pytest.raises(OfficeError, match=why):
        messages.write(acting("dora"), about, words)


def test_no_message_holds_a_date_that_could_be_a_birth_date(ready: str) -> None:
    """Ada's own, or not: the answer says nothing of what the office has stored."""
    players.add(acting("olga"), ADA, name="Ada", birth_date=date(2014, 5, 3))
    about = f"submission:{submitted()}"
    for words in ("Ada was born on May 3, 2014", "Ada was born on May 4, 2014"):
        with pytest.raises(OfficeError, match="leave birth dates out of the message"):
            messages.write(acting("dora"), about, words)
    assert not Message.objects.exists()


def test_reading_is_ones_own(ready: str) -> None:
    submitted("A"), submitted("B", "dan")
    accepting.accept_many(acting("olga"), ["A", "B"])
    (of_dora,) = inbox.inbox(acting("dora"))
    assert inbox.mark_read(acting("dan"), [of_dora.number]) == 0
    assert inbox.unread(acting("dora")) == 1
    assert inbox.mark_read(acting("dora"), about=of_dora.about) == 1
    assert inbox.unread(acting("dora")) == 0
    assert inbox.inbox(acting("dora"))[0].read is not None
    assert inbox.mark_read(acting("dora")) == 0


def test_a_message_belongs_to_an_act(ready: str) -> None:
    with pytest.raises(OfficeError, match="transaction of the act"):
        messages.send("dora", "Hello", "", about="event:A", by="olga")
    with writing():
        messages.send(["dora", "nobody there", "installation"], "Hello", "", about="event:A", by="olga")
    assert Notice.objects.count() == 1


def with_address(name: str) -> None:
    user = users.person_of(name).user
    user.email = f"{name}@example.org"
    user.save()


def test_mail_goes_out_where_it_is_set_up_and_holds_no_words(ready: str) -> None:
    with_address("dora")
    submitted("A"), submitted("B"), submitted("C", "dan")
    accepting.accept(acting("olga"), "A")
    assert not mail_settings.configured()
    with override_settings(EMAIL_BACKEND=MEMORY, OFFICE_ADDRESS="https://ratings.example/"):
        outbox.outbox = []
        accepting.accept(acting("olga"), "B", preview=True)
        accepting.accept(acting("olga"), "B", "Ada's mother wrote to us")
        accepting.accept(acting("olga"), "C")  # dan has no address
        mail.finish()
        (one,) = outbox.outbox
    assert (one.to, one.subject) == (["dora@example.org"], "Open B: accepted")
    assert "https://ratings.example/desk/inbox/" in one.body
    assert "mother" not in one.body


def test_a_broken_mail_server_breaks_nothing(ready: str, caplog: pytest.LogCaptureFixture) -> None:
    with_address("dora")
    submitted()
    with (
        override_settings(
            EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend", EMAIL_HOST="127.0.0.1", EMAIL_PORT=9
        ),
        caplog.at_level(logging.WARNING),
    ):
        accepting.accept(acting("olga"), "A")
        mail.finish()
    assert Event.objects.get(number="A").status == "accepted"
    assert subjects("dora") == ["Open A: accepted"]
    assert "a mail could not be sent" in caplog.text
    assert "dora@" not in caplog.text


def test_mail_is_set_up_by_environment_variables() -> None:
    none = mail_settings.values({})
    assert none["EMAIL_BACKEND"] == mail_settings.NONE
    given = {
        "CROSSTABLE_MAIL": "smtp",
        "CROSSTABLE_MAIL_HOST": "mail.example",
        "CROSSTABLE_MAIL_SECURITY": "tls",
        "CROSSTABLE_MAIL_FROM": "office@ratings.example",
    }
    smtp = mail_settings.values(given)
    assert smtp["EMAIL_BACKEND"] == "django.core.mail.backends.smtp.EmailBackend"
    assert (smtp["EMAIL_HOST"], smtp["EMAIL_PORT"], smtp["EMAIL_USE_SSL"]) == ("mail.example", 465, True)
    assert mail_settings.values({"CROSSTABLE_MAIL": "post.office.Backend"})["EMAIL_BACKEND"] == "post.office.Backend"
