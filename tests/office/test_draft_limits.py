"""An account has so many open drafts and so many bytes in them, however they are made, also all at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from director_desk import DAY, DIRK, DORA, GAMES, IDS
from django.db import connection
from simulated import OFFICER, data, document

from crosstable.errors import OfficeError
from crosstable.office.people.rights import Actor
from crosstable.office.reports import accepting, drafts, fixing, sending, submissions
from crosstable.office.reports.models import Draft, DraftFile
from crosstable.office.reports.typed_report import Row, Typed
from crosstable.office.requests import correction_drafts
from crosstable.office.storage import clock

TYPED = Typed({"event": "Typed"}, 1, (Row(name="Ann"),))
FULL = "500 open drafts, which is the limit: send or delete some first"


def typed(_: int = 0) -> int:
    return drafts.start_typed(DORA, TYPED).id


def many(count: int, state: str = Draft.OPEN) -> None:
    Draft.objects.bulk_create([Draft(owner="dora", file_name="typed.csv", state=state) for _ in range(count)])


def refused_and_rated() -> tuple[int, str]:
    """A submission of Dora's that the office sent back, and a rated event of hers."""
    sent = submissions.submit(DORA, data(document("Back", DAY, IDS[:4], GAMES)), "back.json", "BACK")
    accepting.refuse(OFFICER, "BACK", "The rounds are missing.")
    rated = submissions.submit(DORA, data(document("Rated", DAY, IDS[3:7], GAMES)), "rated.json", "RATED")
    accepting.accept(OFFICER, rated.event)
    return sent.submission, rated.event


def test_the_501st_draft_is_refused_however_it_is_made(ready: str) -> None:
    submission, event = refused_and_rated()
    gone = typed()
    drafts.discard(DORA, gone)
    many(499)
    typed()
    ways: dict[str, Callable[[], object]] = {
        "typed": typed,
        "a file": lambda: drafts.start(DORA, b"1,Ada,W2", "some.csv"),
        "a pasted text": lambda: drafts.start(DORA, b"Ada 1-0 Bo", "pasted.txt", DraftFile.TEXT),
        "a report sent back": lambda: sending.reopen(DORA, submission),
        "a correction": lambda: correction_drafts.correction(DORA, event),
        "brought back": lambda: drafts.bring_back(DORA, gone),
        "a program": lambda: drafts.start_typed(Actor("dora/abc12345", DORA.role), TYPED),
    }
    for way, make in ways.items():
        with pytest.raises(OfficeError, match=FULL):
            make()
        assert Draft.objects.filter(owner="dora", state=Draft.OPEN).count() == 500, way
    assert drafts.start_typed(DIRK, TYPED).id  # another's drafts do not count
    drafts.discard(DORA, drafts.drafts(DORA)[0].number)
    assert sending.reopen(DORA, submission).id


@pytest.mark.both_databases
def test_bytes_of_an_account_are_limited(ready: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file has 1,000 bytes: three fit into 3,500, whatever becomes of their drafts that day."""
    monkeypatch.setattr(drafts, "MOST_BYTES", 3500)
    text = b"Ada 1-0 Bo\n".ljust(1000, b"x")
    first, second = (drafts.start(DORA, text, "some.txt").id for _ in range(2))
    drafts.another_file(DORA, first, text, "better.txt")
    more: tuple[Callable[[], object], ...] = (
        lambda: drafts.start(DORA, text, "more.txt"),
        lambda: drafts.another_file(DORA, second, text, "more.txt"),
        lambda: fixing.mend_text(DORA, second, text.decode()),
    )
    for one in more:
        with pytest.raises(OfficeError, match="send or delete drafts"):
            one()
    drafts.discard(DORA, first)
    with pytest.raises(OfficeError, match="try again tomorrow"):  # uploading and deleting in turn fills no disk
        drafts.start(DORA, text, "more.txt")
    Draft.objects.filter(id=first).update(changed=clock.now() - timedelta(days=1, seconds=1))
    assert drafts.start(DORA, text, "more.txt").id
    assert drafts.start(DIRK, text, "another.txt").id
    assert DraftFile.objects.filter(draft__owner="dora").count() == 4


def test_earlier_versions_that_fixes_keep_count(clash: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = bytes(drafts.find(DORA, clash).document or b"")
    file = len(drafts.original(DORA, clash)[1])
    monkeypatch.setattr(drafts, "MOST_BYTES", file + len(document))
    fixing.mend(DORA, clash, "section-name", {"section": "1", "name": "First"})
    with pytest.raises(OfficeError, match="send or delete drafts"):
        fixing.mend(DORA, clash, "section-name", {"section": "1", "name": "Second"})


@pytest.mark.both_databases
def test_drafts_at_the_same_moment_do_not_pass_the_limit(ready: str) -> None:
    many(497)
    start, refused = threading.Barrier(8), []

    def work() -> None:
        start.wait(timeout=20)
        try:
            typed()
        except OfficeError as problem:
            refused.append(str(problem))
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(timeout=30)
    assert Draft.objects.filter(owner="dora", state=Draft.OPEN).count() == 500
    assert len(refused) == 5  # 497 + 8 - 500
