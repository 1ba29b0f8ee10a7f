"""Adjustments, ceilings and life masters: one officer proposes, another approves."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from crosstable.errors import OfficeError
from crosstable.formats import limits
from crosstable.office.ledger.models import Adjustment
from crosstable.office.ledger.office_settings import our_federation
from crosstable.office.notices.messages import conversation
from crosstable.office.players.cfc_desk import RATED, cfc_desk
from crosstable.office.queries import words
from crosstable.office.reports import fide_members
from crosstable.office.reports.fide_events import MembersUnclearError, fide_desk, fide_lists, import_fide_batch
from crosstable.office.requests import adjustments, floors, prize_floors, registry, two_officers
from crosstable.office.storage import clock
from crosstable.web.desks.access import actor_of, fresh_second_factor, needs, us_chess_only
from crosstable.web.desks.common import BOTH, or_not_found
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import seen, shown, told, wants


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


# Floor requests after matches, and floors by prizes.


@require_safe
@needs("event.review")
@us_chess_only
def requests(request: HttpRequest) -> HttpResponse:
    """Those that wait, and those that are decided."""
    rows = floors.requests(actor_of(request), "")
    waiting = [row for row in rows if row["state"] == "waiting"]
    return shown(request, "floors", waiting=waiting, decided=[row for row in reversed(rows) if row not in waiting])


@BOTH
@needs("event.review")
@us_chess_only
def one(request: HttpRequest, number: int) -> HttpResponseBase:
    """One request: what granting it would move, and the answer."""
    actor = actor_of(request)
    with or_not_found():
        row = floors.find(actor, number)
    form = forms.Answer(request.POST or None)
    for act, granted in (("grant", True), ("refuse", False)):
        if wants(request, act) and form.is_valid():
            with told(form):
                registry.decide(actor, f"floor:{number}", granted=granted, words=form.cleaned_data["reason"])
                answer = "granted" if granted else "refused"
                messages.success(request, f"The request of {row['name']} is {answer}. The player is notified.")
                return redirect("desk-floors")
    look = None
    if row["state"] == "waiting":
        try:
            look = seen(registry.preview(actor, f"floor:{number}"))
        except OfficeError as refused:
            form.add_error(None, str(refused)) if form.is_bound else None
    said = conversation(actor, f"floor:{number}")
    return shown(request, "floor", row=row, form=form, look=look, said=said, may=actor.may("floor.decide"))


@BOTH
@needs("floor.write")
@us_chess_only
def prize(request: HttpRequest) -> HttpResponseBase:
    """Show a floor by a large cash prize: first what it would move, then the act."""
    form = forms.PrizeForm(request.POST or None, initial={"player": request.GET.get("player", "")[:40]})
    look = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        won = prize_floors.Prize(given["event"], given["section"], given["under"], given["money"])
        what = actor_of(request), given["player"], won, given["reason"], given["pool"]
        with told(form):
            if wants(request, "set"):
                done = prize_floors.prize_floor(*what)
                messages.success(
                    request,
                    f"{done.name} has a {words.pool(done.pool)} floor of {done.floor:g} from"
                    f" {words.day(done.date)} on.",
                )
                return redirect("desk-player", done.player)
            look = prize_floors.prize_floor(*what, preview=True)
    return shown(request, "prize", form=form, floor=look, look=look and seen(look.changed))


#: Fields with the officer's answers about players of a FIDE report, and the answer that says no
MEMBER, NOT_A_MEMBER = "member-", "none"

# The desks for other federations: whose games abroad counted, and whose CFC rating waits for a conversion.


@BOTH
@needs("event.review")
@us_chess_only
def fide(request: HttpRequest) -> HttpResponseBase:
    """Per FIDE list who was adjusted, who not, and why; and the events of the next list."""
    actor = actor_of(request)
    form = forms.FideForm(request.POST or None, request.FILES or None)
    answers = {
        name.removeprefix(MEMBER): request.POST.get(name, "") for name in request.POST if name.startswith(MEMBER)
    }
    unclear: list[fide_members.Question] = []
    if wants(request, "take") and form.is_valid():
        files = [(one.name or "file", one.read(limits.FILE_BYTES + 1)) for one in request.FILES.getlist("files")]
        with told(form):
            said = {key: "" if value == NOT_A_MEMBER else value for key, value in answers.items() if value}
            try:
                done = import_fide_batch(actor, form.cleaned_data["date"], files, said)
            except MembersUnclearError as problem:
                unclear += problem.questions
                raise
            many = words.count(len(done.accepted), "event")
            messages.success(request, f"FIDE list of {words.day(done.list_date)}: {many} taken.")
            return redirect(f"{reverse('desk-fide')}?list={done.list_date}")
    lists = fide_lists(actor)
    chosen = next((day for day in lists if str(day) == request.GET.get("list")), lists[0] if lists else None)
    rows = fide_desk(actor, chosen) if chosen else []
    counts = sum(row.adjusted for row in rows), sum(not row.adjusted for row in rows)
    may = actor.may("event.accept")
    given = {key: value for key, value in answers.items() if value and key not in {one.key for one in unclear}}
    asked = {"questions": unclear, "answers": given if unclear else {}}
    return shown(request, "fide", lists=lists, chosen=chosen, rows=rows, counts=counts, form=form, may=may, **asked)


@require_safe
@needs("event.review")
@us_chess_only
def cfc(request: HttpRequest) -> HttpResponse:
    """Show the queue of conversions."""
    rows = cfc_desk(actor_of(request), clock.today())
    waiting = [row for row in rows if row.state != RATED]
    ready, others = ([row for row in waiting if (row.converted is None) is none] for none in (False, True))
    return shown(request, "cfc", ready=ready, others=others, rated=[row for row in rows if row.state == RATED])


# What waits for a decision, and where each kind is decided.


@require_safe
@needs("event.review")
def decisions(request: HttpRequest) -> HttpResponse:
    actor = actor_of(request)
    waits = {
        "floors": len(floors.requests(actor)),
        "proposals": len(two_officers.waiting(actor)),
        "cfc": sum(row.state != RATED for row in cfc_desk(actor)),
    }
    us_chess = our_federation().us_chess
    return shown(request, "hub", waits=waits, may=actor.may("rating.adjust"), us_chess=us_chess)
