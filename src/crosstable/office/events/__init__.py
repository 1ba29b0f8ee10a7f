"""Events: submit → review → accept; corrections and withdrawals are new revisions, and nothing is overwritten."""

from __future__ import annotations

from crosstable.office.events.event_rows import document, find, revisions
from crosstable.office.events.file_reading import Added
from crosstable.office.events.pipeline import accept, accept_many, correct, withdraw
from crosstable.office.events.refusing import refuse
from crosstable.office.events.reviewing import Waiting, review
from crosstable.office.events.submitting import CORRECTION, QUEUED, REFUSED, SAME, UNREADABLE, Submitted, submit

__all__ = [
    "CORRECTION", "QUEUED", "REFUSED", "SAME", "UNREADABLE", "Added", "Submitted", "Waiting", "accept", "accept_many", "correct",
    "document", "find", "refuse", "review", "revisions", "submit", "withdraw",
]  # fmt: skip
