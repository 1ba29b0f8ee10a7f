"""Merging the two records of one person, and telling them apart again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.db.models import Count, Min

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, models
from crosstable.office.ledger.models import DatedFact, Merge, Player
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import find, main_record, merged_players
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import memberships
from crosstable.office.players.opening_ratings import reopen_after_merge
from crosstable.office.players.register import first_position
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage import bulk, clock
from crosstable.office.storage.database import writing

# Facts that only the duplicate of two merged records has: the record that is kept takes them over, and gives them back.
#
# Memberships and ratings elsewhere need no carrying: those of all records of a person count. Names are not carried,
# because one that was deleted on request must stay deleted.

#: Fact → its words; those of the last line hold from a day on
WORDS = {
    "birth_date": "birth date",
    "sex": "sex",
    "state": "state",
    "country": "country",
    "fide_id": "FIDE id",
    "cfc_id": "CFC id",
    "withheld": "name withheld",
    "foreign_rating": "converted foreign rating",
    "adult": "adult",
    "canadian_resident": "Canadian resident",
    "usa_flag": "USA flag",
    "fide_opt_in": "FIDE opt-in",
}
#: Facts that ratings depend on
RATED = {"birth_date", "foreign_rating", *DatedFact.NAMES}


def missing(gone: Player, stays: Player) -> list[str]:
    """Return the facts that only the record that goes has."""
    mine, theirs = _said(gone), _said(stays)
    return [name for name in WORDS if name in mine and name not in theirs]


def differing_facts(gone: Player, stays: Player) -> list[str]:
    """Return the facts about which both records say something, and not the same."""
    mine, theirs = _said(gone), _said(stays)
    return [name for name in WORDS if name in mine and name in theirs and mine[name] != theirs[name]]


def in_words(names: Iterable[str]) -> str:
    return ", ".join(WORDS[name] for name in names)


def carry(merge: Merge) -> list[str]:
    """Let the kept record take over what it does not know; return the names of those facts,
    which the merge remembers.
    """
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
    """Undo `carry`, also where the record that was kept has been merged on since. What was changed meanwhile stays
    changed.
    """
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
    """Yield the records that this one was merged into, and so on."""
    while row.merged_into is not None:
        row = row.merged_into
        yield row


def _said(row: Player) -> dict[str, Any]:
    """Return what a record says: fact → value, of those that hold from a day on with the days.

    An empty fact says nothing.
    """
    said: dict[str, Any] = {name: value for name in WORDS if (value := getattr(row, name)) not in (None, "", False)}
    for name, since, value in (
        DatedFact.objects.filter(player=row).order_by("since", "id").values_list("name", "since", "value")
    ):
        said[name] = [*(said[name] if isinstance(said.get(name), list) else [said.get(name, False)]), (since, value)]
    return said


#: In the details of an opening that a merge has set aside: the merge's id
SET_ASIDE = "set_aside_by_merge"


def merge(actor: Actor, duplicate: str, into: str, reason: str, *, preview: bool = False) -> Rerated:
    """Two records of one person become one, under the id of `into`; `unmerge` undoes it.

    What they played is rated as one player's. The openings of the record that is kept stand; those of the duplicate
    count only in pools where the kept one has neither an opening nor a result. Facts that only the duplicate has are
    carried over.
    """
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "a merge", preview=preview))
    with writing():
        gone, stays = find(duplicate), main_record(find(into))
        if gone.merged_into_id is not None:
            raise OfficeError(f"{duplicate} has been merged already")
        if gone.id == stays.id:
            raise OfficeError(f"{duplicate} and {into} are the same record")
        if event := _met(gone.id, stays.id):
            raise OfficeError(f"{duplicate} and {into} played each other in event {event}: they are two people")
        position, watched, note = (
            first_position([gone.id]),
            watch([gone.id, stays.id]),
            _which_is_kept(gone, stays, preview),
        )
        note += _facts_note(gone, stays)
        set_aside = _set_aside(gone, stays)
        gone.merged_into = stays
        gone.save()
        merged = models.Merge.objects.create(duplicate=gone, kept=stays, author=actor.name, reason=reason)
        for row in set_aside:
            row.status, row.details = models.Adjustment.WITHDRAWN, {**row.details, SET_ASIDE: merged.id}
            row.save()
        carried = carry(merged)
        rated = first_position([stays.id]) if RATED & set(carried) else None
        released = memberships.release(actor, [stays.id])
        position = _earlier(position, rated, released, reopen_after_merge(actor, [gone.id, stays.id]))
        details: dict[str, Any] = {"into": stays.number}
        details |= {"set_aside": sorted({row.pool for row in set_aside})} if set_aside else {}
        details |= {"carried": carried} if carried else {}
        act = Act(
            actor=actor,
            action="player.merge",
            subject=f"player:{duplicate}",
            reason=reason,
            details=details,
            preview=preview,
            watched=watched,
        )
        return replace(rate_from(act, position, players=[gone.id, stays.id]), note=note)


@dataclass(frozen=True, slots=True)
class _Past:
    """How much there is of a record: what weighs when one of two is kept."""

    events: int
    first: date | None

    def __str__(self) -> str:
        if self.first is None:
            return "no events"
        return f"{self.events} event{'' if self.events == 1 else 's'} since {self.first}"


def _past(player: models.Player) -> _Past:
    rows = models.RatingRow.objects.filter(player=player)
    found = rows.aggregate(events=Count("section__event", distinct=True), first=Min("section__event__end"))
    return _Past(found["events"], found["first"])


def _which_is_kept(gone: models.Player, stays: models.Player, preview: bool) -> str:
    """Which record survives, and whether it is the one that one would expect to go: asked before, said after it."""
    past, kept = _past(gone), _past(stays)
    one, other = (" ".join(f"{row.number} {row.name}".split()) for row in (stays, gone))
    words = f"{one} ({kept}) is kept; {other} ({past}) is merged into it."
    if past.events > kept.events:
        odd = "it has fewer events than the other record"
    elif past.first and kept.first and past.first < kept.first and past.events == kept.events:
        odd = "it is the newer record"
    else:
        return words
    if not preview:
        return f"{words} {odd.capitalize()}: undo the merge to keep {gone.number} instead."
    return (
        f"{words} Is this the right way round? {odd.capitalize()}: to keep {gone.number}, merge {stays.number} into it."
    )


def _facts_note(gone: models.Player, stays: models.Player) -> str:
    """Return what the kept record takes over, and what both say differently: names of facts only,
    since notes go to terminals.
    """
    carried, differing = missing(gone, stays), differing_facts(gone, stays)
    note = f" Carried over from {gone.number}: {in_words(carried)}." if carried else ""
    if differing:
        note += f" They differ in: {in_words(differing)}. The facts of {stays.number} are used."
    return note


def unmerge(actor: Actor, duplicate: str, reason: str, *, preview: bool = False) -> Rerated:
    """Separate two records that were merged by mistake."""
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "unmerging", preview=preview))
    with writing():
        row = find(duplicate)
        if row.merged_into is None:
            raise OfficeError(f"{duplicate} has not been merged")
        position, watched = first_position([row.id]), watch([main_record(row).id])
        undone = models.Merge.objects.filter(duplicate=row, undone_at=None)
        _bring_back(row, undone.values_list("id", flat=True))
        for one in undone.select_related("duplicate", "kept"):
            give_back(one)
        undone.update(undone_at=clock.now(), undone_by=actor.name)
        stays, row.merged_into = find(row.merged_into.number), None
        row.save()
        released = memberships.release(actor, [row.id, stays.id])
        position = _earlier(position, released, reopen_after_merge(actor, [row.id, stays.id]))
        details = {"out_of": stays.number}
        act = Act(
            actor=actor,
            action="player.unmerge",
            subject=f"player:{duplicate}",
            reason=reason,
            details=details,
            preview=preview,
            watched=watched,
        )
        return rate_from(act, position, players=[row.id, stays.id])


def _set_aside(gone: models.Player, stays: models.Player) -> list[models.Adjustment]:
    """Return openings of the duplicate by lists,
    in pools where the record that is kept has an opening or a result of its own.
    """
    granted = models.Adjustment.objects.filter(kind=models.Adjustment.OPENING, status=models.Adjustment.GRANTED)
    opened = set(granted.filter(player=stays).values_list("pool", flat=True))
    rated = set(models.RatingRow.objects.filter(player=stays).values_list("pool", flat=True).distinct())
    return [row for row in granted.filter(player=gone, pool__in=opened | rated) if "event" not in row.details]


def _bring_back(row: models.Player, merges: Iterable[int]) -> None:
    """Count again what a merge set aside."""
    wanted = set(merges)
    for one in models.Adjustment.objects.filter(player=row, kind=models.Adjustment.OPENING):
        if one.details.get(SET_ASIDE) in wanted:
            one.details = {name: value for name, value in one.details.items() if name != SET_ASIDE}
            one.status = models.Adjustment.GRANTED
            one.save()


def merges(actor: Actor) -> list[dict[str, Any]]:
    """Which records were merged into which, newest first; undone ones too."""
    require(actor, "rating.preview")
    rows = models.Merge.objects.select_related("duplicate", "kept").order_by("-id")
    return [
        {
            "duplicate": row.duplicate.number,
            "name": row.duplicate.name,
            "kept": row.kept.number,
            "by": row.author,
            "at": row.at.isoformat(timespec="seconds"),
            "reason": row.reason,
            "undone_by": row.undone_by,
            "undone_at": row.undone_at.isoformat(timespec="seconds") if row.undone_at else None,
        }
        for row in rows
    ]


def kept_id(number: str) -> str:
    """Return the person's id: of a merged record, the one that was kept."""
    return main_record(find(number)).number


def _earlier(*positions: int | None) -> int | None:
    return min((one for one in positions if one is not None), default=None)


def _met(one: int, other: int) -> str | None:
    """Return the event in which these two played each other, if any."""
    same = merged_players()
    both = (
        "SELECT DISTINCT a.section_id FROM ledger_ratingrow AS a JOIN "  # noqa: S608  our own names and numbers
        "ledger_ratingrow AS b "
        f"ON b.section_id = a.section_id WHERE a.player_id = {int(one)} AND b.player_id = {int(other)}"
    )
    for (section,) in bulk.rows(both):
        row = models.Section.objects.select_related("event").get(id=section)
        who = {number: same.get(player, player) for number, player in entries_of(bytes(row.entries)).tolist()}
        for _, white, black, _ in games_of(bytes(row.games)).tolist():
            if {who[white], who[black]} == {one, other}:
                return row.event.number
    return None
