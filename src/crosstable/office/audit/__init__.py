"""The audit log: every write with who, when and why, append-only and chained by hashes."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "log", "verify")
