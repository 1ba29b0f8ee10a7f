"""The event document itself: JSON ⇄ records. Strict: an unknown field is an error that names it; all findings in one
run.
"""

from __future__ import annotations

import codecs
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from datetime import date
from typing import Any, TypeGuard

from crosstable.errors import EventRejected
from crosstable.findings import Code
from crosstable.formats import codes, limits
from crosstable.formats.base import Reading, Written
from crosstable.formats.event_fields import (
    EVENT,
    FOREIGN,
    GAME,
    LARGEST,
    LARGEST_WHOLE,
    MATCH_CHANGE,
    PLAYER,
    RATING,
    SECTION,
    EventField,
)
from crosstable.formats.registry import Content, Format
from crosstable.model import (
    FORMAT,
    Event,
    Finding,
    ForeignRating,
    Game,
    Level,
    MatchChange,
    Place,
    Player,
    Rating,
    Section,
    errors,
)
from crosstable.systems import added, all_pools
from crosstable.systems.records import RECORDS

NAME = "event-json"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", flags=re.A)


#: A value of exactly this type is right as it is, without a place where it would be wrong: most of a large event
_RIGHT_TYPES: Mapping[str, type] = {"text": str, "identity": str, "boolean": bool, "notes": dict}


def _is_right(field: EventField, raw: Any) -> bool:
    """Whether a value can be taken unread."""
    if type(raw) is int:
        return field.kind == "integer" and -LARGEST_WHOLE <= raw <= LARGEST_WHOLE
    if field.kind == "choice":
        return type(raw) is str and raw in field.options
    return type(raw) is _RIGHT_TYPES.get(field.kind)


