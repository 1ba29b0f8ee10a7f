"""Merging the two records of one person, and telling them apart again."""

from __future__ import annotations

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, models
from crosstable.office.ledger.merges import merged_players
from crosstable.office.ledger.packing import entries_of, games_of
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.opening_ratings import reopen_after_merge
from crosstable.office.players.register import first_position
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage import bulk, clock
from crosstable.office.storage.database import writing


def merge(actor: Actor, duplicate: str, into: str, reason: str, *, preview: bool = False) -> Rerated:
    """Two records of one person become one; what they played is rated as one player's. `unmerge` undoes it."""
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "a merge"))
    with writing():
        gone, stays = find(duplicate), main_record(find(into))
        if gone.merged_into_id is not None:
            raise OfficeError(f"{duplicate} has been merged already")
        if gone.id == stays.id:
            raise OfficeError(f"{duplicate} and {into} are the same record")
        if event := _met(gone.id, stays.id):
            raise OfficeError(f"{duplicate} and {into} played each other in event {event}: they are two people")
        position = first_position([gone.id])
        gone.merged_into = stays
        gone.save()
        models.Merge.objects.create(duplicate=gone, kept=stays, author=actor.name, reason=reason)
        position = _earlier(position, reopen_after_merge(actor, [gone.id, stays.id]))
        details = {"into": stays.number}
        return rate_from(Act(actor, "player.merge", f"player:{duplicate}", reason, details, preview), position)


def unmerge(actor: Actor, duplicate: str, reason: str, *, preview: bool = False) -> Rerated:
    """The two records were two people after all."""
    require(actor, "rating.preview" if preview else "player.merge")
    input_checks.refuse(input_checks.reasons(reason, "unmerging"))
    with writing():
        row = find(duplicate)
        if row.merged_into is None:
            raise OfficeError(f"{duplicate} is not merged into anybody")
        position = first_position([row.id])
        models.Merge.objects.filter(duplicate=row, undone_at=None).update(undone_at=clock.now(), undone_by=actor.name)
        stays, row.merged_into = row.merged_into, None
        row.save()
        position = _earlier(position, reopen_after_merge(actor, [row.id, stays.id]))
        details = {"out_of": stays.number}
        return rate_from(Act(actor, "player.unmerge", f"player:{duplicate}", reason, details, preview), position)


def _earlier(*positions: int | None) -> int | None:
    return min((one for one in positions if one is not None), default=None)


def _met(one: int, other: int) -> str | None:
    """The event in which these two played each other, if any."""
    same = merged_players()
    both = (
        f"SELECT DISTINCT a.section_id FROM ledger_ratingrow AS a JOIN ledger_ratingrow AS b "  # noqa: S608
        f"ON b.section_id = a.section_id WHERE a.player_id = {int(one)} AND b.player_id = {int(other)}"
    )
    for (section,) in bulk.rows(both):
        row = models.Section.objects.select_related("event").get(id=section)
        who = {number: same.get(player, player) for number, player in entries_of(bytes(row.entries)).tolist()}
        for _, white, black, _ in games_of(bytes(row.games)).tolist():
            if {who[white], who[black]} == {one, other}:
                return row.event.number
    return None
