"""The design principle of 5.2: kept by the report's own model, missed by real games, by a computable amount."""

from __future__ import annotations

from pathlib import Path

import pytest

from crosstable.lab.title_chance import draw_principle, normal_model, principle_table, real_games
from crosstable.titles.chance import title_chance, title_chance_from


@pytest.mark.clause("1996.design")
def test_the_reports_own_model_keeps_the_principle() -> None:
    """Printed: about 0.325 for a norm, about one half for the title in ten events."""
    found = normal_model()
    assert found.title == pytest.approx(0.50, abs=0.03)
    assert found.norm == pytest.approx(0.325, abs=0.01)
    assert found.title == pytest.approx(title_chance(0.325, 10), abs=4 * found.standard_error)


def test_real_games_against_equals_by_hand() -> None:
    """Four games, no draws: the score is binomial. Delta in four games: 0.454, 1.25, 1.82, 2.284, 2.686.

    One over the expected two: one norm, 4/16. Two over: three norms, 1/16.
    """
    once = [11 / 16, 4 / 16, 0, 1 / 16, 0, 0]
    found = real_games(4, draws=0.0, spread=0.0)
    assert found.norm == pytest.approx(5 / 16, abs=0.005)
    assert found.title == pytest.approx(title_chance_from(once, 10), abs=4 * found.standard_error)


def test_real_games_miss_the_principle() -> None:
    """Draws make a score less spread than 0.5 per root of a game, so norms are rarer than the report reckons."""
    for draws in (0.3, 0.6):
        found = real_games(None, draws, trials=4000)
        assert found.title < 0.40
    assert real_games(None, 0.6, trials=4000).title < real_games(None, 0.0, trials=4000).title


def test_the_same_seed_gives_the_same_answer() -> None:
    assert real_games(6, trials=500, seed=5) == real_games(6, trials=500, seed=5)
    assert real_games(6, trials=500, seed=5) != real_games(6, trials=500, seed=6)


def test_table_and_plot(tmp_path: Path) -> None:
    rows = principle_table(200)
    assert len(rows) == 2 * 3 * 7  # opponents, draws, rounds 4 to 9 and mixed
    draw_principle(rows, normal_model(200), tmp_path / "principle.svg")
    assert "<svg" in (tmp_path / "principle.svg").read_text()
