"""Foreign FIDE events, imported per FIDE list: who is eligible and opted in has the games counted (2025 §6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from crosstable.errors import EventRejected
from crosstable.findings import declare
from crosstable.model import Finding, Level, Place, Player
from crosstable.office.audit.log import record
from crosstable.office.ledger import models
from crosstable.office.ledger.office_settings import office
from crosstable.office.lists.official import shown
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating import states
from crosstable.office.rating.filled_sections import as_rated, entrants
from crosstable.office.rating.timeline import Placed, sections_from
from crosstable.office.reports import accepting, events, submissions
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


def import_fide_batch(actor: Actor, list_date: date, files: Iterable[tuple[str, bytes]]) -> Batch:
    """All foreign events of one FIDE list, submitted and accepted together; or none, with everything that was found."""
    require(actor, "event.accept")
    with writing():
        received = [(name, submissions.submit(actor, data, name)) for name, data in files]
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
    """A player of ours in a foreign event: with an OTBR rating, the USA flag, or opted in."""

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

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def fide_lists(actor: Actor) -> list[date]:
    """Return the FIDE lists whose foreign events the office has, newest first."""
    require(actor, "event.review")
    return sorted(set(models.FideBatch.objects.values_list("list_date", flat=True)), reverse=True)


def fide_desk(actor: Actor, list_date: date | None = None, events: Iterable[str] | None = None) -> list[Adjusted]:
    """Return the players of one FIDE list (default: of all), or of some events; in rating order."""
    require(actor, "event.review")
    sections = models.Section.objects.filter(kind="fide").select_related("event").order_by("position")
    if list_date is not None:
        sections = sections.filter(event__fide_batch__list_date=list_date)
    if events is not None:
        sections = sections.filter(event__number__in=list(events))
    return [one for row in sections for one in _section(row)]


def _section(row: models.Section) -> Iterator[Adjusted]:
    placed: Placed = sections_from(row.position, row.position + 1)[0]
    ready = as_rated(placed, states.before(placed.position, entrants(placed).values()), (MAIN,))
    rules = rules_of(placed.start, placed.end, placed.event_end, office().profile)
    done = {one.player_id: one for one in models.RatingRow.objects.filter(section=row, pool=MAIN)}
    games = _games(ready.section.players, ready.section.games)
    for player in ready.section.players:
        if not (player.ratings or player.usa_flag or player.fide_opt_in):
            continue  # a foreigner
        rating = done.get(ready.players[player.number])
        why_not = not_counted(rules, player, player.ratings.get(MAIN))
        if rating is None and why_not is None:
            why_not = "no game against an opponent with a FIDE rating"
        yield Adjusted(
            row.event.number,
            row.number,
            player.id,
            player.name,
            player.usa_flag,
            player.fide_opt_in,
            games.get(player.number, 0),
            rating is not None,
            *_shown(rating),
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
