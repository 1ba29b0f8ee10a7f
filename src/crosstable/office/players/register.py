"""The register of players: adding them and changing what the office knows about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from django.db import models as db

from crosstable.errors import OfficeError
from crosstable.model import Rating
from crosstable.office.audit.log import record
from crosstable.office.ledger import input_checks, models, names, order
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import find, merged_players, with_duplicates
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import dated_facts
from crosstable.office.players.opening_ratings import opening
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing

#: What a person may say about a player; those of the second line change ratings
PLAIN = ("name", "state", "country", "sex", "fide_id", "cfc_id", "withheld")
DATED = models.DatedFact.NAMES  # those that hold from a day on
RATED = ("birth_date", *DATED, "foreign_rating")


def add(
    actor: Actor, number: str, reason: str = "", *, brings: Mapping[str, Rating] | None = None, **facts: Any
) -> models.Player:
    """Add a new player.

    `brings`: ratings to open the record with, by pool, each with its number of games and its day.
    """
    require(actor, "player.write")
    _known_facts(facts)
    reasons = input_checks.reasons(reason, "a new player", optional=True)
    wrong = [*reasons, *input_checks.player_id(number), *input_checks.facts(facts)]
    for pool, rating in (brings or {}).items():
        wrong += _wrong_opening(pool, rating)
    input_checks.refuse(wrong)
    with writing():
        office()
        if models.Player.objects.filter(number=number).exists():
            raise OfficeError(f"there is already a player {number}: use `change`")
        row = models.Player.objects.create(number=number, **facts)
        names.add([(row.id, row.name)])
        for pool, rating in (brings or {}).items():
            opening(row.id, pool, rating.date or clock.today(), record=rating, author=actor.name, reason=reason).save()
        details = {"facts": sorted(facts), **({"opens": sorted(brings)} if brings else {})}
        record(actor.name, "player.add", f"player:{number}", reason, details)
    return row


def _wrong_opening(pool: str, rating: Rating) -> Iterator[str]:
    kept = {key: one.limits for one in all_systems(office()) for key in one.pools}
    low, high = kept.get(pool, (0.0, 0.0))
    if pool not in kept:
        yield f"this office keeps no {pool} ratings: there are {', '.join(kept)}"
    elif not low <= rating.rating <= high:
        yield f"rating {rating.rating:g}: give a number between {low:g} and {high:g}"
    if not rating.games:
        yield "a rating needs the number of games behind it"


def _known_facts(facts: Mapping[str, Any]) -> None:
    if unknown := set(facts) - {*PLAIN, *RATED}:
        raise OfficeError(f"nothing is known as {', '.join(sorted(unknown))}: there are {', '.join((*PLAIN, *RATED))}")


def change(
    actor: Actor, number: str, reason: str, *, since: date | None = None, preview: bool = False, **facts: Any
) -> Rerated:
    """Other facts about a player; where a rating depends on them, it is computed anew.

    `since`: the first day of an adult, of a Canadian resident, of a USA flag or of opting in (default: today).
    """
    require(actor, "player.write")
    _known_facts(facts)
    day = since or clock.today()
    reasons = input_checks.reasons(reason, "a change", optional=True)
    input_checks.refuse([*reasons, *input_checks.facts(facts), *input_checks.fact_day(day)])
    with writing():
        row = find(number)
        flags = {name: facts.pop(name) for name in DATED if name in facts}
        if flags.get("fide_opt_in") is False and dated_facts.opted_in(row, day):
            raise OfficeError("opting out takes two officers: `crosstable office players opt-out` proposes it")
        dated = dated_facts.write(row.id, flags, day, actor.name, reason)
        changed = sorted(name for name, value in facts.items() if getattr(row, name) != value)
        if "name" in changed and row.name:
            models.FormerName.objects.create(player=row, name=row.name, until=clock.today())
        for name in changed:
            setattr(row, name, facts[name])
        row.save()
        if "name" in changed:
            names.change(row.id, row.name)
        positions = [order.day_of(day)] if dated else []
        if set(changed) & set(RATED):
            positions += [first] if (first := first_position([row.id])) is not None else []
        details = {"facts": sorted([*changed, *dated]), **({"from": day.isoformat()} if dated else {})}
        act = Act(
            actor=actor,
            action="player.change",
            subject=f"player:{number}",
            reason=reason,
            details=details,
            preview=preview,
        )
        return rate_from(act, min(positions, default=None), players=[row.id])


def forget_name(actor: Actor, number: str, reason: str) -> None:
    """Delete a player's name, and former names, on request. Results and ratings stay, under the number."""
    require(actor, "player.forget_name")
    input_checks.refuse(input_checks.reasons(reason, "deleting a name"))
    with writing():
        row = find(number)
        models.FormerName.objects.filter(player=row).delete()
        row.name = ""
        row.save()
        names.change(row.id, "")
        record(actor.name, "player.forget_name", f"player:{number}", reason, {})


def first_position(players: Iterable[int]) -> int | None:
    """Where these people first appear in the order, by a rating, a decision or a foreign list."""
    who = with_duplicates(merged_players().get(one, one) for one in players)
    rows = models.RatingRow.objects.filter(player_id__in=who).aggregate(first=db.Min("position"))
    decisions = models.Adjustment.objects.filter(player_id__in=who).aggregate(first=db.Min("position"))
    lists = models.ExternalRating.objects.filter(player_id__in=who).aggregate(first=db.Min("date"))
    found = [rows["first"], decisions["first"], order.day_of(lists["first"]) if lists["first"] else None]
    return min((one for one in found if one is not None), default=None)
