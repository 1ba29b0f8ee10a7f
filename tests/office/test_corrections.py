"""A director asks for a correction; an officer sees old beside new and whose ratings move, then grants or
refuses it.
"""

from __future__ import annotations

import copy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from simulated import ADMIN, data, document

from crosstable.cli import main
from crosstable.errors import EventRejected, OfficeError
from crosstable.office.audit.ledger_against_log import problems
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import Player, RatingRow, Revision
from crosstable.office.notices import inbox
from crosstable.office.people import users
from crosstable.office.people.rights import Actor, NotAllowedError, Role
from crosstable.office.queries.event import event
from crosstable.office.queries.revision import revision
from crosstable.office.rating import run
from crosstable.office.reports import accepting, events, submissions
from crosstable.office.requests import corrections, lifecycle, registry
from crosstable.office.requests.models import CorrectionRequest
from crosstable.words.differences import difference

pytestmark = pytest.mark.both_databases

FOUR = ["30000001", "30000002", "30000003", "30000004"]
GAMES = [(1, 1, 2, "1-0"), (1, 3, 4, "0-1"), (2, 1, 4, "1/2-1/2"), (2, 2, 3, "1-0")]
RATED = {one: {"ratings": {"OTBR": {"rating": 1500.0 + place, "games": 40}}} for place, one in enumerate(FOUR)}


class Office:
    """An office with a rated event of dora's, and another after it with the same players."""

    def __init__(self) -> None:
        office_settings.create()
        self.dora, self.dirk = self.user("dora", Role.DIRECTOR), self.user("dirk", Role.DIRECTOR)
        self.olive = self.user("olive", Role.OFFICER)
        self.content = document("Riverside Open", date(2023, 8, 5), FOUR, GAMES, facts=RATED)
        later = document("Later Open", date(2024, 3, 2), FOUR, [(1, 1, 3, "1-0"), (1, 2, 4, "0-1")])
        for number, content in (("A", self.content), ("B", later)):
            submissions.submit(self.dora, data(content), "open.json", number)
            accepting.accept(self.olive, number)

    @staticmethod
    def user(name: str, role: Role) -> Actor:
        users.add_user(ADMIN, name, role)
        return users.acting_as(name)

    def with_draw(self) -> bytes:
        """Round 1, 1–2: a draw instead of a win."""
        content: dict[str, Any] = copy.deepcopy(self.content)
        content["sections"][0]["games"][0]["result"] = "1/2-1/2"
        return data(content)


@pytest.fixture
def there(office: str) -> Office:
    return Office()


def subjects(actor: Actor) -> list[str]:
    return [one.subject for one in inbox.inbox(actor)]


def test_asked_looked_at_and_granted(there: Office) -> None:
    asked = corrections.ask(there.dora, "A", there.with_draw(), "open.json", "The slip says a draw.")
    assert subjects(there.olive)[0] == "Riverside Open: a correction is asked for"
    (waiting,) = corrections.correction_requests(there.olive, waiting=True)
    assert (waiting.number, waiting.by, waiting.results, waiting.players, waiting.sections) == (
        asked.id,
        "dora",
        1,
        0,
        ("Open",),
    )
    before = run.fingerprint()
    seen = corrections.preview(there.olive, asked.id)
    one = difference(*seen.differences)
    assert (one.where, one.was, one.now) == ("Round 1", "1–0", "½–½")
    # All four move: two by their own game, and everybody meets everybody in the second event
    assert {change.player for change in seen.ratings.changes} == set(FOUR)
    by = {change.player: change for change in seen.ratings.changes if change.pool == "OTBR"}
    assert (by[FOUR[0]].change or 0) < 0 < (by[FOUR[1]].change or 0)
    assert run.fingerprint() == before
    assert not Revision.objects.filter(kind="corrected").exists()

    done = lifecycle.decide(
        there.olive, corrections.CORRECTION, asked.id, granted=True, words="Both slips agree."
    ).outcome
    assert [(change.player, change.pool, change.after) for change in done.changes] == [
        (change.player, change.pool, change.after) for change in seen.ratings.changes
    ]
    row = CorrectionRequest.objects.get()
    assert (row.state, row.revision, row.decided_by) == ("granted", 2, "olive")
    assert subjects(there.dora)[:2] == ["Riverside Open: corrected", "Riverside Open: the correction is granted"]
    assert Revision.objects.get(kind="corrected").reason == "The slip says a draw."
    page = revision("A", 2)
    assert [(one.title, one.by, one.words) for one in page.steps] == [
        ("Requested", "the director", "The slip says a draw."),
        ("Checked and decided", "an officer", ""),
    ]
    assert event("A").revisions[0].asked == "Requested by the director, decided by an officer."
    assert run.compute(run.BEGINNING).nothing
    assert problems() == []
    with pytest.raises(OfficeError, match="granted already"):
        lifecycle.decide(there.olive, corrections.CORRECTION, asked.id, granted=True)


