"""A visitor reports a mistake or claims to be a player without an account, confirms it and reads the answer."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.mail import EmailMessage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from crosstable.errors import OfficeError
from crosstable.office.ledger.players import find, main_record
from crosstable.office.notices import mail
from crosstable.office.players import person as people
from crosstable.office.requests import mistakes, visitors
from crosstable.office.storage import mail_settings
from crosstable.web.addresses import site
from crosstable.web.api import limits
from crosstable.web.desks.access import private
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.mine.common import whole
from crosstable.web.public.views.common import page, shown
from crosstable.words.language import _

#: The fields of the form, and the longest text that comes back to it
FIELDS = ("event", "section", "round", "player", "result", "words", "email")
LONGEST = 2100

Given = dict[str, str]
#: Shows a form with what was typed, what is wrong with it, and a status
Form = Callable[[HttpRequest, Given, str, int], HttpResponse]
#: Saves what was typed; with the second, the visitor has to confirm it by mail
Save = Callable[[Given, bool], visitors.Receipt | None]


@BOTH
@private
def report(request: HttpRequest) -> HttpResponseBase:
    """Show the form and take a report; a person who has signed in gets the form of the desk.

    A form that was opened before signing in is taken: nothing that was typed is lost.
    """
    asked = request.POST if request.method == "POST" else request.GET
    given = {name: asked.get(name, "")[:LONGEST] for name in FIELDS}
    if request.method != "POST":
        return _to_desk(given) if request.user.is_authenticated else _form(request, given)
    return _taken(request, given, _form, _report)


@BOTH
@private
def claim(request: HttpRequest) -> HttpResponseBase:
    """Show the form and take the claim to be a player; a person who has signed in claims from the desk."""
    asked = request.POST if request.method == "POST" else request.GET
    given = {name: asked.get(name, "")[:LONGEST] for name in ("player", "words", "email")}
    if request.method != "POST":
        return redirect("mine") if request.user.is_authenticated else _claim_form(request, given)
    return _taken(request, given, _claim_form, _claim)


def _taken(request: HttpRequest, given: Given, form: Form, save: Save) -> HttpResponse:
    """Save what a visitor sent, and send the link; or show the form again, with what is wrong and all that was
    typed.
    """
    by_mail, network = mail_settings.configured(), limits.network(request)
    if seconds := limits.wait("report", network):
        problem = f"Several forms came from your connection. Send this one again in {seconds} seconds"
        return _later(form(request, given, problem, HTTPStatus.TOO_MANY_REQUESTS), seconds)
    # without mail a request counts at once: one connection cannot fill the office's queue
    if not by_mail and (seconds := limits.wait("report_day", network)):
        problem = "Many forms came from your connection today. Send this one tomorrow, or write to the office"
        return _later(form(request, given, problem, HTTPStatus.TOO_MANY_REQUESTS), seconds)
    try:
        receipt = save(given, by_mail)
    except OfficeError as refused:
        return form(request, given, str(refused), HTTPStatus.BAD_REQUEST)
    if receipt and not by_mail:
        return redirect("report-status", receipt.number, receipt.secret)
    if receipt:
        mail.hand_over([_mail(request, receipt, given["email"].strip())])
    return redirect("report-sent")


def _later(answer: HttpResponse, seconds: int) -> HttpResponse:
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _report(given: Given, by_mail: bool) -> visitors.Receipt | None:
    place = mistakes.Place(given["event"], whole(given["section"]), whole(given["round"]))
    made = visitors.Report(place=place, words=given["words"], player=given["player"], result=given["result"])
    return visitors.report(made, given["email"], confirm=by_mail)


def _claim(given: Given, by_mail: bool) -> visitors.Receipt | None:
    return visitors.claim(given["player"], given["words"], given["email"], confirm=by_mail)


@page
def sent(request: HttpRequest) -> HttpResponse:
    """Ask the visitor to look for the mail: the same page for every address, so that it reveals nothing."""
    return shown(request, "visitors/sent", hours=visitors.CONFIRM_HOURS)


@BOTH
@private
def status(request: HttpRequest, number: int, secret: str) -> HttpResponseBase:
    """Show the request behind its private link. Its button confirms it: programs that scan mails open links, too.

    The button of a granted claim opens the account.
    """
    try:
        if request.method == "POST":
            asked = visitors.status(number, secret)
            if asked.kind == "claim" and asked.state == "granted":
                return redirect("desk_join", visitors.open_account(number, secret))
            visitors.confirm_request(number, secret)
            return redirect("report-status", number, secret)
        asked = visitors.status(number, secret)
    except OfficeError as unknown:
        raise Http404(str(unknown)) from unknown
    context = {"asked": asked, "mail": mail_settings.configured(), "address": f"{site(request)}{request.path}"}
    return render(request, "public/visitors/status.html", context)


def _to_desk(given: Given) -> HttpResponse:
    place = {name: given[name] for name in ("event", "section") if given[name]}
    return redirect(f"{reverse('mine-report')}?{urlencode(place)}")


def _form(request: HttpRequest, given: Given, problem: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    try:
        name, sections = mistakes.choices(given["event"])
    except OfficeError as unknown:
        raise Http404(str(unknown)) from unknown
    section = next((one for one in sections if str(one.number) == given["section"] or len(sections) == 1), None)
    context: dict[str, Any] = {
        "given": given,
        "name": name,
        "sections": sections,
        "section": section,
        "rounds": range(1, section.rounds + 1) if section else (),
        "players": mistakes.players(mistakes.Place(given["event"], section.number)) if section else (),
        "problem": problem,
        "mail": mail_settings.configured(),
    }
    return render(request, "public/visitors/report.html", context, status=status)


def _claim_form(request: HttpRequest, given: Given, problem: str = "", status: int = HTTPStatus.OK) -> HttpResponse:
    try:
        who = people.of(main_record(find(given["player"])))
    except OfficeError as unknown:
        raise Http404(str(unknown)) from unknown
    context = {"given": given, "who": who, "problem": problem, "mail": mail_settings.configured()}
    return render(request, "public/visitors/claim.html", context, status=status)


def _mail(request: HttpRequest, receipt: visitors.Receipt, to: str) -> EmailMessage:
    here = site(request)
    link = reverse("report-status", args=[receipt.number, receipt.secret])
    body = _(
        "You wrote to the rating office at %(site)s.\n\n"
        "Confirm it here, within %(hours)s hours: %(link)s\n\n"
        "The same link shows the status and the answer. If it was not you, do nothing: what was sent is deleted.\n"
    ) % {"site": here, "hours": visitors.CONFIRM_HOURS, "link": f"{here}{link}"}
    subject = _("Confirm your request %(number)s") % {"number": receipt.number}
    return EmailMessage(subject, body, settings.DEFAULT_FROM_EMAIL, [to])
