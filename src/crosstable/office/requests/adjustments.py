"""Adjustments: ratings, ceilings and life masters set by two officers, dated, with author and reason.

One officer proposes; approval by another carries it out (`lifecycle.decide`): there is no other way in. Nothing is
deleted: revoking an adjustment is a decision of two officers too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.office.ledger import input_checks, order
from crosstable.office.ledger.models import Adjustment, Player
from crosstable.office.ledger.office_settings import all_systems, office
from crosstable.office.ledger.players import find, main_record, with_duplicates
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import floor_requests, floors, states
from crosstable.office.rating.changes import watch
from crosstable.office.rating.rerating import Act, Rerated, rate_from
from crosstable.office.requests import two_officers
from crosstable.office.requests.models import Proposal
from crosstable.office.requests.two_officers import TwoOfficers
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.rulebook import loader as rulebook
from crosstable.systems.us_chess.pools import KEYS
from crosstable.systems.us_chess.prizes import is_prize_floor

ACTION = "rating.adjust"
#: What the log calls the end of an adjustment: it makes no new row, so it is told apart from what does
REVOKED = "rating.revoke"
#: What an adjustment may set, and of which kind it then is
SETTABLE: Mapping[str, str] = {
    "rating": Adjustment.RATING,
    "games": Adjustment.RATING,
    "ceiling": Adjustment.CEILING,
    "life_master": Adjustment.LIFE_MASTER,
    "prize_floor": Adjustment.PRIZE_FLOOR,
    "lowered_floor": Adjustment.LOWERED_FLOOR,
}
#: Fields that are points on a pool's scale
POINTS = ("rating", "ceiling", "prize_floor", "lowered_floor")
#: The scales of other systems than US Chess only have to be finite
LARGEST = 100_000.0
MOST_GAMES = 100_000


def preview(actor: Actor, player: str, pool: str, day: date, fields: Mapping[str, Any], reason: str = "") -> Rerated:
    """Compute what an adjustment would change. One officer may ask."""
    require(actor, "rating.preview")
    with writing():  # what is written is undone at the end
        checked(player, pool, day, fields)
        return _carry_out(actor.name, player, pool, day=day, fields=fields, reason=reason, second="", preview=True)


def propose(actor: Actor, player: str, pool: str, day: date, fields: Mapping[str, Any], reason: str) -> Proposal:
    """Propose to set fields of a player's record from the beginning of a day on, as the first officer."""
    require(actor, ACTION)
    payload = {"player": player, "pool": pool, "date": day.isoformat(), "fields": dict(fields), "reason": reason}
    wrong = list(input_checks.reasons(reason, "an adjustment"))
    with writing():  # the look and the proposal in one transaction: no one changes the ledger in between
        checked(player, pool, day, fields, wrong)
        return two_officers.propose(actor, ADJUSTMENT, f"player:{player}:{pool}:{day}", payload, reason)


def propose_revoking(actor: Actor, number: int, reason: str) -> Proposal:
    """Propose to take an adjustment back, as the first officer;
    what followed from it is then rated again without it.
    """
    require(actor, ACTION)
    input_checks.refuse(input_checks.reasons(reason, "a proposal"))
    with writing():
        row = _standing(number)
        subject = f"player:{row.player.number}:adjustment:{number}"
        return two_officers.propose(actor, ADJUSTMENT, subject, {"revoke": number, "reason": reason}, reason)


def preview_revoking(actor: Actor, number: int) -> Rerated:
    """Compute what taking an adjustment back would change."""
    require(actor, "rating.preview")
    with writing():
        return _revoke(number, "", actor.name, "", preview=True)


def decisions(actor: Actor, player: str) -> list[dict[str, Any]]:
    """Return the adjustments of a player, oldest first, with the number by which one is revoked."""
    require(actor, "rating.preview")
    who = with_duplicates([main_record(find(player)).id])  # a person's decisions may stand under each of the records
    rows = Adjustment.objects.filter(player_id__in=who, kind__in=set(SETTABLE.values())).order_by("position", "id")
    return [
        {
            "number": row.id,
            "pool": row.pool,
            "date": str(row.date),
            "set": row.fields,
            "words": in_words(row.fields),
            "status": row.status,
            "by": row.author,
            "second": row.second,
            "reason": row.reason,
        }
        for row in rows
    ]


