"""Published rating lists: dated, frozen, with their top lists, their report, and the audit log's head."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "export", "publish", "read")