class _Reader:
    """Takes fields out of JSON objects and collects what is wrong with them."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def error(self, code: Code, where: Place, message: str, advice: str) -> None:
        self.findings.append(
            Finding(Level.ERROR, code.name, where if where != Place() else Place(part="event"), message, advice)
        )

    def record(self, where: Place, raw: Any, known: Mapping[str, EventField]) -> dict[str, Any]:
        """Return the known fields of an object that are there and right; everything else is a finding."""
        if not isinstance(raw, dict):
            self.error(
                codes.WRONG_TYPE, where, f"expected an object, found {_shown(raw)}.", 'Write { "field": value, … }.'
            )
            return {}
        for name in raw.keys() - known.keys():
            advice = f"Known fields: {', '.join(known)}. Anything else goes under notes."
            self.error(codes.UNKNOWN_FIELD, where, f"unknown field '{name}'.", advice)
        for name, field in known.items():
            if field.required and raw.get(name) is None:
                self.error(codes.MISSING_FIELD, where, f"the field '{name}' is missing.", "Add it.")
        values = {}
        for name, field in known.items():
            given = raw.get(name)
            if _is_right(field, given):
                values[name] = given
            elif given is not None:
                value = self.field(field, where.within(name), given)
                if value is not None:
                    values[name] = value
        return values

    def field(self, field: EventField, where: Place, raw: Any) -> Any:
        """Read a field by the method that its kind names."""
        if field.kind == "choice":
            return self.choice(where, raw, field.options)
        return getattr(self, field.kind)(where, raw)

    def wrong(self, where: Place, wanted: str, raw: Any) -> Any:
        """Nothing was read: None, and a finding."""
        self.error(codes.WRONG_TYPE, where, f"expected {wanted}, found {_shown(raw)}.", "Correct it.")
        return None

    def text(self, where: Place, raw: Any) -> str | None:
        return raw if isinstance(raw, str) else self.wrong(where, "text", raw)

    def identity(self, where: Place, raw: Any) -> str | None:
        """Read an id: it is text, but a bare number is what people type."""
        return str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else self.text(where, raw)

    def boolean(self, where: Place, raw: Any) -> bool | None:
        return raw if isinstance(raw, bool) else self.wrong(where, "true or false", raw)

    def integer(self, where: Place, raw: Any) -> int | None:
        whole = _is_number(raw, LARGEST_WHOLE) and raw == int(raw)
        return int(raw) if whole else self.wrong(where, "a whole number", raw)

    def number(self, where: Place, raw: Any) -> float | None:
        return raw if _is_number(raw, LARGEST) else self.wrong(where, "a number", raw)

    def rating(self, where: Place, raw: Any) -> float | None:
        value = self.number(where, raw)
        if value is not None and value < 0 and where.pool != "AGA":  # go ranks below 1 dan are negative
            self.error(
                codes.IMPOSSIBLE_RATING, where, f"the rating {raw} is negative.", "A rating is a number from 0 up."
            )
            return None
        return value

    def day(self, where: Place, raw: Any) -> date | None:
        try:
            if isinstance(raw, str) and _DAY.fullmatch(raw):
                return date.fromisoformat(raw)
        except ValueError:
            pass
        self.error(codes.IMPOSSIBLE_DATE, where, f"{_shown(raw)} is not a date.", "Write it as YYYY-MM-DD.")
        return None

    def choice(self, where: Place, raw: Any, options: Iterable[str]) -> str | None:
        if isinstance(raw, str) and raw in options:
            return raw
        message = f"{_shown(raw)} is not one of {', '.join(options)}."
        self.error(codes.UNKNOWN_CHOICE, where, message, "Choose one of them.")
        return None

    def notes(self, where: Place, raw: Any) -> dict[str, Any] | None:
        return raw if isinstance(raw, dict) else self.wrong(where, "an object", raw)

    def rows(
        self, where: Place, raw: Any, read: Callable[[Place, Any], Any], name: Callable[[int, Any], Place]
    ) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            self.wrong(where, "a list", raw)
            return ()
        found = [read(name(index, row), row) for index, row in enumerate(raw, 1)]
        return tuple(row for row in found if row is not None)

    # the records, from the outside in

    def event(self, raw: Any) -> Event | None:
        values = self.record(Place(), raw, EVENT)
        start, end = values.get("start"), values.get("end")
        values.pop("format", None)
        sections = [replace(row, start=row.start or start, end=row.end or end) for row in values.pop("sections", ())]
        return Event(**{"name": "", "start": None, "end": None, **values, "sections": tuple(sections)})

    def sections(self, where: Place, raw: Any) -> tuple[Section, ...]:
        return self.rows(where, raw, self.section, _named(_outside(where), "section"))

    def section(self, where: Place, raw: Any) -> Section | None:
        values = self.record(where, raw, SECTION)
        if "number" not in values:
            return None
        return Section(**{"name": "", "start": None, "end": None, "players": (), "games": (), **values})

    def players(self, where: Place, raw: Any) -> tuple[Player, ...]:
        return self.rows(where, raw, self.player, _named(_outside(where), "player"))

    def player(self, where: Place, raw: Any) -> Player | None:
        values = self.record(where, raw, PLAYER)
        return Player(**{"id": "", **values}) if "number" in values else None

    def games(self, where: Place, raw: Any) -> tuple[Game, ...]:
        return self.rows(where, raw, self.game, lambda index, _: _outside(where).within(f"game {index}"))

    def game(self, where: Place, raw: Any) -> Game | None:
        values = self.record(where, raw, GAME)
        return Game(**values) if {"round", "white", "black", "result"} <= values.keys() else None

    def ratings(self, where: Place, raw: Any) -> dict[str, Rating] | None:
        if not isinstance(raw, dict):
            self.wrong(where, "an object of ratings by system", raw)
            return None
        place = _outside(where)
        found = {}
        for name, row in raw.items():
            if record_fields(name) is None:
                advice = f"Known: {', '.join(all_pools())}."
                self.error(codes.UNKNOWN_SYSTEM, place, f"no rating system '{name}'.", advice)
                continue
            record = self.rating_record(place.at(pool=name), name, row)
            if record is not None:
                found[name] = record
        return found

    def rating_record(self, where: Place, name: str, raw: Any) -> Rating | None:
        values = self.record(where, raw, {field: RATING[field] for field in record_fields(name) or ()})
        return Rating(**values) if "rating" in values else None

    def match_changes(self, where: Place, raw: Any) -> tuple[MatchChange, ...]:
        def read(place: Place, row: Any) -> MatchChange | None:
            values = self.record(place, row, MATCH_CHANGE)
            return MatchChange(**values) if len(values) == 2 else None

        return self.rows(where, raw, read, lambda index, _: where.at(part=f"{where.part} {index}"))

    def pending(self, where: Place, raw: Any) -> tuple[tuple[float, float], ...] | None:
        pairs = (
            [tuple(row) for row in raw] if isinstance(raw, list) and all(isinstance(row, list) for row in raw) else None
        )
        if pairs is None or any(
            len(pair) != 2 or any(self.number(where, part) is None for part in pair) for pair in pairs
        ):
            self.wrong(where, "a list of [opponent's rating, score]", raw)
            return None
        return tuple((pair[0], pair[1]) for pair in pairs)

    def foreign(self, where: Place, raw: Any) -> ForeignRating | None:
        values = self.record(where, raw, FOREIGN)
        return ForeignRating(**values) if "rating" in values else None


RATING_FIELDS = RECORDS


def record_fields(pool: str) -> tuple[str, ...] | None:
    """Return the fields of a pool's records; None for a pool that no system keeps."""
    return RATING_FIELDS.get(pool) or next((one.record for one in added() if pool in one.pools), None)


