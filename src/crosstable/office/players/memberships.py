"""Memberships, and what leaving prison does to ratings under the rules of 1996."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import find
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.register import first_position
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage.database import writing
from crosstable.rulebook import rulebook
from crosstable.systems.uscf_1996.prison import PRISON


def join(actor: Actor, number: str, kind: str, since: date, until: date | None = None, reason: str = "") -> Rerated:
    """A membership. Where the 1996 report's prison rules hold, leaving prison makes ratings provisional on one game."""
    require(actor, "membership.write")
    input_checks.refuse(input_checks.membership(kind, since, until))
    with writing():
        row = find(number)
        models.Membership.objects.create(player=row, kind=kind, since=since, until=until)
        details = {"kind": kind, "since": str(since), "until": str(until or "")}
        if office().prison_rules:
            _release(actor, row)
        position = first_position([row.id])  # a first membership on record says when there was none, too
        return rate_from(Act(actor, "membership.write", f"player:{number}", reason, details), position)


def _release(actor: Actor, player: models.Player) -> None:
    """1996: the rating stays, provisional on one game.

    For every system of the office, and by all memberships on record: neither may depend on what came in first.
    """
    wanted = {(day, key) for day in _releases(player) for one in all_systems(office()) for key in one.pools}
    kind, granted = models.Adjustment.RELEASE, models.Adjustment.GRANTED
    for row in models.Adjustment.objects.filter(player=player, kind=kind, status=granted):
        if (row.date, row.system) in wanted:
            wanted.remove((row.date, row.system))
        else:  # a membership that came in late stands between
            row.status = models.Adjustment.WITHDRAWN
            row.save()
    rules = rulebook("uscf_1996").on(rulebook("uscf_1996").first)
    fields = {"games": rules["prison"]["games_on_release"], "peak": None, "wins": None, "draws": None, "losses": None}
    models.Adjustment.objects.bulk_create(
        models.Adjustment(
            player=player, system=key, kind=kind, date=day, position=order.day_of(day), fields=fields,
            author=actor.name, reason="regular membership after a prison membership (1996 report)",
        )
        for day, key in sorted(wanted)
    )  # fmt: skip


def _releases(player: models.Player) -> list[date]:
    """The days on which another membership follows a prison membership."""
    rows = list(models.Membership.objects.filter(player=player).order_by("since", "kind"))
    released = [later for one, later in pairwise(rows) if one.kind == PRISON and later.kind != PRISON]
    return [row.since for row in released]
