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
from dataclasses import replace
from datetime import date

from crosstable.errors import EventRejected
from crosstable.formats import codes, crosstable, dates, encoding, fields, file_ratings, limits, table_cells
from crosstable.formats.base import in_section
from crosstable.formats.crosstable import ReportRow, RoundCell, number_in
from crosstable.formats.table_blocks import Block, Grid, blocks_of, cell_at
from crosstable.formats.table_facts import event_days, span
from crosstable.formats.table_heads import ColumnPlaces, heads_as_numbers
from crosstable.model import KINDS, MODES, WEIGHTS, Event, Finding, Place, Player, Rating, Section

#: `Grace Whitfield (30000001)`: a US Chess ID behind the name.
_NAME_AND_ID = re.compile(r"(.*\S)\s*+[(\[]#?(\d{8})[)\]]")
#: A sheet that someone has named; programs call theirs `Sheet1`, and we `1 Open`.
_SHEET_OF_SECTION = re.compile(r"(?!(?:sheet|tabelle|feuil|hoja|table|results?)\s?\d*$)[^\W\d].*", re.IGNORECASE)


def event_of(grids: Sequence[tuple[str, Grid]], findings: list[Finding]) -> Event:
    """Return the event of one or more sheets. Raises EventRejected if none holds a crosstable."""
    event_facts: dict[str, str] = {}
    blocks: list[Block] = []
    noticed: list[Finding] = []
    for sheet, grid in grids:
        limits.check_count("rows", len(grid), limits.LINES, sheet)
        found = blocks_of(sheet, heads_as_numbers(grid), event_facts, noticed)
        blocks += [_called(block, sheet) for block in found] if len(grids) > 1 and len(found) == 1 else found
    if not blocks:
        message = "no row names the columns (No., Name, ID, Rating, Rnd 1, Rnd 2 …)"
        raise EventRejected([*findings, *noticed, codes.MISSING_COLUMN.at("file", message)])
    limits.check_count("sections", len(blocks), limits.SECTIONS)
    limits.check_count("players", sum(len(block.rows) for block in blocks), limits.PLAYERS)
    start, end = event_days(event_facts, noticed)
    sections, placed = _sections(blocks, (start, end), noticed)
    findings += placed
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


def _sections(
    blocks: Sequence[Block], dated: tuple[date | None, date | None], noticed: Sequence[Finding]
) -> tuple[tuple[Section, ...], list[Finding]]:
    """Return the sections, and what was found.

    Of several sections each finding of a row names its own: rows of each may have the same numbers.
    """
    sections: list[Section] = []
    found: list[Finding] = []
    rows: dict[Place, int] = {}
    for place, block in enumerate(blocks, start=1):
        own: list[Finding] = []
        section = _section(place, block, dated, own)
        sections.append(section)
        found += in_section(section.number, own) if len(blocks) > 1 else own
        rows |= {where: section.number for where, _, _ in block.rows} if len(blocks) > 1 else {}
    above = [in_section(rows[one.place], [one])[0] if one.place in rows else one for one in noticed]
    return tuple(sections), [*above, *found]


def _called(block: Block, sheet: str) -> Block:
    """Return a section named after its sheet where nothing else names it."""
    title = sheet.removeprefix("sheet ")
    if block.facts.keys() & {"section", "section name"} or not _SHEET_OF_SECTION.fullmatch(title):
        return block
    return replace(block, facts={**block.facts, "section name": title})


def _section(place: int, block: Block, dated: tuple[date | None, date | None], findings: list[Finding]) -> Section:
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
            players.append(
                _player(cells, digits, columns, key=key, where=where.at(players=(digits,)), findings=findings)
            )
            texts.append([_round_text(cells, column, columns) for column in columns.rounds])
        else:
            code = codes.INVALID_NUMBER if any(cell_at(cells, c) for c in columns.rounds) else codes.LINE_IGNORED
            findings.append(code.at(where, repr(encoding.clean(" ".join(cells))[:60])))
    places = [where.at(players=(digits,)) for where, _, digits in block.rows if digits]
    grid = table_cells.grid_cells([player.number for player in players], texts)
    names = table_cells.names_of((player.number, player.name) for player in players)
    style = table_cells.style_of([text for row in texts for text in row], names)
    lines = grid or [_row_cells(row, style, place_, findings) for row, place_ in zip(texts, places, strict=True)]
    rows = [ReportRow(player.number, cells, where) for player, cells, where in zip(players, lines, places, strict=True)]
    limits.check_cells([row.cells for row in rows], Place(section=number))
    kind = _choice(facts, "kind", KINDS)
    paired = crosstable.pair(rows, round_robin=grid is not None or kind == "round-robin")
    findings += paired.findings
    start, end = span(facts, ("section start", "section end"), findings, dated)
    announced = facts.get("rounds", "")
    width = int(announced) if re.fullmatch(r"\d{1,2}", announced) else len(columns.rounds)
    return Section(
        number=number,
        name=name,
        start=start or dated[0],
        end=end or dated[1],
        players=tuple(_with_byes(player, paired.byes) for player in players),
        games=tuple(paired.games),
        mode=mode,
        kind="round-robin" if paired.by_column else kind,
        weight=_choice(facts, "weight", WEIGHTS),
        colors=paired.colors,
        time_control=control or None,
        notes={"rounds": max(width, len(columns.rounds)), **_unnamed(columns, key, players)},
    )


