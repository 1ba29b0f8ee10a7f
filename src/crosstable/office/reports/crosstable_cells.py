"""The cells of a crosstable, of a report as of a rated event: one record for the page, the review and the preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crosstable.formats.crosstable import WITHOUT_A_GAME, bye_letters, game_points, scores
from crosstable.model import Game
from crosstable.model import Section as Document
from crosstable.office.players.person import Person
from crosstable.words.language import _
from crosstable.words.system_steps import go_conditions

LETTERS = {2: "W", 1: "D", 0: "L"}
FORFEITS = {2: "X", 1: "Z", 0: "F"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one player. Without an opponent it was not played."""

    round: int
    letter: str = ""
    opponent: int | None = None
    side: str = ""
    words: str = ""
    handicap: int = 0  # go: stones that White gave
    komi: float = 0.0

    @property
    def color(self) -> str | None:
        """The side in a word, for files and programs."""
        return {"□": "white", "■": "black"}.get(self.side)


def by_number(document: Document, rounds: int) -> dict[int, tuple[tuple[Cell, ...], float]]:
    """Pairing number → cells by round, and score, of a section that need not be rated."""
    found, points = cells_of(document, {}), scores(document)
    return {
        player.number: (by_round(found[player.number], rounds), points[player.number] / 2)
        for player in document.players
    }


def by_round(cells: Sequence[Cell], rounds: int) -> tuple[Cell, ...]:
    """One cell for each round; a game comes before a bye or a forfeit of the same round."""
    found: dict[int, Cell] = {}
    for cell in cells:
        if cell.round not in found or cell.opponent:
            found[cell.round] = cell
    return tuple(found.get(turn, Cell(turn)) for turn in range(1, rounds + 1))


def cells_of(document: Document, names: Mapping[int, Person]) -> dict[int, list[Cell]]:
    """Pairing number → byes and games."""
    found = {
        player.number: [_unplayed(turn, letter) for turn, letter in bye_letters(player).items()]
        for player in document.players
    }
    for game in document.games:
        known = document.colors and game.notes.get("color") != "unknown"
        for number, other, side in ((game.white, game.black, "□"), (game.black, game.white, "■")):
            found.setdefault(number, []).append(_cell(game, number, other, side if known else "", names))
    return found


def _unplayed(turn: int, letter: str) -> Cell:
    return Cell(turn, letter, words=_("{result}, not rated").format(result=_(WITHOUT_A_GAME[letter])))


def _cell(game: Game, number: int, other: int, side: str, names: Mapping[int, Person]) -> Cell:
    half_points = game_points(game, number)
    if not game.played:
        return _unplayed(game.round, FORFEITS[half_points])
    letter = LETTERS[half_points]
    name = names[other].name if other in names else _("number {number}").format(number=other)
    words = _sentence(letter, side).format(name=name, round=game.round)
    given = go_conditions(game.handicap, game.komi)
    return Cell(
        round=game.round,
        letter=letter,
        opponent=other,
        side=side,
        words=f"{letter}{other}: {words}{given}",
        handicap=game.handicap,
        komi=game.komi,
    )


def _sentence(letter: str, side: str) -> str:
    match letter, side:
        case "W", "□":
            return _("beat {name} with white in round {round}")
        case "W", "■":
            return _("beat {name} with black in round {round}")
        case "W", _:
            return _("beat {name} in round {round}")
        case "D", "□":
            return _("drew with {name} with white in round {round}")
        case "D", "■":
            return _("drew with {name} with black in round {round}")
        case "D", _:
            return _("drew with {name} in round {round}")
        case _, "□":
            return _("lost to {name} with white in round {round}")
        case _, "■":
            return _("lost to {name} with black in round {round}")
    return _("lost to {name} in round {round}")
