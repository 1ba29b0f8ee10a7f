"""`crosstable rate` on a 64-player, 7-round event: wall time with start-up, beside a bare Python start. The aim is
under 0.4 s.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

AIM_SECONDS = 0.4


def event(players: int = 64, rounds: int = 7, seed: int = 7) -> dict[str, object]:
    """A Swiss-like section: some unrated, some provisional, random results."""
    chance = random.Random(seed)
    field = []
    for number in range(1, players + 1):
        ratings = {}
        if number % 8:
            ratings["OTBR"] = {
                "rating": chance.uniform(600, 2300),
                "games": chance.choice([5, 20, 60, 400]),
                "date": "2025-06-01",
            }
        field.append(
            {
                "number": number,
                "id": f"2{number:07d}",
                "birth_date": f"{chance.randint(1950, 2016)}-05-05",
                "ratings": ratings,
            }
        )
    games = []
    for round_number in range(1, rounds + 1):
        order = list(range(1, players + 1))
        chance.shuffle(order)
        for white, black in zip(order[::2], order[1::2], strict=True):
            games.append(
                {
                    "round": round_number,
                    "white": white,
                    "black": black,
                    "result": chance.choice(["1-0", "0-1", "1/2-1/2"]),
                }
            )
    section = {"number": 1, "time_control": "G/60;d5", "players": field, "games": games}
    return {
        "format": "crosstable-event/1",
        "name": "Bench",
        "start": "2025-08-02",
        "end": "2025-08-03",
        "sections": [section],
    }


def best_of(command: list[str], times: int = 9) -> float:
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "event.json"
        path.write_text(json.dumps(event()))
        bare = best_of([sys.executable, "-c", "pass"])
        rate = best_of([sys.executable, "-m", "crosstable", "rate", str(path)])
    result = {
        "bare_python_s": bare,
        "rate_64x7_s": rate,
        "ratio": rate / bare,
        "aim_s": AIM_SECONDS,
        "reached": rate < AIM_SECONDS,
    }
    print(json.dumps({name: round(value, 3) if isinstance(value, float) else value for name, value in result.items()}))


if __name__ == "__main__":
    main()
