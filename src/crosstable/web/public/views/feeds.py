"""Atom feeds: rated events, published lists, and to follow, the events of a player and the revisions of an event."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape

from crosstable.office.queries import feed as reading
from crosstable.office.queries import status
from crosstable.web import addresses
from crosstable.web.public.views.common import page


@page
def events(request: HttpRequest) -> HttpResponse:
    return _atom(request, "Rated events", "/events/", reading.events())


@page
def lists(request: HttpRequest) -> HttpResponse:
    return _atom(request, "Published rating lists", "/lists/", reading.lists())


@page
def player(request: HttpRequest, player: str) -> HttpResponse:
    """Send the rated events of a player. The feed has the player's ID and no name."""
    return _atom(request, f"Rated events of player {player}", f"/players/{player}/", reading.of_player(player))


@page
def event(request: HttpRequest, event: str) -> HttpResponse:
    """Send the revisions of an event."""
    return _atom(request, f"Revisions of event {event}", f"/events/{event}/", reading.of_event(event))


def _atom(request: HttpRequest, title: str, address: str, items: Sequence[reading.Item]) -> HttpResponse:
    """Send the feed. An item is known by its address: an event that is corrected is the same item, updated."""
    name = status.frame().name
    feed = Atom1Feed(
        title=f"{name}: {title.lower()}",
        link=_whole(request, address),
        description=title,
        author_name=name,
        feed_url=_whole(request, request.path),
        language="en",
    )
    for item in items:
        where = _whole(request, addresses.of(item.subject))
        feed.add_item(item.title, where, escape(item.text), unique_id=where, updateddate=item.at, pubdate=item.at)
    response = HttpResponse(content_type="application/atom+xml; charset=utf-8")
    feed.write(response, "utf-8")
    return response


def _whole(request: HttpRequest, address: str) -> str:
    """With the office's own name in front, as it is set or as it was asked for."""
    site = str(settings.OFFICE_ADDRESS).rstrip("/")
    return f"{site}{address}" if site else request.build_absolute_uri(address)
