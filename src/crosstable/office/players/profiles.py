"""What the office shows of a player: ratings and history, never a birth date or an age.

Ratings are shown as the lists print them. With all their decimals one could work back to a birth date.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from itertools import groupby
from typing import Any

from crosstable.model import Rating
from crosstable.office.ledger import models, order, recorded_scores
from crosstable.office.ledger.players import find, main_record, with_duplicates
from crosstable.office.ledger.rating_change import WithChange
from crosstable.office.lists.official import age_based
from crosstable.office.lists.official import shown as as_listed
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import dated_facts
from crosstable.office.players.register import DATED, PLAIN, RATED
from crosstable.office.rating import floor_requests, floors, progress, states, timeline
from crosstable.office.rating.age_starts import AgeStarts
from crosstable.office.rating.facts import facts
from crosstable.office.storage import clock
from crosstable.words.language import _, gettext_noop

# What the office knows about a player: for officers only, because it holds birth dates.


@dataclass(frozen=True, slots=True)
class PrivateRecord:
    """Everything that an officer may look up about a player."""

    number: str
    name: str
    merged: tuple[str, ...]  # ids that were merged into this one
    former_names: tuple[str, ...]
    facts: dict[str, Any]  # as they are today, by their names in `change`
    said: tuple[dict[str, Any], ...]  # what was said about dated facts, oldest first
    memberships: tuple[dict[str, Any], ...]
    foreign: tuple[dict[str, Any], ...]  # FIDE and CFC ratings by list, newest first

    @property
    def born(self) -> date | None:
        return self.facts["birth_date"]  # type: ignore[no-any-return]  # facts hold values of several types

    def as_json(self) -> dict[str, Any]:
        born = str(self.born) if self.born else None
        return {**asdict(self), "facts": {**self.facts, "birth_date": born}}


def private_record(actor: Actor, number: str) -> PrivateRecord:
    """Return the record of a player, under the id that is kept."""
    require(actor, "player.read_private")
    row = main_record(find(number))
    who = with_duplicates([row.id])
    today = facts([row.id])[row.id]
    known = {name: getattr(row, name) for name in (*PLAIN, *RATED)}
    flags = {name: today.on(name, clock.today()) for name in DATED}
    return PrivateRecord(
        number=row.number,
        name=row.name,
        merged=tuple(
            models.Player.objects.filter(id__in=who - {row.id}).order_by("number").values_list("number", flat=True)
        ),
        former_names=tuple(one.name for one in models.FormerName.objects.filter(player=row).order_by("until")),
        facts=known | flags,
        said=tuple(dated_facts.history(actor, row.number)),
        memberships=tuple(
            {"kind": one.kind, "since": one.since.isoformat(), "until": one.until.isoformat() if one.until else None}
            for one in models.Membership.objects.filter(player_id__in=who).order_by("since")
        ),
        foreign=tuple(
            {"kind": one.kind, "rating": one.rating, "date": one.date.isoformat()}
            for one in models.ExternalRating.objects.filter(player_id__in=who).order_by("-date", "kind")
        ),
    )


def show(number: str, viewer: Actor | None = None) -> dict[str, Any]:
    """Return what the office may show of a player: ratings and history, never a birth date or an age.

    Memberships only to officers and to the player: their kinds are age bands, or worse.
    """
    row = main_record(find(number))
    live = states.now([row.id]).get(row.id, {})
    hidden = {pool for _, pool in age_based([row.id])}
    return {
        "id": row.number,
        **({} if row.number == number else {"merged": number}),
        "name": row.name,
        "state": row.state,
        "former_names": [name.name for name in models.FormerName.objects.filter(player=row).order_by("until")],
        "also": sorted(models.Player.objects.filter(merged_into=row).values_list("number", flat=True)),
        **({"memberships": _memberships_of(row)} if viewer is not None and _sees_all(viewer, row) else {}),
        "ratings": {
            key: {
                **_shown(key, held, hidden=key in hidden),
                "floor": _floor(key, held, hidden=key in hidden),
                "ceiling": held.ceiling,
                **_progress(key, held),
            }
            for key, held in sorted(live.items())
        },
        "events": models.RatingRow.objects.filter(player=row).values("section").distinct().count(),
    }


def _sees_all(viewer: Actor, row: models.Player) -> bool:
    """Return whether the actor is an officer or this player; a player's program needs the scope."""
    if viewer.may("player.read_private"):
        return True
    person = Person.objects.filter(user_id=viewer.user_id).first() if viewer.scopes is None else None
    own = models.Player.objects.filter(number=person.player_id).first() if person and person.player_id else None
    return own is not None and main_record(own).id == row.id


