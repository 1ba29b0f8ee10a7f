"""PostgreSQL answers as SQLite does: the example, restored from its backup, page by page and answer by answer."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from django.db import connection, connections
from django.test import Client, override_settings

from crosstable import office as the_office
from crosstable.office.backup import archive
from crosstable.office.people.rights import Actor
from tests.web import accounts
from tests.web.routes import api, feeds, public
from tests.web.test_pages import PAGES

sys.path.append(str(Path(__file__).resolve().parents[1] / "office"))

import office_postgres as postgres

#: Every address of the public site and of the API that answers to everybody
ADDRESSES = sorted(
    {
        *PAGES,
        *(
            one.address
            for room in (public, api, feeds)
            for one in room.ROUTES
            if one.expected("GET", "anonymous") == 200
        ),
        *(
            f"{one}?format=csv"
            for one in ("/players/{player}/", "/events/", "/events/{event}/{section}/", "/lists/{list}/OTBR/")
        ),
        "/players/?q=AN",
        "/players/?q={player},{other},99999999",
        "/events/?q=open&year=2025",
        "/players/?q=a&state=OH&played=2025",
        "/players/?q=pen",
        "/players/1/",
        "/events/1/",
        "/api/v1/players?q=an&limit=3",
        "/api/v1/players/nobody",
    }
)
#: The end of the log stands on every page, and a restored office's log says that it was restored
HEAD = re.compile(rb"\b\d+:[0-9a-f]{8,64}\b")


@pytest.fixture(scope="module")
def postgresql(
    example: str, secret: str, postgres_server: str, postgres_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """The example once more. A backup is an act of the office, so it is taken of a copy; a token is in it."""
    folder = tmp_path_factory.mktemp("both")
    the_office.setup(example)
    connections.close_all()
    shutil.copyfile(example.removeprefix("sqlite:///"), folder / "copy.db")
    the_office.setup(f"sqlite:///{folder / 'copy.db'}")
    archive.backup(Actor.installation(), folder / "saved.zip")
    name = f"web_{os.getpid()}"
    url = postgres.create(postgres_server, name, postgres_template)
    the_office.setup(url)
    archive.restore(Actor.installation(), folder / "saved.zip")
    yield url
    connections.close_all()
    postgres.drop(postgres_server, name)


def answers(url: str, sample: Mapping[str, str]) -> dict[str, tuple[int, bytes]]:
    the_office.setup(url)
    visitor = Client(headers=accounts.HOST)
    with override_settings(API_LIMITS={}):
        found = {address: visitor.get(address.format(**sample)) for address in ADDRESSES}
    assert connection.vendor == ("postgresql" if url.startswith("postgresql") else "sqlite")
    connections.close_all()
    return {address: (one.status_code, HEAD.sub(b"", one.content)) for address, one in found.items()}


def test_every_public_address_says_the_same(example: str, sample: Mapping[str, str], postgresql: str) -> None:
    on_sqlite, on_postgresql = answers(example, sample), answers(postgresql, sample)
    assert len(ADDRESSES) > 60
    assert {status for status, _ in on_sqlite.values()} == {200, 404}
    assert [one for one in ADDRESSES if on_sqlite[one] != on_postgresql[one]] == []


def test_an_unchanged_page_is_a_304_and_a_token_is_known(example: str, secret: str, postgresql: str) -> None:
    """The token came with the backup."""
    the_office.setup(postgresql)
    visitor = Client(headers=accounts.HOST)
    etag = visitor.get("/")["ETag"]
    assert visitor.get("/", headers={"if-none-match": etag}).status_code == 304
    program = Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"})
    assert program.post("/api/v1/check", b"{", content_type="application/json").status_code == 200
    assert visitor.post("/api/v1/check", b"{", content_type="application/json").status_code == 401
    connections.close_all()
