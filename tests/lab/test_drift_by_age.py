"""The committee's monitor of drift: established, active players of 35 to 45, where birth dates are known."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from crosstable.cli import main
from crosstable.errors import CrosstableError
from crosstable.lab.drift import drift_by_age
from crosstable.lab.source import Source, read_source
from tests.lab.small import csv


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """Two players of 40 and one of 70 meet every week for two years; the younger win more and more."""
    names = ("Ann", "Ben", "Old")
    lines = []
    for week in range(100):
        day = date(2020, 1, 5) + timedelta(days=7 * week)
        for white, black in ((0, 1), (1, 2), (2, 0)):
            score = 0.5 if white == 0 else 1.0 if black == 2 else 0.0
            lines.append(f"{day},{names[white]},{names[black]},{score}")
    made = read_source(str(csv(tmp_path, "\n".join(["date,white,black,score", *lines]))))
    history = made.federation.history
    players = history.players.copy()
    births = {"Ann": date(1980, 6, 1), "Ben": date(1981, 6, 1), "Old": date(1950, 1, 1)}
    players["birth_day"] = [births[name].toordinal() for name in history.ids]
    federation = replace(made.federation, history=replace(history, players=players))
    return Source(made.name, made.games, made.pool, lambda: federation)


def test_only_the_age_asked_for_counts(source: Source) -> None:
    found = drift_by_age(source, 35, 45)
    assert found["year"].to_list() == [2020]
    assert found["players"].to_list() == [2]
    assert found["mean_change"][0] > 0
    old = drift_by_age(source, 65, 75)
    assert old["players"].to_list() == [1]
    assert old["mean_change"][0] <= 0  # at the end on the absolute floor


def test_without_birth_dates_it_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = csv(tmp_path, "date,white,black,score\n2020-01-01,A,B,1\n")
    assert main(["lab", "drift-by-age", str(path)]) == 1
    assert "holds no birth dates" in capsys.readouterr().err


def test_the_ages_must_be_in_order(source: Source) -> None:
    with pytest.raises(CrosstableError, match="the first must be the smaller"):
        drift_by_age(source, 45, 35)
