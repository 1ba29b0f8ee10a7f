"""What a director is asked: namesakes, matches, and days that no calendar has."""

from __future__ import annotations

from datetime import date

import pytest
from director_desk import DORA, labels_of, look, press
from simulated import OFFICER

from crosstable.fixes import FixRefused
from crosstable.office import players
from crosstable.office.reports import accepting, drafts, fixing, review_queue, sending

TABLE = """Event: {name}
Date: {day}
Time control: G/60;d5
No,Name,ID,Rating,Rd 1,Rd 2
1,Sam Smith,{id},{rating},W2,W2
2,Bob Birch,30000002,1400,L1,L1
"""


def draft_of(name: str = "Club Evening", day: str = "2025-08-02", id: str = "30000001", rating: str = "1163") -> int:
    text = TABLE.format(name=name, day=day, id=id, rating=rating)
    return drafts.start(DORA, text.encode(), "evening.csv").id


@pytest.fixture
def smiths(ready: str) -> None:
    """Two members of one name, in two states."""
    for number, state in (("30000001", "MI"), ("30000007", "OH")):
        players.add(OFFICER, number, name="Sam Smith", state=state)
    players.add(OFFICER, "30000002", name="Bob Birch", state="OH")


def test_a_name_that_several_members_share_is_a_question(smiths: None) -> None:
    number = draft_of()
    (shown,) = [one for one in look(number).all if one.code == "namesake"]
    assert shown.look
    assert shown.finding.message == "2 members are called Sam Smith."
    assert labels_of(number, shown)[:2] == ["Use 30000007", "It is right"]
    assert not shown.main  # never chosen without a person
    assert shown.fixes[0].about == {"name": "Sam Smith", "state": "Ohio"}


def test_the_officer_sees_it_too(smiths: None) -> None:
    sending.send(DORA, draft_of())
    (waits,) = review_queue.review(OFFICER)
    assert "namesake" in {one.code for one in waits.findings}


def test_two_players_who_meet_again_are_asked_whether_it_is_a_match(smiths: None) -> None:
    number = draft_of()
    (shown,) = [one for one in look(number).all if one.code == "perhaps-match"]
    assert (shown.look, labels_of(number, shown)) == (True, ["It is a match", "It is not a match"])
    press(number, "perhaps-match", "It is a match")
    event = drafts.load(DORA, number).event
    assert event is not None
    assert event.sections[0].kind == "match"
    assert "perhaps-match" not in {one.code for one in look(number).all}


def test_the_settings_of_a_section(smiths: None) -> None:
    number = draft_of()
    settings = {"section": "1", "kind": "round-robin", "mode": "online", "weight": "half", "rounds": "3"}
    fixing.mend(DORA, number, "section-settings", {**settings, "time_control": "G/30;d5"})
    event = drafts.load(DORA, number).event
    assert event is not None
    (section,) = event.sections
    assert (section.kind, section.mode, section.weight, section.time_control, section.notes["rounds"]) == (
        "round-robin",
        "online",
        "half",
        "G/30;d5",
        3,
    )
    with pytest.raises(FixRefused, match="'ladder' is not a kind: choose swiss"):
        fixing.mend(DORA, number, "section-settings", {"section": "1", "kind": "ladder"})


def test_a_day_that_there_is_not_is_said_once_and_goes_away(smiths: None) -> None:
    number = draft_of(day="2/30/2026")
    about = [one for one in look(number).all if one.code in ("missing-date", "unreadable-date")]
    assert [one.words for one in about] == ["The file says “2/30/2026”: there is no 30 February 2026."]
    press(number, "missing-date", "Use these days", start="2026-02-28", end="2026-02-28")
    assert {"missing-date", "unreadable-date"} & {one.code for one in look(number).all} == set()
    event = drafts.load(DORA, number).event
    assert event is not None
    assert event.start == date(2026, 2, 28)


def test_a_rating_far_from_the_records_may_be_a_namesakes(ready: str) -> None:
    """Sam Smith's record begins with 1618; a file that says 1163 for the same ID is 455 points or so away."""
    accepting.accept(OFFICER, sending.send(DORA, draft_of(rating="1618")).event)
    near, far = draft_of(day="2025-09-06", rating="1620"), draft_of(day="2025-09-06", rating="1163")
    assert "far-from-record" not in {one.code for one in look(near).all}
    (shown,) = [one for one in look(far).all if one.code == "far-from-record"]
    assert shown.look
    assert (shown.place.players, shown.finding.facts["stated"]) == ((1,), 1163)
