"""Corrections that directors ask for: all of them, and one side by side with what is rated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from crosstable.errors import CrosstableError
from crosstable.formats import guarded_tables
from crosstable.office.notices.messages import conversation, write
from crosstable.office.people.rights import NotAllowedError, require
from crosstable.office.queries import correction as reading
from crosstable.office.requests import corrections, lifecycle, registry
from crosstable.web import jobs
from crosstable.web.desks.access import actor_of, needs
from crosstable.web.desks.common import BOTH, download, or_not_found
from crosstable.web.desks.officer.common import or_said, status_of, to_queue, typed, words_of

# The bars of a correction: how many players move by how much. Drawn twice, for wide pages and for phones.

WIDE, HEIGHT, GAP, BASE = 1000.0, 108.0, 6.0, 136.0
NARROW, LEFT = 200.0, 96.0
#: A bar that is there is seen
LEAST = 2.0


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    count: int
    strong: bool  # by a whole point or more
    x: float
    y: float
    width: float
    height: float
    long: float  # on phones, lying
    top: float

    @property
    def label_y(self) -> float:
        return round(self.y - 6, 1)

    @property
    def text_top(self) -> float:
        return self.top + 13

    @property
    def text_x(self) -> float:
        return LEFT + self.long + 8


def bars(counts: Sequence[tuple[str, int]]) -> list[Bar]:
    most = max((count for _, count in counts), default=0) or 1
    step = (WIDE + GAP) / max(1, len(counts))
    found = []
    for place, (label, count) in enumerate(counts):
        height = max(LEAST, HEIGHT * count / most) if count else 0.0
        long = max(LEAST, NARROW * count / most) if count else 0.0
        strong = place >= 3
        top = 5.0 + 30 * place
        found.append(
            Bar(
                label=label,
                count=count,
                strong=strong,
                x=round(place * step, 1),
                y=round(BASE - height, 1),
                width=round(step - GAP, 1),
                height=round(height, 1),
                long=round(long, 1),
                top=top,
            )
        )
    return found


@require_safe
@needs("correction.ask")
def index(request: HttpRequest) -> HttpResponse:
    """To the office all of them, to a director the director's own."""
    found = corrections.correction_requests(actor_of(request))
    waiting = [one for one in reversed(found) if one.state == "waiting"]
    decided = [one for one in found if one.state != "waiting"][:100]
    return render(request, "desks/officer/corrections.html", {"waiting": waiting, "decided": decided})


@BOTH
@needs("correction.ask")
def one(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show what is asked for; for the office with everything that it would do."""
    actor = actor_of(request)
    with or_not_found():
        asked = corrections.shown(lifecycle.find(actor, corrections.CORRECTION, number))
    if request.method == "POST" and (done := _decide(request, asked)) is not None:
        return done
    page, wrong = None, ""
    if asked.state == "waiting" and actor.may("rating.preview"):
        try:
            page = reading.correction(actor, number)
        except NotAllowedError:
            raise
        except CrosstableError as refused:  # the ledger has changed since it was asked
            wrong = str(refused)
    about = f"correction:{number}"
    context = {
        "asked": asked,
        "page": page,
        "wrong": wrong,
        "may": actor.may("event.correct"),
        "about": about,
        "own": asked.by == actor.name,
        "report": corrections.report_of(actor, number),
        "said": conversation(actor, about),
        "bars": bars(page.reach.bars) if page and page.reach else None,
        "typed": typed(request),
    }
    return render(request, "desks/officer/correction.html", context, status=status_of(request))


def _decide(request: HttpRequest, asked: corrections.Asked) -> HttpResponse | None:
    """Return where to go next; nothing where it is refused, and the page shows why beside what was typed."""
    actor, said, act = actor_of(request), words_of(request), request.POST.get("do", "")
    with or_said(request):
        if act == "take-back":
            registry.take_back(actor, f"correction:{asked.number}")
            messages.success(request, "Taken back. The event is unchanged.")
            return redirect("desk-correction", asked.number)
        if act == "preview":
            job = jobs.begin(actor, "preview", f"Preview of correcting {asked.event_name}", {"request": asked.number})
            return redirect("desk-job", job.id)
        require(actor, "event.correct")
        if act == "apply":
            given = {"request": asked.number, "message": said}
            job = jobs.begin(actor, "correct", f"Correcting {asked.event_name}", given)
            return redirect("desk-job", job.id)
        if act == "ask":
            write(actor, f"correction:{asked.number}", said)
            messages.success(request, f"Sent to {asked.by}. The request waits for the answer.")
            return to_queue(f"correction:{asked.number}")
        if act == "reject":
            registry.decide(actor, f"correction:{asked.number}", granted=False, words=said)
            messages.success(request, f"Rejected. {asked.by} gets the reason.")
            return to_queue(f"correction:{asked.number}")
        messages.error(request, "Not done. Choose what to do with this request.")
    return None


@require_safe
@needs("rating.preview")
def moved(request: HttpRequest, number: int) -> HttpResponse:
    """Everybody whose rating would move."""
    with or_not_found():
        found = reading.all_moved(actor_of(request), number)
    heads = ("id", "name", "pool", "now", "would be", "difference", "why", "lists")
    lines = ((o.player, o.name, o.pool, o.now, o.would_be, o.change, o.why, o.lists) for o in found)
    table = guarded_tables.text((heads, *lines), line_end="\r\n")
    return download(f"correction-{number}.csv", table.encode(), "text/csv; charset=utf-8")


@require_safe
@needs("correction.ask")
def file(request: HttpRequest, number: int) -> HttpResponse:
    """Send the file that came with the request as it came; never shown as a page."""
    with or_not_found():
        row = lifecycle.find(actor_of(request), corrections.CORRECTION, number)
    return download(f"correction-{number}", bytes(row.data))
