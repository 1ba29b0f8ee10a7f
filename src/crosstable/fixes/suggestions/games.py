"""Fixes for findings about games."""

from __future__ import annotations

from crosstable.fixes.suggestions.base import KEEP, Case, suggest
from crosstable.formats.crosstable import scores
from crosstable.model import Fix, Game, Input

#: Findings of a line in a list of games; where they name two players, White is the first
_OF_A_LIST = frozenset({"unreadable-cell", "no-result", "invalid-line"})


@suggest(
    "result-clash",
    "not-mirrored",
    "asymmetric-result",
    "unreadable-cell",
    "no-result",
    "unknown-result",
    "invalid-line",
)
def results(case: Case) -> list[Fix]:
    """Return a win, a draw, a loss, or no game; the one that fits both totals comes first."""
    pair = _pair(case)
    if pair is None:
        return _unpaired(case)
    one, other = pair
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    listed = len(case.finding.place.players) == 2 and case.finding.code in _OF_A_LIST
    if listed:  # a list of games names White first
        values["white"] = str(one)
    fits = "" if _met_others(case, one, other) else _fitting(case, one, other)
    found = [
        Fix("result", {**values, "score": score}, suggested=True, about={"reason": "totals"})
        if score == fits
        else Fix("result", {**values, "score": score})
        for score in ("won", "drew", "lost")
    ]
    found.sort(key=lambda fix: not fix.suggested)
    if _game(case, one, other) is not None:
        found.append(Fix("no-game", values))
    elif listed or case.finding.code == "no-result":
        found.append(Fix("leave-out"))
    return found


def _unpaired(case: Case) -> list[Fix]:
    """Return the fixes for a cell that names no one: whom the player met, or a bye."""
    if case.player is None or case.place.round is None:
        # of a clash one side's word has been read: to leave the finding out would rate that game
        read = case.finding.code in ("unknown-result", "result-clash", "not-mirrored")
        return [] if read else [Fix("leave-out")]
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    against = {**values, "one": str(case.player.number)}
    who = (Input("other", "number"),)
    byes = ({**values, "player": str(case.player.number), "kind": kind} for kind in ("", "half"))
    return [
        *(Fix("result", {**against, "score": score}, who) for score in ("won", "drew", "lost")),
        *(Fix("bye", bye) for bye in byes),
    ]


def _pair(case: Case) -> tuple[int, int] | None:
    """Return the two players of a game; where one names no opponent, the player who names that one in this round."""
    section, round_ = case.section, case.place.round
    if section is None or round_ is None or not case.place.players:
        return None
    numbers = {player.number for player in section.players}
    if len(case.place.players) == 2:
        one, other = case.place.players
        return (one, other) if {one, other} <= numbers and one != other else None
    one = case.place.players[0]
    for game in section.games:
        if game.round == round_ and one in (game.white, game.black):
            return one, game.black if game.white == one else game.white
    asks = case.finding.code in ("no-result", "asymmetric-result")
    named = case.finding.facts.get("opponent") if asks else None
    other = named if isinstance(named, int) else 0
    return (one, other) if other in numbers and other != one else None


def _game(case: Case, one: int, other: int) -> Game | None:
    section = case.section
    found = [] if section is None else section.games
    return next((g for g in found if g.round == case.place.round and {g.white, g.black} == {one, other}), None)


def _met_others(case: Case, one: int, other: int) -> bool:
    """Whether either has another game in this round: to suggest a result would contradict that one."""
    games = case.section.games if case.section else ()
    pair = {one, other}
    return any(g.round == case.place.round and len({g.white, g.black} & pair) == 1 for g in games)


def _fitting(case: Case, one: int, other: int) -> str:
    """Return the only result with which both totals of the file come out; nothing if there is none, or several."""
    section, game = case.section, _game(case, one, other)
    if section is None:
        return ""
    points = scores(section)
    noted = {player.number: player.notes.get("total") for player in section.players}
    totals = [total for number in (one, other) if isinstance(total := noted.get(number), int | float)]
    if len(totals) < 2:
        return ""
    gained = _points(game, one) if game else (0, 0)
    wanted = tuple(
        2 * total - points[number] + own for total, number, own in zip(totals, (one, other), gained, strict=True)
    )
    return next((words for words, won in (("won", (2, 0)), ("drew", (1, 1)), ("lost", (0, 2))) if won == wanted), "")


