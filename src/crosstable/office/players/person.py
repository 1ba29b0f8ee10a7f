"""Players as the public sees them: number, name, state; of whom an officer withholds, initials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from crosstable.errors import OfficeError
from crosstable.formats.given import first_name_first
from crosstable.office.ledger.models import Event, Player

STATES = {
    "AL": "Alabama",
    "AK": "Alaska",
    "AZ": "Arizona",
    "AR": "Arkansas",
    "CA": "California",
    "CO": "Colorado",
    "CT": "Connecticut",
    "DE": "Delaware",
    "DC": "District of Columbia",
    "FL": "Florida",
    "GA": "Georgia",
    "HI": "Hawaii",
    "ID": "Idaho",
    "IL": "Illinois",
    "IN": "Indiana",
    "IA": "Iowa",
    "KS": "Kansas",
    "KY": "Kentucky",
    "LA": "Louisiana",
    "ME": "Maine",
    "MD": "Maryland",
    "MA": "Massachusetts",
    "MI": "Michigan",
    "MN": "Minnesota",
    "MS": "Mississippi",
    "MO": "Missouri",
    "MT": "Montana",
    "NE": "Nebraska",
    "NV": "Nevada",
    "NH": "New Hampshire",
    "NJ": "New Jersey",
    "NM": "New Mexico",
    "NY": "New York",
    "NC": "North Carolina",
    "ND": "North Dakota",
    "OH": "Ohio",
    "OK": "Oklahoma",
    "OR": "Oregon",
    "PA": "Pennsylvania",
    "PR": "Puerto Rico",
    "RI": "Rhode Island",
    "SC": "South Carolina",
    "SD": "South Dakota",
    "TN": "Tennessee",
    "TX": "Texas",
    "UT": "Utah",
    "VT": "Vermont",
    "VA": "Virginia",
    "WA": "Washington",
    "WV": "West Virginia",
    "WI": "Wisconsin",
    "WY": "Wyoming",
}
CODES = {name.casefold(): code for code, name in STATES.items()}
#: What `person` needs of a player's row
COLUMNS = ("id", "number", "name", "state", "withheld")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a public id."""

    row: int  # in the ledger; no part of any page
    number: str
    name: str
    state: str

    @property
    def address(self) -> str:
        return f"/players/{self.number}/"

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
    """The state that is meant: OH for oh and Ohio. Other federations' states are known by those who are there."""
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
    """As every page shows it: the first name first, whatever way the register or a report has it. Withheld: initials."""
    shown = first_name_first(name)
    return initials(shown) if withheld else shown


def initials(name: str) -> str:
    """ "A. D." """
    return " ".join(f"{word[0]}." for word in name.replace(",", " ").split())


def of(player: Player) -> Person:
    return person(player.id, player.number, player.name, player.state, player.withheld)


def by_row(rows: Iterable[int]) -> dict[int, Person]:
    """People by their rows in the ledger; a duplicate under its own number."""
    found = Player.objects.filter(id__in=set(rows)).values_list(*COLUMNS)
    return {row[0]: person(*row) for row in found}


def by_number(number: str) -> Person | None:
    """Somebody by the public id; nobody for an empty one, or one that the office does not know."""
    row = Player.objects.filter(number=number).values_list(*COLUMNS).first() if number else None
    return person(*row) if row else None


def withheld(among: Iterable[str] | None = None) -> set[str]:
    """The numbers of those whose names are withheld, among these or of all: a published list has their names in it."""
    rows = Player.objects.all() if among is None else Player.objects.filter(number__in=set(among))
    return set(rows.filter(withheld=True).values_list("number", flat=True))
