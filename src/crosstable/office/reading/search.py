"""Finding players and events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Near:
    """The nearest real page to an address that has none."""

    sentence: str
    name: str
    address: str


def near(address: str) -> Near | None:
    """By two digits that changed places in an id."""
    from crosstable.office.ledger.models import Event, Player

    room, _, rest = address.strip("/").partition("/")
    number = rest.split("/", 1)[0]
    if not number.isdigit() or room not in ("players", "events"):
        return None
    meant = _swapped(number)
    if room == "events":
        event = Event.objects.filter(number__in=meant, status=Event.ACCEPTED).first()
        words = f"No event has the number {number}. With two digits changed places it is the"
        return Near(words, event.name, f"/events/{event.number}/") if event else None
    player = Player.objects.filter(number__in=meant).first()
    words = f"Nobody has the id {number}. With two digits changed places it is"
    return Near(words, player.name, f"/players/{player.number}/") if player else None


def _swapped(number: str) -> list[str]:
    """Every number that this one becomes when two neighbouring digits change places."""
    return [f"{number[:at]}{number[at + 1]}{number[at]}{number[at + 2 :]}" for at in range(len(number) - 1)]
