"""Fixes that are typed into the crosstable itself: a round of one player, a new or removed player, a section."""

from __future__ import annotations

from dataclasses import replace

from crosstable.fixes.base import (
    Fixed,
    FixRefused,
    Values,
    called,
    fix,
    player_of,
    section_of,
    text_of,
    whole,
    with_section,
)
from crosstable.fixes.games import with_bye
from crosstable.formats import table_cells
from crosstable.formats.crosstable import BYE_LETTERS, BYES, FLIPPED, RoundCell, player_byes
from crosstable.model import Event, Game, Player, Section
from crosstable.model.ids import id_problems

MOST_ROUNDS = 200
#: What one side has → the result with that side as White
_RESULTS = {"W": "1-0", "D": "1/2-1/2", "L": "0-1", "X": "+/-", "F": "-/+"}
_LETTERS = {result: letter for letter, result in _RESULTS.items()}
_HELP = "write W4, D4 or L4 for a game against number 4, B or H for a bye, U where nothing was played"


@fix("cell")
def cell(event: Event, values: Values) -> Fixed:
    """Set what a player did in a round, as a crosstable says it: W4, D4b, H. The opponent's row follows."""
    section = section_of(event, values)
    player, turn = player_of(section, whole(values, "player")), whole(values, "round")
    if not 1 <= turn <= MOST_ROUNDS:
        raise FixRefused(f"there is no round {turn}")
    typed = _typed(text_of(values, "cell", 20))
    before = _written(section, player.number, turn)
    if typed is not None and typed.opponent:
        changed, left = _with_game(section, player, turn, typed)
    else:
        changed, left = _with_bye(section, player, turn, typed)
    place = f"section {section.number}, round {turn}, {called(player)}"
    after = _written(changed, player.number, turn)
    if changed == section:
        raise FixRefused(f"{called(player)} already has {after} in round {turn}")
    more = [] if typed is None or not typed.opponent else [typed.opponent]
    rows = [f"row {number}: {_written(changed, number, turn)}" for number in dict.fromkeys([*more, *left])]
    return Fixed(with_section(event, changed), place, before, "; ".join([after, *rows]))


def _typed(text: str) -> RoundCell | None:
    """Return the cell as it is read in a table; nothing where no game was played."""
    if text.upper() in ("", "U", "-", "–"):
        return None
    try:
        found = table_cells.cell_of(text)
    except ValueError:
        raise FixRefused(f"{text!r} is not a result: {_HELP}") from None
    if found is not None and found.opponent and found.outcome not in _RESULTS:
        raise FixRefused(f"{text!r} is not a result: {_HELP}")
    return found


def _with_game(section: Section, player: Player, turn: int, typed: RoundCell) -> tuple[Section, list[int]]:
    """Return the section with this game as the only one of both players in the round, and who lost an opponent
    by it.
    """
    other = player_of(section, typed.opponent)
    if other.number == player.number:
        raise FixRefused(f"{called(player)} cannot have played against {called(player)}")
    old, rest, left = _parted(section, turn, {player.number, other.number})
    same = next((one for one in old if {one.white, one.black} == {player.number, other.number}), None)
    result = _RESULTS[typed.outcome]
    white = typed.color != "b" if typed.color else same is None or same.white == player.number
    sides = (player.number, other.number) if white else (other.number, player.number)
    known = typed.color or (same is not None and same.notes.get("color") != "unknown")
    notes = {key: value for key, value in (same.notes if same else {}).items() if key != "color"}
    notes |= {"color": "unknown"} if section.colors and not known else {}
    new = Game(turn, *sides, result if white else FLIPPED[result], notes=notes)
    games = [new if one is same else one for one in section.games if one is same or one in rest]
    games += [] if same else [new]
    changed = replace(section, games=tuple(sorted(games, key=lambda one: one.round)))
    for number in (player.number, other.number):
        changed = with_bye(changed, number, turn, "")
    return changed, left


