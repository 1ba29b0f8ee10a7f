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
        return event and Near(
            f"No event has the number {number}. With two digits changed places it is the",
            event.name,
            f"/events/{event.number}/",
        )
    player = Player.objects.filter(number__in=meant).first()
    return player and Near(
        f"Nobody has the id {number}. With two digits changed places it is", player.name, f"/players/{player.number}/"
    )


def _swapped(number: str) -> list[str]:
    """Every number that this one becomes when two neighbouring digits change places."""
    return [f"{number[:at]}{number[at + 1]}{number[at]}{number[at + 2 :]}" for at in range(len(number) - 1)]
