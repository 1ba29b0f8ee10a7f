"""Names as people write them: whether two spellings can be one person's."""

from __future__ import annotations

import re
import unicodedata

from crosstable.formats.fields import one_edit_apart

#: Words that many names share: they say nothing about whose name it is
_SHARED_BY_MANY = frozenset(
    (
        "jr",
        "sr",
        "ii",
        "iii",
        "iv",
        "de",
        "del",
        "di",
        "da",
        "dos",
        "du",
        "la",
        "le",
        "van",
        "von",
        "der",
        "al",
        "el",
        "bin",
    )
)
#: Shorter words are other names when one letter differs: Wang and Wong
SHORTEST_MISSPELT = 5


def same_name(one: str, other: str) -> bool:
    """Whether two spellings can be one person's: a word in common, whatever the order, accents and initials.

    A long word with one letter missing, added, changed or out of place is the same word.
    """
    mine, theirs = _words(one), _words(other)
    if not mine or not theirs or mine & theirs:
        return True
    return any(nearly_same_word(word, near) for word in mine for near in theirs)


def equal_names(one: str, other: str) -> bool:
    """Return whether two spellings have the same words, whatever the order, accents and initials."""
    return bool(_words(one)) and _words(one) == _words(other)


def nearly_same_word(one: str, other: str) -> bool:
    """Whether two words are long enough that one letter makes no other name of them, and one letter is all."""
    return min(len(one), len(other)) >= SHORTEST_MISSPELT and one_edit_apart(one, other)


def _words(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", errors="ignore").decode().lower()
    words = {word for word in re.findall(r"[a-z]+", plain) if len(word) > 1}
    return words - _SHARED_BY_MANY or words