def _memberships_of(row: models.Player) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "since": str(one.since), "until": str(one.until) if one.until else None}
        for one in models.Membership.objects.filter(player=row).order_by("since")
    ]


def _shown(pool: str, held: Rating, *, hidden: bool) -> dict[str, Any]:
    """Return a rating as it may be shown; one that still is an age-based start is hidden,
    because it would reveal the age.
    """
    rating = None if hidden else as_listed(pool, held.rating)
    return {"rating": rating, "games": held.games, "date": str(held.date) if held.date else None}


def _floor(pool: str, held: Rating, *, hidden: bool) -> dict[str, Any] | None:
    """Return the floor that holds today, with the reason."""
    floor = None if hidden else floors.binding(pool, held, clock.today())
    return None if floor is None else {"rating": floor.rating, "reason": floor.reason}


def _progress(pool: str, held: Rating) -> dict[str, Any]:
    """Return the progress to life master and the limits of matches, where a player has begun either."""
    master = progress.life_master_games(pool, held, clock.today())
    totals = progress.match_totals(held, clock.today())
    return {
        **({"life_master_games": asdict(master)} if master else {}),
        **({"matches": [one.as_json() for one in totals]} if totals else {}),
    }


def history(number: str, pool: str = "", *, decisions: bool = False) -> list[dict[str, Any]]:
    """Return a player's rating rows, oldest first; numbers that still are an age-based start are left out.

    `decisions`: with the office's decisions about the player, each on its day.
    """
    row = main_record(find(number))
    rows = models.RatingRow.objects.filter(player=row).order_by("position", "pool").select_related("section__event")
    starts = AgeStarts([row.id])
    shown = []
    found = list(rows.filter(pool=pool) if pool else rows)
    recorded = recorded_scores.corrections(one.section.event.number for one in found)
    for one in found:
        prior, post = (
            (
                None
                if rating is None or starts.tells(row.id, one.pool, rating, one.position, before=before)
                else as_listed(one.pool, rating)
            )
            for rating, before in ((one.prior, True), (one.post, False))
        )
        prior = None if one.initialized else prior
        shown.append(
            {
                "event": one.section.event.number,
                "name": one.section.event.name,
                "section": one.section.number,
                "date": str(one.section.end),
                "pool": one.pool,
                "prior": prior,
                "games": one.games,
                "score": one.score + recorded.get((one.section.event.number, one.section.number, one.number), 0.0),
                "post": post,
            }
        )
    if decisions:
        shown += [_as_history(line) for line in decided(row, pool)]
        shown.sort(key=lambda one: str(one["date"]))
    return shown


