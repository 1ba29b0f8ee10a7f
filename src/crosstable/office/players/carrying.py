"""Facts that only the duplicate of two merged records has: the record that is kept takes them over, and gives them back.

Memberships and ratings elsewhere need no carrying: those of all records of a person count. Names are not carried, because one
that was deleted on request must stay deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from crosstable.office.ledger.models import DatedFact, Merge, Player

#: Fact → its words; those of the last line hold from a day on
WORDS = {
    "birth_date": "birth date", "sex": "sex", "state": "state", "country": "country", "fide_id": "FIDE id",
    "cfc_id": "CFC id", "withheld": "name withheld", "foreign_rating": "converted foreign rating",
    "adult": "adult", "canadian_resident": "Canadian resident", "usa_flag": "USA flag", "fide_opt_in": "FIDE opt-in",
}  # fmt: skip
#: Facts that ratings depend on
RATED = {"birth_date", "foreign_rating", *DatedFact.NAMES}


def missing(gone: Player, stays: Player) -> list[str]:
    """The facts that only the record that goes has."""
    mine, theirs = _said(gone), _said(stays)
    return [name for name in WORDS if name in mine and name not in theirs]


def differing(gone: Player, stays: Player) -> list[str]:
    """The facts about which both records say something, and not the same."""
    mine, theirs = _said(gone), _said(stays)
    return [name for name in WORDS if name in mine and name in theirs and mine[name] != theirs[name]]


def in_words(names: Iterable[str]) -> str:
    return ", ".join(WORDS[name] for name in names)


def carry(merge: Merge) -> list[str]:
    """The record that is kept takes over what it does not know; the names of those facts. The merge remembers them."""
    gone, stays, names = merge.duplicate, merge.kept, missing(merge.duplicate, merge.kept)
    if not names:
        return []
    rows = DatedFact.objects.filter(player=gone, name__in=names)
    moved = list(rows.values_list("id", flat=True))
    rows.update(player=stays)
    plain = [name for name in names if getattr(gone, name)]
    for name in plain:
        setattr(stays, name, getattr(gone, name))
    stays.save()
    before = merge.carried
    merge.carried = {"facts": [*before.get("facts", ()), *plain], "dated": [*before.get("dated", ()), *moved]}
    merge.save()
    return names


def give_back(merge: Merge) -> None:
    """Undo `carry`, also where the record that was kept has been merged on since. What was changed meanwhile stays changed."""
    gone, blank, facts = merge.duplicate, Player(), list(merge.carried.get("facts", ()))
    holders = [merge.kept, *_above(merge.kept)]
    for one in holders:
        for name in facts:
            if getattr(one, name) == getattr(gone, name):
                setattr(one, name, getattr(blank, name))
        one.save()
        onward = Merge.objects.filter(duplicate=one, undone_at=None).first()
        facts = [name for name in facts if onward is not None and name in onward.carried.get("facts", ())]
    DatedFact.objects.filter(id__in=merge.carried.get("dated", ()), player__in=holders).update(player=gone)
    for one in holders:  # another duplicate may know the same
        for other in Merge.objects.filter(kept=one, undone_at=None).exclude(id=merge.id).order_by("id"):
            carry(other)


def _above(row: Player) -> Iterator[Player]:
    """The records that this one was merged into, and so on."""
    while row.merged_into is not None:
        row = row.merged_into
        yield row


def _said(row: Player) -> dict[str, Any]:
    """What a record says: fact → value, of those that hold from a day on with the days. An empty fact says nothing."""
    said: dict[str, Any] = {name: value for name in WORDS if (value := getattr(row, name)) not in (None, "", False)}
    for name, since, value in (
        DatedFact.objects.filter(player=row).order_by("since", "id").values_list("name", "since", "value")
    ):
        said[name] = [*(said[name] if isinstance(said.get(name), list) else [said.get(name, False)]), (since, value)]
    return said
