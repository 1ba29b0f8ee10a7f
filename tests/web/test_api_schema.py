"""Schemathesis asks everything that the description allows, and much that it does not."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from crosstable.office.players.person import STATES
from crosstable.office.queries.estimate import SCORES
from crosstable.web.api.api import api

#: Random ones for each operation, beside those of the description; `CROSSTABLE_EXAMPLES=500` for a long run
EXAMPLES = int(os.environ.get("CROSSTABLE_EXAMPLES", "12"))
#: Cases are made before there is an office that could give a token
STAND_IN = "ct_stands-for-the-token"
KEY: dict[str, str] = {}
application = get_wsgi_application()


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """The real token, and uncompressed: schemathesis asks a WSGI application for gzip, and does not unpack it."""
    environ.pop("HTTP_ACCEPT_ENCODING", None)
    if environ.get("HTTP_AUTHORIZATION") == f"Bearer {STAND_IN}":
        environ["HTTP_AUTHORIZATION"] = f"Bearer {KEY['secret']}"
    return application(environ, start_response)


schema = schemathesis.openapi.from_dict(json.loads(json.dumps(api.get_openapi_schema())))
schema.app = app


@schema.auth()
class Token:
    def get(self, case: Any, context: Any) -> str:  # noqa: ARG002  schemathesis gives them by name
        return STAND_IN

    def set(self, case: Any, data: str, context: Any) -> None:  # noqa: ARG002  schemathesis gives it by name
        if case.operation.definition.raw.get("security"):
            case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@pytest.fixture
def key(secret: str) -> None:
    KEY["secret"] = secret


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
def test_the_api_keeps_its_description(case: Any, key: None, office: str) -> None:
    excluded = [positive_data_acceptance] if _beyond_schemas(case) else []
    case.call_and_validate(excluded_checks=excluded)


def _beyond_schemas(case: Any) -> bool:
    """Whether no schema can say which values are right.

    Which bytes are an event: a file that is none is kept, and refused with findings. In which rounds a player had a
    game. Which states people here are from, beside those that everybody knows; and which scores so many games cannot
    give.
    """
    asked = case.query or {}
    what_if = "results" in asked and "/sections/" in case.operation.path
    return case.operation.path == "/api/v1/submit" or what_if or not (_is_state(asked) and _can_be_scored(asked))


def _is_state(asked: dict[str, Any]) -> bool:
    return asked.get("state", "") in ["", *STATES, *STATES.values()]


def _can_be_scored(asked: dict[str, Any]) -> bool:
    """Half points, no fewer than those of the games that are over, and no more than the others can bring."""
    if asked.get("score") is None:
        return True
    games = str(asked.get("opponents", "")).count(",") + 1
    over = [word for word in str(asked.get("results", "")).split(",")[:games] if word]
    try:
        points, score = sum(SCORES[word] for word in over), float(asked["score"])
    except (KeyError, TypeError, ValueError):
        return True  # it is no score or no result at all, and the description says so
    return (score * 2).is_integer() and points <= score <= points + games - len(over)
