"""What the views of this room share."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from crosstable.office.people.rights import Actor
from crosstable.office.players import person

#: What a message is about → where that is
PLACES = {
    "submission": "/desk/submissions/{}/",
    "request": "/desk/requests/{}/",
    "correction": "/desk/corrections/{}/",
    "floor": "/desk/floors/{}/",
    "proposal": "/desk/proposals/{}/",
    "event": "/events/{}/",
    "followed-event": "/events/{}/",
    "followed-player": "/players/{}/",
}


def address_of(actor: Actor, about: str) -> str:
    """Where this person goes from a message."""
    kind, _, number = about.partition(":")
    if kind == "floor" and not actor.may("floor.decide"):
        return f"/desk/mine/#floor-{number}"
    return PLACES[kind].format(number) if kind in PLACES and number else ""


def followed_name(about: str) -> str:
    """Return the name of the player that a message to followers is about, as it is public today."""
    kind, _, number = about.partition(":")
    found = person.by_number(number) if kind == "followed-player" else None
    return found.name if found else ""


def whole(text: str) -> int | None:
    """Return a number that someone chose in a form."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def back(request: HttpRequest, otherwise: str) -> str:
    """Where the form came from, if that is here."""
    wanted = request.POST.get("next", "")
    here = url_has_allowed_host_and_scheme(wanted, None) and wanted.startswith("/desk/")
    return wanted if here else otherwise
