"""Elo in its usual form, any K schedule, logistic or normal."""

from crosstable.systems.elo.system import Elo, schedule

SYSTEM = Elo()

__all__ = ["SYSTEM", "Elo", "schedule"]
