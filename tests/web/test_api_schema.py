"""Schemathesis asks everything that the description allows, and much that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from django.db import connections
from hypothesis import HealthCheck, settings

EXAMPLES = 12


@pytest.fixture(scope="module")
def described(example: str, secret: str) -> Iterator[Any]:
    from django.test import override_settings

    from crosstable import office as the_office

    the_office.setup(example)
    with override_settings(API_LIMITS={}):
        yield schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application())
    connections.close_all()


schema = schemathesis.pytest.from_fixture("described")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)
def test_the_api_keeps_its_description(case: Any, secret: str, office: str) -> None:
    if "submit" in case.path or "check" in case.path or "submissions" in case.path:
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {secret}"}
    case.call_and_validate()
