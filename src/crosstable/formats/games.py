"""Games one by one instead of a table of players: lists with White, Black and Result.

Round,White,Black,Result
1,Ada Example,Bo Muller,1-0
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

from crosstable.formats import (
    codes,
    dates,
    encoding,
    fields,
    file_ratings,
    game_heads,
    game_lines,
    limits,
    table_cells,
    table_heads,
)
from crosstable.formats.base import Reading
from crosstable.formats.crosstable import BYES, FLIPPED, rounds
from crosstable.formats.game_heads import GamesHead, head_of
from crosstable.formats.game_lines import plain_name
from crosstable.formats.game_results import result_of
from crosstable.formats.registry import Content, Format
from crosstable.formats.table_facts import event_days, note_fact
from crosstable.model import Event, Finding, Game, Place, Player, Rating, Section

LIST = "games-list"

#: A line alone above the games of a round.
_ROUND_LINE = re.compile(r"(?:round|rd|rnd)\.?\s*#?(\d{1,3})\b.*", re.IGNORECASE)
_DRAWN = ("draw", "drawn", "tie", "tied", "½", "1/2", "none", "nobody")
_OPEN = ("", "*", "?", "-")


@dataclass(slots=True)
class FileGame:
    """One game as a file says it."""

    where: Place
    white: str
    black: str
    result: str
    round: str = ""
    white_id: str = ""
    black_id: str = ""
    white_rating: str = ""
    black_rating: str = ""
    date: str = ""
    bye: str = ""  # b, h or u: White is paired with no one
    told: str = ""  # the whole line, of a game of which only the players can be read


class SheetPlayer(NamedTuple):
    """What another sheet says of a player."""

    id: str
    rating: str


@dataclass(slots=True)
class _Field:
    """The players in the order in which they appear."""

    pool: str
    findings: list[Finding]
    players: dict[str, Player] = field(default_factory=dict)
    byes: dict[int, dict[str, str]] = field(default_factory=dict)  # by pairing number and round

    def number(self, name: str, id_: str, rating: str, where: Place) -> int:
        key = id_ or plain_name(name)
        if key not in self.players:
            found: Rating | None = None
            notes: dict[str, object] = {}
            try:
                found, provisional = table_cells.rating_of(rating)
                if provisional and found and found.games is None:
                    notes["provisional"] = [self.pool]
            except ValueError:
                self.findings.append(codes.UNREADABLE_RATING.at(where, f"{rating[:40]!r} cannot be read as a rating"))
            ratings = {self.pool: found} if found else {}
            self.players[key] = Player(len(self.players) + 1, id_, name, ratings=ratings, notes=notes)
        return self.players[key].number

    def add_bye(self, number: int, round_: int, kind: str) -> None:
        """Add a bye; a round without a point leaves no trace."""
        if name := BYES.get(kind.upper()):
            self.byes.setdefault(number, {})[str(round_)] = name

    def everybody(self) -> tuple[Player, ...]:
        """Return the players with their byes in the notes, as tables keep them."""
        return tuple(
            replace(one, notes={**one.notes, "byes": self.byes[one.number]}) if one.number in self.byes else one
            for one in self.players.values()
        )


@dataclass(slots=True)
class _Block:
    """A head and the rows of games below it, each with its line and the round that a line alone has named."""

    where: Place
    head: GamesHead
    rows: list[tuple[int, str, Sequence[str]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Loose:
    """A line that is neither a head nor a row of games."""

    number: int
    row: Sequence[str]
    round: str
    above: bool  # the first head


def event_of_rows(
    rows: Sequence[tuple[int, Sequence[str]]],
    findings: list[Finding],
    known: Mapping[str, SheetPlayer] = MappingProxyType({}),
) -> Event:
    """Return the event of a list whose rows are cells, each with its line.

    Lines above the head may say something about the event.

    `known` has ids and ratings of players by name, for where the list has none.
    """
    blocks, loose = _blocks(rows)
    lines: list[FileGame] = []
    for block in blocks.values():
        cells = [row for _, _, row in block.rows]
        head = game_heads.settled(block.head, cells)
        findings += table_heads.say_ignored(head.titles, head.places.values(), cells, block.where)
        lines += _lines(head, block)
    lines = _by_row(lines)
    if any(block.head.from_one_side for block in blocks.values()):
        lines = _once(lines, findings)
    for line in lines if known else ():
        _complete(line, known)
    about, section, unread = _facts(loose, lines, findings)
    lines = _by_row([*lines, *unread])
    start, end = event_days(about, findings)
    pool = next((block.head.pool for block in blocks.values() if block.head.pool), None)
    event = event_of_lines(
        lines, about.get("event", ""), section.get("time control", ""), findings=findings, dated=(start, end), pool=pool
    )
    colors = all(block.head.colors for block in blocks.values())
    return Event(
        event.name,
        event.start,
        event.end,
        tuple(replace(one, colors=colors) for one in event.sections),
        city=about.get("city", ""),
        state=about.get("state", ""),
        country=about.get("country", ""),
        affiliate=about.get("affiliate", ""),
        chief_td=about.get("chief td", ""),
    )


def _by_row(lines: Sequence[FileGame]) -> list[FileGame]:
    return sorted(lines, key=lambda line: line.where.row or 0)


def _blocks(rows: Sequence[tuple[int, Sequence[str]]]) -> tuple[dict[tuple[str, ...], _Block], list[_Loose]]:
    """Return the rows under their heads, and the lines that are no row.

    Each round's games may have a head of their own: one block for those that are the same.
    """
    blocks: dict[tuple[str, ...], _Block] = {}
    loose: list[_Loose] = []
    current: _Block | None = None
    round_ = ""
    for number, row in rows:
        filled = [cell for cell in map(encoding.clean, row) if cell]
        if not filled:
            continue
        if len(filled) == 1 and (headed := _ROUND_LINE.fullmatch(filled[0])):
            round_ = headed[1]
        elif head := head_of(row):
            current = blocks.setdefault(tuple(row), _Block(Place(row=number), head))
        elif current is None or len(filled) == 1:
            loose.append(_Loose(number, row, round_, above=current is None))
        else:
            current.rows.append((number, round_, row))
    return blocks, loose


def _facts(
    loose: Sequence[_Loose], lines: Sequence[FileGame], findings: list[Finding]
) -> tuple[dict[str, str], dict[str, str], list[FileGame]]:
    """Return what the lines that are no row say of the event and of its section.

    One that was meant to be a game is an error; where it names two players, it is a game between them that lacks a
    result.
    """
    about: dict[str, str] = {}
    section: dict[str, str] = {}
    unread: list[FileGame] = []
    names = game_lines.Names(
        named
        for line in lines
        for named in (
            game_lines.Named(line.white, line.white_id, line.white_rating),
            game_lines.Named(line.black, line.black_id, line.black_rating),
        )
    )
    for line in loose:
        where, text = Place(row=line.number), encoding.clean(" ".join(line.row))
        named = names.found_in(text)
        if len(named) == 2:
            one, other = named
            told = FileGame(
                where=where,
                white=one.name,
                black=other.name,
                result="",
                round=line.round,
                white_id=one.id,
                black_id=other.id,
                white_rating=one.rating,
                black_rating=other.rating,
            )
            unread.append(replace(told, told=text[:60]))
        elif game_lines.seems_a_game(text, named):
            meant = codes.INVALID_LINE.at(where, f"{text[:60]!r} cannot be read as a game")
            findings.append(replace(meant, advice=game_lines.FORM))
        elif not (line.above and note_fact(line.row, about, section, first=True)):
            findings.append(codes.LINE_IGNORED.at(where, repr(text[:60])))
    return about, section, unread


def _lines(head: GamesHead, block: _Block) -> Iterator[FileGame]:
    for number, round_, row in block.rows:
        cells = {name: encoding.clean(row[place]) if place < len(row) else "" for name, place in head.places.items()}
        for side in ("white", "black"):
            name, rating = table_cells.rated_name(cells.get(side, ""))
            if rating:
                cells |= {side: name, f"{side}_rating": cells.get(f"{side}_rating") or rating}
        if bye := _bye(cells):
            side, kind = bye
            rating = cells.get(f"{side}_rating", "")
            yield FileGame(
                where=Place(row=number),
                white=cells.get(side, ""),
                black="",
                result="",
                round=cells.get("round", round_),
                white_id=cells.get(f"{side}_id", ""),
                white_rating=rating,
                bye=kind,
            )
        else:
            yield _line(number, {"round": round_, **cells})


def _complete(line: FileGame, known: Mapping[str, SheetPlayer]) -> None:
    """With what another sheet says of the two."""
    nobody = SheetPlayer("", "")
    white, black = (known.get(plain_name(name), nobody) for name in (line.white, line.black))
    line.white_id, line.white_rating = line.white_id or white.id, line.white_rating or white.rating
    line.black_id, line.black_rating = line.black_id or black.id, line.black_rating or black.rating


def _once(lines: Sequence[FileGame], findings: list[Finding]) -> list[FileGame]:
    """Return every game once from a list in which each player has a line for each game.

    Lines without their other side are an error in it, and so are results that do not fit.
    """
    waiting: dict[tuple[str, str, str], list[FileGame]] = {}
    kept: list[FileGame] = []
    clashes: list[Finding] = []
    for line in lines:
        white, black = (
            plain_name(id_ or name) for name, id_ in ((line.white, line.white_id), (line.black, line.black_id))
        )
        if line.bye or not waiting.get((line.round, white, black)):
            kept.append(line)
            waiting.setdefault((line.round, black, white), []).append(line)
            continue
        other = waiting[line.round, white, black].pop(0)
        results = (result_of(other.result)[0], result_of(line.result)[0])
        if None not in results and FLIPPED[str(results[0])] != results[1]:
            rows = f"{other.where.row} and {line.where.row}"
            words = f"{other.white} and {line.white} report {other.result} and {line.result} of one game (rows {rows})"
            clashes.append(codes.RESULT_CLASH.at(other.where, words))
    alone = [line for left in waiting.values() for line in left if not line.bye]
    if 3 * len(alone) > len(lines):  # most games stand once
        return list(lines)
    for line in alone:
        words = f"{line.white} met {line.black}, who has no line for it"
        clashes.append(codes.NOT_MIRRORED.at(line.where, words))
    findings += clashes
    return kept


def _bye(cells: Mapping[str, str]) -> tuple[str, str] | None:
    """Who has a bye and which (b, h, or u for none), where a line pairs someone with no one."""
    result = (cells.get("result") or cells.get("winner") or "").lower()
    for side, other in (("white", "black"), ("black", "white")):
        named = cells.get(other, "")
        found = table_cells.bye_of(named) or (table_cells.bye_of(result) if not named.strip("-. ") else None)
        if found and (cells.get(side) or cells.get(f"{side}_id")):
            scored = cells.get(f"{side}_points") or result
            return side, _bye_by_points(scored) if found == "b" else found
    return None


def _bye_by_points(text: str) -> str:
    """Return what a bye without points in its name is worth by the result beside it:
    a full point unless that says less.
    """
    points = re.sub(r"\s", "", text)
    if points in ("0", "0.0", "0-0", "-/-"):
        return "u"
    return "h" if re.match(r"½|1/2|0?[.,]5|h$|half", points) else "b"


def _line(number: int, cells: dict[str, str]) -> FileGame:
    """One game; a list may name the winner instead of a result, or give each player's points."""
    white, black, winner = cells.pop("white", ""), cells.pop("black", ""), cells.pop("winner", None)
    loser, drawn = cells.pop("loser", None), cells.pop("drawn", "").lower()
    points = [cells.pop(f"{side}_points", "") for side in ("white", "black")]
    result = cells.pop("result", "") or "-".join(filter(None, points))
    if loser is not None and not result:
        result = "1/2-1/2" if drawn.strip("-. ") not in ("", "no", "n", "false", "0") else "1-0"
    elif not result and winner is not None:
        sides = {"1-0": (white, cells.get("white_id"), "white"), "0-1": (black, cells.get("black_id"), "black")}
        named = [
            score for score, names in sides.items() if winner.casefold() in {str(name).casefold() for name in names}
        ]
        result = named[0] if len(named) == 1 else "1/2-1/2" if winner.lower() in _DRAWN else winner or "*"
    return FileGame(Place(row=number), white, black, result, **cells)