def _with_bye(section: Section, player: Player, turn: int, typed: RoundCell | None) -> tuple[Section, list[int]]:
    _, rest, left = _parted(section, turn, {player.number})
    changed = replace(section, games=tuple(rest))
    return with_bye(changed, player.number, turn, BYES[typed.outcome] if typed else ""), left


def _parted(section: Section, turn: int, numbers: set[int]) -> tuple[list[Game], list[Game], list[int]]:
    """Return the games of some players in a round, all other games, and who else was in the former."""
    old = [one for one in section.games if one.round == turn and {one.white, one.black} & numbers]
    known = {one.number for one in section.players}
    left = {number for one in old for number in (one.white, one.black)} & known - numbers
    return old, [one for one in section.games if one not in old], sorted(left)


def _written(section: Section, number: int, turn: int) -> str:
    """Return a cell as a crosstable writes it; a dash where nothing was played."""
    for game in section.games:
        if game.round == turn and number in (game.white, game.black):
            own, other = (
                (game.result, game.black)
                if game.white == number
                else (FLIPPED.get(game.result, game.result), game.white)
            )
            return f"{_LETTERS.get(own, own)}{other}"
    byes = next((player_byes(one.notes) for one in section.players if one.number == number), {})
    return BYE_LETTERS[byes[str(turn)]] if str(turn) in byes else "–"


@fix("add-player")
def add_player(event: Event, values: Values) -> Fixed:
    """Add a player at the end, with the next free number."""
    section, name, wanted = section_of(event, values), text_of(values, "name"), text_of(values, "id", 60)
    if not name and not wanted:
        raise FixRefused("a name or an ID is needed: nothing was typed")
    for problem in id_problems(wanted) if wanted else ():
        raise FixRefused(problem)
    if wanted and any(one.id == wanted for one in section.players):
        raise FixRefused(f"{wanted} is already in section {section.number}")
    player = Player(max((one.number for one in section.players), default=0) + 1, wanted, name)
    changed = replace(section, players=(*section.players, player))
    return Fixed(with_section(event, changed), f"section {section.number}", "", f"{called(player)} added")


@fix("remove")
def remove(event: Event, values: Values) -> Fixed:
    """Remove a row; one that has games only together with them (`games`: how many there are)."""
    section = section_of(event, values)
    player = player_of(section, whole(values, "player"))
    own = [one for one in section.games if player.number in (one.white, one.black)]
    if own and values.get("games") != str(len(own)):
        raise FixRefused(f"{called(player)} has games ({len(own)}): correct or remove these first")
    kept = tuple(one for one in section.players if one is not player)
    games = tuple(one for one in section.games if one not in own)
    changed = with_section(event, replace(section, players=kept, games=games))
    return Fixed(changed, f"section {section.number}, {called(player)}", "a row", "no row")


@fix("add-section")
def add_section(event: Event, values: Values) -> Fixed:
    """Add an empty section with the next free number and the days of the event."""
    name = text_of(values, "name")
    if not name:
        raise FixRefused("a name is needed: nothing was typed")
    number = max((one.number for one in event.sections), default=0) + 1
    first = event.sections[0] if event.sections else None
    section = Section(
        number=number,
        name=name,
        start=event.start,
        end=event.end,
        players=(),
        games=(),
        time_control=first.time_control if first else None,
        mode=first.mode if first else "otb",
    )
    return Fixed(replace(event, sections=(*event.sections, section)), f"section {number}", "", f"{name} added")


@fix("remove-section")
def remove_section(event: Event, values: Values) -> Fixed:
    """Remove a section with its players and games (`games`: how many there are)."""
    section = section_of(event, values)
    if len(event.sections) == 1:
        raise FixRefused("this is the only section of the report: delete the draft instead")
    if values.get("games") != str(len(section.games)):
        raise FixRefused(f"section {section.number} has {len(section.games)} games now: look at it again first")
    kept = tuple(one for one in event.sections if one is not section)
    named = f"{section.name or 'a section'}, {len(section.players)} players, {len(section.games)} games"
    return Fixed(replace(event, sections=kept), f"section {section.number}", named, "no section")
