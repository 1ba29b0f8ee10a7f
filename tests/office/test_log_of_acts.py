"""The log names what an act was about: the revision and its content, the other player, the facts, the membership."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import Any

from simulated import OFFICER, data, document

from crosstable.office import players
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Revision
from crosstable.office.reports import accepting, submissions

ADA, BEN = "30000001", "30000002"
DAY = date(2025, 8, 2)


def report(result: str, name: str = "Open") -> bytes:
    return data(document(name, DAY, [ADA, BEN], [(1, 1, 2, result)]))


def last(action: str) -> dict[str, Any]:
    entry = AuditEntry.objects.filter(action=action).order_by("seq").last()
    assert entry is not None
    details: dict[str, Any] = json.loads(entry.details)
    return details


def content(number: str, revision: int) -> str:
    """The hash, computed anew from the document that the ledger keeps."""
    return documents.content_hash(
        documents.unpack(Revision.objects.get(event__number=number, number=revision).document)
    )


def test_the_log_can_prove_what_was_accepted_and_corrected(ready: str) -> None:
    first, second = report("1-0"), report("0-1")
    submissions.submit(OFFICER, first, "open.json", "A")
    accepting.accept(OFFICER, "A")
    done = last("event.accept")
    assert (done["revision"], done["content"]) == (1, content("A", 1))
    assert done["file"] == hashlib.sha256(first).hexdigest()
    accepting.correct(OFFICER, "A", second, "open.json", "wrong way round")
    done = last("event.correct")
    assert (done["revision"], done["content"]) == (2, content("A", 2))
    assert done["file"] == hashlib.sha256(second).hexdigest()
    assert content("A", 1) != content("A", 2)
    accepting.withdraw(OFFICER, "A", "not rated")
    assert (last("event.withdraw")["revision"], last("event.withdraw")["content"]) == (3, content("A", 2))
    accepting.correct(OFFICER, "A", report("1/2-1/2"), "open.json", "a draw")  # withdrawn: no rating is touched
    assert (last("event.correct")["revision"], last("event.correct")["content"]) == (4, content("A", 4))
    accepting.accept(OFFICER, "A", "it counts after all")
    assert (last("event.accept")["revision"], last("event.accept")["content"]) == (5, content("A", 4))


def test_a_correction_of_a_pending_event_is_named_too(ready: str) -> None:
    submissions.submit(OFFICER, report("1-0"), "open.json", "A")
    accepting.correct(OFFICER, "A", report("0-1"), "open.json", "wrong way round")
    assert (last("event.correct")["revision"], last("event.correct")["content"]) == (2, content("A", 2))


def test_events_accepted_together_are_named_one_by_one(ready: str) -> None:
    for number in ("A", "token"):  # an id may be any word
        submissions.submit(OFFICER, report("1-0", f"Open {number}"), "open.json", number)
    accepting.accept_many(OFFICER, ["A", "token"])
    named = {one["event"]: (one["revision"], one["content"]) for one in last("event.accept")["events"]}
    assert named == {"A": (1, content("A", 1)), "token": (1, content("token", 1))}


def test_acts_that_touch_no_rating_say_what_they_did(ready: str) -> None:
    for number in (ADA, BEN):
        players.add(OFFICER, number, name="Ada")
    players.change(OFFICER, ADA, "a form", birth_date=date(2011, 2, 3), state="OH")
    assert last("player.change") == {"facts": ["birth_date", "state"]}
    players.join(OFFICER, ADA, "regular", date(2025, 1, 1), date(2025, 12, 31))
    assert last("membership.write") == {"kind": "regular", "since": "2025-01-01", "until": "2025-12-31"}
    players.merge(OFFICER, BEN, ADA, "one person")
    assert last("player.merge") == {"into": ADA}
    players.unmerge(OFFICER, BEN, "two people")
    assert last("player.unmerge") == {"out_of": ADA}
    assert "2011" not in "".join(AuditEntry.objects.values_list("details", flat=True))
