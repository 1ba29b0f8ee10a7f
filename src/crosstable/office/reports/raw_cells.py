"""Where a finding is in an event: the section, the players and the round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from crosstable.model import Event, Finding, Place, Section


def place_of(finding: Finding, event: Event) -> Place:
    """Return the section, players, round and pool of a finding; nothing where it is about the file or the whole event.

    A table of several sections names rows: the section is the one that has these players.
    """
    place = finding.place
    if place.id:
        return _by_id(event, place.id)
    entries = finding.facts.get("entries")  # of a re-entry, all of one person's
    players = tuple(int(one) for one in entries) if isinstance(entries, tuple) else place.players
    section = place.section
    if section is None and players:
        section = _only(event, players, place.round)
    if section is None:
        return Place()
    return Place(section=section, players=players, round=place.round, pool=place.pool)


def _only(event: Event, players: Sequence[int], round_: int | None) -> int | None:
    """Return the one section that has these players; of several the one in which they met in that round."""
    if len(event.sections) == 1:
        return event.sections[0].number
    fitting = [one for one in event.sections if set(players) <= {player.number for player in one.players}]
    met = [one for one in fitting if _met(one, players, round_)]
    chosen = met if len(met) == 1 else fitting
    return chosen[0].number if len(chosen) == 1 else None


def _met(section: Section, players: Sequence[int], round_: int | None) -> bool:
    return any(game.round == round_ and {game.white, game.black} == set(players) for game in section.games)


def _by_id(event: Event, wanted: str) -> Place:
    for section in event.sections:
        for player in section.players:
            if player.id == wanted:
                return Place(section=section.number, players=(player.number,))
    return Place()


# The cells of the file that a finding is about, as they stand there: a director compares them with the slip.
#
# What the crosstable shows is what was understood; where the file says it in two ways, or in none, that is not what was
# typed.

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
    """Return whom the cell of an opponent names who does not name the player back; nobody where there is no cell."""
    named: dict[At, int | None] = {}
    for finding, place in found:
        if finding.code == "not-mirrored" and place.round is not None and len(place.players) == 2:
            other = finding.facts.get("names")
            named[place.players[1], place.round] = other if isinstance(other, int) else None
    return named


def quoted(finding: Finding) -> str:
    """Return the cell that a finding is about; of a list of games the result."""
    return " ".join(str(finding.facts.get("cell", "")).split())[:20]
