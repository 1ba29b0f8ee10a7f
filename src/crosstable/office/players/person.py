"""Players as the public sees them: number, name, state; of whom an officer withholds, initials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.formats.given import first_name_first
from crosstable.model.states import CODES, STATES
from crosstable.office.ledger.models import Event, Player

#: What `person` needs of a player's row
COLUMNS = ("id", "number", "name", "state", "withheld")


@dataclass(frozen=True, slots=True)
class Person:
    """Someone with a public id."""

    row: int  # in the ledger; no part of any page
    number: str
    name: str
    state: str

    @property
    def region(self) -> str:
        """Ohio, for OH."""
        return STATES.get(self.state, self.state)

    @property
    def short(self) -> str:
        """The last word of the name, for sentences and heads of columns."""
        return self.name.split()[-1] if self.name else self.number


class UnknownState(OfficeError):
    """A state that is none, and that no player or event here has."""


def state_code(text: str) -> str:
    """Return the code of a US state: OH for oh and Ohio. Other states stay as they are."""
    code = CODES.get(text.strip().casefold(), text.strip().upper())
    if not text or code in STATES:
        return code
    if any(model.objects.filter(state=text).exists() for model in (Player, Event)):
        return text
    raise UnknownState("there is no such state here")


def person(row: int, number: str, name: str, state: str, withheld: bool) -> Person:
    shown = shown_name(name, withheld=withheld)
    return Person(row, number, shown or f"Player {number}", state)


def shown_name(name: str, *, withheld: bool = False) -> str:
    """As every page shows it: the first name first, whatever way the register or a report has it.

    Withheld: initials.
    """
    shown = first_name_first(name)
    return initials(shown) if withheld else shown


def initials(name: str) -> str:
    """Return the initials of a name: "A. D." for Ada Dee."""
    return " ".join(f"{word[0]}." for word in name.replace(",", " ").split())


def of(player: Player) -> Person:
    return person(player.id, player.number, player.name, player.state, player.withheld)


def by_row(rows: Iterable[int]) -> dict[int, Person]:
    """People by their rows in the ledger; a duplicate under its own number."""
    found = Player.objects.filter(id__in=set(rows)).values_list(*COLUMNS)
    return {row[0]: person(*row) for row in found}


def by_number(number: str) -> Person | None:
    """Someone by the public id; no one for an empty one, or one that the office does not know."""
    row = Player.objects.filter(number=number).values_list(*COLUMNS).first() if number else None
    return person(*row) if row else None


def withheld(among: Iterable[str] | None = None) -> set[str]:
    """Return the numbers of players whose names are withheld, among these or of all:
    a published list has their names in it.
    """
    rows = Player.objects.all() if among is None else Player.objects.filter(number__in=set(among))
    return set(rows.filter(withheld=True).values_list("number", flat=True))
