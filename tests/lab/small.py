"""Small sources for the lab's tests: history tables and a plain table of games, made from known strengths."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl

FIRST = date(2010, 1, 2)


def tables(
    events: int = 60, players: int = 60, field: int = 12, rounds: int = 4, seed: int = 5
) -> dict[str, pl.DataFrame]:
    """Swiss-like sections in which the row's first player is the better finisher, as crosstables have it."""
    random = np.random.default_rng(seed)
    strength = random.normal(1500, 300, players)
    published = strength + random.normal(0, 80, players)
    sections, entries, games = [], [], []
    for section in range(events):
        day = FIRST + timedelta(days=7 * section)
        sections.append((section, day, day, day, "R" if section % 3 else "D", "S", "F"))
        who = random.choice(players, field, replace=False)
        played = []
        points = np.zeros(field)
        for number in range(rounds):
            for pair in random.permutation(field).reshape(-1, 2):
                chance = 1 / (1 + 10 ** ((strength[who[pair[1]]] - strength[who[pair[0]]]) / 400))
                luck = random.random()
                half_points = 2 if luck < chance - 0.06 else 1 if luck < chance + 0.06 else 0
                played.append((number + 1, pair[0], pair[1], half_points))
                points[pair[0]] += half_points
                points[pair[1]] += 2 - half_points
        place = np.empty(field, int)
        place[np.argsort(-points, kind="stable")] = np.arange(1, field + 1)
        for index in range(field):
            rating = int(published[who[index]])
            games_before = None if who[index] % 4 else 10
            entries.append((section, int(place[index]), int(who[index]) + 1000, rating, games_before, rating, None))
        for number, a, b, half_points in played:
            first, second, result = (a, b, half_points) if place[a] < place[b] else (b, a, 2 - half_points)
            colour = "W" if section % 10 == 0 and number % 2 else None
            games.append((section, number, int(place[first]), int(place[second]), result, colour))
    return {
        "sections": pl.DataFrame(
            sections, ["section", "start", "end", "event_end", "system", "type", "k"], orient="row"
        ),
        "entries": pl.DataFrame(
            entries,
            {
                "section": pl.Int32,
                "number": pl.Int16,
                "player": pl.Int32,
                "regular_pre": pl.Int16,
                "regular_pre_games": pl.Int16,
                "regular_post": pl.Int16,
                "regular_post_games": pl.Int16,
            },
            orient="row",
        ),
        "games": pl.DataFrame(
            games,
            {
                "section": pl.Int32,
                "round": pl.Int16,
                "number": pl.Int16,
                "opponent": pl.Int16,
                "half_points": pl.Int8,
                "color": pl.String,
            },
            orient="row",
        ),
    }


def written(folder: Path, frames: dict[str, pl.DataFrame]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, frame in frames.items():
        frame.write_parquet(folder / f"{name}.parquet")
    return folder


def turned(games: pl.DataFrame) -> pl.DataFrame:
    """Every row from the other side."""
    return games.select(
        "section",
        "round",
        pl.col("opponent").alias("number"),
        pl.col("number").alias("opponent"),
        (2 - pl.col("half_points")).cast(pl.Int8).alias("half_points"),
        pl.col("color").replace_strict({"W": "B", "B": "W"}, default=None, return_dtype=pl.String).alias("color"),
    )


def csv(folder: Path, text: str) -> Path:
    path = folder / "games.csv"
    path.write_text(text, encoding="utf-8")
    return path
