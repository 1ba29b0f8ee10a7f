"""The strict loader: every way in which a rule file can be wrong is an error that says so."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from crosstable.errors import RulebookError, UnknownSystem
from crosstable.rulebook import build, rulebook

INDEX = {"title": "Test", "first": tomllib.loads("d = 2001-01-01")["d"], "document": {"law": "The Law"}}
RULE = """
title = "Bonus"
says = "B = {multiplier}"
fields = { multiplier = "number" }
[[value]]
from = 2001-01-01
document = "law"
section = "1"
multiplier = 10
[[value]]
from = 2010-01-01
document = "law"
section = "2"
multiplier = 6
[[clause]]
id = "bonus.b"
document = "law"
section = "1"
says = "B is B."
"""


def load(text: str) -> Any:
    return build("test", INDEX, {"bonus": tomllib.loads(text)})


def test_a_right_file_loads() -> None:
    book = load(RULE)
    assert [value["multiplier"] for value in book.rules["bonus"].written] == [10, 6]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("multiplier = 6", "multiplier = 6\ncolour = 1", "unknown key colour"),
        ('title = "Bonus"', 'title = "Bonus"\nsubtitle = "x"', "unknown key subtitle"),
        ('section = "2"', "", "missing source"),
        ('document = "law"\nsection = "2"', 'document = "lore"\nsection = "2"', "unknown document 'lore'"),
        ("from = 2010-01-01", "from = 2001-01-01", "overlap"),
        ('section = "1"\nmultiplier = 10', 'section = "1"\nmultiplier = 10\nuntil = 2010-01-01', "overlap"),
        ('section = "1"\nmultiplier = 10', 'section = "1"\nmultiplier = 10\nuntil = 2009-12-30', "gap"),
        ("from = 2001-01-01", "from = 2001-01-02", "gap"),
        ("multiplier = 6", 'multiplier = "six"', "must be a number"),
        ("multiplier = 6", "multiplier = true", "must be a number"),
        ("multiplier = 6", "", "missing 'multiplier'"),
        ("multiplier = 6", "multiplier = 6\npractised = { b = 1 }", "unknown key b"),
        ('id = "bonus.b"', "", "missing id"),
        (
            'says = "B is B."',
            'says = "B is B."\n[[clause]]\nid = "bonus.b"\ndocument = "law"\nsection = "1"\nsays = "again"',
            "used twice",
        ),
    ],
)
def test_a_wrong_file_is_refused(old: str, new: str, says: str) -> None:
    assert old in RULE
    with pytest.raises(RulebookError, match=says):
        load(RULE.replace(old, new, 1))


def test_a_rule_may_end() -> None:
    book = load(RULE.replace("multiplier = 6", "multiplier = 6\nuntil = 2020-12-31"))
    days = tomllib.loads("a = 2020-12-31\nb = 2021-01-01")
    assert "bonus" in book.on(days["a"])
    assert "bonus" not in book.on(days["b"])


def test_rules_cannot_be_changed_at_run_time() -> None:
    rules = load(RULE).on(INDEX["first"])
    with pytest.raises(TypeError):
        rules["bonus"].fields["multiplier"] = 99


def test_an_unknown_system_names_the_known_ones() -> None:
    with pytest.raises(UnknownSystem, match="us_chess"):
        rulebook("us_checkers")
