"""An environment of their own for other people's packages, so that their dependencies do not meet ours."""

from __future__ import annotations

import subprocess
import tempfile
import venv
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
PEERS = HERE.parent / ".venv-bench"


def run_with_peers(script: str, **arrays: Any) -> str:
    """What a script beside this file prints about these arrays, which it gets as a file."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        venv.create(PEERS, with_pip=True)
        (PEERS / ".gitignore").write_text("*\n")
        subprocess.run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "games.npz"
        np.savez(file, **arrays)
        return subprocess.run([python, HERE / script, file], check=True, stdout=subprocess.PIPE, text=True).stdout
