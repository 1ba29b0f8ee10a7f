"""Fixes of games: the result, the colours, the opponent, the round; a game that was not played; a bye."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from crosstable.fixes.base import (
    Fixed,
    FixRefused,
    Values,
    called,
    fix,
    game_of,
    games_between,
    player_of,
    section_of,
    turned,
    whole,
    with_game,
    with_opponent,
    with_section,
)
from crosstable.formats.crosstable import BYE_LETTERS, player_byes
from crosstable.model import Event, Game, Player, Section

#: What one side of a game scored → the result with that side as White
SCORES = {"won": "1-0", "drew": "1/2-1/2", "lost": "0-1", "won by forfeit": "+/-", "lost by forfeit": "-/+"}
_WORDS = {result: words for words, result in SCORES.items()} | {"-/-": "forfeited by both"}


def _place(section: Section, round_: int, one: str, other: str) -> str:
    return f"section {section.number}, round {round_}, {one} against {other}"


def _pair(section: Section, values: Values) -> tuple[Player, Player]:
    one, other = (player_of(section, whole(values, name)) for name in ("one", "other"))
    if one.number == other.number:
        raise FixRefused(f"{called(one)} cannot have played against {called(one)}")
    return one, other


def _known(section: Section, values: Values) -> Game:
    found = game_of(section, values)
    if found is None:
        raise FixRefused(f"there is no such game in round {values.get('round')} any more")
    return found


def _scored(game: Game, number: int) -> str:
    """Return what a player scored in a game, in words; the text itself where it is not a result."""
    return _WORDS.get(game.result if game.white == number else turned(game).result, game.result)


@fix("result")
def result(event: Event, values: Values) -> Fixed:
    """Set what `one` scored against `other` in a round: won, drew, lost.

    A game that was missing is added (`white`: who had it).
    """
    section = section_of(event, values)
    one, other = _pair(section, values)
    score, round_ = values.get("score", ""), whole(values, "round")
    if score not in SCORES:
        raise FixRefused("choose what the result was: won, drew or lost")
    old = game_of(section, values)
    unknown = section.colors and values.get("white") != str(one.number)
    new = Game(round_, one.number, other.number, SCORES[score], notes={"color": "unknown"} if unknown else {})
    if old is not None:
        new = replace(old, result=new.result if old.white == one.number else turned(new).result)
    changed = _without_unknown(with_game(event, section, old, new), section.number, round_, (one, other))
    for player in (one, other):
        changed = _without_bye(changed, section.number, player.number, round_)
    before = f"{called(one)} {_scored(old, one.number)}" if old else "no game"
    if old == new:  # the file says it in two ways, and this is the one that was read
        before = "in doubt"
    return Fixed(changed, _place(section, round_, called(one), called(other)), before, f"{called(one)} {score}")


def _without_unknown(event: Event, number: int, round_: int, pair: tuple[Player, Player]) -> Event:
    """Leave out what a row of the two says of this round about an opponent whom the section does not have."""
    (section,) = (one for one in event.sections if one.number == number)
    players, here = {one.number for one in section.players}, {one.number for one in pair}

    def stays(game: Game) -> bool:
        sides = {game.white, game.black}
        return game.round != round_ or sides <= players or not sides & here

    return with_section(event, replace(section, games=tuple(game for game in section.games if stays(game))))


def _without_bye(event: Event, section: int, number: int, round_: int) -> Event:
    """Who played in a round had no bye in it."""
    return _with_bye(event, section, number, round_, "")


def _with_bye(event: Event, section: int, number: int, round_: int, kind: str) -> Event:
    (found,) = (one for one in event.sections if one.number == section)
    return with_section(event, with_bye(found, number, round_, kind))


def with_bye(section: Section, number: int, round_: int, kind: str) -> Section:
    """Return the section with this bye of a player in a round; without one where `kind` is empty."""
    players = []
    for player in section.players:
        noted = player.notes.get("byes")
        byes = {str(key): value for key, value in noted.items()} if isinstance(noted, Mapping) else {}
        if player.number == number and (kind or str(round_) in byes):
            byes.pop(str(round_), None)
            byes |= {str(round_): kind} if kind else {}
            player = replace(player, notes={**player.notes, "byes": byes})  # noqa: PLW2901 - the changed one goes on
        players.append(player)
    return replace(section, players=tuple(players))


@fix("white")
def white(event: Event, values: Values) -> Fixed:
    """`one` had White."""
    section = section_of(event, values)
    one, other = _pair(section, values)
    old = _known(section, values)
    new = old if old.white == one.number else turned(old)
    new = replace(new, notes={key: value for key, value in new.notes.items() if key != "color"})
    changed = with_game(event, section, old, new)
    place = _place(section, old.round, called(one), called(other))
    return Fixed(changed, place, "colours not clear", f"{called(one)} had White")


@fix("no-game")
def no_game(event: Event, values: Values) -> Fixed:
    """Remove a game that was not played or was entered by mistake."""
    section = section_of(event, values)
    old = _known(section, values)
    names = {player.number: called(player) for player in section.players}
    one, other = (names.get(number, f"number {number}") for number in (old.white, old.black))
    before = f"{one} {_scored(old, old.white)}"
    return Fixed(with_game(event, section, old, None), _place(section, old.round, one, other), before, "no game")


@fix("opponent")
def opponent(event: Event, values: Values) -> Fixed:
    """`one` did not play `other` (whom there is not, or who is the same person) but `new`."""
    section = section_of(event, values)
    one, right = player_of(section, whole(values, "one")), player_of(section, whole(values, "new"))
    if one.number == right.number:
        raise FixRefused(f"{called(one)} cannot have played against {called(one)}")
    old = _known(section, values)
    wrong = old.black if old.white == one.number else old.white
    new: Game | None = with_opponent(old, wrong, right.number)
    mirror = next(iter(games_between(section, old.round, one.number, right.number)), None)
    if mirror is not None:  # the opponent's row has the game already: the two are one
        if _scored(mirror, one.number) != _scored(old, one.number):
            said = f"{called(one)} {_scored(old, one.number)}, {called(right)} {_scored(mirror, right.number)}"
            raise FixRefused(f"the two rows do not agree about this game ({said}): choose who won it")
        new = None
    place = f"section {section.number}, round {old.round}, {called(one)}"
    return Fixed(with_game(event, section, old, new), place, f"against {values['other']}", f"against {called(right)}")


@fix("round")
def round_(event: Event, values: Values) -> Fixed:
    """Move a game to another round."""
    section = section_of(event, values)
    one, other = _pair(section, values)
    old, wanted = _known(section, values), whole(values, "to")
    if not 1 <= wanted <= 200:
        raise FixRefused(f"there is no round {wanted}")
    changed = with_game(event, section, old, replace(old, round=wanted))
    place = f"section {section.number}, {called(one)} against {called(other)}"
    return Fixed(changed, place, f"round {old.round}", f"round {wanted}")


@fix("bye")
def bye(event: Event, values: Values) -> Fixed:
    """Set a bye with a full or half point, or with none."""
    section = section_of(event, values)
    player, turn, kind = player_of(section, whole(values, "player")), whole(values, "round"), values.get("kind", "")
    if kind and kind not in BYE_LETTERS:
        raise FixRefused(f"{kind[:20]!r} is not a bye: full, half, or none")
    if not 1 <= turn <= 200:
        raise FixRefused(f"there is no round {turn}")
    before = player_byes(player.notes).get(str(turn))
    changed = _with_bye(event, section.number, player.number, turn, kind)
    place = f"section {section.number}, round {turn}, {called(player)}"
    return Fixed(changed, place, f"{before} bye" if before else "nothing", f"{kind} bye" if kind else "did not play")
