"""What a machine lacks is said once, at the end; in CI it is a failure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests import needs
from tests.test_house import modules, strings


def skipped(*names: str) -> list[Any]:
    return [SimpleNamespace(user_properties=[(needs.PROPERTY, name)] if name else []) for name in names]


def test_the_last_lines_say_what_was_skipped_and_how_to_get_it() -> None:
    reports = skipped("Chromium", "", "PostgreSQL", "PostgreSQL")  # the second has another reason
    assert list(needs.summary(reports)) == [
        (
            "PostgreSQL is missing: 2 tests were skipped (the office on its second database). "
            "To get it: apt-get install postgresql."
        ),
        "Chromium is missing: 1 test was skipped (pages in a browser). To get it: apt-get install chromium.",
    ]
    assert list(needs.summary([])) == []


@pytest.mark.parametrize(
    ("need", "ci", "outcome"),
    [
        (needs.CHROMIUM, "true", pytest.fail.Exception),
        (needs.POSTGRESQL, "true", pytest.fail.Exception),
        (needs.CHROMIUM, "", needs.Missing),
        (needs.SHARED, "true", needs.Missing),  # CI runs the tests without it first
    ],
)
def test_in_ci_a_missing_program_is_a_failure(
    need: needs.Need, ci: str, outcome: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome):
        needs.missing(need)


def test_one_place_decides_what_ci_must_have() -> None:
    """A test that needs a program asks `needs`: then CI fails without it, and the last lines count it everywhere
    else.
    """
    asking = [module for module, text in modules("tests") for _, string in strings(text) if string == "CI"]
    assert set(asking) <= {"tests/needs.py", "tests/test_needs.py"}
