"""Corrections of rated events: a director asks for one, or an officer makes one of a player's report."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from crosstable.errors import EventRejected, OfficeError
from crosstable.formats import event_json
from crosstable.formats.base import Reading
from crosstable.formats.given import first_name_first
from crosstable.model import Event as Document
from crosstable.model import Game, errors
from crosstable.model.difference import Difference
from crosstable.office.audit.log import record
from crosstable.office.ledger import documents, for_the_record, input_checks, pending_sections, revisions
from crosstable.office.ledger.differences import differences
from crosstable.office.ledger.models import Event, Player
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.ledger.revisions import called
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports import accepting, findings, keep_missing_fields, submissions
from crosstable.office.reports.events import document, find, in_force
from crosstable.office.reports.file_reading import dated_event, read_file
from crosstable.office.requests import lifecycle, player_requests
from crosstable.office.requests.lifecycle import Kind, Step
from crosstable.office.requests.mistakes import MISTAKE
from crosstable.office.requests.models import CorrectionRequest, Request
from crosstable.office.storage.database import writing


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as lists of requests show it."""

    number: int
    event: str
    event_name: str
    by: str
    at: datetime
    reason: str
    state: str
    results: int  # how many differ
    players: int
    facts: int
    sections: tuple[str, ...]
    answer: str
    decided_by: str
    decided_at: datetime | None
    revision: int | None


class Correction(Kind[CorrectionRequest]):
    """Granted, the event gets the request's content as a new revision; a report that asked for it is answered too."""

    prefix = "correction"
    noun = "correction request"
    ask_right = "correction.ask"
    decide_right = "event.correct"

    def visible(self, actor: Actor) -> QuerySet[CorrectionRequest]:
        """Return all requests for the office, and their own for others."""
        require(actor, "correction.ask")
        rows = CorrectionRequest.objects.select_related("event")
        return rows if actor.may("event.review") else rows.filter(author=actor.user)

    def author(self, row: CorrectionRequest) -> str:
        return row.author

    def wanted_by(self, row: CorrectionRequest) -> str:
        """Return the player whose report an officer turned into the request, where there is one."""
        reported = Request.objects.filter(correction=row.id).select_related("user").first()
        return reported.author_name if reported else row.author

    def asked(self, actor: Actor, row: CorrectionRequest, words: str) -> Step:
        return Step(
            action="correction.ask",
            target=f"event:{row.event.number}",
            reason=row.reason,
            details={"request": row.id, "file": row.sha256},
            to=messages.officers(),
            subject=f"{row.event.name}: a correction is asked for",
            words=row.reason,
        )

    def decided(self, actor: Actor, row: CorrectionRequest) -> Step:
        done = "The event has been corrected as you asked." if row.state == row.GRANTED else "The event is unchanged."
        return Step(
            action="correction.decide",
            target=f"event:{row.event.number}",
            reason=row.answer,
            details={"request": row.id, "file": row.sha256, "state": row.state},
            to=[row.author],
            subject=f"{row.event.name}: the correction is {row.state}",
            words=f"{done} {row.answer}".strip(),
        )

    def taken_back(self, row: CorrectionRequest) -> Step:
        return Step("correction.take_back", f"event:{row.event.number}", details={"request": row.id})

    def carry_out(self, actor: Actor, row: CorrectionRequest) -> Rerated:
        # the reason becomes public with the revision: who asked stands in the request and in the log
        done = accepting.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason)
        row.revision = in_force(row.event).number
        row.save()
        return done

    def preview(self, actor: Actor, row: CorrectionRequest) -> Rerated:
        return accepting.carry_out(actor, row.event.number, bytes(row.data), row.file_name, row.reason, preview=True)

    def close(self, actor: Actor, row: CorrectionRequest) -> None:
        report = report_of(actor, row.id)
        if report is not None:
            granted = row.state == CorrectionRequest.GRANTED
            words = row.answer or "You are right: it has been corrected."
            lifecycle.decide(actor, MISTAKE, report.id, granted=granted, words=words)


CORRECTION = Correction()


