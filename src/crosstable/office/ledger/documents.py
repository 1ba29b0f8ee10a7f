"""Event documents as the ledger keeps them, and the hash that knows an event again whatever its rows' order."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Any

from crosstable.errors import CrosstableError, EventRejected
from crosstable.formats import event_json
from crosstable.model import Event, Finding, Level, Section
from crosstable.systems.structure import undated
from crosstable.words import findings as words

DAMAGED = "a stored event document no longer reads (the database was changed outside the office; restore a backup)"


class DamagedDocumentError(CrosstableError):
    """A stored document that no longer reads: the database was changed outside the office."""


def storable(text: str) -> str:
    """As both databases can hold it: PostgreSQL has no NUL, and a half character of a file name is no text."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as the database keeps it."""
    row = words.finding_to_json(finding)
    del row["fixes"]  # they follow from the event and the register of the day
    stored: dict[str, Any] = _storable({**row, "sentence": finding.sentence})
    return stored


def finding_from_json(row: Mapping[str, Any]) -> Finding:
    """Return a stored finding. Rows from before places had parts keep their text."""
    return Finding(
        level=Level(row["level"]),
        code=row["code"],
        place=words.stored_place(row),
        message=row["message"],
        advice=row.get("advice", ""),
        facts=words.facts_from_json(row.get("facts", {})),
        sentence=row.get("sentence", ""),
    )


def _storable(value: Any) -> Any:
    """Return JSON whose text both databases can hold."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {name: _storable(one) for name, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value


def pack(document: Mapping[str, Any]) -> bytes:
    return zlib.compress(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def pack_event(event: Event) -> bytes:
    return pack(event_json.to_json(event))


def unpack(data: bytes, event: str = "") -> Event:
    """Return the event of a stored document. `event`: its id, for the message if the document no longer reads."""
    return _unpacked(bytes(data), event)


@lru_cache(maxsize=16)
def _unpacked(data: bytes, event: str) -> Event:
    """Return the event.

    The last few are cached by content: a page asks for its event several times, and so do its readers.
    """
    reading = event_json.read(_decompressed(data, event))
    if reading.draft is None:
        raise _damaged(event, "; ".join(str(finding) for finding in reading.findings))
    return reading.draft


def as_json(data: bytes, event: str = "") -> dict[str, Any]:
    """Return a stored document as it stands."""
    try:
        document: dict[str, Any] = json.loads(_decompressed(data, event))
    except ValueError as problem:
        raise _damaged(event, problem) from problem
    return document


def player_ids(data: bytes, event: str = "") -> frozenset[str]:
    """Return the IDs of all players in a stored document, without reading the rest of it."""
    return _player_ids(bytes(data), event)


@lru_cache(maxsize=1024)
def _player_ids(data: bytes, event: str) -> frozenset[str]:
    """Return the IDs.

    Each report that comes in is compared with those that wait, which are nearly the same each time.
    """
    sections = as_json(data, event).get("sections", ())
    return frozenset(player["id"] for section in sections for player in section["players"] if player.get("id"))


def _decompressed(data: bytes, event: str) -> bytes:
    try:
        return zlib.decompress(bytes(data))
    except zlib.error as problem:
        raise _damaged(event, problem) from problem


def _damaged(event: str, problem: object) -> DamagedDocumentError:
    whose = f"event {event}: " if event else ""
    return DamagedDocumentError(f"{whose}{DAMAGED}: {problem}")


def span(event: Event | Section) -> tuple[date, date]:
    """Start and end, which a ratable event has."""
    if event.start is None or event.end is None:
        raise EventRejected([undated()])
    return event.start, event.end


def content_hash(event: Event) -> str:
    """Return a hash that is the same for the same event: players are ordered by id, rows in one order,
    spaces and notes do not count.
    """
    whole = {
        key: _spaced(value) for key, value in event_json.to_json(event).items() if key not in ("sections", "notes")
    }
    whole["sections"] = sorted((_section(section) for section in event.sections), key=_line)
    return hashlib.sha256(_line(whole).encode()).hexdigest()


def hash_of_all(rows: Iterable[tuple[str, bytes]]) -> str:
    """Return one hash over the stored documents of many events, in the order given."""
    digest = hashlib.sha256()
    for number, data in rows:
        digest.update(f"{number} {hashlib.sha256(bytes(data)).hexdigest()}\n".encode())
    return digest.hexdigest()


def hash_without_ages(event: Event) -> str:
    """Return the hash without birth dates and adults: what may be compared or shown where ages may not be known."""
    sections = tuple(
        replace(one, players=tuple(replace(player, birth_date=None, adult=False) for player in one.players))
        for one in event.sections
    )
    return content_hash(replace(event, sections=sections))


def _section(section: Section) -> dict[str, Any]:
    row = event_json.to_json(section)
    who = {player.number: player.id or f"#{player.number}" for player in section.players}
    players = [
        {key: value for key, value in player.items() if key not in ("number", "notes")} for player in row["players"]
    ]
    games = [
        {key: value for key, value in game.items() if key != "notes"}
        | {"white": who.get(game["white"], game["white"]), "black": who.get(game["black"], game["black"])}
        for game in row["games"]
    ]
    kept = {key: _spaced(value) for key, value in row.items() if key not in ("players", "games", "notes")}
    return kept | {
        "players": sorted({_line(player) for player in players}),
        "games": sorted(_line(game) for game in games),
    }


def _spaced(value: Any) -> Any:
    return " ".join(value.split()).casefold() if isinstance(value, str) else value


def _line(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
