"""The cells of a table as people type them: results of rounds, ratings, and the points of an all-play-all grid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from crosstable.formats import limits
from crosstable.formats.crosstable import RoundCell
from crosstable.formats.given import first_name_first
from crosstable.model import Rating

_LETTERS = {
    "w": "W",
    "win": "W",
    "won": "W",
    "beat": "W",
    "beats": "W",
    "defeated": "W",
    "d": "D",
    "draw": "D",
    "drew": "D",
    "drawn": "D",
    "tied": "D",
    "tie": "D",
    "l": "L",
    "loss": "L",
    "lost": "L",
    "lose": "L",
    "x": "X",
    "f": "F",
    "z": "Z",
    "1": "W",
    "1.0": "W",
    "½": "D",
    "0.5": "D",
    ".5": "D",
    "1/2": "D",
    "=": "D",
    "0": "L",
    "0.0": "L",
    "+": "X",
    "-": "F",
}
_WORD = r"win|won|beats?|defeated|draw|drew|drawn|tied?|loss|lost|lose|[wdlxfz]"
_POINT = r"1\.0|1/2|0?\.5|0\.0|[10½=]"
_NUMBER = r"(?P<opponent>\d{1,4})"
_COLOR = r"[/,]?+\s*+\(?(?P<color>[wbsn]?)\)?"  # s: schwarz; n: noir, negras, nero
_COLORS = {"w": "w", "b": "b", "s": "b", "n": "b", "": ""}
#: Where black is N, white is B: blancs, blancas, bianco.
_ROMANCE_COLORS = {**_COLORS, "b": "w"}
_ROMANCE = re.compile(r"\S*\s*\d{1,4}\s*[nN]")
#: `W12`, `W 12 b`, `W-12`, `½12`, `lost to 12`, `won vs. #12`.
_CELL = re.compile(
    rf"(?P<result>{_WORD}|½)(?:\s++(?:to|with|vs?\.?|versus|against|over))?[\s:/#-]*+{_NUMBER}\s*+{_COLOR}",
    re.IGNORECASE,
)
#: `12 W`, `#12 L`: where the table has such draws or losses; else `12 w` would be a colour.
_OPPONENT_FIRST = re.compile(rf"#?{_NUMBER}[\s:/-]*(?P<result>[WDL])", re.IGNORECASE)
_CLEAR_OPPONENT_FIRST = re.compile(r"#?\d{1,4}[\s:/-]*[DL]", re.IGNORECASE)
#: `+5`, `=7b`, `-3`: European tables.
_SIGN_CELL = re.compile(rf"(?P<result>[+=-])\s*+{_NUMBER}\s*+{_COLOR}", re.IGNORECASE)
_CLEAR_SIGN = re.compile(r"[+=]\s*\d{1,4}\s*\(?[wbsn]?\)?|-\s*(?:[2-9]|\d{2,4})\s*\(?[wbsn]?\)?", re.IGNORECASE)
_SIGNS = {"+": "W", "=": "D", "-": "L"}
#: chess-results.com: opponent, colour, points; `+` and `-` for forfeits; a dash and points where no one was met.
_POINTS_CELL = re.compile(rf"{_NUMBER}\s*\(?(?P<color>[wbs])\)?\s*(?P<result>{_POINT}|[+-])", re.IGNORECASE)
#: `+W12`, `=B7`: Vega; its byes are `+BYE`, `=BYE`, `-BYE`.
_SIGN_AND_COLOR = re.compile(rf"(?P<result>[+=-])\s?(?P<color>[wb])\s?{_NUMBER}", re.IGNORECASE)
#: `w12 ½`, `b 12 0`.
_COLOR_FIRST = re.compile(rf"(?P<color>[wbs])\s*#?{_NUMBER}[\s:/]+(?P<result>{_POINT}|[+-])", re.IGNORECASE)
#: `1 - 12`, `½ - 12`: the points, and the opponent behind a dash between blanks.
_BEHIND_DASH = re.compile(rf"(?P<result>{_POINT})\s+-\s+#?{_NUMBER}\s*(?P<color>[wbs]?)", re.IGNORECASE)
#: `B12½`, `W51`: colour, opponent and points without a mark between them. Only where the whole table writes so.
_COLOR_AND_POINT = re.compile(r"(?P<color>[wbs])(?P<opponent>\d{1,4}?)(?P<result>[10½=])", re.IGNORECASE)
_CLEAR_COLOR_AND_POINT = re.compile(r"[wbs]\d{1,4}½|[bs][1-9]\d{0,3}[10]", re.IGNORECASE)
_LETTER_AND_DIGIT = re.compile(r"[a-z]\s*[1-9].*", re.IGNORECASE)
#: `1/4`, `½/2`, `0/1`: the points, and the opponent behind a stroke. `1/2` alone would be a half.
_BEHIND_STROKE = re.compile(rf"(?P<result>[10½])/{_NUMBER}(?P<color>[wbs]?)", re.IGNORECASE)
_CLEAR_STROKE = re.compile(r"[½0]/\d{1,4}[wbs]?", re.IGNORECASE)
#: SwissPerfect: `27:W`; `30:+` and `30:-` for forfeits; `0:=` for a bye, a colon alone for nothing.
_COLON_CELL = re.compile(r"(\d{0,4})\s*:\s*([WDL+=-]?)", re.IGNORECASE)
_COLON_UNPLAYED = {"+": "X", "=": "Z", "-": "F"}
_COLON_BYES = {"+": "B", "=": "H"}
#: A game's score from the player's own side, before or behind the opponent: `1-0 vs Smith`, `Smith 0-1`.
_SCORES = {"1-0": "W", "0-1": "L", "½-½": "D", "1/2-1/2": "D", "0.5-0.5": "D", ".5-.5": "D"}
_SCORE = "|".join(map(re.escape, _SCORES))
_SCORED = re.compile(
    rf"({_SCORE})(?=[\s(:])\s*+:?+(.+)|(?:vs?\.?\s++)?(.*?[^\s:])[\s:]++\(?({_SCORE})\)?", re.IGNORECASE
)
#: `W4 (1488)`: the opponent's rating behind a game.
_RATING_BEHIND = re.compile(r"(?<!\s)\s*+[(\[](?:\d{3,4}(?:[P/]\d*+)?|unr[a-z.]*+|new|nr)[)\]]$", re.IGNORECASE)
#: `1 (12)`, `½ (12b)`, `W (12)`.
_BEHIND = re.compile(rf"(?P<result>{_POINT}|{_WORD})\s*+\(\s*+#?{_NUMBER}\s*+(?P<color>[wbs]?)\s*+\)", re.IGNORECASE)
_BYES = {
    "-BYE": "U",
    "-1": "B",
    "-½": "H",
    "-0": "U",
    "-+": "X",
    "--": "U",
    "+": "X",
    "1": "B",
    "1.0": "B",
    "b": "B",
    "bye": "B",
    "fpb": "B",
    "full": "B",
    "h": "H",
    "hpb": "H",
    "half": "H",
    "½": "H",
    "1/2": "H",
    "=": "H",
    "0.5": "H",
    ".5": "H",
    "u": "U",
    "zpb": "U",
    "z0": "U",
    "0": "U",
    "0.0": "U",
    "": "U",
    "x": "X",
    "f": "F",
    "z": "Z",
    "hb": "H",
    "fb": "B",
    "zb": "U",
    "p": "P",
    "none": "U",
    "wd": "U",
    "w/d": "U",
    "n/a": "U",
    "na": "U",
    "dnp": "U",
    "withdrew": "U",
    "withdrawn": "U",
    "withdraw": "U",
    "out": "U",
    "absent": "U",
    "unpaired": "U",
    "not paired": "U",
    "unplayed": "U",
    "did not play": "U",
    "no game": "U",
    "wdr": "U",
    "exe": "B",
    "exempt": "B",
    "+f": "X",
    "1f": "X",
    "wf": "X",
    "w (f)": "X",
    "0f": "F",
    "lf": "F",
    "l (f)": "F",
    "no show": "F",
    "forfeit": "F",
    "forfeit loss": "F",
    "forfeit win": "X",
}
_BYE_ZERO = re.compile(r"([bhuxfzp])0+")
_HALF, _FULL, _NONE = r"1/2|½|=|0?\.5|half|h", r"1(?:\.0)?|\+|full|f", r"0(?:\.0)?|zero|no|z"
#: `half-point bye`, `1/2 bye`, `bye (0.5)`, `full pt. bye`.
_BYE = re.compile(
    rf"(?:(?P<half>{_HALF})|(?P<full>{_FULL})|(?P<none>{_NONE}))?[\s-]*+(?:points?|pts?\.?)?+[\s-]*+bye"
    rf"[\s:(-]*+(?:(?P<half2>{_HALF})|(?P<full2>{_FULL})|(?P<none2>{_NONE}))?[\s-]*+(?:points?|pts?\.?)?+\)?"
)
_NAMED = re.compile(
    rf"({_WORD}|{_POINT}|[+=-])(?:\s+(?:to|with|vs?\.?|versus|against|over))?[\s:/-]+(.+)", re.IGNORECASE
)
_NAMED_BEHIND = re.compile(rf"({_POINT}|{_WORD})\s*\((.+)\)", re.IGNORECASE)
#: `Grace Whitfield (1850)`, `Grace Whitfield (unr.)`.
_RATED_NAME = re.compile(r"(.*\S)\s*+\((\d{3,4}(?:[P/]\d*+)?|unr[a-z.]*+|new|nr)\)", re.IGNORECASE)
#: `Grace Whitfield 1850 30000001`, the two in either order and between strokes or not: where the head says so.
_NAME_RATING_ID = re.compile(
    r"(?P<name>.*?[^\s/,;])(?:[\s/,;]++(?P<id>\d{8}))?[\s/,;]++(?P<rating>\d{3,4}(?:P\d*+)?|unr[a-z.]*+|new|nr)"
    r"(?:[\s/,;]++(?P<id2>\d{8}))?",
    re.IGNORECASE,
)
_UNRATED = ("UNR", "UNRATED", "NEW", "NONE", "NA", "N/A", "NULL", "NR", "N/R", "UR", "NOT RATED")
#: Behind a blank, F and N are what French programs write: a rating of FIDE, or a national one.
_RATING = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,17})?)\*?\s?(P|[P/]\s?([0-9]{1,3}))?(?:\*| [FN])?")
#: The points in a cell of an all-play-all grid.
_POINTS = {
    "1": "W",
    "1.0": "W",
    "0": "L",
    "0.0": "L",
    "½": "D",
    "0.5": "D",
    ".5": "D",
    "1/2": "D",
    "=": "D",
    "w": "W",
    "l": "L",
    "d": "D",
}
_ONE_POINT = re.compile(r"1/2|0?\.5|[10½=]")
_SEVERAL_POINTS = re.compile(rf"(?:{_ONE_POINT.pattern})(?:[\s;]*(?:{_ONE_POINT.pattern})){{1,3}}")
_DIAGONAL = ("", "x", "xx", "xxx", "*", "**", "***", "-", "--", "---", "—", "■", "█", "#", "n/a")


@dataclass(frozen=True, slots=True)
class Style:
    """What one cell alone does not tell: how the whole table writes results, and what its players are called."""

    signs: bool = False  # wins, draws and losses as +2, =3, -4: then -1 is a loss, not chess-results.com's bye
    opponent_first: bool = False  # `12 W`
    color_and_point: bool = False  # `B12½`: then `W41` is a win with White over 4, not over 41
    stroke: bool = False  # `½/2`, `0/1`: then `1/2` is a win over 2
    names: Mapping[str, int] = field(default_factory=dict)  # the pairing number, by name in small letters
    colors: Mapping[str, str] = field(default_factory=lambda: _COLORS)


def style_of(texts: Sequence[str], names: Mapping[str, int]) -> Style:
    with_numbers = [text for text in texts if _LETTER_AND_DIGIT.fullmatch(text)]
    return Style(
        signs=any(_CLEAR_SIGN.fullmatch(text) for text in texts),
        opponent_first=any(_CLEAR_OPPONENT_FIRST.fullmatch(text) for text in texts),
        color_and_point=any(_CLEAR_COLOR_AND_POINT.fullmatch(text) for text in texts)
        and all(_COLOR_AND_POINT.fullmatch(text) for text in with_numbers),
        stroke=any(_CLEAR_STROKE.fullmatch(text) for text in texts),
        names=names,
        colors=_ROMANCE_COLORS if any(_ROMANCE.fullmatch(text) for text in texts) else _COLORS,
    )


def cell_of(text: str, style: Style = Style()) -> RoundCell | None:  # noqa: B008 — frozen
    """`W12`, `W 12`, `L93b`, `+12`, `12w1`, `-H-`, `BYE`. Raises ValueError if it is none of these."""
    if len(text) > limits.CELL_CHARACTERS:
        raise ValueError(text)
    text = text.replace("–", "-").replace("—", "-").replace("−", "-").replace("⁄", "/").replace(",", ".")
    found = _game(text, style) or _game_and_more(text, style)
    if found is not None:
        return found
    colon = _COLON_CELL.fullmatch(text)
    if colon and not colon[1].strip("0"):
        return RoundCell(_COLON_BYES[colon[2]]) if colon[2] in _COLON_BYES else None
    bare = text if text in _BYES else text.strip("-. ").lower()
    if zeros := _BYE_ZERO.fullmatch(bare):
        bare = zeros[1]
    if bare not in _BYES:
        bare = bye_of(bare) or bare
    if bare not in _BYES:
        raise ValueError(text)
    letter = _BYES[bare]
    return RoundCell(letter) if letter != "U" else None


def is_cell(text: str, style: Style) -> bool:
    """Whether the cell of a round can be read."""
    try:
        cell_of(text, style)
    except ValueError:
        return False
    return True


def _game_and_more(text: str, style: Style) -> RoundCell | None:
    """Return a game told with both sides' points, or with the opponent's rating behind it."""
    if scored := _SCORED.fullmatch(text):
        letter, opponent = _SCORES[(scored[1] or scored[4]).lower()], (scored[2] or scored[3]).strip()
        return _game(f"{letter} {opponent}", style)
    return _game(_RATING_BEHIND.sub("", text), style) if _RATING_BEHIND.search(text) else None


def bye_of(text: str) -> str | None:
    """`bye`, `half-point bye`, `bye (0)` as b, h, u, and b where no points are named. Nothing if it is no bye."""
    bye = _BYE.fullmatch(text.strip("-. ").lower())
    if bye is None:
        return None
    return "u" if bye["none"] or bye["none2"] else "h" if bye["half"] or bye["half2"] else "b"


def _game(text: str, style: Style) -> RoundCell | None:
    """Return a cell with an opponent."""
    for pattern, results, colors in _ways(style):
        match = pattern.fullmatch(text)
        if match and int(match["opponent"]):
            color = match.groupdict().get("color", "").lower()
            return RoundCell(results[match["result"].lower()], int(match["opponent"]), colors[color])
    colon = _COLON_CELL.fullmatch(text)
    if colon and colon[1].strip("0") and colon[2]:
        return RoundCell(_COLON_UNPLAYED.get(colon[2]) or colon[2].upper(), int(colon[1]))
    for pattern in (_NAMED_BEHIND, _NAMED):
        named = pattern.fullmatch(text)
        if named and (number := style.names.get(named[2].strip().casefold())):
            return RoundCell((_SIGNS if pattern is _NAMED else {}).get(named[1]) or _LETTERS[named[1].lower()], number)
    return None


def _ways(style: Style) -> Iterator[tuple[re.Pattern[str], Mapping[str, str], Mapping[str, str]]]:
    """How a game may be written, and what its results and colours mean; first as only some tables and programs write
    it.
    """
    if style.signs:
        yield _SIGN_CELL, _SIGNS, style.colors
    if style.opponent_first:
        yield _OPPONENT_FIRST, _LETTERS, _COLORS
    if style.color_and_point:
        yield _COLOR_AND_POINT, _LETTERS, style.colors
    if style.stroke:
        yield _BEHIND_STROKE, _LETTERS, style.colors
    for pattern in (_CELL, _BEHIND, _BEHIND_DASH):
        yield pattern, _LETTERS, style.colors
    yield _POINTS_CELL, _LETTERS, _COLORS
    yield _SIGN_AND_COLOR, _SIGNS, _COLORS
    yield _COLOR_FIRST, _LETTERS, _COLORS


def rated_name(text: str) -> tuple[str, str]:
    """`Grace Whitfield (1850)` as the name and the rating; without one behind it, a name alone."""
    both = _RATED_NAME.fullmatch(text)
    return (both[1], both[2]) if both else (text, "")


def name_rating_id(text: str) -> tuple[str, str, str]:
    """`Grace Whitfield 1850 30000001` as its three parts, of which the last two may be missing."""
    parts = _NAME_RATING_ID.fullmatch(text) if len(text) <= limits.CELL_CHARACTERS else None
    return (parts["name"], parts["rating"], parts["id"] or parts["id2"] or "") if parts else (*rated_name(text), "")


def names_of(players: Iterable[tuple[int, str]]) -> dict[str, int]:
    """Return the players by every name that only one of them has: as written, first name first,
    the first and the last alone.
    """
    found: dict[str, set[int]] = {}
    for number, name in players:
        straight = first_name_first(name)
        words = straight.split()
        for one in {name, name.replace(",", "."), straight, *words[:1], *words[-1:]}:
            found.setdefault(one.casefold(), set()).add(number)
    return {name: numbers.pop() for name, numbers in found.items() if name and len(numbers) == 1}


def rating_of(text: str) -> tuple[Rating | None, bool]:
    """`1641`, `1641.5`, `1641P17`, `1641/17`, or nothing for an unrated player; and whether it is provisional on an
    unknown number of games: `1641P`. Raises ValueError if it is none of these."""
    match = _RATING.fullmatch(text.upper())
    if match:
        rating = Rating(float(match[1]), games=int(match[3]) if match[3] else None) if float(match[1]) else None
        return rating, match[2] == "P"
    if text.strip("-–—") and text.upper().rstrip(".") not in _UNRATED:
        raise ValueError(text)
    return None, False


def typed_rating(text: str) -> Rating | None:
    """Return a rating as someone types it into an estimate: `1643`, `1643,5`, `1643P12`; `unr`,
    `new` or nothing is unrated.
    """
    try:
        return None if text.strip().lower() == "u" else rating_of(text.strip().replace(",", "."))[0]
    except ValueError:
        raise ValueError(
            f"“{text.strip()[:20]}” is not a rating. Enter a number such as 1643 or 1643P12, or unr for unrated"
        ) from None


def grid_cells(numbers: Sequence[int], table: Sequence[Sequence[str]]) -> list[list[RoundCell | None]] | None:
    """Return an all-play-all grid of points, each column the player of that place: `X 1 ½ 0`, or `XX 1½ 01` of those
    who met twice, whose second games stand in columns behind the first. None if it is no such grid.
    """
    if len(numbers) < 3 or any(len(row) != len(numbers) for row in table):
        return None
    points = [
        [_points_of(text, on_diagonal=place == at) for at, text in enumerate(row)] for place, row in enumerate(table)
    ]
    if any(cell is None for row in points for cell in row):
        return None
    turns = max((len(cell or ()) for row in points for cell in row), default=0)
    cells: list[list[RoundCell | None]] = [
        [
            RoundCell(cell[turn], number) if cell and turn < len(cell) else None
            for turn in range(turns)
            for number, cell in zip(numbers, row, strict=True)
        ]
        for row in points
    ]
    return cells if turns else None


def _points_of(text: str, *, on_diagonal: bool) -> list[str] | None:
    """Return the games of one cell as W, D, L: none where the two did not meet. None if it is no cell of a grid."""
    text = text.lower().replace(",", ".")
    if text in _DIAGONAL:
        return []
    if on_diagonal:
        return None
    if text in _POINTS:
        return [_POINTS[text]]
    return [_POINTS[part] for part in _ONE_POINT.findall(text)] if _SEVERAL_POINTS.fullmatch(text) else None
