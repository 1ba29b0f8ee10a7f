"""Foreign FIDE events, imported per FIDE list: who is eligible and opted in has the games counted (2025 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.db.models import QuerySet

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.formats.fide_entrants import is_foreign
from crosstable.formats.fields import note_text
from crosstable.model import Finding, Level, Place, Player
from crosstable.office.audit.log import record
from crosstable.office.ledger import models
from crosstable.office.ledger.office_settings import office
from crosstable.office.ledger.players import main_record
from crosstable.office.lists.official import shown
from crosstable.office.people.rights import Actor, require
from crosstable.office.players import register
from crosstable.office.rating import states
from crosstable.office.rating.facts import facts
from crosstable.office.rating.filled_sections import as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.office.reports import accepting, events, fide_members, submissions
from crosstable.office.reports.fide_members import USA, Answers, Matched, Question
from crosstable.office.reports.file_reading import Added
from crosstable.office.reports.submissions import Submitted
from crosstable.office.storage.database import writing
from crosstable.systems.structure import error
from crosstable.systems.us_chess.deciding import rules_of
from crosstable.systems.us_chess.fide_events import not_counted
from crosstable.systems.us_chess.pools import MAIN

declare(
    "withdrawn",
    Level.ERROR,
    "A foreign FIDE event of that number was withdrawn.",
    "Leave it out, or `office accept` it.",
)
declare(
    "not-taken",
    Level.ERROR,
    "An event of the list was refused, so nothing of it was kept.",
    "Correct it and give the whole list again.",
)
declare("not-fide", Level.ERROR, "A section of a FIDE list is not of kind fide.", "Submit it as one of our own.")


@dataclass(frozen=True, slots=True)
class Batch:
    """What became of the files of one list."""

    id: int | None  # nothing: the office has all of these events already
    list_date: date
    submitted: tuple[Submitted, ...]
    accepted: tuple[str, ...]


class MembersUnclearError(EventRejected):
    """Players of FIDE reports may be members: the officer says who is, and gives the list again."""

    def __init__(self, questions: Sequence[Question], findings: Sequence[Finding]) -> None:
        super().__init__(findings)
        self.questions = tuple(questions)


def import_fide_batch(
    actor: Actor, list_date: date, files: Iterable[tuple[str, bytes]], answers: Answers | None = None
) -> Batch:
    """Take all foreign events of one FIDE list, submitted and accepted together; or none, with everything found.

    A FIDE report (TRF) is taken as it comes: members are found by FIDE ID, else by name with a question. `answers`:
    FIDE ID → the member's ID, or nothing for a player who is not a member. Raises MembersUnclearError for questions
    without an answer. An answer's FIDE ID is saved with the member.
    """
    require(actor, "event.accept")
    reports = [(name, data, fide_members.matched(data, name, answers or {})) for name, data in files]
    _refuse_unclear(reports, answers or {})
    with writing():
        for member, fide_id in dict(told for *_, one in reports for told in one.told).items():
            register.change(actor, member, f"FIDE list of {list_date}", fide_id=fide_id)
        received = [
            (name, submissions.submit(actor, data, name, added=Added(reading=one.reading)))
            for name, data, one in reports
        ]
        wrong: list[Finding] = []
        accepted: list[str] = []
        batch = models.FideBatch.objects.create(list_date=list_date, author=actor.name)
        for name, one in received:
            found = _accept(actor, one, batch, accepted)
            wrong += [replace(finding, place=finding.place.at(file=name)) for finding in found]
        if wrong:
            raise EventRejected(wrong)
        number = _logged(actor, batch, accepted)
    return Batch(number, list_date, tuple(one for _, one in received), tuple(accepted))


def _refuse_unclear(found: Sequence[tuple[str, bytes, Matched]], answers: Answers) -> None:
    """Raise with every question and every answer that cannot be used, each with its file."""
    asked = [replace(one, place=one.place.at(file=name)) for name, _, report in found for one in report.questions]
    wrong = [replace(one, place=one.place.at(file=name)) for name, _, report in found for one in report.wrong]
    wrong += fide_members.unused(answers, (key for *_, report in found for key in report.keys))
    questions = list({one.key: one for one in asked}.values())  # one question about a player of several events
    if questions or wrong:
        raise MembersUnclearError(questions, [*(one.finding() for one in questions), *wrong])


def _accept(actor: Actor, one: Submitted, batch: models.FideBatch, accepted: list[str]) -> Sequence[Finding]:
    """Why this file is in the way of the whole list; nothing if its event counts now."""
    if not one.ok:
        return (*one.findings, _not_taken(one))
    status = events.find(one.event).status
    if status == models.Event.ACCEPTED:  # in an earlier list, or twice in this one
        return ()
    if status == models.Event.WITHDRAWN:
        return [
            error("withdrawn", "event", f"event {one.event} was withdrawn.", "Leave it out, or `office accept` it.")
        ]
    if wrong := [section.number for section in events.document(one.event).sections if section.kind != "fide"]:
        return [_other_kind(one.event, wrong)]
    models.Event.objects.filter(number=one.event).update(fide_batch=batch)  # it is rated by this list (readings 37)
    try:
        accepting.accept(actor, one.event, f"FIDE list of {batch.list_date}")
    except EventRejected as rejected:
        return rejected.findings
    accepted.append(one.event)
    return ()


def _not_taken(one: Submitted) -> Finding:
    words = one.message if one.outcome == submissions.REFUSED else "no dated event could be read from it"
    return error("not-taken", "file", f"{words}.", "Then give the whole list again: nothing of it was kept.")


def _other_kind(number: str, sections: Sequence[int]) -> Finding:
    return error(
        "not-fide",
        Place(section=sections[0]),
        f"the kind of event {number} is not fide (sections {', '.join(map(str, sections))}).",
        "Submit it as one of our own.",
    )


def _logged(actor: Actor, batch: models.FideBatch, accepted: Sequence[str]) -> int | None:
    """Return the list's row with its entry in the log, if it brought anything."""
    if not accepted:
        batch.delete()
        return None
    words = f"FIDE list of {batch.list_date}"
    record(actor.name, "fide.batch", f"fide:{batch.list_date}", words, {"events": list(accepted)})
    return batch.id


