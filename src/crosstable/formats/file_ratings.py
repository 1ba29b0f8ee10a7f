"""Ratings as files hold them: which pool a lone rating column means, and how a number in it is spelt."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from crosstable.errors import UnknownSystem, UnknownTimeControl
from crosstable.federations.current import current
from crosstable.model import Event, Player, Rating, Section
from crosstable.systems import all_pools
from crosstable.systems.records import RECORDS
from crosstable.systems.us_chess.classification import paired_by
from crosstable.systems.us_chess.coefficients import provisional_games
from crosstable.systems.us_chess.pools import ONLINE, POOLS, key_of
from crosstable.systems.us_chess.time_controls import parse

#: The letters of published pages and reports.
LETTERS: Mapping[str, str] = {pool.letter: pool.key for pool in POOLS}
KEY_LETTERS: Mapping[str, str] = {key: letter for letter, key in LETTERS.items()}


def main_pool(time_control: str | None, mode: str = "otb") -> str:
    """Return the pool that a director pairs by: of two the regular one, and regular where nothing is known."""
    return paired_by(time_control, mode)


#: The note of a section whose ratings stand under no pool's name: the pool for which they were taken.
UNNAMED = "ratings_taken_for"


def settled(section: Section) -> Section:
    """Move ratings without a pool's name to the pool of the time control, whether the file or a person gave it."""
    before = section.notes.get(UNNAMED)
    if not isinstance(before, str):
        return section
    now = main_pool(section.time_control, section.mode)
    if before == now:
        return section
    players = tuple(_moved(player, before, now) for player in section.players)
    return replace(section, players=players, notes={**section.notes, UNNAMED: now})


def _moved(player: Player, before: str, now: str) -> Player:
    if before not in player.ratings or now in player.ratings:
        return player
    ratings = {now if key == before else key: rating for key, rating in player.ratings.items()}
    uncounted = player.notes.get("provisional")
    if not isinstance(uncounted, list):
        return replace(player, ratings=ratings)
    marked = [now if key == before else key for key in uncounted]
    return replace(player, ratings=ratings, notes={**player.notes, "provisional": marked})


def readable(time_control: str | None) -> bool:
    try:
        return bool(time_control and parse(time_control))
    except UnknownTimeControl:
        return False


def whole(rating: float) -> int | None:
    """Return a rating as files print it: rounded half up, four digits."""
    if not math.isfinite(rating) or not 1 <= rating < 9999.5:
        return None
    return math.floor(rating + 0.5)


def printed(rating: float, games: int | None = None) -> str:
    """Return a rating as US Chess prints it, `1641`, and `1641P17` while it is provisional;
    of a small scale two decimals.
    """
    text = f"{rating:.2f}" if abs(rating) < 60 else f"{int(rating + 0.5)}"
    marked = games is not None and current().shows.provisional and games <= provisional_games()
    return f"{text}P{games}" if marked else text


def only_rating(ratings: Mapping[str, Rating], key: str) -> dict[str, Rating]:
    """Return the one rating that a file can hold: a whole number without a game count."""
    value = whole(ratings[key].rating) if key in ratings else None
    return {} if value is None else {key: Rating(float(value))}


def shown_rating(text: str) -> Rating | None:
    """`1450`, `1450P12`, `1450/12`, `1450P`: the rating, and the games where the file gives them. Nothing if it is
    none.
    """
    match = re.fullmatch(r"(\d{1,4})(?:\.0)?(?:[P/](\d{0,3}))?", text.strip().upper())
    return Rating(float(match[1]), int(match[2] or 0) or None) if match else None


def assume_games(event: Event, games: int) -> Event:
    """Every rating without a game count gets this one, by the person's choice. Nothing else is made up."""

    def filled(player: Player) -> Player:
        return _with_games(player, [k for k, r in player.ratings.items() if r.games is None], games)

    sections = tuple(replace(s, players=tuple(filled(player) for player in s.players)) for s in event.sections)
    return replace(event, sections=sections)


#: The note of a player some of whose ratings came without a number of games: the pools for which one was assumed.
ASSUMED = "assumed_games"


def _with_games(player: Player, pools: Sequence[str], games: int) -> Player:
    if not pools:
        return player
    ratings = {k: replace(r, games=games) if k in pools else r for k, r in player.ratings.items()}
    marked = sorted({*assumed_pools(player), *pools})
    return replace(player, ratings=ratings, notes={**player.notes, ASSUMED: marked})


def assumed_pools(player: Player) -> tuple[str, ...]:
    """Return the pools in which the number of games behind the player's rating was assumed."""
    noted = player.notes.get(ASSUMED)
    return tuple(one for one in noted if isinstance(one, str)) if isinstance(noted, list | tuple) else ()


def established_games() -> int:
    """Return the least number of games that makes a rating established."""
    return provisional_games() + 1


def take_as_established(event: Event) -> tuple[Event, list[Player]]:
    """Every US Chess rating that stands there without P and without a number of games is established, as US Chess
    prints them. Answers with the players for whom this was needed."""
    games, needed = established_games(), []

    def filled(player: Player) -> Player:
        known = player.notes.get("provisional")
        provisional = known if isinstance(known, list | tuple) else ()
        open_ = [k for k, r in player.ratings.items() if k in KEY_LETTERS and r.games is None and k not in provisional]
        if open_:
            needed.append(player)
        return _with_games(player, open_, games)

    sections = tuple(replace(s, players=tuple(filled(player) for player in s.players)) for s in event.sections)
    return replace(event, sections=sections), needed


def system_key(text: str) -> str:
    """Return the name of a system's ratings, in any case; of ours also regular, quick … Raises UnknownSystem: ratings
    under no name would be lost.
    """
    key = key_of(text) or text.strip().upper()
    if key not in RECORDS and key not in all_pools():
        raise UnknownSystem(f"no ratings are called '{text}': there are {', '.join(all_pools())}")
    return key


def of_system(section: Section, key: str) -> Section:
    """Return the players' only rating taken for one of that system: the person knows what the file does not say."""
    key = main_pool(section.time_control, ONLINE) if key.lower() == ONLINE else system_key(key)
    players = [
        replace(player, ratings={key: next(iter(player.ratings.values()))}, fide=None)
        if len(player.ratings) == 1 and key not in player.ratings
        else player
        for player in section.players
    ]
    return replace(section, players=tuple(players))
