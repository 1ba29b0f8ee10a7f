"""A visitor reports a mistake or claims to be a player, without an account.

Where the office sends mail, the request counts when its author has confirmed it by the link in the mail; until then it
is in no list. Where it sends none, the page shows the link, and the request counts at once. The link is the only way to
the request's status. Its hash is stored, never the link.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from crosstable.errors import OfficeError
from crosstable.office.ledger.models import Office
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.players import find, main_record
from crosstable.office.people import one_time_links, sign_up
from crosstable.office.people.rights import Actor, Role, require
from crosstable.office.requests import claims, lifecycle, mistakes
from crosstable.office.requests.models import VISITOR, Request
from crosstable.office.requests.player_requests import Asked, PlayerRequest, records
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

#: The most open requests of one address; of all visitors together; and as many that still have to be confirmed
MOST_OPEN, MOST_OF_ALL = 5, 200
#: A request that is not confirmed within so many hours is deleted
CONFIRM_HOURS = 48
_ACTOR = Actor(VISITOR)
_OPEN = (Request.UNCONFIRMED, Request.WAITING)


class _VisitorMistake(mistakes.Mistake):
    ask_right = "request.visit"


class _VisitorClaim(claims.Claim):
    ask_right = "request.visit"


_KINDS: Mapping[str, PlayerRequest] = {Request.MISTAKE: _VisitorMistake(), Request.CLAIM: _VisitorClaim()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a visitor reports. `player`: whose game it is; `result`: how it ended for that player."""

    place: mistakes.Place
    words: str
    player: str = ""
    result: str = ""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The number of a new request, and the secret of its private link, which is returned here and never again."""

    number: int
    secret: str


def report(given: Report, email: str = "", *, confirm: bool) -> Receipt | None:
    """Save a report. With `confirm`, it reaches no one until `confirm_request` has its secret.

    Return nothing where the e-mail address has too many open requests: its owner has their links, and no one else may
    learn of them.
    """
    require(_ACTOR, "request.visit")
    lifecycle.refuse_words(given.words, "a report")
    mistakes.refuse_result(given.result)
    address = sign_up.checked_address(email) if confirm else ""
    with writing():
        event = mistakes.find_event(given.place)
        _refuse_player(given)
        row = Request(
            kind=Request.MISTAKE,
            email=address,
            player=given.player,
            event=event.number,
            section=given.place.section,
            round=given.place.round,
            result=given.result,
            words=given.words.strip(),
        )
        return _saved(row, confirm=confirm)


def claim(player: str, words: str, email: str = "", *, confirm: bool) -> Receipt | None:
    """Ask to be taken for a player, without an account. Granted, the private link leads to a new account.

    Whether the player has an account is not told. The answer is as of `report`.
    """
    require(_ACTOR, "request.visit")
    lifecycle.refuse_words(words, "a claim")
    if office().sign_up == Office.CLOSED:
        raise OfficeError("this office gives accounts to players itself: write to it")
    address = sign_up.checked_address(email) if confirm else ""
    with writing():
        who = main_record(find(player.strip()))
        row = Request(kind=Request.CLAIM, email=address, player=who.number, words=words.strip())
        return _saved(row, confirm=confirm)


def _saved(row: Request, *, confirm: bool) -> Receipt | None:
    """Save a visitor's request, unless there are too many; send it on at once where there is no mail to confirm it."""
    _delete_unconfirmed()
    visitors = Request.objects.filter(user=None)
    if visitors.filter(state=Request.WAITING).count() >= MOST_OF_ALL:
        raise OfficeError("the office has many requests to answer first. Try again in a few days")
    if row.email and visitors.filter(state__in=_OPEN, email=row.email).count() >= MOST_OPEN:
        return None
    _make_room()
    secret = secrets.token_urlsafe(32)
    row.state, row.link = Request.UNCONFIRMED if confirm else Request.WAITING, _hash(secret)
    row.save()
    if not confirm:
        lifecycle.ask(_ACTOR, _KINDS[row.kind], row, row.words)
    return Receipt(row.id, secret)


def confirm_request(number: int, secret: str) -> None:
    """Send a request on to the office, a report also to the event's director. A second time changes nothing."""
    require(_ACTOR, "request.visit")
    with writing():
        row = _row(number, secret)
        if row.state == Request.UNCONFIRMED:
            row.state, row.at = Request.WAITING, clock.now()
            row.save()
            lifecycle.ask(_ACTOR, _KINDS[row.kind], row, row.words)


def open_account(number: int, secret: str) -> str:
    """Return the secret of an invitation for the player whom a granted claim is about."""
    require(_ACTOR, "request.visit")
    row = _row(number, secret)
    if row.kind != Request.CLAIM or row.state != Request.GRANTED:
        raise OfficeError("only a granted claim leads to an account")
    return one_time_links.open_invitation(Role.PLAYER, player_id=row.player, hours=CONFIRM_HOURS)


def status(number: int, secret: str) -> Asked:
    """Return the request behind a private link."""
    require(_ACTOR, "request.visit")
    return records(_ACTOR, [_row(number, secret)])[0]


def _row(number: int, secret: str) -> Request:
    unknown = OfficeError("this link is unknown or has expired: send the form again")
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


def _make_room() -> None:
    """Delete the oldest unconfirmed requests where there are too many: invented addresses shut no one out."""
    unconfirmed = Request.objects.filter(user=None, state=Request.UNCONFIRMED).order_by("-at", "-id")
    Request.objects.filter(id__in=list(unconfirmed.values_list("id", flat=True)[MOST_OF_ALL - 1 :])).delete()


def _delete_unconfirmed() -> None:
    Request.objects.filter(state=Request.UNCONFIRMED, at__lt=_oldest()).delete()


def _oldest() -> datetime:
    """Return since when an unconfirmed request may wait."""
    return clock.now() - timedelta(hours=CONFIRM_HOURS)


def _hash(secret: str) -> str:
    """Hash a link's secret. It has 256 random bits: a plain SHA-256 cannot be guessed backwards."""
    return hashlib.sha256(secret.encode()).hexdigest()
