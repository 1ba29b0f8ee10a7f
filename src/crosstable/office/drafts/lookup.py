"""Whom the office knows by the names of a report, where an id is missing or wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from crosstable.office.ledger.models import NameWord, Player
from crosstable.office.ledger.names import words_of
from crosstable.office.reading import people
from crosstable.office.reading.people import Person

#: So many of one name are offered; more are looked for by hand
MOST = 3


def by_name(names: Sequence[str]) -> dict[str, tuple[Person, ...]]:
    """Name → those who have all its words in theirs, whatever the order. Two questions, however many names there are."""
    wanted = {name: frozenset(word for word in words_of(name) if len(word) > 1) for name in names}
    wanted = {name: words for name, words in wanted.items() if len(words) > 1}
    if not wanted:
        return {}
    having: dict[str, set[int]] = {}
    every = sorted({word for words in wanted.values() for word in words})
    for word, player in NameWord.objects.filter(word__in=every).values_list("word", "player_id"):
        having.setdefault(word, set()).add(player)
    rows = {name: set.intersection(*(having.get(word, set()) for word in words)) for name, words in wanted.items()}
    shown = _people({row for found in rows.values() if len(found) <= MOST * 3 for row in found})
    return {name: _in_order(found, shown) for name, found in rows.items() if found}


def _people(rows: Iterable[int]) -> Mapping[int, Person]:
    found = Player.objects.filter(id__in=list(rows), merged_into=None, withheld=False).values_list(*people.COLUMNS)
    return {row[0]: people.person(*row) for row in found}


def _in_order(rows: Iterable[int], shown: Mapping[int, Person]) -> tuple[Person, ...]:
    return tuple(sorted((shown[row] for row in rows if row in shown), key=lambda one: one.number)[:MOST])
