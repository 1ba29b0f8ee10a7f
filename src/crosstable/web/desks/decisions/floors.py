"""Floor requests after matches, and floors by prizes."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

from crosstable.errors import OfficeError
from crosstable.office.decisions import floors, prizes
from crosstable.office.notices.messages import conversation
from crosstable.office.reading import words
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import seen, shown, told, wants
from crosstable.web.desks.doors import actor_of, needs


@require_safe
@needs("event.review")
def requests(request: HttpRequest) -> HttpResponse:
    """Those that wait, and those that are decided."""
    rows = list(floors.requests(actor_of(request), ""))
    waiting = [row for row in rows if row["status"] == "asked"]
    return shown(request, "floors", waiting=waiting, decided=[row for row in reversed(rows) if row not in waiting])


@BOTH
@needs("event.review")
def one(request: HttpRequest, number: int) -> HttpResponseBase:
    """One request: what granting it would move, and the answer."""
    actor = actor_of(request)
    row = next((row for row in floors.requests(actor, "") if row["request"] == number), None)
    if row is None:
        raise Http404(f"there is no floor request {number}")
    form = forms.Answer(request.POST or None)
    for act, granted in (("grant", True), ("refuse", False)):
        if wants(request, act) and form.is_valid():
            with told(form):
                floors.decide(actor, number, granted, form.cleaned_data["reason"])
                answer = "granted" if granted else "refused"
                messages.success(request, f"The request of {row['name']} is {answer}. The player is told.")
                return redirect("desk-floors")
    look = None
    if row["status"] == "asked":
        try:
            look = seen(floors.decide(actor, number, True, preview=True).changed)
        except OfficeError as refused:
            form.add_error(None, str(refused)) if form.is_bound else None
    said = conversation(actor, f"floor:{number}")
    return shown(request, "floor", row=row, form=form, look=look, said=said, may=actor.may("floor.decide"))


@BOTH
@needs("floor.write")
def prize(request: HttpRequest) -> HttpResponseBase:
    """A floor by a large cash prize: first what it would move, then the act."""
    form = forms.PrizeForm(request.POST or None, initial={"player": request.GET.get("player", "")[:40]})
    look = None
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        won = prizes.Prize(given["event"], given["section"], given["under"], given["money"])
        what = actor_of(request), given["player"], won, given["reason"], given["pool"]
        with told(form):
            if wants(request, "set"):
                done = prizes.prize_floor(*what)
                messages.success(
                    request,
                    f"{done.name} has a {words.pool(done.pool)} floor of {done.floor:g} from {words.day(done.date)} on.",
                )
                return redirect("desk-player", done.player)
            look = prizes.prize_floor(*what, preview=True)
    return shown(request, "prize", form=form, floor=look, look=look and seen(look.changed))
