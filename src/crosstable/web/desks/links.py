"""The desk's navigation: each room names its links, and people see those that they have the right to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from crosstable.office.people.rights import Actor

#: In the order of the navigation
ROOMS = ("director", "mine", "officer", "decisions", "notices", "reports", "admin", "account")


@dataclass(frozen=True, slots=True)
class Link:
    """A title, an address, and the right that it takes; without one it is for everybody who has signed in."""

    title: str
    address: str
    right: str = ""


def links(actor: Actor) -> list[Link]:
    """What this person can do here."""
    return [link for link in _all() if not link.right or actor.may(link.right)]


@cache
def _all() -> Sequence[Link]:
    names = [f"{__package__}.{room}" for room in ROOMS]
    rooms = [import_module(f"{name}.links") for name in names if find_spec(name) and find_spec(f"{name}.links")]
    return [link for room in rooms for link in room.LINKS]
