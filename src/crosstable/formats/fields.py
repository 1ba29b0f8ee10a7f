"""Texts that every reader and writer cleans alike: ids, names, notes, cut to a field's width."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from crosstable.formats.encoding import clean
from crosstable.model import Player


def ascii_text(text: str, width: int) -> str:
    """Without accents and cut to a field's width: `Müller` becomes `Muller`."""
    bare = unicodedata.normalize("NFKD", clean(text)).encode("ascii", errors="ignore").decode()
    return clean(bare)[:width].strip()


def cut(text: str, width: int) -> str:
    return clean(text)[:width].strip()


#: What people write where there is not an ID.
_NO_ID = frozenset(
    (
        "new",
        "none",
        "no",
        "tbd",
        "tba",
        "n/a",
        "na",
        "nil",
        "null",
        "unrated",
        "unr",
        "unknown",
        "pending",
        "applied",
        "missing",
    )
)


def identity(text: str, width: int = 40) -> str:
    """Return an id as a file gives it.

    Programs write 0 for none, people `new`, `n/a`, `?`: two such players must not become one.

    One that is too long becomes none: half an id is another person's.
    """
    found = clean(text)
    return "" if says_no_id(found) or not found.strip("0") or len(found) > width else found


def says_no_id(text: str) -> bool:
    """Whether what stands in the place of an id says that there is none: `new`, `TBD`, `?`, `--`."""
    return not text.strip("?-–—. ()*#") or text.casefold().strip("?.()*# ") in _NO_ID


#: The note of a player who is a new member: the office gives the id when it accepts the event
NEW_MEMBER = "new_member"


def is_new_member(player: Player) -> bool:
    """Return whether the report says that the player is new and has no id yet."""
    return player.notes.get(NEW_MEMBER) is True and (not player.id.strip() or says_no_id(player.id))


def note_text(notes: Mapping[str, object], key: str) -> str:
    value = notes.get(key, "")
    return value if isinstance(value, str) else ""


def one_edit_apart(one: str, other: str) -> bool:
    """Whether one letter is missing, added or changed, or two neighbours changed places: Newman and Neuman."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    left, right = one[start:], other[start:]
    return (
        left[1:] == right[1:]
        or left[1:] == right
        or left == right[1:]
        or (left[:2] == right[1::-1] and left[2:] == right[2:])
    )
