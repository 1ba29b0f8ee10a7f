"""How often someone may preview a report with a player whose age would move a rating.

A preview shows nothing that depends on a stored age (systems.any_age). The limit is the second lock on the same door:
someone who tries hundreds of invented results for one child is stopped, and the log says so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from crosstable.errors import OfficeError
from crosstable.model import Event
from crosstable.office.audit.log import record
from crosstable.office.ledger.office_settings import office
from crosstable.office.people.rights import Actor, require
from crosstable.office.reports import drafts
from crosstable.office.reports.models import PreviewedVersion
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing


class PreviewLimit(OfficeError):
    """Too many versions of a report with one player in a day."""


def count(actor: Actor, event: Event, players: Collection[str]) -> None:
    """Count one more version of a report for each of these players, or raise PreviewLimit. The same version counts
    once.
    """
    require(actor, "draft.write")
    if not players or actor.may("player.read_private"):
        return
    version = hashlib.sha256(drafts.pack(event)).hexdigest()
    today, viewer, most = clock.today(), actor.user, office().previews_a_day
    rows = PreviewedVersion.objects.filter(viewer=viewer, day=today, player__in=list(players))
    new = sorted(set(players).difference(rows.filter(version=version).values_list("player", flat=True)))
    if not new:
        return
    full = [player for player in new if rows.filter(player=player).count() >= most]
    if full:
        _refuse(actor, full, most)
    with writing():
        PreviewedVersion.objects.exclude(day=today).delete()
        made = [PreviewedVersion(viewer=viewer, day=today, player=player, version=version) for player in new]
        PreviewedVersion.objects.bulk_create(made, ignore_conflicts=True)


def _refuse(actor: Actor, players: list[str], most: int) -> None:
    """Refuse, and write it into the log: an officer sees who tries, and how often."""
    with writing():
        record(actor.name, "draft.preview_limit", f"player:{players[0]}", "", {"players": players, "limit": most})
    raise PreviewLimit(
        f"you have previewed {most} versions of reports with player {players[0]} today, which is the limit for a player"
        " whose rating depends on an age; send the report without another preview, or preview it tomorrow"
    )
