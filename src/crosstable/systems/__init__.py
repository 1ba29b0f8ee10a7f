"""The rating systems, by name. Each is imported only when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from crosstable.errors import UnknownSystem
from crosstable.extras import needed_for
from crosstable.systems.protocol import RatingSystem

#: name → the module that holds its SYSTEM
SYSTEMS: Mapping[str, str] = {
    "us_chess": "crosstable.systems.us_chess",
    "uscf_1996": "crosstable.systems.uscf_1996",
    "uscf_1994": "crosstable.systems.uscf_1994",
    "st_charles": "crosstable.systems.st_charles",
    "cxr": "crosstable.systems.st_charles.cxr",
    "harkness": "crosstable.systems.st_charles.harkness",
    "aga": "crosstable.systems.aga",
    "glicko": "crosstable.systems.glicko",
    "glicko2": "crosstable.systems.glicko2",
    "stephenson": "crosstable.systems.stephenson",
    "glicko_boost": "crosstable.systems.glicko_boost",
    "fide": "crosstable.systems.fide",
    "elo": "crosstable.systems.elo",
}


def system(name: str | RatingSystem) -> RatingSystem:
    """The rating system of that name. A system itself is taken as it is.

    >>> system("glicko").title
    'Glicko'
    """
    if not isinstance(name, str):
        return name
    if name not in SYSTEMS:
        raise UnknownSystem(f"no rating system '{name}': there are {', '.join(SYSTEMS)}")
    with needed_for(f"the system '{name}'"):
        chosen: RatingSystem = import_module(SYSTEMS[name]).SYSTEM
    return chosen


__all__ = ["SYSTEMS", "RatingSystem", "system"]