def _points(game: Game, one: int) -> tuple[int, int]:
    white = {"1-0": (2, 0), "0-1": (0, 2), "1/2-1/2": (1, 1), "+/-": (2, 0), "-/+": (0, 2)}.get(game.result, (0, 0))
    return white if game.white == one else (white[1], white[0])


@suggest("color-clash")
def colours(case: Case) -> list[Fix]:
    if _pair(case) is None:
        return [Fix("leave-out")]
    one, other = case.place.players
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    sides = ((one, other), (other, one))
    return [Fix("white", {**values, "one": str(first), "other": str(second)}) for first, second in sides]


@suggest("self-pairing", "unknown-player")
def opponents(case: Case) -> list[Fix]:
    """Return whom the player met instead."""
    if len(case.place.players) != 2 or case.section is None:
        return []
    numbers = {player.number for player in case.section.players}
    one, other = sorted(case.place.players, key=lambda number: number not in numbers)
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    remove = Fix("no-game", values)
    if one not in numbers:
        return [remove]
    return [*_mirrors(case, one, other, values), Fix("opponent", values, (Input("new", "number"),)), remove]


def _mirrors(case: Case, one: int, wrong: int, values: dict[str, str]) -> list[Fix]:
    """Return the opponent whose own row names this player in the round, where the two rows agree about the result."""
    section, game = case.section, _game(case, one, wrong)
    if section is None or game is None or one == wrong:
        return []
    numbers = {player.number for player in section.players}
    found = [
        mirror.black if mirror.white == one else mirror.white
        for mirror in section.games
        if mirror.round == game.round and mirror is not game and one in (mirror.white, mirror.black)
        if _points(mirror, one) == _points(game, one)
    ]
    right = [number for number in found if number in numbers]
    if len(right) != 1:
        return []
    return [Fix("opponent", {**values, "new": str(right[0])}, suggested=True, about={"reason": "mirror"})]


@suggest("two-games-in-round", "round-out-of-range", "impossible-round")
def rounds(case: Case) -> list[Fix]:
    """Return which of the games belongs in another round, or was never played."""
    section = case.section
    if section is None:
        return []
    found: list[Fix] = []
    for game in section.games:
        here = game.round == case.place.round or (case.place.round is None and game.round < 1)
        if not here or not set(case.place.players) <= {game.white, game.black}:
            continue
        one, other = str(game.white), str(game.black)
        values = {"section": str(section.number), "round": str(game.round), "one": one, "other": other}
        found += [Fix("round", values, (Input("to", "number"),)), Fix("no-game", values)]
    return [*found, KEEP]


@suggest("uneven-rounds")
def uneven(case: Case) -> list[Fix]:
    if case.player is None or case.place.round is None:
        return [Fix("leave-out")]
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    if case.finding.facts.get("has_cell") and (pair := _pair(case)):
        return [Fix("leave-out"), Fix("no-game", {**values, "one": str(pair[0]), "other": str(pair[1])})]
    player = {**values, "player": str(case.player.number)}
    return [Fix("bye", {**player, "kind": kind}) for kind in ("", "half", "full")]


@suggest("improbable-result")
def improbable(case: Case) -> list[Fix]:
    pair = _pair(case)
    game = _game(case, *pair) if pair else None
    if pair is None or game is None:
        return [KEEP]
    one, other = pair
    score = "lost" if _points(game, one) == (2, 0) else "won"
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    return [KEEP, Fix("result", {**values, "score": score}), Fix("result", {**values, "score": "drew"})]


@suggest("total-differs")
def totals(case: Case) -> list[Fix]:
    return [Fix("total", case.here)]
