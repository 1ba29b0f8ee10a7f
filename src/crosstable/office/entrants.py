"""The people of an event as players of the ledger: who is new is added, with what the report says about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import event_json
from crosstable.model import Event, Finding, Level, Player, Rating, Section
from crosstable.office.ledger import models, order
from crosstable.office.people.rights import Actor
from crosstable.systems.structure import error


def enrol(actor: Actor, event: Event) -> tuple[dict[str, int], int | None]:
    """(id → player's row, from where on a rating may change because of what is new about players of before)."""
    refuse_without_ids(event)
    everybody = {player.id: player for section in event.sections for player in section.players}
    have = dict(models.Player.objects.filter(number__in=list(everybody)).values_list("number", "id"))
    new = [player for number, player in everybody.items() if number not in have]
    for row in models.Player.objects.bulk_create([_row(player) for player in new]):
        have[row.number] = row.id
    _open_records(actor, event, new, have)
    return have, _external(event, have, {player.id for player in new})


def refuse_without_ids(event: Event) -> None:
    missing = [
        error("no-id", f"section {section.number}, player {player.number}", "the player has no id.", "Give one.")
        for section in event.sections
        for player in section.players
        if not player.id
    ]
    if missing:
        raise EventRejected(missing)


def newcomers(event: Event) -> list[Finding]:
    """Players whom the ledger does not know: a notice for whoever reviews the event."""
    everybody = {player.id: player for section in event.sections for player in section.players if player.id}
    have = set(models.Player.objects.filter(number__in=list(everybody)).values_list("number", flat=True))
    return [
        Finding(
            Level.NOTICE, "new-player", f"player {number}", "not in the ledger yet.", "Accepting the event adds them."
        )
        for number in sorted(set(everybody) - have)
    ]


def _row(player: Player) -> models.Player:
    notes = player.notes.get("state")
    return models.Player(
        number=player.id,
        name=player.name,
        birth_date=player.birth_date,
        state=str(notes)[:40] if notes else "",
        adult=player.adult,
        canadian_resident=player.canadian_resident,
        usa_flag=player.usa_flag,
        fide_opt_in=player.fide_opt_in,
        foreign_rating=player.foreign_rating,
    )


def _open_records(actor: Actor, event: Event, new: Iterable[Player], rows: dict[str, int]) -> None:
    """The ratings that a report shows for a player whom the office has never seen open the player's record."""
    start, end = span(event)
    reason = f"pre-event rating in the report of {event.name or 'the first event'}"
    openings = [
        opening(rows[player.id], key, end, dated(record, start, end), actor.name, reason)
        for player in new
        for key, record in player.ratings.items()
    ]
    models.Adjustment.objects.bulk_create(openings)


def span(event: Event | Section) -> tuple[date, date]:
    """Start and end, which a ratable event has."""
    if event.start is None or event.end is None:
        raise EventRejected(
            [error("missing-date", "event", "start or end date is missing.", "Say when it was played.")]
        )
    return event.start, event.end


def dated(record: Rating, start: date, end: date) -> Rating:
    """A record without a date is of the event's start (readings 22)."""
    return replace(record, date=min(record.date or start, end))


def opening(player: int, key: str, day: date, record: Rating, author: str, reason: str) -> models.Adjustment:
    """A player's record from a day on, whatever the ledger had before."""
    unknown = {"wins": None, "draws": None, "losses": None}
    fields = {**unknown, **event_json.rating_to_json(record)}
    return models.Adjustment(
        player_id=player,
        system=key,
        kind=models.Adjustment.OPENING,
        date=day,
        position=order.day_of(day),
        fields=fields,
        author=author,
        reason=reason,
    )


def _external(event: Event, rows: dict[str, int], new: set[str]) -> int | None:
    """FIDE and CFC ratings in the report, where the ledger has none; of old players, from where on they may matter."""
    start, end = span(event)
    found: dict[tuple[int, str, date], models.ExternalRating] = {}
    since: int | None = None
    for section in event.sections:
        day = section.end or end
        for player in section.players:
            for kind, foreign in (("fide", player.fide), ("cfc", player.cfc)):
                if foreign is None:
                    continue
                listed = min(foreign.date or start, day)
                if _has(rows[player.id], kind, day, new_player=player.id in new):
                    continue
                row = models.ExternalRating(player_id=rows[player.id], kind=kind, rating=foreign.rating, date=listed)
                found.setdefault((rows[player.id], kind, listed), row)
                if player.id not in new:
                    since = min(since or order.day_of(listed), order.day_of(listed))
    models.ExternalRating.objects.bulk_create(list(found.values()))
    return since


def _has(player: int, kind: str, day: date, *, new_player: bool) -> bool:
    if new_player:
        return False
    return models.ExternalRating.objects.filter(player_id=player, kind=kind, date__lte=day).exists()
