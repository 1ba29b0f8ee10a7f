"""The API: reading for everybody; checking, submitting and submissions with a token only."""

from __future__ import annotations

from collections.abc import Mapping

from tests.web.routes import METHODS, ROLES, Route

READ: Mapping[str, int | Mapping[str, int]] = {"GET": 200, "HEAD": 200}


def with_token(status: int) -> dict[str, int]:
    """Signing in on the pages does not help: 401 without a token."""
    return {role: status if role == "token" else 401 for role in ROLES}


#: Pattern, address, answers; each stands with and without a slash at its end
ADDRESSES: list[tuple[str, str, Mapping[str, int | Mapping[str, int]]]] = [
    ("docs", "docs", READ),
    ("players", "players?q=an", READ),
    ("players/lookup", "players/lookup?ids={player}", {**READ, "POST": 422}),  # without a body
    ("players/<id>", "players/{player}", READ),
    ("players/<id>/history", "players/{player}/history", READ),
    ("events", "events", READ),
    ("events/<id>", "events/{event}", READ),
    ("events/<id>/sections/<section>", "events/{event}/sections/{section}", READ),
    (
        "events/<id>/sections/<section>/<number>/<pool>",
        "events/{event}/sections/{section}/{number}/OTBR",
        READ,
    ),
    ("lists", "lists", READ),
    ("lists/<date>", "lists/{list}", READ),
    ("lists/<date>/<pool>", "lists/{list}/OTBR", READ),
    ("rules", "rules", READ),
    ("rules/diff", "rules/diff?from=2024-12-31", READ),
    ("rules/<name>", "rules/bonus", READ),
    ("estimate", "estimate?rating=1500&games=50&opponents=1500,1600", READ),
    ("check", "check", {"POST": with_token(422)}),  # without a file
    ("submit", "submit", {"POST": with_token(422)}),
    ("submissions/<number>", "submissions/1", {"GET": with_token(200), "HEAD": with_token(200)}),
]


def with_slash(address: str) -> str:
    path, mark, query = address.partition("?")
    return f"{path}/{mark}{query}"


ROUTES = [
    Route("api/v1/", "/api/v1/", {"GET": 302, "HEAD": 302}),
    Route("api/v1/openapi.json", "/api/v1/openapi.json"),
    *(Route(f"api/v1/{pattern}", f"/api/v1/{address}", status) for pattern, address, status in ADDRESSES),
    *(Route(f"api/v1/{pattern}/", f"/api/v1/{with_slash(address)}", status) for pattern, address, status in ADDRESSES),
    Route("api/v1/<path:rest>", "/api/v1/nothing/here", dict.fromkeys(METHODS, 404)),
]
