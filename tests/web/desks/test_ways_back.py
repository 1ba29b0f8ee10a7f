"""A form that could not be taken leads back to its page: an ended session, an old token, a refused mend, a download."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from django.test import Client

from tests.desk_files import CLASH
from tests.web import accounts
from tests.web.desks.test_director import bring, page

Desk = Callable[[str], Client]
SITE = "http://localhost"


class Forms(HTMLParser):
    """What a browser sees of a page's forms: of each the controls in order, as (tag, name, value)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.all: list[list[tuple[str, str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "form":
            self.all.append([])
        elif tag in ("input", "button") and self.all:
            named = dict(attrs)
            self.all[-1].append((tag, named.get("name") or "", named.get("value") or ""))


@pytest.mark.parametrize(
    ("form", "stood_on", "back"),
    [
        ("/desk/drafts/7/mend/", f"{SITE}/desk/drafts/7/", "/desk/drafts/7/"),
        ("/desk/drafts/7/type/", f"{SITE}/desk/drafts/7/type/", "/desk/drafts/7/type/"),
        ("/desk/inbox/read/", f"{SITE}/desk/inbox/?page=2", "/desk/inbox/%3Fpage%3D2"),
        ("/desk/drafts/7/mend/", "https://evil.example/desk/drafts/8/", "/desk/drafts/7/"),  # not one of ours
        ("/desk/drafts/7/mend/", f"{SITE}/no/such/page/", "/desk/drafts/7/"),
        ("/desk/drafts/7/mend/", "", "/desk/drafts/7/"),  # a browser that names no page
    ],
)
def test_a_form_without_a_session_leads_back_to_its_page(desk_office: str, form: str, stood_on: str, back: str) -> None:
    answer = Client(headers=accounts.HOST).post(form, headers={"referer": stood_on} if stood_on else {})
    assert answer.status_code == 302
    assert answer["Location"] == f"/desk/sign-in/?not-sent=1&next={back}"
    shown = page(Client(headers=accounts.HOST), answer["Location"])
    assert "your form was not sent" in shown
    assert "your form was not sent" not in page(Client(headers=accounts.HOST), "/desk/sign-in/?next=/desk/")


def test_after_signing_in_one_stands_on_the_page_of_the_form(desk: Desk) -> None:
    draft = f"/desk/drafts/{bring(desk('director'), CLASH.read_bytes(), CLASH.name)}/"
    client = Client(headers=accounts.HOST)
    asked = client.post(f"{draft}mend/", {"mend": "action=name"}, headers={"referer": SITE + draft})
    hidden = re.search(r'name="next" value="([^"]+)"', page(client, asked["Location"]))
    assert hidden
    given = {"login": "dora", "password": accounts.PASSWORD, "next": hidden[1]}
    assert client.post(asked["Location"], given)["Location"] == draft


@pytest.mark.parametrize(
    ("address", "stood_on", "back"),
    [
        ("/desk/drafts/7/mend/", "/desk/drafts/7/", "/desk/drafts/7/"),
        ("/desk/drafts/7/send/", None, "/desk/drafts/7/"),
        ("/club/enter/", "/club/enter/", "/club/enter/"),
    ],
)
def test_a_token_that_does_not_fit_is_a_page_of_ours(desk: Desk, address: str, stood_on: str | None, back: str) -> None:
    client = Client(enforce_csrf_checks=True, headers=accounts.HOST)
    client.cookies = desk("director").cookies
    client.cookies["csrftoken"] = "a" * 32
    headers = {"referer": SITE + stood_on} if stood_on else {}
    answer = client.post(address, {"csrfmiddlewaretoken": "b" * 32}, headers=headers)
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Nothing was changed." in html
    assert f'<a href="{back}">the page with the form</a>' in html
    assert "crosstable/site" in html  # our stylesheet
    assert "<style" not in html
    assert "style=" not in html
    assert answer["Cache-Control"] == "private, no-store"


