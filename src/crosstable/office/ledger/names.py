"""Names by their words, so that half a name finds its player at once: "Dale" and "ahm" both lead to Ahmed Dale."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from crosstable.office.ledger.models import NameWord
from crosstable.office.storage import bulk

LONGEST = 40
#: Letters that Unicode does not take apart
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})


def words_of(text: str) -> list[str]:
    """A name's words as they are looked for: small letters, no accents, no marks."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter))
    parts = "".join(letter if letter.isalnum() else " " for letter in plain.replace("'", "").replace("’", ""))
    return list(dict.fromkeys(word[:LONGEST] for word in parts.split()))


def add(names: Iterable[tuple[int, str]]) -> None:
    """The words of new players' names, by their rows in the ledger."""
    rows = [(player, word) for player, name in names for word in words_of(name)]
    if rows:
        bulk.insert_rows("ledger_nameword", ("player_id", "word"), rows)


def change(player: int, name: str) -> None:
    """A player has another name."""
    NameWord.objects.filter(player_id=player).delete()
    add([(player, name)])
