"""Pages kept in memory: quick for everybody, and never somebody else's, an old one or another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext

from crosstable.office.ledger import players
from crosstable.office.queries import status
from crosstable.web import kept_pages
from crosstable.web.kept_pages import Kept, KeptPages, Shelf
from tests.web import accounts
from tests.web.test_pages import PAGES


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    with override_settings(KEPT_PAGES_BYTES=2**20):
        yield


def questions(client: Client, address: str, **headers: str) -> int:
    """How often the database is asked for a page.

    One that comes from memory asks for the ledger's head, and no more.
    """
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address, headers=headers).status_code == 200, address
    return len(asked)


@pytest.mark.parametrize("address", PAGES)
def test_the_second_visitor_gets_the_page_for_one_question(
    address: str, visitor: Client, sample: Mapping[str, str]
) -> None:
    address = address.format(**sample)
    first = visitor.get(address)
    with CaptureQueriesContext(connection) as asked:
        again = visitor.get(address)
    assert len(asked) == 1
    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))
    assert visitor.get(address, headers={"if-none-match": again["ETag"]}).status_code == 304


def test_a_page_of_an_old_head_is_never_served(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page has the log's head in its foot."""
    old = status.ledger_head()
    assert str(old) in visitor.get("/help/").content.decode()
    new = status.Head(old.count + 1, "f" * 64, old.at)
    monkeypatch.setattr(status, "ledger_head", lambda: new)
    for _ in range(2):
        assert str(new) in visitor.get("/help/").content.decode()
    monkeypatch.undo()
    assert str(old) in visitor.get("/help/").content.decode()


def test_whoever_is_signed_in_gets_nothing_from_here_and_leaves_nothing(clients: Mapping[str, Client]) -> None:
    """Any cookie is enough, and any token."""
    for role in ("player", "director", "officer", "admin", "token"):
        client = clients[role]
        assert questions(client, "/players/") > 1
        assert questions(client, "/players/") > 1, role
    visitor = clients["anonymous"]
    assert questions(visitor, "/players/") > 1
    assert questions(visitor, "/players/") == 1
    visitor.cookies["sessionid"] = "somebody's"
    assert questions(visitor, "/players/") > 1
    del visitor.cookies["sessionid"]
    assert questions(visitor, "/players/", authorization="Bearer ct_x") > 1


def test_a_part_of_a_page_a_compressed_page_and_another_host_are_kept_apart(visitor: Client) -> None:
    """A feed writes the host's name into its addresses; a part of a page is what somebody sees who is typing."""
    page = visitor.get("/players/?q=an").content
    part = visitor.get("/players/?q=an", headers={"hx-request": "true"}).content
    packed = visitor.get("/players/?q=an", headers={"accept-encoding": "gzip"})
    assert len(part) < len(page)
    assert packed["Content-Encoding"] == "gzip"
    assert visitor.get("/players/?q=an").content == page
    assert "Content-Encoding" not in visitor.get("/players/?q=an").headers
    assert b"//localhost/" in visitor.get("/feeds/events/").content
    assert b"//127.0.0.1/" in visitor.get("/feeds/events/", headers={"host": "127.0.0.1"}).content


def test_desks_the_api_refusals_and_what_is_not_found_are_not_kept(visitor: Client, sample: Mapping[str, str]) -> None:
    """The sign-in page has a secret in its form; the API counts who asks."""
    for address in ("/desk/sign-in/", f"/api/v1/players/{sample['player']}", "/healthz"):
        before = questions(Client(headers=accounts.HOST), address)
        assert questions(Client(headers=accounts.HOST), address) == before
    one = f"/api/v1/players/{sample['player']}"
    assert questions(visitor, one) == questions(visitor, one) > 1
    assert {visitor.get("/players/1/").status_code for _ in range(2)} == {404}


@pytest.mark.parametrize(
    "headers", [{"Vary": "Accept-Language"}, {"Vary": "HX-Request, Cookie"}, {"Set-Cookie": "a=b"}], ids=str
)
def test_a_page_that_depends_on_more_than_its_address_is_not_kept(headers: Mapping[str, str], office: str) -> None:
    made = []

    def view(request: HttpRequest) -> HttpResponse:
        request.ledger_head, request.may_be_kept = status.ledger_head(), True  # type: ignore[attr-defined]  # ours
        made.append(request)
        response = HttpResponse(f"page {len(made)}")
        for name, value in headers.items():
            if name == "Set-Cookie":
                response.set_cookie("name", value)
            else:
                response[name] = value
        return response

    pages = KeptPages(view)
    asked = RequestFactory(headers={"host": "localhost"})
    assert [pages(asked.get("/")).content for _ in range(2)] == [b"page 1", b"page 2"]
    assert len(pages.shelf) == 0


def test_memory_is_bounded_and_the_longest_unasked_page_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten bytes hold two pages of four: the third pushes out the one that nobody asked for since."""
    shelf = Shelf()
    for name in ("a", "b"):
        shelf.put((name,), Kept("", b"four", (), None), 10)
    assert shelf.get(("a",))
    shelf.put(("c",), Kept("", b"four", (), None), 10)
    assert (shelf.get(("a",)) is not None, shelf.get(("b",)), len(shelf)) == (True, None, 2)
    shelf.put(("a",), Kept("new", b"five5", (), None), 10)
    assert len(shelf) == 2


def test_a_file_larger_than_a_page_is_not_kept(visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "LARGEST", 100)
    assert questions(visitor, "/help/") == questions(visitor, "/help/") > 1


def test_a_page_asks_once_who_is_merged(
    visitor: Client, sample: Mapping[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five of its questions need to know; all are about one moment."""
    asked: list[int] = []
    monkeypatch.setattr(players, "_read", lambda: asked.append(1) or {})
    for address in ("/players/{player}/", "/players/{player}/?format=csv"):
        asked.clear()
        assert visitor.get(address.format(**sample)).status_code == 200
        assert len(asked) == 1