def test_a_cell_without_javascript_is_a_page_with_one_field(desk: Desk) -> None:
    """Enter in the field presses Save; a refused value stays, with the reason."""
    director = desk("director")
    draft = f"/desk/drafts/{bring(director, CLASH.read_bytes(), CLASH.name)}/"
    assert 'href="edit/?section=1&amp;player=2&amp;round=5"' in page(director, draft)
    forms = Forms(page(director, f"{draft}edit/?section=1&player=2&round=5")).all
    [form] = [one for one in forms if any(name == "cell" for _, name, _ in one)]
    assert [(tag, name) for tag, name, _ in form][-2:] == [("input", "cell"), ("button", "mend")]
    assert director.get(f"{draft}edit/?section=1&player=77").status_code == 404
    typed = {"section": "1", "player": "2", "round": "5", "cell": "W77"}
    answer = director.post(f"{draft}mend/", {"mend": "action=cell", **typed})
    html = answer.content.decode()
    assert (answer.status_code, 'value="W77"' in html) == (409, True)
    assert "No player has the number 77 in section 1." in html
    answer = director.post(f"{draft}mend/", {"mend": "action=cell", **typed, "cell": "D3"})
    assert (answer.status_code, answer["Location"]) == (302, f"{draft}#s1p2")


@pytest.mark.parametrize(
    ("action", "typed"),
    [
        ("add-player", {"section": "1", "name": " ", "id": ""}),
        ("section-name", {"section": "1", "name": " "}),
        ("section-settings", {"section": "1", "rounds": "1000", "time_control": "G/60;d5"}),
        ("add-section", {"name": " "}),
    ],
)
def test_a_refused_change_leaves_its_form_open_with_what_was_typed(
    desk: Desk, action: str, typed: dict[str, str]
) -> None:
    director = desk("director")
    draft = bring(director, CLASH.read_bytes(), CLASH.name)
    answer = director.post(f"/desk/drafts/{draft}/mend/", {"mend": f"action={action}", **typed})
    html = answer.content.decode()
    assert answer.status_code == 409
    [form] = [one for one in Forms(html).all if ("button", "mend", f"action={action}") in one]
    assert {name: value for tag, name, value in form if tag == "input" and name in typed} == typed
    assert re.search(r'<details class="others(?: gap)?" open>', html)


def test_refused_days_of_the_event_stay_in_their_panel(desk: Desk) -> None:
    director = desk("director")
    draft = bring(director, CLASH.read_bytes(), CLASH.name)
    days = {"mend": "action=dates", "start": "2025-12-28", "end": "2025-12-27"}  # the last before the first
    answer = director.post(f"/desk/drafts/{draft}/mend/", days)
    assert answer.status_code == 409
    assert '<details class="work" open><summary>Name, days and place of the event' in answer.content.decode()
    assert '<input name="start" type="date" value="2025-12-28"' in answer.content.decode()
    assert director.get(f"/desk/drafts/{draft}/mend/")["Location"] == f"/desk/drafts/{draft}/"  # the page is reloaded


def test_a_backup_after_the_second_factor_begins_on_the_admin_page(desk_office: str) -> None:
    """The question is no page to stay on: the file would leave the browser there."""
    admin = accounts.signed_in("admin", fresh=False)
    asked = admin.post("/desk/admin/backup/")
    assert asked["Location"] == "/desk/account/confirm/code/?next=%2Fdesk%2Fadmin%2F%3Fconfirmed%3D1"
    assert "Download the backup now" not in page(admin, "/desk/admin/?confirmed=1")  # nobody has confirmed anything
    done = admin.post(asked["Location"], {"code": accounts.code_now()})
    assert done["Location"] == "/desk/admin/?confirmed=1"
    assert "Download the backup now" in page(admin, done["Location"])
    assert "attachment" in admin.post("/desk/admin/backup/")["Content-Disposition"]
    assert admin.get("/desk/admin/backup/")["Location"] == "/desk/admin/"
