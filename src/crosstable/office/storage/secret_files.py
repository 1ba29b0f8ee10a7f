"""Secrets that the office makes once and keeps in files outside its database."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path


def home(variable: str, default: str) -> Path:
    """Return a folder of the person who runs the office: by the variable, or below the home folder."""
    chosen = os.environ.get(variable) or os.environ.get("LOCALAPPDATA")
    return Path(chosen) if chosen else Path.home() / default


def state_folder() -> Path:
    """Return the folder for what must outlive the cache."""
    return home("XDG_STATE_HOME", ".local/state") / "crosstable"


def kept(file: Path, make: Callable[[], str]) -> str:
    """Return the file's text; make it first where it is missing. All who come at the same moment read the same one."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        made = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="ascii") as opened:
            opened.write(make())
        try:
            os.link(made, file)  # fails where another process was quicker
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return file.read_text(encoding="ascii")
