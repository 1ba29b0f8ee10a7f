"""New members without an ID: a director says that they are new and how old, and the office gives IDs on acceptance.

The federation's profile says which IDs an office gives. When the federation's own ID arrives, `players merge` makes the
two records one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from crosstable.formats.fields import is_new_member
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Player, Section
from crosstable.office.ledger import documents, models, pending_sections
from crosstable.office.ledger.players import free_ids
from crosstable.office.people.rights import Actor
from crosstable.office.reports.events import add_revision, describe, in_force
from crosstable.office.reports.findings import of_reading

#: The kind of a revision that only gives ids
NUMBERED = "numbered"


def waiting(event: Event) -> list[tuple[Section, Player]]:
    """Everybody whose id is to come."""
    return [(section, player) for section in event.sections for player in section.players if is_new_member(player)]


def give_ids(actor: Actor, row: models.Event) -> str:
    """Write a new revision with ids for the new members of the sections that are rated now; say who got which."""
    before = in_force(row)
    document = documents.unpack(before.document, row.number)
    rated = pending_sections.without(document, pending_sections.numbers(row))
    people = waiting(rated)
    if not people:
        return ""
    event, given = with_ids(document, {section.number for section, _ in people}, free_ids())
    words = f"New members and their ids: {', '.join(given)}."
    describe(row, event, documents.content_hash(event))
    row.save()
    add_revision(actor, row, event, NUMBERED, words, findings=of_reading(before))
    return words


def with_ids(event: Event, sections: set[int], free: Iterator[str]) -> tuple[Event, list[str]]:
    """Return new members of these sections with free ids, and each with the id in words.

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
