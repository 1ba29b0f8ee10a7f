"""The API, put together: routes, errors, and the description for programs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

import crosstable
from crosstable.web.api import door, estimate, events, lists, players, problems, rules, submitting
from crosstable.web.api.description import complete
from crosstable.web.api.problems import Refused, wrong

WORDS = """\
What the public pages say, for programs. No answer holds a birth date or an age, or a number that would tell one: there null
stands in its place. Reading needs no token; a token raises the limit. Unchanged answers are 304 and are not counted: send
the ETag back as If-None-Match."""


class Api(NinjaAPI):
    """With every error in the description."""

    def get_openapi_schema(self, **options: Any) -> Any:
        return complete(super().get_openapi_schema(**{"path_prefix": "/api/v1/", **options}))


api = Api(title="Crosstable", version=crosstable.__version__, description=WORDS, docs_url=None, urls_namespace="api-v1")
api.add_router("/players", players.router)
api.add_router("/events", events.router)
api.add_router("/lists", lists.router)
api.add_router("/rules", rules.router)
api.add_router("/estimate", estimate.router)
api.add_router("", submitting.router)


@api.exception_handler(Exception)
def _any(request: HttpRequest, fault: Exception) -> HttpResponse:
    return door.told(fault)


@api.exception_handler(ValidationError)
def _invalid(request: HttpRequest, fault: ValidationError) -> HttpResponse:
    """Each value that cannot be used, by its name. The value itself is not repeated."""
    found = [wrong(" ".join(str(part) for part in one["loc"]), f"{one['msg']}.") for one in fault.errors]
    return problems.problem("wrong-value", "Something in the request cannot be used.", found)


@api.exception_handler(AuthenticationError)
def _unknown(request: HttpRequest, fault: AuthenticationError) -> HttpResponse:
    return door.no_token("This address needs a token.").answer()


@api.exception_handler(HttpError)
def _unreadable(request: HttpRequest, fault: HttpError) -> HttpResponse:
    return Refused("bad-request", "The body is not what this address reads.").answer()
