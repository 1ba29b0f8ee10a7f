"""The director's preview of a correction: rated in the place of the event as it stands, on both databases."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from director_desk import DAY, DORA, GAMES, IDS, look, press
from simulated import OFFICER, data, document

from crosstable.office.ledger.models import RatingRow
from crosstable.office.lists.models import ListRow, PublishedList
from crosstable.office.queries import draft_preview
from crosstable.office.reports import accepting, drafts, fixing, sending, submissions
from crosstable.office.requests import correction_drafts, corrections, lifecycle
from crosstable.systems.us_chess.formulas import round_half_up

pytestmark = pytest.mark.both_databases

FACTS = {
    one: {"ratings": {"OTBR": {"rating": 1400 + 50 * place, "games": 30}}, "adult": True}
    for place, one in enumerate(IDS[:6])
} | {IDS[6]: {"adult": True}}  # the seventh has no rating yet

Shown = dict[tuple[int, str, str], tuple[float | None, float, int]]


def two_sections(name: str, day: date) -> dict[str, Any]:
    """The fourth plays in both sections, and the seventh is new."""
    made, other = (document(name, day, people, GAMES, facts=FACTS) for people in (IDS[:4], IDS[3:]))
    made["sections"].append({**other["sections"][0], "number": 2, "name": "Reserve"})
    return made


def rate(number: str, content: dict[str, Any]) -> int:
    """dora's submission, rated."""
    done = submissions.submit(DORA, data(content), f"{number}.json", number)
    accepting.accept(OFFICER, number)
    return done.submission


@pytest.fixture
def rated(ready: str) -> None:
    """A rated event of dora's, with others of the same people on the same day, the week before and the week after."""
    week = timedelta(days=7)
    for number, day in (("A", DAY - week), ("B", DAY), ("M", DAY), ("X", DAY), ("Z", DAY + week)):
        rate(number, two_sections(f"{number} Open", day))


def in_ledger(event: str) -> Shown:
    rows = RatingRow.objects.filter(section__event__number=event).select_related("section", "player")
    return {
        (row.section.number, row.player.number, row.pool): (
            None if row.initialized else round_half_up(row.prior or 0),
            round_half_up(row.post),
            row.state_games,
        )
        for row in rows
    }


def preview_of(draft: int) -> draft_preview.Preview:
    return draft_preview.preview(look(draft), drafts.load(DORA, draft).row)


def shown(seen: draft_preview.Preview) -> Shown:
    return {
        (part.section.number, row.player.id, one.pool): (one.before, one.after or 0, one.after_games or 0)
        for part in seen.parts
        for row in part.rows
        for one in row.numbers
    }


def test_unchanged_it_shows_what_is_rated(rated: None) -> None:
    seen = preview_of(correction_drafts.correction(DORA, "M").id)
    assert shown(seen) == in_ledger("M")
    assert (seen.corrects, seen.moved) == (True, False)
    assert [part.different for part in seen.parts] == [[], []]
    for part in seen.parts:
        for row in part.rows:
            assert row.now == row.numbers


def test_changed_it_shows_what_granting_gives(rated: None) -> None:
    """Round 1 of the first section: a draw instead of a win. The fourth carries it into the second section."""
    before = in_ledger("M")
    draft = correction_drafts.correction(DORA, "M").id
    fixing.mend(DORA, draft, "result", {"section": "1", "round": "1", "one": "1", "other": "2", "score": "drew"})
    seen = preview_of(draft)
    first, _ = seen.parts
    assert {IDS[0], IDS[1]} <= {row.player.id for row in first.different}
    assert len(first.different) + len(first.same) == 4
    now = {(1, row.player.id, one.pool): one.after for row in first.rows for one in row.now}
    assert now == {key: after for key, (_, after, _) in before.items() if key[0] == 1}
    request = correction_drafts.ask(DORA, draft, "The slip says a draw.")
    lifecycle.decide(OFFICER, corrections.CORRECTION, request, granted=True)
    after = in_ledger("M")
    assert shown(seen) == after
    assert after != before


def test_of_a_first_event_nothing_is_shown_that_would_tell_an_age(rated: None) -> None:
    """The seventh had no rating before event A: what stays is shown as published, what changes only where no age
    counts.
    """
    draft = correction_drafts.correction(DORA, "A").id
    assert [part.different for part in preview_of(draft).parts] == [[], []]
    fixing.mend(DORA, draft, "result", {"section": "2", "round": "1", "one": "3", "other": "4", "score": "lost"})
    first, second = preview_of(draft).parts
    assert not first.different
    (seventh,) = (row for row in second.rows if row.player.id == IDS[6])
    assert [(side.now.after is None, side.would_be.after, side.would_be.hidden) for side in seventh.sides] == [
        (False, None, True)
    ] * 2


def test_on_an_earlier_day_it_shows_what_granting_gives(rated: None) -> None:
    """Three days before, where no other event stands: from what the first event left."""
    draft = correction_drafts.correction(DORA, "M").id
    content = two_sections("M Open", DAY - timedelta(days=3))
    drafts.another_file(DORA, draft, data(content), "M.json")
    seen = preview_of(draft)
    assert seen.moved
    assert all(row.differs for part in seen.parts for row in part.rows)
    accepting.correct(OFFICER, "M", data(content), "M.json", "It was played earlier.")
    assert shown(seen) == in_ledger("M")


def test_a_result_for_the_record_only_is_not_rated_in_the_preview(rated: None) -> None:
    content = two_sections("M Open", DAY)
    content["sections"][0]["games"][0]["result"] = "0-1"
    before = in_ledger("M")
    accepting.correct(OFFICER, "M", data(content), "M.json", "The board says so.", record_only=True)
    assert in_ledger("M") == before
    assert shown(preview_of(correction_drafts.correction(DORA, "M").id)) == before


def test_sections_that_come_again_are_rated_after_those_that_are_rated(rated: None) -> None:
    """The first section is rated, the second one waits: only the second is shown, and not on top of anything."""
    content = two_sections("W Open", DAY)
    content["sections"][1]["time_control"] = "G/6O;d5"
    done = submissions.submit(DORA, data(content), "W.json", "W")
    accepting.accept(OFFICER, "W", sections=[1])
    draft = sending.reopen(DORA, done.submission).id
    press(draft, "unreadable-time-control", "Use G/60;d5")
    seen = preview_of(draft)
    assert not seen.corrects
    sending.send(DORA, draft)
    accepting.accept(OFFICER, "W")
    assert shown(seen) == {key: numbers for key, numbers in in_ledger("W").items() if key[0] == 2}


def test_a_match_is_previewed_from_the_ratings_in_force(ready: str) -> None:
    """Not from those of the last list, which only decide whether it may be rated (readings 30)."""
    rate("A", two_sections("A Open", date(2025, 6, 7)))
    listed = PublishedList.objects.create(date=date(2025, 7, 1), rows=2, audit_count=0)
    for number in IDS[:2]:
        ListRow.objects.create(published=listed, pool="OTBR", number=number, rating=1450, active=True)
    rate("B", two_sections("B Open", date(2025, 7, 5)))
    games = [(one, 1, 2, "1-0" if one % 2 else "1/2-1/2") for one in range(1, 5)]
    rate("M", document("Match", DAY, IDS[:2], games, kind="match", control="G/120;d5"))
    seen = preview_of(correction_drafts.correction(DORA, "M").id)
    assert shown(seen) == in_ledger("M")
