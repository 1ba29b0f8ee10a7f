"""From which list on a rating is official: the player's page and the derivation say the same."""

from __future__ import annotations

from datetime import date

from simulated import OFFICER, data, document, officers

from crosstable.office.queries.derivation import derivation
from crosstable.office.queries.player import player
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import list_publication, registry
from crosstable.web.presenters.derivation import parts

MAY, JUNE = date(2025, 5, 1), date(2025, 6, 1)
PAIR = ["30000001", "30000002"]
RATED = {one: {"ratings": {"OTBR": {"rating": 1500.0, "games": 40}}} for one in PAIR}


def issue(day: date) -> None:
    first, second = officers()
    registry.approve(second, list_publication.propose(first, day, "monthly list").id)


def accepted(name: str, day: date, result: str) -> str:
    games = [(1, 1, 2, result), (2, 2, 1, "1/2-1/2")]
    content = document(name, day, PAIR, games, control="G/120;d5", facts=RATED)
    number = submissions.submit(OFFICER, data(content), "event.json").event
    accepting.accept(OFFICER, number)
    return number


def last_words(number: str) -> str:
    return " ".join(parts(derivation(number, 1, 1, "OTBR"))[-1].text)


def waits_for() -> date | None:
    """What the player's page says: the next list, where the rating is not official yet."""
    page = player(PAIR[0], MAY)
    return page.next_list if page.main and page.main.numbers.moved else None


def test_a_list_that_was_out_before_does_not_make_a_rating_official(ready: str) -> None:
    in_time = accepted("In Time", date(2025, 4, 5), "1-0")
    issue(MAY)
    assert "Official since the list of 1 May 2025." in last_words(in_time)
    assert waits_for() is None

    late = accepted("Late", date(2025, 4, 12), "1-0")  # it ended before the list, and was accepted after it
    assert "Official since" not in last_words(late)
    assert "Official since the list of 1 May 2025." in last_words(in_time)
    assert waits_for() == JUNE

    issue(JUNE)
    assert "Official since the list of 1 June 2025." in last_words(late)
    assert waits_for() is None


def test_a_later_rating_on_a_list_makes_the_earlier_one_official(ready: str) -> None:
    first = accepted("First", date(2025, 4, 5), "1-0")
    accepted("Second", date(2025, 4, 12), "1-0")
    issue(MAY)  # holds the rating after the second event only
    assert "Official since the list of 1 May 2025." in last_words(first)
