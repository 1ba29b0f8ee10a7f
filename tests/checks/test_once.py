"""What is checked before an event is rated is checked once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import crosstable as ct
from crosstable.cli import main
from crosstable.formats.event_json import to_json
from crosstable.model import Finding, Rating
from crosstable.systems import structure
from crosstable.systems.us_chess import validity


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the structure and the validity of an event were checked."""
    counted: Counter[str] = Counter()

    def counting(name: str, check: Callable[..., list[Finding]]) -> Callable[..., list[Finding]]:
        def problems(*args: object) -> list[Finding]:
            counted[name] += 1
            return check(*args)

        return problems

    of_validity = counting("validity", validity.problems)
    monkeypatch.setattr(structure, "problems", counting("structure", structure.problems))
    monkeypatch.setattr(validity, "problems", of_validity)
    monkeypatch.setattr("crosstable.systems.us_chess.problems", of_validity)
    return counted


def night() -> ct.Event:
    own = {who: {"OTBR": Rating(1500, 30), "OTBQ": Rating(1500, 30)} for who in ("ann", "bob")}
    return ct.Event.of("Club night", [("ann", "bob", 1)], on="2025-08-02", ratings=own, time_control="G/60;d5")


def test_the_library_checks_an_event_once(calls: Counter[str]) -> None:
    assert len(ct.rate(night()).answers) == 4  # two players in two pools
    assert calls == {"structure": 1, "validity": 1}


def test_other_systems_check_it_once_too(calls: Counter[str]) -> None:
    ct.rate(ct.Event.of("Club night", [("ann", "bob", 1)], on="2025-08-02"), system="glicko")
    assert calls == {"structure": 1}


def test_the_command_checks_a_file_once(tmp_path: Path, calls: Counter[str]) -> None:
    file = tmp_path / "night.json"
    file.write_text(json.dumps(to_json(night())))
    assert main(["rate", str(file), "--json"]) == 0
    assert calls == {"structure": 1, "validity": 1}


def test_an_error_of_the_structure_is_still_found_by_both(calls: Counter[str]) -> None:
    event = ct.Event.of("Club night", [("ann", "ann", 1)], on="2025-08-02")
    with pytest.raises(ct.EventRejected) as refused:
        ct.rate(event, system="glicko")
    assert "self-pairing" in [one.code for one in refused.value.findings]
    assert calls == {"structure": 1}
    assert "self-pairing" in [one.code for one in ct.check(event)]