# The FIDE desk: whose games in the foreign events of a FIDE list changed a rating, whose did not, and why (2025 §6).


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A player of ours in a foreign event: with an OTBR rating, the USA flag, or opted in.

    Also a player with the USA flag and games on a FIDE list, though no event file has them: `event` is empty then.
    """

    list_date: date | None  # None: of an event that came without a list
    event: str
    section: int
    player: str
    name: str
    usa_flag: bool
    opted_in: bool
    games: int  # against opponents with a FIDE rating
    adjusted: bool
    before: float | None
    after: float | None
    reason: str  # why not, or empty

    @property
    def abroad(self) -> bool:
        """Return whether the register does not have the player."""
        return is_foreign(self.player)

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "list_date": str(self.list_date) if self.list_date else None}


def fide_lists(actor: Actor) -> list[date]:
    """Return the FIDE lists whose foreign events or games the office has, newest first."""
    require(actor, "event.review")
    batches = models.FideBatch.objects.values_list("list_date", flat=True)
    return sorted({*batches, *_with_games().values_list("date", flat=True).distinct()}, reverse=True)


def fide_desk(actor: Actor, list_date: date | None = None, events: Iterable[str] | None = None) -> list[Adjusted]:
    """Return the players of one FIDE list (default: of all), or of some events; in rating order.

    After those of the events come players with the USA flag and games on the list whose event no one has brought.
    """
    require(actor, "event.review")
    sections = models.Section.objects.filter(kind="fide").select_related("event__fide_batch").order_by("position")
    if list_date is not None:
        sections = sections.filter(event__fide_batch__list_date=list_date)
    if events is not None:
        sections = sections.filter(event__number__in=list(events))
    rows = [one for row in sections for one in _section(row)]
    return rows if events is not None else [*rows, *_without_event(list_date, rows)]


def _with_games() -> QuerySet[models.ExternalRating]:
    return models.ExternalRating.objects.filter(kind="fide", games__gt=0)


def _without_event(list_date: date | None, rows: Iterable[Adjusted]) -> Iterator[Adjusted]:
    """Yield who has the USA flag and games on an imported list, and is in no event of it."""
    listed = _with_games() if list_date is None else _with_games().filter(date=list_date)
    found = list(listed.select_related("player__merged_into").order_by("date", "player__number"))
    seen = {(one.list_date, one.player) for one in rows}
    people = facts(sorted({main_record(one.player).id for one in found}))
    for one in found:
        row = main_record(one.player)
        person = people[row.id]
        if (one.date, row.number) in seen or not person.on("usa_flag", one.date):
            continue
        yield Adjusted(
            list_date=one.date,
            event="",
            section=0,
            player=row.number,
            name=row.name,
            usa_flag=True,
            opted_in=person.on("fide_opt_in", one.date),
            games=one.games or 0,
            adjusted=False,
            before=None,
            after=None,
            reason="no event of this list has come in with these games",
        )


def _section(row: models.Section) -> Iterator[Adjusted]:
    placed: Placed = sections_from(row.position, row.position + 1)[0]
    ready = as_rated(placed, states.before(placed.position, entrants(placed).values()), (MAIN,))
    rules = rules_of(placed.start, placed.end, placed.event_end, office().profile)
    done = {one.player_id: one for one in models.RatingRow.objects.filter(section=row, pool=MAIN)}
    games = _games(ready.section.players, ready.section.games)
    for player in ready.section.players:
        foreign = is_foreign(player.id)
        flag = player.usa_flag or (foreign and note_text(player.notes, "federation").upper() == USA)
        if not (player.ratings or flag or player.fide_opt_in):
            continue  # a foreigner
        rating = done.get(ready.players[player.number])
        why_not = "not in the register" if foreign else not_counted(rules, player, player.ratings.get(MAIN))
        if rating is None and why_not is None:
            why_not = "no game against an opponent with a FIDE rating"
        before, after = _shown(rating)
        yield Adjusted(
            list_date=row.event.fide_batch.list_date if row.event.fide_batch else None,
            event=row.event.number,
            section=row.number,
            player=player.id,
            name=player.name,
            usa_flag=flag,
            opted_in=player.fide_opt_in,
            games=games.get(player.number, 0),
            adjusted=rating is not None,
            before=before,
            after=after,
            reason=why_not or "",
        )


def _shown(row: models.RatingRow | None) -> tuple[float | None, float | None]:
    if row is None:
        return None, None
    return (None if row.prior is None else shown(MAIN, row.prior)), shown(MAIN, row.post)


def _games(players: Iterable[Player], games: Iterable[Any]) -> dict[int, int]:
    """How many games each player has against opponents with a FIDE rating."""
    listed = {player.number for player in players if player.fide is not None}
    found: dict[int, int] = {}
    for game in games:
        for one, other in ((game.white, game.black), (game.black, game.white)):
            if game.played and other in listed:
                found[one] = found.get(one, 0) + 1
    return found
