"""Lists and everything else that takes two officers: each half with that officer's own second factor, a few minutes
old.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from crosstable.errors import CrosstableError
from crosstable.office.lists import publish, read
from crosstable.office.lists.options import Options
from crosstable.office.queries import changes
from crosstable.office.queries.log_words import lines_of
from crosstable.office.requests import list_publication, registry, two_officers
from crosstable.office.requests import rights as granting
from crosstable.web import jobs
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import shown, told, wants


@BOTH
@needs("list.publish")
def lists(request: HttpRequest) -> HttpResponseBase:
    """Show what the next list would say, and the proposal to publish it."""
    if wants(request, "propose"):
        return _propose(request)
    form = forms.PublishForm(request.POST or None, initial={"date": publish.next_day()})
    look: Mapping[str, Any] | None = None
    if request.method == "POST" and form.is_valid():
        with told(form):
            look = publish.preview(actor_of(request), form.cleaned_data["date"], _options(form))
    return _lists(request, form, look)


@fresh_second_factor
def _propose(request: HttpRequest) -> HttpResponse:
    form = forms.PublishForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        reason = given["reason"] or "the list of the month"
        with told(form):
            proposal = list_publication.propose(actor_of(request), given["date"], reason, _options(form))
            messages.success(request, "Proposed. The ratings are taken when another officer approves.")
            return redirect("desk-proposal", proposal.pk)
    return _lists(request, form, None)


def _options(form: forms.PublishForm) -> Options:
    return Options(top=form.cleaned_data["top"], prison_off_top_lists=publish.prison_rules())


def _lists(request: HttpRequest, form: forms.PublishForm, look: Mapping[str, Any] | None) -> HttpResponse:
    waits = [row for row in two_officers.waiting(actor_of(request)) if row["action"] == publish.ACTION]
    return shown(request, "lists", form=form, look=look, published=read.lists(), waits=waits)


@require_safe
@needs("proposal.read")
def waiting(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    return shown(request, "proposals", waiting=two_officers.waiting(actor), decided=two_officers.decided(actor))


@BOTH
@needs("proposal.read")
def proposal(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show what approving would do today; and the second officer's half."""
    if wants(request, "approve") or wants(request, "refuse"):
        return _decide(request, number)
    return _proposal(request, number, forms.Reason())


@fresh_second_factor
def _decide(request: HttpRequest, number: int) -> HttpResponse:
    actor, form = actor_of(request), forms.Reason(request.POST)
    if form.is_valid():
        with told(form):
            if wants(request, "approve") and two_officers.show(actor, number)["action"] == granting.ACTION:
                done = registry.approve(actor, number)  # at once: a job would keep the code
                return _proposal(request, number, forms.Reason(), done.get("code", ""))
            if wants(request, "approve"):
                title = registry.may_approve(actor, number)
                return redirect("desk-job", jobs.begin(actor, "approve", title, {"proposal": number}).id)
            registry.decide(actor, f"proposal:{number}", granted=False, words=form.cleaned_data["reason"])
            messages.success(request, "It will not be carried out. The log says why.")
            return redirect("desk-proposal", number)
    return _proposal(request, number, form)


def _proposal(request: HttpRequest, number: int, form: forms.Reason, code: str = "") -> HttpResponse:
    actor = actor_of(request)
    with or_not_found():
        row = two_officers.show(actor, number)
    found: Mapping[str, Any] = {}
    wrong = ""
    if row["state"] == "waiting":
        try:
            found = registry.preview(actor, f"proposal:{number}")
        except CrosstableError as refused:  # the ledger has changed since: approving would be refused, too
            wrong = str(refused)
    look = changes.moved(found) if "changes" in found else None
    report = found if "report" in found else None
    known = {"facts": lines_of(row["payload"]), "may": actor.may(row["action"])}
    rights = row["action"] == granting.ACTION
    known |= {"look": look, "report": report, "wrong": wrong, "rights": rights, "code": code}
    return shown(request, "proposal", row=row, form=form, **known)
