"""What the office takes for a fact: ids, names, dates and memberships that can be, and all that is wrong at once."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from crosstable.errors import OfficeError
from crosstable.model.ids import id_problems
from crosstable.office.ledger import free_text
from crosstable.office.ledger.models import Event, Membership, Player
from crosstable.office.storage import clock
from crosstable.systems import DEFAULT, system

#: No one who plays was born before
FIRST_BIRTH = date(1880, 1, 1)
#: No membership or list is older
EARLIEST = date(1900, 1, 1)
LAST = date(2200, 1, 1)
SEXES = ("F", "M", "")
#: Letters and digits at both ends, so neither "." nor ".." is one; events that came earlier keep the ids they have
_EVENT_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")


def refuse(wrong: Iterable[str]) -> None:
    """Or OfficeError with everything."""
    if found := list(wrong):
        raise OfficeError("; ".join(found))


def reasons(reason: str, what: str, *, preview: bool = False, optional: bool = False) -> Iterator[str]:
    """Yield what is wrong with the reason for an act.

    A preview needs none, nor does an act that says enough by itself.
    """
    if not (preview or optional or reason.strip()):
        yield f"{what} needs a reason"
    yield from free_text.problems(reason, f"the reason for {what}")


def longest(model: type[Player] | type[Event], field: str) -> int:
    """How many letters the ledger has room for."""
    return int(getattr(model._meta.get_field(field), "max_length", 0) or 0)


def player_id(number: str) -> Iterator[str]:
    return id_problems(number)


def event_id(number: str) -> Iterator[str]:
    """Say what is wrong with the id of a new event: it stands in addresses and file names."""
    yield from id_problems(number, "an event", longest(Event, "number"))
    if not _EVENT_ID.fullmatch(number):
        yield (
            f"the event id {number[:60]!r} can have only letters A to Z, digits, and . _ - between them: "
            "choose another id, such as 2026-riverside-open"
        )


def facts(given: Mapping[str, Any]) -> Iterator[str]:
    """Yield what cannot be true of a player."""
    for name, value in given.items():
        yield from _CHECKS.get(name, _flag)(name, value)


def fact_day(since: date) -> Iterator[str]:
    """Yield what is wrong with the first day of a fact."""
    if not EARLIEST <= since <= LAST:
        yield f"{since}: a fact begins between {EARLIEST} and {LAST}"


def _text(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, str) or not value.isprintable():
        yield f"{name} {value!r} is not text that can be printed"
    elif len(value) > longest(Player, name):
        yield f"{name} has {len(value)} characters; at most {longest(Player, name)} are allowed"


def _name(name: str, value: Any) -> Iterator[str]:
    yield from _text(name, value)
    if isinstance(value, str) and not value.strip():
        yield "a name cannot be blank"


def _sex(_: str, value: Any) -> Iterator[str]:
    if value not in SEXES:
        yield f"sex {value!r}: it is F, M, or nothing where it is not known"


def _born(_: str, value: Any) -> Iterator[str]:
    if value is not None and (not isinstance(value, date) or not FIRST_BIRTH <= value <= clock.today()):
        yield f"born on {value}: it is a day between {FIRST_BIRTH} and today"


def _foreign(_: str, value: Any) -> Iterator[str]:
    """Yield what is wrong with the office's own conversion of a foreign rating:
    a number on the scale of the system that asks for it.
    """
    lowest, highest = system(DEFAULT).limits
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    if value is not None and not (number and lowest <= value <= highest):
        yield f"foreign rating {value}: it is a number between {lowest:g} and {highest:g}"


def _flag(name: str, value: Any) -> Iterator[str]:
    if not isinstance(value, bool):
        yield f"{name} {value!r}: it is true or false"


_CHECKS: Mapping[str, Callable[[str, Any], Iterator[str]]] = {
    **dict.fromkeys(("state", "country", "fide_id", "cfc_id"), _text),
    "name": _name,
    "sex": _sex,
    "birth_date": _born,
    "foreign_rating": _foreign,
}


def membership(kind: str, since: date, until: date | None) -> Iterator[str]:
    if kind not in Membership.KINDS:
        yield f"no membership is called {kind!r}: there are {', '.join(Membership.KINDS)}"
    for day in (since, until):
        if day is not None and not EARLIEST <= day <= LAST:
            yield f"{day}: a membership lies between {EARLIEST} and {LAST}"
    if until is not None and until < since:
        yield f"it ends on {until}, before it begins on {since}"
