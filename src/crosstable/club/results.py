"""Results: each tap is a revision of the night's event, taken once, and can be taken back.

A phone sends the result it saw before the tap. Where another phone has meanwhile said something else, nothing is
overwritten: the disagreement is kept and shown, and a person decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from crosstable import office
from crosstable.club import attendance, boards, clubs
from crosstable.club.clubs import ClubError
from crosstable.club.evening import Evening, Place, document_of, load, note, place_of
from crosstable.club.models import Act, Board, Night
from crosstable.formats import event_json
from crosstable.model import PLAYED_RESULTS, Event, Game, Player, Section
from crosstable.office.ledger import models as ledger
from crosstable.office.people.rights import Actor
from crosstable.office.queries.words import day as in_words
from crosstable.office.rating.rerating import Rerated
from crosstable.office.storage.database import writing
from crosstable.words.language import _, gettext_noop

TAKEN, SAME, AGAIN, DISAGREE, GONE = "taken", "same", "again", "disagree", "gone"
WORDS = {
    "1-0": gettext_noop("White won"),
    "0-1": gettext_noop("Black won"),
    "1/2-1/2": gettext_noop("draw"),
    "": gettext_noop("no result"),
}
#: What a child does, in words
STATES = {
    "": gettext_noop("not here"),
    "here": gettext_noop("here"),
    "out": gettext_noop("sits out"),
    "gone": gettext_noop("gone home"),
}


@dataclass(frozen=True, slots=True)
class Entered:
    outcome: str  # taken, same (it stood there), again (this tap came before), disagree, gone (no such board)
    message: str


def enter(actor: Actor, board: int, result: str, *, seen: str | None = None, key: str = "") -> Entered:
    """Enter a result.

    `seen`: the result that the phone showed; `key`: the phone's own, by which a result counts once.
    """
    if result not in ("", *PLAYED_RESULTS):
        raise ClubError(f"{result!r} is not a result: choose one of {', '.join(PLAYED_RESULTS)}")
    with writing():
        if key and Act.objects.filter(key=key).exists():
            return Entered(AGAIN, _("already entered"))
        row = Board.objects.select_related("night", "white", "black").filter(id=board).first()
        if row is None or row.black is None:
            return Entered(GONE, _("This board no longer exists: its pairing was undone."))
        evening = load(row.night)
        before = evening.result_of(row)
        data = {"board": board, "before": before, "after": result}
        if before == result:
            note(row.night, Act.RESULT, actor.name, data | {"same": True}, key)
            return Entered(SAME, _("This result was already entered."))
        if seen is not None and seen != before:
            note(row.night, Act.DISAGREEMENT, actor.name, data, key)
            words = _("Another phone says: {other}; this one: {this}. Choose at the board.")
            return Entered(DISAGREE, words.format(other=_(WORDS[before]), this=_(WORDS[result])))
        _settle_disagreements(row)
        write(actor, evening, {place_of(row): result}, f"round {row.round}, board {row.number}: {WORDS[result]}")
        note(row.night, Act.RESULT, actor.name, data, key)
    return Entered(TAKEN, _(WORDS[result]))


def _settle_disagreements(board: Board) -> None:
    """Someone has chosen at the board."""
    for act in Act.objects.filter(night=board.night, kind=Act.DISAGREEMENT, undone=False):
        if act.data["board"] == board.id:
            act.undone = True
            act.save()


def disagreements(night: Night) -> dict[int, Act]:
    """Board → what another phone said, where no one has decided yet."""
    if night.pk is None:
        return {}
    found = Act.objects.filter(night=night, kind=Act.DISAGREEMENT, undone=False).order_by("id")
    return {act.data["board"]: act for act in found}


def undo(actor: Actor, night: Night) -> str:
    """Take the last act of the night back, whatever it was; what was done, in words."""
    with writing():
        act = undoable(night)
        if act is None:
            raise ClubError(_("There is nothing to undo."))
        words = describe(act)
        if act.kind == Act.RESULT:
            _take_back(actor, act)
        elif act.kind == Act.PAIR:
            boards.remove(act)
        else:
            attendance.put_back(act)
        act.undone = True
        act.save()
    return words


def undoable(night: Night) -> Act | None:
    if night.pk is None:
        return None
    acts = Act.objects.filter(night=night, undone=False).exclude(kind=Act.DISAGREEMENT).order_by("-id")
    return next((act for act in acts if not act.data.get("same")), None)


def describe(act: Act) -> str:
    """For the button: "the result of board 3"."""
    if act.kind == Act.RESULT:
        board = Board.objects.filter(id=act.data["board"]).first()
        if board is None:
            return _("a result")
        return _("the result of board {board}, round {round}").format(board=board.number, round=board.round)
    if act.kind == Act.PAIR:
        rounds = Board.objects.filter(id__in=act.data["boards"]).values_list("round", flat=True)
        return _("the pairing of round {round}").format(round=max(rounds, default=0))
    player = ledger.Player.objects.get(id=act.data["player"])
    return f"{player.name or _('a child')}: {_(STATES.get(act.data['after'], act.data['after']))}"


def _take_back(actor: Actor, act: Act) -> None:
    board = Board.objects.select_related("night", "white", "black").filter(id=act.data["board"]).first()
    if board is None:
        raise ClubError(_("This board no longer exists: its pairing was undone."))
    evening = load(board.night)
    words = f"round {board.round}, board {board.number}: undone"
    write(actor, evening, {place_of(board): act.data["before"]}, words)


def write(actor: Actor, evening: Evening, changed: Mapping[Place, str], reason: str) -> None:
    """Write the night's event with these results through the office's own submit, accept, correct or withdraw."""
    number = evening.night.event
    row = ledger.Event.objects.filter(number=number).first()
    document = document_of(evening.night)
    event = with_results(document or empty_event(evening.night), changed)
    data = json.dumps(event_json.to_json(event), ensure_ascii=False).encode()
    if not event.sections[0].games:
        office.withdraw(actor, number, reason)
    elif row is None:
        done = office.submit(actor, data, "night.json", number)
        if not done.ok:
            raise ClubError(done.message)
        office.accept(actor, number, reason)
    elif row.status == ledger.Event.ACCEPTED:
        office.correct(actor, number, data, "night.json", reason)
    else:  # taken back before: the event comes again, with what it says now
        if event != office.document(number):
            office.correct(actor, number, data, "night.json", reason)
        office.accept(actor, number, reason)


def empty_event(night: Night) -> Event:
    same_day = "" if night.event == f"night-{night.date}" else f" ({night.event.rpartition('-')[2]})"
    name = f"{clubs.name()}, {in_words(night.date)}{same_day}"
    section = Section(number=1, name="Club night", start=night.date, end=night.date, players=(), games=(), kind="other")
    return Event(name, night.date, night.date, (section,))


def with_results(event: Event, changed: Mapping[Place, str]) -> Event:
    """Games by round and pairing number; who plays for the first time tonight gets the next number. No names."""
    section = event.sections[0]
    numbers = {player.id: player.number for player in section.players}
    for _place, white, black in changed:
        for id in (white, black):
            numbers.setdefault(id, len(numbers) + 1)
    games = {(game.round, game.white, game.black): game for game in section.games}
    for (round, white, black), result in changed.items():
        place = round, numbers[white], numbers[black]
        if result:
            games[place] = Game(*place, result)
        else:
            games.pop(place, None)
    players = tuple(Player(number, id) for id, number in sorted(numbers.items(), key=lambda one: one[1]))
    played = {number for game in games.values() for number in (game.white, game.black)}
    section = replace(
        section,
        players=tuple(player for player in players if player.number in played),
        games=tuple(games[place] for place in sorted(games)),
    )
    return replace(event, sections=(section,))


def correct_later(actor: Actor, board: int, result: str, *, record_only: bool, preview: bool = False) -> Rerated:
    """Correct an earlier result: for the record only, or with a re-rate of everything after it.

    The choice is logged.
    """
    if result not in PLAYED_RESULTS:
        raise ClubError(f"{result!r} is not a result: choose one of {', '.join(PLAYED_RESULTS)}")
    row = Board.objects.select_related("night", "white", "black").filter(id=board).first()
    document = document_of(row.night) if row else None
    if row is None or document is None or not load(row.night).result_of(row):
        raise ClubError("that game has no result yet")
    event = with_results(document, {place_of(row): result})
    data = json.dumps(event_json.to_json(event), ensure_ascii=False).encode()
    how = "for the record only" if record_only else "with a re-rate"
    reason = f"round {row.round}, board {row.number}: {WORDS[result]}, {how}"
    done: Rerated = office.correct(
        actor, row.night.event, data, "night.json", reason, preview=preview, record_only=record_only
    )
    return done