def correction_requests(actor: Actor, *, waiting: bool = False, event: str = "") -> list[Asked]:
    """All that this person may see, newest first; or those that wait, oldest first."""
    rows = CORRECTION.visible(actor).defer("data")
    rows = rows.filter(event__number=event) if event else rows
    if waiting:
        return [shown(row) for row in rows.filter(state=CorrectionRequest.WAITING).order_by("id")]
    return [shown(row) for row in rows.order_by("-id")]


def own_waiting(actor: Actor, event: str = "") -> list[Asked]:
    """Return the corrections that this person has asked for and that are not decided yet, oldest first."""
    if not actor.may("correction.ask"):
        return []
    return [one for one in correction_requests(actor, waiting=True, event=event) if one.by == actor.user]


def shown(row: CorrectionRequest) -> Asked:
    counts = row.summary
    return Asked(
        number=row.id,
        event=row.event.number,
        event_name=row.event.name,
        by=row.author,
        at=row.at,
        reason=row.reason,
        state=row.state,
        results=counts.get("result", 0),
        players=counts.get("player", 0),
        facts=counts.get("fact", 0),
        sections=tuple(counts.get("sections", ())),
        answer=row.answer,
        decided_by=row.decided_by,
        decided_at=row.decided_at,
        revision=row.revision,
    )


def read(event: Event, file: Reading) -> Document:
    """Read what a file would make of the event; raise EventRejected with everything that is wrong with it."""
    old = revisions.document(id=event.id)
    reading, _ = keep_missing_fields.kept(file, old)
    found = findings.of_file(reading)
    new = dated_event(reading, found)
    if wrong := [
        one for one in errors(found) if pending_sections.section_of(one) not in pending_sections.numbers(event)
    ]:
        raise EventRejected(wrong)
    return for_the_record.with_choices(old, new, record_only=False)


def changed(actor: Actor, event: Event, new: Document) -> list[Difference]:
    """Return what the new content would change in the event, with the names of the register.

    A name that the register withholds is shown to the office only; a director sees what the reports say.
    """
    return changed_between(actor, revisions.document(id=event.id), new)


def changed_between(actor: Actor, old: Document, new: Document) -> list[Difference]:
    """Return what differs between two versions of an event, with the names that this actor may see."""
    people = {one.id: one.name for side in (old, new) for section in side.sections for one in section.players if one.id}
    register = Player.objects.filter(number__in=list(people))
    register = register if actor.may("player.read_private") else register.filter(withheld=False)
    known = dict(register.values_list("number", "name"))
    names = {number: first_name_first(known.get(number) or name or number) for number, name in people.items()}
    return list(differences(old, new, names, private=True))


def summary_of(event: Document, found: Sequence[Difference]) -> dict[str, Any]:
    """Return what the queue shows: how much differs, and in which sections."""
    changed = {one.section for one in found}
    touched = [called(one) for one in event.sections if one.number in changed]
    return {**Counter(one.counts_as for one in found), "sections": touched}


# A director asks for a correction, and may take the request back.


def ask(actor: Actor, event: str, data: bytes, file_name: str, reason: str) -> CorrectionRequest:
    """Ask that the event say what this file says.

    It is read and compared; nothing is rated until an officer grants it.
    """
    require(actor, "correction.ask")
    input_checks.refuse(input_checks.reasons(reason, "a correction"))
    file = read_file(data, file_name)
    with writing():
        row = _event(actor, event)
        new = read(row, file)
        found = changed(actor, row, new)
        if not found:
            raise OfficeError(f"nothing to correct: event {event} already says this")
        author = actor.user
        _refuse_second(row, author)
        asked = CorrectionRequest(
            event=row,
            file_name=documents.storable(file_name)[:255],
            data=data,
            sha256=hashlib.sha256(data).hexdigest(),
            reason=reason.strip(),
            author=author,
            summary=summary_of(new, found),
        )
        return lifecycle.ask(actor, CORRECTION, asked, asked.reason)


def asked_differences(actor: Actor, event: str, data: bytes, file_name: str) -> list[Difference]:
    """Return what a file would change, before a correction is asked for."""
    require(actor, "correction.ask")
    row = _event(actor, event)
    return changed(actor, row, read(row, read_file(data, file_name)))


def _event(actor: Actor, number: str) -> Event:
    row = find(number)
    submissions.refuse_others(actor, row)
    if row.status == Event.WITHDRAWN:
        raise OfficeError(f"event {number} is withdrawn: write to the office")
    return row


