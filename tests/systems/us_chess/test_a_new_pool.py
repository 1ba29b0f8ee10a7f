"""A seventh pool is one line of Python and the rules' TOML: tried in a copy of the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
    { pool = "OTBR", from = 30 }, { pool = "OTBQ", above = 10, through = 65 },
    { pool = "OTBB", from = 5, through = 10 },
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
    "floors": [one.values["floor"] for one in rated.answers],
    "initialized": [one.values["initialized"] for one in rated.answers],
    "rate": [one.post for one in rated.answers], "replay": done.rows["post"].tolist(),
    "pool_of_rows": sorted({KEYS[place] for place in done.rows["pool"]}), "written": written,
}))
"""


OFFICE = (
    SCRIPT.partition("event = event_json")[0]
    + """
from django.core.management import call_command
from crosstable.web import settings

settings.configure("sqlite:///office.db", https=False)
call_command("migrate", verbosity=0)
call_command("collectstatic", verbosity=0, interactive=False)

from django.test import Client
from crosstable.office.ledger import office_settings
from crosstable.office.ledger.models import RatingRow
from crosstable.office.people.rights import Actor, Role
from crosstable.office.reports import accepting, submissions

office_settings.create()
officer = Actor("olive", Role.OFFICER)
number = submissions.submit(officer, json.dumps(document).encode(), "bullet.json").event
accepting.accept(officer, number)
rows = RatingRow.objects.order_by("number")
visitor = Client(headers={"host": "localhost"})
pages = [f"/players/10000001/OLX/", f"/events/{number}/1/", f"/events/{number}/1/1/OLX/", f"/estimate/?pool=OLX",
         "/api/v1/players/10000001"]
answers = [visitor.get(page) for page in pages]
rated = crosstable.rate(event_json.read(json.dumps(document).encode()).event)
print(json.dumps({
    "pools": [row.pool for row in rows], "office": [row.post for row in rows],
    "rate": [one.post for one in rated.answers],
    "statuses": [one.status_code for one in answers], "named": "Online Bullet" in answers[0].content.decode(),
}))
"""
)


def insert(path: Path, before: str, text: str) -> None:
    whole = path.read_text(encoding="utf-8")
    assert before in whole
    path.write_text(whole.replace(before, text + before, 1), encoding="utf-8")


@pytest.fixture(scope="module")
def with_a_seventh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package that has one pool more."""
    folder = tmp_path_factory.mktemp("seventh")
    copy = folder / "crosstable"
    shutil.copytree(Path(crosstable.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    insert(copy / "systems" / "us_chess" / "pools.py", ")\nKEYS =", LINE)
    insert(copy / "rulebook" / "us_chess" / "pools.toml", "\n[[clause]]", BEGINS)
    insert(copy / "rulebook" / "us_chess" / "time_controls.toml", "\n[[clause]]", CONTROLS)
    return folder


def answer(folder: Path, script: str) -> Any:
    """What a script prints there, the kernel as plain Python."""
    more = {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1", "CROSSTABLE_CACHE": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=os.environ | more, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_one_line_and_the_rules(with_a_seventh: Path) -> None:
    found = answer(with_a_seventh, SCRIPT)
    assert found["keys"] == ["OTBR", "OTBQ", "OTBB", "OLR", "OLQ", "OLB", "OLX"]
    assert found["pools"] == ["OLX"] * 3
    assert found["floors"] == [100] * 3  # 2025 §5: an online rating has the absolute floor, not the personal one
    assert found["initialized"] == [False, True, True]
    assert found["pool_of_rows"] == ["OLX"]
    assert found["replay"] == found["rate"]
    assert found["written"] == {"csv": True, "dbf": True}


def test_the_office_and_its_pages_have_it_too(with_a_seventh: Path) -> None:
    found = answer(with_a_seventh, OFFICE)
    assert found["pools"] == ["OLX"] * 3
    assert found["office"] == pytest.approx(found["rate"], abs=1e-9)
    assert found["statuses"] == [200] * 5
    assert found["named"]