def in_words(fields: Mapping[str, Any]) -> str:
    """`rating 1500, games 12`; what is lifted says so."""
    shown = {None: "lifted", True: "yes", False: "no"}
    return ", ".join(
        f"{name.replace('_', ' ')} {shown[value] if value is None or isinstance(value, bool) else format(value, 'g')}"
        for name, value in fields.items()
    )


def _approved(payload: Mapping[str, Any], proposed_by: str, approved_by: str) -> Mapping[str, Any]:
    """Carry out what was approved, in the approval's transaction. The ledger may have changed since the proposal."""
    if "revoke" in payload:
        return _revoke(payload["revoke"], payload["reason"], proposed_by, approved_by).as_json()
    day = date.fromisoformat(payload["date"])
    what = payload["player"], payload.get("pool") or payload["system"], day, payload["fields"]
    checked(*what)
    return _carry_out(proposed_by, *what, payload["reason"], approved_by, preview=False).as_json()


ADJUSTMENT = TwoOfficers(ACTION, _approved)


def checked(player: str, pool: str, day: date, fields: Mapping[str, Any], also: Iterable[str] = ()) -> None:
    """Or OfficeError with everything that is wrong. `also`: what the caller has found."""
    wrong = [*also, *_wrong_words(pool, day), *_wrong_fields(pool, fields)]
    if not wrong:
        wrong += _wrong_record(player, pool, day, fields)
    if wrong:
        raise OfficeError("; ".join(wrong))


def _wrong_words(pool: str, day: date) -> Iterator[str]:
    keys = [key for one in all_systems(office()) for key in one.pools]
    if pool not in keys:
        yield f"this office keeps no {pool!r} ratings: there are {', '.join(keys)}"
    if not input_checks.EARLIEST <= day <= clock.today():
        yield f"{day}: an adjustment holds from a day between {input_checks.EARLIEST} and today"


def _wrong_fields(pool: str, fields: Mapping[str, Any]) -> Iterator[str]:
    if not fields:
        yield f"nothing to adjust: set one of {', '.join(SETTABLE)}"
    if unknown := set(fields) - set(SETTABLE):
        yield f"cannot adjust {', '.join(sorted(unknown))}: there are {', '.join(SETTABLE)}"
    low, high = _scale(pool)
    for name in POINTS:
        value = fields.get(name, low)
        if value is None and name != "rating":  # nothing: the ceiling or floor is lifted
            continue
        if not _is_number(value) or not low <= value <= high:
            yield f"{name} {value}: give a number between {low:g} and {high:g}"
    games = fields.get("games", 0)
    if isinstance(games, bool) or not isinstance(games, int) or not 0 <= games <= MOST_GAMES:
        yield f"games {games}: give a whole number from 0 to {MOST_GAMES:,}"
    if pool not in KEYS and (floors_set := set(fields) & {"life_master", "prize_floor", "lowered_floor"}):
        yield f"{pool} ratings have no {', '.join(sorted(floors_set))}: those are of {', '.join(KEYS)}"
    if not isinstance(fields.get("life_master", True), bool):
        yield f"life_master {fields['life_master']}: it is true or false"


def _scale(pool: str) -> tuple[float, float]:
    """Return the lowest and the highest rating that there can be in a pool."""
    return next((one.limits for one in all_systems(office()) if pool in one.pools), (-LARGEST, LARGEST))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _wrong_record(player: str, pool: str, day: date, fields: Mapping[str, Any]) -> Iterator[str]:
    row = main_record(find(player))
    yield from _wrong_prize_floor(day, fields)
    yield from _above_ceiling(row, pool, day, fields)
    if pool in states.before(order.day_of(day), [row.id]).get(row.id, {}):
        yield from _wrong_lowering(row, pool, day, fields)
        return
    if "rating" not in fields:
        yield f"player {player} has no {pool} rating before {day}"
    elif "games" not in fields:
        yield f"player {player} has no {pool} rating before {day}: say the number of games too"


