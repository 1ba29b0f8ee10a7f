"""Corrections that directors ask for: a request with its file, looked at beside what is rated, then granted or refused."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "asking", "deciding")
