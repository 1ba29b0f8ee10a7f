"""Whole histories at once: tables of published crosstables become an office."""

from __future__ import annotations

from crosstable.office.history.importing import ESTABLISHED, import_history

__all__ = ["ESTABLISHED", "import_history"]