def test_a_withheld_name_is_shown_to_the_office_only(there: Office) -> None:
    """A director who writes an id into a correction does not read whose it is; the report's own name is shown."""
    Player.objects.create(number="30000099", name="Secret, Serena", withheld=True)
    content: dict[str, Any] = copy.deepcopy(there.content)
    content["sections"][0]["players"][1].update(id="30000099", name="Some Name")
    content["sections"][0]["games"][0]["result"] = "1/2-1/2"
    told = str(corrections.asked_differences(there.dora, "A", data(content), "open.json"))
    assert "Some Name" in told
    assert "Serena" not in told
    request = corrections.ask(there.dora, "A", data(content), "open.json", "wrong id")
    assert "Serena" in str(corrections.asked_for(there.olive, request.id).differences)


def test_refused_with_words(there: Office) -> None:
    asked = corrections.ask(there.dora, "A", there.with_draw(), "open.json", "A draw.")
    with pytest.raises(OfficeError, match="needs a reason"):
        lifecycle.decide(there.olive, corrections.CORRECTION, asked.id, granted=False, words=" ")
    before = run.fingerprint()
    lifecycle.decide(there.olive, corrections.CORRECTION, asked.id, granted=False, words="The wall chart says a win.")
    assert run.fingerprint() == before
    last = inbox.inbox(there.dora)[0]
    assert last.words == "The event is unchanged. The wall chart says a win."
    assert corrections.correction_requests(there.olive, waiting=True) == []
    assert [one.state for one in corrections.correction_requests(there.dora)] == ["refused"]
    corrections.ask(there.dora, "A", there.with_draw(), "open.json", "Here is the slip.")  # it may be asked again


def test_who_may(there: Office) -> None:
    with pytest.raises(NotAllowedError):
        corrections.ask(there.dirk, "A", there.with_draw(), "open.json", "not dirk's event")
    asked = corrections.ask(there.dora, "A", there.with_draw(), "open.json", "A draw.")
    with pytest.raises(OfficeError, match="is still open"):
        corrections.ask(there.dora, "A", there.with_draw(), "open.json", "Once more.")
    for granted in (True, False):
        with pytest.raises(NotAllowedError):
            lifecycle.decide(there.dora, corrections.CORRECTION, asked.id, granted=granted, words="mine")
    with pytest.raises(NotAllowedError):
        corrections.preview(there.dora, asked.id)
    assert corrections.correction_requests(there.dirk) == []
    with pytest.raises(OfficeError, match="no correction request"):
        registry.take_back(there.dirk, f"correction:{asked.id}")
    registry.take_back(there.dora, f"correction:{asked.id}")
    with pytest.raises(OfficeError, match="taken back already"):
        lifecycle.decide(there.olive, corrections.CORRECTION, asked.id, granted=True)


def test_what_cannot_be_asked(there: Office) -> None:
    with pytest.raises(OfficeError, match="nothing to correct"):
        corrections.ask(there.dora, "A", data(there.content), "open.json", "the same")
    with pytest.raises(EventRejected):
        corrections.ask(there.dora, "A", b"not a report", "open.txt", "a letter")
    broken = copy.deepcopy(there.content)
    broken["sections"][0]["games"][0]["black"] = 9
    with pytest.raises(EventRejected) as refused:
        corrections.ask(there.dora, "A", data(broken), "open.json", "a slip")
    assert {one.place.section for one in refused.value.findings} == {1}
    assert not CorrectionRequest.objects.exists()
    assert RatingRow.objects.exists()


def test_a_section_that_waits_is_mended_by_a_request(there: Office) -> None:
    content = copy.deepcopy(there.content)
    content["start"] = content["end"] = "2024-06-01"
    content["sections"].append({**copy.deepcopy(content["sections"][0]), "number": 2, "name": "Reserve"})
    broken = copy.deepcopy(content)
    broken["sections"][1]["games"].append({"round": 3, "white": 1, "black": 9, "result": "1-0"})
    submissions.submit(there.dora, data(broken), "two.json", "C")
    accepting.accept(there.olive, "C", sections=[1])
    asked = corrections.ask(there.dora, "C", data(content), "two.json", "That game was never played.")
    lifecycle.decide(there.olive, corrections.CORRECTION, asked.id, granted=True)
    assert events.find("C").held == ""
    assert sorted(
        set(RatingRow.objects.filter(section__event__number="C").values_list("section__number", flat=True))
    ) == [1, 2]


def test_from_the_shell(there: Office, office: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "open.json"
    file.write_bytes(there.with_draw())
    who = ["office", "--db", office, "--as"]
    assert main([*who, "dora", "ask-correction", "A", str(file), "--reason", "A draw."]) == 0
    assert main([*who, "olive", "corrections"]) == 0
    assert "Riverside Open" in capsys.readouterr().out
    (asked,) = corrections.correction_requests(there.olive)
    assert main([*who, "olive", "corrections", str(asked.number)]) == 0
    assert "½–½" in capsys.readouterr().out
    assert main([*who, "olive", "corrections", str(asked.number), "--grant", "--message", "Thank you."]) == 0
    assert [one.state for one in corrections.correction_requests(there.dora)] == ["granted"]
