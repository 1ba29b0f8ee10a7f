"""What was found, in the words of a desk: the row and the round stand beside it, and no one types a command."""

from __future__ import annotations

from collections.abc import Callable

from crosstable.fixes.base import called
from crosstable.fixes.players import without_id
from crosstable.formats.dates import day
from crosstable.model import Event, Finding, Place, Player
from crosstable.office.reports import raw_cells
from crosstable.words.findings import message_text
from crosstable.words.places import place_text, row_text

_SAID = {"W": "won", "D": "drawn", "L": "lost", "X": "won by forfeit", "F": "lost by forfeit", "Z": "drawn by forfeit"}
_FIXED = {
    "missing-time-control": "The file does not say the time control.",
    "missing-event-name": "The event has no name.",
    "no-id": "There is no ID. New members get an ID when the report is accepted.",
    "id-to-come": "A new member: the office gives the id when it accepts the report.",
    "missing-name": "There is no name.",
    "missing-rating": "Unrated, and the file does not say whether this is an adult.",
    "improbable-age": "The birth date is probably wrong.",
    "no-games": "There are players but no games.",
    "fide-numbers": (
        "The ids and ratings in this file are FIDE’s, not this office’s. Players found by name have a button with the"
        " member’s own ID. New members get an ID from the office. A FIDE number that you keep becomes the member’s"
        " permanent ID here."
    ),
}
_ADVICE = {
    "no-games": "Type the results in, or choose another file.",
    "nothing-played": "Name the columns Rnd 1, Rnd 2 …, with cells like W12, D3, L5; or type the results in.",
    "file-too-large": "Send one event in a file.",
    "not-a-member": "The office rates the event once the membership is renewed.",
    "possible-duplicate": "If it is the same event, ask for a correction of that one instead.",
    "merged-players-met": "Two IDs of one person played each other: correct one of them, or write to the office.",
    "duplicate-number": "Two rows have this number. The games stay with the first.",
    "match-gap": "A match between players so far apart is not rated.",
}
#: Findings whose message is about the round
_SAYS_THE_ROUND = frozenset({"round-out-of-range", "impossible-round"})
#: Findings about the file as a whole, whose name the page has
_WHOLE_FILE = frozenset({"unknown-format", "no-file", "file-too-large", "column-ignored"})
#: What to do is said even where there is a button
ALWAYS = frozenset({"not-a-member", "possible-duplicate", "duplicate-number"})


def said(finding: Finding, event: Event, place: Place) -> str:
    """One sentence."""
    special = _SPECIAL.get(finding.code)
    text = _FIXED.get(finding.code) or (special and special(finding, event, place)) or message_text(finding, event)
    placed = finding.code not in {*_FIXED, *_WHOLE_FILE, "missing-date"}
    if placed and place.section is None and _in_file(finding.place):
        text = f"{place_text(finding.place)}: {text}"
    elif placed and finding.place.row is not None and not place.players:  # a row without a player
        text = f"{row_text(finding.place)}: {text}"
    elif place.round is not None and finding.code not in _SAYS_THE_ROUND:
        text = f"Round {place.round}: {text}"
    return text[:1].upper() + text[1:]


def _in_file(place: Place) -> bool:
    """Whether a finding is about a part of the file, and not about the event."""
    parts = (place.file, place.line, place.row, place.sheet, place.section, place.text, place.part == "archive")
    return any(parts)


def advice(finding: Finding) -> str:
    """Return what to do."""
    return _ADVICE.get(finding.code, finding.advice)


def _undated(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    """Say that the file gives no date, or one that does not exist."""
    if finding.facts.get("impossible"):
        return f"The file says “{finding.facts['found']}”: there is no {finding.facts['impossible']}."
    if finding.facts.get("found"):
        return f"The file says “{finding.facts['found']}”, which is not a date."
    return "The file does not say when it was played."


def _clash(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001 - every finding is told in the same way
    if "first" not in finding.facts or len(place.players) != 2:
        return ""
    (one, other), first, second = place.players, str(finding.facts["first"]), str(finding.facts["second"])
    return f"row {one} says {_SAID.get(first, first)}, row {other} says {_SAID.get(second, second)}."


def _unknown(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    player = _player(event, place)
    return f"{player.id} is not a member’s ID in this office." if player else ""


def _near(finding: Finding, event: Event, place: Place) -> str:
    player, name = _player(event, place), finding.facts.get("name")
    return f"{player.id} is not {name}’s id. With two digits swapped it is." if player and name else ""


def _begins(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    """Without the quotation marks of a program."""
    begins = finding.facts.get("begins")
    return "" if begins is None else f"It begins with “{begins}”, which is not a report that we know."


def _entries(finding: Finding, event: Event, place: Place) -> str:
    player = _player(event, place)
    numbers = " and ".join(map(str, place.players))
    return f"Numbers {numbers} have one id: {player.name or player.id} entered again." if player else finding.message


def _without_ids(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    """All of them, in the order in which their ids are asked for."""
    (section,) = (one for one in event.sections if one.number == place.section)
    names = [called(player) for player in without_id(section)]
    return f"{len(names)} players have no id: {', '.join(names)}."


def _to_come(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    return f"It ends on {day(event.end)}, a day that is still to come." if event.end else ""


def _unreadable(finding: Finding, event: Event, place: Place) -> str:
    cell = raw_cells.quoted(finding)
    return f"{_pair(event, place)}the file has “{cell}”, which is not a result that we know." if cell else ""


def _no_result(finding: Finding, event: Event, place: Place) -> str:  # noqa: ARG001  every finding alike
    return f"{pair}there is no result." if (pair := _pair(event, place)) else ""


def _no_game(finding: Finding, event: Event, place: Place) -> str:
    """Describe a line of a list that names two players and nothing that is a result."""
    line = finding.facts.get("line")
    return f"{pair}“{line}” cannot be read as a game." if line and (pair := _pair(event, place)) else ""


def _pair(event: Event, place: Place) -> str:
    """Of a game in a list, who played whom; White first."""
    found = [_player(event, place, number) for number in place.players]
    names = [called(player) for player in found if player is not None]
    return f"{names[0]} against {names[1]}: " if len(names) == 2 else ""


def _player(event: Event, place: Place, number: int | None = None) -> Player | None:
    """Return the player of a place, or the one with this number."""
    wanted = place.player if number is None else number
    for section in event.sections:
        if section.number == place.section:
            return next((one for one in section.players if one.number == wanted), None)
    return None


_SPECIAL: dict[str, Callable[[Finding, Event, Place], str]] = {
    "missing-date": _undated,
    "result-clash": _clash,
    "unreadable-cell": _unreadable,
    "no-result": _no_result,
    "invalid-line": _no_game,
    "missing-id": _without_ids,
    "unknown-id": _unknown,
    "transposed-id": _near,
    "unknown-format": _begins,
    "re-entry": _entries,
    "future-event": _to_come,
}
