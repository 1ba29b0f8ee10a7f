"""No event counts twice, whatever way it came in; and none is lost because another one once said the same."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from simulated import OFFICER, data, document

from crosstable.errors import EventRejected
from crosstable.office import players
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Event, RatingRow, Revision, Submission
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role
from crosstable.office.queries.officer_queue import queue
from crosstable.office.queries.review import review
from crosstable.office.rating import rerating
from crosstable.office.reports import accepting, events, review_queue, similar_events, submissions

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]


def alpha(first: str = "1-0", **changes: Any) -> bytes:
    made = document("Alpha Open", date(2025, 3, 1), FOUR, [(1, 1, 2, first), *GAMES[1:]], control="G/120;d5")
    return data({**made, **changes})


def beta() -> bytes:
    return data(document("Beta Open", date(2025, 4, 5), FOUR, GAMES[:2], control="G/120;d5"))


def take(content: bytes, number: str, *, accept: bool = True) -> None:
    done = submissions.submit(OFFICER, content, "event.json", number)
    assert (done.outcome, done.event) == (submissions.QUEUED, number)
    if accept:
        accepting.accept(OFFICER, number)


def test_a_waiting_event_that_a_correction_overtook_is_not_rated_again(ready: str) -> None:
    take(alpha("0-1"), "A")
    take(alpha(), "B", accept=False)
    accepting.correct(OFFICER, "A", alpha(), "event.json", "the director sent it again")
    (waiting,) = review_queue.review(OFFICER)
    assert not waiting.acceptable
    assert "event A has been accepted with exactly this content" in str(waiting.findings[0])
    with pytest.raises(EventRejected, match="event A has been accepted"):
        accepting.accept(OFFICER, "B")
    with pytest.raises(EventRejected, match="event A has been accepted"):
        accepting.accept_many(OFFICER, ["B"])
    assert RatingRow.objects.count() == 4  # four players, once
    accepting.withdraw(OFFICER, "B", "sent twice")
    with pytest.raises(EventRejected, match="event A has been accepted"):
        accepting.accept(OFFICER, "B", "brought back")
    accepting.withdraw(OFFICER, "A", "the other id was the right one")
    accepting.accept(OFFICER, "B")
    assert RatingRow.objects.count() == 4


def test_a_correction_cannot_make_two_events_one(ready: str) -> None:
    take(alpha(), "A")
    take(beta(), "B")
    take(alpha("0-1"), "C", accept=False)
    for number in ("B", "C"):  # accepted, and waiting
        with pytest.raises(EventRejected, match="event A has been accepted"):
            accepting.correct(OFFICER, number, alpha(), "event.json", "the wrong file")
        assert Revision.objects.filter(event__number=number).count() == 1
    assert RatingRow.objects.filter(section__event__number="B").count() == 4


def test_two_waiting_events_that_became_one_are_not_accepted_together(ready: str) -> None:
    take(alpha(), "A", accept=False)
    take(alpha("0-1"), "B", accept=False)
    accepting.correct(OFFICER, "B", alpha(), "event.json", "the result")
    with pytest.raises(EventRejected, match="event A has been accepted"):
        accepting.accept_many(OFFICER, ["A", "B"])
    assert not RatingRow.objects.exists()  # all of them, or none
    accepting.accept(OFFICER, "A")


def test_what_an_event_no_longer_says_is_free_for_the_event_that_says_it(ready: str) -> None:
    take(beta(), "A")
    accepting.correct(OFFICER, "A", alpha(), "event.json", "it was the wrong file")
    take(beta(), "B")
    assert {row.number: row.end for row in Event.objects.all()} == {"A": date(2025, 3, 1), "B": date(2025, 4, 5)}
    assert RatingRow.objects.count() == 8
    assert rerating.rerate(OFFICER).rows_added == 0


def test_the_same_without_an_id_gets_a_free_one(ready: str) -> None:
    first = submissions.submit(OFFICER, beta(), "event.json").event
    accepting.correct(OFFICER, first, alpha(), "event.json", "it was the wrong file")
    done = submissions.submit(OFFICER, beta(), "event.json")
    assert (done.outcome, done.event) == (submissions.QUEUED, f"{first}-2")


def test_an_id_that_is_not_used_is_said(ready: str) -> None:
    take(alpha(), "A")
    done = submissions.submit(OFFICER, alpha(), "event.json", "B")
    assert (done.outcome, done.event) == (submissions.SAME, "A")
    assert "known as A, the id B is not used" in done.message
    assert "not used" not in submissions.submit(OFFICER, alpha(), "event.json", "A").message
    assert Event.objects.count() == 1


def test_a_withdrawn_event_sent_again_says_how_it_comes_back(ready: str) -> None:
    take(alpha(), "A")
    accepting.withdraw(OFFICER, "A", "no licence")
    done = submissions.submit(OFFICER, alpha(), "event.json")
    assert (done.outcome, done.event) == (submissions.SAME, "A")
    assert "withdrawn" in done.message
    assert "(`office accept A`)" in done.message
    accepting.accept(OFFICER, "A")
    assert RatingRow.objects.count() == 4


def codes(number: str) -> list[str]:
    (waiting,) = review_queue.review(OFFICER, number)
    assert waiting.acceptable  # a warning: the reviewer decides
    return [finding.message.split(" ")[1] for finding in waiting.findings if finding.code == "possible-duplicate"]


def test_a_report_sent_again_with_one_result_changed_is_pointed_out(ready: str) -> None:
    take(alpha(), "A")
    take(alpha("0-1"), "B", accept=False)
    assert codes("B") == ["A"]
    take(alpha("1/2-1/2", name="Alfa Opn"), "C", accept=False)  # another name: it has the same pairings
    assert codes("C") == ["A", "B"]
    assert codes("B") == ["A", "C"]
    assert [one.event for one in review_queue.review(OFFICER)] == ["B", "C"]
    accepting.withdraw(OFFICER, "A", "the new one counts")
    assert codes("B") == ["C"]


def test_the_answer_to_a_report_sent_again_names_the_one_that_waits(ready: str) -> None:
    first = submissions.submit(OFFICER, alpha(), "event.json", "A")
    again = submissions.submit(OFFICER, alpha("0-1"), "event.json", "B")
    assert [one.code for one in first.findings if one.code == "possible-duplicate"] == []
    (alike,) = [one for one in again.findings if one.code == "possible-duplicate"]
    assert "event A (Alpha Open, 2025-03-01, submitted)" in alike.message


def groups() -> dict[str, str]:
    return {one.number: one.group for one in queue(OFFICER).lines}


def test_the_queue_says_what_review_says_also_of_the_one_that_came_first(ready: str) -> None:
    """A likeness that comes in later takes both out of what is clean; without it the first one is clean again."""
    take(alpha(), "A", accept=False)
    assert groups() == {"A": "clean"}
    take(alpha("0-1"), "B", accept=False)
    assert groups() == {"A": "needs", "B": "needs"}
    accepting.refuse(OFFICER, "B", "the same event")
    assert groups() == {"A": "clean"}
    take(alpha("1/2-1/2"), "C", accept=False)
    assert groups() == {"A": "needs", "C": "needs"}
    accepting.correct(OFFICER, "C", beta(), "event.json", "it was the wrong file")
    assert groups()["A"] == "clean"


def test_a_withdrawn_event_that_comes_back_is_pointed_out_in_the_queue(ready: str) -> None:
    take(alpha(), "A")
    take(alpha("0-1"), "B", accept=False)
    assert groups() == {"B": "needs"}
    accepting.withdraw(OFFICER, "A", "the new one counts")
    assert groups() == {"B": "clean"}
    accepting.accept(OFFICER, "A")
    assert groups() == {"B": "needs"}


def test_review_leads_to_the_event_that_may_be_the_same(ready: str) -> None:
    take(alpha(), "A")
    take(alpha("0-1"), "B", accept=False)
    (alike,) = review(OFFICER, "B").alike
    assert (alike.number, alike.rated) == ("A", True)
    assert alike.submission == Submission.objects.get(event__number="A").id
    assert "`" not in " ".join(line.text for line in review(OFFICER, "B").lines)


def test_the_same_event_from_another_format_is_pointed_out(ready: str) -> None:
    """A program that knows neither the city nor the colours nor the ratings, and starts a day late."""
    take(alpha(city="Dayton", state="OH", end="2025-03-02"), "A")
    games = [
        (number, black, white, {"1-0": "0-1", "0-1": "1-0"}.get(result, result))
        for number, white, black, result in GAMES
    ]
    take(data(document("ALPHA  open", date(2025, 3, 2), FOUR, games)), "B", accept=False)
    assert codes("B") == ["A"]


def test_other_events_are_not_pointed_out(ready: str) -> None:
    take(alpha(), "A")
    others = ["30000011", "30000012", "30000013"]
    later = document("Alpha Open", date(2025, 3, 8), FOUR, GAMES)  # the same people a week later
    strangers = document("Alpha Open", date(2025, 3, 1), [FOUR[0], *others], GAMES)  # one of four
    blitz = document(
        "Blitz", date(2025, 3, 1), FOUR, [(1, 1, 3, "1-0"), (1, 2, 4, "0-1")]
    )  # other pairings, other name
    for number, content in (("L", later), ("S", strangers), ("Z", blitz)):
        take(data(content), number, accept=False)
        assert codes(number) == []


def test_players_merged_since_are_known_again(ready: str) -> None:
    take(alpha(), "A")
    doubles = [f"4000000{number}" for number in range(1, 5)]
    for double, one in zip(doubles, FOUR, strict=True):
        players.add(OFFICER, double)
        players.merge(OFFICER, double, one, "one person")
    take(data(document("Alpha Open", date(2025, 3, 1), doubles, GAMES)), "B", accept=False)
    assert codes("B") == ["A"]


def test_who_sends_anothers_event_does_not_learn_a_birth_date_of_it(ready: str) -> None:
    """The same file was "known already", and one with another birth date was not: so each date could be tried."""
    for name in ("dora", "dan"):
        users.add_user(Actor.installation(), name, Role.DIRECTOR)
    dora, dan = users.acting_as("dora"), users.acting_as("dan")

    def with_child(born: str) -> bytes:
        made = document("Alpha Open", date(2025, 3, 1), FOUR, GAMES, control="G/120;d5")
        made["sections"][0]["players"][0]["birth_date"] = born
        return data(made)

    first = submissions.submit(dora, with_child("2015-05-04"), "event.json")
    told = [submissions.submit(dan, with_child(born), "event.json") for born in ("2015-05-04", "2015-05-05")]
    assert [(one.outcome, one.event, one.message) for one in told] == [
        (submissions.SAME, first.event, told[0].message)
    ] * 2
    assert first.event == f"20250301-{documents.hash_without_ages(events.document(first.event))[:8]}"
    accepting.refuse(OFFICER, first.event, "the birth date is wrong")
    again = submissions.submit(dora, with_child("2015-06-04"), "event.json", first.event)
    assert again.outcome == submissions.QUEUED  # it came back to her: she may say another


def test_a_director_reads_the_same_of_a_twin_with_another_birth_date(ready: str) -> None:
    """Only an officer reads that an event is refused as the same one."""
    users.add_user(Actor.installation(), "dan", Role.DIRECTOR)
    take(alpha(), "A")
    done = submissions.submit(users.acting_as("dan"), alpha("0-1"), "event.json", "B")
    Event.objects.filter(number="B").update(content_hash=Event.objects.get(number="A").content_hash)
    (told,) = review_queue.review(users.acting_as("dan"), done.event)
    assert {"possible-duplicate"} == {one.code for one in told.findings} & {"possible-duplicate", "same-event"}
    (seen,) = review_queue.review(OFFICER, done.event)
    assert {"same-event"} == {one.code for one in seen.findings} & {"possible-duplicate", "same-event"}


def test_only_waiting_events_with_two_players_in_common_are_read(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    others = ["30000001", "30000005", "30000006", "30000007"]  # one of the four
    take(data(document("Gamma Open", date(2025, 3, 1), others, GAMES, control="G/120;d5")), "G", accept=False)
    take(alpha("0-1"), "A", accept=False)
    opened = []
    unpack = documents.unpack
    monkeypatch.setattr(documents, "unpack", lambda data, event="": (opened.append(event), unpack(data, event))[1])
    lookout = similar_events.Lookout()
    assert [one.number for one in lookout.alike_to_draft(unpack(Revision.objects.get(event__number="A").document))] == [
        "A"
    ]
    assert opened == ["A"]
