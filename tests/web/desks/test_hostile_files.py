"""Files that mean harm, sent to the real server while others work; and every address that gives a file back."""

from __future__ import annotations

import http.client
import io
import re
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from crosstable.office.people.users import acting_as
from crosstable.office.reports import drafts, submissions
from crosstable.office.reports.models import Draft
from crosstable.office.requests import corrections
from crosstable.web.urls import DESKS
from tests.web import accounts
from tests.web.desks.test_officer import as_file, content_of, old_event

Desk = Callable[[str], Client]
MEGABYTE = 1024 * 1024
#: What somebody else asks for meanwhile
PAGES = ("/", "/players/", "/events/", "/lists/", "/desk/sign-in/", "/healthz")
MARK = "----------a-file"
HTML = b"<html><script>alert(1)</script></html>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'
NAME = 'evil"; filename="x.html\r\nX-Evil: 1\r\n\r\n<script>alert(3)</script>.svg'


class Somebody:
    """Whoever is signed in, at the real server."""

    def __init__(self, site: str, role: str) -> None:
        self.place = urlsplit(site).netloc
        key = accounts.signed_in(role).cookies[settings.SESSION_COOKIE_NAME].value
        self.cookies = f"{settings.SESSION_COOKIE_NAME}={key}"
        answer, html = self.ask("/desk/")
        assert answer.status == 200
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
        assert token
        self.token = token[1]
        given = answer.headers.get_all("Set-Cookie") or []
        self.cookies = "; ".join([self.cookies, *(cookie.split(";")[0] for cookie in given)])

    def ask(self, address: str) -> tuple[http.client.HTTPResponse, str]:
        with connected(self.place) as line:
            line.request("GET", address, headers={"Cookie": self.cookies})
            answer = line.getresponse()
            return answer, answer.read().decode()

    def form(self, data: bytes, name: str) -> bytes:
        """A form with a file, as browsers write it."""
        parts = f'--{MARK}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{self.token}\r\n'
        parts += f'--{MARK}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        return parts.encode() + data + f"\r\n--{MARK}--\r\n".encode()

    def begin(self, line: http.client.HTTPConnection, address: str, size: int) -> None:
        line.putrequest("POST", address)
        for field, value in (("Cookie", self.cookies), ("Content-Type", f"multipart/form-data; boundary={MARK}")):
            line.putheader(field, value)
        line.putheader("Content-Length", str(size))
        line.endheaders()

    def send(self, address: str, data: bytes, name: str) -> str:
        """Where the server leads."""
        body = self.form(data, name)
        with connected(self.place) as line:
            self.begin(line, address, len(body))
            line.send(body)
            answer = line.getresponse()
            answer.read()
            assert answer.status == 302, answer.status
            return str(answer.headers["Location"])


@contextmanager
def connected(place: str) -> Iterator[http.client.HTTPConnection]:
    line = http.client.HTTPConnection(place, timeout=120)
    try:
        yield line
    finally:
        line.close()


def others_work(place: str) -> None:
    for address in PAGES:
        with connected(place) as line:
            line.request("GET", address)
            answer = line.getresponse()
            answer.read()
            assert answer.status == 200, address


