"""The published text crosstable, as pasted from a page: read by its bars, with pre- and post-event ratings.

What was published (post-event ratings, totals, norms) is evidence and goes into the players' notes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from crosstable.formats import codes, crosstable, dates, encoding, fields, file_ratings, limits
from crosstable.formats.base import Reading, Written
from crosstable.formats.crosstable import ReportRow, RoundCell, number_in
from crosstable.formats.registry import Content, Format
from crosstable.model import Event, Finding, Place, Player, Rating, Section

NAME = "text-crosstable"

_HEAD = re.compile(r"^\s*Pair\s*\|\s*Player Name", re.IGNORECASE)
_HTML = re.compile(r"<(?:html|body|pre)\b", re.IGNORECASE)
_TAG = re.compile(r"<[/!]?[A-Za-z-][^<>]{0,500}>")
_BLANKS = {0xA0: " ", 0x2007: " ", 0x202F: " "}
_QUOTED = re.compile(r"^(?:>[ \t]?)+")
#: The rest of a broken head: `nd|Round|Round|`.
_TAIL = re.compile(r"[^|]*\|(?:[ \t]*Round[ \t]*\|)*[ \t]*", re.IGNORECASE)
_CELL = re.compile(r"([WLDXFZBHU])\s*(\d{0,4})", re.IGNORECASE)
_RATING = re.compile(
    r"(?P<letter>O?[RQB])\s*+:\s*+(?P<pre>Unrated|(?P<rating>\d{1,4})(?P<provisional>P(?P<games>\d{1,3})?)?)\s*+\*?+"
    r"\s*+(?:->\s*+(?:(?P<post>\d{1,4})(?:P(?P<post_games>\d{1,3})?)?|Unrated)?)?\s*+\*?",
    re.IGNORECASE,
)
MOST_ROUNDS = 99
_WIDEST = 50 + 6 * MOST_ROUNDS  # characters of a line
LONGEST_FACT = limits.FACT_CHARACTERS
KINDS = {"S": "swiss", "R": "round-robin", "M": "match", "C": "other", "O": "other"}
WEIGHTS = {"F": "full", "H": "half", "Q": "quarter"}
_DAY = r"(\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{4})"
_DAYS = rf"{_DAY}(?:\s*+(?:thru|through|to|-)\s*+{_DAY})?"
#: What stands above a table on a page, or in a file that we wrote.
LABELS: Sequence[tuple[str, re.Pattern[str]]] = [
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in [
        ("event_dates", rf"^Event Dates?(?:\(s\))?\s*+:?+\s*+{_DAYS}"),
        ("section_dates", rf"^Section Dates?(?:\(s\))?\s*+:?+\s*+{_DAYS}"),
        ("section", r"^Section\s+(\d{1,3})\s*[-:]\s*(.*)$"),
        ("event", r"^Event(?!\s*+(?:Summary|Date))(?:\s*+:\s*+|\s++)(.*?)(?:(?<!\s)\s++\(\d{9,12}\)|\(\d{9,12}\))?$"),
        ("location", r"^Location\s*+:?+\s*+([^,]++),\s*+([A-Z]{2})\b"),
        ("city", r"^City\s*:\s*(.*)$"),
        ("state", r"^State\s*:\s*(.*)$"),
        ("country", r"^Country\s*:\s*(.*)$"),
        ("affiliate", r"^(?:Sponsoring )?Affiliate\b.*?\b([A-Z]\d{7})\b"),
        ("chief_td", r"^Chief TD\b.*?\b(\d{8})\b"),
        ("time_control", r"\bTime Control\s*:\s*(.*?)(?:\s{2,}|\t|$)"),
        ("kind", r"\bTnmt Type\s*:\s*([A-Z])\b"),
        ("weight", r"\bK Factor\s*:\s*([FHQ])\b"),
        ("mode", r"\bMode\s*:\s*(otb|online)\b"),
    ]
]


@dataclass(slots=True)
class _Entry:
    """The lines of one player."""

    number: int
    name: str
    total: str
    cells: list[str]
    more: list[list[str]] = field(default_factory=list)


@dataclass(slots=True)
class _Table:
    about: dict[str, tuple[str, ...]]
    entries: list[_Entry] = field(default_factory=list)


#: A player's first line, for pastes that left the head of the table out: `1 | ADA EXAMPLE |1.5  |W   2|`.
_FIRST_LINE = re.compile(r"\s*\d{1,4}\s*\|[^|]+\|\s*\d{1,3}\.\d\s*\|")


def _looks_like(content: Content) -> bool:
    # blanks only, not \\s: a file of line ends would be searched from every line to its end
    lines = "\n".join(_unquoted(_plain(content.text).replace("\r", "\n").split("\n")))
    head = re.search(r"(?im)^[ \t]*Pair[ \t]*\|[ \t]*Player Name[ \t]*\|", lines)
    return bool(
        head
        or re.search(
            r"(?m)^[ \t]*\d{1,4}[ \t]*\|[^|\n]+\|[ \t]*\d{1,3}\.\d[ \t]*\|.*\n[^|\n]*\|[ \t]*\d{8}[ \t]*/", lines
        )
    )


def read(data: bytes) -> Reading:
    text = encoding.decode(data)
    lines = _unwrapped(_unquoted(text._replace(text=_plain(text.text)).lines))
    limits.check_count("lines", len(lines), limits.LINES)
    findings = list(text.findings)
    event_facts: dict[str, tuple[str, ...]] = {}
    tables = _tables(lines, event_facts, findings)
    limits.check_count("sections", len(tables), limits.SECTIONS)
    limits.check_count("players", sum(len(table.entries) for table in tables), limits.PLAYERS)
    start, end = _span(event_facts.get("event_dates"))
    sections = tuple(_section(place, table, (start, end), findings) for place, table in enumerate(tables, start=1))
    if start is None and sections:
        start = min((s.start for s in sections if s.start), default=None)
        end = max((s.end for s in sections if s.end), default=None)
    city, state = event_facts.get("location", ("", ""))
    event = Event(
        _fact(event_facts, "event"),
        start,
        end,
        sections,
        city=_fact(event_facts, "city") or city,
        state=_fact(event_facts, "state") or state,
        country=_fact(event_facts, "country"),
        affiliate=_fact(event_facts, "affiliate"),
        chief_td=_fact(event_facts, "chief_td"),
    )
    return Reading(NAME, event, tuple(findings))


def _plain(text: str) -> str:
    """With the blanks of a keyboard: a page that was copied from a browser has non-breaking ones."""
    return _without_tags(text).translate(_BLANKS)


def _without_tags(text: str) -> str:
    """Return a page saved as HTML as it looks: rows of its tables are lines. Other text stays as it is.

    A page begins some line with a tag; a name with `<pre>` in it is only a name.
    """
    lines = text.replace("\r", "\n").split("\n") if _HTML.search(text) else []
    if not any(line.lstrip("> \t").startswith("<") and _HTML.search(line) for line in lines):
        return text
    rows = re.sub(r"(?i)</(?:tr|p|h\d|pre|table)>", "\n", re.sub(r"(?i)</td>|<br[ /]*>", " ", text))
    return html.unescape(_TAG.sub("", rows))


def _unquoted(lines: Sequence[str]) -> list[str]:
    """Without the marks that mail programs put before a quoted line."""
    return [_QUOTED.sub("", line) for line in lines]


def _unwrapped(lines: list[str]) -> list[str]:
    """Lines of a table that a mail program broke in two. Every line of one ends with a bar, the head's first."""
    heads = [place for place, line in enumerate(lines) if _HEAD.match(line)]
    if not any(
        _broken(lines[place]) and lines[place + 1 : place + 2] and _TAIL.fullmatch(lines[place + 1]) for place in heads
    ):
        return lines
    whole: list[str] = []
    for line in lines:
        if whole and line.strip() and _broken(whole[-1]):
            whole[-1] += line
        else:
            whole.append(line)
    return whole


