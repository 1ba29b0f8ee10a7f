"""Jobs: runs longer than a request. What is asked for waits as a row, a worker does it, everybody in the office can watch."""

from __future__ import annotations

from crosstable.office.storage.lazy import lazy_modules

__getattr__ = lazy_modules(__name__, "kinds", "running", "signs")