def test_fifty_megabytes_are_refused_while_others_get_their_pages(desk_site: str) -> None:
    """Three people send them at once, to a server of four threads; half of each body is there when others ask."""
    dora = Somebody(desk_site, "director")
    body = dora.form(b"x" * (50 * MEGABYTE), "large.csv")
    lines = [http.client.HTTPConnection(dora.place, timeout=120) for _ in range(3)]
    for line in lines:
        dora.begin(line, "/desk/drafts/new/", len(body))
        line.send(body[: len(body) // 2])
    others_work(dora.place)
    for line in lines:
        line.send(body[len(body) // 2 :])
        answer = line.getresponse()
        text = answer.read().decode()
        assert answer.status == 413
        assert "It was not read." in text
        line.close()
    others_work(dora.place)
    assert Draft.objects.count() == 0


def test_zip_bombs_are_refused_while_others_get_their_pages(desk_site: str) -> None:
    dora = Somebody(desk_site, "director")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("THEXPORT.DBF", b"\0" * (60 * MEGABYTE))
    led: list[str] = []
    senders = [
        threading.Thread(target=lambda: led.append(dora.send("/desk/drafts/new/", packed.getvalue(), "bomb.zip")))
        for _ in range(3)
    ]
    for sender in senders:
        sender.start()
    while True:
        others_work(dora.place)
        if not any(sender.is_alive() for sender in senders):
            break
    assert len(set(led)) == 3  # each has its own draft, which says why
    for address in led:
        answer, html = dora.ask(address)
        assert answer.status == 200
        assert "unpacks to 62,914,560 bytes; the limit is 52,428,800." in html  # 60 and 50 megabytes


def brought(data: bytes) -> int:
    return drafts.start(acting_as("dora"), data, NAME).id


def submitted(data: bytes) -> int:
    return submissions.submit(acting_as("dora"), data, NAME).submission


def asked(data: bytes) -> int:
    """A correction needs a file that can be read: the harm is in its words."""
    content = content_of(old_event())
    content |= {"name": data.decode(), "city": data.decode()[:90]}
    return corrections.ask(acting_as("dora"), old_event(), as_file(content), NAME, data.decode()).id


#: The addresses that give back what somebody sent: how it comes there, and the pages that speak of it
FILES = {"draft-file": brought, "submission-file": submitted, "desk-correction-file": asked}
SPEAKING = {
    "draft-file": ("/desk/drafts/{}/", "/desk/drafts/{}/text/", "/desk/"),
    "submission-file": ("/desk/submissions/{}/", "/desk/submissions/"),
    "desk-correction-file": ("/desk/corrections/{}/", "/desk/corrections/"),
}
WHERE = {
    "draft-file": "/desk/drafts/{}/file/",
    "submission-file": "/desk/submissions/{}/file/",
    "desk-correction-file": "/desk/corrections/{}/file/",
}


def test_no_address_that_gives_a_file_back_is_forgotten() -> None:
    named = {str(route.name): f"/desk/{str(route.pattern).replace('<int:number>', '{}')}" for route in DESKS}
    assert {name: place for name, place in named.items() if place.endswith("/file/")} == WHERE
    assert named["draft-text"] in SPEAKING["draft-file"]


@pytest.mark.parametrize("data", [HTML, SVG], ids=["html", "svg"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_back_as_a_file_and_never_as_a_page(desk: Desk, name: str, data: bytes) -> None:
    number = FILES[name](data)
    roles = ("director", "officer") if name != "draft-file" else ("director",)  # a draft is its owner's alone
    for role in roles:
        answer = desk(role).get(WHERE[name].format(number))
        assert answer.status_code == 200
        assert answer.content == data or name == "desk-correction-file"
        assert answer["Content-Type"] == "application/octet-stream"
        assert re.fullmatch(r'attachment; filename="[\w .-]+"', answer["Content-Disposition"])
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'"
        assert "X-Evil" not in answer.headers
    for place in SPEAKING[name]:
        answer = desk("director").get(place.format(number))
        html = answer.content.decode()
        assert answer.status_code == 200
        assert answer["Content-Type"] == "text/html; charset=utf-8"
        assert "alert" in html or "evil" in html, place  # it does speak of it
        assert "<script>" not in html
        assert not re.search(r"<svg[^>]*onload", html)
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert "unsafe-inline" not in answer["Content-Security-Policy"]


#: An answer about the file, and not one about who asks
STATUS = {"/api/v1/check": 200, "/api/v1/submit": 422}


@pytest.mark.parametrize("data", [HTML, SVG], ids=["html", "svg"])
def test_the_api_answers_in_json_whatever_it_quotes(desk: Desk, secret: str, data: bytes) -> None:
    program = Client(headers={**accounts.HOST, "authorization": f"Bearer {secret}"})
    for address in ("/api/v1/check", "/api/v1/submit"):
        answer = program.post(f"{address}?name=evil.html", data, content_type="application/octet-stream")
        assert answer["Content-Type"].startswith(("application/json", "application/problem+json")), address
        assert answer.status_code == STATUS[address]
        assert b"it begins with" in answer.content  # it is quoted
        assert answer["X-Content-Type-Options"] == "nosniff"
