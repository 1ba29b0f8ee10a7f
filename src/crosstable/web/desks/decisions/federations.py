"""The desks for other federations: whose games abroad counted, and whose CFC rating waits for a conversion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from crosstable.formats import limits
from crosstable.office.events.fide_desk import fide_desk, fide_lists
from crosstable.office.events.fide_lists import import_fide_batch
from crosstable.office.players.cfc_desk import cfc_desk
from crosstable.office.reading import words
from crosstable.office.storage import clock
from crosstable.web.desks.common import BOTH
from crosstable.web.desks.decisions import forms
from crosstable.web.desks.decisions.common import shown, told, wants
from crosstable.web.desks.doors import actor_of, needs


@BOTH
@needs("event.review")
def fide(request: HttpRequest) -> HttpResponseBase:
    """Per FIDE list who was adjusted, who not, and why; and the events of the next list."""
    actor = actor_of(request)
    form = forms.FideForm(request.POST or None, request.FILES or None)
    if wants(request, "take") and form.is_valid():
        files = [(one.name or "file", one.read(limits.FILE_BYTES + 1)) for one in request.FILES.getlist("files")]
        with told(form):
            done = import_fide_batch(actor, form.cleaned_data["date"], files)
            many = words.count(len(done.accepted), "event")
            messages.success(request, f"FIDE list of {words.day(done.list_date)}: {many} taken.")
            return redirect(f"{reverse('desk-fide')}?list={done.list_date}")
    lists = fide_lists(actor)
    chosen = next((day for day in lists if str(day) == request.GET.get("list")), lists[0] if lists else None)
    rows = fide_desk(actor, chosen) if chosen else []
    counts = sum(row.adjusted for row in rows), sum(not row.adjusted for row in rows)
    may = actor.may("event.accept")
    return shown(request, "fide", lists=lists, chosen=chosen, rows=rows, counts=counts, form=form, may=may)


@require_safe
@needs("event.review")
def cfc(request: HttpRequest) -> HttpResponse:
    """The queue of conversions."""
    rows = cfc_desk(actor_of(request), clock.today())
    ready = [row for row in rows if row.converted is not None]
    return shown(request, "cfc", ready=ready, others=[row for row in rows if row.converted is None])