def _result_of(line: FileGame, round_: int, numbers: Sequence[int], findings: list[Finding]) -> str | None:
    """Return the result of a game, with what is to be said about how it is written. A bye has none."""
    result, lettered = result_of(line.result)
    game = line.where.at(round=round_, players=tuple(numbers))
    if lettered and result:
        findings.append(codes.LETTERS_IN_SCORE.at(line.where, f"{line.result[:20]!r} was read as {result}"))
    if line.told:
        found = codes.INVALID_LINE.at(game, f"{line.told!r} cannot be read as a game", line=line.told)
        findings.append(replace(found, advice=game_lines.FORM))
    elif result is None and not line.bye:
        code = codes.NO_RESULT if line.result in _OPEN else codes.UNREADABLE_CELL
        found = code.at(game, f"the result is {line.result[:20]!r}", cell=line.result[:20])
        findings.append(replace(found, advice="Write 1-0, 0-1 or 1/2-1/2."))
    return result


def event_of_lines(
    lines: Sequence[FileGame],
    name: str,
    control: str,
    findings: list[Finding],
    dated: tuple[date | None, date | None],
    pool: str | None = None,
) -> Event:
    """Return the event of its games. `pool`: of the ratings, where it is not that of the time control."""
    limits.check_count("games", len(lines), limits.CELLS)
    people = _Field(pool or file_ratings.main_pool(control), findings)
    games: list[Game] = []
    days: list[date] = []
    last: dict[int, int] = {}  # each player's last round, where the file counts none
    for line in lines:
        sides = [(line.white, line.white_id, line.white_rating), (line.black, line.black_id, line.black_rating)]
        numbers = [
            people.number(*_who(text, id_), rating, line.where)
            for text, id_, rating in (sides[:1] if line.bye else sides)
        ]
        typed = re.match(r"\d{1,3}", line.round)
        round_ = int(typed[0]) if typed and int(typed[0]) else 1 + max(last.get(number, 0) for number in numbers)
        last |= dict.fromkeys(numbers, round_)  # also of a game that cannot be read: someone may say how it ended
        result = _result_of(line, round_, numbers, findings)
        if result is None and not line.bye:
            continue
        if result is None:
            people.add_bye(numbers[0], round_, line.bye)
        else:
            games.append(Game(round_, numbers[0], numbers[1], result))
        days += dates.candidates(line.date)[-1:]
    players = people.everybody()
    limits.check_count("players", len(players), limits.PLAYERS)
    if not games:
        nothing = codes.NOTHING_PLAYED.at("file", "no game has a result")
        findings.append(replace(nothing, advice="Write 1-0, 0-1 or 1/2-1/2 for each game."))
    findings += _alike(players, games)
    start, end = dated[0] or min(days, default=None), dated[1] or max(days, default=None)
    section = Section(
        number=1, name="", start=start, end=end, players=players, games=tuple(games), time_control=control or None
    )
    notes: dict[str, object] = {"rounds": max(rounds(section), *last.values(), 0)}
    if pool is None and any(player.ratings for player in players):
        notes[file_ratings.UNNAMED] = people.pool
    return Event(name, start, end, (replace(section, notes=notes),))


