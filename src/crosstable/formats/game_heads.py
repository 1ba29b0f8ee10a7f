"""The head of a list of games: which column holds what of White and of Black.

Whatever a table of players calls ratings and ids is known here too, with the side before or behind it:
`White Rating`, `W rtg`, `Rating W`, `R(W)`, `WhiteElo`, `W ID`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crosstable.formats import limits, table_heads
from crosstable.systems.us_chess.pools import BY_KEY

_TITLES: Mapping[str, tuple[str, ...]] = {
    "result": ("result", "score", "results", "outcome", "res"),
    "winner": ("winner", "won by", "winning player", "who won"),
    "loser": ("loser", "losing player"),
    "drawn": ("draw", "drawn", "tie"),
    "round": (
        "round",
        "rd",
        "rnd",
        "rd.",
        "rnd.",
        "round #",
        "round no",
        "round number",
        "rd #",
        "rnd #",
        "week",
        "wk",
    ),
    "date": ("date", "played", "day", "timestamp"),
}
_PLAYERS: Mapping[str, tuple[str, ...]] = {
    "white": ("white", "white player", "white name", "player white"),
    "black": ("black", "black player", "black name", "player black"),
    "white_id": ("white #",),  # `B #` is a board's
    "black_id": ("black #",),
}
#: Two players of whom no one says who had White.
_UNCOLORED_PLAYERS: Mapping[str, tuple[str, ...]] = {
    "white": ("player 1", "player1", "player a", "p1", "home"),
    "black": ("player 2", "player2", "player b", "p2", "away", "opponent"),
}
#: A list of one player's games, or of all players' games: the result is the player's.
_PLAYER_AND_OPPONENT: Mapping[str, tuple[str, ...]] = {
    "white": ("player", "name", "player name"),
    "black": ("opponent", "opp", "opponent name", "vs", "against"),
}
#: The words for a side beside what is said of it: `W rtg`, `Rating 1`, `Loser ID`.
_SIDES: Mapping[str, tuple[str, ...]] = {"white": ("white", "w"), "black": ("black", "b")}
_UNCOLORED_SIDES: Mapping[str, tuple[str, ...]] = {
    "white": (*_UNCOLORED_PLAYERS["white"], "1"),
    "black": (*_UNCOLORED_PLAYERS["black"], "2"),
}
_OWN_SIDES: Mapping[str, tuple[str, ...]] = {"white": ("player", "own", "my"), "black": ("opponent", "opp")}
_WON_AND_LOST: Mapping[str, tuple[str, ...]] = {"white": _TITLES["winner"], "black": _TITLES["loser"]}
_IDS = (*table_heads.IDS, *table_heads.ID_OR_RATING)
_RATINGS = (*table_heads.RATINGS, "r")
_NAMED = ("ELO", "FIDE", *BY_KEY)  # ratings that a title may name
_ROUND = re.compile(r"r\s?\d+")
_POINTS = ("pts", "points", "score", "result", "pt")


def _beside_side(words: Sequence[str]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what stands behind a side's name, and what stands before it."""
    either = "|".join(map(re.escape, words))
    behind = rf"(?:{either})(?:['’]s)?+[\s.:/-]*+(.+)"
    return re.compile(behind), re.compile(rf"(.*?[^\s.:/-])[\s.:/-]*+\(?(?:{either})\)?")


_BESIDE_SIDES = {
    tuple(words): _beside_side(words)
    for sides in (_SIDES, _UNCOLORED_SIDES, _OWN_SIDES, _WON_AND_LOST)
    for words in sides.values()
}


@dataclass(frozen=True, slots=True)
class GamesHead:
    """The places of the columns that are read, by what they hold."""

    places: Mapping[str, int]
    titles: Sequence[str]
    colors: bool = True
    pool: str | None = None  # of the ratings, where their title names it; ELO is of no federation
    from_one_side: bool = False  # Player, Opponent: a game may stand in it twice, once for each


def head_of(row: Sequence[str]) -> GamesHead | None:
    """Return the columns of a list of games, if this row names them: White, Black, Result."""
    titles = [table_heads.plain_title(cell).rstrip("?") for cell in row]
    found = _first(titles, _TITLES)
    for players, sides, colors in (
        (_PLAYERS, _SIDES, True),
        (_UNCOLORED_PLAYERS, _UNCOLORED_SIDES, False),
        (_PLAYER_AND_OPPONENT, _OWN_SIDES, False),
        (_WON_AND_LOST, _WON_AND_LOST, False),
    ):
        own, pool = _of_sides(titles, players, sides)
        if own is not None:
            places = _with_result(titles, found, own, won_and_lost=players is _WON_AND_LOST)
            from_one_side = players is _PLAYER_AND_OPPONENT
            return GamesHead(places, row, colors, pool, from_one_side) if places else None
    return None