@dataclass(frozen=True, slots=True)
class DecidedLine(WithChange):
    """A decision about a player as everybody may see it: no author, no reason in free text, nothing that tells
    an age.
    """

    date: date
    pool: str
    kind: str
    fields: Mapping[str, Any]
    before: float | None
    after: float | None
    position: int = 0  # in the rating order

    @property
    def title(self) -> str:
        """In a sentence's words: "Ceiling of 1800"; nothing of fields that are no decision of their own."""
        if self.kind == models.Adjustment.RELEASE:
            return _("Provisional again")
        told = [_TITLES[name](value) for name, value in self.fields.items() if name in _TITLES]
        return "; ".join(told) or _("A decision of the office")

    @property
    def name(self) -> str:
        """As an event has one: for a chart."""
        return _("{decision}, decided by the office").format(decision=self.title)

    @property
    def words(self) -> str:
        if self.kind == models.Adjustment.RELEASE:
            return f"provisional again, games {_word(self.fields['games'])}"
        return ", ".join(f"{name.replace('_', ' ')} {_word(value)}" for name, value in sorted(self.fields.items()))


def decided(row: models.Player, pool: str = "") -> list[DecidedLine]:
    """Return adjustments and floors in force, each from the rating just before it to the one just after it.

    Of several on one day each begins where the one before it ended, in the order in which they count. Openings are no
    decisions. A release from prison says that a rating is provisional again, and not why.
    """
    who = with_duplicates([row.id])
    kinds = models.Adjustment.objects.filter(status=models.Adjustment.GRANTED, player_id__in=who)
    starts = AgeStarts([row.id])

    def shown(place: int, key: str) -> float | None:
        held = records.get(row.id, {}).get(key)
        tells = held is None or starts.tells(row.id, key, held.rating, place, before=True)
        return None if held is None or tells else as_listed(key, held.rating)

    found = []
    kind_of = dict(kinds.values_list("id", "kind"))
    lowers = floor_requests.lowered_by_decision()
    for place, day in groupby(timeline.decisions(players=who), key=lambda one: one.position):
        records = states.before(place, [row.id])
        for one in day:
            before = shown(place, one.pool)
            states.apply(records, one)
            fields = one.fields or {
                "lowered_floor": lowers[one.id].lowered_floor if one.id in lowers else floor_requests.NO_EFFECT
            }
            line = DecidedLine(
                date=order.date_of(place),
                pool=one.pool,
                kind=kind_of[one.id],
                fields=fields,
                before=before,
                after=shown(place, one.pool),
                position=place,
            )
            found += [line] if _is_shown(line) and pool in ("", one.pool) else []
    return found


def _is_shown(line: DecidedLine) -> bool:
    """Leave out openings, which are not decisions, and releases in pools without a rating."""
    if line.kind == models.Adjustment.RELEASE:
        return line.before is not None
    return line.kind != models.Adjustment.OPENING


def _as_history(line: DecidedLine) -> dict[str, Any]:
    """In the shape of history rows."""
    return {
        "event": "",
        "name": f"decision: {line.words}",
        "section": 0,
        "date": str(line.date),
        "pool": line.pool,
        "prior": line.before,
        "games": 0,
        "score": 0.0,
        "post": line.after,
    }


def _set_or_lifted(what: str) -> Callable[[float | None], str]:
    def words(value: float | None) -> str:
        if value is None:
            return _("{what} lifted").format(what=_(what))
        return _("{what} of {value}").format(what=_(what), value=f"{value:g}")

    return words


def _lowering(value: float | str | None) -> str:
    """In words; after a granted request without effect that says so (readings 44)."""
    if value is None:
        return _("Lowered floor lifted")
    if isinstance(value, str):
        return _("Lower floor granted, {why}").format(why=_(value))
    return _("Floor lowered to {value} on request").format(value=f"{value:g}")


_TITLES: Mapping[str, Callable[[Any], str]] = {
    "rating": lambda value: _("Rating set to {value}").format(value=f"{value:g}"),
    "games": lambda value: _("{value} games behind it").format(value=f"{value:g}"),
    "ceiling": _set_or_lifted(gettext_noop("Ceiling")),
    "prize_floor": _set_or_lifted(gettext_noop("Floor by a cash prize")),
    "lowered_floor": _lowering,
    "life_master": lambda value: _("Original Life Master") if value else _("No longer an Original Life Master"),
}


def _word(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str):
        return value
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:g}"