def _alike(players: Sequence[Player], games: Sequence[Game]) -> Iterator[Finding]:
    """Players without ids whose names are one letter apart, unless they met. Names are found by what is left of them
    without one letter, so that a long list takes no longer than its names."""
    met = {frozenset((game.white, game.black)) for game in games}
    near: dict[str, list[Player]] = {}
    told: set[frozenset[int]] = set()
    for player in players:
        name = plain_name(player.name)
        for part in {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))} if not player.id else ():
            for other in near.get(part, ()):
                pair = frozenset((player.number, other.number))
                if pair not in met and pair not in told and fields.one_edit_apart(name, plain_name(other.name)):
                    told.add(pair)
                    words = f"{other.name} and {player.name} may be one person"
                    yield codes.ALIKE_NAMES.at(Place(players=(other.number, player.number)), words)
            near.setdefault(part, []).append(player)


def _who(text: str, id_: str) -> tuple[str, str]:
    """Return a name and an id; an id may stand where the name should."""
    if not id_ and re.fullmatch(r"\d{6,9}", text):
        return "", text
    return text, fields.identity(id_)


def _read_list(content: Content) -> Reading:
    from crosstable.formats import game_sheets, tables

    if content.members:
        return game_sheets.read(content.data)
    findings: list[Finding] = []
    numbered = list(enumerate(tables.delimited_rows(content.data, findings), start=1))
    return Reading(LIST, event_of_rows(numbered, findings), tuple(findings))


def _looks_like_list(content: Content) -> bool:
    from crosstable.formats import game_sheets, tables

    if content.members:
        return game_sheets.are_lists(tables.first_sheets(content))
    return any(head_of(row) is not None for row in tables.first_rows(content))


FORMATS = (
    Format(
        LIST,
        "list of games (Round, White, Black, Result)",
        (".csv", ".tsv", ".xlsx", ".ods"),
        _looks_like_list,
        read=_read_list,
        marks_provisional=True,
    ),
)
