"""How a federation's own list is to be read: a TOML file that explains its columns and its codes.

[columns]                     # a column of the list → the name under which we know it
"Player No" = "ID"
"Class" = "MEMBERSHIP"
"Best" = "OTBR_PEAK"

[membership]                  # a code of the list → a kind of membership
A = "adult"
I = "prison"

[residence]                   # a code of the list → the country of residence
"02" = "CAN"
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.formats import codes
from crosstable.formats.rating_lists.columns import column, columns_of
from crosstable.model import Finding, Level, Place
from crosstable.model.memberships import KINDS

LIST_MAPPING = declare(
    "list-mapping",
    Level.ERROR,
    "The mapping of a federation's columns and codes cannot be read.",
    "Correct it: docs/formats.md shows one.",
)
_TABLES = ("columns", "membership", "residence")
LARGEST = 100_000  # bytes


@dataclass(frozen=True, slots=True)
class ListMapping:
    """What a federation's columns and codes mean."""

    columns: Mapping[str, str] = field(default_factory=dict)
    membership: Mapping[str, str] = field(default_factory=dict)
    residence: Mapping[str, str] = field(default_factory=dict)

    def column(self, name: str) -> str:
        """Return the name under which we know a column."""
        own = column(name)
        return self.columns.get(own, own)

    def kind(self, code: str) -> str:
        """Return the kind of membership that a code or a word stands for; nothing if it is none."""
        kind = self.membership.get(code.upper()) or "-".join(code.lower().replace("-", " ").replace("_", " ").split())
        return kind if kind in KINDS else ""

    def country(self, code: str) -> str:
        """Return the country of residence, in capitals."""
        return self.residence.get(code.upper(), code.upper())


NO_MAPPING = ListMapping()


def read_mapping(path: str | Path) -> ListMapping:
    """Return the mapping in a file. Raises EventRejected with everything that is wrong in it."""
    where = Place(file=str(path))
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise EventRejected([codes.NO_FILE.at(where, error.strerror or "cannot be read")]) from error
    return parse_mapping(data, str(path))


def parse_mapping(data: bytes, name: str) -> ListMapping:
    """Return the mapping in the bytes of a file of that name. Raises EventRejected as `read_mapping` does."""
    where = Place(file=name)
    if len(data) > LARGEST:
        raise EventRejected([codes.FILE_TOO_LARGE.at(where, f"more than {LARGEST:,} bytes")])
    try:
        raw = tomllib.loads(data.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise EventRejected([LIST_MAPPING.at(where, f"it is not TOML: {error}")]) from error
    if wrong := list(_wrong(raw, where)):
        raise EventRejected(wrong)
    return ListMapping(
        columns={column(name): column(known) for name, known in raw.get("columns", {}).items()},
        membership={code.upper(): kind for code, kind in raw.get("membership", {}).items()},
        residence={code.upper(): country.upper() for code, country in raw.get("residence", {}).items()},
    )


def _wrong(raw: Mapping[str, Any], where: Place) -> Iterator[Finding]:
    for name, table in raw.items():
        if name not in _TABLES or not isinstance(table, dict):
            yield LIST_MAPPING.at(where, f"{name!r} is not a table of a mapping: there are {', '.join(_TABLES)}")
            continue
        for code, value in table.items():
            if not isinstance(value, str) or not value:
                yield LIST_MAPPING.at(where.within(name), f"{code!r} needs a text")
            elif name == "columns" and columns_of((column(value),)).unknown:
                yield LIST_MAPPING.at(
                    where.within(name), f"{code!r} is mapped to {value!r}, a column that is not known"
                )
            elif name == "membership" and value not in KINDS:
                kinds = ", ".join(KINDS)
                yield LIST_MAPPING.at(where.within(name), f"{code!r} is mapped to {value!r}; the kinds are {kinds}")
