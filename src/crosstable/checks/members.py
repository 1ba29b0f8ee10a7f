"""Checks against a rating list (`check --list`): is this ID that person's?"""

from __future__ import annotations

from collections.abc import Iterator

from crosstable.checks.names import same_name
from crosstable.checks.players import fide_numbers
from crosstable.checks.registry import Case, Noted, warning
from crosstable.formats.given import first_name_first
from crosstable.model import Place, Player


def _each(case: Case) -> Iterator[tuple[Player, Place]]:
    if case.members:
        yield from ((player, where) for _, player, where in case.players if player.id)


def transposed(id_: str) -> Iterator[str]:
    """Yield the id with two neighbouring digits changed places."""
    for place in range(len(id_) - 1):
        if id_[place] != id_[place + 1]:
            yield id_[:place] + id_[place + 1] + id_[place] + id_[place + 2 :]


@warning("unknown-id", "The rating list does not have this ID.", "Check the ID; a new member may not be listed yet.")
def unknown_id(case: Case) -> Iterator[Noted]:
    for player, where in _each(case):
        if player.id not in case.members:
            yield where, f"{player.id} is not in the list", {"id": player.id}


@warning(
    "fide-numbers",
    "The ids and ratings of a FIDE report are FIDE's, and some of these ids are not the players' own here.",
    "Enter the members' own IDs; you can search for them by name.",
)
def fide_ids(case: Case) -> Iterator[Noted]:
    """Foreign FIDE events are meant to have them."""
    for section in case.event.sections if case.members else ():
        if section.kind == "fide" or not fide_numbers(section):
            continue
        numbered = [player for player in section.players if player.id]
        strange = [player for player in numbered if not _own(case, player)]
        if strange:
            words = f"{len(strange)} of {len(numbered)} ids are FIDE numbers and not those of members"
            yield Place(section=section.number), words, {"count": len(strange), "ids": len(numbered)}


def _own(case: Case, player: Player) -> bool:
    listed = case.members.get(player.id)
    return listed is not None and same_name(player.name, listed.name)


@warning("name-differs", "The rating list or the office's register has a different name for this ID.", "Check the ID.")
def name_differs(case: Case) -> Iterator[Noted]:
    for player, where in _each(case):
        listed = case.members.get(player.id)
        if listed and not same_name(player.name, listed.name):
            yield where, f"{player.id} is the id of {first_name_first(listed.name)}", {"id": player.id}


@warning("transposed-id", "With two digits swapped, the ID would be this player's.", "Check the ID.")
def transposed_id(case: Case) -> Iterator[Noted]:
    for player, where in _each(case):
        listed = case.members.get(player.id)
        if not player.name or (listed and same_name(player.name, listed.name)):
            continue
        for other in transposed(player.id):
            found = case.members.get(other)
            if found and found.name and same_name(player.name, found.name):
                yield where, f"{player.id} is not {player.name}, but {other} is", {"id": other, "name": player.name}


@warning("expired-member", "A membership had expired when the section ended.", "Renew it before you send the report.")
def expired_member(case: Case) -> Iterator[Noted]:
    ends = {section.number: section.end for section in case.event.sections}
    for section in case.event.sections:
        for player in section.players:
            listed = case.members.get(player.id)
            end = ends[section.number]
            if listed and listed.expires and end and listed.expires < end:
                yield (
                    Place(section=section.number, players=(player.number,)),
                    f"{player.id} expired on {listed.expires}",
                )
