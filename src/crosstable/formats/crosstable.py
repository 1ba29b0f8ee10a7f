"""Rows of round cells, the shape that reports, TRF, spreadsheets and published pages share, to games and back.

Every game stands in two rows, so the two sides can be compared; a bye is not a game and is kept in the player's notes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from crosstable.errors import EventRejected
from crosstable.formats import codes
from crosstable.model import PLAYED_RESULTS, Finding, Game, Place, Player, Section
from crosstable.model.finding import Players


@dataclass(frozen=True, slots=True)
class RoundCell:
    """What one row says of one round."""

    outcome: str  # W D L played, X F Z forfeit (win, loss, draw); without an opponent also B P H, U: nothing
    opponent: int = 0
    color: str = ""  # w, b or unknown
    rated: bool = True  # no: TRF's W, D, L of a game under one move


def number_in(cell: str) -> int | None:
    """Return the first number in a cell that cannot be read: probably the opponent's."""
    found = re.search(r"[0-9]{1,5}", cell)
    return int(found[0]) if found else None


@dataclass(frozen=True, slots=True)
class ReportRow:
    number: int
    cells: Sequence[RoundCell | None]
    where: Place


#: What a cell without an opponent is called in a player's notes.
BYES: Mapping[str, str] = {
    "B": "full",
    "P": "pairing",  # allocated by the pairing: a full point
    "H": "half",
    "X": "forfeit-win",
    "F": "forfeit-loss",
    "Z": "forfeit-draw",
}
BYE_LETTERS: Mapping[str, str] = {name: letter for letter, name in BYES.items()}
#: A letter of a round without a game, in words: it counts in the standings, never in ratings
WITHOUT_A_GAME: Mapping[str, str] = {
    "B": "full-point bye",
    "H": "half-point bye",
    "X": "won by forfeit",
    "Z": "half a point by forfeit",
    "F": "forfeit",
}
#: In half points.
BYE_POINTS: Mapping[str, int] = {
    "full": 2,
    "pairing": 2,
    "half": 1,
    "forfeit-win": 2,
    "forfeit-loss": 0,
    "forfeit-draw": 1,
}

_FITTING = {("W", "L"), ("L", "W"), ("D", "D"), ("X", "F"), ("F", "X"), ("F", "F"), ("Z", "Z")}
_RESULTS = {
    ("W", "L"): "1-0",
    ("L", "W"): "0-1",
    ("D", "D"): "1/2-1/2",
    ("X", "F"): "+/-",
    ("F", "X"): "-/+",
    ("F", "F"): "-/-",
    ("Z", "Z"): "-/-",
}
_MIRROR = {"W": "L", "L": "W", "D": "D", "X": "F", "F": "X", "Z": "Z"}
FLIPPED = {"1-0": "0-1", "0-1": "1-0", "1/2-1/2": "1/2-1/2", "+/-": "-/+", "-/+": "+/-", "-/-": "-/-"}
_OUTCOMES = {result: pair for pair, result in _RESULTS.items() if pair != ("Z", "Z")}


@dataclass(slots=True)
class Paired:
    """The games of a table, the byes of each row, and what did not fit."""

    games: list[Game] = field(default_factory=list)
    byes: dict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    findings: list[Finding] = field(default_factory=list)
    colors: bool = False
    by_column: bool = False


def pair(rows: Sequence[ReportRow], *, round_robin: bool = False) -> Paired:
    """Games from rows. In a round robin the columns may be opponents, not rounds: the reading that fits stands."""
    by_round = _pair(rows, by_column=False)
    if by_round.findings and (round_robin or _columns_are_opponents(rows)):
        by_column = _pair(rows, by_column=True)
        if not by_column.findings:
            return by_column
    return by_round


def _columns_are_opponents(rows: Sequence[ReportRow]) -> bool:
    places = {row.number: place for place, row in enumerate(sorted(rows, key=lambda row: row.number), start=1)}
    met = [(c.opponent, column) for row in rows for column, c in enumerate(row.cells, start=1) if c and c.opponent]
    return bool(met) and all(places.get(opponent) == column for opponent, column in met)


def _pair(rows: Sequence[ReportRow], *, by_column: bool) -> Paired:
    paired = Paired(by_column=by_column)
    table = {row.number: row for row in reversed(rows)}
    waiting: dict[tuple[int, int, int], list[tuple[ReportRow, RoundCell, int]]] = defaultdict(list)
    meetings: dict[tuple[int, int], int] = defaultdict(int)
    for row in rows:
        for round_, cell in enumerate(row.cells, start=1):
            if cell is None:
                continue
            if not cell.opponent:
                if cell.outcome in BYES:  # a round without game or bye leaves no trace
                    paired.byes[row.number][str(round_)] = BYES[cell.outcome]
                continue
            if by_column:  # the nth meeting of the two, whatever the column
                meetings[row.number, cell.opponent] += 1
                key_round = meetings[row.number, cell.opponent]
            else:
                key_round = round_
            low, high = sorted((row.number, cell.opponent))
            waiting[key_round, low, high].append((row, cell, round_))
    for (_, low, high), sides in waiting.items():
        _game(paired, table, low, high, sides)
    paired.colors = not paired.games or any("color" not in game.notes for game in paired.games)
    if not paired.colors:
        paired.games = [replace(game, notes=_without(game.notes, "color")) for game in paired.games]
    paired.games.sort(key=game_order)
    return paired


