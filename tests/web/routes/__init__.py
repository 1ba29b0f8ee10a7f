"""Every route × method × role, and the status that it must answer. Each room has a module here with `ROUTES`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import iter_modules

ROLES = ("anonymous", "player", "director", "officer", "admin", "token")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


@dataclass(frozen=True)
class Route:
    """One route as urls.py writes it, an address that it matches (see `sample` in conftest), and what it answers.

    `status`: method → one status for everybody, or role → status. What is not written is 405 for everybody.
    """

    pattern: str
    address: str
    status: Mapping[str, int | Mapping[str, int]] = field(default_factory=lambda: {"GET": 200, "HEAD": 200})

    def expected(self, method: str, role: str) -> int:
        answer = self.status.get(method, 405)
        return answer if isinstance(answer, int) else answer[role]


def read(status: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    return {"GET": status, "HEAD": status}


def form(status: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    """A form that is sent empty is shown again, with what is missing."""
    return {**read(status), "POST": status}


def at(status: Mapping[str, Mapping[str, int]], *patterns: str) -> list[Route]:
    """Routes that answer alike, and have nothing in them to fill in."""
    return [Route(one, f"/{one}", status) for one in patterns]


def table() -> list[Route]:
    rooms = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    return [route for room in rooms for route in room.ROUTES]
