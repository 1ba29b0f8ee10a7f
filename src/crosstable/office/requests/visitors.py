"""A visitor reports a mistake without an account.

Where the office sends mail, the report counts when its author has confirmed it by the link in the mail; until then it
is in no list. Where it sends none, the page shows the link, and the report counts at once. The link is the only way to
the report's status. Its hash is kept, never the link.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from crosstable.errors import OfficeError
from crosstable.office.people.rights import Actor, require
from crosstable.office.requests import lifecycle, mistakes
from crosstable.office.requests.models import VISITOR, Request
from crosstable.office.requests.player_requests import Asked, records
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

#: So many open reports one address may have, and all visitors together
MOST_OPEN, MOST_OF_ALL = 5, 200
#: A report that is not confirmed within so many hours is deleted
CONFIRM_HOURS = 48
_ACTOR = Actor(VISITOR)
_OPEN = (Request.UNCONFIRMED, Request.WAITING)


class _VisitorMistake(mistakes.Mistake):
    ask_right = "request.visit"


_MISTAKE = _VisitorMistake()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a visitor reports. `player`: whose game it is; `result`: how it ended for that player."""

    place: mistakes.Place
    words: str
    player: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The number of a new report, and the secret of its private link, which is returned here and never again."""

    number: int
    secret: str


def report(given: Report, email: str = "", *, confirm: bool) -> Receipt | None:
    """Save a report. With `confirm`, it reaches no one until `confirm_report` has its secret.

    Return nothing where the e-mail address has too many open reports: its owner has their links, and no one else may
    learn of them.
    """
    require(_ACTOR, "request.visit")
    lifecycle.refuse_words(given.words, "a report")
    mistakes.refuse_result(given.result)
    address = _checked(email) if confirm else ""
    secret = secrets.token_urlsafe(32)
    with writing():
        _delete_unconfirmed()
        open_ = Request.objects.filter(user=None, state__in=_OPEN)
        if open_.count() >= MOST_OF_ALL:
            raise OfficeError("the office has many reports to answer first. Try again in a few days")
        event = mistakes.find_event(given.place)
        _refuse_player(given)
        if address and open_.filter(email=address).count() >= MOST_OPEN:
            return None
        row = Request(
            kind=Request.MISTAKE,
            state=Request.UNCONFIRMED if confirm else Request.WAITING,
            email=address,
            link=_hash(secret),
            player=given.player,
            event=event.number,
            section=given.place.section,
            round=given.place.round,
            result=given.result,
            words=given.words.strip(),
        )
        row.save()
        if not confirm:
            lifecycle.ask(_ACTOR, _MISTAKE, row, row.words)
    return Receipt(row.id, secret)


def confirm_report(number: int, secret: str) -> None:
    """Send a report on to the office and the event's director. A second time changes nothing."""
    require(_ACTOR, "request.visit")
    with writing():
        row = _row(number, secret)
        if row.state == Request.UNCONFIRMED:
            row.state, row.at = Request.WAITING, clock.now()
            row.save()
            lifecycle.ask(_ACTOR, _MISTAKE, row, row.words)


def status(number: int, secret: str) -> Asked:
    """Return the report behind a private link."""
    require(_ACTOR, "request.visit")
    return records(_ACTOR, [_row(number, secret)])[0]


def _row(number: int, secret: str) -> Request:
    unknown = OfficeError("this link is unknown or has expired: report the mistake again")
    rows = Request.objects.filter(id=number, user=None, link=_hash(secret))
    return first_or(rows.exclude(state=Request.UNCONFIRMED, at__lt=_oldest()), unknown)


def _refuse_player(given: Report) -> None:
    """Raise for a player who is not in the section."""
    if given.player and given.place.section is None:
        raise OfficeError("a player belongs to a section. Choose the section")
    if given.player and given.player not in {one.number for one in mistakes.players(given.place)}:
        raise OfficeError(
            f"section {given.place.section} has no player {given.player[:20]!r}. Choose one of its players"
        )


def _checked(email: str) -> str:
    address = email.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise OfficeError(f"{address[:80]!r} is not an e-mail address. Enter one such as name@example.org") from None
    return address.lower()


def _delete_unconfirmed() -> None:
    Request.objects.filter(state=Request.UNCONFIRMED, at__lt=_oldest()).delete()


def _oldest() -> datetime:
    """Return since when an unconfirmed report may wait."""
    return clock.now() - timedelta(hours=CONFIRM_HOURS)


def _hash(secret: str) -> str:
    """Hash a link's secret. It has 256 random bits: a plain SHA-256 cannot be guessed backwards."""
    return hashlib.sha256(secret.encode()).hexdigest()
