"""The rating order (readings 14) as one number per section, so that "before" is a comparison.

position = day * DAY + place, where day is the event's end. Events of a day stand by start, id, section end and number;
sections of history tables come first, in the order of their tables. Place 0 belongs to the day's adjustments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

DAY = 10**9
STEP = 1000


def day_of(day: date) -> int:
    """Return the first place of a day: where its adjustments stand."""
    return day.toordinal() * DAY


def date_of(position: int) -> date:
    return date.fromordinal(position // DAY)


#: Beyond every position in the rating order
END = day_of(date.max)


@dataclass(frozen=True, slots=True)
class Place:
    """A section that wants its place in a day."""

    section: int  # its id
    position: int  # 0: none yet
    history: bool
    start: date  # the event's
    event: str
    end: date  # the section's
    number: int

    @property
    def key(self) -> tuple[bool, date, str, date, int]:
        """A history's events are numbered in the order of their table."""
        return not self.history, date.min if self.history else self.start, self.event, self.end, self.number


def arranged(day: date, places: Sequence[Place]) -> dict[int, int]:
    """Section → position for all that must move: newcomers, and the whole day where no gap is left."""
    wanted = sorted(places, key=lambda place: place.key)
    found: dict[int, int] = {}
    before = day_of(day)
    for index, place in enumerate(wanted):
        position = place.position
        if position == 0:
            after = next((later.position for later in wanted[index:] if later.position), None)
            position = before + STEP if after is None else (before + after) // 2
        if position <= before:
            return {place.section: day_of(day) + STEP * (rank + 1) for rank, place in enumerate(wanted)}
        if position != place.position:
            found[place.section] = position
        before = position
    return found
