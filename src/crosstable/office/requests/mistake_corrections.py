"""A reported mistake becomes a correction request: the event with the one result changed, for an officer to look at.

Whoever decides on that correction answers the report with it.
"""

from __future__ import annotations

import json
from dataclasses import replace

from crosstable.errors import OfficeError
from crosstable.formats import event_json
from crosstable.model import Event, Game
from crosstable.office.audit.log import record
from crosstable.office.ledger import free_text
from crosstable.office.ledger.models import Player
from crosstable.office.ledger.players import with_duplicates
from crosstable.office.notices import messages
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports.events import document
from crosstable.office.requests import corrections, lifecycle, mistakes
from crosstable.office.requests.models import CorrectionRequest, Request
from crosstable.office.storage.database import writing

#: A player's own result → the game's, by the side of the player
RESULTS = {"win": ("1-0", "0-1"), "draw": ("1/2-1/2", "1/2-1/2"), "loss": ("0-1", "1-0")}


def can_be_made(row: Request) -> bool:
    """Whether the report says enough for the program to change the event: whose game, which round, which result."""
    return bool(row.player and row.section and row.round and row.result) and row.correction is None


def make_correction(actor: Actor, number: int) -> CorrectionRequest:
    """Ask for the correction that the player reported; the report waits on until it is answered."""
    require(actor, "request.decide")
    with writing():
        row = lifecycle.waiting(actor, number, Request.MISTAKE)
        lifecycle.fill_players([row])
        if not can_be_made(row):
            raise OfficeError(
                "the report does not say whose game in which round had which result: correct it with a file"
            )
        data = json.dumps(event_json.to_json(_corrected(row)), ensure_ascii=False).encode()
        # the reason becomes public with the revision: it holds none of the player's words
        reason = (
            f"a {row.result} in round {row.round} of section {row.section}, as a player reported (request {number})"
        )
        asked = corrections.ask(actor, row.event, data, f"request-{number}.json", reason)
        row.correction = asked.id
        row.save()
        to = messages.others_in(lifecycle.about(row)) | {row.user.username}
        words = "The office looks at what would change; the answer follows."
        messages.send(
            to, "Your report has become a correction request", words, about=lifecycle.about(row), by=actor.name
        )
        record(actor.name, "request.correct", lifecycle.about(row), "", {"correction": asked.id})
    return asked


def grant(actor: Actor, number: int, message: str = "") -> Rerated:
    """Grant a correction request; the report that asked for it, if there is one, is answered with the same words."""
    require(actor, "event.correct")
    free_text.refuse(message, "the answer")
    with writing():
        done = corrections.grant(actor, number, message)
        _answer(actor, number, True, message or "You are right: it is corrected.")
    return done


def refuse(actor: Actor, number: int, message: str) -> None:
    """Refuse one; the report that asked for it hears that it stays as it is, and why."""
    require(actor, "event.correct")
    free_text.refuse(message, "the answer")
    with writing():
        corrections.refuse(actor, number, message)
        _answer(actor, number, False, message)


def report_of(actor: Actor, correction: int) -> Request | None:
    """The player's report that a correction request was made of, while it waits for its answer."""
    require(actor, "correction.ask")
    return Request.objects.filter(correction=correction, state=Request.WAITING).select_related("user").first()


def _answer(actor: Actor, correction: int, mended: bool, words: str) -> None:
    report = report_of(actor, correction)
    if report is not None:
        mistakes.answer(actor, report.id, mended, words)


def _corrected(row: Request) -> Event:
    """The event with the one result as the player says."""
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
    """The pairing numbers of the player in that section, under any of the person's ids; a re-entry has another one."""
    own = Player.objects.filter(number=row.player).values_list("id", flat=True)
    ids = set(Player.objects.filter(id__in=with_duplicates(own)).values_list("number", flat=True))
    sections = [one for one in document(row.event).sections if one.number == row.section]
    return {player.number for one in sections for player in one.players if player.id in ids}
