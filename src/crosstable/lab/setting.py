"""Describe the federation to simulate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from crosstable.errors import CrosstableError
from crosstable.simulation.kinds import EventKind
from crosstable.simulation.people import WEEKS_A_YEAR
from crosstable.simulation.results import WHITE


@dataclass(frozen=True, slots=True)
class SimulationSetting:
    """How large a federation, for how long, and with whom."""

    players: int = 1200
    years: int = 8
    seed: int = 1
    newcomers: float = 0.18  # of the players, every year
    leavers: float = 0.15
    events_per_week: float = 4
    white: float = WHITE
    sandbaggers: int = 12
    isolated: int = 24  # who only ever play each other: the 1996 report's prison
    first: date = date(2005, 1, 1)  # a Saturday
    kinds: tuple[EventKind, ...] = ()  # none: those whose events count for the regular rating
    turnout: float = 1.0  # one half: fields are half as large

    def checked(self) -> SimulationSetting:
        wrong = [
            f"{name} is {getattr(self, name)}, but must be {words}"
            for name, least, words in (
                ("players", 40, "40 or more"),
                ("years", 1, "1 or more"),
                ("sandbaggers", 0, "0 or more"),
                ("isolated", 0, "0 or more"),
            )
            if getattr(self, name) < least
        ]
        if self.events_per_week <= 0:
            wrong.append(f"events_per_week is {self.events_per_week}, but must be more than 0")
        if self.sandbaggers + self.isolated > self.players // 2:
            wrong.append("sandbaggers and isolated players are more than half of all players")
        if wrong:
            raise CrosstableError("; ".join(wrong))
        return self

    @property
    def weeks(self) -> int:
        return self.years * WEEKS_A_YEAR
