"""Reading a file that came in, with what a person says where the file is silent.

In an office that knows its players by their names, a name that one player of the register has is that player. A name
that the register does not have is a new player, who gets an ID when the report is accepted. A name that several players
share is left to the person who sends the report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crosstable import formats
from crosstable.checks import gate
from crosstable.errors import EventRejected, OfficeError
from crosstable.findings import declare
from crosstable.formats.base import Reading
from crosstable.formats.fields import NEW_MEMBER, says_no_id
from crosstable.formats.file_ratings import established_games
from crosstable.formats.given import first_name_first
from crosstable.model import Event, Finding, Level, Place, Player, errors
from crosstable.office.ledger.names import having, words_of
from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.reports.ledger_checks import known_players
from crosstable.systems.structure import undated

SHARED_NAME = declare(
    "shared-name",
    Level.ERROR,
    "A report names a player without an ID, and several players of the register have that name.",
    "Give the player's ID.",
)
Known = tuple[str, str]  # ID and name


@dataclass(frozen=True, slots=True)
class Added:
    """What a person says besides the file.

    `reading`: the file as already read, with dates, time control and the like that it does not hold. `assume_games`: so
    many games behind each rating that comes without a number of games.
    """

    reading: Reading | None = None
    assume_games: int | None = None

    def in_log(self, reading: Reading) -> dict[str, int]:
        """Return what the log says of games that the file does not give."""
        if self.assume_games is not None:
            return {"assume_games": self.assume_games}
        taken = any(finding.code == gate.TAKEN_AS_ESTABLISHED.name for finding in reading.findings)
        return {"taken_as_established": established_games()} if taken else {}


NOTHING = Added()


def read_file(data: bytes, name: str, added: Added = NOTHING) -> Reading:
    """Read the file with what the user added. Without a choice of games, ratings are taken as `rate` takes them."""
    reading, games = _with_known_ids(added.reading or formats.read(data, name)), added.assume_games
    if games is None or reading.draft is None:
        return gate.counted(reading, set(known_players(reading.draft)) if reading.draft else ())
    if games < 1:
        raise OfficeError(f"{games} is not a number of games: give a whole number from 1 up")
    return replace(reading, draft=formats.assume_games(reading.draft, games))


def dated_event(reading: Reading, found: list[Finding]) -> Event:
    """Return the event that was read; raise EventRejected for one without dates."""
    event = reading.draft
    if event is None or event.start is None or event.end is None:
        raise EventRejected(errors(found) or [undated()])
    return event


def _with_known_ids(reading: Reading) -> Reading:
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
