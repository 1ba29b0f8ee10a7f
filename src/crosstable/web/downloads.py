"""Names of files to download."""

from __future__ import annotations

LONGEST = 100


def attachment(name: str) -> str:
    """Return the Content-Disposition for a file of this name: ASCII letters, digits, dots, hyphens and spaces
    survive.
    """
    safe = "".join(one if one.isascii() and (one.isalnum() or one in "._- ") else "_" for one in name)
    return f'attachment; filename="{safe[-LONGEST:] or "file"}"'
