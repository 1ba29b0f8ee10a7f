"""What a new player brings along: floors, peak and games, by `office players add`, in the words of a member list."""

from __future__ import annotations

from datetime import date

import pytest

from crosstable.cli import main
from crosstable.model.memberships import KINDS
from crosstable.office import players
from crosstable.office.ledger.models import Adjustment, Membership, Player

NEW = ["players", "add", "12345678", "--name", "Ann Ames", "--rating", "1705", "--games", "40", "--on", "2025-08-01"]


def run(url: str, *words: str) -> int:
    return main(["office", "--db", url, *words])


def test_a_peak_brings_its_floor(ready: str) -> None:
    """2025 §5: a peak of 1941 gives a floor of 1700."""
    history = ["--peak", "1941", "--wins", "20", "--draws", "8", "--losses", "12", "--match-changes", "2025-01-15 +24"]
    assert run(ready, *NEW, *history) == 0
    assert players.show("12345678")["ratings"]["OTBR"]["floor"]["rating"] == 1700.0
    fields = Adjustment.objects.get(player=Player.objects.get()).fields
    assert fields["match_changes"] == [{"date": "2025-01-15", "change": 24.0}]
    assert fields["date"] == str(date(2025, 8, 1))


def test_everything_that_cannot_be_taken_is_said(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ready, *NEW, "--floor", "1755", "--peak", "high", "--wins", "41") == 1
    said = capsys.readouterr().err
    assert "peak: 'high'" in said
    assert "41 of 40 games" in said
    assert "no rule gives a floor of 1755" in said
    assert not Player.objects.exists()


def test_a_history_needs_a_rating(ready: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ready, "players", "add", "12345678", "--peak", "1941") == 1
    assert "--peak needs --rating and --games" in capsys.readouterr().err


def test_lists_and_offices_know_the_same_kinds_of_membership() -> None:
    assert Membership.KINDS == KINDS
