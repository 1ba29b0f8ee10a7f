"""Registered players who may be meant by a name in a report, where an id is missing or wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import OuterRef, Subquery

from crosstable.checks.names import equal_names
from crosstable.fixes import Candidate
from crosstable.formats.given import first_name_first
from crosstable.model.states import STATES
from crosstable.office.ledger import models, names, order
from crosstable.office.lists.official import shown
from crosstable.office.rating import states
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.systems.us_chess.pools import KEYS

#: Of a name that more players have, none is suggested: they are looked for by hand
MOST = 9


def by_name(wanted_names: Sequence[str], *, private: bool = False) -> dict[str, tuple[Candidate, ...]]:
    """Return name → the players who have all its words in theirs, in any order; if there are none, those whose last
    name is one letter off. The number of queries does not depend on the number of names. `private`: with birth years.
    """
    wanted = {name: frozenset(word for word in names.words_of(name) if len(word) > 1) for name in wanted_names}
    wanted = {name: words for name, words in wanted.items() if len(words) > 1}
    if not wanted:
        return {}
    rows_of = _rows({word for words in wanted.values() for word in words})
    rows = {name: set.intersection(*(rows_of.get(word, set()) for word in words)) for name, words in wanted.items()}
    rows |= _misspelt({name: wanted[name] for name, found in rows.items() if not found}, rows_of)
    people = _people({row for found in rows.values() if len(found) <= MOST for row in found}, private=private)
    return {
        name: tuple(sorted((people[row] for row in found if row in people), key=lambda one: one.id))
        for name, found in rows.items()
        if found
    }


def sharing(wanted_names: Sequence[str]) -> dict[str, set[str]]:
    """Return name → the ids of the players who have this very name, where there are several."""
    wanted = {name: frozenset(word for word in names.words_of(name) if len(word) > 1) for name in wanted_names}
    wanted = {name: words for name, words in wanted.items() if len(words) > 1}
    rows_of = _rows({word for words in wanted.values() for word in words}) if wanted else {}
    rows = {name: set.intersection(*(rows_of.get(word, set()) for word in words)) for name, words in wanted.items()}
    several = {row for found in rows.values() if len(found) > 1 for row in found}
    people = models.Player.objects.filter(id__in=several, merged_into=None, withheld=False)
    named = {row: (number, name) for row, number, name in people.values_list("id", "number", "name")} if several else {}
    same = {
        name: {named[row][0] for row in found if row in named and equal_names(name, named[row][1])}
        for name, found in rows.items()
        if len(found) > 1
    }
    return {name: ids for name, ids in same.items() if len(ids) > 1}


def by_id(ids: Collection[str]) -> dict[str, tuple[Candidate, ...]]:
    """Return id → the player who has it, for rows without a name."""
    if not ids:
        return {}
    found = models.Player.objects.filter(number__in=ids).exclude(name="").values_list("id", flat=True)
    return {one.id: (one,) for one in _people(found).values()}


def _rows(words: Collection[str]) -> dict[str, set[int]]:
    """Return word → the players in whose names it is."""
    found: dict[str, set[int]] = {}
    for word, player, _, _ in names.having(words):
        found.setdefault(word, set()).add(player)
    return found


def _misspelt(unknown: Mapping[str, frozenset[str]], rows_of: Mapping[str, set[int]]) -> dict[str, set[int]]:
    """Return name → those with the same other words, and a last name that differs in one letter."""
    last = {name: names.words_of(first_name_first(name))[-1] for name in unknown}
    near = {name: names.one_letter_off(word) for name, word in last.items()}
    near_rows = _rows(set().union(*near.values()))
    found: dict[str, set[int]] = {}
    for name, words in unknown.items():
        others = [rows_of.get(word, set()) for word in words - {last[name]}]
        alike = set().union(*(near_rows.get(word, set()) for word in near[name]))
        found[name] = alike.intersection(*others) if others else set()
    return found


def _people(rows: Iterable[int], *, private: bool = False) -> Mapping[int, Candidate]:
    """Return what tells namesakes apart. A name that is withheld is not told."""
    last = models.RatingRow.objects.filter(player=OuterRef("id")).order_by("-position").values("section__event__name")
    found = (
        models.Player.objects.filter(id__in=list(rows), merged_into=None, withheld=False)
        .annotate(last=Subquery(last[:1]))
        .values_list("id", "number", "name", "state", "birth_date", "last")
    )
    players = list(found)
    ratings = _ratings([row for row, *_ in players])
    return {
        row: Candidate(
            id=number,
            name=first_name_first(name),
            state=STATES.get(state, state),
            rating=ratings.get(row),
            last_event=last or "",
            birth_year=born.year if private and born else None,
        )
        for row, number, name, state, born, last in players
    }


def _ratings(rows: Sequence[int]) -> dict[int, int]:
    """Return each player's rating as everyone may know it, in the first pool that has one."""
    if not rows:
        return {}
    records = states.now(rows)
    starts = AgeStarts(records)
    found: dict[int, int] = {}
    for row, pools in records.items():
        for pool in KEYS:
            rating = pools[pool].rating if pool in pools else None
            whole = None if rating is None else shown(pool, rating)
            if whole is not None and not starts.tells(row, pool, rating, order.END):
                found.setdefault(row, round(whole))
    return found
