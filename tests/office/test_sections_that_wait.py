"""A finding in one section does not hold up the others: they are rated, and the rest follows as a revision."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from simulated import ADMIN, OFFICER, data, document

from crosstable.cli import main
from crosstable.errors import EventRejected, OfficeError
from crosstable.model import errors
from crosstable.office.audit.ledger_against_log import problems
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger.models import Event, Player, RatingRow, Revision, Section
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.queries import event as pages
from crosstable.office.rating import run
from crosstable.office.reports import accepting, events, review_queue, submission_status, submissions

DORA = Actor("dora", Role.DIRECTOR)
#: Four players in each section, nobody in two
PEOPLE = {number: [f"3000000{number}{place}" for place in range(1, 5)] for number in (1, 2, 3)}
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]


def holiday(wrong: tuple[int, ...] = (2,), city: str = "Toledo") -> dict[str, Any]:
    """Three sections; those that are `wrong` have a game against a number that nobody has."""
    made: dict[str, Any] = {}
    for number, people in PEOPLE.items():
        one = document("Holiday Open", date(2025, 12, 6), people, GAMES)
        section = one["sections"][0] | {"number": number, "name": ("Open", "Reserve", "Booster")[number - 1]}
        if number in wrong:
            section["games"].append({"round": 3, "white": 1, "black": 9, "result": "1-0"})
        made = made or {**one, "city": city, "sections": []}
        made["sections"].append(section)
    return made


def submitted(wrong: tuple[int, ...] = (2,)) -> int:
    return submissions.submit(DORA, data(holiday(wrong)), "holiday.json", "H").submission


def rated() -> list[int]:
    return sorted(set(RatingRow.objects.values_list("section__number", flat=True)))


def test_two_of_three_are_rated_and_the_third_waits(ready: str) -> None:
    number = submitted()
    (waiting,) = review_queue.review(OFFICER)
    assert (waiting.acceptable, waiting.ready) == (False, (1, 3))
    assert [(one.name, one.state) for one in waiting.sections] == [
        ("Open", "ready"),
        ("Reserve", "mend"),
        ("Booster", "ready"),
    ]
    with pytest.raises(EventRejected):
        accepting.accept(OFFICER, "H")
    assert accepting.accept(OFFICER, "H", sections=[1, 3], preview=True).sections == 2
    assert Event.objects.get().status == Event.SUBMITTED
    assert accepting.accept(OFFICER, "H", sections=[3, 1]).sections == 2
    assert (events.find("H").status, events.find("H").held, rated()) == (Event.ACCEPTED, "2", [1, 3])
    # who plays only in the section that waits is nobody's player yet
    assert not Player.objects.filter(number__in=PEOPLE[2]).exists()
    assert RatingRow.objects.count() == 8 * 2  # a game in 60 minutes counts in Regular and in Quick
    entry = AuditEntry.objects.filter(action="event.accept").get()
    assert (json.loads(entry.details)["accepted"], json.loads(entry.details)["held"]) == ([1, 3], [2])
    # everybody sees that something waits
    page = pages.event("H")
    assert (page.players, [one.name for one in page.waiting]) == (8, ["Reserve"])
    (waiting,) = review_queue.review(OFFICER)
    assert [(one.name, one.state) for one in waiting.sections] == [
        ("Open", "rated"),
        ("Reserve", "mend"),
        ("Booster", "rated"),
    ]
    assert {finding.place.section for finding in errors(waiting.findings)} == {2}
    status = submission_status.status(DORA, number)
    assert status.event_status == "accepted"
    assert status.next_step.startswith("Rated: Open, Booster. Waiting: Reserve. Ask for a correction")
    assert [finding.code for finding in errors(status.findings)] == [
        finding.code for finding in errors(waiting.findings)
    ]


def test_a_correction_rates_what_has_no_errors_any_more(ready: str) -> None:
    submitted((2, 3))
    accepting.accept(OFFICER, "H", sections=[1])
    before = list(RatingRow.objects.order_by("id").values_list("player__number", "pool", "post"))
    accepting.correct(OFFICER, "H", data(holiday((3,))), "holiday.json", "the Reserve is mended")
    assert (events.find("H").held, rated()) == ("3", [1, 2])
    accepting.correct(OFFICER, "H", data(holiday(())), "holiday.json", "the Booster too")
    assert (events.find("H").held, rated()) == ("", [1, 2, 3])
    assert not review_queue.review(OFFICER)
    kinds = Revision.objects.order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["submitted", "corrected", "corrected"]
    after = RatingRow.objects.filter(section__number=1).order_by("id")
    assert list(after.values_list("player__number", "pool", "post")) == before
    assert run.compute(run.BEGINNING).nothing
    assert problems() == []


def test_what_was_fine_before_must_stay_so(ready: str) -> None:
    """A correction cannot bring an error into a section that is rated."""
    submitted()
    accepting.accept(OFFICER, "H", sections=[1, 3])
    with pytest.raises(EventRejected) as refused:
        accepting.correct(OFFICER, "H", data(holiday((1,))), "holiday.json", "mended there, broken here")
    assert {finding.place.section for finding in refused.value.findings} == {1}
    assert (events.find("H").held, rated(), Revision.objects.count()) == ("2", [1, 3], 1)


def test_sections_without_errors_may_follow_as_they_are(ready: str) -> None:
    submitted(())
    accepting.accept(OFFICER, "H", sections=[1])
    assert events.find("H").held == "2,3"
    accepting.accept(OFFICER, "H", "looked at again", sections=[3])
    assert (events.find("H").held, rated()) == ("2", [1, 3])
    accepting.accept(OFFICER, "H")
    assert (events.find("H").held, rated()) == ("", [1, 2, 3])
    kinds = Revision.objects.order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["submitted", "completed", "completed"]
    in_parts = run.fingerprint()
    accepting.withdraw(OFFICER, "H", "once more, in one")
    accepting.accept(OFFICER, "H")
    assert run.fingerprint() == in_parts
    assert problems() == []
    with pytest.raises(OfficeError, match="accepted already"):
        accepting.accept(OFFICER, "H")


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ([1], "section 1 is rated already"),
        ([7], r"section 7 is none of its sections \(1, 2, 3\)"),
        ([], "at least one"),
    ],
)
def test_sections_that_cannot_be_chosen(ready: str, sections: list[int], words: str) -> None:
    submitted()
    accepting.accept(OFFICER, "H", sections=[1, 3])
    with pytest.raises(OfficeError, match=words):
        accepting.accept(OFFICER, "H", sections=sections)
    with pytest.raises(EventRejected):
        accepting.accept(OFFICER, "H", sections=[2])
    assert rated() == [1, 3]


def test_an_error_of_the_event_holds_up_everything(ready: str) -> None:
    submitted(())
    other = submissions.submit(DORA, data(holiday(())), "again.json", "H2")
    assert other.outcome == submissions.SAME
    Event.objects.create(
        number="G",
        status=Event.ACCEPTED,
        content_hash=events.find("H").content_hash,
        start=date(2025, 12, 6),
        end=date(2025, 12, 6),
    )
    (waiting,) = review_queue.review(OFFICER)
    assert waiting.ready == ()
    with pytest.raises(EventRejected) as refused:
        accepting.accept(OFFICER, "H", sections=[1])
    assert [finding.code for finding in refused.value.findings] == ["same-event"]


def test_the_same_file_again_is_known_while_a_part_waits(ready: str) -> None:
    submitted()
    accepting.accept(OFFICER, "H", sections=[1, 3])
    again = submissions.submit(DORA, data(holiday()), "holiday.json")
    assert (again.outcome, again.event) == (submissions.SAME, "H")


def test_withdrawn_in_part_and_back(ready: str) -> None:
    submitted()
    accepting.accept(OFFICER, "H", sections=[1, 3])
    before = run.fingerprint()
    accepting.withdraw(OFFICER, "H", "wrong month")
    assert (Section.objects.count(), events.find("H").held) == (0, "")
    with pytest.raises(EventRejected):
        accepting.accept(OFFICER, "H")
    accepting.accept(OFFICER, "H", sections=[1, 3])
    assert (run.fingerprint(), events.find("H").held) == (before, "2")


def test_an_opening_comes_only_from_sections_that_count(ready: str) -> None:
    """Somebody who brings a rating in the section that waits begins with it when that section is rated."""
    content = holiday()
    content["sections"][1]["players"][0] |= {"id": PEOPLE[1][0], "ratings": {"OTBR": {"rating": 1800, "games": 30}}}
    submissions.submit(OFFICER, data(content), "holiday.json", "H")
    accepting.accept(OFFICER, "H", sections=[1, 3])
    row = RatingRow.objects.filter(player__number=PEOPLE[1][0])
    assert set(row.values_list("initialized", flat=True)) == {True}
    content["sections"][1]["games"].pop()
    accepting.correct(OFFICER, "H", data(content), "holiday.json", "mended")
    assert set(row.filter(prior=1800.0).values_list("section__number", flat=True)) == {1}  # Quick begins with it too
    assert run.compute(run.BEGINNING).nothing


def test_a_refused_event_says_why_and_can_come_back(ready: str) -> None:
    number = submitted(())
    with pytest.raises(NotAllowedError):
        accepting.refuse(DORA, "H", "mine")
    with pytest.raises(NotAllowedError):
        accepting.refuse(ADMIN, "H", "an administrator rates nothing")
    accepting.refuse(OFFICER, "H", "The club is no affiliate.")
    status = submission_status.status(DORA, number)
    assert status.next_step == "The office refused it: The club is no affiliate."
    assert not review_queue.review(OFFICER)
    assert problems() == []
    accepting.accept(OFFICER, "H", "it is one now")
    assert list(Revision.objects.order_by("number").values_list("kind", flat=True)) == [
        "submitted",
        "refused",
        "restored",
    ]


def test_another_content_brings_a_refused_event_back_into_the_queue(ready: str) -> None:
    submitted(())
    accepting.refuse(OFFICER, "H", "the city is missing")
    accepting.correct(OFFICER, "H", data(holiday((), "Lima")), "holiday.json", "with its city")
    assert [one.event for one in review_queue.review(OFFICER)] == ["H"]


@pytest.mark.both_databases
def test_from_the_shell(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    submitted()
    who = ["office", "--db", ready]  # an office without users: anyone at the shell is its officer
    assert main([*who, "review"]) == 0
    assert "`office accept H --section 1 --section 3`" in capsys.readouterr().out
    assert main([*who, "accept", "H", "--section", "1", "--section", "3"]) == 0
    assert "Reserve (section 2): 4 players, waits: not rated yet" in capsys.readouterr().out
    assert main([*who, "event", "H", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["waiting"] == [{"section": 2, "name": "Reserve"}]
    assert main([*who, "review"]) == 0
    assert "H: rated: Open, Booster; waiting: Reserve" in capsys.readouterr().out