def _refuse_second(row: Event, author: str) -> None:
    """One request at a time for an event by one person: two would be compared with the same content."""
    open_ones = CorrectionRequest.objects.filter(event=row, author=author, state=CorrectionRequest.WAITING)
    other = open_ones.values_list("id", flat=True).first()
    if other is not None:
        raise OfficeError(f"request {other} of yours about this event is still open: take it back first")


# An officer looks at a correction request: what would change, for whom; then grants or refuses it.


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A request, and what it would change in the event."""

    request: Asked
    content: Document  # what the event would say
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Preview(AskedFor):
    """And what that would do to ratings."""

    ratings: Rerated  # the largest change first; the event's own file was not written


def asked_for(actor: Actor, number: int) -> AskedFor:
    """Return what the event would say. Nothing is rated."""
    require(actor, "rating.preview")
    row = lifecycle.find(actor, CORRECTION, number)
    new = read(row.event, read_file(bytes(row.data), row.file_name))
    return AskedFor(shown(row), new, tuple(changed(actor, row.event, new)))


def preview(actor: Actor, number: int) -> Preview:
    """Return everything that granting it would do. Nothing is written."""
    found = asked_for(actor, number)
    done = lifecycle.preview(actor, CORRECTION, number)
    return Preview(found.request, found.content, found.differences, done)


# A correction that a player's report asks for: the event with the one result changed.

#: A player's own result → the game's, by the side of the player
RESULTS = {"win": ("1-0", "0-1"), "draw": ("1/2-1/2", "1/2-1/2"), "loss": ("0-1", "1-0")}


def make_correction(actor: Actor, number: int) -> CorrectionRequest:
    """Ask for the correction that a player reported. Deciding on the correction answers the report."""
    require(actor, "request.decide")
    with writing():
        row = lifecycle.waiting(actor, MISTAKE, number)
        player_requests.fill_players([row])
        if not player_requests.is_correctable(row):
            raise OfficeError(
                "the report does not say whose game in which round had which result: correct it with a file"
            )
        data = json.dumps(event_json.to_json(_corrected(row)), ensure_ascii=False).encode()
        # the reason becomes public with the revision: it holds none of the player's words
        reason = (
            f"a {row.result} in round {row.round} of section {row.section}, as a player reported (request {number})"
        )
        asked = ask(actor, row.event, data, f"request-{number}.json", reason)
        row.correction = asked.id
        row.save()
        subject, words = "Your report has become a correction request", "An officer checks what it would change."
        about = lifecycle.key(MISTAKE, row)
        messages.send(player_requests.participants(row), subject, words, about=about, by=actor.name)
        record(actor.name, "request.correct", about, "", {"correction": asked.id})
    return asked


def report_of(actor: Actor, correction: int) -> Request | None:
    """Return the player's report that a correction request was made of, while it waits for its answer."""
    require(actor, "correction.ask")
    return Request.objects.filter(correction=correction, state=Request.WAITING).select_related("user").first()


def _corrected(row: Request) -> Document:
    """Return the event with the one result as the player says."""
    event, numbers = document(row.event), _numbers(row)
    found = [one for one in event.sections if one.number == row.section]
    games = [
        game for one in found for game in one.games if game.round == row.round and numbers & {game.white, game.black}
    ]
    if len(games) != 1:
        raise OfficeError(f"player {row.player} has {len(games)} games in round {row.round}: correct it with a file")
    (old,), (section,) = games, found
    new = replace(old, result=RESULTS[row.result][0 if old.white in numbers else 1])
    changed = replace(section, games=tuple(_swapped(game, old, new) for game in section.games))
    return replace(event, sections=tuple(changed if one is section else one for one in event.sections))


def _swapped(game: Game, old: Game, new: Game) -> Game:
    return new if game is old else game


def _numbers(row: Request) -> set[int]:
    """Return the player's pairing numbers in that section, under any of the person's ids; a re-entry has another
    one.
    """
    own = Player.objects.filter(number=row.player).values_list("id", flat=True)
    ids = set(Player.objects.filter(id__in=with_duplicates(own)).values_list("number", flat=True))
    sections = [one for one in document(row.event).sections if one.number == row.section]
    return {player.number for one in sections for player in one.players if player.id in ids}
