"""A NUL character in an address or a form is a bad request: PostgreSQL refuses the text, and pages failed."""

from __future__ import annotations

import pytest
from django.test import Client

from crosstable.office.people import users
from crosstable.office.people.rights import Actor, Role

ADDRESSES = (
    "/players/%00/",
    "/players/?q=a%00b",
    "/players/?state=%00&q=an",
    "/search/?q=ab%00",
    "/events/%00/",
    "/events/%00/no/such/page/",
    "/events/?q=a%00bc",
    "/feeds/players/%00/",
    "/report/?event=%00",
    "/claim/?player=%00",
)
FORMS = ("/report/", "/claim/", "/desk/messages/", "/desk/mine/claim/", "/desk/mine/report/")
GIVEN = {"event": "\0", "section": "1", "player": "\0", "words": "\0", "about": "player:\0"}


@pytest.mark.both_databases
def test_no_page_and_no_form_fails(ready: str) -> None:
    visitor, director = Client(headers={"host": "localhost"}), Client(headers={"host": "localhost"})
    dora = users.add_user(Actor.installation(), "dora", Role.DIRECTOR, "a phrase of four words")
    director.force_login(dora, "django.contrib.auth.backends.ModelBackend")
    found = {address: visitor.get(address).status_code for address in ADDRESSES}
    found |= {address: director.post(address, GIVEN).status_code for address in FORMS}
    assert {address: status for address, status in found.items() if status not in (200, 302, 400, 403, 404)} == {}
