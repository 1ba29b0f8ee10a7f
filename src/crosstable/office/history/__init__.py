"""Whole histories at once: tables of published crosstables become an office."""

from __future__ import annotations

from crosstable.office.history.importing import import_history

__all__ = ["import_history"]