def game_order(game: Game) -> tuple[int, int, int]:
    return game.round, min(game.white, game.black), max(game.white, game.black)


def _without(notes: Mapping[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in notes.items() if name != key}


def _game(
    paired: Paired, table: Mapping[int, ReportRow], low: int, high: int, sides: list[tuple[ReportRow, RoundCell, int]]
) -> None:
    sides = sorted(sides, key=lambda side: side[0].number)
    first_row, first, round_ = sides[0]
    where = first_row.where.at(round=round_)
    if low == high or len(sides) == 1:
        second = RoundCell(
            _MIRROR[first.outcome], first_row.number, {"w": "b", "b": "w"}.get(first.color, ""), first.rated
        )
        if low != high and first.opponent in table:
            opponent = table[first.opponent]
            met = opponent.cells[round_ - 1] if not paired.by_column and round_ <= len(opponent.cells) else None
            paired.findings.append(_not_mirrored(where, first_row.number, first.opponent, met))
        if first_row.number > first.opponent:
            first, second = second, first
    else:
        second = sides[1][1]
        paired.findings += _clashes(where, (low, high), first, second)
    paired.games.append(_record(round_, low, high, first, second))


def _not_mirrored(where: Place, number: int, opponent: int, met: RoundCell | None) -> Finding:
    """Return the finding about a game of which the opponent's row says something else. `met`: the opponent's cell."""
    says = f"whose cell names {met.opponent or 'no one'}" if met else "who has no cell for it"
    return codes.NOT_MIRRORED.at(
        where.at(players=(number, opponent)),
        f"{{player}} met {opponent}, {says}",
        player=Players((number,)),
        names=(met.opponent or None) if met else None,
    )


def _clashes(where: Place, players: tuple[int, int], first: RoundCell, second: RoundCell) -> list[Finding]:
    where, pair = where.at(players=players), Players(players)
    findings: list[Finding] = []
    if (first.outcome, second.outcome) not in _FITTING:
        message = "{players} report different results of one game: {first} and {second}"
        findings.append(codes.RESULT_CLASH.at(where, message, players=pair, first=first.outcome, second=second.outcome))
    if first.color and first.color == second.color:
        color = "white" if first.color == "w" else "black"
        findings.append(codes.COLOR_CLASH.at(where, "{players} both had {color}", players=pair, color=color))
    return findings


def _record(round_: int, low: int, high: int, first: RoundCell, second: RoundCell) -> Game:
    """White stands first where a colour is known, else the lower number."""
    notes: dict[str, object] = {}
    if not first.rated or not second.rated:
        notes["under_one_move"] = True
    color = first.color or {"w": "b", "b": "w"}.get(second.color, "")
    if not color:
        notes["color"] = "unknown"
    outcomes = (first.outcome, second.outcome)
    if outcomes not in _FITTING:
        outcomes = (first.outcome, _MIRROR[first.outcome])
    if outcomes == ("Z", "Z"):
        notes["drawn"] = True
    result = _RESULTS[outcomes] if color != "b" else _RESULTS[outcomes[::-1]]
    white, black = (low, high) if color != "b" else (high, low)
    return Game(round_, white, black, result, notes=notes)


def uneven(rows: Sequence[ReportRow]) -> list[Finding]:
    """Rows with more or fewer cells than most. A bye announced for a round not yet played is no surprise."""
    findings: list[Finding] = []
    for round_ in range(1, max((len(row.cells) for row in rows), default=0) + 1):
        column = [(row, row.cells[round_ - 1] if len(row.cells) >= round_ else None) for row in rows]
        most_have_one = 2 * sum(cell is not None for _, cell in column) >= len(rows)
        for row, cell in column:
            if most_have_one and cell is None:
                where = row.where.at(round=round_)
                findings.append(codes.UNEVEN_ROUNDS.at(where, "no cell, but the others have one", has_cell=False))
            elif not most_have_one and cell is not None and cell.opponent:
                where = row.where.at(round=round_)
                findings.append(codes.UNEVEN_ROUNDS.at(where, "a cell, but most have none", has_cell=True))
    return findings


def people(sections: Iterable[Section]) -> int:
    """How many persons play: who enters again, or plays in two sections, is one of them."""
    return len({player.id or (section.number, player.number) for section in sections for player in section.players})


def rounds(section: Section) -> int:
    """How many columns the section's table has."""
    noted = section.notes.get("rounds")
    byes = [int(r) for player in section.players for r in player_byes(player.notes)]
    played = [game.round for game in section.games]
    return max([*played, *byes, noted if isinstance(noted, int) and noted > 0 else 0], default=0)


def player_byes(notes: Mapping[str, object]) -> dict[str, str]:
    """Return a player's byes from the notes, whichever program wrote them; what is not a bye is left out."""
    byes = notes.get("byes")
    if not isinstance(byes, Mapping):
        return {}
    good = {
        str(r): str(name) for r, name in byes.items() if str(r).isdecimal() and len(str(r)) < 4 and name in BYE_LETTERS
    }
    return {r: name for r, name in good.items() if int(r) > 0}


def page_byes(player: Player) -> dict[str, str]:
    """Round → bye as a page of results knows it, by round: a bye that the pairing gave is a full-point bye there."""
    byes = {turn: "full" if name == "pairing" else name for turn, name in player_byes(player.notes).items()}
    return dict(sorted(byes.items(), key=lambda bye: int(bye[0])))


def bye_letters(player: Player) -> dict[int, str]:
    """Round → B, H, X, Z or F, as a crosstable shows it."""
    return {int(turn): BYE_LETTERS[name] for turn, name in page_byes(player).items()}


def cells(section: Section) -> dict[int, list[RoundCell | None]]:
    """Every player's row of cells. The section must be `fitted`: at most one game per player and round."""
    width = rounds(section)
    table: dict[int, list[RoundCell | None]] = {player.number: [None] * width for player in section.players}
    for player in section.players:
        for round_, name in player_byes(player.notes).items():
            table[player.number][int(round_) - 1] = RoundCell(BYE_LETTERS[name])
    for game in section.games:
        white, black = _OUTCOMES[game.result]
        if game.result == "-/-" and game.notes.get("drawn"):
            white, black = "Z", "Z"
        known = section.colors and game.notes.get("color") != "unknown"
        rated = not game.notes.get("under_one_move")
        if game.white in table:
            table[game.white][game.round - 1] = RoundCell(white, game.black, "w" if known else "", rated)
        if game.black in table:
            table[game.black][game.round - 1] = RoundCell(black, game.white, "b" if known else "", rated)
    return table


def require_table(section: Section) -> None:
    """Check that a table has one row per number, and a row for every player with a game."""
    where = Place(section=section.number)
    numbers = Counter(player.number for player in section.players)
    findings = [
        codes.INVALID_NUMBER.at(where, f"{number} cannot be written")
        for number, count in numbers.items()
        if not 1 <= number <= 9999 or count > 1
    ]
    known = set(numbers)
    for game in section.games:
        if game.white == game.black or not {game.white, game.black} <= known or game.result not in _OUTCOMES:
            message = f"{game.white} against {game.black}, {game.result}"
            findings.append(codes.UNREADABLE_CELL.at(where.at(round=game.round), f"{message}, cannot be written"))
    if findings:
        raise EventRejected(findings)


def settled_without_marks(section: Section) -> Section:
    """For tables that cannot say of a game that it ended after less than a move."""
    require_table(section)
    found = settled(section)
    games = (replace(g, notes={k: v for k, v in g.notes.items() if k != "under_one_move"}) for g in found.games)
    return replace(found, games=tuple(games))


def settled(section: Section) -> Section:
    """Return the section as a table gives it back: games in order, one per round,
    colourless ones from the lower number.
    """
    games = fitted(section.games)
    known = [section.colors and game.notes.get("color") != "unknown" for game in games]
    colors = any(known) or not games
    kept = [
        _settled_game(game, has_color, {"color": "unknown"} if colors and not has_color else {})
        for game, has_color in zip(games, known, strict=True)
    ]
    return replace(section, games=tuple(sorted(kept, key=game_order)), colors=colors)


def _settled_game(game: Game, has_color: bool, unknown: Mapping[str, str]) -> Game:
    notes = {**{key: True for key in ("under_one_move", "drawn") if game.notes.get(key)}, **unknown}
    if has_color or game.white < game.black:
        return Game(game.round, game.white, game.black, game.result, notes=notes)
    return Game(game.round, game.black, game.white, FLIPPED[game.result], notes=notes)


def fitted(games: Iterable[Game]) -> list[Game]:
    """Games so that no one plays twice in a round: a second one moves to the next round that is free for both."""
    busy: dict[int, set[int]] = defaultdict(set)
    placed: list[Game] = []
    for game in sorted(games, key=game_order):
        round_ = max(game.round, 1)
        while round_ in busy[game.white] or round_ in busy[game.black]:
            round_ += 1
        busy[game.white].add(round_)
        busy[game.black].add(round_)
        placed.append(replace(game, round=round_))
    return sorted(placed, key=game_order)


def game_points(game: Game, number: int) -> int:
    if number not in (game.white, game.black):
        return 0
    if game.result in PLAYED_RESULTS:
        return PLAYED_RESULTS[game.result][0 if number == game.white else 1]
    if game.notes.get("drawn"):
        return 1
    return {"+/-": (2, 0), "-/+": (0, 2)}.get(game.result, (0, 0))[0 if number == game.white else 1]


def scores(section: Section) -> dict[int, int]:
    """Return every player's total in half points, in one pass."""
    totals = {p.number: sum(BYE_POINTS[name] for name in player_byes(p.notes).values()) for p in section.players}
    for game in section.games:
        for number in (game.white, game.black):
            if number in totals:
                totals[number] += game_points(game, number)
    return totals
