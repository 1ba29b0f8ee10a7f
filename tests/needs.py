"""What some tests need and not every machine has. Without it they are skipped, and the last lines say how to get it."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NoReturn

import pytest

#: The name under which a skipped test's report says what was missing
PROPERTY = "missing"


@dataclass(frozen=True, slots=True)
class Need:
    """A program or folder, what it is for, and how to get it."""

    name: str
    purpose: str
    how: str
    in_ci: bool = True  # whether CI has it: there its absence is a failure


POSTGRESQL = Need("PostgreSQL", "the office on its second database", "apt-get install postgresql")
CHROMIUM = Need("Chromium", "pages in a browser", "apt-get install chromium")
SHARED = Need(
    "The shared material",
    "documents, vectors, samples and the published record",
    "put its folder beside the checkout",
    in_ci=False,
)
RUNTIME = Need(
    "The Python runtime for browsers", "rating inside a page", "apt-get install npm, then make runtime", in_ci=False
)
NEEDS = (POSTGRESQL, CHROMIUM, SHARED, RUNTIME)


class Missing(pytest.skip.Exception):
    """A test is skipped because something that it needs is missing."""

    def __init__(self, need: Need) -> None:
        super().__init__(f"{need.name} is missing ({need.how})")
        self.need = need


def missing(need: Need) -> NoReturn:
    """Skip the test, or fail it in CI where the need should be met."""
    if need.in_ci and os.environ.get("CI") == "true":
        pytest.fail(f"{need.name} is missing, and CI needs it ({need.how})", pytrace=False)
    raise Missing(need)


def chromium() -> str:
    """Return the path of Chromium, or skip the test."""
    return shutil.which("chromium") or missing(CHROMIUM)


def summary(reports: Iterable[pytest.TestReport]) -> Iterator[str]:
    """Yield a line for each need that was missing: what was not tested, how many tests were skipped, how to get it."""
    names = (value for report in reports for key, value in report.user_properties if key == PROPERTY)
    counts = Counter(names)
    for need in NEEDS:
        if count := counts[need.name]:
            tests = "1 test was" if count == 1 else f"{count:,} tests were"
            yield f"{need.name} is missing: {tests} skipped ({need.purpose}). To get it: {need.how}."
