"""The inbox, and writing about a file or a request."""

from __future__ import annotations

from django.contrib import messages as flash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from crosstable.errors import OfficeError
from crosstable.office.notices import following, messages
from crosstable.office.notices import inbox as office
from crosstable.office.players import person
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import sheet
from crosstable.web.desks.mine.common import address_of, back, followed_name, whole


@require_safe
@needs("notice.read")
def inbox(request: HttpRequest) -> HttpResponse:
    """Show what is to be read; messages that are read, or about something decided, are folded away."""
    actor = actor_of(request)
    everything = sorted(office.inbox(actor), key=lambda one: one.read is not None)
    page = sheet(request, everything)
    received = [(one, address_of(actor, one.about), followed_name(one.about)) for one in page]
    players, events = following.own(actor)
    context = {
        "new": [one for one in received if one[0].read is None],
        "old": [one for one in received if one[0].read is not None],
        "waiting": sum(one.read is None for one in everything),
        "page": page,
        "players": [person.of(one) for one in players],
        "events": events,
    }
    return render(request, "desks/mine/inbox.html", context)


@require_POST
@needs("notice.read")
def read(request: HttpRequest) -> HttpResponse:
    """One message, or all of them, have been read."""
    number = whole(request.POST.get("number", ""))
    office.mark_read(actor_of(request), None if number is None else [number])
    return redirect(back(request, "/desk/inbox/"))


@require_POST
@needs("notice.write")
def write(request: HttpRequest) -> HttpResponse:
    """Write a message about something; return to the page that it was written on."""
    about = request.POST.get("about", "")[:100]
    try:
        messages.write(actor_of(request), about, request.POST.get("words", ""))
    except OfficeError as problem:
        context = {
            "problem": str(problem),
            "about": about,
            "words": request.POST.get("words", ""),
            "back": _from(request),
        }
        return render(request, "desks/mine/write.html", context, status=400)
    flash.success(request, "Sent.")
    return redirect(_from(request))


def _from(request: HttpRequest) -> str:
    return back(request, "/desk/inbox/")
