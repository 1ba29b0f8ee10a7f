"""The work behind one rating, and the what-if."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from crosstable.office.queries import derivation as reading
from crosstable.office.queries.estimate import SCORES
from crosstable.web.presenters import derivation as presenter
from crosstable.web.public import derivation_drawing
from crosstable.web.public.views.common import page, shown
from crosstable.words.lead import lead


@page
def derivation(request: HttpRequest, event: str, section: int, number: int, pool: str) -> HttpResponse:
    """Show the derivation. The what-if's results are in the address: ?r3=drew."""
    given = {
        int(name[1:]): value
        for name, value in request.GET.items()
        if name[:1] == "r" and name[1:].isascii() and name[1:].isdigit() and len(name) < 6
    }
    asked = {turn: SCORES[value] for turn, value in given.items() if value in SCORES}
    found = reading.derivation(event, section, number, pool, asked)
    unread = [(turn, value[:20]) for turn, value in sorted(given.items()) if value not in SCORES]
    if request.headers.get("HX-Request"):
        return shown(request, "events/whatif", page=found, unread=unread)
    story = presenter.parts(found)
    moves = [move for part in story for move in part.moves]
    return shown(
        request,
        "events/derivation",
        page=found,
        lead=lead(found.person.name, found.answer, found.numbers.after),
        parts=story,
        unread=unread,
        drawings=derivation_drawing.drawings(found.sums),
        dots=derivation_drawing.dots(moves, found.numbers.after),
    )
