"""Reading a file that came in, with what a person says where the file is silent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from crosstable import formats
from crosstable.checks import gate
from crosstable.errors import EventRejected, OfficeError
from crosstable.formats.base import Reading
from crosstable.formats.file_ratings import established_games
from crosstable.model import Event, Finding, errors
from crosstable.office.reports import known_names
from crosstable.office.reports.ledger_checks import known_players
from crosstable.systems.structure import undated


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
    reading, games = known_names.with_ids(added.reading or formats.read(data, name)), added.assume_games
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
