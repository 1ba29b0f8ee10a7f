"""Reports that name players without IDs, in an office that knows its players by their names.

A name that one player of the register has is that player. A name that the register does not have is a new player, who
gets an ID when the report is accepted. A name that several players share is left to the person who sends the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crosstable.findings import declare
from crosstable.formats.base import Reading
from crosstable.formats.fields import NEW_MEMBER, says_no_id
from crosstable.formats.given import first_name_first
from crosstable.model import Finding, Level, Place, Player
from crosstable.office.ledger.names import having, words_of
from crosstable.office.ledger.office_settings import our_federation

SHARED_NAME = declare(
    "shared-name",
    Level.ERROR,
    "A report names a player without an ID, and several players of the register have that name.",
    "Give the player's ID.",
)
Known = tuple[str, str]  # ID and name


def with_ids(reading: Reading) -> Reading:
    """Return the reading with the IDs of players whom the report only names, where the federation works by names."""
    event = reading.draft
    if event is None or not our_federation().ids.by_name:
        return reading
    unnamed = [player for section in event.sections for player in section.players if _needs_an_id(player)]
    known = _register([player.name for player in unnamed])
    found: list[Finding] = []
    sections = []
    for section in event.sections:
        players = []
        for player in section.players:
            same = known.get(_key(player.name), []) if _needs_an_id(player) else []
            if len(same) > 1:
                found.append(_shared(Place(section=section.number, players=(player.number,)), player, same))
            players.append(_known(player, same) if _needs_an_id(player) else player)
        sections.append(replace(section, players=tuple(players)))
    draft = replace(event, sections=tuple(sections))
    return replace(reading, draft=draft, findings=(*reading.findings, *found))


def _needs_an_id(player: Player) -> bool:
    return bool(player.name.strip()) and (not player.id.strip() or says_no_id(player.id))


def _known(player: Player, same: Sequence[Known]) -> Player:
    if not same:
        return replace(player, id="", notes={**player.notes, NEW_MEMBER: True})
    return replace(player, id=same[0][0]) if len(same) == 1 else player


def _shared(where: Place, player: Player, same: Sequence[Known]) -> Finding:
    choices = " or ".join(number for number, _ in same)
    return SHARED_NAME.at(where, f"{len(same)} players are called {first_name_first(player.name)}: {choices}")


def _register(names: Sequence[str]) -> dict[tuple[str, ...], list[Known]]:
    """Return who has each of these names, word for word in any order."""
    keys = {_key(name) for name in names}
    found: dict[tuple[str, ...], set[Known]] = {}
    for _, _, number, name in having({key[0] for key in keys if key}):
        if _key(name) in keys:
            found.setdefault(_key(name), set()).add((number, name))
    return {key: sorted(known) for key, known in found.items()}


def _key(name: str) -> tuple[str, ...]:
    return tuple(sorted(words_of(name)))
