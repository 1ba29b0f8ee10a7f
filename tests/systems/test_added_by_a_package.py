"""A package that is only installed adds its system: nothing of Crosstable is changed or called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

MODULE = """
from dataclasses import dataclass
from crosstable.systems.elo import Elo

@dataclass(frozen=True)
class Island(Elo):
    name = "island"

SYSTEM = Island(k=10)
"""
EVENT = """number,id,name,rating,1
1,1,Ada,1500,W2
2,2,Ben,1500,L1
"""


def crosstable(folder: Path, *words: str) -> str:
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "crosstable", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_installed_package_adds_its_system(tmp_path: Path) -> None:
    (tmp_path / "island.py").write_text(MODULE)
    (tmp_path / "island-1.0.dist-info").mkdir()
    (tmp_path / "island-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: island\nVersion: 1.0\n")
    (tmp_path / "island-1.0.dist-info" / "entry_points.txt").write_text("[crosstable.systems]\nisland = island\n")
    (tmp_path / "event.csv").write_text(EVENT)
    assert "island" in crosstable(tmp_path, "systems")
    rated = crosstable(tmp_path, "rate", "event.csv", "--system", "island", "--date", "2026-03-01")
    assert "1505" in rated  # K = 10 and even chances: 1500 + 10 × (1 − ½)
    assert "1495" in rated