def _first(titles: Sequence[str], known: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Each column by the first title that is one of its own."""
    places = {name: next((at for at, title in enumerate(titles) if title in own), None) for name, own in known.items()}
    return {name: place for name, place in places.items() if place is not None}


def _of_sides(
    titles: Sequence[str], players: Mapping[str, Sequence[str]], sides: Mapping[str, Sequence[str]]
) -> tuple[dict[str, int] | None, str | None]:
    """Where names, ids and ratings of the two stand, and the pool of the ratings.

    Nothing if one of the two is missing.
    """
    found = _first(titles, players)
    of_side = [(at, *parts) for at, title in enumerate(titles) if (parts := _parts(title, sides))]
    for at, side, what in of_side:
        if what in _IDS:
            found.setdefault(f"{side}_id", at)
    if not all(side in found or f"{side}_id" in found for side in sides):
        return None, None
    for what in ("rating", *_NAMED):  # `White Rating` before `White Elo`, where a list has both
        known = _RATINGS if what == "rating" else [title for title in titles if table_heads.pool_of(title) == what]
        rated = {f"{side}_rating": at for at, side, own in reversed(of_side) if _kind(own) == what}
        if rated := rated or _beside(titles, found, known, "rating"):
            return _beside(titles, found, _IDS, "id") | found | rated, None if what == "rating" else what
    return _beside(titles, found, _IDS, "id") | found, None


def _kind(what: str) -> str | None:
    """Return a title without its side: a rating, of which pool it names, or an id."""
    if what in _IDS:
        return "id"
    pool = table_heads.pool_of(what)
    return "rating" if what in _RATINGS else pool if pool in _NAMED else None


def _parts(title: str, sides: Mapping[str, Sequence[str]]) -> tuple[str, str] | None:
    """`w rtg`, `rtg (w)` and `wrtg` as the side and `rtg`; what is no rating and no id is none of these."""
    if len(title) > limits.CELL_CHARACTERS or _ROUND.fullmatch(title):
        return None
    for side, words in sides.items():
        for pattern in _BESIDE_SIDES[tuple(words)]:
            match = pattern.fullmatch(title)
            if match and _kind(match[1]):
                return side, match[1]
    return None


def _beside(titles: Sequence[str], found: Mapping[str, int], known: Sequence[str], what: str) -> dict[str, int]:
    """`White,Rtg,Black,Rtg`: each player's rating, id or points stand behind the player."""
    places = [at for at, title in enumerate(titles) if title in known]
    sides = [found.get(side, found.get(f"{side}_id", 0)) for side in ("white", "black")]
    if len(places) == 2 and sides[0] < places[0] < sides[1] < places[1]:
        return {f"white_{what}": places[0], f"black_{what}": places[1]}
    return {}


def _with_result(
    titles: Sequence[str], found: Mapping[str, int], own: Mapping[str, int], *, won_and_lost: bool
) -> dict[str, int] | None:
    """With the columns that say how the game ended. Nothing if there is none."""
    if won_and_lost:
        return {name: place for name, place in found.items() if name != "winner"} | dict(own)
    if points := _beside(titles, own, _POINTS, "points"):
        return {name: place for name, place in found.items() if name != "result"} | dict(own) | points
    if found.keys() & {"result", "winner"}:
        return {**found, **own}
    white, black = own.get("white", -1), own.get("black", -1)
    if white + 2 == black and not titles[white + 1] and not "".join(titles[black + 1 : black + 2]):
        return {**found, **own, "white_points": white + 1, "black_points": black + 1}  # `White,,Black,`
    return None


def settled(head: GamesHead, rows: Sequence[Sequence[str]]) -> GamesHead:
    """With what the cells say: `White USCF` beside names is a rating unless there are ids below it."""
    places = dict(head.places)
    for side in ("white", "black"):
        at = places.get(f"{side}_id")
        if at is None or side not in places or f"{side}_rating" in places or table_heads.are_ids(rows, at):
            continue
        title = table_heads.plain_title(head.titles[at])
        _, what = _parts(title, _SIDES) or _parts(title, _UNCOLORED_SIDES) or (side, title)
        if what in table_heads.ID_OR_RATING:
            places[f"{side}_rating"] = places.pop(f"{side}_id")
    return replace(head, places=places)
