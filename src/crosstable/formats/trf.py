"""The FIDE report format: TRF16 and TRF26, and what files since TRF06 make of it. One section per file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable.formats import codes, crosstable, dates, encoding, fields, limits
from crosstable.formats.base import Reading, Written
from crosstable.formats.crosstable import ReportRow, RoundCell, number_in
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, ForeignRating, Place, Player, Rating, Section
from crosstable.systems.us_chess.pools import MAIN

NAME = "trf"

_MAPPED = ("001", "012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "122", "222")
#: Kept as they stand, and written back: teams, tie-breaks, round dates, point systems, accelerations …
KEPT = (
    "013",
    "112",
    "132",
    "142",
    "152",
    "162",
    "172",
    "182",
    "192",
    "202",
    "212",
    "240",
    "250",
    "260",
    "299",
    "300",
    "310",
    "320",
    "330",
    "352",
    "362",
    "801",
    "802",
)
#: Lines of pairing programs (JaVaFo XX., bbpPairings BB., Tornelo DAT), national ratings (a federation's letters).
LETTERS = re.compile(r"[A-Z]{3}(?=\s|$)")
#: What Swiss-Manager and others print over the players to count columns by: tens, digits, and the fields' letters.
_RULER = re.compile(r"\s*\d{1,2}(?:\s{8,9}\d{1,2}){3,}|0?(?:1234567890){3,}\d*|DDD SSSS .*")
_FIRST_CELL, _CELL_WIDTH = 91, 10
_TOKEN = re.compile(r"\s*(\d{1,4})\s+([wbWB-])\s+([10=+WDLHFUZwdlhfuz-])(?=\s|$)")
_BLANK_REST = re.compile(r"\s*$")
MOST_ROUNDS = 99
#: Blanks, so that the columns stay where they are.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\xa0\u2000-\u200a\u2028-\u202f]")
#: Lines that may give another point system than 1, ½, 0.
_POINT_LINES = ("162", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "XXS")
#: The common one, by the codes of line 162: won, drawn, lost; full, half, zero and pairing's bye; absent.
_COMMON_POINTS = {"W": 1, "D": 0.5, "L": 0, "F": 1, "H": 0.5, "Z": 0, "U": 1, "P": 1, "A": 0}
_POINTS = re.compile(r"([A-Z])\s*(\d{1,2}(?:[.,]\d{1,2})?)")

_WITH_OPPONENT = {
    "1": RoundCell("W"),
    "0": RoundCell("L"),
    "=": RoundCell("D"),
    "+": RoundCell("X"),
    "-": RoundCell("F"),
    "W": RoundCell("X", rated=False),
    "D": RoundCell("Z", rated=False),
    "L": RoundCell("F", rated=False),
}
_WITHOUT_OPPONENT = {
    "1": "B",
    "F": "B",
    "U": "P",
    "H": "H",
    "=": "H",
    "D": "H",
    "+": "X",
    "W": "X",
    "-": "F",
    "0": "U",
    "Z": "U",
    "L": "U",
    "": "U",
}


@dataclass(slots=True)
class _File:
    header: dict[str, str] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    players: list[Player] = field(default_factory=list)
    rows: list[ReportRow] = field(default_factory=list)
    national: dict[int, float] = field(default_factory=dict)
    cells: int = 0
    findings: list[Finding] = field(default_factory=list)


def _looks_like(content: Content) -> bool:
    """Tell whether the text has a 001 line, or a tournament line of the format."""
    return bool(re.search(r"(?m)^(?:001 [ \d]{3}\d |012 \S|042 \d)", content.text.replace("\r", "\n")))


def read(data: bytes) -> Reading:
    text = encoding.decode(data)
    lines = text.lines
    limits.check_count("lines", len(lines), limits.LINES)
    file = _File(findings=list(text.findings))
    for number, line in enumerate(lines, start=1):
        _line(file, number, CONTROL.sub(" ", line).rstrip())
    limits.check_cells([row.cells for row in file.rows], "file")
    return Reading(NAME, _event(file), tuple(file.findings))


def _line(file: _File, number: int, line: str) -> None:
    code = line[:3]
    if not line.strip() or line.lstrip().startswith("#") or _RULER.fullmatch(line):
        return
    if code == "001":
        _player(file, number, line)
    elif code in _MAPPED:
        file.header.setdefault(code, encoding.clean(line[3:]))
    elif code == "USA":
        _national(file, line)
    elif code in KEPT or LETTERS.match(line):
        if code in ("132", "192"):  # kept, and read where the lines that should say it are missing
            file.header.setdefault(code, encoding.clean(line[3:]))
        file.kept.append(encoding.clean(line) if len(line) < 5 else line.rstrip())
    else:
        file.findings.append(
            codes.INVALID_LINE_CODE.at(Place(line=number), f"{line[:20]!r} does not begin with a TRF code")
        )


def _player(file: _File, line_number: int, line: str) -> None:
    digits = line[4:8].strip()
    if not digits.isdecimal() or int(digits) == 0:
        file.findings.append(codes.INVALID_NUMBER.at(Place(line=line_number), f"{line[4:8]!r}"))
        return
    number = int(digits)
    where = Place(line=line_number, players=(number,))
    limits.check_count("rounds", (len(line) - _FIRST_CELL) // _CELL_WIDTH, limits.ROUNDS, where)
    line, cells, bad = _best_reading(line)
    for round_, text in bad:
        code = codes.NO_RESULT if _TOKEN.match(f"{text} Z") else codes.UNREADABLE_CELL
        file.findings.append(code.at(where.at(round=round_), repr(text), cell=text, opponent=number_in(text)))
    file.rows.append(ReportRow(number, cells, where))
    file.cells += len(cells)
    limits.check_count("round cells", file.cells, limits.CELLS)
    rating = _rating(file, where, line[48:52])
    notes = {
        "sex": line[9:10].strip(),
        "title": line[10:13].strip(),
        "federation": line[53:56].strip(),
        "rank": _number(line[85:89]),
        "total": _number(line[80:84]),
    }
    birth = line[69:79].strip()
    born = dates.candidates(birth)
    year = re.match(r"(\d{4})", birth)
    if not born and year and year[1] != "0000":
        notes["birth_year"] = int(year[1])
    player = Player(
        number,
        fields.identity(line[57:68]),
        encoding.clean(line[14:47]),
        birth_date=born[0] if born else None,
        ratings={"FIDE": Rating(rating)} if rating else {},
        fide=ForeignRating(rating) if rating else None,
        notes={name: value for name, value in notes.items() if value not in ("", None)},
    )
    file.players.append(player)


def _number(text: str) -> float | int | None:
    text = text.strip().replace(",", ".")
    if re.fullmatch(r"\d{1,4}", text):
        return int(text)
    return float(text) if re.fullmatch(r"\d{0,3}\.\d", text) else None


def _rating(file: _File, where: Place, text: str) -> float | None:
    text = text.strip()
    if text and not text.isdecimal():
        file.findings.append(codes.UNREADABLE_RATING.at(where, f"{text!r} cannot be read as a rating"))
        return None
    return float(text) if text and int(text) else None


def _national(file: _File, line: str) -> None:
    """National ratings stand in the columns of the 001 lines; US Chess ones are regular ratings."""
    if line[4:8].strip().isdecimal() and line[48:52].strip().isdecimal() and int(line[48:52]):
        file.national[int(line[4:8])] = float(line[48:52])


Bad = list[tuple[int, str]]


def _best_reading(line: str) -> tuple[str, list[RoundCell | None], Bad]:
    """By the columns; where they do not fit, by columns counted in UTF-8 bytes, by columns one off, and last by what
    stands between blanks.
    """
    cells, bad = _by_columns(line)
    if not bad:
        return line, cells, bad
    if not line.isascii():
        in_bytes = line.encode("utf-8", errors="replace").decode("latin-1")
        byte_cells, byte_bad = _by_columns(in_bytes)
        if not byte_bad:
            name = in_bytes[14:47].encode("latin-1").decode("utf-8", errors="replace")
            return in_bytes[:14] + name.ljust(33)[:33] + in_bytes[47:], byte_cells, byte_bad
    for moved in (f" {line}", line[1:]):  # a rank of three columns or five; blank rounds keep their place this way
        moved_cells, moved_bad = _by_columns(moved)
        if not moved_bad:
            return line, moved_cells, moved_bad
    tokens = list(_tokens(line[89:]))
    if tokens and all(cell is not None for cell in tokens):
        return line, tokens, []
    return line, cells, bad


def _by_columns(line: str) -> tuple[list[RoundCell | None], Bad]:
    cells: list[RoundCell | None] = []
    bad: Bad = []
    for round_, place in enumerate(range(_FIRST_CELL, len(line), _CELL_WIDTH), start=1):
        text = line[place - 2 : place + 8]
        try:
            cells.append(_cell(line[place : place + 4], line[place + 5 : place + 6], line[place + 7 : place + 8]))
            if text[:2].strip() or text[6:7].strip() or text[8:9].strip():
                raise ValueError(text)
        except ValueError:
            bad.append((round_, text.strip()))
            cells[round_ - 1 :] = [None]
    unread = {round_ for round_, _ in bad}
    # blank means not paired where a later round has a cell; at the end of a row it may also be a cell left out
    blank = [
        None if round_ in unread or round_ == len(cells) else RoundCell("U") for round_ in range(1, len(cells) + 1)
    ]
    return [cell or blank[place] for place, cell in enumerate(cells)], bad


def _tokens(text: str) -> Iterator[RoundCell | None]:
    place = 0
    while not _BLANK_REST.match(text, place):
        match = _TOKEN.match(text, place)
        try:
            yield _cell(*match.groups()) if match else None
        except ValueError:  # an opponent with a bye's letter
            yield None
        if not match:
            return
        place = match.end()


def _cell(opponent: str, color: str, result: str) -> RoundCell | None:
    """One round. Raises ValueError if it is not one."""
    opponent, color, result = opponent.strip(), color.strip().lower(), result.strip().upper()
    if not opponent and not result and color in ("", "-"):
        return RoundCell("U") if color else None
    if (opponent and not opponent.isdecimal()) or color not in ("", "w", "b", "-"):
        raise ValueError(opponent)
    if opponent and int(opponent):
        known = _WITH_OPPONENT.get(result)
        if known is None:
            raise ValueError(result)
        return replace(known, opponent=int(opponent), color=color.strip("-"))
    if result not in _WITHOUT_OPPONENT:
        raise ValueError(result)
    return RoundCell(_WITHOUT_OPPONENT[result])


def _event(file: _File) -> Event:
    head = file.header
    start, end = _dates(file)
    findings = crosstable.uneven(file.rows)
    file.findings += findings
    paired = crosstable.pair(file.rows, round_robin=_kind(head) == "round-robin")
    file.findings += paired.findings
    common_points = uses_common_points(file.kept)
    players = tuple(_finished(player, file, paired, common_points) for player in file.players)
    name = head.get("012", "")
    section = Section(
        number=1,
        name=name,
        start=start,
        end=end,
        players=players,
        games=tuple(paired.games),
        kind=_kind(head) if not paired.by_column else "round-robin",
        colors=paired.colors,
        time_control=_in_seconds(head.get("222", "")) or head.get("122") or None,
        notes={"rounds": max((len(row.cells) for row in file.rows), default=0), **_speed(head)},
    )
    arbiter = head.get("102", "")
    arbiter_id = re.search(r"\((\d{4,11})\)\s*$", arbiter)
    notes: dict[str, object] = {"trf": list(file.kept)} if file.kept else {}
    if arbiter_id:
        notes["chief_arbiter"] = arbiter
    return Event(
        name,
        start,
        end,
        (section,),
        city=head.get("022", ""),
        country=head.get("032", ""),
        chief_td=arbiter_id[1] if arbiter_id else arbiter,
        notes=notes,
    )


def uses_common_points(lines: Sequence[str]) -> bool:
    """Whether the file counts 1, ½, 0: it says nothing else, or says just this."""
    for line in lines:
        if line.startswith("162"):
            if _POINTS.sub("", line[3:]).strip():
                return False
            if any(
                _COMMON_POINTS.get(code) != float(text.replace(",", ".")) for code, text in _POINTS.findall(line[3:])
            ):
                return False
        elif line.startswith(_POINT_LINES):
            return False
    return True


def _finished(player: Player, file: _File, paired: crosstable.Paired, common_points: bool) -> Player:
    notes = dict(player.notes)
    if not common_points and "total" in notes:  # another point system: the points say nothing about the results
        notes["points"] = notes.pop("total")
    if player.number in paired.byes:
        notes["byes"] = dict(paired.byes[player.number])
    ratings = dict(player.ratings)
    if player.number in file.national:
        ratings[MAIN] = Rating(file.national[player.number])
    return replace(player, notes=notes, ratings=ratings)


def _dates(file: _File) -> tuple[date | None, date | None]:
    texts = file.header.get("042", ""), file.header.get("052", "")
    rounds = file.header.get("132", "")
    # `10.09.13` is the year first where the rounds' line, whose form is fixed, says the same
    if all(re.fullmatch(r"(?:\d\d[/.-]){2}\d\d", text) and text in rounds.split() for text in texts):
        texts = f"20{texts[0]}", f"20{texts[1]}"
    found: list[date | None] = []
    for code, text, days in zip(("042", "052"), texts, dates.span(*texts), strict=True):
        if text.strip("0/ ") and not days:
            file.findings.append(codes.UNREADABLE_DATE.at(Place(part=f"line {code}"), repr(text)))
        if len(days) > 1:
            file.findings.append(codes.DATE_GUESSED.at(Place(part=f"line {code}"), f"{text!r} read as {days[0]}"))
        found.append(days[0] if days else None)
    days_played = _round_dates(rounds)
    start = found[0] if found[0] or texts[0].strip("0/ ") else min(days_played, default=None)
    end = found[1] if found[1] or texts[1].strip("0/ ") else max(days_played, default=None)
    return start, end if end is None or start is None or start <= end else found[1]


def _round_dates(text: str) -> list[date]:
    """Return the rounds' days, `25/08/02`: read only where the tournament's own dates are missing."""
    days = [re.fullmatch(r"(?:20)?(\d\d)[/.-](\d\d)[/.-](\d\d)", word) for word in text.split()]
    return [day for match in days if match for day in dates.candidates(f"20{match[1]}/{match[2]}/{match[3]}")]


def _kind(head: Mapping[str, str]) -> str:
    words = (head.get("092") or head.get("192", "")).lower()
    if re.search(r"robin|berger|all[ -]play[ -]all", words):
        return "round-robin"
    return "match" if re.search(r"\bmatch\b", words) else "other" if "other" in words else "swiss"


def _speed(head: Mapping[str, str]) -> dict[str, str]:
    """Return what a file says about the speed of play in its type of tournament:
    FIDE's own files may have no time control.
    """
    found = re.search(r"\b(rapid|blitz)\b", (head.get("092") or head.get("192", "")).replace("_", " ").lower())
    return {"speed": found[1]} if found else {}


def _in_seconds(text: str) -> str:
    """TRF26's `40/6000+30:900+30` as directors write it: `40/100,SD/15;+30`."""
    stages: list[str] = []
    increments: set[str] = set()
    for part in text.split(":") if text else []:
        match = re.fullmatch(r"(?:(\d{1,3})/)?(\d{1,5})(?:\+(\d{1,3}))?", part.strip())
        if not match:
            return ""
        minutes = f"{int(match[2]) / 60:g}"
        stages.append(f"{match[1]}/{minutes}" if match[1] else f"{'SD' if stages else 'G'}/{minutes}")
        increments.add(match[3] or "0")
    if not stages or len(increments) != 1:
        return ""
    return ",".join(stages) + f";+{int(increments.pop())}"


def _write(event: Event, section: int | None) -> Written:
    from crosstable.formats.trf_writing import write

    return write(event, section)


def _read(content: Content) -> Reading:
    return read(content.data)


FORMATS = (
    Format(
        name=NAME,
        title="FIDE report (TRF16, TRF26)",
        suffixes=(".trf", ".trfx"),
        looks_like=_looks_like,
        read=_read,
        write=_write,
    ),
)
