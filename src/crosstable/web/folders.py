"""Where the web office keeps what it makes for itself: a cache that may be thrown away, and a secret that may not."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from crosstable.errors import OfficeError
from crosstable.office.storage import database

CACHE_VARIABLE = "CROSSTABLE_CACHE"
SECRET_VARIABLE = "CROSSTABLE_SECRET_KEY"  # noqa: S105  the name of a variable, no secret

SHORTEST_SECRET = 32


def cache() -> Path:
    """Static files made ready, and the made-up office. Everything in it is made again when it is gone."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return _home("XDG_CACHE_HOME", ".cache") / "crosstable"


def _home(variable: str, default: str) -> Path:
    chosen = os.environ.get(variable) or os.environ.get("LOCALAPPDATA")
    return Path(chosen) if chosen else Path.home() / default


def secret_key(url: str) -> str:
    """The key that signs cookies and links: from the environment, or made once and kept beside the office.

    An SQLite office has it in a file beside its own; one on a server in the state folder of whoever serves it.
    """
    given = os.environ.get(SECRET_VARIABLE)
    if given:
        return _long_enough(given, SECRET_VARIABLE)
    file = _secret_file(url)
    return _long_enough(_kept(file), str(file))


def _long_enough(key: str, source: str) -> str:
    """Return the key, or refuse one that could be guessed: cookies and links are signed with it."""
    if len(key.strip()) < SHORTEST_SECRET:
        raise OfficeError(
            f"the secret key in {source} has fewer than {SHORTEST_SECRET} characters; delete the file or unset the "
            "variable for a new one, or set a random key of that length"
        )
    return key


def _secret_file(url: str) -> Path:
    if urlsplit(url).scheme == "sqlite":
        return Path(f"{database.parse(url)['NAME']}-secret")
    return _home("XDG_STATE_HOME", ".local/state") / "crosstable" / "secret"


def _kept(file: Path) -> str:
    """The file's key. Whoever comes first makes it; everybody else, at the same moment too, reads that one."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        made = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
        handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(handle, "w", encoding="ascii") as opened:
            opened.write(secrets.token_urlsafe(64))
        try:
            os.link(made, file)  # fails where somebody was quicker
        except FileExistsError:
            pass
        finally:
            made.unlink()
    return file.read_text(encoding="ascii")
