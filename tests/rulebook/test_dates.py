"""Every dated value of US Chess: what holds on the day before, and what on the day."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from crosstable import rulebook
from crosstable.errors import NoRulesOnDate

EXPECTED: dict[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parents[1] / "rules" / "us_chess.toml").read_text()
)
FIRST_RELEASE = date(2026, 11, 1)


def plain(item: Any) -> Any:
    if isinstance(item, Mapping):
        return {key: plain(part) for key, part in item.items()}
    return [plain(part) for part in item] if isinstance(item, tuple | list) else item


def changes() -> Iterator[tuple[str, date, dict[str, Any]]]:
    for rule, rows in EXPECTED.items():
        for row in rows:
            yield rule, row["day"], {name: value for name, value in row.items() if name != "day"}


@pytest.mark.parametrize(("rule", "day", "fields"), list(changes()), ids=lambda item: str(item)[:40])
def test_the_day_before_and_the_day(rule: str, day: date, fields: dict[str, Any]) -> None:
    before, after = rulebook.on(day - timedelta(days=1))[rule], rulebook.on(day)[rule]
    assert after.since == day
    for name in fields.pop("same", []):
        assert plain(before[name]) == plain(after[name]), name
    for name, (was, now) in fields.items():
        assert plain(before[name]) == was, name
        assert plain(after[name]) == now, name


def dated_values() -> set[tuple[str, date]]:
    book = rulebook.rulebook()
    return {
        (name, value.since) for name, rule in book.rules.items() for value in rule.written if value.since > book.first
    }


def entry(rule: str, day: date) -> str:
    """What tests/rules/us_chess.toml must say about a change."""
    before, after = rulebook.on(day - timedelta(days=1))[rule], rulebook.on(day)[rule]
    changed = [
        f"{name} = {plain([before[name], after[name]])}"
        for name in after.fields
        if before.fields.get(name) != after[name]
    ]
    return "\n".join([f"[[{rule}]]", f"day = {day}", *(changed or [f"same = {list(after.fields)}"])])


def test_no_dated_value_is_without_a_test() -> None:
    tested = {(rule, day) for rule, day, _ in changes()}
    missing = "\n".join(entry(rule, day) for rule, day in sorted(dated_values() - tested))
    assert not missing, f"Next edit: tests/rules/us_chess.toml. Type it from the document, and compare:\n{missing}"
    assert tested - dated_values() == set(), "tests/rules/us_chess.toml has days on which no rule changes"


def test_the_changelog_names_the_days_of_new_rules() -> None:
    """A value that comes after the first release moves ratings: the CHANGELOG says from which event dates on."""
    log = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    missing = [f"{day}: {rule}" for rule, day in sorted(dated_values()) if day > FIRST_RELEASE and str(day) not in log]
    assert not missing, f"Next edit: CHANGELOG.md. Name the event dates whose ratings move, from {', '.join(missing)}."


@pytest.mark.clause("bonus.multiplier-by-date")
def test_the_bonus_multiplier_through_the_years() -> None:
    values = [value["multiplier"] for value in rulebook.rulebook().rules["bonus"].written]
    typed = [row["multiplier"] for row in EXPECTED["bonus"]]
    assert values == [typed[0][0], *(now for _, now in typed)]
    assert values[:8] == [10, 6, 8, 10, 12, 14, 12, 10]  # 2025 §8, to its last line


@pytest.mark.parametrize(
    ("rule", "written", "practised"),
    [
        ("bonus", date(2008, 6, 6), date(2008, 6, 7)),
        ("bonus", date(2012, 8, 3), date(2012, 8, 4)),
        ("effective_games", date(2013, 5, 8), date(2013, 5, 18)),
        ("dual_k", date(2013, 5, 8), date(2013, 5, 18)),
    ],
)
def test_days_that_practice_shows_instead(rule: str, written: date, practised: date) -> None:
    assert rulebook.on(written)[rule].since == written
    assert rulebook.on(practised - timedelta(days=1), "as-practised")[rule].since < written
    assert rulebook.on(practised, "as-practised")[rule].since == practised


def test_before_the_first_day_it_raises_and_names_it() -> None:
    with pytest.raises(NoRulesOnDate, match="2001-01-01"):
        rulebook.on(date(2000, 12, 31))
    assert rulebook.on(date(2001, 1, 1))["edition"]["edition"] == 2015


def test_the_hash_is_of_what_the_rules_say() -> None:
    first, second = rulebook.on(date(2025, 8, 1)), rulebook.on(date(2025, 9, 1))
    assert first.hash == second.hash
    assert first.hash != rulebook.on(date(2024, 12, 31)).hash
    assert rulebook.on(date(2012, 1, 1)).hash != rulebook.on(date(2012, 1, 1), "as-practised").hash
