"""Which rating of a player a file means that holds only one, and the fields that every writer cleans alike."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from crosstable.errors import UnknownSystem, UnknownTimeControl
from crosstable.formats.encoding import clean
from crosstable.model import Event, Player, Rating, Section
from crosstable.systems.us_chess.classification import paired_by
from crosstable.systems.us_chess.pools import POOLS
from crosstable.systems.us_chess.time_controls import parse

#: The letters of published pages and reports.
LETTERS: Mapping[str, str] = {pool.letter: pool.key for pool in POOLS}
KEY_LETTERS: Mapping[str, str] = {key: letter for letter, key in LETTERS.items()}
#: Every name under which a system looks for a player's rating.
SYSTEM_KEYS = (*KEY_LETTERS, "FIDE", "AGA", "GLICKO", "GLICKO2", "STEPHENSON", "GLICKOBOOST", "ELO", "CLUB", "USCF")


def main_key(time_control: str | None, mode: str = "otb") -> str:
    """The rating that a director pairs by: by the section's speed, and regular where two apply or nothing is known."""
    return paired_by(time_control, mode)


def readable(time_control: str | None) -> bool:
    try:
        return bool(time_control and parse(time_control))
    except UnknownTimeControl:
        return False


def whole(rating: float) -> int | None:
    """A rating as files print it: rounded half up, four digits."""
    if not math.isfinite(rating) or not 1 <= rating < 9999.5:
        return None
    return math.floor(rating + 0.5)


def plain(ratings: Mapping[str, Rating], key: str) -> dict[str, Rating]:
    """The one rating that a file can hold: a whole number without a game count."""
    value = whole(ratings[key].rating) if key in ratings else None
    return {} if value is None else {key: Rating(float(value))}


def ascii_text(text: str, width: int) -> str:
    """Without accents and cut to a field's width: `Müller` becomes `Muller`."""
    bare = unicodedata.normalize("NFKD", clean(text)).encode("ascii", errors="ignore").decode()
    return clean(bare)[:width].strip()


def cut(text: str, width: int) -> str:
    return clean(text)[:width].strip()


def identity(text: str, width: int = 40) -> str:
    """An id as a file gives it. Programs write 0 for none: two such players must not become one.

    One that is too long becomes none: half an id is another person's.
    """
    found = clean(text)
    return found if len(found) <= width and found.strip("0") else ""


def shown_rating(text: str) -> Rating | None:
    """`1450`, `1450P12`, `1450/12`, `1450P`: the rating, and the games where the file gives them. Nothing if it is none."""
    match = re.fullmatch(r"(\d{1,4})(?:\.0)?(?:[P/](\d{0,3}))?", text.strip().upper())
    return Rating(float(match[1]), int(match[2] or 0) or None) if match else None


def note_text(notes: Mapping[str, object], key: str) -> str:
    value = notes.get(key, "")
    return value if isinstance(value, str) else ""


def assume_games(event: Event, games: int) -> Event:
    """Every rating without a game count gets this one, by the person's choice. Nothing else is made up."""

    def filled(player: Player) -> Player:
        ratings = {k: r if r.games is not None else replace(r, games=games) for k, r in player.ratings.items()}
        return replace(player, ratings=ratings)

    sections = tuple(replace(s, players=tuple(filled(player) for player in s.players)) for s in event.sections)
    return replace(event, sections=sections)


def system_key(text: str) -> str:
    """The name of a system's ratings, in any case. Raises UnknownSystem: ratings under no name would be lost."""
    key = text.strip().upper()
    if key not in SYSTEM_KEYS:
        raise UnknownSystem(f"no ratings are called '{text}': there are {', '.join(SYSTEM_KEYS)}")
    return key


def of_system(section: Section, key: str) -> Section:
    """The players' only rating taken for one of that system: the person knows what the file does not say."""
    key = system_key(key)
    players = [
        replace(player, ratings={key: next(iter(player.ratings.values()))}, fide=None)
        if len(player.ratings) == 1 and key not in player.ratings
        else player
        for player in section.players
    ]
    return replace(section, players=tuple(players))
