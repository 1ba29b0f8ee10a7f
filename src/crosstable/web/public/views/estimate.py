"""The estimator: its whole state is in the address."""

from __future__ import annotations

from itertools import zip_longest

from django.http import HttpRequest, HttpResponse

from crosstable.federations.current import current
from crosstable.office.queries import estimate as reading
from crosstable.office.queries import system_estimate
from crosstable.systems.us_chess.pools import KEYS as US_CHESS
from crosstable.web.public.views.common import day, page, shown, today
from crosstable.words.phrases import main_pool


@page
def estimate(request: HttpRequest) -> HttpResponse:
    asked = request.GET
    given = asked.getlist("o") or asked.get("opponents", "").split(",")
    state = reading.State(
        pool=asked.get("pool", main_pool())[:20],
        rating=asked.get("rating", "")[:12],
        games=asked.get("games", "")[:8],
        opponents=tuple(zip_longest((text[:20] for text in given), asked.getlist("r")[: len(given)], fillvalue="")),
        score=asked.get("score", "")[:6],
        target=asked.get("target", "")[:8],
        on=day(request, "on", today()),
        player=asked.get("player", "")[:20],
    )
    if state.pool in US_CHESS or (current().us_chess and state.pool not in current().titles_of_pools):
        return shown(request, "estimate", page=reading.estimate(state))
    return shown(request, "estimate_system", page=system_estimate.estimate(state))
