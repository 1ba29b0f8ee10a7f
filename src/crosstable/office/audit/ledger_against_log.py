"""The ledger compared with the log: what was written must have an entry, and what came in must still be what came in.

Anyone who cuts the log's end off and turns its head back leaves the rows of those acts behind; here they are found.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime

from django.db import models as db

from crosstable.office.audit.log import details_of
from crosstable.office.audit.models import AuditEntry
from crosstable.office.ledger import documents
from crosstable.office.ledger.models import Adjustment, DatedFact, FideBatch, FloorRequest, Merge, Revision, Submission

#: Acts that set something of a player's record; one of them stands behind each decision about a player
DECISIONS = ("rating.adjust", "floor.decide", "floor.write")
#: Decisions that come with an import, an event or a membership, which have entries of their own
_IN_PASSING = (Adjustment.OPENING, Adjustment.RELEASE)
#: The entry that each kind of revision has
_REVISIONS = {
    "submitted": "event.submit",
    "corrected": "event.correct",
    "recorded": "event.correct",
    "completed": "event.accept",
    "withdrawn": "event.withdraw",
    "restored": "event.accept",
    "refused": "event.refuse",
}

#: So much of a subject stands in the log
SUBJECT = 200

#: (action, subject) → when, as the log writes moments
Times = dict[tuple[str, str], list[str]]


def problems() -> list[str]:
    """Everything in the ledger that the log has no entry for."""
    acts: Times = defaultdict(list)
    files: set[str] = set()
    for entry in AuditEntry.objects.order_by("seq").iterator(chunk_size=5000):
        acts[entry.action, entry.subject].append(entry.at)
        told = details_of(entry)
        if isinstance(told.get("file"), str):
            files.add(told["file"])
    last = max((at for times in acts.values() for at in times), default="")
    return [*_merges(acts), *_revisions(acts), *_decisions(acts), *_submissions(files), *_documents(), *_after(last)]


def _merges(acts: Times) -> Iterator[str]:
    rows: Times = defaultdict(list)
    for number, at, undone in Merge.objects.values_list("duplicate__number", "at", "undone_at"):
        rows["player.merge", f"player:{number}"].append(_moment(at))
        if undone is not None:
            rows["player.unmerge", f"player:{number}"].append(_moment(undone))
    return _untold(rows, acts)


def _revisions(acts: Times) -> Iterator[str]:
    rows: Times = defaultdict(list)
    for kind, number, at in Revision.objects.filter(kind__in=_REVISIONS).values_list("kind", "event__number", "at"):
        rows[_REVISIONS[kind], f"event:{number}"[:SUBJECT]].append(_moment(at))
    yield from _untold(rows, acts)
    imported = Revision.objects.filter(kind="imported").exists()
    if imported and not any(action == "history.import" for action, _ in acts):
        yield "the events of a history have no entry in the log: its end was cut off"


def _decisions(acts: Times) -> Iterator[str]:
    """Older logs may name a duplicate instead of the record that was kept, so merged players are counted as one."""
    same = _ever_merged()
    rows: Times = defaultdict(list)
    told: Times = defaultdict(list)
    for number, at in Adjustment.objects.exclude(kind__in=_IN_PASSING).values_list("player__number", "at"):
        rows["decision", f"player:{same.get(number, number)}"].append(_moment(at))
    for (action, subject), times in acts.items():
        if action in DECISIONS:
            number = subject.removeprefix("player:")
            told["decision", f"player:{same.get(number, number)}"] += times
    return _untold(rows, told)


def _untold(rows: Times, acts: Times) -> Iterator[str]:
    """Every act writes its rows first and its entry last: of each kind the last row has the last entry, and so
    on back.
    """
    for (action, subject), times in sorted(rows.items()):
        entries = sorted(acts.get((action, subject), ()), reverse=True)
        entries += [""] * (len(times) - len(entries))
        if any(entry < row for row, entry in zip(sorted(times, reverse=True), entries, strict=False)):
            yield f"{subject} has a {action} that is not in the log: its end was cut off, or the row is forged"


def _ever_merged() -> dict[str, str]:
    """Each number that was ever merged, also where that was undone → one number for all of them together."""
    found: dict[str, str] = {}
    for pair in Merge.objects.order_by("id").values_list("duplicate__number", "kept__number"):
        one, other = (found.get(number, number) for number in pair)
        found |= dict.fromkeys([*pair, *(number for number, same in found.items() if same == one)], other)
    return found


def _submissions(files: set[str]) -> Iterator[str]:
    """Check that the bytes of every file are those that came in: by the row's own hash, and by the log's."""
    for row in Submission.objects.order_by("id").iterator(chunk_size=50):
        if hashlib.sha256(bytes(row.data)).hexdigest() != row.sha256:
            yield f"submission {row.id} ({row.file_name}) is not the file that was received"
        elif row.sha256 not in files:
            yield f"the log does not know the file of submission {row.id} ({row.file_name})"


def _documents() -> Iterator[str]:
    """Check that the contents of events are those that were written.

    A history's documents have the hash of their tables instead.
    """
    rows = Revision.objects.exclude(kind="imported").select_related("event").order_by("id")
    for row in rows.iterator(chunk_size=200):
        try:
            same = documents.content_hash(documents.unpack(row.document)) == row.content_hash
        except documents.DamagedDocumentError:
            same = False
        if not same:
            yield f"revision {row.number} of event {row.event.number} is not what was written"


def _after(last: str) -> Iterator[str]:
    """Rows that are younger than the log. Every act writes its entry last, so no row is younger than its entry."""
    for model, column in _DATED:
        youngest = model._default_manager.aggregate(at=db.Max(column))["at"]
        if youngest is not None and _moment(youngest) > last:
            yield (
                f"{model._meta.db_table} has rows of {_moment(youngest)}, after the log's last entry: its end was"
                " cut off"
            )


_DATED: tuple[tuple[type[db.Model], str], ...] = (
    (Merge, "at"),
    (Merge, "undone_at"),
    (Revision, "at"),
    (Submission, "at"),
    (Adjustment, "at"),
    (DatedFact, "at"),
    (FideBatch, "at"),
    (FloorRequest, "decided_at"),
)


def _moment(at: datetime) -> str:
    """As the log writes moments, so that they compare."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
