"""Checks against a rating list (`check --list`): is this ID that person's?"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from crosstable.checks.registry import Case, Place, check
from crosstable.model import Level, Player


def same_name(one: str, other: str) -> bool:
    """Whether two spellings can be one person's: a word in common, whatever the order, accents and initials."""
    return bool(_words(one) & _words(other)) or not _words(one) or not _words(other)


def _words(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", errors="ignore").decode().lower()
    return {word for word in re.findall(r"[a-z]+", plain) if len(word) > 1}


def _each(case: Case) -> Iterator[tuple[Player, str]]:
    if case.members:
        for section in case.event.sections:
            for player in section.players:
                if player.id:
                    yield player, f"section {section.number}, player {player.number}"


def _transposed(id_: str) -> Iterator[str]:
    """The id with two neighbouring digits changed places."""
    for place in range(len(id_) - 1):
        if id_[place] != id_[place + 1]:
            yield id_[:place] + id_[place + 1] + id_[place] + id_[place + 2 :]


@check(
    "unknown-id", Level.WARNING, "The rating list has no such id.", "Check the ID; a new member may not be listed yet."
)
def unknown_id(case: Case) -> Iterator[Place]:
    for player, where in _each(case):
        if player.id not in case.members:
            yield where, f"{player.id} is not in the list"


@check("name-differs", Level.WARNING, "The list has another name for this id.", "Check the ID.")
def name_differs(case: Case) -> Iterator[Place]:
    for player, where in _each(case):
        listed = case.members.get(player.id)
        if listed and not same_name(player.name, listed.name):
            yield where, f"{player.id} is {listed.name} in the list, {player.name} here"


@check(
    "transposed-id", Level.WARNING, "With two digits changed places, the id would be this player's.", "Check the ID."
)
def transposed_id(case: Case) -> Iterator[Place]:
    for player, where in _each(case):
        listed = case.members.get(player.id)
        if not player.name or (listed and same_name(player.name, listed.name)):
            continue
        for other in _transposed(player.id):
            found = case.members.get(other)
            if found and found.name and same_name(player.name, found.name):
                yield where, f"{player.id} is not {player.name}, but {other} is"


@check(
    "expired-member",
    Level.WARNING,
    "A membership had expired when the section ended.",
    "Renew it before you send the report.",
)
def expired_member(case: Case) -> Iterator[Place]:
    ends = {section.number: section.end for section in case.event.sections}
    for section in case.event.sections:
        for player in section.players:
            listed = case.members.get(player.id)
            end = ends[section.number]
            if listed and listed.expires and end and listed.expires < end:
                yield f"section {section.number}, player {player.number}", f"{player.id} expired on {listed.expires}"
