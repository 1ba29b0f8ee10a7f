"""The cells of the file that a finding is about, as they stand there: a director compares them with the slip.

What the crosstable shows is what was understood; where the file says it in two ways, or in none, that is not what was typed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from crosstable.model import Finding
from crosstable.office.events.places import Place

#: A player's number and a round
At = tuple[int, int]

_QUOTES_THE_CELL = frozenset({"unreadable-cell", "asymmetric-result", "no-result"})
_BOTH = re.compile(r"players (\d+) and (\d+) report (\w) and (\w) of one game")
_RESULT = re.compile(r"^round \d+, players \d+ and \d+: the result is ")
_NAMES = re.compile(r"player \d+ met \d+, whose cell names (\d+)")


def cells(found: Iterable[tuple[Finding, Place]]) -> dict[At, str]:
    """What stands in the file, where a finding quotes it."""
    typed: dict[At, str] = {}
    for finding, place in found:
        if place.round is None or place.player is None:
            continue
        if finding.code in _QUOTES_THE_CELL:
            typed[place.player, place.round] = unquoted(finding.message)
        elif both := _BOTH.search(finding.message):
            one, other = int(both[1]), int(both[2])
            typed |= {(one, place.round): f"{both[3]}{other}", (other, place.round): f"{both[4]}{one}"}
    return {at: text for at, text in typed.items() if text}


def opponents(found: Iterable[tuple[Finding, Place]]) -> Mapping[At, int | None]:
    """Whom the cell of an opponent names who does not name the player back; nobody where there is no cell."""
    named: dict[At, int | None] = {}
    for finding, place in found:
        if finding.code == "not-mirrored" and place.round is not None and len(place.players) == 2:
            other = _NAMES.search(finding.message)
            named[place.players[1], place.round] = int(other[1]) if other else None
    return named


def unquoted(message: str) -> str:
    """`W1O`, of the quotation marks of a program; of a list of games the result."""
    try:
        text = ast.literal_eval(_RESULT.sub("", message).rstrip("."))
    except (ValueError, SyntaxError):
        return ""
    return " ".join(text.split())[:20] if isinstance(text, str) else ""
