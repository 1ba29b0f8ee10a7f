"""What the rules refuse with the ledger's own ratings in place: unratable sections, matches that may not be rated."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from crosstable.model import Event, Finding, Player, Rating, Section
from crosstable.office.choices import US_CHESS, systems_of
from crosstable.office.ledger import models, order
from crosstable.office.openings import span
from crosstable.office.rating import states
from crosstable.office.rating.timeline import merged_players
from crosstable.systems.us_chess import validity

#: In an office a section may be rated after one that ended later (readings 14: events stand by the event's end)
_EXPECTED = frozenset({"rating-after-event"})


def ledger_findings(office: models.Office, event: Event, position: int | None = None) -> list[Finding]:
    """Findings of the US Chess rules about the event's sections, everybody with the ratings that the ledger holds.

    `position`: the event's place in the order; one that has none yet stands at the beginning of its last day.
    """
    ours = tuple(section for section in event.sections if US_CHESS in systems_of(office, section.kind))
    if not ours:
        return []
    day = span(event)[1]
    numbers = {player.id for section in ours for player in section.players}
    rows = dict(models.Player.objects.filter(number__in=list(numbers)).values_list("number", "id"))
    same = merged_players()
    rows = {number: same.get(row, row) for number, row in rows.items()}
    records = states.before(position or order.day_of(day) + 1, rows.values())
    filled = tuple(_filled(section, rows, records, day) for section in ours)
    found = validity.problems(replace(event, sections=filled), office.profile)
    return [finding for finding in found if finding.code not in _EXPECTED]


def _filled(section: Section, rows: dict[str, int], records: states.Records, day: date) -> Section:
    players = tuple(_with_ratings(player, rows, records, day) for player in section.players)
    return replace(section, players=players)


def _with_ratings(player: Player, rows: dict[str, int], records: states.Records, day: date) -> Player:
    """A player of the ledger comes with the ledger's ratings, one who is new with those of the report."""
    if player.id not in rows:
        return player
    own: dict[str, Rating] = records.get(rows[player.id], {})
    return replace(player, ratings={key: record for key, record in own.items() if (record.date or day) <= day})
