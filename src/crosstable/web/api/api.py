"""The API, put together: routes, errors, and the description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.operation import Operation

import crosstable
from crosstable.web.api import door, estimate, events, lists, players, problems, rules, submitting, words
from crosstable.web.api.description import complete
from crosstable.web.api.problems import Refused

WORDS = """\
What the public pages say, for programs. No answer holds a birth date or an age, or a number that would tell one:
there null stands in its place. Reading needs no token; a token raises the limit. Unchanged answers are 304 and are
not counted: send the ETag back as If-None-Match."""


class Api(NinjaAPI):
    """With every error in the description, and operations by the short names of their functions: players, lookup."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> Any:
        return complete(super().get_openapi_schema(**{"path_prefix": "/api/v1/", **options}))


api = Api(
    title="Crosstable",
    version=crosstable.__version__,
    description=WORDS,
    docs_url=None,
    urls_namespace="api-v1",
    servers=[{"url": "/", "description": "This office"}],
)
api.add_router("/players", players.router)
api.add_router("/events", events.router)
api.add_router("/lists", lists.router)
api.add_router("/rules", rules.router)
api.add_router("/estimate", estimate.router)
api.add_router("", submitting.router)


@cache
def _described() -> Any:
    return api.get_openapi_schema()["paths"]


def parameters(request: HttpRequest) -> Mapping[str, Any] | None:
    """Return what an address takes, by name; nothing where it does not answer this method."""
    route = request.resolver_match.route if request.resolver_match else ""
    address = f"/{route.rstrip('/')}".replace("<", "{").replace(">", "}")
    operation = _described().get(address, {}).get((request.method or "").lower())
    return None if operation is None else {one["name"]: one for one in operation.get("parameters", ())}


def known_only(view: door.View) -> door.View:
    """Refuse what an address does not take: a misspelt `limit` would otherwise be passed over."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        taken = parameters(request)
        known = [name for name, one in (taken or {}).items() if one["in"] == "query"]
        unknown = [name for name in request.GET if name not in known]
        if taken is not None and unknown:
            raise Refused(
                "wrong-value",
                "This address does not accept all parameters of the request.",
                words.unknown(unknown, known),
            )
        return view(request, *args, **kwargs)

    return answered


@api.exception_handler(Exception)
def _any(request: HttpRequest, fault: Exception) -> HttpResponse:
    return door.told(fault)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, fault: ValidationError) -> HttpResponse:
    """Each value that cannot be used, by its name."""
    taken = parameters(request) or {}
    found = [words.finding(one, taken) for one in fault.errors]
    return problems.problem("wrong-value", "Something in the request cannot be used.", found)


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, fault: AuthenticationError) -> HttpResponse:
    return door.no_token("This address needs a token.").answer()


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, fault: HttpError) -> HttpResponse:
    return Refused("bad-request", "The body is not what this address reads.").answer()
