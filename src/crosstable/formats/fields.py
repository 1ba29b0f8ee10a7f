"""Texts that every reader and writer cleans alike: ids, names, notes, cut to a field's width."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from crosstable.formats.encoding import clean


def ascii_text(text: str, width: int) -> str:
    """Without accents and cut to a field's width: `Müller` becomes `Muller`."""
    bare = unicodedata.normalize("NFKD", clean(text)).encode("ascii", errors="ignore").decode()
    return clean(bare)[:width].strip()


def cut(text: str, width: int) -> str:
    return clean(text)[:width].strip()


def identity(text: str, width: int = 40) -> str:
    """An id as a file gives it. Programs write 0 for none: two such players must not become one.

    One that is too long becomes none: half an id is another person's.
    """
    found = clean(text)
    return found if len(found) <= width and found.strip("0") else ""


def note_text(notes: Mapping[str, object], key: str) -> str:
    value = notes.get(key, "")
    return value if isinstance(value, str) else ""
