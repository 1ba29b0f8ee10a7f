"""No form loses what was typed: a refused value, a second factor that is asked for again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pytest
from django.test import Client

from crosstable.office.ledger.models import FloorRequest
from crosstable.office.people import users
from crosstable.office.reports import submissions
from crosstable.office.requests import adjustments, corrections, mistakes, registry
from crosstable.office.requests.models import Proposal
from tests.web import accounts
from tests.web.desks import stage
from tests.web.desks.stage import ADA, BEN, CAY, DOUBLE, IVY

Desk = Callable[[str], Client]

#: A text that no form takes: it tells a birth date (office/ledger/free_text.py)
TYPED = "Please note: she was born 5/3/2014."


@dataclass(frozen=True)
class Form:
    """A form of the desks: who sends it, where, the field for text, and what else must be filled in."""

    role: str
    address: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.address} {self.fields.get('do', '')}"


ADJUST = {"player": BEN, "pool": "OTBR", "on": "2025-06-01", "rating": "1500", "games": "30"}
PRIZE = {"player": BEN, "event": "{match}", "section": "1", "pool": "OTBR", "under": "1800", "money": "5000"}
FORMS = [
    Form("officer", "/desk/adjustments/", "reason", {**ADJUST, "do": "propose"}),
    Form("officer", f"/desk/adjustments/?player={BEN}", "reason", {**ADJUST, "do": "propose"}),
    Form("officer", "/desk/lists/", "reason", {"date": "2027-01-01", "top": "100", "do": "propose"}),
    Form("officer", "/desk/prizes/", "reason", {**PRIZE, "do": "set"}),
    Form("officer", "/desk/floors/{floor}/", "reason", {"do": "grant"}),
    Form("officer", "/desk/floors/{floor}/", "reason", {"do": "refuse"}),
    Form("officer", "/desk/merges/new/", "reason", {"duplicate": DOUBLE, "into": CAY, "do": "merge"}),
    Form("officer", "/desk/players/add/", "reason", {"number": "40000099", "name": "Zoe Quill", "do": "add"}),
    Form("officer", f"/desk/players/{BEN}/facts/", "reason", {"name": "Ben Weever", "do": "change"}),
    Form(
        "officer", f"/desk/players/{BEN}/memberships/", "reason", {"kind": "life", "begins": "2025-01-01", "do": "join"}
    ),
    Form("officer", f"/desk/players/{BEN}/forget-name/", "reason", {"do": "forget"}),
    Form("officer", "/desk/proposals/{proposal}/", "reason", {"do": "refuse"}),
    Form("officer", "/desk/corrections/{correction}/", "message", {"do": "reject"}),
    Form("officer", "/desk/review/{event}/", "message", {"do": "refuse"}),
    Form("officer", "/desk/review/{event}/", "message", {"do": "ask"}),
    Form("officer", "/desk/requests/{request}/decide/", "words", {"answer": "no"}),
    Form("player", "/desk/mine/claim/", "words", {"player": BEN}),
    Form("player", "/desk/mine/report/", "words", {"event": "{match}", "section": "1", "round": "1"}),
]


@pytest.fixture
def known(desk: Desk) -> dict[str, str]:
    """Something to decide for each form."""
    floor = stage.lost_match()
    match = FloorRequest.objects.get(id=floor).event_number
    stage.twins()
    olive, oscar, dora, pia = (users.acting_as(name) for name in ("olive", "oscar", "dora", "pia"))
    facts = {ADA: stage.rated(1500), BEN: stage.rated(1410, peak=1650.0)}
    games = [(number, 1, 2, "1-0") for number in range(1, 10)]
    other = stage.report("Weaver – Strong", stage.MATCH, [ADA, BEN], games, "match", facts)
    correction = corrections.ask(olive, match, other, "match.json", "The last game was not played.")
    waits = stage.report("Summer Open", date(2025, 8, 2), [CAY, IVY], [(1, 1, 2, "1-0")], "swiss", {})
    proposal = adjustments.propose(oscar, ADA, "OTBR", date(2025, 6, 20), {"rating": 1510.0}, "A letter.")
    return {
        "floor": str(floor),
        "match": match,
        "proposal": str(proposal.pk),
        "correction": str(correction.id),
        "event": submissions.submit(dora, waits, "open.json").event,
        "request": str(mistakes.report(pia, mistakes.Place(match, 1, 1), "It was a draw.").id),
    }


def test_a_refused_value_leaves_the_form_as_it_was_typed(desk: Desk, known: dict[str, str]) -> None:
    lost = []
    for form in FORMS:
        address = form.address.format_map(known)
        fields = {name: value.format_map(known) for name, value in form.fields.items()}
        answer = desk(form.role).post(address, {**fields, form.text: TYPED})
        page = answer.content.decode()
        if TYPED not in page or any(
            value not in page for name, value in fields.items() if name not in ("do", "answer")
        ):
            lost.append(f"{form.name}: {answer.status_code}")
    assert lost == []


def test_a_second_factor_asked_for_again_sends_the_form_on(desk: Desk, known: dict[str, str]) -> None:
    """The code comes after the form; then the form is done, whatever its address has after the question mark."""
    for address in ("/desk/adjustments/", f"/desk/adjustments/?player={BEN}"):
        olive = accounts.signed_in("officer", fresh=False)
        fields = {**ADJUST, "do": "propose", "reason": "A rating from the old office.", "rating": "1501"}
        asked = olive.post(address, fields)
        assert asked["Location"].startswith("/desk/account/confirm/code/")
        answer = olive.post(asked["Location"], {"code": accounts.code_now()})
        proposal = Proposal.objects.filter(action="rating.adjust").latest("pk")
        assert answer["Location"] == f"/desk/proposals/{proposal.pk}/", answer.content.decode()
        registry.take_back(users.acting_as("olive"), f"proposal:{proposal.pk}", "only a test")


#: A page, the field that is typed into, and the button that sends its form
IN_THE_BROWSER = [
    (f"/desk/adjustments/?player={BEN}", "Reason", "Look"),
    ("/desk/review/{event}/", "Message to dora", "Refuse it"),
    ("/desk/corrections/{correction}/", "Message to olive", "Do it"),
    ("/desk/players/add/", "Name", "Add the player"),
    ("/desk/requests/{request}/", "What pia and the director read", "Nothing to change"),
    ("/desk/jobs/", "Reason", "Recompute every rating …"),
]


def test_an_ended_session_and_a_failed_token_give_the_text_back(
    chromium: Any, desk_site: str, known: dict[str, str]
) -> None:
    """The browser keeps what was typed until the office has it, and sends a form once for a double click."""
    page = chromium.new_context(base_url=desk_site).new_page()
    for address, label, button in IN_THE_BROWSER:
        for failure in ("session", "token"):
            accounts.sign_in_page(page, desk_site, "officer")
            page.goto(address.format_map(known))
            page.get_by_label(label, exact=True).first.fill("Zoe Quill wrote this.")
            if failure == "session":
                page.context.clear_cookies()
            else:
                page.evaluate("for (const one of document.getElementsByName('csrfmiddlewaretoken')) one.value = 'old'")
            page.evaluate("for (const one of document.forms) one.noValidate = true")
            page.get_by_role("button", name=button, exact=True).click()
            page.locator("[data-form-lost]").wait_for()
            if failure == "session":
                accounts.sign_in_page(page, desk_site, "officer")
                page.goto(address.format_map(known))
            else:
                page.get_by_role("link", name="the page with the form").click()
            page.get_by_text("Your text is back").wait_for()
            assert page.get_by_label(label, exact=True).first.input_value() == "Zoe Quill wrote this.", (
                address,
                failure,
            )
