"""What a list says of a rating besides the number: games won and drawn, the peak, floors, matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from crosstable.errors import CrosstableError, WrongValue
from crosstable.formats import dates
from crosstable.model import MatchChange, Rating
from crosstable.rulebook import Rules, rulebook
from crosstable.systems.us_chess.prizes import is_prize_floor
from crosstable.systems.us_chess.stated_floors import with_floor

Note = Callable[[str, str], None]  # a field and what stands in it: it could not be read

_NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,6})?")
_COUNT = re.compile(r"\d{1,6}")
_MATCH = re.compile(r"(?P<day>[^\s;]+)\s+(?P<change>[+\-−]?\d{1,3}(?:\.\d{1,6})?)")
_WORDS = {
    "Y": True,
    "YES": True,
    "TRUE": True,
    "1": True,
    "X": True,
    "N": False,
    "NO": False,
    "FALSE": False,
    "0": False,
}


def yes_or_no(text: str) -> bool | None:
    """Return what a word says; None if it is neither."""
    return _WORDS.get(text.strip().upper())


def _number(text: str) -> float | None:
    return float(text) if _NUMBER.fullmatch(text) else None


def _count(text: str) -> int | None:
    return int(text) if _COUNT.fullmatch(text) else None


def _day(text: str) -> date | None:
    return dates.typed_day(text) if dates.candidates(text) else None


def _prize_floor(text: str) -> float | None:
    level = _number(text)
    return level if level is not None and is_prize_floor(_rules(), level) else None


def _matches(text: str) -> tuple[MatchChange, ...] | None:
    """Return what matches did to a rating: `2025-01-15 +24; 2025-03-02 -10`."""
    found = []
    for part in text.split(";"):
        match = _MATCH.fullmatch(part.strip())
        day = _day(match["day"]) if match else None
        if match is None or day is None:
            return None
        found.append(MatchChange(day, float(match["change"].replace("−", "-"))))
    return tuple(sorted(found, key=lambda one: one.date))


_COUNTS = ("wins", "draws", "losses", "assigned_games", "three_game_events", "games_above_2200")
_READERS: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(_COUNTS, _count),
    **dict.fromkeys(("peak", "ceiling", "lowered_floor", "lowered_from"), _number),
    "prize_floor": _prize_floor,
    "life_master": yes_or_no,
    "date": _day,
    "match_changes": _matches,
}


@lru_cache(maxsize=1)
def _rules() -> Rules:
    """Return the newest rules: a list's floors are those of today."""
    return rulebook("us_chess").on(date.max)


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A pool's record as a list gives it."""

    record: Rating
    kept_as_prize_floor: bool = False  # the list gives a floor and no reason for it
    no_such_floor: str = ""  # why a floor was left out


def record_of(pool: str, rating: float, games: int | None, cells: Mapping[str, str], note: Note) -> ReadRecord | None:
    """Return a pool's record; None where the list gives rating and games only.

    `cells`: field → text. What cannot be read is noted and left out.
    """
    values: dict[str, Any] = {}
    for field, text in cells.items():
        if field in _READERS and text:
            value = _READERS[field](text)
            if value is None:
                note(field, text)
            else:
                values[field] = value
    _drop_wrong_counts(values, games, note)
    record = Rating(rating, games, **values)
    floor = cells.get("floor", "")
    if not floor.strip("0."):
        return ReadRecord(record) if values else None
    level = _number(floor)
    if level is None:
        note("floor", floor)
        return ReadRecord(record)
    rule = cells.get("floor_rule", "").lower()
    try:
        with_it = with_floor(_rules(), pool, record, level, rule)
    except WrongValue as problem:
        return ReadRecord(record, no_such_floor=str(problem))
    return ReadRecord(with_it, kept_as_prize_floor=not rule and with_it.prize_floor != record.prize_floor)


def _drop_wrong_counts(values: dict[str, Any], games: int | None, note: Note) -> None:
    """Games won, drawn and lost that are not the games played say nothing that can be relied on."""
    counts = [values.get(name) for name in ("wins", "draws", "losses")]
    known = [count for count in counts if count is not None]
    total = sum(known) + values.get("assigned_games", 0)
    if games is None or not known or (total <= games and (len(known) < 3 or total == games)):
        return
    note("wins, draws and losses", f"{total} of {games} games")
    for name in ("wins", "draws", "losses", "assigned_games"):
        values.pop(name, None)


#: What a rating can bring along besides its number of games: field → what it is
BROUGHT: Mapping[str, str] = {
    "floor": "the floor in force",
    "floor_rule": "what gives it: earned_floor, prize_floor, life_master, personal_floor, matches",
    "peak": "the highest established rating",
    "wins": "games won",
    "draws": "games drawn",
    "losses": "games lost",
    "three_game_events": "sections of three or more games",
    "prize_floor": "a floor set by a cash prize",
    "life_master": "yes: has the life master's floor",
    "games_above_2200": "games that count towards life master",
    "ceiling": "a ceiling set by the office",
    "match_changes": "what matches did to the rating: '2025-01-15 +24; 2025-03-02 -10'",
}


def brought_record(pool: str, rating: float, games: int | None, cells: Mapping[str, str]) -> Rating:
    """Return the record that a new player brings along, typed by a person and read like a row of a member list.

    Raises CrosstableError with everything that cannot be taken.
    """
    wrong: list[str] = []
    read = record_of(pool, rating, games, cells, lambda name, text: wrong.append(f"{name}: {text!r}"))
    if read and read.no_such_floor:
        wrong.append(read.no_such_floor)
    if wrong:
        raise CrosstableError(f"cannot be taken: {'; '.join(wrong)}")
    return read.record if read else Rating(rating, games)
