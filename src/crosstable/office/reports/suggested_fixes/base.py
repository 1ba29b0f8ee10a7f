"""An offer is a button, or a small form, that mends one finding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crosstable.model import Event, Finding, Place, Player, Section
from crosstable.office.players.person import Person


@dataclass(frozen=True, slots=True)
class Input:
    """What a person types before the button is pressed."""

    name: str
    label: str
    kind: str = "text"  # text, date, number, lines, check
    value: str = ""
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """A button, with the inputs that it needs. The main one is what we would press."""

    label: str
    action: str
    values: Mapping[str, str] = field(default_factory=dict)
    inputs: tuple[Input, ...] = ()
    main: bool = False
    hint: str = ""  # why we would press it


@dataclass(frozen=True, slots=True)
class Case:
    """A finding at its place in the draft, and whom the office knows by the names in it, or by an id without a name."""

    event: Event
    finding: Finding
    place: Place
    known: Mapping[str, Sequence[Person]]

    @property
    def section(self) -> Section | None:
        return next((one for one in self.event.sections if one.number == self.place.section), None)

    @property
    def player(self) -> Player | None:
        section = self.section
        if section is None:
            return None
        return next((one for one in section.players if one.number == self.place.player), None)

    @property
    def here(self) -> dict[str, str]:
        """The section and the player, as an action's values."""
        values = {} if self.place.section is None else {"section": str(self.place.section)}
        return values | ({} if self.place.player is None else {"player": str(self.place.player)})

    def short(self, number: int) -> str:
        """`Hunt`, for a button; the whole name where another has the same, else the number."""
        section = self.section
        names = {player.number: player.name for player in section.players} if section else {}
        name = names.get(number, "")
        others = [other for one, other in names.items() if one != number]
        for words in (last_name(name), name):
            if words and not words.isdecimal() and words not in others and words not in map(last_name, others):
                return words
        return f"No. {number}"


def last_name(name: str) -> str:
    """`Hunt`, of `Victor F Hunt` and of `Hunt, Victor F`."""
    words = (name.split(",", maxsplit=1)[0] if "," in name else name).split()
    return words[-1] if words else ""


Offers = Callable[[Case], list[Offer]]
OFFERS: dict[str, Offers] = {}
KEEP = "It is right"


def offers(*codes: str) -> Callable[[Offers], Offers]:
    def register(function: Offers) -> Offers:
        OFFERS.update(dict.fromkeys(codes, function))
        return function

    return register


def offered(case: Case) -> list[Offer]:
    """The mends for a finding; none where only its owner can say what is meant."""
    found = OFFERS.get(case.finding.code)
    return found(case) if found else []
