"""The cells of the file that a finding is about, as they stand there: a director compares them with the slip.

What the crosstable shows is what was understood; where the file says it in two ways, or in none, that is not what was
typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from crosstable.model import Finding, Place

#: A player's number and a round
At = tuple[int, int]

_QUOTES_THE_CELL = frozenset({"unreadable-cell", "asymmetric-result", "no-result"})


def cells(found: Iterable[tuple[Finding, Place]]) -> dict[At, str]:
    """Return what stands in the file, where a finding quotes it."""
    typed: dict[At, str] = {}
    for finding, place in found:
        if place.round is None or place.player is None:
            continue
        if finding.code in _QUOTES_THE_CELL:
            typed[place.player, place.round] = quoted(finding)
        elif finding.code == "result-clash" and len(place.players) == 2 and "first" in finding.facts:
            one, other = place.players
            first, second = finding.facts["first"], finding.facts["second"]
            typed |= {(one, place.round): f"{first}{other}", (other, place.round): f"{second}{one}"}
    return {at: text for at, text in typed.items() if text}


def opponents(found: Iterable[tuple[Finding, Place]]) -> Mapping[At, int | None]:
    """Return whom the cell of an opponent names who does not name the player back; no one where there is no cell."""
    named: dict[At, int | None] = {}
    for finding, place in found:
        if finding.code == "not-mirrored" and place.round is not None and len(place.players) == 2:
            other = finding.facts.get("names")
            named[place.players[1], place.round] = other if isinstance(other, int) else None
    return named


def quoted(finding: Finding) -> str:
    """Return the cell that a finding is about; of a list of games the result."""
    return " ".join(str(finding.facts.get("cell", "")).split())[:20]
