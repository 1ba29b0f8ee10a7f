"""An explanation prints what the rulebook says: change a number there, and it stands in the explanation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crosstable.model import Answer
from crosstable.rulebook.reform import Reform
from crosstable.systems.us_chess import deciding
from tests.derivations import Shown, shown_steps
from tests.systems.us_chess.builders import by_number, games, player, rated, section

CHANGES = {
    "bonus": {"multiplier": 7},
    "matches": {"limit": 33.0, "limit_180_days": 66.0, "days": 170, "limit_3_years": 144.0, "years": 4},
    "earned_floor": {"step": 50.0},
}


@pytest.fixture
def other_rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    book = Reform("Numbers that nobody printed", "us_chess", CHANGES).apply()
    monkeypatch.setattr(deciding, "rulebook", lambda _: book)
    deciding._rule.cache_clear()
    yield
    deciding._rule.cache_clear()


def step(answer: Answer, title: str) -> Shown:
    return next(one for one in shown_steps(answer) if one.title == title)


@pytest.mark.usefixtures("other_rules")
def test_the_bonus_multiplier() -> None:
    field = [player(1, 1400), *(player(number, 1900) for number in (2, 3, 4, 5))]
    wins = games((1, 2, "1-0"), (1, 3, "1-0"), (1, 4, "1-0"), (1, 5, "1-0"))
    winner = by_number(rated(section(field, wins)))[1]
    assert "7 × √4 = 14.0000" in step(winner, "Bonus").text


@pytest.mark.usefixtures("other_rules")
def test_the_limits_of_matches() -> None:
    wins = games(*[(1, 2, "1-0")] * 8)
    winner = by_number(rated(section([player(1, 1500), player(2, 1800)], wins, kind="match")))[1]
    assert winner.post == 1533
    said = step(winner, "Match limits").text
    assert "by 33 points at most, all matches within 170 days together by 66, and within 4 years by 144: 1533." in said


@pytest.mark.usefixtures("other_rules")
def test_the_step_of_earned_floors() -> None:
    field = [player(1, 1600, peak=1760.0), player(2, 1600)]
    answer = by_number(rated(section(field, games((1, 2, "1/2-1/2")))))[1]
    assert answer.values["floor"] == 1550  # 1760 − 200 = 1560, down to a multiple of 50
    assert "The floor is 1550 (earned by a peak of 1760)" in step(answer, "Floor").text


def test_the_edition_in_force_is_cited() -> None:
    match = section([player(1, 1500, peak=1760.0), player(2, 1800)], games(*[(1, 2, "1-0")] * 8), kind="match")
    sources = [one.source for one in shown_steps(by_number(rated(match))[1]) if one.source]
    assert "2025 §7, since 2001-01-01" in sources
    assert {source.split(" ")[0] for source in sources} == {"2025"}
