"""What all requests share: the limits of what is written, who may look, and the answer that reaches whoever asked."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q, QuerySet

from crosstable.errors import OfficeError
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text, input_checks
from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.players import main_record
from crosstable.office.notices import messages
from crosstable.office.people.models import Person
from crosstable.office.people.rights import Actor, NotAllowedError, require
from crosstable.office.reports import submissions
from crosstable.office.requests.models import Request
from crosstable.office.storage import clock
from crosstable.office.storage.database import writing
from crosstable.office.storage.row import first_or

#: So many open requests of one person are enough
MOST_OPEN = 20


def about(row: Request) -> str:
    return f"request:{row.id}"


def refuse_words(words: str, what: str) -> None:
    """Refuse with all that is wrong with what a person wrote."""
    empty = [] if words.strip() else [f"{what} needs words: say what is meant"]
    input_checks.refuse([*empty, *free_text.problems(words, what)])


def refuse_flood(actor: Actor) -> None:
    if actor.user_id is None:
        raise NotAllowedError(f"{actor.name} has no account: sign in to ask the office")
    if Request.objects.filter(user_id=actor.user_id, state=Request.WAITING).count() >= MOST_OPEN:
        raise OfficeError(f"{MOST_OPEN} requests of yours wait already: the office answers those first")


def visible(actor: Actor) -> QuerySet[Request]:
    """The office sees all; a director what is about the director's events; everybody what they asked themselves."""
    require(actor, "request.make")
    rows = Request.objects.select_related("user")
    if actor.may("event.review"):
        return rows
    wanted = Q(user_id=actor.user_id)
    if actor.may("submission.read"):
        own = submissions.visible_events(actor, Event.objects.all()).values("number")
        wanted |= Q(kind=Request.MISTAKE, event__in=own)
    return rows.filter(wanted)


def find(actor: Actor, number: int) -> Request:
    return first_or(visible(actor).filter(id=number), OfficeError(f"there is no request {number} for you"))


def fill_players(found: Sequence[Request]) -> None:
    """Whose game a report is about, also where its author's claim was confirmed after the report. In memory only."""
    open_ = [row for row in found if row.kind == Request.MISTAKE and not row.player]
    own = dict(Person.objects.filter(user_id__in={row.user_id for row in open_}).values_list("user_id", "player_id"))
    known = {
        row.number: main_record(row).number for row in Player.objects.filter(number__in=filter(None, own.values()))
    }
    for row in open_:
        row.player = known.get(own.get(row.user_id) or "", "")


def waiting(actor: Actor, number: int, kind: str) -> Request:
    """A request that an officer is about to decide."""
    row = find(actor, number)
    if row.kind != kind:
        raise OfficeError(f"request {number} is no {kind}")
    if row.state != Request.WAITING:
        raise OfficeError(f"request {number} is {row.state} already")
    return row


def decide(actor: Actor, row: Request, granted: bool, words: str, subject: str) -> None:
    """Write the answer down, tell whoever takes part, and log it; in the caller's transaction."""
    row.state = Request.GRANTED if granted else Request.REFUSED
    row.answer, row.decided_by, row.decided_at = words.strip(), actor.name, clock.now()
    row.save()
    to = messages.others_in(about(row)) | {row.user.username}
    messages.send(to, subject, row.answer, about=about(row), by=actor.name)
    details = {"kind": row.kind, "granted": granted, "user": row.user.username}
    record(actor.name, "request.decide", about(row), "", details)


def take_back(actor: Actor, number: int) -> None:
    """Whoever asked no longer does."""
    require(actor, "request.make")
    with writing():
        row = find(actor, number)
        if row.user_id != actor.user_id:
            raise NotAllowedError(f"request {number} is {row.user.username}'s to take back")
        waiting(actor, number, row.kind)
        row.state, row.decided_by, row.decided_at = Request.TAKEN_BACK, actor.name, clock.now()
        row.save()
        record(actor.name, "request.take_back", about(row), "", {"kind": row.kind})
