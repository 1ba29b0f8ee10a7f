"""Games told line by line: `Grace Whitfield 1-0 Maya Lindqvist`, `Grace - Maya 1-0`, `Grace drew with Maya`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crosstable.formats import limits, table_cells, table_facts
from crosstable.formats.given import first_name_first

#: A row of a list of games with its line in the file.
Numbered = tuple[int, list[str]]

FORM = "Write it as Ann Ames 1-0 Bo Bird, with 1-0, 0-1 or 1/2-1/2 between the names, or take the line out."
#: One side's points; a letter may stand for a digit: its reader says so.
_POINT = r"(?:1/2|0?\.5|½|[01oOlI])"
_RESULT = re.compile(
    rf"[\s:(]({_POINT}\s?[-:]\s?{_POINT}|1/2|½|=|(?:draw|drawn|tie|tied)(?=\)?$))\)?(?=\s|$)", re.IGNORECASE
)
#: `Grace beat Maya`, `Grace drew with Maya`, `Grace lost to Maya`.
_TOLD = re.compile(
    r"(.+?) (?:(beat|beats|defeated|won against|won over|won vs\.?|def\.?)"
    r"|((?:drew|draws?|drawn|tied|ties?)(?: with| against| vs\.?)?)|(lost to|lost against|loses to)) (.+?)\.?",
    re.IGNORECASE,
)
_ROUND_OR_BYE = re.compile(r"(?:round|rd|rnd)\.?\s*#?\d{1,3}\b.*|.*\bbye\b.*", re.IGNORECASE)
_BETWEEN = re.compile(r" (?:-|vs?\.?|versus|against) ", re.IGNORECASE)
_BEFORE = re.compile(r"^\s*(?:(?:board|bd|round|rd|rnd)\.?\s*#?)?\d{1,3}[.):,]?\s+", re.IGNORECASE)
_FORFEITED = re.compile(r"(?<![\s,;(])[\s,;(]++(?:by |won by )?(?:forfeit|ff|no[- ]show)\)?$", re.IGNORECASE)
#: `Grace Whitfield half-point bye`.
_BYE = re.compile(r"(.*?[^\s:-])[\s:-]++((?:\S{1,20}[\s-])?(?:point )?bye)", re.IGNORECASE)
#: What only a game has between two names, read or not: `2-0`, `vs`.
_SEEMS = re.compile(
    r"\w\W*\s(?:\(?(?:[0-9oOlI?½]|0?\.5|1/2)\s?[-:]\s?(?:[0-9oOlI?½]|0?\.5|1/2)\)?|vs\.?|versus)\s\W*\w", re.IGNORECASE
)


_WORD = re.compile(r"\w+")


class Named(NamedTuple):
    """A player as a line of the list names one."""

    name: str
    id: str
    rating: str


class Names:
    """The players of a list, by the ways to write a name: `Jan R Dale`, `Jan Dale`, `Dale, Jan R`."""

    def __init__(self, players: Iterable[Named]) -> None:
        first: dict[str, Named] = {}
        for one in players:
            first.setdefault(one.id or plain_name(one.name), one)
        ways: dict[str, list[Named]] = {}
        for one in first.values():
            for way in _ways(one.name):
                ways.setdefault(way, []).append(one)
        self._ways = {way: some[0] for way, some in ways.items() if len(some) == 1}  # of two we cannot say who is meant
        self._lengths: dict[str, set[int]] = {}  # of the names that begin with a word
        for way in self._ways:
            self._lengths.setdefault(_first_word(way), set()).add(len(way))

    def found_in(self, line: str) -> list[Named]:
        """Who is named in a line, each once."""
        text = " ".join(line[: limits.SENTENCE_CHARACTERS].casefold().split())
        found: list[Named] = []
        end = 0
        for word in _WORD.finditer(text):
            start = word.start()
            lengths = sorted(self._lengths.get(word[0], ()), reverse=True) if start >= end else ()
            for way in (text[start : start + length] for length in lengths):
                if way in self._ways and not _WORD.match(text, start + len(way)):
                    found.append(self._ways[way])
                    end = start + len(way)
                    break
        return list(dict.fromkeys(found))


def _first_word(name: str) -> str:
    word = _WORD.search(name)
    return word[0] if word else ""


def _ways(name: str) -> set[str]:
    plain = plain_name(name)
    words = plain.split()
    short = [word for place, word in enumerate(words) if place in (0, len(words) - 1) or len(word.rstrip(".")) > 1]
    turned = {f"{one[-1]}, {' '.join(one[:-1])}" for one in (words, short) if len(one) > 1}
    return {way for way in {plain, " ".join(short), *turned} if way}


def plain_name(name: str) -> str:
    """One way to write a name: `Carter, Anna` is `anna carter`."""
    return " ".join(first_name_first(name).casefold().split())


def rows_of(lines: Sequence[str]) -> list[Numbered] | None:
    """Lines that each tell one game, under lines that number the rounds; None if most lines tell none."""
    filled = [(number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip()]
    rows: list[Numbered] = []
    about: dict[str, str] = {}
    told = unread = besides = 0
    for number, line in filled:
        game = game_of(line)
        if game and not told:
            rows.append((number, ["White", "Result", "Black"]))
        rows.append((number, game or [line]))
        if game:
            told += 1
        elif seems_a_game(line):
            unread += 1
        else:
            above = not told and table_facts.note_fact([line], about, about, first=True)
            besides += above or _ROUND_OR_BYE.fullmatch(line) is not None
    meant = told + unread
    return rows if told and meant > 1 and 2 * meant > len(filled) - besides else None


def strange_lines(text: str) -> list[tuple[int, str]]:
    """Of a text in which some lines tell a game: those that tell none, each with its number. Nothing if there are no
    games.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    strange = [(number, line) for number, line in lines if not game_of(line)]
    return strange if any(seems_a_game(line) or _TOLD.fullmatch(line) for _, line in lines) else []


def game_of(line: str) -> list[str] | None:
    """White, the result and Black; None if the line tells no game."""
    if len(line) > limits.SENTENCE_CHARACTERS:
        return None
    line = _BEFORE.sub("", re.sub("[–—−]", "-", " ".join(line.split())))
    short = _FORFEITED.sub("", line)
    result = _RESULT.search(short)
    if result is None:
        return _told(line)
    white, black = short[: result.start()].strip(" :"), short[result.end() :].strip()
    if not black and len(sides := _BETWEEN.split(white)) == 2:
        white, black = sides
    points = result[1] if short == line else f"{result[1]} ff"
    return [white, points, black] if white and black else None


def _told(line: str) -> list[str] | None:
    """Read a game in a sentence: who beat whom."""
    told = _TOLD.fullmatch(line)
    if told is None:
        bye = _BYE.fullmatch(line)
        return [bye[1], "", bye[2]] if bye and table_cells.bye_of(bye[2]) else None
    return [told[1], "1-0" if told[2] else "1/2-1/2" if told[3] else "0-1", told[5]]


def seems_a_game(line: str, named: Sequence[Named] = ()) -> bool:
    """Whether a line that is no game as it stands was meant to be one: by its looks, or by two players that it
    names.
    """
    if len(line) > limits.SENTENCE_CHARACTERS:
        return False
    line = re.sub("[–—−]", "-", " ".join(line.split()))
    between = len(named) == 1 and _BETWEEN.search(line) is not None
    return len(named) > 1 or between or _SEEMS.search(line) is not None
