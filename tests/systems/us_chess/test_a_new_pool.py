"""A seventh pool is one line of Python and the rules' TOML: tried in a copy of the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import crosstable

LINE = '    Pool("OLX", ONLINE, "bullet", "OX", ("ONL_X_RTG",), ("online bullet",)),\n'
PLAYERS = '["OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB", "OLX"]'
BEGINS = f"""
[[value]]
from = 2026-01-01
pools = {PLAYERS}
document = "us-chess-2025"
section = "8"
"""
CONTROLS = """
[[value]]
from = 2026-01-01
pools = [
    { pool = "OTBR", from = 30 }, { pool = "OTBQ", above = 10, through = 65 }, { pool = "OTBB", from = 5, through = 10 },
    { pool = "OLR", from = 30 }, { pool = "OLQ", above = 10, below = 30 }, { pool = "OLB", from = 5, through = 10 },
    { pool = "OLX", from = 1, below = 5 },
]
first_control = 5
first_control_blitz = 3
document = "us-chess-2025"
section = "footnote 1"
"""
SCRIPT = """
import io, json
import crosstable
from crosstable.formats import event_json, rating_lists
from crosstable.formats.rating_lists.base import ListedPlayer
from crosstable.formats.rating_lists.writing import write
from crosstable.replay.from_event import history_of_events
from crosstable.replay.us_chess import replay
from crosstable.systems.us_chess.pools import KEYS

def player(number, **ratings):
    return {"number": number, "id": f"1000000{number}", "name": f"P{number}", "adult": True, "ratings": ratings}

record = {"rating": 130.0, "games": 40, "wins": 20, "draws": 10, "losses": 10, "three_game_events": 12}
document = {
    "format": "crosstable-event/1", "name": "Bullet", "start": "2026-03-01", "end": "2026-03-01",
    "sections": [{"number": 1, "name": "Open", "mode": "online", "time_control": "G/1;+1",
                  "players": [player(1, OLX=record), player(2, OTBR={"rating": 1500, "games": 40}), player(3)],
                  "games": [{"round": 1, "white": 2, "black": 1, "result": "1-0"},
                            {"round": 2, "white": 3, "black": 1, "result": "1-0"},
                            {"round": 3, "white": 2, "black": 3, "result": "1/2-1/2"}]}],
}
event = event_json.read(json.dumps(document).encode()).event
rated = crosstable.rate(event)
history, states = history_of_events([event])
done = replay(history, states)
row = [ListedPlayer("10000001", "P1", {"OLX": 1500.0})]
written = {}
for kind in ("csv", "dbf"):
    out = io.BytesIO()
    write(row, kind, out)
    written[kind] = b"OLX" in out.getvalue() or b"ONL_X_RTG" in out.getvalue()
print(json.dumps({
    "keys": KEYS, "pools": [one.pool for one in rated.answers],
    "floors": [one.values["floor"] for one in rated.answers], "initialized": [one.values["initialized"] for one in rated.answers],
    "rate": [one.post for one in rated.answers], "replay": done.rows["post"].tolist(),
    "pool_of_rows": sorted({KEYS[place] for place in done.rows["pool"]}), "written": written,
}))
"""


def insert(path: Path, before: str, text: str) -> None:
    whole = path.read_text(encoding="utf-8")
    assert before in whole
    path.write_text(whole.replace(before, text + before, 1), encoding="utf-8")


def test_one_line_and_the_rules(tmp_path: Path) -> None:
    copy = tmp_path / "crosstable"
    shutil.copytree(
        Path(crosstable.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__", "web", "office")
    )
    insert(copy / "systems" / "us_chess" / "pools.py", ")\nKEYS =", LINE)
    insert(copy / "rulebook" / "us_chess" / "pools.toml", "\n[[clause]]", BEGINS)
    insert(copy / "rulebook" / "us_chess" / "time_controls.toml", "\n[[clause]]", CONTROLS)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}  # the kernel as plain Python
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, env=environment, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["keys"] == ["OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB", "OLX"]
    assert found["pools"] == ["OLX"] * 3
    assert found["floors"] == [100] * 3  # 2025 §5: an online rating has the absolute floor, not the personal one
    assert found["initialized"] == [False, True, True]
    assert found["pool_of_rows"] == ["OLX"]
    assert found["replay"] == found["rate"]
    assert found["written"] == {"csv": True, "dbf": True}
