"""The friendly sentence at a board, with the document's examples and those of the drawing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crosstable.club.sentences import RatedPlayer, of_game
from crosstable.systems.st_charles import SYSTEM


def said(white: tuple[str, int], black: tuple[str, int], score: float) -> str:
    mine, theirs = SYSTEM.score(white[1], black[1], score)
    return str(of_game(RatedPlayer(*white, mine.post), RatedPlayer(*black, theirs.post), score, SYSTEM))


@pytest.mark.parametrize(
    ("white", "black", "score", "words"),
    [
        (("Leo", 500), ("Nora", 600), 1.0, "Leo beat Nora, who was 100 points higher: 21 + 4 = 25."),
        (("Nora", 600), ("Leo", 500), 0.0, "Leo beat Nora, who was 100 points higher: 21 + 4 = 25."),
        (("Ines", 452), ("Tomás", 431), 0.5, "Ines drew with Tomás, who was 21 points lower: 1 point goes to Tomás."),
        (("Leo", 500), ("Nora", 600), 0.5, "Leo drew with Nora, who was 100 points higher: 4 points go to Leo."),
        (("Maya", 541), ("Rafi", 466), 1.0, "Maya beat Rafi, who was 75 points lower: 21 − 3 = 18."),
        (("Ade", 400), ("Mila", 412), 1.0, "Ade beat Mila, who was only 12 points higher: 21."),
        (("Ade", 400), ("Mila", 400), 0.5, "Ade drew with Mila, who had the same rating: nothing changes."),
        (
            ("Sam", 1000),
            ("Kit", 400),
            1.0,
            "Sam beat Kit, who was 600 points lower: 21 − 24 = −3, but a winner always gains at least 2: 2.",
        ),
        (
            ("Kit", 400),
            ("Sam", 1000),
            1.0,
            "Kit beat Sam, who was 600 points higher: 21 + 24 = 45, but no rating moves more than 41: 41.",
        ),
        (
            ("Ade", 310),
            ("Kit", 310),
            1.0,
            "Ade beat Kit, who had the same rating: 21; Kit stays at 300, because no rating falls lower.",
        ),
    ],
)
def test_sentences(white: tuple[str, int], black: tuple[str, int], score: float, words: str) -> None:
    assert said(white, black, score) == words


@given(st.integers(300, 1500), st.integers(300, 1500), st.sampled_from([0.0, 0.5, 1.0]))
def test_every_game_has_one(own: int, opponent: int, score: float) -> None:
    text = said(("Ann", own), ("Bo", opponent), score)
    assert text.endswith(".")
    assert text.startswith(("Ann beat Bo", "Bo beat Ann", "Ann drew with Bo"))
