"""What may be wrong with a game, and how it is put right."""

from __future__ import annotations

from crosstable.formats.crosstable import scores
from crosstable.model import Game
from crosstable.office.reports.suggested_fixes.base import KEEP, Case, Input, Offer, offers

#: Findings of a line in a list of games; where they name two players, White is the first
_OF_A_LIST = frozenset({"unreadable-cell", "no-result", "invalid-line"})


@offers(
    "result-clash",
    "not-mirrored",
    "asymmetric-result",
    "unreadable-cell",
    "no-result",
    "unknown-result",
    "invalid-line",
)
def results(case: Case) -> list[Offer]:
    """Whoever won, a draw, or no game; which of them fits both totals comes first."""
    pair = _pair(case)
    if pair is None:
        return _unpaired(case)
    one, other = pair
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    listed = len(case.finding.place.players) == 2 and case.finding.code in _OF_A_LIST
    if listed:  # a list of games names White first
        values["white"] = str(one)
    white, black = (" (White)", " (Black)") if listed and case.section and case.section.colors else ("", "")
    labels = {
        "won": f"{case.short(one)} won{white}",
        "drew": "It was a draw",
        "lost": f"{case.short(other)} won{black}",
    }
    fits = "" if _met_others(case, one, other) else _fitting(case, one, other)
    found = [
        Offer(
            label, "result", {**values, "score": score}, main=score == fits, hint=_why(score) if score == fits else ""
        )
        for score, label in labels.items()
    ]
    found.sort(key=lambda offer: not offer.main)
    if _game(case, one, other) is not None:
        found.append(Offer("Not played", "no-game", values))
    elif listed or case.finding.code == "no-result":
        found.append(Offer("Not played" if case.finding.code == "no-result" else "Leave it out", "leave-out"))
    return found


def _why(score: str) -> str:
    return "Both totals fit a draw." if score == "drew" else "Both totals fit this."


def _unpaired(case: Case) -> list[Offer]:
    """A cell that names nobody: whom the player met, or a bye."""
    if case.player is None or case.place.round is None:
        # of a clash one side's word has been read: to leave the finding out would rate that game
        read = case.finding.code in ("unknown-result", "result-clash", "not-mirrored")
        return [] if read else [Offer("Leave it out", "leave-out")]
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    against = {**values, "one": str(case.player.number)}
    who = (Input("other", "Opponent’s number", "number"),)
    return [
        *(
            Offer(label, "result", {**against, "score": score}, who)
            for score, label in (("won", "Won"), ("drew", "Drew"), ("lost", "Lost"))
        ),
        Offer("Did not play", "bye", {**values, "player": str(case.player.number), "kind": ""}),
        Offer("Half-point bye", "bye", {**values, "player": str(case.player.number), "kind": "half"}),
    ]


def _pair(case: Case) -> tuple[int, int] | None:
    """The two players of a game; of one who names nobody, the opponent who names that one in this round."""
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
    """The only result with which both totals of the file come out; nothing if there is none, or several."""
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


@offers("color-clash")
def colours(case: Case) -> list[Offer]:
    if _pair(case) is None:
        return [Offer("Leave the colours out", "leave-out")]
    one, other = case.place.players
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    return [
        Offer(f"{case.short(first)} had White", "white", {**values, "one": str(first), "other": str(second)})
        for first, second in ((one, other), (other, one))
    ]


@offers("self-pairing", "unknown-player")
def opponents(case: Case) -> list[Offer]:
    """Whom the player met instead."""
    if len(case.place.players) != 2 or case.section is None:
        return []
    numbers = {player.number for player in case.section.players}
    one, other = sorted(case.place.players, key=lambda number: number not in numbers)
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    right = Offer("Use this opponent", "opponent", values, (Input("new", "Opponent’s number", "number"),), main=True)
    remove = Offer("Remove the game", "no-game", values)
    return [right, remove] if one in numbers else [remove]


@offers("two-games-in-round", "round-out-of-range", "impossible-round")
def rounds(case: Case) -> list[Offer]:
    """Which of the games belongs into another round, or was never played."""
    section = case.section
    if section is None:
        return []
    found: list[Offer] = []
    for game in section.games:
        pair = {game.white, game.black}
        here = game.round == case.place.round or (case.place.round is None and game.round < 1)
        if not here or not set(case.place.players) <= pair:
            continue
        one, other = str(game.white), str(game.black)
        values = {"section": str(section.number), "round": str(game.round), "one": one, "other": other}
        who = f"{case.short(game.white)} – {case.short(game.black)}"
        found.append(Offer(f"Move {who}", "round", values, (Input("to", "To round", "number"),)))
        found.append(Offer(f"Remove {who}", "no-game", values))
    return [*found, Offer(KEEP, "keep")]


@offers("uneven-rounds")
def uneven(case: Case) -> list[Offer]:
    if case.player is None or case.place.round is None:
        return [Offer("It is right", "leave-out")]
    values = {"section": str(case.place.section), "round": str(case.place.round)}
    if case.finding.facts.get("has_cell") and (pair := _pair(case)):
        remove = Offer("Remove the game", "no-game", {**values, "one": str(pair[0]), "other": str(pair[1])})
        return [Offer("It was played", "leave-out"), remove]
    player = {**values, "player": str(case.player.number)}
    byes = (("Did not play", ""), ("Half-point bye", "half"), ("Full-point bye", "full"))
    return [Offer(label, "bye", {**player, "kind": kind}) for label, kind in byes]


@offers("improbable-result")
def improbable(case: Case) -> list[Offer]:
    pair = _pair(case)
    game = _game(case, *pair) if pair else None
    if pair is None or game is None:
        return [Offer(KEEP, "keep", main=True)]
    one, other = pair
    score = "lost" if _points(game, one) == (2, 0) else "won"
    values = {"section": str(case.place.section), "round": str(case.place.round), "one": str(one), "other": str(other)}
    turned = Offer("The other way round", "result", {**values, "score": score})
    return [Offer(KEEP, "keep"), turned, Offer("It was a draw", "result", {**values, "score": "drew"})]


@offers("total-differs")
def totals(case: Case) -> list[Offer]:
    return [Offer("The rounds are right", "total", case.here)]
