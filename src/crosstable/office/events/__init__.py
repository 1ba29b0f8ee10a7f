"""Events: submit → review → accept; corrections and withdrawals are new revisions, and nothing is overwritten."""

from __future__ import annotations

from crosstable.office.events.pipeline import (
    CORRECTION,
    QUEUED,
    REFUSED,
    SAME,
    UNREADABLE,
    Submitted,
    Waiting,
    accept,
    accept_many,
    correct,
    document,
    find,
    original,
    review,
    revisions,
    submit,
    withdraw,
)

__all__ = [
    "CORRECTION",
    "QUEUED",
    "REFUSED",
    "SAME",
    "UNREADABLE",
    "Submitted",
    "Waiting",
    "accept",
    "accept_many",
    "correct",
    "document",
    "find",
    "original",
    "review",
    "revisions",
    "submit",
    "withdraw",
]
