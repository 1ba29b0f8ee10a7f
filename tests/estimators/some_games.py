"""Games of made-up people for the tests of the estimators."""

from __future__ import annotations

import random
from datetime import date, timedelta

Row = tuple[date, str, str, float]


def some_games(seed: int = 4, days: int = 8) -> list[Row]:
    """Games of a dozen people on a few days, some of them newcomers later on; nobody meets the same person twice
    a day.
    """
    chance, rows = random.Random(seed), []
    for number in range(days):
        day = date(2024, 3, 1) + timedelta(days=17 * number)
        people = chance.sample([f"p{n:02}" for n in range(6 + number)], 6)
        for place in range(6):
            for other in range(place + 1, 6):
                if chance.random() < 0.5:
                    rows.append((day, people[place], people[other], chance.choice([1.0, 0.5, 0.0])))
    return rows
