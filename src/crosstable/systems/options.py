"""Options of a system in its name: `uscf_1996:k=4.2,carry=no`.

An office that keeps the name keeps the options with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from crosstable.errors import UnknownSystem


@dataclass(frozen=True, slots=True)
class Option:
    """`values`: what may be said, for people. `apply`: the system with that value; ValueError where it is none."""

    values: str
    says: str
    apply: Callable[[Any, str], Any]


def choice(says: str, values: Mapping[str, Mapping[str, Any]]) -> Option:
    """Make an option of a few words, each of which sets some of the system's fields."""

    def apply(system: Any, value: str) -> Any:
        if value not in values:
            raise ValueError(value)
        return replace(system, **values[value])

    return Option(" or ".join(values), says, apply)


def number(says: str, field: str) -> Option:
    """Make an option that is a number above zero."""

    def apply(system: Any, value: str) -> Any:
        if not 0 < (given := float(value)) < math.inf:
            raise ValueError(value)
        return replace(system, **{field: given})

    return Option("a number", says, apply)


def parse(name: str) -> tuple[str, dict[str, str]]:
    """Return the system's own name, and the options behind it. A part without `=` belongs to the value before it.

    >>> parse("uscf_1996:k=4.2,floors=1997-01-01/300,1998-01-01/none")
    ('uscf_1996', {'k': '4.2', 'floors': '1997-01-01/300,1998-01-01/none'})
    """
    plain, _, rest = name.partition(":")
    found: dict[str, str] = {}
    last = ""
    for part in re.split("[,;]", rest) if rest else ():
        option, given, value = part.partition("=")
        if given:
            last = option.strip()
            if last in found:
                raise UnknownSystem(f"'{name}' says {last} twice")
            found[last] = value.strip()
        elif last:
            found[last] += f",{part.strip()}"
        else:
            raise UnknownSystem(f"'{name}': write NAME:option=value, not '{part}'")
    return plain, found


def split_names(text: str) -> list[str]:
    """Several names with commas between; the commas inside a name's options stay: "elo,uscf_1996:k=4.2,carry=no".

    >>> split_names("elo,uscf_1996:k=4.2,carry=no,floors=1997-01-01/300,1998-01-01/none,glicko")
    ['elo', 'uscf_1996:k=4.2,carry=no,floors=1997-01-01/300,1998-01-01/none', 'glicko']
    """
    names: list[str] = []
    for part in text.split(","):
        continues = names and ":" in names[-1] and ":" not in part and ("=" in part or not part[:1].isalpha())
        if continues:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


def with_options(system: Any, options: Mapping[str, Option], given: Mapping[str, str]) -> Any:
    """Return the system with these options; refuse unknown ones with a list of the known."""
    known = "; ".join(f"{name}={option.values} ({option.says})" for name, option in options.items()) or "none"
    for name, value in given.items():
        if name not in options:
            raise UnknownSystem(f"{system.name} has no option '{name}': there are {known}")
        try:
            system = options[name].apply(system, value)
        except ValueError:
            wanted = options[name].values
            raise UnknownSystem(f"{system.name} has no {name}={value}: give {name}={wanted}") from None
    return replace(system, chosen=",".join(f"{name}={value}" for name, value in given.items())) if given else system