def _unnamed(columns: ColumnPlaces, key: str, players: Sequence[Player]) -> dict[str, str]:
    """Say that the column of ratings names no pool."""
    told = columns.rating is None or key in columns.ratings or not any(key in player.ratings for player in players)
    return {} if told else {file_ratings.UNNAMED: key}


def _choice(facts: Mapping[str, str], name: str, options: Sequence[str]) -> str:
    value = facts.get(name, "").lower()
    return value if value in options else options[0]


def _with_byes(player: Player, byes: Mapping[int, Mapping[str, str]]) -> Player:
    return (
        replace(player, notes={**player.notes, "byes": dict(byes[player.number])}) if player.number in byes else player
    )


def _player(
    row: list[str], number: int, columns: ColumnPlaces, key: str, where: Place, findings: list[Finding]
) -> Player:
    notes: dict[str, object] = {}
    ratings = _ratings(row, columns, key, where=where, notes=notes, findings=findings)
    if state := cell_at(row, columns.state):
        notes["state"] = state
    total = re.sub(r"(?<=\d)[ ]?½", ".5", cell_at(row, columns.total).replace(",", ".")).replace("½", "0.5")
    if re.fullmatch(r"\d{1,3}(?:\.\d+)?", total):
        notes["total"] = float(total)
    name = ", ".join(filter(None, (cell_at(row, columns.name), cell_at(row, columns.first_name))))
    id_ = fields.identity(re.sub(r"(?<=\d)\s*\([^()]*\)$", "", cell_at(row, columns.id)))  # 30000001 (OH)
    if not id_ and (both := _NAME_AND_ID.fullmatch(name)):
        name, id_ = both[1], both[2]
    return Player(
        number,
        id_,
        name,
        birth_date=_birth_date(cell_at(row, columns.born), where, findings),
        adult=cell_at(row, columns.adult).lower() in ("y", "yes", "x", "true", "1", "adult"),
        ratings=ratings,
        notes=notes,
    )


def _ratings(
    row: list[str], columns: ColumnPlaces, key: str, where: Place, notes: dict[str, object], findings: list[Finding]
) -> dict[str, Rating]:
    ratings: dict[str, Rating] = {}
    provisional: list[str] = []
    columns_of = [*columns.ratings.items(), *([(key, columns.rating)] if columns.rating is not None else [])]
    for name, place in columns_of:
        if name in ratings:  # a column that names its pool comes before one that does not
            continue
        text = cell_at(row, place)
        try:
            rating, uncounted = table_cells.rating_of(text)
        except ValueError:
            findings.append(
                codes.UNREADABLE_RATING.at(
                    where, f"{text[:40]!r} cannot be read as a rating", found=text[:40], pool=name
                )
            )
            continue
        counted = columns.games.get(name, columns.prior_games if place == columns.rating else None)
        games = cell_at(row, counted)
        if rating and rating.games is None and re.fullmatch(r"[0-9]{1,6}", games):
            rating = replace(rating, games=int(games))
        elif rating and rating.games is None and games.strip("-–—. "):
            findings.append(
                codes.UNREADABLE_RATING.at(
                    where,
                    f"{games[:40]!r} cannot be read as the number of games behind the {name} rating",
                    found=games[:40],
                    pool=name,
                )
            )
        if rating:
            ratings[name] = rating
            provisional += [name] if uncounted and rating.games is None else []
    if provisional:
        notes["provisional"] = provisional
    return ratings


def _birth_date(text: str, where: Place, findings: list[Finding]) -> date | None:
    if not text:
        return None
    days = dates.candidates(text)
    if not days:
        findings.append(codes.UNREADABLE_DATE.at(where, f"born {text[:40]!r}"))
        return None
    day = days[0] if "." in text else days[-1]
    if len(days) > 1:
        findings.append(
            codes.DATE_GUESSED.at(where, f"a birth date is read with the {'day' if '.' in text else 'month'} first")
        )
    return day


def _round_text(row: Sequence[str], place: int, columns: ColumnPlaces) -> str:
    """Return the cell of a round; where opponent, result and colour stand apart, together: `1 (12w)`, `bye (0.5)`."""
    text = cell_at(row, place)
    if place not in columns.results:
        return text
    result, color = cell_at(row, columns.results[place]), cell_at(row, columns.colors.get(place))[:1]
    if not text.strip("-–—0") or "bye" in text.lower():
        return f"bye ({result})" if result.strip("-–—0. ") else ""
    return f"{result} ({text}{color})" if result else text


def _row_cells(
    texts: Sequence[str], style: table_cells.Style, where: Place, findings: list[Finding]
) -> list[RoundCell | None]:
    cells: list[RoundCell | None] = []
    for round_, text in enumerate(texts, start=1):
        try:
            cells.append(table_cells.cell_of(text, style))
        except ValueError:
            cells.append(None)
            code = codes.ASYMMETRIC_RESULT if re.fullmatch(r"[NSRnsr]\s*\d+", text) else codes.UNREADABLE_CELL
            findings.append(code.at(where.at(round=round_), repr(text[:40]), cell=text[:40], opponent=number_in(text)))
    return cells
