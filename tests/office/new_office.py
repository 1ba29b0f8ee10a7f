"""The final content and decisions of an office, given to a new one: its ratings must be the same.

A rating run from scratch reads the decisions as the office has kept them, with whatever corrections have left in them.
A new office gets the register, the reports as they stand now and the decisions, and derives everything else itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from simulated import OFFICER

from crosstable.errors import CrosstableError
from crosstable.office.ledger import documents, models, office_settings, revisions
from crosstable.office.ledger.models import Adjustment, FloorRequest
from crosstable.office.ledger.players import merged_players
from crosstable.office.rating import run
from crosstable.office.reports import accepting, submissions
from crosstable.office.requests import floors, lifecycle
from crosstable.office.storage import bulk

#: So many events are accepted at once
STEP = 500
#: What is known of people, whoever told it
REGISTER = (models.Player, models.ExternalRating, models.Membership, models.DatedFact)
#: Decisions with numbers of their own; openings, releases and lowered floors follow from reports and matches
DECIDED = (Adjustment.RATING, Adjustment.CEILING, Adjustment.PRIZE_FLOOR, Adjustment.LIFE_MASTER)


@dataclass(frozen=True, slots=True)
class Content:
    """All that is entered in an office or decided there."""

    settings: dict[str, Any]
    register: Sequence[list[Any]]
    events: Sequence[tuple[str, dict[str, Any]]]
    decisions: Sequence[Adjustment]
    granted: Sequence[tuple[str, int, int, str]]  # event, section, player's row, pool; in the order of the matches

    @classmethod
    def of_this_office(cls, *, titles: str = "") -> Content:
        """Read the office that this process speaks to."""
        requests = FloorRequest.objects.filter(state=FloorRequest.GRANTED, section__isnull=False)
        accepted = models.Event.objects.filter(status=models.Event.ACCEPTED).order_by("end", "start", "number")
        same = merged_players()
        return cls(
            settings={"titles": titles},
            register=[list(model.objects.order_by("id")) for model in REGISTER],
            events=[(one.number, _report(one.number)) for one in accepted],
            decisions=list(Adjustment.objects.filter(kind__in=DECIDED, status=Adjustment.GRANTED).order_by("id")),
            granted=[
                (one.event_number, one.section_number, same.get(one.player_id, one.player_id), one.pool)
                for one in requests.order_by("section__position", "id")
            ],
        )

    def enter(self) -> list[str]:
        """Enter it in the office that this process speaks to now; the events that it does not accept."""
        office_settings.create(**self.settings)
        for rows in self.register:
            if rows:
                type(rows[0]).objects.bulk_create(rows)
                bulk.ids_taken(type(rows[0])._meta.db_table)
        matches, others = [], []
        for number, report in self.events:
            submissions.submit(OFFICER, json.dumps(report).encode(), "event.json", number)
            match = any(section.get("kind") == "match" for section in report["sections"])
            (matches if match else others).append(number)
        refused = [number for part in batched(others, STEP) for number in _refused(part)]
        refused += [number for number in matches if not _accepts(number)]  # each by the ratings before it
        Adjustment.objects.bulk_create(self.decisions)
        bulk.ids_taken(Adjustment._meta.db_table)
        if self.decisions:
            run.write(run.compute(run.BEGINNING))
        for number, section, player, pool in self.granted:
            asked = FloorRequest.objects.filter(state=FloorRequest.WAITING, event_number=number, section_number=section)
            for one in asked.filter(player_id=player, pool=pool):
                lifecycle.decide(OFFICER, floors.FLOOR, one.id, granted=True, words="as before")
        return refused


def _report(number: str) -> dict[str, Any]:
    return documents.as_json(documents.pack_event(revisions.rated_document(number=number)))


def _refused(numbers: Sequence[str]) -> list[str]:
    try:
        accepting.accept_many(OFFICER, numbers)
    except CrosstableError:
        return [number for number in numbers if not _accepts(number)]
    return []


def _accepts(number: str) -> bool:
    try:
        accepting.accept(OFFICER, number)
    except CrosstableError:
        return False
    return True


def batched(numbers: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    for first in range(0, len(numbers), size):
        yield numbers[first : first + size]
