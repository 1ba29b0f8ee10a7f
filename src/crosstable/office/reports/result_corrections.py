"""A wrong result of an event that the office has, corrected without a file: round, one player, the score, the other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from crosstable.errors import OfficeError
from crosstable.fixes import base, games
from crosstable.formats import event_json
from crosstable.formats.game_results import result_of
from crosstable.formats.given import who_is
from crosstable.model import Event, Player, Section
from crosstable.office.people.rights import Actor, require
from crosstable.office.rating.rerating import Rerated
from crosstable.office.reports import accepting
from crosstable.office.reports.events import document

_FORMS = "write 1-0, 0-1 or 1/2-1/2, or +/- and -/+ for a forfeit"


@dataclass(frozen=True, slots=True)
class Said:
    """One result as someone types it. The score is the first player's, no matter who had White."""

    round: str
    one: str  # an id, a pairing number, a name or part of it
    score: str
    other: str


def correct(
    actor: Actor,
    number: str,
    said: Sequence[Said],
    reason: str,
    *,
    section: int | None = None,
    preview: bool = False,
    record_only: bool = False,
) -> tuple[list[str], Rerated]:
    """Correct the event as its revision in force has it, with these results, like every other correction.

    A line for each result, where, what it was, what it is; and the ratings that follow. A game that is not there is
    refused: it would be a slip in the round or in a name.
    """
    require(actor, "rating.preview" if preview else "event.correct")
    event = document(number)
    lines = []
    for one in said:
        done = games.result(event, _values(event, one, section))
        if done.event == event:
            raise OfficeError(f"{done.place}: the event already says so")
        lines.append(f"{done.place}: {done.before} → {done.after}")
        event = done.event
    data = json.dumps(event_json.to_json(event), ensure_ascii=False).encode()
    name = f"{number}.json"
    ratings = accepting.correct(actor, number, data, name, reason, preview=preview, record_only=record_only)
    return lines, ratings


def _values(event: Event, said: Said, wanted: int | None) -> dict[str, str]:
    """Return the values that the fix of a result takes: the section and the two numbers instead of names."""
    score = {result: words for words, result in games.SCORES.items()}.get(result_of(said.score)[0] or "")
    if score is None:
        raise OfficeError(f"{said.score!r} is not a result: {_FORMS}")
    place, one, other = _found(event, said, wanted)
    values = {
        "section": str(place.number),
        "round": said.round,
        "one": str(one.number),
        "other": str(other.number),
        "score": score,
    }
    if base.game_of(place, values) is None:
        pair = {one.number, other.number}
        met = [str(game.round) for game in place.games if {game.white, game.black} == pair]
        names = f"{base.called(one)} and {base.called(other)}"
        rounds = f"they met in round {', '.join(met)}" if met else "they did not meet"
        raise OfficeError(f"{names} have no game in round {said.round} of section {place.number}: {rounds}")
    return values


def _found(event: Event, said: Said, wanted: int | None) -> tuple[Section, Player, Player]:
    """Return the section in which both play, and the two."""
    sections = [one for one in event.sections if wanted in (None, one.number)]
    found = []
    for section in sections:
        here = replace(event, sections=(section,))
        sides = [[player for _, player in who_is(here, text)] for text in (said.one, said.other)]
        found += [(section, one, other) for one in sides[0] for other in sides[1] if one.number != other.number]
    if len(found) == 1:
        return found[0]
    names = f"{said.one!r} and {said.other!r}"
    if not found:
        raise OfficeError(f"no section has {names}: give ids, pairing numbers, names or parts of them")
    shown = "; ".join(f"section {s.number}: {base.called(a)} and {base.called(b)}" for s, a, b in found[:5])
    raise OfficeError(f"{names} may be several: {shown}; give more of the names, the ids, or --section")
