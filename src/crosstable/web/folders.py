"""Where the web office keeps what it makes for itself: a cache that may be thrown away, and a secret that may not."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from urllib.parse import urlsplit

from crosstable.errors import OfficeError
from crosstable.office.storage import database, secret_files

CACHE_VARIABLE = "CROSSTABLE_CACHE"
SECRET_VARIABLE = "CROSSTABLE_SECRET_KEY"  # noqa: S105  the name of a variable, no secret

SHORTEST_SECRET = 32


def cache() -> Path:
    """Return the folder for compiled static files and the example office; everything in it can be made again."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return secret_files.home("XDG_CACHE_HOME", ".cache") / "crosstable"


def secret_key(url: str) -> str:
    """Return the key that signs cookies and links: from the environment, or made once and stored for this office.

    For an SQLite office the file lies beside the database; otherwise in the state folder of the user who serves it.
    """
    given = os.environ.get(SECRET_VARIABLE)
    if given:
        return _long_enough(given, SECRET_VARIABLE)
    file = _secret_file(url)
    return _long_enough(secret_files.kept(file, lambda: secrets.token_urlsafe(64)), str(file))


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
    return secret_files.state_folder() / "secret"
