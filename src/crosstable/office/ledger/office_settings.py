"""The office's choices: which systems rate which kind of section, under which profile, and the options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crosstable.errors import OfficeError
from crosstable.federations import DEFAULT as DEFAULT_FEDERATION
from crosstable.federations import Federation, federation, for_systems, from_data, with_systems
from crosstable.model import KINDS, Event, Section
from crosstable.office.ledger.models import Office
from crosstable.office.storage.read_once import once
from crosstable.rulebook import AS_WRITTEN, PROFILES
from crosstable.systems import DEFAULT as DEFAULT_SYSTEM
from crosstable.systems import RatingSystem, system
from crosstable.systems.st_charles import StCharles
from crosstable.systems.st_charles.numbers import with_numbers
from crosstable.systems.us_chess.pools import KEYS

DEFAULT = "default"
LONGEST_NAME = 200
#: Lists do not say the number of games of an established player: above what any effective number of games can reach
GAMES_OF_ESTABLISHED = 50


def office() -> Office:
    """Return the one row; an office that was never initialised has none."""
    row = _row()
    if row is None:
        raise OfficeError("there is no office in this database yet: run `crosstable office init`")
    return row


def publishes_without_ages() -> bool:
    """Return whether the office publishes only ratings that no longer depend on an age."""
    row = _row()
    return row is not None and row.first_ratings == Office.WITHOUT_AGE


def _row() -> Office | None:
    return once("office", lambda: Office.objects.filter(id=1).first())


def create(
    name: str = "Rating office",
    systems: dict[str, list[str]] | None = None,
    profile: str = AS_WRITTEN,
    titles: str = "2010",
    prison_rules: bool = False,
    numbers: Sequence[Mapping[str, Any]] = (),
    works_for: Federation | None = None,
) -> Office:
    """Make the row of a new office. `works_for`: its federation; without one, the one that fits the systems."""
    chosen = systems or ({kind: list(names) for kind, names in works_for.systems.items()} if works_for else {})
    chosen = chosen or {DEFAULT: [DEFAULT_SYSTEM]}
    if profile not in PROFILES:
        raise OfficeError(f"no profile '{profile}': there are {', '.join(PROFILES)}")
    if not name.strip() or len(name) > LONGEST_NAME:
        raise OfficeError(f"an office needs a name of 1 to {LONGEST_NAME} letters")
    _check(chosen)
    if Office.objects.filter(id=1).exists():
        raise OfficeError("this database already holds an office")
    chosen.setdefault(DEFAULT, [DEFAULT_SYSTEM])
    own = with_systems(works_for, chosen) if works_for else for_systems(chosen)
    return Office.objects.create(
        id=1,
        name=name,
        systems=chosen,
        profile=profile,
        titles=titles,
        prison_rules=prison_rules,
        numbers=[dict(one) for one in numbers],
        federation=own.to_json(),
    )


def federation_of(chosen: Office) -> Federation:
    """Return the federation that the office works for; of an older office, the one that fits its systems."""
    return from_data(chosen.federation) if chosen.federation else for_systems(chosen.systems)


def our_federation() -> Federation:
    """Return the federation of the office in this database; US Chess where there is no office yet."""
    row = _row()
    return federation_of(row) if row else federation(DEFAULT_FEDERATION)


def _check(chosen: dict[str, list[str]]) -> None:
    if unknown := sorted(set(chosen) - {DEFAULT, *KINDS}):
        raise OfficeError(f"no section is of the kind {', '.join(map(repr, unknown))}: there are {', '.join(KINDS)}")
    seen: dict[str, str] = {}
    for name in {name for names in chosen.values() for name in names}:
        for key in system(name).pools:  # an unknown name is refused here
            if seen.setdefault(key, name) != name:
                raise OfficeError(f"{name} and {seen[key]} both write '{key}' ratings: an office can keep one of them")


def systems_of(chosen: Office, kind: str) -> Sequence[str]:
    """Return the systems that rate a section of this kind."""
    table: dict[str, list[str]] = chosen.systems
    return table.get(kind) or table.get(DEFAULT) or [DEFAULT_SYSTEM]


def all_systems(chosen: Office) -> list[RatingSystem]:
    names: Iterable[str] = {name for names in chosen.systems.values() for name in names}
    return [_with_own_numbers(system(name), chosen) for name in sorted(names)]


def _with_own_numbers(one: RatingSystem, chosen: Office) -> RatingSystem:
    """Return a club's system with the club's numbers."""
    return with_numbers(one, chosen.numbers, chosen.name) if isinstance(one, StCharles) else one


def keys_of(chosen: Office, event: Event, section: Section) -> tuple[str, ...]:
    """Which ratings a section changes, as its systems say."""
    keys: list[str] = []
    for name in systems_of(chosen, section.kind):
        keys += system(name).pools_of(event, section, chosen.profile)
    return tuple(keys)


def other_keys(names: Sequence[str]) -> tuple[str, ...]:
    """Return what these systems write besides the ratings that a history table brings."""
    return tuple(key for name in names for key in system(name).pools if key not in KEYS)