def _wrong_prize_floor(day: date, fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a prize floor: 2025 §5 has levels of 100 points, up to 2000."""
    level = fields.get("prize_floor")
    if level is None:
        return
    rules = rulebook.on(day, office().profile)
    if not is_prize_floor(rules, level):
        step, highest = rules["prize_floor"]["step"], rules["prize_floor"]["highest"]
        yield f"prize_floor {level:g}: a cash prize sets a floor of a multiple of {step:g}, up to {highest:g}"


def _above_ceiling(row: Player, pool: str, day: date, fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield that a rating is above the ceiling of that day, which an adjustment cannot be (readings 43)."""
    record = states.before(order.day_of(day) + 1, [row.id]).get(row.id, {}).get(pool)
    ceiling = fields.get("ceiling", record.ceiling if record else None)
    rating = fields.get("rating")
    if rating is not None and ceiling is not None and rating > ceiling:
        yield f"rating {rating:g}: the ceiling of {day} is {ceiling:g}; lift the ceiling first, or set a lower rating"


def _wrong_lowering(row: Player, pool: str, day: date, fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a lowered floor: it is below the floor of that day,
    and never below the personal one (readings 23).
    """
    lowered, floor = fields.get("lowered_floor"), _floor_of(row, pool, day)
    if lowered is None or floor is None:
        return
    if floor.personal:
        yield (
            f"lowered_floor {lowered:g}: on {day} the personal floor of {floor.rating:g} holds, which cannot be lowered"
        )
    elif lowered >= floor.rating:
        yield f"lowered_floor {lowered:g}: the floor of {day} is {floor.rating:g} ({floor.reason}); say a lower one"


def _floor_of(row: Player, pool: str, day: date) -> floors.Floor | None:
    """Return the floor in force at the beginning of a day, after the decisions that the day has."""
    record = states.before(order.day_of(day) + 1, [row.id]).get(row.id, {}).get(pool)
    return floors.binding(pool, record, day) if record else None


def _carry_out(
    first: str,
    player: str,
    pool: str,
    day: date,
    fields: Mapping[str, Any],
    reason: str,
    second: str,
    *,
    preview: bool,
) -> Rerated:
    kinds = sorted({SETTABLE[name] for name in fields})
    who = main_record(find(player))
    watched = watch([who.id])
    floor = _floor_of(who, pool, day) if fields.get("lowered_floor") is not None else None
    Adjustment.objects.create(
        player=who,
        pool=pool,
        kind=kinds[0],
        date=day,
        position=order.day_of(day),
        fields={**fields, **({"lowered_from": floor.rating} if floor else {})},
        author=first,
        second=second,
        reason=reason,
    )
    details = {"pool": pool, "date": day.isoformat(), "set": dict(fields), "second": second}
    details |= {} if who.number == player else {"asked_for": player}
    # the log names the record that the row stands under: it stays so when the two are told apart again
    subject = f"player:{who.number}"
    act = Act(
        actor=Actor(first),
        action=ACTION,
        subject=subject,
        reason=reason,
        details=details,
        preview=preview,
        watched=watched,
    )
    return rate_from(act, order.day_of(day), players=[who.id])


def _standing(number: int) -> Adjustment:
    """Return an adjustment that counts.

    Openings and releases follow from reports and memberships: correct those instead.
    """
    row = Adjustment.objects.filter(id=number, kind__in=set(SETTABLE.values())).select_related("player").first()
    if row is None:
        raise OfficeError(f"there is no adjustment {number}; `crosstable office adjustments PLAYER` shows a player's")
    if row.status != Adjustment.GRANTED:
        raise OfficeError(f"adjustment {number} is {row.status} already")
    return row


def _revoke(number: int, reason: str, first: str, second: str, *, preview: bool = False) -> Rerated:
    row = _standing(number)
    watched = watch([main_record(row.player).id])
    row.status = Adjustment.WITHDRAWN
    row.save()
    floor_requests.revoked(row)
    details = {"pool": row.pool, "revoked": number, "date": str(row.date), "was": row.fields, "second": second}
    subject = f"player:{row.player.number}"
    act = Act(
        actor=Actor(first),
        action=REVOKED,
        subject=subject,
        reason=reason,
        details=details,
        preview=preview,
        watched=watched,
    )
    return rate_from(act, row.position, players=[row.player_id])
