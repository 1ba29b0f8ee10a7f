"""A crosstable as rows of text cells, as spreadsheets hold it: a head of column titles, facts about the event above.

Event,Riverside Open
Section,1
Time control,G/60;d5
No.,Name,ID,State,OTBR,OTBR games,Total,Rnd 1,Rnd 2
1,Ada Example,12345678,OH,1643.759,40,1.5,W2w,H
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, encoding, fields, file_ratings, limits, table_cells
from crosstable.formats.crosstable import Cell, Row
from crosstable.formats.table_heads import Columns, header, heads_as_numbers, say_ignored, settle
from crosstable.model import KINDS, MODES, WEIGHTS, Event, Finding, Level, Player, Rating, Section

Grid = list[list[str]]
#: A cell with a formula and no stored value. No file can hold this text.
NO_VALUE = "\0formula"

#: What people write before a fact about the event, and what we call it.
_EVENT_FACTS = {
    "event": "event", "event name": "event", "tournament": "event", "tournament name": "event", "title": "event",
    "city": "city", "location": "city", "place": "city", "site": "city", "state": "state", "country": "country",
    "start": "start", "start date": "start", "begin": "start", "begins": "start", "date": "date", "dates": "date",
    "event date": "date", "event dates": "date", "end": "end", "end date": "end", "ends": "end",
    "affiliate": "affiliate", "affiliate id": "affiliate", "chief td": "chief td", "td": "chief td",
    "tournament director": "chief td", "director": "chief td", "td id": "chief td",
}  # fmt: skip
_SECTION_FACTS = {
    "section": "section", "section name": "section name", "section start": "section start",
    "section end": "section end", "mode": "mode", "kind": "kind", "weight": "weight", "time control": "time control",
    "time controls": "time control", "tc": "time control", "time": "time control", "rounds": "rounds",
}  # fmt: skip
#: A line alone above a table that names its section: `Quad B`, `U1200`, `Reserve`.
_SECTION_LINE = re.compile(
    r"(?:section|quad|group|division|u\s?-?\d{3,4}|under\s\d{3,4}|reserve|open|novice|premier|booster|k-?\d{1,2})\b.{0,25}",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"(?:grand |sub)?totals?[:.]?|averages?[:.]?|avg[:.]?", re.IGNORECASE)
#: `Grace Whitfield (30000001)`: a US Chess ID behind the name.
_NAME_AND_ID = re.compile(r"(.+?)\s*[(\[]#?(\d{8})[)\]]")
_CITY_AND_STATE = re.compile(r"([A-Z][A-Za-z .'-]+?),?\s+([A-Z]{2})")


@dataclass(slots=True)
class _Block:
    facts: dict[str, str]
    columns: Columns
    rows: list[tuple[str, list[str], int]] = field(default_factory=list)  # where, cells, pairing number or 0
    where: str = ""
    titles: Sequence[str] = ()
    numbers: set[int] = field(default_factory=set)
    gap: bool = False  # a blank row was passed


def event_of(grids: Sequence[tuple[str, Grid]], findings: list[Finding]) -> Event:
    """The event of one or more sheets. Raises EventRejected if none holds a crosstable."""
    event_facts: dict[str, str] = {}
    blocks: list[_Block] = []
    for sheet, grid in grids:
        limits.check_count("rows", len(grid), limits.LINES, sheet)
        blocks += _blocks(sheet, heads_as_numbers(grid), event_facts, findings)
    if not blocks:
        message = "no row names the columns (No., Name, ID, Rating, Rnd 1, Rnd 2 …)"
        raise EventRejected([*findings, codes.MISSING_COLUMN.at("file", message)])
    limits.check_count("sections", len(blocks), limits.SECTIONS)
    limits.check_count("players", sum(len(block.rows) for block in blocks), limits.PLAYERS)
    start, end = event_days(event_facts, findings)
    sections = tuple(_section(place, block, (start, end), findings) for place, block in enumerate(blocks, start=1))
    if not any(section.games for section in sections):
        rounds = any(block.columns.rounds for block in blocks)
        message = "no cell of a round holds a game" if rounds else "no column is a round"
        findings.append(codes.NOTHING_PLAYED.at("file", message))
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


def event_days(facts: dict[str, str], findings: list[Finding]) -> tuple[date | None, date | None]:
    """Start and end; `Date: 8/2/2025 - 8/3/2025` is both, and a start alone is one day."""
    if "date" in facts and "start" not in facts:
        first, last = dates.split_span(facts["date"])
        facts["start"], facts["end"] = first, facts.get("end") or last
    if "start" in facts and not facts.get("end"):
        facts["end"] = facts["start"]
    return _span(facts, ("start", "end"), findings)


def _blocks(sheet: str, grid: Grid, event: dict[str, str], findings: list[Finding]) -> list[_Block]:
    blocks: list[_Block] = []
    facts: dict[str, str] = {}
    current: _Block | None = None
    for line, cells in enumerate(grid, start=1):
        where = f"{sheet}, row {line}"
        row = _valued(cells, current, where, findings)
        if not any(cell.strip(" :-") for cell in row) and sum("--" in cell for cell in row) > 1:
            continue  # the line under the head of a table in Markdown
        if not any(cell.strip() for cell in row):
            if current is not None:
                current.gap = True
        elif current is not None and _is_total(row, current.columns):
            findings.append(codes.LINE_IGNORED.at(where, repr(encoding.clean(" ".join(row))[:60])))
        elif current is not None and (number := _player_number(row, current)):
            current.rows.append((where, row, number))
            current.numbers.add(number)
            current.gap = False
        elif (columns := header(row)) is not None:
            current, facts = _Block(facts, columns, where=where, titles=row), {}
            blocks.append(current)
        elif current is not None and not current.gap:
            current.rows.append((where, row, 0))  # a row that needs a number
        else:
            current = None
            if not note_fact(row, event, facts, first=not blocks):
                findings.append(codes.LINE_IGNORED.at(where, repr(encoding.clean(" ".join(row))[:60])))
    for block in blocks:
        settle(block.columns, [row for _, row, _ in block.rows])
        content = [row for _, row, _ in block.rows]
        findings += say_ignored(block.titles, block.columns.read(), content, block.where)
    return [part for block in blocks for part in _by_section(block)]


def _by_section(block: _Block) -> list[_Block]:
    """A block for each section that a column of the table names."""
    place = block.columns.section
    parts: dict[str, _Block] = {}
    for where, row, number in block.rows:
        name = _cell_at(row, place)
        if name not in parts:
            facts = {**block.facts, "section name": name} if name else block.facts
            parts[name] = replace(block, facts=facts, rows=[])
        counted = len(parts[name].rows) + 1 if number and block.columns.number is None else number
        parts[name].rows.append((where, row, counted))
    return list(parts.values()) or [block]


def note_fact(row: Sequence[str], event: dict[str, str], section: dict[str, str], *, first: bool) -> bool:
    """A line above a table that says something about the event or the section: `City,Dayton`, `Date: 8/2/2025`.

    A line alone above the first table is a time control, a date, or the event's name.
    """
    cells = [cell for cell in map(encoding.clean, row) if cell]
    label, value = (encoding.clean(row[0]).rstrip(":").lower(), " ".join(cells[1:2])) if row else ("", "")
    if len(cells) == 1 and ":" in cells[0]:
        words, _, rest = cells[0].partition(":")
        if words.strip().lower() in {**_EVENT_FACTS, **_SECTION_FACTS}:
            label, value = words.strip().lower(), rest.strip()
    if label in _EVENT_FACTS:
        event.setdefault(_EVENT_FACTS[label], value)
    elif label in _SECTION_FACTS:
        section[_SECTION_FACTS[label]] = value
    elif len(cells) == 1 and _SECTION_LINE.fullmatch(cells[0]):
        section["section name"] = cells[0]
    elif first and len(cells) == 1 and _told_alone(cells[0], event, section):
        pass
    elif first and cells and "event" not in event and all(_told_alone(cell, event, section) for cell in cells[1:]):
        dated = dates.inside(cells[0])
        event["event"] = re.sub(r"^#+\s+", "", (dated and dated[1]) or cells[0])  # a heading of Markdown
        if dated:
            event.setdefault("date", dated[0])
    elif first and len(cells) == 1 and not event.keys() & {"date", "start"} and (dated := dates.inside(cells[0])):
        event["date"] = dated[0]
    else:
        return False
    return True


def _told_alone(cell: str, event: dict[str, str], section: dict[str, str]) -> bool:
    """What a cell says without a label: a time control, a date, `Dayton, OH`."""
    cell = re.sub(r"^(?:played|date|on)(?:\s+on)?[:\s]+(?=.*\d)", "", cell, flags=re.IGNORECASE)
    if file_ratings.readable(cell) and not dates.candidates(cell):
        section.setdefault("time control", cell)
    elif dates.candidates(dates.split_span(cell)[0]):
        event.setdefault("date", cell)
    elif place := _CITY_AND_STATE.fullmatch(cell):
        event.setdefault("city", place[1])
        event.setdefault("state", place[2])
    else:
        return False
    return True


def _is_total(row: Sequence[str], columns: Columns) -> bool:
    """A row under the players that adds them up, wherever the word stands."""
    name = _cell_at(row, columns.name)
    if _number(row, columns) or (name and not _TOTAL.fullmatch(name)):
        return False
    return any(_TOTAL.fullmatch(encoding.clean(cell)) for cell in row)


def _player_number(row: Sequence[str], block: _Block) -> int:
    """The pairing number of a player's row; 0 if it is none. Below a blank row it must be a new one: another table
    may follow there. Where the table has no numbers the players are counted."""
    columns = block.columns
    if columns.number is None:
        counted = _cell_at(row, columns.name) and not block.gap and header(row) is None
        return len(block.numbers) + 1 if counted else 0
    number = _number(row, columns)
    if number and block.gap and (number in block.numbers or not any(_cell_at(row, c) for c in _telling(columns))):
        return 0
    return number


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
        found = codes.FORMULA_WITHOUT_VALUE.at(where, f"{named}: a formula without a stored value")
        only_total = block is not None and places == [block.columns.total]  # the rounds say what it comes to
        findings.append(replace(found, level=Level.WARNING) if only_total else found)
    return row


def _telling(columns: Columns) -> list[int]:
    return [*columns.rounds, *([columns.name] if columns.name is not None else [])]


def _number(row: Sequence[str], columns: Columns) -> int:
    """The pairing number, or 0 if there is none."""
    digits = _cell_at(row, columns.number).rstrip(".")
    return int(digits) if re.fullmatch(r"[0-9]{1,4}", digits) else 0


def _section(place: int, block: _Block, dated: tuple[date | None, date | None], findings: list[Finding]) -> Section:
    facts, columns = block.facts, block.columns
    number = int(facts["section"]) if re.fullmatch(r"\d{1,4}", facts.get("section", "")) else place
    name = facts.get("section name", "") or (
        "" if "section" not in facts or facts["section"].isdecimal() else facts["section"]
    )
    control, mode = facts.get("time control", ""), _choice(facts, "mode", MODES)
    key = file_ratings.main_pool(control, mode)
    players: list[Player] = []
    texts: list[list[str]] = []
    for where, cells, digits in block.rows:
        if digits:
            players.append(_player(cells, digits, columns, key, f"{where}, player {digits}", findings))
            texts.append([_round_text(cells, column, columns) for column in columns.rounds])
        else:
            code = codes.INVALID_NUMBER if any(_cell_at(cells, c) for c in columns.rounds) else codes.LINE_IGNORED
            findings.append(code.at(where, repr(encoding.clean(" ".join(cells))[:60])))
    places = [f"{where}, player {digits}" for where, _, digits in block.rows if digits]
    grid = table_cells.grid_cells([player.number for player in players], texts)
    names = table_cells.names_of((player.number, player.name) for player in players)
    style = table_cells.style_of([text for row in texts for text in row], names)
    lines = grid or [_row_cells(row, style, place_, findings) for row, place_ in zip(texts, places, strict=True)]
    rows = [Row(player.number, cells, where) for player, cells, where in zip(players, lines, places, strict=True)]
    limits.check_cells([row.cells for row in rows], f"section {number}")
    kind = _choice(facts, "kind", KINDS)
    paired = crosstable.pair(rows, round_robin=grid is not None or kind == "round-robin")
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
        notes={"rounds": max(width, len(columns.rounds)), **_unnamed(columns, key, players)},
    )


def _unnamed(columns: Columns, key: str, players: Sequence[Player]) -> dict[str, str]:
    """That the column of ratings names no pool."""
    told = columns.rating is None or key in columns.ratings or not any(key in player.ratings for player in players)
    return {} if told else {file_ratings.UNNAMED: key}


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
    first, last = (facts.get(name, "") for name in names)
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


def _player(row: list[str], number: int, columns: Columns, key: str, where: str, findings: list[Finding]) -> Player:
    notes: dict[str, object] = {}
    ratings = _ratings(row, columns, key, where, notes, findings)
    if state := _cell_at(row, columns.state):
        notes["state"] = state
    total = re.sub(r"(?<=\d)[ ]?½", ".5", _cell_at(row, columns.total).replace(",", ".")).replace("½", "0.5")
    if re.fullmatch(r"\d{1,3}(?:\.\d+)?", total):
        notes["total"] = float(total)
    name = ", ".join(filter(None, (_cell_at(row, columns.name), _cell_at(row, columns.first_name))))
    id_ = fields.identity(re.sub(r"(?<=\d)\s*\([^()]*\)$", "", _cell_at(row, columns.id)))  # 30000001 (OH)
    if not id_ and (both := _NAME_AND_ID.fullmatch(name)):
        name, id_ = both[1], both[2]
    return Player(
        number,
        id_,
        name,
        birth_date=_birth_date(_cell_at(row, columns.born), where, findings),
        adult=_cell_at(row, columns.adult).lower() in ("y", "yes", "x", "true", "1", "adult"),
        ratings=ratings,
        notes=notes,
    )


def _ratings(
    row: list[str], columns: Columns, key: str, where: str, notes: dict[str, object], findings: list[Finding]
) -> dict[str, Rating]:
    ratings: dict[str, Rating] = {}
    provisional: list[str] = []
    columns_of = [*columns.ratings.items(), *([(key, columns.rating)] if columns.rating is not None else [])]
    for name, place in columns_of:
        if name in ratings:  # a column that names its pool comes before one that does not
            continue
        text = _cell_at(row, place)
        try:
            rating, uncounted = table_cells.rating_of(text)
        except ValueError:
            findings.append(codes.UNREADABLE_RATING.at(where, f"{text[:40]!r} cannot be read as a rating"))
            continue
        counted = columns.games.get(name, columns.prior_games if place == columns.rating else None)
        games = _cell_at(row, counted)
        if rating and rating.games is None and re.fullmatch(r"[0-9]{1,6}", games):
            rating = replace(rating, games=int(games))
        elif rating and rating.games is None and games.strip("-–—. "):
            findings.append(
                codes.UNREADABLE_RATING.at(
                    where, f"{games[:40]!r} cannot be read as the number of games behind the {name} rating"
                )
            )
        if rating:
            ratings[name] = rating
            provisional += [name] if uncounted and rating.games is None else []
    if provisional:
        notes["provisional"] = provisional
    return ratings


def _birth_date(text: str, where: str, findings: list[Finding]) -> date | None:
    if not text:
        return None
    days = dates.candidates(text)
    if not days:
        findings.append(codes.UNREADABLE_DATE.at(where, f"born {text[:40]!r}"))
        return None
    day = days[0] if "." in text else days[-1]
    if len(days) > 1:
        findings.append(codes.DATE_GUESSED.at(where, "a birth date can be read with day or month first"))
    return day


def _round_text(row: Sequence[str], place: int, columns: Columns) -> str:
    """The cell of a round; where opponent, result and colour stand apart, together: `1 (12w)`, `bye (0.5)`."""
    text = _cell_at(row, place)
    if place not in columns.results:
        return text
    result, color = _cell_at(row, columns.results[place]), _cell_at(row, columns.colors.get(place))[:1]
    if not text.strip("-–—0") or "bye" in text.lower():
        return f"bye ({result})" if result.strip("-–—0. ") else ""
    return f"{result} ({text}{color})" if result else text


def _row_cells(
    texts: Sequence[str], style: table_cells.Style, where: str, findings: list[Finding]
) -> list[Cell | None]:
    cells: list[Cell | None] = []
    for round_, text in enumerate(texts, start=1):
        try:
            cells.append(table_cells.cell_of(text, style))
        except ValueError:
            cells.append(None)
            code = codes.ASYMMETRIC_RESULT if re.fullmatch(r"[NSRnsr]\s*\d+", text) else codes.UNREADABLE_CELL
            findings.append(code.at(f"{where}, round {round_}", repr(text[:40])))
    return cells
