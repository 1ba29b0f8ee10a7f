"""Whom the office knows by the names of a report, where an id is missing or wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from crosstable.formats.given import first_name_first
from crosstable.office.ledger import names
from crosstable.office.ledger.models import Player
from crosstable.office.reading import people
from crosstable.office.reading.people import Person

#: So many of one name are offered; more are looked for by hand
MOST = 3


def by_name(wanted_names: Sequence[str]) -> dict[str, tuple[Person, ...]]:
    """Name → those who have all its words in theirs, whatever the order; where nobody has, those whose last name is one
    letter off. A few questions, however many names there are."""
    wanted = {name: frozenset(word for word in names.words_of(name) if len(word) > 1) for name in wanted_names}
    wanted = {name: words for name, words in wanted.items() if len(words) > 1}
    if not wanted:
        return {}
    rows_of = _rows({word for words in wanted.values() for word in words})
    rows = {name: set.intersection(*(rows_of.get(word, set()) for word in words)) for name, words in wanted.items()}
    rows |= _misspelt({name: wanted[name] for name, found in rows.items() if not found}, rows_of)
    shown = _people({row for found in rows.values() if len(found) <= MOST * 3 for row in found})
    return {name: _in_order(found, shown) for name, found in rows.items() if found}


def by_id(ids: Collection[str]) -> dict[str, tuple[Person, ...]]:
    """Id → who has it, for rows without a name."""
    if not ids:
        return {}
    found = Player.objects.filter(number__in=ids, merged_into=None, withheld=False).exclude(name="")
    people_ = (people.person(*row) for row in found.values_list(*people.COLUMNS))
    return {one.number: (one,) for one in people_}


def _rows(words: Collection[str]) -> dict[str, set[int]]:
    """Word → the players in whose names it is."""
    found: dict[str, set[int]] = {}
    for word, player in names.having(words, "player_id"):
        found.setdefault(word, set()).add(player)
    return found


def _misspelt(unknown: Mapping[str, frozenset[str]], rows_of: Mapping[str, set[int]]) -> dict[str, set[int]]:
    """Name → those with the same other words, and a last name that differs in one letter."""
    last = {name: names.words_of(first_name_first(name))[-1] for name in unknown}
    near = {name: names.one_letter_off(word) for name, word in last.items()}
    near_rows = _rows(set().union(*near.values()))
    found: dict[str, set[int]] = {}
    for name, words in unknown.items():
        others = [rows_of.get(word, set()) for word in words - {last[name]}]
        alike = set().union(*(near_rows.get(word, set()) for word in near[name]))
        found[name] = alike.intersection(*others) if others else set()
    return found


def _people(rows: Iterable[int]) -> Mapping[int, Person]:
    found = Player.objects.filter(id__in=list(rows), merged_into=None, withheld=False).values_list(*people.COLUMNS)
    return {row[0]: people.person(*row) for row in found}


def _in_order(rows: Iterable[int], shown: Mapping[int, Person]) -> tuple[Person, ...]:
    return tuple(sorted((shown[row] for row in rows if row in shown), key=lambda one: one.number)[:MOST])
