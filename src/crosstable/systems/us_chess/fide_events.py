"""Whose games in foreign FIDE events count (2025 §6): one rule for `rate`, replay and office."""

from __future__ import annotations

import re

from crosstable.errors import UnknownPool, UnknownTimeControl
from crosstable.model import Player, Rating, Section
from crosstable.rulebook import Rules
from crosstable.systems.us_chess.classification import rated_in
from crosstable.systems.us_chess.pools import MAIN, OTB

_FAST = re.compile(r"\b(rapid|blitz|bullet)\b", re.IGNORECASE)


def not_standard(rules: Rules, section: Section) -> str | None:
    """Return why a foreign FIDE event is not a standard one, or None if it is (readings 40).

    A time control decides by the range of the main pool. Where there is none that can be read, the file's own words do.
    """
    try:
        if section.time_control and MAIN not in rated_in(rules, OTB, section.time_control):
            return f"its time control is '{section.time_control}'"
        if section.time_control:
            return None
    except UnknownPool:
        return f"its time control is '{section.time_control}'"
    except UnknownTimeControl:
        pass
    for text in (section.time_control or "", str(section.notes.get("speed", "")), section.name):
        if found := _FAST.search(text):
            return f"the file says '{found[1].lower()}'"
    return None


def not_counted(rules: Rules, player: Player, record: Rating | None) -> str | None:
    """Why a player's FIDE games do not count, or None if they do. `record`: the rating that would change."""
    if record is None:
        return f"no {MAIN} rating"
    if rules["fide_events"]["established_only"] and (record.games or 0) <= rules["established"]["games"]:
        return f"no established {MAIN} rating"
    return not_asked_for_by(rules, player)


def not_asked_for_by(rules: Rules, player: Player) -> str | None:
    """Return the same, as far as the rating itself does not decide it."""
    fide = player.fide.rating if player.fide is not None else None
    return not_asked_for(rules, player.member, player.usa_flag, fide, player.fide_opt_in)


def not_asked_for(rules: Rules, member: bool, usa_flag: bool, fide: float | None, opted_in: bool) -> str | None:
    """By what is known of a player."""
    if not member:
        return "not a current member"
    least = rules["fide_events"]["automatic"]
    if opted_in or (usa_flag and fide is not None and fide >= least):
        return None
    return f"neither a USA flag with FIDE {least:g} or more, nor opted in"
