"""Reading the chain from its first entry to its last: any flip, deletion, reorder or truncation is found."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.office.audit.log import GENESIS, Head, digest
from crosstable.office.audit.models import AuditEntry, AuditHead
from crosstable.office.storage import watching

#: So many entries between two words on how far the proof is
TOLD = 1000


@dataclass(frozen=True, slots=True)
class Report:
    """What `audit verify` says: how much was read, where the chain ends, and everything that is wrong with it."""

    entries: int
    head: Head
    anchors: int  # heads of published lists that were looked for in the chain
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # what could not be compared, and why

    @property
    def ok(self) -> bool:
        return not self.problems


def verify(anchors: Iterable[tuple[str, Head]] = ()) -> Report:
    """Check the whole chain, its head row, and each anchor: (where a head was printed, that head)."""
    wanted: dict[int, list[tuple[str, str]]] = {}
    looked_for = 0
    for where, anchor in anchors:
        wanted.setdefault(anchor.count, []).append((where, anchor.hash))
        looked_for += 1
    problems: list[str] = []
    last = Head(0, GENESIS)
    problems += _missed(wanted.pop(0, []), last)
    count = AuditEntry.objects.count()
    for entry in AuditEntry.objects.order_by("seq").iterator(chunk_size=5000):
        if entry.seq % TOLD == 0:
            watching.tell(entry.seq, count)
        problems += _of_entry(entry, last)
        last = Head(entry.seq, entry.hash)
        problems += _missed(wanted.pop(entry.seq, []), last)
    problems += _of_head(last)
    for count, printed in sorted(wanted.items()):
        problems += [f"{where} prints entry {count}, which is not in the log: it was cut off" for where, _ in printed]
    return Report(count, last, looked_for, tuple(problems))


def _of_entry(entry: AuditEntry, before: Head) -> list[str]:
    found: list[str] = []
    if entry.seq != before.count + 1:
        found.append(f"entries {before.count + 1} to {entry.seq - 1} are missing")
    if entry.previous != before.hash:
        found.append(f"entry {entry.seq} does not follow entry {before.count}: something between was changed or moved")
    if digest(entry) != entry.hash:
        found.append(f"entry {entry.seq} was changed after it was written")
    if not _readable(entry.details):
        found.append(f"the details of entry {entry.seq} cannot be read")
    return found


def _readable(details: str) -> bool:
    try:
        return isinstance(json.loads(details), dict)
    except ValueError:
        return False


def _of_head(last: Head) -> list[str]:
    row = AuditHead.objects.filter(id=1).first()
    if row is None:
        return ["the head of the log is missing"]
    if Head(row.count, row.hash) != last:
        return [f"the log ends at {last}, but its head says {row}: entries were cut off or added outside the office"]
    return []


def _missed(printed: list[tuple[str, str]], here: Head) -> list[str]:
    return [
        f"{where} prints another hash for entry {here.count}: the log before it was rewritten"
        for where, digest_printed in printed
        if digest_printed != here.hash
    ]