def _broken(line: str) -> bool:
    return len(line) < _WIDEST and line.count("|") >= 2 and not line.rstrip().endswith("|")


def _fact(facts: Mapping[str, tuple[str, ...]], name: str) -> str:
    return encoding.clean(facts[name][0]) if name in facts else ""


def _tables(lines: Sequence[str], event: dict[str, tuple[str, ...]], findings: list[Finding]) -> list[_Table]:
    """Tables with what was said above each: what comes before any section is the event's."""
    tables: list[_Table] = []
    above: dict[str, tuple[str, ...]] = {}
    inside = False
    for number, line in enumerate(lines, start=1):
        if _HEAD.match(line):
            tables.append(_Table(above))
            above, inside = {}, True
        elif not inside and _FIRST_LINE.match(line):
            tables.append(_Table(above))
            above, inside = {}, True
            _row(tables[-1], line, number, findings)
        elif inside and line.count("|") >= 2:
            _row(tables[-1], line, number, findings)
        elif not re.fullmatch(r"[\s\-]*", line):
            _facts(line.strip(), event, above)
    return tables


def _facts(line: str, event: dict[str, tuple[str, ...]], above: dict[str, tuple[str, ...]]) -> None:
    # runs of blanks would be divided in every way between the parts of a pattern; two are enough to tell columns apart
    line = re.sub(r"\s{3,}|\t", "  ", line)[:LONGEST_FACT]
    for name, pattern in LABELS:
        match = pattern.search(line)
        if match:
            ours = name in ("section_dates", "section", "time_control", "kind", "weight", "mode")
            (above if ours else event).setdefault(name, tuple(part or "" for part in match.groups()))


