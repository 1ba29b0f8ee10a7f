"""For people who are not signed in: help, an invitation, and a way back in by link."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters

from crosstable.errors import CrosstableError
from crosstable.office.notices import mail
from crosstable.office.people import one_time_links
from crosstable.office.people.models import OneTimeLink
from crosstable.office.storage import mail_settings
from crosstable.web.desks.access import private
from crosstable.web.desks.common import BOTH


@BOTH
@private
def cannot(request: HttpRequest) -> HttpResponse:
    """What to do; and a link by mail, where mail is set up. The answer is the same for every name."""
    configured = mail_settings.configured()
    if request.method == "POST" and configured:
        found = one_time_links.reset_by_mail(request.POST.get("login", "").strip())
        if found:
            _send(request, *found)
        messages.success(request, "If there is such an account and it has an address, a mail is on its way.")
        return redirect("desk_cannot")
    return render(request, "desks/account/cannot.html", {"mail": configured})


@sensitive_post_parameters()
@BOTH
@private
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """An invited person chooses a name and a password."""
    done = "Your account is ready. Sign in with the name and the password you chose."
    return _by_link(request, secret, OneTimeLink.INVITATION, "join", one_time_links.accept, done)


@sensitive_post_parameters()
@BOTH
@private
def reset(request: HttpRequest, secret: str) -> HttpResponse:
    """A new password by link."""
    done = "You have a new password. Sign in with it."

    def act(secret: str, _: str, password: str, code: str) -> None:
        one_time_links.set_password(secret, password, code)

    return _by_link(request, secret, OneTimeLink.RESET, "reset", act, done)


def _by_link(
    request: HttpRequest, secret: str, kind: str, page: str, act: Callable[[str, str, str, str], object], done: str
) -> HttpResponse:
    """The form behind a link: `act` takes the link's secret, the name, the password and the code; then one signs in."""
    try:
        link = one_time_links.find(secret, kind)
    except CrosstableError as worn:
        return render(request, "desks/account/worn.html", {"words": str(worn)}, status=404)
    name = request.POST.get("login", "").strip()
    problem = _differ(request)
    if request.method == "POST" and not problem:
        try:
            act(secret, name, request.POST.get("new", ""), request.POST.get("code", ""))
            messages.success(request, done)
            return redirect("account_login")
        except CrosstableError as refused:
            problem = str(refused)
    return render(request, f"desks/account/{page}.html", {"link": link, "name": name, "problem": problem})


def _send(request: HttpRequest, address: str, secret: str) -> None:
    site = settings.OFFICE_ADDRESS.rstrip("/") or request.build_absolute_uri("/").rstrip("/")
    body = (
        f"Somebody, probably you, asked for a new password at {site}.\n\n"
        f"Choose it here, within a day: {site}{reverse('desk_reset', args=[secret])}\n\n"
        "If it was not you, do nothing: your password stays as it is.\n"
    )
    mail.hand_over([EmailMessage("A new password", body, settings.DEFAULT_FROM_EMAIL, [address])])


def _differ(request: HttpRequest) -> str:
    same = request.POST.get("new", "") == request.POST.get("again", "")
    return "" if same else "The two passwords differ."
