"""The whole table of routes: nothing is missing from it, and everything answers as it says."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping

import pytest
from django.db import connections
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from crosstable import office as the_office
from tests.web.conftest import speaking_to
from tests.web.routes import METHODS, ROLES, Route, table


@pytest.fixture(scope="module")
def copied(example: str, secret: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A copy of the example for this table: some of its requests write."""
    the_office.setup(example)
    connections.close_all()  # the last one to close an SQLite file writes its log back into it
    file = tmp_path_factory.mktemp("routes") / "routes.db"
    shutil.copyfile(example.removeprefix("sqlite:///"), file)
    return f"sqlite:///{file}"


@pytest.fixture
def office(copied: str) -> Iterator[str]:
    with speaking_to(copied):
        yield copied


def patterns(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            yield before + str(one.pattern)
        else:
            yield from patterns(one, before + str(one.pattern))


def test_every_route_is_in_the_table() -> None:
    assert sorted(set(patterns(get_resolver()))) == sorted({route.pattern for route in table()})


@pytest.mark.parametrize("route", table(), ids=lambda route: route.pattern or "home")
def test_each_answers_every_method_and_role_as_the_table_says(
    route: Route, clients: Mapping[str, Client], sample: Mapping[str, str]
) -> None:
    address = route.address.format(**sample)
    found = {(method, role): clients[role].generic(method, address).status_code for method in METHODS for role in ROLES}
    wanted = {(method, role): route.expected(method, role) for method in METHODS for role in ROLES}
    assert found == wanted
