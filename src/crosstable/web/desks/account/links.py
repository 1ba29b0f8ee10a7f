"""For people who are not signed in: help, an invitation, and a way back in by link."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

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
from crosstable.office.people import sign_up as sign_ups
from crosstable.office.people.models import OneTimeLink
from crosstable.office.storage import mail_settings
from crosstable.web.addresses import site
from crosstable.web.api import limits
from crosstable.web.desks.access import private
from crosstable.web.desks.account import sign_in
from crosstable.web.desks.common import BOTH


@BOTH
@private
def cannot(request: HttpRequest) -> HttpResponse:
    """Show what to do; and send a link by mail, where mail is set up. The answer is the same for every name."""
    configured = mail_settings.configured()
    if request.method == "POST" and (seconds := limits.wait("report", limits.network(request))):
        messages.error(request, f"Several forms came from your connection. Try again in {seconds} seconds.")
        return redirect("desk_cannot")
    if request.method == "POST" and configured:
        name, here = request.POST.get("login", "").strip()[:150], site(request)
        mail.later(lambda: _mails(name, here))  # the answer takes as long whether there is such an account or not
        messages.success(request, "If there is such an account and it has an address, a mail is on its way.")
        return redirect("desk_cannot")
    return render(request, "desks/account/cannot.html", {"mail": configured, "open": sign_ups.is_open()})


@BOTH
@private
def sign_up(request: HttpRequest) -> HttpResponse:
    """Let a player or director open an account, where the office has set it so.

    The answer is the same for every address.
    """
    given = {name: request.POST.get(name, "").strip()[:300] for name in ("role", "email")}
    by_mail, problem, status = mail_settings.configured(), "", HTTPStatus.OK
    if request.method == "POST" and (seconds := limits.wait("report", limits.network(request))):
        problem, status = f"Wait {seconds} seconds and try again", HTTPStatus.TOO_MANY_REQUESTS
    elif request.method == "POST":
        try:
            secret = sign_ups.ask(given["role"], given["email"], by_mail=by_mail)
            if secret and not by_mail:
                return redirect("desk_join", secret)
            if secret:
                mail.hand_over([_invitation(given["email"], site(request), secret)])
            messages.success(request, "Check your e-mail: a link to your new account is on its way.")
            return redirect("desk_sign_up")
        except CrosstableError as refused:
            problem, status = str(refused), HTTPStatus.BAD_REQUEST
    context = {"given": given, "problem": problem, "mail": by_mail, "open": sign_ups.is_open(), "hours": sign_ups.HOURS}
    return render(request, "desks/account/sign_up.html", context, status=status)


def _invitation(to: str, here: str, secret: str) -> EmailMessage:
    body = (
        f"You asked for an account at {here}.\n\nChoose a name and a password here, within {sign_ups.HOURS} hours:"
        f" {here}{reverse('desk_join', args=[secret])}\n\nIf it was not you, do nothing: no account is made.\n"
    )
    return EmailMessage("Your new account", body, settings.DEFAULT_FROM_EMAIL, [to])


@sensitive_post_parameters()
@BOTH
@private
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Let an invited person choose a name and a password."""
    done = "Your account is ready. Sign in with the name and the password you chose."
    return _by_link(request, secret, OneTimeLink.INVITATION, page="join", act=one_time_links.accept, done=done)


@sensitive_post_parameters()
@BOTH
@private
def reset(request: HttpRequest, secret: str) -> HttpResponse:
    """Set a new password by link."""
    done = "You have a new password. Sign in with it."

    def act(secret: str, _: str, password: str, code: str) -> None:
        sign_in.forget_tries(one_time_links.set_password(secret, password, code).username)

    return _by_link(request, secret, OneTimeLink.RESET, page="reset", act=act, done=done)


def _by_link(
    request: HttpRequest, secret: str, kind: str, page: str, act: Callable[[str, str, str, str], object], done: str
) -> HttpResponse:
    """Show the form behind a link: `act` takes the link's secret, the name, the password and the code;
    then one signs in.
    """
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


def tell_old_address(request: HttpRequest, address: str) -> None:
    """Tell the address that an account had until now, without naming the new one."""
    body = (
        f"The e-mail address of your account at {site(request)} was changed, and this address no longer belongs to"
        " it.\n\nIf it was not you, tell the rating office at once.\n"
    )
    subject = "Your e-mail address was changed"
    mail.hand_over([EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [address])])


def _mails(name: str, here: str) -> list[EmailMessage]:
    """Make the link and its mail; none where there is no such account or no address."""
    found = one_time_links.reset_by_mail(name)
    if found is None:
        return []
    address, secret = found
    body = (
        f"Someone, probably you, asked for a new password at {here}.\n\n"
        f"Choose it here, within a day: {here}{reverse('desk_reset', args=[secret])}\n\n"
        "If it was not you, do nothing: your password does not change.\n"
    )
    return [EmailMessage("A new password", body, settings.DEFAULT_FROM_EMAIL, [address])]


def _differ(request: HttpRequest) -> str:
    same = request.POST.get("new", "") == request.POST.get("again", "")
    return "" if same else "The two passwords differ."
