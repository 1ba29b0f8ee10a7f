"""People and rights: who may do what, the second officer, and the tokens of programs."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(
    __name__,
    "granting",
    "log_reader",
    "one_time_links",
    "proposals",
    "rights",
    "second_factors",
    "second_person",
    "settings",
    "tokens",
    "users",
)
