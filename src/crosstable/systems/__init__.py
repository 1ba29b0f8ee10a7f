"""The rating systems, by name. Each is imported only when asked for.

Another package adds its own by an entry point of the group `crosstable.systems` (name = "package.module:SYSTEM"), or by
calling `register`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module

from crosstable.errors import UnknownSystem, WrongValue
from crosstable.extras import needed_for
from crosstable.systems.options import parse, split_names
from crosstable.systems.protocol import RatingSystem, StoredSection

ENTRY_POINTS = "crosstable.systems"
#: The default system
DEFAULT = "us_chess"

#: name → the module that holds its SYSTEM, or module:name of a system or of what makes one
SYSTEMS: dict[str, str] = {
    "us_chess": "crosstable.systems.us_chess",
    "uscf_1996": "crosstable.systems.uscf_1996",
    "uscf_1994": "crosstable.systems.uscf_1994",
    "st_charles": "crosstable.systems.st_charles",
    "cxr": "crosstable.systems.st_charles:cxr",
    "harkness": "crosstable.systems.st_charles:harkness",
    "aga": "crosstable.systems.aga",
    "aga_matthews": "crosstable.systems.aga:matthews",
    "aga_chess": "crosstable.systems.aga:chess",
    "glicko": "crosstable.systems.glicko",
    "glicko_1995": "crosstable.systems.glicko:Glicko1995",
    "glicko2": "crosstable.systems.glicko2",
    "stephenson": "crosstable.systems.stephenson",
    "glicko_boost": "crosstable.systems.glicko_boost",
    "fide": "crosstable.systems.fide",
    "elo": "crosstable.systems.elo",
    "dwz": "crosstable.systems.dwz",
    "ecf": "crosstable.systems.ecf",
    "trueskill": "crosstable.systems.skill:TrueSkill",
    "weng_lin": "crosstable.systems.skill:WengLin",
}
_OURS = frozenset(SYSTEMS)


def register(name: str, where: str) -> None:
    """Add a system of another package: `where` is its module, or module:name."""
    if SYSTEMS.setdefault(name, where) != where:
        raise UnknownSystem(f"there already is a rating system '{name}': {SYSTEMS[name]}")


@cache
def _find_installed() -> None:
    """Register what installed packages offer; a name that we have stays ours."""
    from importlib.metadata import entry_points  # it brings csv, zipfile and email along

    for point in entry_points(group=ENTRY_POINTS):
        SYSTEMS.setdefault(point.name, point.value)


def names() -> tuple[str, ...]:
    """Every system that `rate --system` takes, those of other packages last."""
    _find_installed()
    return tuple(SYSTEMS)


def added() -> Iterator[RatingSystem]:
    """Yield the systems of other packages."""
    return (system(name) for name in names() if name not in _OURS)


def all_pools() -> tuple[str, ...]:
    """Every name under which a system looks for a player's rating."""
    from crosstable.systems.records import RECORDS

    return (*RECORDS, *(pool for one in added() for pool in one.pools))


def system(name: str | RatingSystem) -> RatingSystem:
    """Return the rating system of that name, with its options: `glicko`, `uscf_1996:k=4.2,carry=no`.

    A system is taken as it is.

    >>> system("glicko").title
    'Glicko'
    """
    if isinstance(name, type):
        raise WrongValue(
            f"system: expected a name or an object, found the class {name.__name__}. Write {name.__name__}()"
        )
    if not isinstance(name, str):
        if not hasattr(name, "rate"):
            raise WrongValue(f"system: expected a name, as in 'glicko', or an object, as in Elo(k=24), found {name!r}")
        return name
    plain, given = parse(name)
    if plain not in SYSTEMS and plain not in names():
        raise UnknownSystem(f"no rating system '{plain}': there are {', '.join(names())}")
    module, _, attribute = SYSTEMS[plain].partition(":")
    with needed_for(f"the system '{plain}'"):
        found = getattr(import_module(module), attribute or "SYSTEM")
    chosen: RatingSystem = found() if callable(found) else found
    return chosen.with_options(given) if given else chosen


__all__ = [
    "DEFAULT",
    "ENTRY_POINTS",
    "SYSTEMS",
    "RatingSystem",
    "StoredSection",
    "added",
    "all_pools",
    "names",
    "register",
    "split_names",
    "system",
]