def _outside(where: Place) -> Place:
    """Return the place of the record that has a field."""
    return where.at(part=where.part.rpartition(", ")[0])


def _named(where: Place, what: str) -> Callable[[int, Any], Place]:
    """Return how rows are named: by their own number where they have one, as in "section 1, player 3"."""

    def name(index: int, row: Any) -> Place:
        number = row.get("number") if isinstance(row, dict) else None
        if not isinstance(number, int):
            return where.within(f"{what} at place {index}")
        return where.at(section=number) if what == "section" else where.at(players=(number,))

    return name


def _is_number(raw: Any, largest: float) -> TypeGuard[float]:
    """Tell whether a value is a number: true, false and NaN are not."""
    return isinstance(raw, int | float) and not isinstance(raw, bool) and abs(raw) <= largest


def _shown(raw: Any) -> str:
    text = json.dumps(raw, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"


def _bad(code: Code, message: str, advice: str) -> Reading:
    return Reading(NAME, None, (Finding(Level.ERROR, code.name, Place(part="file"), message, advice),))


#: Only an escape can bring a NUL or half of a surrogate pair into a JSON text
_ESCAPED = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_ODD = re.compile("[\0\ud800-\udfff]")
_REPLACED = "\ufffd"


#: The names and numbers that lead to a part of the document
Path = tuple[str | int, ...]


def _without_odd_letters(raw: Any, where: Path, odd: list[Path]) -> Any:
    """Return the same document without letters that no database holds; where they were goes to `odd`."""
    if isinstance(raw, str):
        if not _ODD.search(raw):
            return raw
        odd.append(where)
        return _ODD.sub(_REPLACED, raw)
    if isinstance(raw, dict):
        found = {}
        for name, value in raw.items():
            place = (*where, _ODD.sub(_REPLACED, name))
            found[_without_odd_letters(name, place, odd)] = _without_odd_letters(value, place, odd)
        return found
    if isinstance(raw, list):
        return [_without_odd_letters(part, (*where, index), odd) for index, part in enumerate(raw, 1)]
    return raw


def _at_path(path: Path) -> Place:
    """Return the place of a path; sections and players by their position."""
    match path:
        case ("sections", int(section), "players", int(player), *rest):
            place = Place(section=section, players=(player,))
        case ("sections", int(section), *rest):
            place = Place(section=section)
        case _:
            place, rest = Place(), list(path or ("file",))
    return place.at(part=", ".join(map(str, rest)))


def read(data: bytes) -> Reading:
    """Read an event document from bytes, or everything that is wrong with it."""
    twice: list[str] = []
    odd: list[Path] = []

    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            twice.extend(name for name, count in counts.items() if count > 1)
        return found

    try:
        raw = json.loads(data.decode("utf-8-sig"), object_pairs_hook=no_duplicates)
    except UnicodeDecodeError as problem:
        wide = data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        words = "the file is UTF-16." if wide else f"byte {problem.start} is not UTF-8."
        return _bad(codes.NOT_UTF8, words, codes.NOT_UTF8.advice)
    except (json.JSONDecodeError, ValueError) as problem:
        return _bad(codes.NOT_JSON, f"not JSON: {problem}.", "Correct it at that place.")
    except RecursionError:
        return _bad(codes.NOT_JSON, "the file is nested too deeply.", "An event document has a few levels only.")
    if _ESCAPED.search(data):
        raw = _without_odd_letters(raw, (), odd)
    reader = _Reader()
    for where in odd:
        level = Level.ERROR if where[-1:] == ("id",) else Level.WARNING  # another id would be another person
        words = f"the text has a NUL or an incomplete character; it is read as {_REPLACED}."
        reader.findings.append(Finding(level, codes.ODD_CHARACTER.name, _at_path(where), words, "Remove it."))
    for name in sorted(set(twice)):
        reader.error(
            codes.DUPLICATE_FIELD, Place(part="file"), f"the field '{name}' appears twice in one object.", "Keep one."
        )
    event = reader.event(raw) if isinstance(raw, dict) else None
    if event is None:
        reader.wrong(Place(part="file"), "an event object", raw)
    findings = tuple(reader.findings)
    return Reading(NAME, None if errors(findings) else event, findings)


def rating_to_json(rating: Rating) -> dict[str, Any]:
    """Return a rating record as the document writes it: what is unknown or at its default is left out."""
    row: dict[str, Any] = {}
    for item in fields(Rating):
        value = getattr(rating, item.name)
        if item.default is not MISSING and value == item.default:
            continue
        row[item.name] = _plain(value)
    return row


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, MatchChange):
        return {"date": value.date.isoformat(), "change": value.change}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def to_json(record: Any) -> dict[str, Any]:
    """Event, Section, Player, Game or ForeignRating as the document writes it; defaults are left out."""
    row: dict[str, Any] = {"format": FORMAT} if isinstance(record, Event) else {}
    for item in fields(record):
        value = getattr(record, item.name)
        default = item.default_factory() if item.default_factory is not MISSING else item.default
        if value is None or (value == default and item.name != "ratings"):
            continue
        if item.name in ("sections", "players", "games"):
            row[item.name] = [to_json(part) for part in value]
        elif item.name == "ratings":
            row[item.name] = {name: rating_to_json(rating) for name, rating in value.items()}
        elif item.name in ("fide", "cfc"):
            row[item.name] = to_json(value)
        else:
            row[item.name] = _plain(value)
    return row


def write(event: Event) -> Written:
    """Write the event document, which holds everything: nothing is lost."""
    return Written((json.dumps(to_json(event), indent=1, ensure_ascii=False) + "\n").encode())


def _read_within_limits(content: Content) -> Reading:
    try:
        reading = read(content.data)
    except OverflowError as error:  # JSON allows whole numbers that no float can hold
        raise EventRejected([codes.DAMAGED_FILE.at("file", f"a number is too large: {error}")]) from error
    if reading.draft is not None:
        limits.check_event(reading.draft)
    return reading


FORMATS = (
    Format(
        NAME,
        "event document (JSON)",
        (".json",),
        looks_like=lambda content: content.begins_json,
        read=_read_within_limits,
        write=lambda event, _: write(event),
    ),
)