def _row(table: _Table, line: str, number: int, findings: list[Finding]) -> None:
    first, second, *rest = [part.strip() for part in line.split("|")]
    if re.match(r"\s*Num\b", first, re.IGNORECASE):
        return
    if rest and rest[-1] == "":
        rest = rest[:-1]
    if first.isdecimal() and len(first) <= 4 and int(first):
        table.entries.append(_Entry(int(first), second, rest[0] if rest else "", rest[1:]))
    elif table.entries:
        table.entries[-1].more.append([first, second, *rest])
    else:
        findings.append(codes.INVALID_NUMBER.at(Place(line=number), repr(first[:20])))


def _section(place: int, table: _Table, dated: tuple[date | None, date | None], findings: list[Finding]) -> Section:
    about = table.about
    number, name = about.get("section", (str(place), ""))
    where = Place(section=int(number))
    start, end = _span(about.get("section_dates"))
    rows = [_cells(where.at(players=(entry.number,)), entry, findings) for entry in table.entries]
    limits.check_cells([row.cells for row in rows], where)
    kind = KINDS.get(about.get("kind", ("",))[0].upper(), "")
    paired = crosstable.pair(rows, round_robin=kind == "round-robin")
    findings += crosstable.uneven(rows)
    findings += paired.findings
    players = [_player(where, entry, findings) for entry in table.entries]
    return Section(
        number=int(number),
        name=encoding.clean(name),
        start=start or dated[0],
        end=end or dated[1],
        players=tuple(
            replace(p, notes={**p.notes, "byes": dict(paired.byes[p.number])}) if p.number in paired.byes else p
            for p in players
        ),
        games=tuple(paired.games),
        mode=about.get("mode", ("otb",))[0].lower(),
        kind=kind or ("round-robin" if paired.by_column else "swiss"),
        weight=WEIGHTS[about.get("weight", ("F",))[0].upper()],
        colors=paired.colors,
        time_control=encoding.clean(about.get("time_control", ("",))[0]) or None,
        notes={"rounds": max((len(row.cells) for row in rows), default=0), **_systems(players, findings, where)},
    )


def _systems(players: Sequence[Player], findings: Sequence[Finding], where: Place) -> dict[str, list[str]]:
    """Return what the page was rated in: evidence for the time control that it does not show."""
    unrated = [one for one in findings if one.code == codes.MISSING_RATING.name and one.place.section == where.section]
    lists = [one.facts["pools"] for one in unrated]
    shown = {*shown_pools(players), *(pool for pools in lists if isinstance(pools, tuple) for pool in pools)}
    return {"pools": [key for key in file_ratings.KEY_LETTERS if key in shown]} if shown else {}


def _span(days: tuple[str, ...] | None) -> tuple[date | None, date | None]:
    if not days:
        return None, None
    starts, ends = dates.span(days[0], days[1] or days[0])
    return (starts[-1] if starts else None), (ends[-1] if ends else None)  # an American page: the month stands first


