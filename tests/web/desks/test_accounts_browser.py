"""In a real browser: an officer signs in with a code, adds a passkey and signs in with it; every page of accounts
looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.web import accounts
from tests.web.desks.test_mine_browser import looked_at
from tests.web.test_browser import PHONE, WIDE, opened

KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def give_passkeys(page: Any) -> None:
    """A key that the browser pretends to have, and a finger on it."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def browse(request: pytest.FixtureRequest, chromium: Any) -> Callable[[str], Any]:
    """A page of the site, at both sizes."""
    return lambda site: opened(chromium, site, viewport=request.param)


def test_an_officer_signs_in_by_code_and_then_by_passkey(
    browse: Callable[[str], Any], desk_site: str, pictures: Path
) -> None:
    site = desk_site.replace("127.0.0.1", "localhost")  # a passkey belongs to a name, not to a number
    page = browse(site)
    give_passkeys(page)
    page.goto("/desk/account/")
    page.wait_for_url("**/desk/sign-in/?next=/desk/account/")
    looked_at(page, pictures, "signin")
    page.get_by_label("User name").fill("olive")
    page.get_by_label("Password").fill("a wrong guess")
    page.keyboard.press("Enter")
    page.get_by_text("Wrong user name or password.").wait_for()
    looked_at(page, pictures, "signin-wrong")
    page.get_by_label("Password").fill(accounts.PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/sign-in/code/**")
    page.get_by_label("Six digits from your app").fill("000000")
    page.keyboard.press("Enter")
    page.get_by_text("3 tries are left").wait_for()
    looked_at(page, pictures, "signin-code")
    page.get_by_label("Six digits from your app").fill(accounts.code_now())
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/account/")
    page.get_by_role("link", name="Add", exact=True).click()
    page.get_by_label("A name for it").fill("This laptop")
    looked_at(page, pictures, "account-passkey")
    page.get_by_role("button", name="Add it").click()
    page.wait_for_url("**/desk/account/")
    assert "This laptop" in page.inner_text("main")
    looked_at(page, pictures, "account")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{site}/")
    page.goto("/desk/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/desk/")
    assert "olive" in page.inner_text("header")
    page.goto("/desk/account/recovery/")
    looked_at(page, pictures, "account-recovery")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{site}/")
    User.objects.filter(username="olive").update(is_active=False)
    page.goto("/desk/sign-in/")
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("That passkey did not work.").wait_for()


def test_the_pages_of_accounts_and_of_the_administrator(
    browse: Callable[[str], Any], desk_site: str, pictures: Path
) -> None:
    page = browse(desk_site)
    page.goto("/desk/sign-in/help/")
    looked_at(page, pictures, "signin-help")
    accounts.sign_in_page(page, desk_site, "director")
    for name in ("app", "password", "email", "sessions", "tokens"):
        page.goto(f"/desk/account/{name}/")
        looked_at(page, pictures, f"account-{name}")
    accounts.sign_in_page(page, desk_site, "admin")
    page.goto("/desk/account/confirm/code/")
    looked_at(page, pictures, "account-confirm")
    page.goto("/desk/admin/")
    looked_at(page, pictures, "admin")
    page.goto("/desk/admin/users/")
    looked_at(page, pictures, "admin-users")
    page.get_by_role("link", name="olive").click()
    page.wait_for_url(f"**/{User.objects.get(username='olive').pk}/")
    looked_at(page, pictures, "admin-user")
    page.goto("/desk/admin/invitations/")
    page.get_by_role("button", name="Make it").click()
    link = page.locator(".note .hash").inner_text()
    looked_at(page, pictures, "admin-invitations")
    page.context.clear_cookies()
    page.goto(link)
    looked_at(page, pictures, "join")
    assert page.errors == []


def test_without_javascript_codes_do_it(chromium: Any, desk_site: str) -> None:
    page = opened(chromium, desk_site, viewport=PHONE, java_script_enabled=False)
    page.goto("/desk/sign-in/")
    assert not page.get_by_role("button", name="Use a passkey").is_visible()
    page.get_by_label("User name").fill("olive")
    page.get_by_label("Password").fill(accounts.PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Six digits from your app").fill(accounts.code_now())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/desk/")
