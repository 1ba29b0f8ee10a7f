"""What any rating system needs of an event before it can rate it: findings of level error where it is not so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from crosstable.findings import place_of
from crosstable.model import PLAYED_RESULTS, UNPLAYED_RESULTS, Event, Finding, Level, Place, Section

Span = tuple[Place | str, date | None, date | None]
LARGEST = 10_000.0  # no rating of any system is beyond it


def problems(event: Event) -> list[Finding]:
    """Everything about dates, players and games that makes an event unratable in whatever system."""
    findings = list(_dates(event))
    if not event.sections:
        findings.append(error("no-sections", "event", "the event has no sections.", "Add at least one section."))
    numbers = Counter(section.number for section in event.sections)
    for number, count in numbers.items():
        if count > 1:
            where = Place(section=number)
            findings.append(
                error("duplicate-section", where, f"{count} sections have this number.", "Number them 1, 2, 3 …")
            )
    for section in event.sections:
        findings.extend(_players(section))
        findings.extend(_games(section))
    return findings


def error(code: str, where: Place | str, message: str, advice: str) -> Finding:
    """Return an error. `where`: a place, or the name of a part."""
    return Finding(Level.ERROR, code, place_of(where), message, advice)


def undated(where: Place | str = "event", sections: Sequence[str] = ()) -> Finding:
    """Report a missing date; in an event with several sections, name those without a date."""
    also = f" (sections: {'; '.join(sections)})" if len(sections) > 1 else ""
    return error(
        "missing-date", where, f"start or end date is missing{also}.", "Enter the dates of the event (YYYY-MM-DD)."
    )


def _dates(event: Event) -> Iterator[Finding]:
    spans: list[Span] = [(Place(section=section.number), section.start, section.end) for section in event.sections]
    if event.start is None or event.end is None:
        missing = [one for one in event.sections if one.start is None or one.end is None]
        yield undated(sections=[one.name or f"section {one.number}" for one in missing])
        spans = [(where, start, end) for where, start, end in spans if start and end]  # the others are said
    else:
        spans.insert(0, ("event", event.start, event.end))
    for where, start, end in spans:
        if start is None or end is None:
            yield undated(where)
        elif end < start:
            yield error(
                "dates-reversed", where, f"it ends on {end}, before it starts on {start}.", "Swap or correct the dates."
            )


def _players(section: Section) -> Iterator[Finding]:
    where = Place(section=section.number)
    if not section.players:
        yield error("no-players", where, "the section has no players.", "Add the players.")
    for number, count in Counter(player.number for player in section.players).items():
        if count > 1:
            yield error(
                "duplicate-number",
                where.at(players=(number,)),
                f"{count} players have this pairing number.",
                "Give each player one number.",
            )


def _games(section: Section) -> Iterator[Finding]:
    ids = {player.number: player.id or f"#{player.number}" for player in section.players}
    for game in section.games:
        where = Place(section=section.number, round=game.round, players=(game.white, game.black))
        if game.result not in PLAYED_RESULTS and game.result not in UNPLAYED_RESULTS:
            known = " ".join((*PLAYED_RESULTS, *UNPLAYED_RESULTS))
            yield error("unknown-result", where, f"the result {game.result!r} is not one.", f"Use one of: {known}.")
        missing = [number for number in (game.white, game.black) if number not in ids]
        for number in missing:
            yield error(
                "unknown-player", where, f"no player has the number {number}.", "Correct the number or add the player."
            )
        if not missing and ids[game.white] == ids[game.black]:
            yield error("self-pairing", where, "a player is paired with themself.", "Correct the opponent's number.")
