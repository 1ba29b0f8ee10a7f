"""The measures of a prediction, against arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest

from crosstable.replay.scores import NoGames, game_accuracy, game_deviance, game_log_loss, scores


def test_a_constant_half_scores_log10_of_two() -> None:
    found = scores([0.5, 0.5, 0.5], [1.0, 0.5, 0.0])
    assert found["deviance"] == pytest.approx(0.30103, abs=5e-6)  # Kaggle's figure for always 1/2
    assert found["log_loss"] == pytest.approx(math.log(2))
    assert found["brier"] == pytest.approx((0.25 + 0 + 0.25) / 3)
    assert found["accuracy"] == 0.5
    assert found["n"] == 3


def test_deviance_keeps_predictions_between_one_and_ninety_nine_per_cent() -> None:
    assert game_deviance([1.0, 0.0], [1.0, 0.0]) == pytest.approx([-math.log10(0.99)] * 2)
    assert game_deviance([1.0], [0.0]) == pytest.approx([2.0])  # -log10(0.01)


def test_log_loss_clips_later() -> None:
    assert game_log_loss([1.0], [0.0]) == pytest.approx([-math.log(1e-6)])


def test_accuracy_gives_half_for_draws_and_for_games_without_a_favourite() -> None:
    assert game_accuracy([0.7, 0.7, 0.2, 0.5], [1.0, 0.5, 0.0, 1.0]).tolist() == [1.0, 0.5, 1.0, 0.5]


def test_every_measure_is_the_same_from_the_other_side() -> None:
    random = np.random.default_rng(3)
    expected, score = random.random(1000), random.choice([0.0, 0.5, 1.0], 1000)
    one, two = scores(expected, score), scores(1 - expected, 1 - score)
    assert one == pytest.approx(two)


def test_no_games_are_refused_in_words() -> None:
    with pytest.raises(NoGames, match="no games"):
        scores([], [])
