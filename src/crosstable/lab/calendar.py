"""What is held in a made-up federation, and when: the kinds of events of `crosstable.simulation`, in the order of their
ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from crosstable.lab.setting import SimulationSetting
from crosstable.simulation.kinds import ALL, KINDS, EventKind, by_share
from crosstable.simulation.season import MATCH, ROUND_ROBIN, SWISS
from crosstable.systems.us_chess.classification import paired_by
from crosstable.systems.us_chess.pools import MAIN

FORMS = {"swiss": SWISS, "round-robin": ROUND_ROBIN, "match": MATCH}
#: The isolated meet on about every other weekend
CLOSED = EventKind("Closed evening", 0, 1, 4, ("G/60;d5",), ALL, (12, 12))
CLOSED_SHARE = 0.5
#: In one of eight tournaments that have sections by strength, sandbaggers play for the prize
PRIZE = 1 / 8


class CalendarRow(NamedTuple):
    """A section that is held: when, and what `simulation.season.HeldSections` wants to know of it."""

    end: int  # ordinal
    start: int
    event: int
    week: int
    kind: EventKind
    control: str
    entrants: int
    lowest: float
    highest: float
    isolated: bool
    prize: bool

    @property
    def rounds(self) -> int:
        return self.kind.rounds

    @property
    def form(self) -> int:
        return FORMS[self.kind.form]

    @property
    def children(self) -> bool:
        return self.kind.children


@cache
def regular_kinds() -> tuple[EventKind, ...]:
    """Return the kinds of events that are paired by regular ratings."""
    return tuple(kind for kind in KINDS if all(paired_by(control, kind.mode) == MAIN for control in kind.controls))


def calendar(lot: random.Random, setting: SimulationSetting) -> list[CalendarRow]:
    """Everything that ends before the last week does."""
    return sorted((row for row in _rows(lot, setting) if row.week < setting.weeks), key=lambda row: row[:3])


def _rows(lot: random.Random, setting: SimulationSetting) -> Iterator[CalendarRow]:
    """Yield the sections of each event in turn: so many a week, kinds by lot; and the isolated among themselves."""
    kinds = by_share(setting.kinds or regular_kinds())
    count = max(round(setting.events_per_week * setting.weeks), 1)
    for number in range(count):
        week = number * setting.weeks // count
        yield from _sections(lot, setting, lot.choice(kinds), number, week)
    for week in range(setting.weeks if setting.isolated else 0):
        if lot.random() < CLOSED_SHARE:
            yield from _sections(lot, setting, CLOSED, count + week, week)


def _sections(
    lot: random.Random, setting: SimulationSetting, kind: EventKind, number: int, week: int
) -> Iterator[CalendarRow]:
    near: date = setting.first + timedelta(days=7 * week + 6)
    first, last = kind.weekend(near)
    prize = len(kind.sections) > 1 and not kind.children and lot.random() < PRIZE
    fewest, most = kind.entrants
    if kind.form == "swiss" and kind is not CLOSED:
        fewest, most = (max(round(setting.turnout * size), 4) for size in kind.entrants)
    for _, lowest, highest in kind.sections:
        yield CalendarRow(
            last.toordinal(),
            first.toordinal(),
            number,
            (last - setting.first).days // 7,
            kind,
            lot.choice(kind.controls),
            lot.randint(fewest, most),
            float(lowest),
            float(highest),
            kind is CLOSED,
            prize,
        )
