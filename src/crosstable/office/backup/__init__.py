"""Backups, restores, and the proof that an office is whole."""

from __future__ import annotations

from crosstable.office.backup.archive import BackupError, Restored, Saved, backup, restore
from crosstable.office.backup.proof import verify_all

__all__ = ["BackupError", "Restored", "Saved", "backup", "restore", "verify_all"]