def _cells(where: Place, entry: _Entry, findings: list[Finding]) -> ReportRow:
    colors = entry.more[0][3:] if entry.more else []
    row: list[RoundCell | None] = []
    for round_, text in enumerate(entry.cells, start=1):
        match = _CELL.fullmatch(text)
        color = colors[round_ - 1].lower() if round_ <= len(colors) else ""
        if not text:
            row.append(None)
        elif match and (match[1].upper() in "XFZBHU" or int(match[2] or 0)):
            opponent = int(match[2] or 0) if match[1].upper() not in "BHU" else 0
            row.append(RoundCell(match[1].upper(), opponent, color if opponent and color in ("w", "b") else ""))
        else:
            row.append(None)
            code = codes.ASYMMETRIC_RESULT if re.match(r"[NSR]\s*\d", text) else codes.UNREADABLE_CELL
            if re.fullmatch(r"[?*]\s*\d{0,4}", text):  # pairings printed before the round was played
                code = codes.NO_RESULT
            findings.append(code.at(where.at(round=round_), repr(text), cell=text, opponent=number_in(text)))
    return ReportRow(entry.number, row, where)


def _player(where: Place, entry: _Entry, findings: list[Finding]) -> Player:
    where = where.at(players=(entry.number,))
    state = entry.more[0][0] if entry.more and re.fullmatch(r"[A-Za-z]{2}", entry.more[0][0]) else ""
    norm = re.fullmatch(r"N:\s*(\w)", entry.more[0][2]) if entry.more and len(entry.more[0]) > 2 else None
    identity, _, shown = entry.more[0][1].partition("/") if entry.more else ("", "", "")
    ratings: dict[str, Rating] = {}
    published: dict[str, dict[str, int]] = {}
    provisional: list[str] = []
    unrated: list[str] = []
    for text in [shown, *(line[1] for line in entry.more[1:])]:
        provisional += _ratings(
            where, encoding.clean(text), ratings, published=published, unrated=unrated, findings=findings
        )
    if unrated:
        findings.append(
            codes.MISSING_RATING.at(where, f"unrated in {' and '.join(unrated)} before the event", pools=tuple(unrated))
        )
    notes: dict[str, object] = {"state": state, "norm": norm[1] if norm else "", "published": published}
    if provisional:
        notes["provisional"] = provisional
    if re.fullmatch(r"\d{1,3}(?:\.\d)?", entry.total):
        notes["total"] = float(entry.total)
    return Player(
        entry.number,
        fields.identity(identity),
        encoding.clean(entry.name),
        ratings=ratings,
        notes={name: value for name, value in notes.items() if value not in ("", {})},
    )


def _ratings(
    where: Place,
    text: str,
    ratings: dict[str, Rating],
    published: dict[str, dict[str, int]],
    unrated: list[str],
    findings: list[Finding],
) -> list[str]:
    """One line's rating before and after. Answers with the pool if it is provisional on an unknown number of games."""
    match = _RATING.fullmatch(text) if text else None
    if not match:
        if text:
            findings.append(codes.UNREADABLE_RATING.at(where, f"{text!r} cannot be read as a rating"))
        return []
    key = file_ratings.LETTERS[match["letter"].upper()]
    if match["rating"] and int(match["rating"]):
        ratings[key] = Rating(float(match["rating"]), games=int(match["games"]) if match["games"] else None)
    else:
        unrated.append(key)
    if match["post"]:
        post = {"rating": int(match["post"]), **({"games": int(match["post_games"])} if match["post_games"] else {})}
        published[key] = post
    return [key] if match["provisional"] and not match["games"] else []


def shown_pools(players: Sequence[Player]) -> list[str]:
    """Return the pools that the table prints, one line of a player each."""
    return [key for key in file_ratings.KEY_LETTERS if any(key in p.ratings or key in published(p) for p in players)]


def published(player: Player) -> dict[str, dict[str, int]]:
    """Return the ratings after the event that a page shows, by pool."""
    found = player.notes.get("published")
    if not isinstance(found, Mapping):
        return {}
    good: dict[str, dict[str, int]] = {}
    for key, value in found.items():
        rating = value.get("rating") if isinstance(value, Mapping) else None
        games = value.get("games") if isinstance(value, Mapping) else None
        if key in file_ratings.KEY_LETTERS and isinstance(rating, int) and 0 <= rating <= 9999:
            few = isinstance(games, int) and 0 <= games <= 999
            good[str(key)] = {"rating": int(rating), **({"games": int(games)} if few and games is not None else {})}
    return good


def _write(event: Event, _: int | None) -> Written:
    from crosstable.formats.text_crosstable_writing import write

    return write(event)


def _read(content: Content) -> Reading:
    return read(content.data)


FORMATS = (
    Format(
        name=NAME,
        title="published text crosstable",
        suffixes=(".txt",),
        looks_like=_looks_like,
        read=_read,
        write=_write,
        marks_provisional=True,
    ),
)
