"""Memberships, and what leaving prison does to ratings under the rules of 1996."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from itertools import pairwise

from crosstable.office.ledger import input_checks, models, order
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import find, main_record, merged_players, with_duplicates
from crosstable.office.people.rights import Actor, require
from crosstable.office.players.register import first_position
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage.database import writing
from crosstable.rulebook import rulebook
from crosstable.systems.uscf_1996.prison import PRISON


def join(
    actor: Actor,
    number: str,
    kind: str,
    since: date,
    until: date | None = None,
    reason: str = "",
    *,
    preview: bool = False,
) -> Rerated:
    """Record a membership.

    Where the 1996 report's prison rules hold, leaving prison makes ratings provisional on one game.
    """
    require(actor, "membership.write")
    reasons = input_checks.reasons(reason, "a membership", optional=True)
    input_checks.refuse([*reasons, *input_checks.membership(kind, since, until)])
    with writing():
        row = find(number)
        watched = watch([main_record(row).id])
        models.Membership.objects.create(player=row, kind=kind, since=since, until=until)
        details = {"kind": kind, "since": str(since), "until": str(until or "")}
        release(actor, [row.id])
        position = first_position([row.id])  # a first membership on record says when there was none, too
        act = Act(
            actor=actor,
            action="membership.write",
            subject=f"player:{number}",
            reason=reason,
            details=details,
            preview=preview,
            watched=watched,
        )
        return rate_from(act, position, players=[row.id])


def release(actor: Actor, players: Iterable[int]) -> int | None:
    """Where the 1996 rules hold: the releases of these people as all their memberships say; from where on one changed.

    The rating stays, provisional on one game. For every pool of the office, and by all memberships of all records of a
    person: neither may depend on what came in first.
    """
    if not office().prison_rules:
        return None
    same = merged_players()
    changed = [place for one in {same.get(player, player) for player in players} for place in _release(actor, one)]
    return min(changed, default=None)


def _release(actor: Actor, player: int) -> list[int]:
    who = with_duplicates([player])
    wanted = {(day, key) for day in _releases(who) for one in all_systems(office()) for key in one.pools}
    kind, granted = models.Adjustment.RELEASE, models.Adjustment.GRANTED
    changed = []
    for row in models.Adjustment.objects.filter(player_id__in=who, kind=kind, status=granted).order_by("id"):
        if (row.date, row.pool) in wanted:
            wanted.remove((row.date, row.pool))
        else:  # a membership that came in late stands between, or another record's
            row.status = models.Adjustment.WITHDRAWN
            row.save()
            changed.append(row.position)
    rules = rulebook("uscf_1996").on(rulebook("uscf_1996").first)
    fields = {"games": rules["prison"]["games_on_release"], "peak": None, "wins": None, "draws": None, "losses": None}
    made = [
        models.Adjustment(
            player_id=player,
            pool=key,
            kind=kind,
            date=day,
            position=order.day_of(day),
            fields=fields,
            author=actor.name,
            reason="regular membership after a prison membership (1996 report)",
        )
        for day, key in sorted(wanted)
    ]
    models.Adjustment.objects.bulk_create(made)
    return [*changed, *(row.position for row in made)]


def _releases(players: Iterable[int]) -> list[date]:
    """Return the days on which another membership follows a prison membership."""
    rows = list(models.Membership.objects.filter(player_id__in=list(players)).order_by("since", "kind"))
    released = [later for one, later in pairwise(rows) if one.kind == PRISON and later.kind != PRISON]
    return [row.since for row in released]
