"""Names by their words, so that half a name finds its player at once: "Dale" and "ahm" both lead to Ahmed Dale.

Events are found by any part of a word: "ledo" leads to the Toledo Open.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from crosstable.checks.names import SHORTEST_MISSPELT
from crosstable.office.ledger.models import Event, EventHasWord, EventWord, NameWord
from crosstable.office.storage import bulk

LONGEST = 40
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"
#: Letters that Unicode does not take apart
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})


def words_of(text: str) -> list[str]:
    """Return a name's words as they are looked for: small letters, no accents, no marks."""
    letters = without_accents(text).replace("'", "").replace("’", "")
    parts = "".join(letter if letter.isalnum() else " " for letter in letters)
    return list(dict.fromkeys(word[:LONGEST] for word in parts.split()))


def without_accents(text: str) -> str:
    """Small letters, marks as they are."""
    apart = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def one_letter_off(word: str) -> set[str]:
    """Every word that differs in one letter: another, one more, one less, two that changed places. Asked for by name
    they are found in the index; the words of a whole register are never compared. Of a short word they would be other
    names."""
    if len(word) < SHORTEST_MISSPELT:
        return set()
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return {
        *(a + b[1:] for a, b in halves if b),
        *(a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1),
        *(a + letter + b[1:] for a, b in halves if b for letter in _ALPHABET),
        *(a + letter + b for a, b in halves for letter in _ALPHABET),
    } - {word}


def having(words: Collection[str]) -> list[tuple[str, int, str, str]]:
    """Return (word, player's row, ID, name) of the players who are shown, for each word that a name has."""
    if not words:
        return []
    among, parameter = bulk.among("words.word", sorted(words))
    shown = "player.merged_into_id IS NULL AND NOT player.withheld"
    players = "ledger_nameword AS words JOIN ledger_player AS player ON player.id = words.player_id"
    sql = (
        f"SELECT words.word, player.id, player.number, player.name FROM {players} WHERE "  # noqa: S608  our own names
        f"{among} AND {shown}"
    )
    return bulk.rows(sql, [parameter])


def add(names: Iterable[tuple[int, str]]) -> None:
    """Add the words of new players' names, by their rows in the ledger."""
    rows = [(player, word) for player, name in names for word in words_of(name)]
    if rows:
        bulk.insert_rows("ledger_nameword", ("player_id", "word"), rows)


def change(player: int, name: str) -> None:
    """Replace the words of a player who has another name."""
    NameWord.objects.filter(player_id=player).delete()
    add([(player, name)])


def name_event(row: Event) -> None:
    """Replace the words of a rated event's name."""
    words = list(dict.fromkeys(without_accents(row.name).split()))
    EventHasWord.objects.filter(event=row).delete()
    EventWord.objects.bulk_create((EventWord(word=word) for word in words), ignore_conflicts=True)
    known = EventWord.objects.filter(word__in=words)
    EventHasWord.objects.bulk_create(EventHasWord(event=row, word=word) for word in known)
