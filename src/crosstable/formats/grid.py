"""A crosstable as rows of text cells, as spreadsheets hold it: WinTD-style columns, facts about the event above.

Event,Riverside Open
Section,1
Time control,G/60;d5
No.,Name,ID,State,OTBR,OTBR games,Total,Rnd 1,Rnd 2
1,Ada Example,12345678,OH,1643.759,40,1.5,W2w,H
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, encoding, fields, file_ratings, limits
from crosstable.formats.crosstable import Cell, Row
from crosstable.model import KINDS, MODES, WEIGHTS, Event, Finding, Player, Rating, Section
from crosstable.systems.us_chess.pools import POOLS

Grid = list[list[str]]
#: A cell with a formula and no stored value. No file can hold this text.
NO_VALUE = "\0formula"

_NUMBER = (
    "no.", "no", "plr", "plr#", "plr.", "#", "num", "pair", "pair#", "pair #", "pair no", "pair no.", "pair num",
    "pair number", "pairing number", "pairing #", "number", "pairing no", "pairing no.",
)  # fmt: skip
#: chess-results.com numbers the players of a final crosstable by their places.
_PLACES = ("rk.", "rk", "rank")
_NAMES = ("name", "player", "player name", "players", "name/rating/id")
_IDS = (
    "id",
    "uscf id",
    "us chess id",
    "id#",
    "mem id",
    "member id",
    "uscf",
    "memid",
    "fide id",
    "fideid",
    "uscf #",
    "uscf no",
    "uscf no.",
    "us chess #",
    "id no",
    "id no.",
    "member #",
)
_RATINGS = (
    "rating", "rtg", "rtg.", "rtng", "rtng.", "rate", "rat", "rating1", "rtng1", "rtg1", "pre", "pre-rating",
    "pre rating", "pre rtg", "uscf rating", "us chess rating", "uscf rtg", "uscf rtng", "rating (pre)",
)  # fmt: skip
#: Titles that name a pool. Swiss-Manager's I is for international.
_NAMED_RATINGS: Mapping[str, tuple[str, ...]] = {
    **{pool.key: (*(name.lower().replace("_", " ") for name in pool.fields), *pool.headings) for pool in POOLS},
    "FIDE": ("rtgi", "fide rating", "fide rtg", "fide rtng"),
}
_KEYS_OF_TITLES = {title: key for key, titles in _NAMED_RATINGS.items() for title in titles}
_STATES = ("state", "st", "st.")
_TOTALS = ("total", "tot", "score", "pts", "pts.", "points", "tot pts", "total pts")
_ROUND = re.compile(r"(?:rnd|rd|round|r)\s*\.?\s*(\d{1,3})|(\d{1,3})\s*\.\s*(?:rnd|rd|round)\.?", re.IGNORECASE)
_GAMES = re.compile(r"(\w+) games")
_CELL = re.compile(r"([WDLXFZ])\s*(\d{1,4})\s*\(?([wb]?)\)?", re.IGNORECASE)
#: chess-results.com: opponent, colour, points; `+` and `-` for forfeits; a dash and points where nobody was met.
_POINTS_CELL = re.compile(r"(\d{1,4})\s*([wb])\s*([10½=+-])", re.IGNORECASE)
_OUTCOMES = {"1": "W", "0": "L", "½": "D", "=": "D", "+": "X", "-": "F"}
_BYES = {
    "-1": "B", "-½": "H", "-0": "U", "-+": "X", "--": "U",
    "b": "B", "bye": "B", "fpb": "B", "full": "B", "h": "H", "hpb": "H", "half": "H", "½": "H", "1/2": "H", "=": "H",
    "u": "U", "zpb": "U", "z0": "U", "0": "U", "": "U", "x": "X", "f": "F", "z": "Z", "p": "P", "b0": "B", "h0": "H",
    "u0": "U", "x0": "X", "f0": "F", "none": "U", "wd": "U",
}  # fmt: skip
_EVENT_FACTS = ("event", "city", "state", "country", "start", "end", "affiliate", "chief td")
_SECTION_FACTS = (
    "section", "section name", "section start", "section end", "mode", "kind", "weight", "time control", "rounds",
)  # fmt: skip
RATING_KEYS = (*file_ratings.KEY_LETTERS, "FIDE", "ELO", "CLUB", "USCF")


@dataclass(slots=True)
class _Columns:
    number: int
    name: int | None = None
    id: int | None = None
    state: int | None = None
    total: int | None = None
    rating: int | None = None
    ratings: dict[str, int] = field(default_factory=dict)
    games: dict[str, int] = field(default_factory=dict)
    rounds: list[int] = field(default_factory=list)

    def read(self) -> set[int]:
        """The places of the columns that we read."""
        single = (self.number, self.name, self.id, self.state, self.total, self.rating)
        return {place for place in single if place is not None} | {
            *self.ratings.values(), *self.games.values(), *self.rounds,
        }  # fmt: skip


@dataclass(slots=True)
class _Block:
    facts: dict[str, str]
    columns: _Columns
    rows: list[tuple[str, list[str]]] = field(default_factory=list)
    where: str = ""
    titles: Sequence[str] = ()
    numbers: set[int] = field(default_factory=set)
    gap: bool = False  # a blank row was passed


def is_round(title: str) -> bool:
    """`Rnd 1`, `Rd 1`, `Round 1`, `1.Rd`."""
    return _ROUND.fullmatch(encoding.clean(title.replace("_", " "))) is not None


def header(row: Sequence[str]) -> _Columns | None:
    """The columns, if this is the head of a crosstable: pairing numbers, and names or rounds."""
    titles = [encoding.clean(cell.replace("_", " ")).lower() for cell in row]
    number = _first(titles, _NUMBER)
    if number is None and any(_ROUND.fullmatch(title) for title in titles):
        number = _first(titles, _PLACES)
    if number is None:
        return None
    columns = _Columns(number, _first(titles, _NAMES), _first(titles, _IDS), _first(titles, _STATES))
    columns.total, columns.rating = _first(titles, _TOTALS), _first(titles, _RATINGS)
    rounds: dict[int, int] = {}
    for place, title in enumerate(titles):
        if match := _ROUND.fullmatch(title):
            rounds.setdefault(int(match[1] or match[2]), place)
        elif title.upper() in RATING_KEYS:
            columns.ratings.setdefault(title.upper(), place)
        elif title in _KEYS_OF_TITLES:
            columns.ratings.setdefault(_KEYS_OF_TITLES[title], place)
        elif (match := _GAMES.fullmatch(title)) and match[1].upper() in RATING_KEYS:
            columns.games.setdefault(match[1].upper(), place)
    columns.rounds = [rounds[round_] for round_ in sorted(rounds)]
    return columns if columns.rounds or columns.name is not None else None


def _first(titles: Sequence[str], known: Sequence[str]) -> int | None:
    return next((place for place, title in enumerate(titles) if title in known), None)


def event_of(grids: Sequence[tuple[str, Grid]], findings: list[Finding]) -> Event:
    """The event of one or more sheets. Raises EventRejected if none holds a crosstable."""
    event_facts: dict[str, str] = {}
    blocks: list[_Block] = []
    for sheet, grid in grids:
        limits.check_count("rows", len(grid), limits.LINES, sheet)
        blocks += _blocks(sheet, grid, event_facts, findings)
    if not blocks:
        message = "no row names the columns (No., Name, ID, Rating, Rnd 1, Rnd 2 …)"
        raise EventRejected([*findings, codes.MISSING_COLUMN.at("file", message)])
    limits.check_count("sections", len(blocks), limits.SECTIONS)
    limits.check_count("players", sum(len(block.rows) for block in blocks), limits.PLAYERS)
    start, end = _span(event_facts, ("start", "end"), findings)
    sections = tuple(_section(place, block, (start, end), findings) for place, block in enumerate(blocks, start=1))
    return Event(
        event_facts.get("event", ""),
        start,
        end,
        sections,
        city=event_facts.get("city", ""),
        state=event_facts.get("state", ""),
        country=event_facts.get("country", ""),
        affiliate=event_facts.get("affiliate", ""),
        chief_td=event_facts.get("chief td", ""),
    )


def _blocks(sheet: str, grid: Grid, event: dict[str, str], findings: list[Finding]) -> list[_Block]:
    blocks: list[_Block] = []
    facts: dict[str, str] = {}
    current: _Block | None = None
    for line, cells in enumerate(grid, start=1):
        where = f"{sheet}, row {line}"
        row = _valued(cells, current, where, findings)
        label = encoding.clean(row[0]).rstrip(":").lower() if row else ""
        value = encoding.clean(row[1]) if len(row) > 1 else ""
        if not any(cell.strip() for cell in row):
            if current is not None:
                current.gap = True
        elif current is not None and _is_player(row, current):
            current.rows.append((where, row))
            current.numbers.add(_number(row, current.columns))
            current.gap = False
        elif (columns := header(row)) is not None:
            current, facts = _Block(facts, columns, where=where, titles=row), {}
            blocks.append(current)
        elif current is not None and not current.gap:
            current.rows.append((where, row))  # a row that needs a number
        elif label in _EVENT_FACTS:
            current = None
            event.setdefault(label, value)
        elif label in _SECTION_FACTS:
            current = None
            facts[label] = value
        else:
            current = None
            findings.append(codes.LINE_IGNORED.at(where, repr(encoding.clean(" ".join(row))[:60])))
    for block in blocks:
        _say_ignored(block, findings)
    return blocks


def _valued(cells: list[str], block: _Block | None, where: str, findings: list[Finding]) -> list[str]:
    """Without formulas that have no value: they are empty, and an error wherever the cell would be read."""
    if NO_VALUE not in cells:
        return cells
    places = [place for place, cell in enumerate(cells) if cell == NO_VALUE]
    row = ["" if cell == NO_VALUE else cell for cell in cells]
    if block is not None and header(row) is None:
        places = [place for place in places if place in block.columns.read()]
    if places:
        named = ", ".join(f"column {place + 1}" for place in places[:10])
        findings.append(codes.FORMULA_WITHOUT_VALUE.at(where, f"{named}: a formula without a stored value"))
    return row


def _is_player(row: Sequence[str], block: _Block) -> bool:
    """A row with a pairing number. Below a blank row it must be a new one: another table may follow there."""
    number = _number(row, block.columns)
    if not number:
        return False
    return not block.gap or (number not in block.numbers and any(_cell_at(row, c) for c in _telling(block.columns)))


def _telling(columns: _Columns) -> list[int]:
    return [*columns.rounds, *([columns.name] if columns.name is not None else [])]


def _number(row: Sequence[str], columns: _Columns) -> int:
    """The pairing number, or 0 if there is none."""
    digits = _cell_at(row, columns.number).rstrip(".")
    return int(digits) if re.fullmatch(r"[0-9]{1,4}", digits) else 0


def _say_ignored(block: _Block, findings: list[Finding]) -> None:
    """Columns with a title and content that nobody reads."""
    unread = [
        (place, title)
        for place, cell in enumerate(block.titles)
        if place not in block.columns.read() and (title := encoding.clean(cell))
    ]
    named = [repr(title[:40]) for place, title in unread if any(_cell_at(row, place) for _, row in block.rows)]
    if named:
        findings.append(codes.COLUMN_IGNORED.at(block.where, ", ".join(named[:20])))


def _section(place: int, block: _Block, dated: tuple[date | None, date | None], findings: list[Finding]) -> Section:
    facts, columns = block.facts, block.columns
    number = int(facts["section"]) if re.fullmatch(r"\d{1,4}", facts.get("section", "")) else place
    name = facts.get("section name", "") or (
        "" if "section" not in facts or facts["section"].isdecimal() else facts["section"]
    )
    control, mode = facts.get("time control", ""), _choice(facts, "mode", MODES)
    key = file_ratings.main_pool(control, mode)
    players: list[Player] = []
    rows: list[Row] = []
    for where, cells in block.rows:
        digits = _number(cells, columns)
        if not digits:
            code = codes.INVALID_NUMBER if any(_cell_at(cells, c) for c in columns.rounds) else codes.LINE_IGNORED
            findings.append(code.at(where, repr(encoding.clean(" ".join(cells))[:60])))
            continue
        place_ = f"{where}, player {digits}"
        players.append(_player(cells, columns, key, place_, findings))
        rows.append(Row(digits, _row_cells(cells, columns, place_, findings), place_))
    limits.check_cells([row.cells for row in rows], f"section {number}")
    kind = _choice(facts, "kind", KINDS)
    paired = crosstable.pair(rows, round_robin=kind == "round-robin")
    findings += paired.findings
    start, end = _span(facts, ("section start", "section end"), findings, dated)
    announced = facts.get("rounds", "")
    width = int(announced) if re.fullmatch(r"\d{1,2}", announced) else len(columns.rounds)
    return Section(
        number,
        name,
        start or dated[0],
        end or dated[1],
        tuple(_with_byes(player, paired.byes) for player in players),
        tuple(paired.games),
        mode=mode,
        kind="round-robin" if paired.by_column else kind,
        weight=_choice(facts, "weight", WEIGHTS),
        colors=paired.colors,
        time_control=control or None,
        notes={"rounds": max(width, len(columns.rounds))},
    )


def _choice(facts: Mapping[str, str], name: str, options: Sequence[str]) -> str:
    value = facts.get(name, "").lower()
    return value if value in options else options[0]


def _with_byes(player: Player, byes: Mapping[int, Mapping[str, str]]) -> Player:
    return (
        replace(player, notes={**player.notes, "byes": dict(byes[player.number])}) if player.number in byes else player
    )


def _cell_at(row: Sequence[str], place: int | None) -> str:
    return encoding.clean(row[place]) if place is not None and place < len(row) else ""


def _span(
    facts: Mapping[str, str],
    names: tuple[str, str],
    findings: list[Finding],
    inside: tuple[date | None, date | None] = (None, None),
) -> tuple[date | None, date | None]:
    """Start and end, read together: of 8/2/2025 and 8/3/2025, two days in August. A section's lie in the event's."""
    first, last = (facts.get(name, "").removesuffix(" 00:00:00") for name in names)
    found: list[date | None] = []
    for name, text, days in zip(names, (first, last), dates.span(first, last), strict=True):
        if text and not days:
            findings.append(codes.UNREADABLE_DATE.at(name, repr(text[:40])))
        fitting = [day for day in days if inside[0] and inside[1] and inside[0] <= day <= inside[1]] or days
        # where both readings remain: 2.8.2025 is a European's, 8/2/2025 an American's
        day = (fitting[0] if "." in text else fitting[-1]) if fitting else None
        if len(fitting) > 1:
            findings.append(codes.DATE_GUESSED.at(name, f"{text!r} read as {day}"))
        found.append(day)
    return found[0], found[1]


def _player(row: list[str], columns: _Columns, key: str, where: str, findings: list[Finding]) -> Player:
    ratings: dict[str, Rating] = {}
    columns_of = [*columns.ratings.items(), *([(key, columns.rating)] if columns.rating is not None else [])]
    for name, place in columns_of:
        if name in ratings:  # a column that names its system comes before one that does not
            continue
        rating = _rating(_cell_at(row, place), where, findings)
        games = _cell_at(row, columns.games.get(name))
        if rating and rating.games is None and re.fullmatch(r"[0-9]{1,6}", games):
            rating = replace(rating, games=int(games))
        elif rating and rating.games is None and games.strip("-–—. "):
            findings.append(codes.UNREADABLE_RATING.at(where, f"{name} games are {games[:40]!r}"))
        if rating:
            ratings[name] = rating
    notes: dict[str, object] = {}
    if state := _cell_at(row, columns.state):
        notes["state"] = state
    total = re.sub(r"(?<=\d)[ ]?½", ".5", _cell_at(row, columns.total).replace(",", ".")).replace("½", "0.5")
    if re.fullmatch(r"\d{1,3}(?:\.\d+)?", total):
        notes["total"] = float(total)
    return Player(
        _number(row, columns),
        fields.identity(_cell_at(row, columns.id)),
        _cell_at(row, columns.name),
        ratings=ratings,
        notes=notes,
    )


def _rating(text: str, where: str, findings: list[Finding]) -> Rating | None:
    """`1641`, `1641.5`, `1641P17`, `1641/17` or, without a count, `1641P`; nothing for an unrated player."""
    match = re.fullmatch(r"([0-9]{1,4}(?:\.[0-9]{1,17})?)\*?\s?(?:P|[P/]\s?([0-9]{1,3}))?\*?", text.upper())
    if match:
        games = int(match[2]) if match[2] else None
        return Rating(float(match[1]), games=games) if float(match[1]) else None
    if text.strip("-–—") and text.upper().rstrip(".") not in ("UNR", "UNRATED", "NEW", "NONE", "NA", "N/A", "NULL"):
        findings.append(codes.UNREADABLE_RATING.at(where, repr(text[:40])))
    return None


def _row_cells(row: list[str], columns: _Columns, where: str, findings: list[Finding]) -> list[Cell | None]:
    cells: list[Cell | None] = []
    for round_, place in enumerate(columns.rounds, start=1):
        text = _cell_at(row, place)
        try:
            cells.append(cell_of(text))
        except ValueError:
            cells.append(None)
            code = codes.ASYMMETRIC_RESULT if re.fullmatch(r"[NSRnsr]\s*\d+", text) else codes.UNREADABLE_CELL
            findings.append(code.at(f"{where}, round {round_}", repr(text[:40])))
    return cells


def cell_of(text: str) -> Cell | None:
    """`W12`, `W 12`, `L93b`, `12w1`, `-H-`, `BYE`. Raises ValueError if it is none of these."""
    match = _CELL.fullmatch(text)
    if match and int(match[2]):
        return Cell(match[1].upper(), int(match[2]), match[3].lower())
    points = _POINTS_CELL.fullmatch(text)
    if points and int(points[1]):
        return Cell(_OUTCOMES[points[3]], int(points[1]), points[2].lower())
    bare = text if text in _BYES else text.strip("-–—. ").lower()
    if bare not in _BYES:
        raise ValueError(text)
    letter = _BYES[bare]
    return Cell(letter) if letter != "U" else None


def held(event: Event) -> Event:
    """The event as a table can hold it."""
    numbers = [section.number for section in event.sections]
    in_order = len(set(numbers)) == len(numbers) and all(0 <= number <= 9999 for number in numbers)
    sections = tuple(
        _held_section(section, section.number if in_order else place, event)
        for place, section in enumerate(event.sections, start=1)
    )
    return Event(
        encoding.clean(event.name), event.start, event.end, sections,
        city=encoding.clean(event.city), state=encoding.clean(event.state), country=encoding.clean(event.country),
        affiliate=encoding.clean(event.affiliate), chief_td=encoding.clean(event.chief_td),
    )  # fmt: skip


def _held_section(section: Section, number: int, event: Event) -> Section:
    crosstable.require_table(section)
    settled = crosstable.settled(section)
    games = tuple(replace(g, notes={k: v for k, v in g.notes.items() if k != "under_one_move"}) for g in settled.games)
    settled = replace(settled, games=games)
    width = crosstable.rounds(settled)
    limits.check_count("rounds", width, 99, f"section {section.number}")
    points = crosstable.scores(settled)
    return Section(
        number, encoding.clean(section.name), section.start or event.start, section.end or event.end,
        tuple(_held_player(player, points[player.number]) for player in settled.players), games,
        mode=section.mode, kind=section.kind, weight=section.weight, colors=settled.colors,
        time_control=encoding.clean(section.time_control or "") or None, notes={"rounds": width},
    )  # fmt: skip


def _held_player(player: Player, half_points: int) -> Player:
    notes: dict[str, object] = {"total": half_points / 2}
    if state := encoding.clean(fields.note_text(player.notes, "state")):
        notes["state"] = state
    if byes := crosstable.player_byes(player.notes):
        notes["byes"] = dict(sorted(byes.items(), key=lambda bye: int(bye[0])))
    ratings = {
        key: Rating(float(f"{rating.rating:.12g}"), games=rating.games if _few(rating.games) else None)
        for key in RATING_KEYS
        if (rating := player.ratings.get(key)) and math.isfinite(rating.rating) and 0.001 <= rating.rating < 9999.5
    }
    return Player(player.number, fields.identity(player.id), encoding.clean(player.name), ratings=ratings, notes=notes)


def _few(games: int | None) -> bool:
    return games is not None and 0 <= games < 1_000_000


def grids_of(event: Event) -> list[tuple[str, Grid]]:
    """One sheet per section of an event as `held` gives it, event facts on each."""
    sheets = []
    for section in event.sections:
        facts = [
            ("Event", event.name), ("City", event.city), ("State", event.state), ("Country", event.country),
            ("Start", _iso(event.start)), ("End", _iso(event.end)), ("Affiliate", event.affiliate),
            ("Chief TD", event.chief_td), ("Section", str(section.number)), ("Section name", section.name),
            ("Section start", _iso(section.start)), ("Section end", _iso(section.end)), ("Mode", section.mode),
            ("Kind", section.kind), ("Weight", section.weight), ("Time control", section.time_control or ""),
            ("Rounds", str(crosstable.rounds(section))),
        ]  # fmt: skip
        grid = [[label, text] for label, text in facts if text]
        sheets.append((section.name or f"Section {section.number}", [*grid, *_table(section)]))
    return sheets


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _table(section: Section) -> Grid:
    shown = [key for key in RATING_KEYS if any(key in player.ratings for player in section.players)]
    width = crosstable.rounds(section)
    columns: list[tuple[str, Callable[[Player], str]]] = [
        ("No.", lambda p: str(p.number)),
        ("Name", lambda p: p.name),
        ("ID", lambda p: p.id),
        ("State", lambda p: fields.note_text(p.notes, "state")),
    ]
    for key in shown:
        columns += [(key, _rating_cell(key)), (f"{key} games", _games_cell(key))]
    columns.append(("Total", lambda p: f"{p.notes['total']:g}"))
    cells = crosstable.cells(section)
    heads = [title for title, _ in columns] + [f"Rnd {r}" for r in range(1, width + 1)]
    rows = [
        [text(player) for _, text in columns] + [_cell_text(cell) for cell in cells[player.number]]
        for player in section.players
    ]
    return [heads, *rows]


def _rating_cell(key: str) -> Callable[[Player], str]:
    return lambda player: f"{player.ratings[key].rating:.12g}" if key in player.ratings else ""


def _games_cell(key: str) -> Callable[[Player], str]:
    def text(player: Player) -> str:
        games = player.ratings[key].games if key in player.ratings else None
        return "" if games is None else str(games)

    return text


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return "U"
    return f"{cell.outcome}{cell.opponent}{cell.color}" if cell.opponent else cell.outcome
