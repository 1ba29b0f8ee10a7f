"""`crosstable club score`, exact to the printed field."""

from __future__ import annotations

import json

import pytest

from crosstable.cli import main


@pytest.mark.parametrize(
    ("own", "opponent", "result", "expected"),
    [
        (500, 600, "win", {"own": 525, "opponent": 575}),  # commands.md, and the club's first example
        (500, 600, "loss", {"own": 483, "opponent": 617}),
        (500, 600, "draw", {"own": 504, "opponent": 596}),
        (500, 512, "win", {"own": 521, "opponent": 491}),
        (300, 310, "loss", {"own": 300, "opponent": 331}),
        (400, 1500, "draw", {"own": 441, "opponent": 1459}),
    ],
)
def test_score_as_json(
    own: int, opponent: int, result: str, expected: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["club", "score", str(own), str(opponent), result, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_score_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "score", "500", "600", "win"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "You beat your opponent, who was 100 points higher: 21 + 4 = 25.",
        "You: 500 → 525. Your opponent: 600 → 575.",
    ]


def test_a_rating_under_the_floor_is_wrong_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["club", "score", "299", "600", "win"]) == 1
    assert "under the floor" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["500", "600"], ["500", "600", "lost"], ["many", "600", "win"], []])
def test_a_wrong_command_line(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["club", "score", *words])
    assert caught.value.code == 2
