"""Published records in the making: the three tables row by row, and the sums of a single game between established
players.
"""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from crosstable.lab.verify import Verified, verify

WORDS = ("regular", "quick", "blitz")
DAY = date(2012, 3, 4)


class Tables:
    """A record in the making: the three tables, row by row."""

    def __init__(self) -> None:
        self.sections: list[dict[str, Any]] = []
        self.entries: list[dict[str, Any]] = []
        self.games: list[dict[str, Any]] = []

    def section(
        self, number: int, on: date = DAY, system: str = "R", kind: str | None = "S", k: str | None = "F", **more: Any
    ) -> None:
        """`more`: the section's own `end`."""
        self.sections.append(
            {
                "section": number,
                "start": on,
                "end": more.get("end", on),
                "event_end": on,
                "system": system,
                "type": kind,
                "k": k,
            }
            | {"time_control": None, "rounds": 5, "players": 2}
        )

    def entry(
        self, section: int, number: int, player: int, **ratings: tuple[int | None, int | None, int | None, int | None]
    ) -> None:
        """Each rating as (pre, games before, post, games after)."""
        row: dict[str, Any] = {"section": section, "number": number, "player": player, "norm": None, "has": "x--"}
        for word in WORDS:
            for figure, value in zip(
                ("pre", "pre_games", "post", "post_games"), ratings.get(word, (None,) * 4), strict=True
            ):
                row[f"{word}_{figure}"] = value
        self.entries.append(row)

    def played(self, section: int, *rows: tuple[int, int, int]) -> None:
        """(number, opponent, half points), a round each."""
        for place, (number, opponent, half_points) in enumerate(rows, 1):
            self.games.append(
                {"section": section, "round": place, "number": number, "opponent": opponent}
                | {"half_points": half_points, "color": None}
            )

    def write(self, folder: Path) -> Path:
        for name in ("sections", "entries", "games"):
            pl.DataFrame(getattr(self, name), infer_schema_length=None).write_parquet(folder / f"{name}.parquet")
        return folder

    def verified(self, folder: Path, since: date | None = None, until: date | None = None) -> Verified:
        return verify(self.write(folder), since, until)


def expectancy(rating: float, opponent: float) -> float:
    return 1 / (1 + 10 ** ((opponent - rating) / 400))


def one_game(winner: float, loser: float, k_winner: float, k_loser: float) -> tuple[float, float]:
    """Steps 4 and 5 of one decisive game between two players of the standard formula."""
    first = winner + k_winner * (1 - expectancy(winner, loser)), loser - k_loser * expectancy(loser, winner)
    return winner + k_winner * (1 - expectancy(winner, first[1])), loser - k_loser * expectancy(loser, first[0])


#: N* of 1500 before May 2013: 50/sqrt(1 + 700²/100000); one game
K_1500 = 800 / (50 / math.sqrt(1 + 4.9) + 1)
RISE, FALL = one_game(1500, 1500, K_1500, K_1500)
UP, DOWN = math.ceil(RISE), math.floor(FALL)  # away from the pre-event rating: 1518 and 1482


def two_at_1500(tables: Tables, section: int = 1, winner: int = UP, loser: int = DOWN, **more: Any) -> None:
    tables.section(section, **more)
    tables.entry(section, 1, 11, regular=(1500, None, winner, None))
    tables.entry(section, 2, 12, regular=(1500, None, loser, None))
    tables.played(section, (1, 2, 2))


def only(rows: pl.DataFrame) -> dict[str, Any]:
    assert len(rows) == 1
    return rows.row(0, named=True)
