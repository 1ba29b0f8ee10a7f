"""Where results are written to, looked at before anything is computed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from crosstable.errors import CrosstableError


def make_room(path: Path, endings: Sequence[str] = (), otherwise: str = "") -> None:
    """Refuses a file that cannot be written, or that ends in something else; its folder is made."""
    if endings and path.suffix.lower() not in endings:
        raise CrosstableError(f"'{path.name}' {otherwise}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CrosstableError(f"cannot write {path}: {error.strerror or error}") from error
    if path.is_dir():
        raise CrosstableError(f"cannot write {path}: it is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise CrosstableError(f"cannot write {path}: permission denied")
