"""Where a finding is in an event: the section, the players and the round."""

from __future__ import annotations

from collections.abc import Sequence

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
