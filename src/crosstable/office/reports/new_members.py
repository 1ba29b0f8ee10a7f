"""New members without an ID: a director says that they are new and how old, and the office gives IDs on acceptance.

The IDs that an office gives begin with 9, which US Chess gives to no one. When the federation's own ID arrives,
`players merge` makes the two records one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.formats.fields import is_new_member
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Player, Section
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.people.rights import Actor
from crosstable.office.reports.events import add_revision, describe, in_force
from crosstable.office.reports.findings import of_reading

FIRST, LAST = 90_000_001, 99_999_999
#: The kind of a revision that only gives ids
NUMBERED = "numbered"


def waiting(event: Event) -> list[tuple[Section, Player]]:
    """Everybody whose id is to come."""
    return [(section, player) for section in event.sections for player in section.players if is_new_member(player)]


def give_ids(actor: Actor, row: models.Event) -> str:
    """A new revision with ids for the new members of the sections that are rated now; who got which, in words."""
    before = in_force(row)
    document = documents.unpack(before.document, row.number)
    rated = pending_sections.without(document, pending_sections.numbers(row))
    people = waiting(rated)
    if not people:
        return ""
    event, given = with_ids(document, {section.number for section, _ in people}, _free())
    words = f"New members and their ids: {', '.join(given)}."
    describe(row, event, documents.content_hash(event))
    row.save()
    add_revision(actor, row, event, NUMBERED, words, findings=of_reading(before))
    return words


def with_ids(event: Event, sections: set[int], free: Iterator[str]) -> tuple[Event, list[str]]:
    """New members of these sections with free ids, and each with the id in words.

    Rows of one section are different people; the same name and age in another section is the same person.
    """
    known: dict[tuple[object, ...], str] = {}
    given: list[str] = []
    changed = []
    for section in event.sections:
        here: set[str] = set()
        players = []
        for player in section.players:
            if section.number in sections and is_new_member(player):
                key = (" ".join(player.name.split()).casefold(), player.birth_date, player.adult)
                number = known.get(key, "") if player.name else ""
                if not number or number in here:
                    number = next(free)
                    known.setdefault(key, number)
                    given.append(f"{first_name_first(player.name) or f'number {player.number}'} {number}")
                here.add(number)
                player = replace(player, id=number)  # noqa: PLW2901 - the changed one goes on
            players.append(player)
        changed.append(replace(section, players=tuple(players)))
    return replace(event, sections=tuple(changed)), given


def _free() -> Iterator[str]:
    """Ids that nobody has, one after the other; an office gives them in the order of acceptance."""
    taken = models.Player.objects.filter(number__gte=str(FIRST), number__lte=str(LAST))
    last = taken.filter(number__regex=r"^9\d{7}$").order_by("-number").values_list("number", flat=True).first()
    start = int(last) + 1 if last and re.fullmatch(r"9\d{7}", last) else FIRST
    if start > LAST:
        raise OfficeError("the office has given every id that begins with 9: give the new members ids by hand")
    return map(str, range(start, LAST + 1))
