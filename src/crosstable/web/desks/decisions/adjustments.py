"""Adjustments, ceilings and life masters: one officer proposes, another approves."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect

from crosstable.office.decisions import adjustments
from crosstable.office.ledger.models import Adjustment
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import seen, shown, told, wants
from crosstable.web.desks.doors import actor_of, fresh_second_factor, needs


@BOTH
@needs("rating.adjust")
def adjust(request: HttpRequest) -> HttpResponseBase:
    """First what it would move; proposing it takes this officer's fresh second factor."""
    if wants(request, "propose"):
        return _propose(request)
    initial = {"player": request.GET.get("player", "")[:40], "pool": request.GET.get("pool", "")[:8]}
    form = forms.AdjustForm(request.POST or None, initial=initial)
    look = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        with told(form):
            done = adjustments.preview(
                actor_of(request), given["player"], given["pool"], given["on"], form.fields_set()
            )
            look = seen(done)
    return shown(request, "adjust", form=form, look=look)


@fresh_second_factor
def _propose(request: HttpRequest) -> HttpResponse:
    form = forms.AdjustForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        what = given["player"], given["pool"], given["on"], form.fields_set(), given["reason"]
        with told(form):
            proposal = adjustments.propose(actor_of(request), *what)
            messages.success(request, "Proposed. Another officer approves or refuses it here.")
            return redirect("desk-proposal", proposal.pk)
    return shown(request, "adjust", form=form, look=None)


@BOTH
@needs("rating.adjust")
def revoke(request: HttpRequest, player: str, number: int) -> HttpResponseBase:
    """Propose to take an adjustment back."""
    rows = adjustments.decisions(actor_of(request), player)
    row = next((row for row in rows if row["number"] == number), None)
    if row is None:
        raise Http404(f"player {player} has no adjustment {number}")
    if wants(request, "propose"):
        return _propose_revoking(request, player, number)
    return _revoking(request, player, row, forms.Reason())


@fresh_second_factor
def _propose_revoking(request: HttpRequest, player: str, number: int) -> HttpResponse:
    actor, form = actor_of(request), forms.Reason(request.POST)
    if form.is_valid():
        with told(form):
            proposal = adjustments.propose_revoking(actor, number, form.cleaned_data["reason"])
            messages.success(request, "Proposed. Another officer approves or refuses it here.")
            return redirect("desk-proposal", proposal.pk)
    row = next(row for row in adjustments.decisions(actor, player) if row["number"] == number)
    return _revoking(request, player, row, form)


def _revoking(request: HttpRequest, player: str, row: dict[str, Any], form: forms.Reason) -> HttpResponse:
    standing = row["status"] == Adjustment.GRANTED
    look = seen(adjustments.preview_revoking(actor_of(request), row["number"])) if standing else None
    return shown(request, "revoke", player=player, row=row, form=form, look=look)
