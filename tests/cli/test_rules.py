"""`rules`, `estimate` and `systems` answer in words and in JSON."""

from __future__ import annotations

import json
import math

import pytest

from crosstable.cli import main
from crosstable.systems import SYSTEMS


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_rules_of_a_day(capsys: pytest.CaptureFixture[str]) -> None:
    rules = answer(capsys, "rules", "--on", "2017-06-01")
    bonus = next(rule for rule in rules["rules"] if rule["rule"] == "bonus")
    assert bonus["says"].startswith("B = 14")
    assert bonus["from"] == "2017-06-01"
    assert "May 1, 2017" in bonus["note"]  # the clash is kept
    assert main(["rules", "--on", "2017-06-01"]) == 0
    assert "B = 14" in capsys.readouterr().out


def test_before_the_first_day(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--on", "2000-12-31"]) == 1
    assert "2001-01-01" in capsys.readouterr().err


def test_what_changed_between_two_editions(capsys: pytest.CaptureFixture[str]) -> None:
    changes = {row["rule"]: row for row in answer(capsys, "rules", "diff", "2017-04-24", "2025-07-26")["changes"]}
    assert changes["bonus"]["changed"] == ["2017-06-01", "2023-02-01", "2025-01-01"]
    assert changes["initial"]["changed"] == ["2020-06-01"]
    assert "standard" not in changes  # a new edition that says the same is no change
    assert main(["rules", "diff", "2025-07-26", "2025-08-01"]) == 0
    assert "Nothing." in capsys.readouterr().out


def test_the_print_behind_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    source = answer(capsys, "rules", "source", "bonus")
    years = [row["from"][:4] for row in source["values"]]
    assert years[:8] == ["2001", "2008", "2012", "2014", "2015", "2017", "2023", "2025"]  # 2025 §8, to its last line
    assert main(["rules", "source", "bonsu"]) == 1
    assert "bonus" in capsys.readouterr().err  # the rules that there are


ESTIMATE = ["estimate", "--rating", "1643.759", "--games", "40", "--opponents", "1700,1650,1580", "--on", "2025-08-02"]


def test_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, *ESTIMATE, "--score", "2")
    effective = 50 / math.sqrt(0.662 + 0.00000739 * (2569 - 1643.759) ** 2)
    expected = sum(1 / (1 + 10 ** ((r - 1643.759) / 400)) for r in (1700, 1650, 1580))
    post = 1643.759 + 800 / (effective + 3) * (2 - expected)  # below the bonus threshold of 10 × √4
    assert found["post"] == pytest.approx(post)
    assert found["published"] == math.floor(post + 0.5)


def test_estimate_says_what_a_target_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, *ESTIMATE, "--target", "1660")["needed_score"] == 2
    assert answer(capsys, *ESTIMATE, "--target", "2000")["needed_score"] is None
    assert main([*ESTIMATE, "--target", "2000"]) == 0
    assert "Even 3 wins" in capsys.readouterr().out


@pytest.mark.parametrize("extra", [[], ["--score", "4"], ["--score", "1.3"], ["--score", "-1"]])
def test_estimate_refuses_nonsense(extra: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["estimate", "--rating", "1500", "--games", "40", "--opponents", "1500,1600,1700", *extra]) == 2
    assert capsys.readouterr().err


def test_systems_lists_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "systems")["systems"]
    assert [row["name"] for row in found] == list(SYSTEMS)
    assert next(row for row in found if row["name"] == "us_chess")["pools"] == [
        "OTBR",
        "OTBQ",
        "OTBB",
        "OLR",
        "OLQ",
        "OLB",
    ]
    assert main(["systems"]) == 0
    assert "Glicko" in capsys.readouterr().out
