"""Notices: what the office tells a person, what people write to each other about a file or a request, and the mail."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "inbox", "mail", "messages")
