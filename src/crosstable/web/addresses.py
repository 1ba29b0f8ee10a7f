"""Addresses that Python makes, where a template's `{% url %}` does not reach: one function per page."""

from __future__ import annotations

from datetime import date

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from crosstable.office.queries.history import Played
from crosstable.office.queries.subject import Subject

#: What has a page on the desks, which the log leads to
_ON_DESKS = ("player", "proposal")


def site(request: HttpRequest) -> str:
    """Return the office's own address, for links in mails: as it is set up, else as it was asked."""
    return settings.OFFICE_ADDRESS.rstrip("/") or request.build_absolute_uri("/").rstrip("/")


def rule(name: str, system: str = "us_chess") -> str:
    """Return the page of a rule."""
    address = reverse("rule", args=[name])
    return address if system == "us_chess" else f"{address}?system={system}"


def player(number: str) -> str:
    """Return the page of a player."""
    return reverse("player", args=[number])


def event(number: str) -> str:
    """Return the page of an event."""
    return reverse("event", args=[number])


def revision(number: str, revision_number: int) -> str:
    """Return the page of a revision of an event."""
    return reverse("revision", args=[number, revision_number])


def published_list(day: date, pool: str) -> str:
    """Return the page of a list."""
    return reverse("list", args=[day.isoformat(), pool])


def derivation(played: Played) -> str:
    """Return the page that shows how a rating came about."""
    return reverse("derivation", args=[played.event, played.section, played.number, played.pool])


def of(subject: Subject) -> str:
    """Return the public page of what a line is about."""
    kind = "list-of" if subject.kind == "list" and not subject.part else subject.kind
    return reverse(kind, args=[one for one in (subject.id, subject.part) if one])


def on_desk(subject: Subject | None) -> str:
    """Return the page of what an entry of the log is about; nothing where it has none, or the entry was damaged."""
    if subject is None:
        return ""
    try:
        return reverse(f"desk-{subject.kind}", args=[subject.id]) if subject.kind in _ON_DESKS else of(subject)
    except NoReverseMatch:
        return ""


def meant(address: str) -> Subject | None:
    """Return the event or player that an address without a page begins with."""
    part, _slash, rest = address.strip("/").partition("/")
    number = rest.split("/", 1)[0][:60]
    kind = {"players": "player", "events": "event"}.get(part, "")
    return Subject(kind, number) if kind and number else None
